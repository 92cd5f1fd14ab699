// SPDX-License-Identifier: MIT
/// @file
/// Blobs, files, and the parts of a container.
#include "compiler/api/blob.h"
#include "compiler/api/exports.h"
#include "compiler/api/files.h"

#include "dxbc/container.h"
#include "dxbc/disassemble.h"
#include "dxbc/stat.h"

#include <algorithm>
#include <initializer_list>

using namespace monolith;
using namespace monolith::compiler;

namespace {

constexpr uint32_t kTagRts0 = dxbc::fourcc('R', 'T', 'S', '0');
constexpr uint32_t kTagTest = dxbc::fourcc('T', 'E', 'S', 'T');

using Tags = std::vector<uint32_t>;

/// What a part is made of.
struct PartRow {
  D3D_BLOB_PART part;
  bool container;  ///< a container of chunks; else the data of one chunk
  uint32_t needed; ///< chunks that must be there
  Tags tags;
};

const PartRow* findPart(D3D_BLOB_PART part) {
  using namespace dxbc;
  static const PartRow kParts[] = {
      {D3D_BLOB_INPUT_SIGNATURE_BLOB, true, 1, {kTagIsgn, kTagIsg1}},
      {D3D_BLOB_OUTPUT_SIGNATURE_BLOB, true, 1, {kTagOsgn, kTagOsg5, kTagOsg1}},
      {D3D_BLOB_INPUT_AND_OUTPUT_SIGNATURE_BLOB, true, 2, {kTagIsgn, kTagIsg1, kTagOsgn, kTagOsg5, kTagOsg1}},
      {D3D_BLOB_PATCH_CONSTANT_SIGNATURE_BLOB, true, 1, {kTagPcsg, kTagPsg1}},
      {D3D_BLOB_ALL_SIGNATURE_BLOB, true, 3, {kTagIsgn, kTagIsg1, kTagOsgn, kTagOsg5, kTagOsg1, kTagPcsg, kTagPsg1}},
      {D3D_BLOB_ROOT_SIGNATURE, true, 1, {kTagRts0}},
      {D3D_BLOB_DEBUG_INFO, false, 1, {kTagSdbg}},
      {D3D_BLOB_LEGACY_SHADER, false, 1, {kTagAon9}},
      {D3D_BLOB_XNA_PREPASS_SHADER, false, 1, {kTagXnap}},
      {D3D_BLOB_XNA_SHADER, false, 1, {kTagXnas}},
      {D3D_BLOB_PDB, false, 1, {kTagSpdb}},
      {D3D_BLOB_PRIVATE_DATA, false, 1, {kTagPriv}},
      {D3D_BLOB_DEBUG_NAME, false, 1, {kTagIldn}},
      {D3D_BLOB_TEST_ALTERNATE_SHADER, false, 1, {kTagTest}},
      {D3D_BLOB_TEST_COMPILE_DETAILS, false, 1, {0}},
      {D3D_BLOB_TEST_COMPILE_PERF, false, 1, {0}},
      {D3D_BLOB_TEST_COMPILE_REPORT, false, 1, {0}},
  };
  for (const PartRow& p : kParts)
    if (p.part == part) return &p;
  return nullptr;
}

bool contains(const Tags& tags, uint32_t tag) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

std::vector<uint8_t> copyOf(const dxbc::Chunk& chunk) { return {chunk.data.begin(), chunk.data.end()}; }

std::span<const uint8_t> bytesOf(const void* data, SIZE_T size) { return {static_cast<const uint8_t*>(data), size}; }

} // namespace

HRESULT WINAPI D3DCreateBlob(SIZE_T size, ID3DBlob** blob) {
  if (!blob) return kInvalidCall;
  *blob = nullptr;
  return guarded([&] {
    if (size > PTRDIFF_MAX) return E_OUTOFMEMORY;
    *blob = makeBlob(std::vector<uint8_t>(size));
    return S_OK;
  });
}

HRESULT WINAPI D3DGetBlobPart(const void* data, SIZE_T size, D3D_BLOB_PART part, UINT flags, ID3DBlob** blob) {
  // The blob is left alone unless there is one to give.
  if (!data || !size || flags || !blob) return kInvalidCall;
  const PartRow* row = findPart(part);
  if (!row) return kInvalidCall;
  return guarded([&] {
    dxbc::Result<dxbc::Container> container = dxbc::parseContainer(bytesOf(data, size), false);
    if (!container) return kInvalidCall;
    if (!row->container) {
      const dxbc::Chunk* chunk = container->find(row->tags[0]);
      if (!chunk) return E_FAIL;
      *blob = makeBlob(copyOf(*chunk));
      return S_OK;
    }
    dxbc::ContainerBuilder builder;
    uint32_t found = 0;
    for (const dxbc::Chunk& chunk : container->chunks) {
      if (!contains(row->tags, chunk.tag)) continue;
      builder.add(chunk.tag, copyOf(chunk));
      found++;
    }
    if (found != row->needed) return E_FAIL;
    *blob = makeBlob(builder.build());
    return S_OK;
  });
}

