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

#ifndef D3D_GET_INST_OFFSETS_INCLUDE_NON_EXECUTABLE
#define D3D_GET_INST_OFFSETS_INCLUDE_NON_EXECUTABLE 0x00000001
#endif

typedef struct ID3D10Effect ID3D10Effect;

#ifdef __cplusplus
extern "C" {
#endif

/** One shader for D3DCompressShaders. */
typedef struct _D3D_SHADER_DATA {
  LPCVOID pBytecode;
  SIZE_T BytecodeLength;
} D3D_SHADER_DATA;

/** A copy of a container with one part (D3D_BLOB_PRIVATE_DATA or D3D_BLOB_ROOT_SIGNATURE) set. */
HRESULT WINAPI D3DSetBlobPart(LPCVOID data, SIZE_T dataSize, D3D_BLOB_PART part, UINT flags, LPCVOID partData,
                              SIZE_T partSize, ID3DBlob** newShader);
/** The assembly of a range of instructions. */
HRESULT WINAPI D3DDisassembleRegion(LPCVOID data, SIZE_T dataSize, UINT flags, LPCSTR comments, SIZE_T startByteOffset,
                                    SIZE_T instructionCount, SIZE_T* finishByteOffset, ID3DBlob** disassembly);
/** Effects of Direct3D 10 are not supported: E_NOTIMPL. */
HRESULT WINAPI D3DDisassemble10Effect(ID3D10Effect* effect, UINT flags, ID3DBlob** disassembly);
/** Byte offsets of instructions in the program, as D3DDisassembleRegion takes them. */
HRESULT WINAPI D3DGetTraceInstructionOffsets(LPCVOID data, SIZE_T dataSize, UINT flags, SIZE_T startInstIndex, SIZE_T numInsts,
                                             SIZE_T* offsets, SIZE_T* totalInsts);
/** Several shaders as one blob; without D3D_COMPRESS_SHADER_KEEP_ALL_PARTS only what is needed to run them. */
HRESULT WINAPI D3DCompressShaders(UINT numShaders, D3D_SHADER_DATA* shaderData, UINT flags, ID3DBlob** compressedData);
/** Shaders out of such a blob: those numbered in `indices`, or `numShaders` from `startIndex` on. */
HRESULT WINAPI D3DDecompressShaders(LPCVOID data, SIZE_T dataSize, UINT numShaders, UINT startIndex, UINT* indices, UINT flags,
                                    ID3DBlob** shaders, UINT* totalShaders);
/** The functions of a library (a target lib_*), as an ID3D11LibraryReflection. */
HRESULT WINAPI D3DReflectLibrary(LPCVOID data, SIZE_T dataSize, REFIID riid, void** reflector);
/** Puts shaders together out of functions of libraries. */
HRESULT WINAPI D3DCreateLinker(ID3D11Linker** linker);
/** Describes a shader as a sequence of calls of library functions; `flags` is reserved. */
HRESULT WINAPI D3DCreateFunctionLinkingGraph(UINT flags, ID3D11FunctionLinkingGraph** graph);

#ifdef __cplusplus
}
#endif
#endif
