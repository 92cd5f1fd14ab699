// SPDX-License-Identifier: MIT
// Lack of memory: every allocation of a creation call may fail, and the call says so.
#include "fixture.h"

#include <cstdlib>
#include <functional>
#include <new>

namespace {
/// Allocations of this thread until one fails; negative: none does.
thread_local int t_untilFailure = -1;

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (t_untilFailure == 0)
    return nullptr;
  if (t_untilFailure > 0)
    t_untilFailure--;
  if (size == 0)
    size = 1;
  return alignment <= alignof(std::max_align_t) ? std::malloc(size) : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* orThrow(void* p) {
  if (!p)
    throw std::bad_alloc();
  return p;
}
/// Not to be inlined: compilers compare the pair of functions that they see, and these are meant to be a pair.
[[gnu::noinline]] void release(void* p) { std::free(p); }
constexpr std::size_t kPlain = alignof(std::max_align_t);
} // namespace

// The library allocates through these as well.
void* operator new(std::size_t n) { return orThrow(allocate(n, kPlain)); }
void* operator new[](std::size_t n) { return orThrow(allocate(n, kPlain)); }
void* operator new(std::size_t n, std::align_val_t a) { return orThrow(allocate(n, std::size_t(a))); }
void* operator new[](std::size_t n, std::align_val_t a) { return orThrow(allocate(n, std::size_t(a))); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, kPlain); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, kPlain); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, std::size_t(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }

using namespace api;

namespace {

class Memory : public Api {
protected:
  /// The call fails with E_OUTOFMEMORY and no object for each allocation that it makes, and succeeds with all of them.
  template <typename Object> void starve(const char* what, const std::function<HRESULT(Object**)>& call) {
    SCOPED_TRACE(what);
    for (int n = 0; n < 1000; n++) {
      auto* object = reinterpret_cast<Object*>(1);
      t_untilFailure = n;
      const HRESULT hr = call(&object);
      const bool failed = t_untilFailure == 0;
      t_untilFailure = -1;
      if (hr == S_OK) {
        EXPECT_GT(n, 0) << "it allocates";
        object->Release();
        if (!failed)
          return;
        continue; // the allocation that failed was one it can do without
      }
      ASSERT_EQ(hr, E_OUTOFMEMORY) << n;
      ASSERT_EQ(object, nullptr) << n;
    }
    ADD_FAILURE() << "never enough";
  }
};

} // namespace

TEST_F(Memory, StateObjects) {
  // REQ: B0308 B0513 B0518 B0684
  D3D11_BLEND_DESC b = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
  b.RenderTarget[0].RenderTargetWriteMask = 5;
  starve<ID3D11BlendState>("blend", [&](auto** out) { return device->CreateBlendState(&b, out); });
  D3D11_BLEND_DESC1 b1 = {};
  b1.RenderTarget[0].RenderTargetWriteMask = 6;
  starve<ID3D11BlendState1>("blend 1", [&](auto** out) { return device->CreateBlendState1(&b1, out); });
  D3D11_RASTERIZER_DESC r = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
  r.DepthBias = 5;
  starve<ID3D11RasterizerState>("rasterizer", [&](auto** out) { return device->CreateRasterizerState(&r, out); });
  D3D11_RASTERIZER_DESC1 r1 = {};
  memcpy(&r1, &r, sizeof r);
  r1.DepthBias = 6;
  starve<ID3D11RasterizerState1>("rasterizer 1", [&](auto** out) { return device->CreateRasterizerState1(&r1, out); });
  D3D11_RASTERIZER_DESC2 r2 = {};
  memcpy(&r2, &r, sizeof r);
  r2.DepthBias = 7;
  starve<ID3D11RasterizerState2>("rasterizer 2", [&](auto** out) { return device->CreateRasterizerState2(&r2, out); });
  const D3D11_SAMPLER_DESC s = CD3D11_SAMPLER_DESC(CD3D11_DEFAULT());
  starve<ID3D11SamplerState>("sampler", [&](auto** out) { return device->CreateSamplerState(&s, out); });
  const D3D11_DEPTH_STENCIL_DESC d = CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT());
  starve<ID3D11DepthStencilState>("depth", [&](auto** out) { return device->CreateDepthStencilState(&d, out); });
}

TEST_F(Memory, ResourcesAndViews) {
  // REQ: B0262 B0686
  const D3D11_BUFFER_DESC bd = {4096, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  starve<ID3D11Buffer>("buffer", [&](auto** out) { return device->CreateBuffer(&bd, nullptr, out); });
  const D3D11_TEXTURE2D_DESC td = desc2D(64, 64, D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET | D3D11_BIND_UNORDERED_ACCESS);
  starve<ID3D11Texture2D>("texture", [&](auto** out) { return device->CreateTexture2D(&td, nullptr, out); });
  auto t = texture(td);
  starve<ID3D11ShaderResourceView1>("shader view", [&](auto** out) { return device->CreateShaderResourceView1(t.Get(), nullptr, out); });
  starve<ID3D11UnorderedAccessView1>("unordered", [&](auto** out) { return device->CreateUnorderedAccessView1(t.Get(), nullptr, out); });
  starve<ID3D11RenderTargetView1>("target", [&](auto** out) { return device->CreateRenderTargetView1(t.Get(), nullptr, out); });
}

TEST_F(Memory, ShadersAndQueries) {
  // REQ: B0304 B0315 B0690
  const auto& cs = computeShader();
  starve<ID3D11ComputeShader>("compute", [&](auto** out) { return device->CreateComputeShader(cs.data(), cs.size(), nullptr, out); });
  const auto& ps = constantPixelShader();
  starve<ID3D11PixelShader>("pixel", [&](auto** out) { return device->CreatePixelShader(ps.data(), ps.size(), nullptr, out); });
  const D3D11_QUERY_DESC q = {D3D11_QUERY_OCCLUSION, 0};
  starve<ID3D11Query>("query", [&](auto** out) { return device->CreateQuery(&q, out); });
  const D3D11_QUERY_DESC1 q1 = {D3D11_QUERY_TIMESTAMP, 0, D3D11_CONTEXT_TYPE_ALL};
  starve<ID3D11Query1>("query 1", [&](auto** out) { return device->CreateQuery1(&q1, out); });
}
