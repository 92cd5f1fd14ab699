// SPDX-License-Identifier: MIT
/// @file
/// Hull shaders in tests: all phases of a patch, one after the other, on any backend.
#pragma once

#include "backend.h"
#include "test_file.h"
#include "translate/translate.h"

namespace monolith::test {

struct HullProgram {
  translate::HullResult hull;
  uint32_t inputPoints = 0, outputPoints = 0;
};

/// Compiles and translates a test's hull shader; `error` is empty on success.
HullProgram makeHull(const Shader& s, bool optimize, std::string& error);

/// Runs one patch: every lane of `state` describes the same one. Results are in lane 0 of out.points and
/// out.patchConstants.
std::string runHull(const HullProgram& program, Backend& backend, const ShaderState& state, ShaderOutputs& out);

} // namespace monolith::test
