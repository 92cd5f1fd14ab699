// SPDX-License-Identifier: MIT
#include "d3dcompiler/shader_bytes.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

#include <gtest/gtest.h>

using namespace monolith;
using namespace monolith::test;

namespace {
constexpr HRESULT kInvalidCall = HRESULT(0x8876086c);

std::vector<uint32_t> tagsOf(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> tags;
  auto c = dxbc::parseContainer(bytes);
  EXPECT_TRUE(c) << c.error();
  if (c)
    for (const auto& chunk : c->chunks) tags.push_back(chunk.tag);
  return tags;
}
} // namespace

TEST(Blob, CreateAndCount) {
  ID3DBlob* blob = nullptr;
  ASSERT_EQ(D3DCreateBlob(100, &blob), S_OK);
  EXPECT_EQ(blob->GetBufferSize(), 100u);
  ASSERT_NE(blob->GetBufferPointer(), nullptr);
  std::memset(blob->GetBufferPointer(), 7, 100);
  EXPECT_EQ(blob->AddRef(), 2u);
  ID3D10Blob* same = nullptr;
  EXPECT_EQ(blob->QueryInterface(IID_ID3D10Blob, reinterpret_cast<void**>(&same)), S_OK);
  EXPECT_EQ(same, blob);
  EXPECT_EQ(same->Release(), 2u);
  IUnknown* other = nullptr;
  EXPECT_EQ(blob->QueryInterface(IID_ID3D11ShaderReflection, reinterpret_cast<void**>(&other)), E_NOINTERFACE);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(blob->Release(), 1u);
  EXPECT_EQ(blob->Release(), 0u);
  EXPECT_EQ(D3DCreateBlob(1, nullptr), kInvalidCall);
  EXPECT_EQ(D3DCreateBlob(SIZE_MAX, &blob), E_OUTOFMEMORY);
  EXPECT_EQ(blob, nullptr);
}

