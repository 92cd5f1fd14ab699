// SPDX-License-Identifier: MIT
/// @file
/// Input layouts: elements matched by semantic to the registers of an input signature.
#pragma once

#include "commands/commands.h"
#include "d3d11/device_child.h"

#include <span>

namespace monolith::d3d11 {

/// Checks and matches; E_INVALIDARG with a logged reason.
HRESULT matchInputLayout(std::span<const D3D11_INPUT_ELEMENT_DESC> elements, std::span<const uint8_t> bytecode,
                         D3D_FEATURE_LEVEL level, std::vector<state::InputElement>& out);

class InputLayout final : public DeviceChild<com::Interfaces<ID3D11InputLayout, ID3D11DeviceChild>> {
public:
  InputLayout(Device* device, std::vector<state::InputElement>&& elements)
      : DeviceChild(device), m_exec(std::make_shared<commands::InputLayout>()) {
    m_exec->id = nextObjectId();
    m_exec->elements = std::move(elements);
  }
  ~InputLayout() override { retire(device(), std::move(m_exec)); }
  const commands::InputLayout* exec() const { return m_exec.get(); }

protected:
  const char* className() const override { return "ID3D11InputLayout"; }

private:
  std::shared_ptr<commands::InputLayout> m_exec;
};

} // namespace monolith::d3d11
