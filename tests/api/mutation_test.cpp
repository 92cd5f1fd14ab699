// SPDX-License-Identifier: MIT
// Shaders with a word or two changed and a right checksum: refused or drawn with, never fatal.
#include "fixture.h"

#include "dxbc/container.h"

using namespace api;

namespace {

class Mutation : public Api {
protected:
  UINT random(UINT n) {
    m_random = m_random * 1664525 + 1013904223;
    return (m_random >> 8) % n;
  }
  /// Changes words of the code, and now and then of the rest.
  std::vector<BYTE> mutated(std::vector<BYTE> bytes) {
    using namespace monolith::dxbc;
    auto container = parseContainer(bytes, false);
    const Chunk* code = container ? container->find(container->find(kTagShex) ? kTagShex : kTagShdr) : nullptr;
    size_t first = 32, words = bytes.size() / 4 - 8;
    if (code && random(5)) {
      first = size_t(code->data.data() - container->bytes.data());
      words = code->data.size() / 4;
    }
    for (UINT n = 1 + random(2); n; n--) {
      BYTE* at = &bytes[first + 4 * random(UINT(words))];
      UINT word;
      memcpy(&word, at, 4);
      const UINT odd[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 4096, 0x7fc00000};
      switch (random(6)) {
      case 0: word = odd[random(7)]; break;
      case 1: word = (word & ~0x7ffu) | random(210); break; // another instruction
      case 2: word += random(3) - 1; break;
      case 3: memcpy(&word, &bytes[first + 4 * random(UINT(words))], 4); break;
      default: word ^= 1u << random(32); break;
      }
      memcpy(at, &word, 4);
    }
    const auto size = UINT(bytes.size());
    memcpy(&bytes[24], &size, 4);
    const Checksum sum = computeChecksum(bytes);
    memcpy(&bytes[4], sum.data(), sum.size());
    return bytes;
  }

  UINT m_random = 1;
};

} // namespace

TEST_F(Mutation, IsRefusedOrRuns) {
  const auto target = texture(16, 16, D3D11_BIND_RENDER_TARGET);
  const auto view = rtv(target.Get());
  const auto picture = srv(texture(16, 16, D3D11_BIND_SHADER_RESOURCE).Get());
  const auto constants = buffer(64, D3D11_BIND_CONSTANT_BUFFER);
  const auto plainVertex = vertexShader(fullscreenVertexShader());
  const auto plainPixel = pixelShader(constantPixelShader());
  const std::vector<BYTE> sampling =
      makeShader(Stage::Pixel, "dcl_constantbuffer cb0[2]\ndcl_input v1.xyzw linear\ndcl_output o0.xyzw\ndcl_temps 2\n"
                               "mad r0.xyzw, v1.xyzw, cb0[1].xyzw, v1.wzyx\nsqrt r1.xyzw, r0.xyzw\nif_nz r0.x\n"
                               "mov r1.xy, r0.zwzz\nendif\nmov o0.xyzw, r1.xyzw\nret\n",
                 {{"SV_Position", 0, 0, 15, 1}, {"COLOR", 0, 1, 15, 0}}, {{"SV_Target", 0, 0, 15, 0}});
  const std::vector<BYTE>* sources[] = {&fullscreenVertexShader(), &colorVertexShader(), &colorPixelShader(),
                                        &constantPixelShader(),    &computeShader(),     &sampling};
  int accepted = 0;
  for (int i = 0; i < 3000; i++) {
    const std::vector<BYTE> code = mutated(*sources[i % std::size(sources)]);
    ComPtr<ID3D11VertexShader> vertex;
    ComPtr<ID3D11PixelShader> pixel;
    ComPtr<ID3D11GeometryShader> geometry;
    ComPtr<ID3D11HullShader> hull;
    ComPtr<ID3D11DomainShader> domain;
    ComPtr<ID3D11ComputeShader> compute;
    device->CreateVertexShader(code.data(), code.size(), nullptr, &vertex);
    device->CreatePixelShader(code.data(), code.size(), nullptr, &pixel);
    device->CreateGeometryShader(code.data(), code.size(), nullptr, &geometry);
    device->CreateHullShader(code.data(), code.size(), nullptr, &hull);
    device->CreateDomainShader(code.data(), code.size(), nullptr, &domain);
    device->CreateComputeShader(code.data(), code.size(), nullptr, &compute);
    EXPECT_LE((vertex != nullptr) + (pixel != nullptr) + (geometry != nullptr) + (hull != nullptr) + (domain != nullptr) + (compute != nullptr), 1);
    if (!vertex && !pixel)
      continue;
    accepted++;
    context->VSSetShader(vertex ? vertex.Get() : plainVertex.Get(), nullptr, 0);
    context->PSSetShader(pixel ? pixel.Get() : plainPixel.Get(), nullptr, 0);
    context->VSSetConstantBuffers(0, 1, constants.GetAddressOf());
    context->PSSetConstantBuffers(0, 1, constants.GetAddressOf());
    context->PSSetShaderResources(0, 1, picture.GetAddressOf());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    viewport(16, 16);
    context->Draw(30, 0);
    if (i % 16 == 0)
      context->Flush();
  }
  EXPECT_GT(accepted, 100);
  read(target.Get(), 0, 64, 16);
}