TEST(Blob, SignatureParts) {
  std::vector<uint8_t> shader = sampleContainer();
  ComPtr<ID3DBlob> blob;
  ASSERT_EQ(D3DGetInputSignatureBlob(shader.data(), shader.size(), blob.GetAddressOf()), S_OK);
  EXPECT_EQ(tagsOf(bytesOf(blob.Get())), std::vector<uint32_t>{dxbc::kTagIsgn});
  ASSERT_EQ(D3DGetOutputSignatureBlob(shader.data(), shader.size(), blob.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(tagsOf(bytesOf(blob.Get())), std::vector<uint32_t>{dxbc::kTagOsgn});
  ASSERT_EQ(D3DGetInputAndOutputSignatureBlob(shader.data(), shader.size(), blob.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(tagsOf(bytesOf(blob.Get())), (std::vector<uint32_t>{dxbc::kTagIsgn, dxbc::kTagOsgn}));
  // What is not there, and wrong calls.
  auto part = [&](D3D_BLOB_PART p) { return D3DGetBlobPart(shader.data(), shader.size(), p, 0, blob.ReleaseAndGetAddressOf()); };
  EXPECT_EQ(part(D3D_BLOB_PATCH_CONSTANT_SIGNATURE_BLOB), E_FAIL);
  EXPECT_EQ(part(D3D_BLOB_ALL_SIGNATURE_BLOB), E_FAIL);
  EXPECT_EQ(part(D3D_BLOB_PRIVATE_DATA), E_FAIL);
  EXPECT_EQ(part(D3D_BLOB_PART(0x1234)), kInvalidCall);
  EXPECT_EQ(D3DGetDebugInfo(shader.data(), shader.size(), blob.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(D3DGetInputSignatureBlob(nullptr, 0, blob.ReleaseAndGetAddressOf()), kInvalidCall);
  EXPECT_EQ(D3DGetInputSignatureBlob(shader.data(), 40, blob.ReleaseAndGetAddressOf()), kInvalidCall);
  EXPECT_EQ(D3DGetInputSignatureBlob(shader.data(), shader.size(), nullptr), kInvalidCall);
}

TEST(Blob, StripAndPrivateData) {
  std::vector<uint8_t> shader = sampleContainer();
  ComPtr<ID3DBlob> stripped;
  ASSERT_EQ(D3DStripShader(shader.data(), shader.size(), D3DCOMPILER_STRIP_REFLECTION_DATA, stripped.GetAddressOf()), S_OK);
  EXPECT_EQ(tagsOf(bytesOf(stripped.Get())),
            (std::vector<uint32_t>{dxbc::kTagIsgn, dxbc::kTagOsgn, dxbc::kTagShex}));
  const char data[] = "hello";
  ComPtr<ID3DBlob> with, got;
  ASSERT_EQ(D3DSetBlobPart(shader.data(), shader.size(), D3D_BLOB_PRIVATE_DATA, 0, data, sizeof data, with.GetAddressOf()), S_OK);
  ASSERT_EQ(D3DGetBlobPart(with->GetBufferPointer(), with->GetBufferSize(), D3D_BLOB_PRIVATE_DATA, 0, got.GetAddressOf()), S_OK);
  EXPECT_STREQ(static_cast<const char*>(got->GetBufferPointer()), "hello");
  ASSERT_EQ(D3DStripShader(with->GetBufferPointer(), with->GetBufferSize(), D3DCOMPILER_STRIP_PRIVATE_DATA,
                           stripped.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(bytesOf(stripped.Get()), shader);
  EXPECT_EQ(D3DStripShader(shader.data(), shader.size(), 0, nullptr), E_FAIL);
  EXPECT_EQ(D3DSetBlobPart(shader.data(), shader.size(), D3D_BLOB_PDB, 0, data, 5, with.ReleaseAndGetAddressOf()), kInvalidCall);
}

TEST(Blob, Files) {
  std::string folder = testing::TempDir();
  std::string path = folder + "monolith_blob_" + std::to_string(getpid()) + "_\xc3\xa4.bin"; // a name that is not ASCII
  std::wstring wide(folder.begin(), folder.end());
  wide += L"monolith_blob_" + std::to_wstring(getpid()) + L"_\u00e4.bin";
  ComPtr<ID3DBlob> blob, read;
  ASSERT_EQ(D3DCreateBlob(3, blob.GetAddressOf()), S_OK);
  std::memcpy(blob->GetBufferPointer(), "abc", 3);
  ASSERT_EQ(D3DWriteBlobToFile(blob.Get(), wide.c_str(), FALSE), S_OK);
  EXPECT_EQ(D3DWriteBlobToFile(blob.Get(), wide.c_str(), FALSE), HRESULT_FROM_WIN32(80));
  EXPECT_EQ(D3DWriteBlobToFile(blob.Get(), wide.c_str(), TRUE), S_OK);
  ASSERT_EQ(D3DReadFileToBlob(wide.c_str(), read.GetAddressOf()), S_OK);
  EXPECT_EQ(bytesOf(read.Get()), bytesOf(blob.Get()));
  EXPECT_EQ(std::remove(path.c_str()), 0);
  EXPECT_EQ(D3DReadFileToBlob(wide.c_str(), read.ReleaseAndGetAddressOf()), HRESULT_FROM_WIN32(2));
  EXPECT_EQ(D3DReadFileToBlob(nullptr, read.ReleaseAndGetAddressOf()), E_INVALIDARG);
}

TEST(Blob, DisassembleGivesTextWithItsEnd) {
  std::vector<uint8_t> shader = sampleContainer();
  ComPtr<ID3DBlob> text;
  ASSERT_EQ(D3DDisassemble(shader.data(), shader.size(), 0, nullptr, text.GetAddressOf()), S_OK);
  EXPECT_EQ(textOf(text.Get()).find("//      = 0x"), std::string::npos); // default values only when asked for
  ASSERT_EQ(D3DDisassemble(shader.data(), shader.size(), D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS, nullptr, text.ReleaseAndGetAddressOf()), S_OK);
  std::string all = textOf(text.Get());
  EXPECT_EQ(all.size() + 1, text->GetBufferSize());
  EXPECT_NE(all.find("//   float4 tint;                       // Offset:    0 Size:    16\n"
                     "//      = 0x3f800000 0x40000000 0x40400000 0x40800000 \n"
                     "//   \n"
                     "//   struct Light\n"
                     "//   {\n"
                     "//       \n"
                     "//       float3 direction;              // Offset:   16\n"
                     "//       uint2 size[2];                 // Offset:   32\n"
                     "//\n"
                     "//   } light;                           // Offset:   16 Size:    40 [unused]\n"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("// picture                           texture  float4          2d             t0      1 \n"), std::string::npos);
  EXPECT_NE(all.find("\nmul_sat o0.xyzw, r0.xyzw, cb0[1].xyzw\nret \n// Approximately 3 instruction slots used\n"),
            std::string::npos);
  ASSERT_EQ(D3DDisassemble(shader.data(), shader.size(), D3D_DISASM_INSTRUCTION_ONLY | D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING,
                           "note", text.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(textOf(text.Get()).substr(0, 15), "// note\nps_5_0\n");
  EXPECT_NE(textOf(text.Get()).find("   2: ret \n"), std::string::npos);
  EXPECT_EQ(D3DDisassemble(shader.data(), 10, 0, nullptr, text.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(D3DDisassemble(nullptr, 0, 0, nullptr, text.ReleaseAndGetAddressOf()), E_INVALIDARG);

  SIZE_T finish = 0;
  ASSERT_EQ(D3DDisassembleRegion(shader.data(), shader.size(), 0, nullptr, 0, 2, &finish, text.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(textOf(text.Get()), "dcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[2], immediateIndexed\n");
  ASSERT_EQ(D3DDisassembleRegion(shader.data(), shader.size(), 0, nullptr, finish, 1, &finish, text.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(textOf(text.Get()), "dcl_sampler s0, mode_default\n");
}

// What Microsoft's library answers, call by call.
TEST(Blob, PartsAreLeftAloneOnFailure) {
  const std::vector<uint8_t> shader = sampleContainer();
  ComPtr<ID3DBlob> mine;
  ASSERT_EQ(D3DCreateBlob(1, mine.GetAddressOf()), S_OK);
  ID3DBlob* blob = mine.Get();
  EXPECT_EQ(D3DGetBlobPart(nullptr, shader.size(), D3D_BLOB_INPUT_SIGNATURE_BLOB, 0, &blob), kInvalidCall);
  EXPECT_EQ(D3DGetBlobPart(shader.data(), 0, D3D_BLOB_INPUT_SIGNATURE_BLOB, 0, &blob), kInvalidCall);
  EXPECT_EQ(D3DGetBlobPart(shader.data(), shader.size(), D3D_BLOB_INPUT_SIGNATURE_BLOB, 1, &blob), kInvalidCall);
  EXPECT_EQ(D3DGetBlobPart(shader.data(), shader.size(), D3D_BLOB_INPUT_SIGNATURE_BLOB, 0, nullptr), kInvalidCall);
  EXPECT_EQ(D3DGetBlobPart(shader.data(), shader.size(), D3D_BLOB_PART(-1), 0, &blob), kInvalidCall);
  for (D3D_BLOB_PART part : {D3D_BLOB_PATCH_CONSTANT_SIGNATURE_BLOB, D3D_BLOB_ALL_SIGNATURE_BLOB, D3D_BLOB_DEBUG_INFO, D3D_BLOB_LEGACY_SHADER,
                             D3D_BLOB_XNA_PREPASS_SHADER, D3D_BLOB_XNA_SHADER, D3D_BLOB_PDB, D3D_BLOB_PRIVATE_DATA, D3D_BLOB_ROOT_SIGNATURE,
                             D3D_BLOB_DEBUG_NAME, D3D_BLOB_TEST_ALTERNATE_SHADER, D3D_BLOB_TEST_COMPILE_DETAILS, D3D_BLOB_TEST_COMPILE_PERF,
                             D3D_BLOB_TEST_COMPILE_REPORT})
    EXPECT_EQ(D3DGetBlobPart(shader.data(), shader.size(), part, 0, &blob), E_FAIL) << part;
  EXPECT_EQ(blob, mine.Get());
}

TEST(Blob, OddSizesStay) {
  // A chunk at the end keeps its odd size through taking apart and putting together.
  std::vector<uint8_t> shader = sampleContainer();
  ComPtr<ID3DBlob> with, part, stripped;
  ASSERT_EQ(D3DSetBlobPart(shader.data(), shader.size(), D3D_BLOB_PRIVATE_DATA, 0, "12345", 5, with.GetAddressOf()), S_OK);
  EXPECT_EQ(with->GetBufferSize(), shader.size() + 4 + 8 + 5);
  ASSERT_EQ(D3DGetBlobPart(with->GetBufferPointer(), with->GetBufferSize(), D3D_BLOB_PRIVATE_DATA, 0, part.GetAddressOf()), S_OK);
  EXPECT_EQ(part->GetBufferSize(), 5u);
  ASSERT_EQ(D3DStripShader(with->GetBufferPointer(), with->GetBufferSize(), D3DCOMPILER_STRIP_TEST_BLOBS, stripped.GetAddressOf()), S_OK);
  EXPECT_EQ(bytesOf(stripped.Get()), bytesOf(with.Get()));
  // Only private data (and a root signature) can be set.
  for (D3D_BLOB_PART other : {D3D_BLOB_INPUT_SIGNATURE_BLOB, D3D_BLOB_DEBUG_INFO, D3D_BLOB_PDB, D3D_BLOB_LEGACY_SHADER})
    EXPECT_EQ(D3DSetBlobPart(shader.data(), shader.size(), other, 0, "12345", 5, with.ReleaseAndGetAddressOf()), kInvalidCall);
}
