// SPDX-License-Identifier: MIT
/// @file
/// The embedded SIMD language, complete. See README.md.
#pragma once

// IWYU pragma: begin_exports
#include "simd/control_flow.h"
#include "simd/double_ops.h"
#include "simd/float_ops.h"
#include "simd/function.h"
#include "simd/int_ops.h"
#include "simd/memory_ops.h"
#include "simd/print.h"
#include "simd/scalar_ops.h"
#include "simd/temporaries.h"
#include "simd/value.h"
// IWYU pragma: end_exports
