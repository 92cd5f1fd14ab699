// SPDX-License-Identifier: MIT
/// @file
/// Records the body of a shader into the function that is being recorded, between whatever a kernel records before and
/// after it. Each IR value is one vector register; lanes diverge by an execution mask that exists only where control
/// flow is not uniform (uniformity.h). Results equal the interpreter of ir/ bit for bit (NaN payloads aside).
///
/// Lane order of derivatives: lane = (y & 1) * 4 + x of a 4x2 pixel block; the quads are lanes 0 1 4 5 and 2 3 6 7.
#pragma once

#include "codegen/shader_host.h"
#include <memory>

namespace monolith::codegen {

struct EmitterState;

/// prologue(), body(), epilogue() are each called once. A kernel that shades many groups of lanes in a loop records
/// prologue() before the loop, body() inside, epilogue() behind it: what does not change between groups (addresses of
/// constant buffers, the loop budget) stays in registers.
class ShaderEmitter {
public:
  ShaderEmitter(const ir::Function& function, ShaderHost& host);
  ~ShaderEmitter();
  ShaderEmitter(const ShaderEmitter&) = delete;
  ShaderEmitter& operator=(const ShaderEmitter&) = delete;

  void prologue();
  /// `active`: lanes whose effects count and that keep loops running. Other lanes compute garbage harmlessly.
  void body(simd::Mask active);
  void epilogue();

private:
  std::unique_ptr<EmitterState> m_state;
};

/// All three at once.
void emitShader(const ir::Function& function, ShaderHost& host, simd::Mask active);

/// Bytes of ThreadContext::scratch that the body uses; 0 when its arrays fit on the stack.
uint32_t shaderScratchBytes(const ir::Function& function);

} // namespace monolith::codegen
