// SPDX-License-Identifier: MIT
#include "d3d11/state_objects.h"

#include "d3d11/device.h"

namespace monolith::d3d11 {

BlendState::BlendState(Device* device, const D3D11_BLEND_DESC1& desc) : StateObject(device, desc) {
  for (state::TargetBlend& t : m_exec->desc.targets)
    t.encoded = device->blendsEncoded();
}
BlendState::~BlendState() { device()->caches().blend.remove(m_desc, this); }
DepthStencilState::~DepthStencilState() { device()->caches().depthStencil.remove(m_desc, this); }
RasterizerState::~RasterizerState() { device()->caches().rasterizer.remove(m_desc, this); }
SamplerState::~SamplerState() { device()->caches().sampler.remove(m_desc, this); }

namespace {
template <typename Exec, typename Desc> std::shared_ptr<Exec> makeDefault(const Desc& desc) {
  auto exec = std::make_shared<Exec>();
  exec->id = nextObjectId();
  exec->desc = toState(desc);
  return exec;
}
} // namespace

DefaultStates::DefaultStates()
    : blend(makeDefault<commands::BlendObject>(defaultBlendDesc())),
      depthStencil(makeDefault<commands::DepthStencilObject>(defaultDepthStencilDesc())),
      rasterizer(makeDefault<commands::RasterizerObject>(defaultRasterizerDesc())),
      sampler(makeDefault<commands::SamplerObject>(defaultSamplerDesc())) {
  sampler->dynamic = toDynamic(defaultSamplerDesc());
}

} // namespace monolith::d3d11
