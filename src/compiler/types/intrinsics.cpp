// SPDX-License-Identifier: MIT
#include "compiler/types/intrinsics.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

const Intrinsic kIntrinsics[] = {
#define INTRINSIC(id, name, result, params, model) {IntrinsicId::id, name, result, params, model},
#include "compiler/types/intrinsics.def"
#undef INTRINSIC
};

Base floatOf(Base b) {
  return isFloatBase(b) && b != Base::Double ? b : Base::Float;
}

/// Shape and base that the arguments have in common.
struct Common {
  bool any = false;       ///< a non-scalar was seen
  bool matrix = false;
  uint32_t rows = 1, cols = 1;
  Base base = Base::Bool; ///< of all numeric arguments
  bool haveBase = false;
  Base floatBase = Base::Bool;

  void shape(const Type* t) {
    if (t->isScalar() || (t->isVector() && t->cols == 1 && any))
      return;
    if (!any) {
      rows = t->rows;
      cols = t->cols;
      matrix = t->isMatrix();
      any = true;
    } else if (t->isMatrix() == matrix) {
      rows = std::min<uint32_t>(rows, t->rows);
      cols = std::min<uint32_t>(cols, t->cols);
    } else if (matrix) { // a vector against a matrix of the same number of components
      rows = 1;
      cols = t->cols;
      matrix = false;
    }
  }
  void take(const Type* t) {
    base = haveBase ? commonBase(base, t->base) : t->base;
    haveBase = true;
  }
};

const Type* mulTypes(const Type*& a, const Type*& b, TypeTable& types) {
  if (!a->isNumeric() || !b->isNumeric())
    return nullptr;
  Base base = commonBase(a->base, b->base);
  if (base == Base::Bool)
    base = Base::Int;
  auto make = [&](uint32_t r, uint32_t c) { return types.numeric(base, r, c); };
  const Type* ra = types.withBase(a, base);
  const Type* rb = types.withBase(b, base);
  const Type* result = nullptr;
  if (a->isScalar() || b->isScalar()) {
    result = a->isScalar() ? rb : ra;
    if (result->isMatrix())
      result = types.matrix(base, result->rows, result->cols);
  } else if (a->isVector() && b->isVector()) {
    uint32_t n = std::min(a->cols, b->cols);
    ra = rb = types.vector(base, n);
    result = types.scalar(base);
  } else if (a->isVector()) {
    uint32_t n = std::min(a->cols, b->rows);
    ra = types.vector(base, n);
    rb = n == b->rows ? rb : types.matrix(base, n, b->cols, b->order);
    result = types.vector(base, b->cols);
  } else if (b->isVector()) {
    uint32_t n = std::min(a->cols, b->cols);
    rb = types.vector(base, n);
    ra = n == a->cols ? ra : types.matrix(base, a->rows, n, a->order);
    result = types.vector(base, a->rows);
  } else {
    uint32_t n = std::min(a->cols, b->rows);
    ra = n == a->cols ? ra : types.matrix(base, a->rows, n, a->order);
    rb = n == b->rows ? rb : types.matrix(base, n, b->cols, b->order);
    result = make(a->rows, b->cols);
    if (!result->isMatrix())
      result = types.matrix(base, a->rows, b->cols);
  }
  a = ra;
  b = rb;
  return result;
}

const Type* typeForLetter(char letter, const Common& common, Base base, TypeTable& types) {
  auto shaped = [&](Base b) {
    if (common.matrix)
      return types.matrix(b, common.rows, common.cols);
    return common.any ? types.vector(b, common.cols) : types.scalar(b);
  };
  switch (letter) {
  case 'F':
    return shaped(floatOf(base));
  case 'D':
    return shaped(Base::Double);
  case 'O':
    return shaped(base == Base::Double ? base : floatOf(base));
  case 'N':
    return shaped(base == Base::Bool ? Base::Int : base);
  case 'U':
    return shaped(Base::Uint);
  case 'I':
    return shaped(Base::Int);
  case 'B':
    return shaped(Base::Bool);
  case 'f':
    return types.scalar(floatOf(base));
  case 'u':
    return types.scalar(Base::Uint);
  case 'i':
    return types.scalar(Base::Int);
  case 'b':
    return types.scalar(Base::Bool);
  case 'n':
    return types.scalar(base == Base::Bool ? Base::Int : base);
  case 'V':
    return types.vector(floatOf(base), common.any ? common.cols : 1);
  case 'W':
    return types.vector(base == Base::Bool ? Base::Int : base, common.any ? common.cols : 1);
  case '2':
    return types.vector(Base::Float, 2);
  case '3':
    return types.vector(floatOf(base), 3);
  case '4':
    return types.vector(floatOf(base), 4);
  case 'Q':
    return types.vector(Base::Int, 4);
  case 'J':
    return types.vector(Base::Int, 2);
  case '6':
    return types.vector(Base::Uint, 2);
  case '7':
    return types.vector(Base::Uint, 4);
  case '-':
    return types.voidType();
  default:
    return nullptr;
  }
}

