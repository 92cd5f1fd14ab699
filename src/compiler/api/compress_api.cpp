// SPDX-License-Identifier: MIT
/// @file
/// D3DCompressShaders and D3DDecompressShaders.
#include "compiler/api/blob.h"
#include "compiler/api/compress.h"
#include "compiler/api/exports.h"

#include "dxbc/container.h"

using namespace monolith;
using namespace monolith::compiler;

namespace {

/// What is not needed to run a shader.
bool isExtra(uint32_t tag) {
  using namespace dxbc;
  for (uint32_t t : {kTagRdef, kTagStat, kTagSdbg, kTagSpdb, kTagPriv, kTagIldn, fourcc('T', 'E', 'S', 'T')})
    if (t == tag) return true;
  return false;
}

} // namespace

HRESULT WINAPI D3DCompressShaders(UINT count, D3D_SHADER_DATA* shaders, UINT flags, ID3DBlob** blob) {
  if (!blob) return E_INVALIDARG;
  *blob = nullptr;
  if (!count || !shaders || (flags & ~UINT(D3D_COMPRESS_SHADER_KEEP_ALL_PARTS))) return E_INVALIDARG;
  return guarded([&] {
    constexpr UINT kMost = 65536;
    if (count > kMost) return E_INVALIDARG;
    std::vector<std::vector<uint8_t>> list;
    uint64_t total = 0;
    for (UINT i = 0; i < count; i++) {
      const auto* bytes = static_cast<const uint8_t*>(shaders[i].pBytecode);
      total += shaders[i].BytecodeLength;
      if (!bytes || total > (1u << 30)) return E_INVALIDARG;
      dxbc::Result<dxbc::Container> container = dxbc::parseContainer({bytes, shaders[i].BytecodeLength}, false);
      if (!container) return E_INVALIDARG;
      if (flags & D3D_COMPRESS_SHADER_KEEP_ALL_PARTS) {
        list.emplace_back(container->bytes.begin(), container->bytes.end());
        continue;
      }
      dxbc::ContainerBuilder builder;
      for (const dxbc::Chunk& chunk : container->chunks)
        if (!isExtra(chunk.tag)) builder.add(chunk.tag, std::vector<uint8_t>(chunk.data.begin(), chunk.data.end()));
      list.push_back(builder.build());
    }
    *blob = makeBlob(packShaders(list));
    return S_OK;
  });
}

HRESULT WINAPI D3DDecompressShaders(LPCVOID data, SIZE_T size, UINT count, UINT start, UINT* indices, UINT flags,
                                    ID3DBlob** shaders, UINT* total) {
  if (total) *total = 0;
  if (shaders)
    for (UINT i = 0; i < count; i++) shaders[i] = nullptr;
  if (!data || !size || flags || (count && !shaders)) return E_INVALIDARG;
  return guarded([&] {
    auto all = unpackShaders({static_cast<const uint8_t*>(data), size});
    if (!all) return E_FAIL;
    if (total) *total = UINT(all->size());
    // A list of numbers has a start of its own.
    auto number = [&](UINT i) { return indices ? uint64_t(indices[i]) : uint64_t(start) + i; };
    for (UINT i = 0; i < count; i++)
      if (number(i) >= all->size()) return E_INVALIDARG;
    for (UINT i = 0; i < count; i++) shaders[i] = makeBlob((*all)[size_t(number(i))]);
    return S_OK;
  });
}
