/* SPDX-License-Identifier: MIT */
/** @file The packaged d3d11shader.h, whose interfaces carry no ids for __uuidof, with their ids. */
#ifndef MONOLITH_D3D11SHADER_H
#define MONOLITH_D3D11SHADER_H
#include <windows.h>
#include <mingw_d3d11shader.h>

#if defined(__cplusplus) && !defined(CINTERFACE)
extern "C++" {
#define MONOLITH_UUID_OF(type)                                                                                         \
  template <>                                                                                                          \
  struct monolith_uuid<type> {                                                                                         \
    static const GUID& get() { return IID_##type; }                                                                    \
  };
MONOLITH_UUID_OF(ID3D11ShaderReflectionType)
MONOLITH_UUID_OF(ID3D11ShaderReflectionVariable)
MONOLITH_UUID_OF(ID3D11ShaderReflectionConstantBuffer)
MONOLITH_UUID_OF(ID3D11ShaderReflection)
MONOLITH_UUID_OF(ID3D11ModuleInstance)
MONOLITH_UUID_OF(ID3D11Module)
#undef MONOLITH_UUID_OF
}
#endif
#endif
