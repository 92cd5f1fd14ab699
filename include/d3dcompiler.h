/* SPDX-License-Identifier: MIT */
/** @file The packaged d3dcompiler.h and what it lacks of version 47. */
#ifndef MONOLITH_D3DCOMPILER_H
#define MONOLITH_D3DCOMPILER_H
#include <windows.h>
#include <d3d11shader.h>
#include <mingw_d3dcompiler.h>

#ifndef D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS
#define D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS 0x00000001
#define D3DCOMPILE_SECDATA_PRESERVE_TEMPLATE_SLOTS 0x00000002
#define D3DCOMPILE_SECDATA_REQUIRE_TEMPLATE_MATCH 0x00000004
#endif
#ifndef D3D_COMPRESS_SHADER_KEEP_ALL_PARTS
#define D3D_COMPRESS_SHADER_KEEP_ALL_PARTS 0x00000001
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A copy of a container with one part (D3D_BLOB_PRIVATE_DATA or D3D_BLOB_ROOT_SIGNATURE) set. */
HRESULT WINAPI D3DSetBlobPart(LPCVOID data, SIZE_T dataSize, D3D_BLOB_PART part, UINT flags, LPCVOID partData,
                              SIZE_T partSize, ID3DBlob** newShader);
/** The assembly of a range of instructions. */
HRESULT WINAPI D3DDisassembleRegion(LPCVOID data, SIZE_T dataSize, UINT flags, LPCSTR comments, SIZE_T startByteOffset,
                                    SIZE_T instructionCount, SIZE_T* finishByteOffset, ID3DBlob** disassembly);

#ifdef __cplusplus
}
#endif
#endif
