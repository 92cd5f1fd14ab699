// SPDX-License-Identifier: MIT
/// @file
/// Recorded control flow on scalar conditions. The lambdas run once, while recording.
#pragma once

#include "simd/value.h"
#include <cstdint>

namespace monolith::simd {

/// A place in the code. Bound exactly once.
struct Label {
  uint32_t id;
  Label();
};
void bind(Label label);
void jump(Label label);
void jumpIf(Condition condition, Label label);

template <class Then> void If(Condition condition, Then&& then);
template <class Then, class Else> void If(Condition condition, Then&& then, Else&& otherwise);
/// Tests, then runs the body, as in C. `condition` is a lambda returning a Condition.
template <class Test, class Body> void While(Test&& condition, Body&& body);
/// Runs the body at least once.
template <class Body, class Test> void DoWhile(Body&& body, Test&& condition);
/// for (Word i = first; i < end; i += step), signed; the body gets i.
template <class Body> void For(Word first, Word end, int32_t step, Body&& body);

Condition operator!(Condition c);
Condition operator<(Word a, Word b);
Word operator+(Word a, Word b);

template <class Then> void If(Condition condition, Then&& then) {
  Label end;
  jumpIf(!condition, end);
  then();
  bind(end);
}

template <class Then, class Else> void If(Condition condition, Then&& then, Else&& otherwise) {
  Label other, end;
  jumpIf(!condition, other);
  then();
  jump(end);
  bind(other);
  otherwise();
  bind(end);
}

template <class Test, class Body> void While(Test&& condition, Body&& body) {
  Label test, top;
  jump(test);
  bind(top);
  body();
  bind(test);
  jumpIf(condition(), top);
}

template <class Body, class Test> void DoWhile(Body&& body, Test&& condition) {
  Label top;
  bind(top);
  body();
  jumpIf(condition(), top);
}

template <class Body> void For(Word first, Word end, int32_t step, Body&& body) {
  Var<Word> i(first);
  While([&] { return i.peek() < end; }, [&] {
    body(i.get());
    i = i.peek() + Word(step);
  });
}

} // namespace monolith::simd