bool numericFits(const Type* from, const Type* to) {
  if (!from->isNumeric())
    return false;
  if (from->isScalar())
    return true;
  if (from->isMatrix() && to->isMatrix())
    return from->rows >= to->rows && from->cols >= to->cols;
  if (from->isMatrix())
    return from->components() == to->components() || to->components() == 1 || from->rows == 1 || from->cols == 1;
  if (to->isMatrix())
    return from->components() == to->components();
  return from->cols >= to->cols;
}

} // namespace

const Intrinsic* findIntrinsic(std::string_view name) {
  for (const Intrinsic& i : kIntrinsics)
    if (name == i.name)
      return &i;
  return nullptr;
}

const Intrinsic* findIntrinsic(std::string_view name, size_t arguments) {
  const Intrinsic* first = findIntrinsic(name);
  for (const Intrinsic* i = first; i && i != std::end(kIntrinsics) && name == i->name; i++)
    if (parameterCount(*i) == arguments)
      return i;
  return first;
}

bool writesArgument(const Intrinsic& intrinsic, size_t n) {
  const char* p = intrinsic.params;
  for (; *p; p++) {
    const bool out = *p == '&';
    p += out;
    if (n-- == 0)
      return out || *p == 'T';
  }
  return false;
}

uint32_t parameterCount(const Intrinsic& intrinsic) {
  uint32_t n = 0;
  for (const char* p = intrinsic.params; *p; p++)
    n += *p != '&';
  return n;
}

IntrinsicTypes resolveIntrinsic(const Intrinsic& intrinsic, std::span<const Type* const> args, TypeTable& types) {
  IntrinsicTypes r;
  if (args.size() != parameterCount(intrinsic))
    return r;
  for (const Type* t : args)
    if (!t->isNumeric())
      return r;
  if (intrinsic.id == IntrinsicId::Mul) {
    const Type *a = args[0], *b = args[1];
    r.result = mulTypes(a, b, types);
    r.params = {a, b};
    r.out = {false, false};
    r.ok = r.result != nullptr;
    return r;
  }
  if (intrinsic.id == IntrinsicId::Transpose) {
    const Type* a = args[0];
    if (!a->isMatrix())
      a = types.matrix(a->base, 1, a->cols);
    r.params = {a};
    r.out = {false};
    r.result = types.matrix(a->base, a->cols, a->rows);
    r.ok = true;
    return r;
  }
  Common common;
  size_t k = 0;
  for (const char* p = intrinsic.params; *p; p++) {
    if (*p == '&')
      continue;
    bool isOut = p != intrinsic.params && p[-1] == '&';
    if (std::string_view("FNUIBVWADO").find(*p) != std::string_view::npos)
      common.shape(args[k]);
    if (*p != '6' && *p != '7' && *p != 'u' && *p != 'i' && *p != 'J' && !isOut)
      common.take(args[k]);
    k++;
  }
  if (std::string_view(intrinsic.params).find_first_of("VW") != std::string_view::npos && common.matrix) {
    if (common.rows != 1 && common.cols != 1)
      return r;
    common.cols = common.rows * common.cols;
    common.rows = 1;
    common.matrix = false;
  }
  k = 0;
  bool out = false;
  for (const char* p = intrinsic.params; *p; p++) {
    if (*p == '&') {
      out = true;
      continue;
    }
    const Type* t = nullptr;
    if (*p == 'A' || *p == 'T') {
      t = args[k];
    } else if (*p == 'Z') {
      t = types.scalar(args[0]->base == Base::Bool ? Base::Int : args[0]->base);
    } else if (*p == 'M') {
      if (!args[k]->isMatrix() || args[k]->rows != args[k]->cols)
        return r;
      t = types.withBase(args[k], floatOf(args[k]->base));
    } else {
      t = typeForLetter(*p, common, common.base, types);
    }
    if (!t || !numericFits(args[k], t))
      return r;
    if (out && intrinsic.id == IntrinsicId::Modf && !isFloatBase(args[k]->base))
      t = types.withBase(t, args[k]->base);
    r.params.push_back(t);
    r.out.push_back(out);
    out = false;
    k++;
  }
  r.result = typeForLetter(*intrinsic.result, common, common.base, types);
  if (intrinsic.id == IntrinsicId::FirstBitHigh && !isUnsignedBase(common.base))
    r.result = types.withBase(r.result, Base::Int);
  r.ok = r.result != nullptr;
  return r;
}

} // namespace monolith::compiler
