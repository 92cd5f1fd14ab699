// SPDX-License-Identifier: MIT
/// @file
/// Shader objects. Vertex and pixel shaders are validated and translated when created; other stages are validated and
/// kept until their stage exists.
#pragma once

#include "codegen/program.h"
#include "d3d11/device_child.h"
#include "dxbc/tokens.h"

#include <span>
#include <vector>

namespace monolith::d3d11 {

/// What CreateXShader makes of bytecode.
struct CompiledShader {
  std::shared_ptr<codegen::Program> program; ///< Vertex and pixel stages.
  bool usesInterfaces = false;               ///< Needs class instances.
};

/// S_OK, or E_INVALIDARG with a logged reason (bad container, wrong stage, model too high for the level), or E_NOTIMPL for
/// instructions that are not built.
HRESULT compileShader(std::span<const uint8_t> bytecode, dxbc::ShaderStage stage, D3D_FEATURE_LEVEL level,
                      CompiledShader& out);

template <typename Interface> class ShaderObject final : public DeviceChild<com::Interfaces<Interface, ID3D11DeviceChild>> {
public:
  ShaderObject(Device* device, CompiledShader&& compiled)
      : DeviceChild<com::Interfaces<Interface, ID3D11DeviceChild>>(device), m_compiled(std::move(compiled)) {}
  ~ShaderObject() override {
    if (m_compiled.program)
      retire(this->device(), std::move(m_compiled.program));
  }
  /// Null for stages that are not executed.
  const codegen::Program* program() const { return m_compiled.program.get(); }

protected:
  const char* className() const override { return "shader"; }

private:
  CompiledShader m_compiled;
};

using VertexShader = ShaderObject<ID3D11VertexShader>;
using PixelShader = ShaderObject<ID3D11PixelShader>;
using GeometryShader = ShaderObject<ID3D11GeometryShader>;
using HullShader = ShaderObject<ID3D11HullShader>;
using DomainShader = ShaderObject<ID3D11DomainShader>;
using ComputeShader = ShaderObject<ID3D11ComputeShader>;

} // namespace monolith::d3d11
