// SPDX-License-Identifier: MIT
/// @file
/// Shader assembly to a dxbc::Shader, for tests. Instructions as a disassembler prints them:
///
///   mad_sat r0.xy, -|r1.xyxx|, cb0[r2.x + 3].zwzz, l(1.0, 2.0, 0, 0)
///   sample(1,-1,0) r0.xyzw, v0.xyxx, t0.xyzw, s0
///   if_nz r0.x
///
/// Registers r v o x cb icb t s u g vPrim vCoverage ... oDepth oDepthGE oDepthLE oMask oStencilRef null rasterizer l#
/// (label). Temporaries, inputs (linear), outputs and constant buffers (16 vectors) are declared by themselves unless a
/// declaration names the register. Declarations:
///   dcl_input v0.xy [interpolation words] [system value]     dcl_output o0.xyzw [system value]
///   dcl_constantbuffer cb0[4] [dynamic]                       dcl_temps 3        dcl_indexableTemp x0[4] [components]
///   dcl_resource <dimension> t0 [return type] [samples N]     dcl_resource raw t0  dcl_resource structured t0 stride
///   dcl_uav <dimension|raw|structured> u0 [return type|stride] dcl_sampler s0 [comparison]
///   dcl_indexrange v0.xyzw count                              dcl_icb word...      dcl_globalFlags number
#pragma once

#include "dxbc/shader.h"

#include <string>
#include <string_view>

namespace monolith::test {

/// Assembles and summarizes. Error text if something is wrong (with the line).
dxbc::Result<dxbc::Shader> assemble(std::string_view text, dxbc::ShaderStage stage, unsigned model);

/// Text of a number: 1.5, -0.0, 3, 0xff, inf, -inf, nan; as a word. False if it is none.
bool parseWord(std::string_view text, uint32_t& word);

} // namespace monolith::test
