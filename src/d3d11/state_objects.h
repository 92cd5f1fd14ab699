// SPDX-License-Identifier: MIT
/// @file
/// Blend, depth-stencil, rasterizer and sampler state objects: an immutable description and its form for the executor.
#pragma once

#include "commands/commands.h"
#include "d3d11/device_child.h"
#include "d3d11/normalize.h"
#include "d3d11/state_cache.h"

namespace monolith::d3d11 {

/// `Exec` is the executor's object (commands::BlendObject and so on).
template <typename List, typename Desc, typename Exec> class StateObject : public DeviceChild<List> {
public:
  StateObject(Device* device, const Desc& desc) : DeviceChild<List>(device), m_desc(desc), m_exec(std::make_shared<Exec>()) {
    m_exec->id = nextObjectId();
    m_exec->desc = toState(desc);
  }
  ~StateObject() override { retire(this->device(), std::move(m_exec)); }
  const Desc& desc() const { return m_desc; }
  const Exec* exec() const { return m_exec.get(); }

protected:
  Desc m_desc;
  std::shared_ptr<Exec> m_exec;
};

class BlendState final
    : public StateObject<com::Interfaces<ID3D11BlendState1, ID3D11BlendState, ID3D11DeviceChild>, D3D11_BLEND_DESC1,
                         commands::BlendObject> {
public:
  BlendState(Device* device, const D3D11_BLEND_DESC1& desc);
  ~BlendState() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_BLEND_DESC* desc) override { *desc = narrow(m_desc); }
  void STDMETHODCALLTYPE GetDesc1(D3D11_BLEND_DESC1* desc) override { *desc = m_desc; }

protected:
  const char* className() const override { return "ID3D11BlendState"; }
};

class DepthStencilState final
    : public StateObject<com::Interfaces<ID3D11DepthStencilState, ID3D11DeviceChild>, D3D11_DEPTH_STENCIL_DESC,
                         commands::DepthStencilObject> {
public:
  using StateObject::StateObject;
  ~DepthStencilState() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_DEPTH_STENCIL_DESC* desc) override { *desc = m_desc; }

protected:
  const char* className() const override { return "ID3D11DepthStencilState"; }
};

class RasterizerState final
    : public StateObject<
          com::Interfaces<ID3D11RasterizerState2, ID3D11RasterizerState1, ID3D11RasterizerState, ID3D11DeviceChild>,
          D3D11_RASTERIZER_DESC2, commands::RasterizerObject> {
public:
  using StateObject::StateObject;
  ~RasterizerState() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_RASTERIZER_DESC* desc) override { *desc = narrow(m_desc); }
  void STDMETHODCALLTYPE GetDesc1(D3D11_RASTERIZER_DESC1* desc) override { *desc = narrow1(m_desc); }
  void STDMETHODCALLTYPE GetDesc2(D3D11_RASTERIZER_DESC2* desc) override { *desc = m_desc; }

protected:
  const char* className() const override { return "ID3D11RasterizerState"; }
};

class SamplerState final
    : public StateObject<com::Interfaces<ID3D11SamplerState, ID3D11DeviceChild>, D3D11_SAMPLER_DESC,
                         commands::SamplerObject> {
public:
  SamplerState(Device* device, const D3D11_SAMPLER_DESC& desc) : StateObject(device, desc) {
    m_exec->dynamic = toDynamic(desc);
  }
  ~SamplerState() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_SAMPLER_DESC* desc) override { *desc = m_desc; }

protected:
  const char* className() const override { return "ID3D11SamplerState"; }
};

/// The sets of a device, one per kind.
struct StateCaches {
  StateCache<BlendState, D3D11_BLEND_DESC1> blend;
  StateCache<DepthStencilState, D3D11_DEPTH_STENCIL_DESC> depthStencil;
  StateCache<RasterizerState, D3D11_RASTERIZER_DESC2> rasterizer;
  StateCache<SamplerState, D3D11_SAMPLER_DESC> sampler;
};

/// What NULL means, for the executor.
struct DefaultStates {
  std::shared_ptr<commands::BlendObject> blend;
  std::shared_ptr<commands::DepthStencilObject> depthStencil;
  std::shared_ptr<commands::RasterizerObject> rasterizer;
  std::shared_ptr<commands::SamplerObject> sampler;
  DefaultStates();
};

} // namespace monolith::d3d11
