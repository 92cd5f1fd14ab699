// SPDX-License-Identifier: MIT
/// @file
/// Whether code for x86-64-v3 (the *_avx2.cpp files and everything that is generated at run time) may run here.
#pragma once

namespace monolith::base {

/// True if the processor and the system run x86-64-v3 code and MONOLITH_BASELINE does not forbid it. Any thread.
bool hasAvx2();
/// The first feature that is missing (or "MONOLITH_BASELINE"), "" if none is.
const char* missingCpuFeature();

} // namespace monolith::base