HRESULT WINAPI D3DSetBlobPart(LPCVOID data, SIZE_T size, D3D_BLOB_PART part, UINT flags, LPCVOID partData,
                              SIZE_T partSize, ID3DBlob** newShader) {
  if (newShader) *newShader = nullptr;
  if (!data || !size || flags || !newShader || (!partData && partSize)) return kInvalidCall;
  if (part != D3D_BLOB_PRIVATE_DATA && part != D3D_BLOB_ROOT_SIGNATURE) return kInvalidCall;
  return guarded([&] {
    dxbc::Result<dxbc::Container> container = dxbc::parseContainer(bytesOf(data, size), false);
    if (!container) return kInvalidCall;
    uint32_t tag = part == D3D_BLOB_PRIVATE_DATA ? dxbc::kTagPriv : kTagRts0;
    std::vector<uint8_t> contents(static_cast<const uint8_t*>(partData), static_cast<const uint8_t*>(partData) + partSize);
    if (part == D3D_BLOB_ROOT_SIGNATURE && partSize) {
      // A root signature comes as a container of its own, as D3DGetBlobPart gives it.
      dxbc::Result<dxbc::Container> inner = dxbc::parseContainer(contents, false);
      const dxbc::Chunk* chunk = inner ? inner->find(kTagRts0) : nullptr;
      if (!chunk) return E_INVALIDARG;
      contents = copyOf(*chunk);
    }
    dxbc::ContainerBuilder builder;
    for (const dxbc::Chunk& chunk : container->chunks)
      if (chunk.tag != tag) builder.add(chunk.tag, copyOf(chunk));
    if (partSize) builder.add(tag, std::move(contents));
    *newShader = makeBlob(builder.build());
    return S_OK;
  });
}

HRESULT WINAPI D3DStripShader(const void* data, SIZE_T size, UINT flags, ID3DBlob** blob) {
  if (!blob) return E_FAIL;
  *blob = nullptr;
  if (!data || !size) return kInvalidCall;
  return guarded([&] {
    dxbc::Result<dxbc::Container> container = dxbc::parseContainer(bytesOf(data, size), false);
    if (!container) return kInvalidCall;
    Tags strip;
    auto add = [&](UINT flag, std::initializer_list<uint32_t> tags) {
      if (flags & flag) strip.insert(strip.end(), tags);
    };
    add(D3DCOMPILER_STRIP_REFLECTION_DATA, {dxbc::kTagRdef, dxbc::kTagStat});
    add(D3DCOMPILER_STRIP_DEBUG_INFO, {dxbc::kTagSdbg, dxbc::kTagSpdb});
    add(D3DCOMPILER_STRIP_TEST_BLOBS, {kTagTest});
    add(D3DCOMPILER_STRIP_PRIVATE_DATA, {dxbc::kTagPriv});
    add(D3DCOMPILER_STRIP_ROOT_SIGNATURE, {kTagRts0});
    dxbc::ContainerBuilder builder;
    for (const dxbc::Chunk& chunk : container->chunks)
      if (!contains(strip, chunk.tag)) builder.add(chunk.tag, copyOf(chunk));
    *blob = makeBlob(builder.build());
    return S_OK;
  });
}

HRESULT WINAPI D3DGetInputSignatureBlob(const void* data, SIZE_T size, ID3DBlob** blob) {
  return D3DGetBlobPart(data, size, D3D_BLOB_INPUT_SIGNATURE_BLOB, 0, blob);
}
HRESULT WINAPI D3DGetOutputSignatureBlob(const void* data, SIZE_T size, ID3DBlob** blob) {
  return D3DGetBlobPart(data, size, D3D_BLOB_OUTPUT_SIGNATURE_BLOB, 0, blob);
}
HRESULT WINAPI D3DGetInputAndOutputSignatureBlob(const void* data, SIZE_T size, ID3DBlob** blob) {
  return D3DGetBlobPart(data, size, D3D_BLOB_INPUT_AND_OUTPUT_SIGNATURE_BLOB, 0, blob);
}
HRESULT WINAPI D3DGetDebugInfo(const void* data, SIZE_T size, ID3DBlob** blob) {
  return D3DGetBlobPart(data, size, D3D_BLOB_DEBUG_INFO, 0, blob);
}

HRESULT WINAPI D3DReadFileToBlob(const WCHAR* fileName, ID3DBlob** contents) {
  if (!contents) return E_INVALIDARG;
  *contents = nullptr;
  if (!fileName) return E_INVALIDARG;
  return guarded([&] {
    std::vector<uint8_t> bytes;
    if (HRESULT hr = readFile(narrow(fileName), bytes); FAILED(hr)) return hr;
    *contents = makeBlob(std::move(bytes));
    return S_OK;
  });
}

HRESULT WINAPI D3DWriteBlobToFile(ID3DBlob* blob, const WCHAR* fileName, WINBOOL overwrite) {
  if (!blob || !fileName) return E_INVALIDARG;
  return guarded(
      [&] { return writeFile(narrow(fileName), blob->GetBufferPointer(), blob->GetBufferSize(), overwrite); });
}
