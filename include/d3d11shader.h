/* SPDX-License-Identifier: MIT */
/** @file The packaged d3d11shader.h, whose interfaces carry no ids for __uuidof, with their ids. */
#ifndef MONOLITH_D3D11SHADER_H
#define MONOLITH_D3D11SHADER_H
#include <windows.h>
#include <mingw_d3d11shader.h>

/* Bits of ID3D11ShaderReflection::GetRequiresFlags; the package lacks them. */
#ifndef D3D_SHADER_REQUIRES_DOUBLES
#define D3D_SHADER_REQUIRES_DOUBLES 0x00000001
#define D3D_SHADER_REQUIRES_EARLY_DEPTH_STENCIL 0x00000002
#define D3D_SHADER_REQUIRES_UAVS_AT_EVERY_STAGE 0x00000004
#define D3D_SHADER_REQUIRES_64_UAVS 0x00000008
#define D3D_SHADER_REQUIRES_MINIMUM_PRECISION 0x00000010
#define D3D_SHADER_REQUIRES_11_1_DOUBLE_EXTENSIONS 0x00000020
#define D3D_SHADER_REQUIRES_11_1_SHADER_EXTENSIONS 0x00000040
#define D3D_SHADER_REQUIRES_LEVEL_9_COMPARISON_FILTERING 0x00000080
#define D3D_SHADER_REQUIRES_TILED_RESOURCES 0x00000100
#define D3D_SHADER_REQUIRES_STENCIL_REF 0x00000200
#define D3D_SHADER_REQUIRES_INNER_COVERAGE 0x00000400
#define D3D_SHADER_REQUIRES_TYPED_UAV_LOAD_ADDITIONAL_FORMATS 0x00000800
#define D3D_SHADER_REQUIRES_ROVS 0x00001000
#define D3D_SHADER_REQUIRES_VIEWPORT_AND_RT_ARRAY_INDEX_FROM_ANY_SHADER_FEEDING_RASTERIZER 0x00002000
#endif
/* Parts of D3D11_SHADER_DESC::Version. */
#ifndef D3D11_SHVER_GET_TYPE
typedef enum D3D11_SHADER_VERSION_TYPE {
  D3D11_SHVER_PIXEL_SHADER = 0,
  D3D11_SHVER_VERTEX_SHADER = 1,
  D3D11_SHVER_GEOMETRY_SHADER = 2,
  D3D11_SHVER_HULL_SHADER = 3,
  D3D11_SHVER_DOMAIN_SHADER = 4,
  D3D11_SHVER_COMPUTE_SHADER = 5,
  D3D11_SHVER_RESERVED0 = 0xfff0
} D3D11_SHADER_VERSION_TYPE;
#define D3D11_SHVER_GET_TYPE(version) (((version) >> 16) & 0xffff)
#define D3D11_SHVER_GET_MAJOR(version) (((version) >> 4) & 0xf)
#define D3D11_SHVER_GET_MINOR(version) (((version) >> 0) & 0xf)
#endif

#include <d3d11shader_linking.h>

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
MONOLITH_UUID_OF(ID3D11Linker)
MONOLITH_UUID_OF(ID3D11LinkingNode)
MONOLITH_UUID_OF(ID3D11FunctionLinkingGraph)
MONOLITH_UUID_OF(ID3D11LibraryReflection)
MONOLITH_UUID_OF(ID3D11FunctionReflection)
MONOLITH_UUID_OF(ID3D11FunctionParameterReflection)
#undef MONOLITH_UUID_OF
}
#endif
#endif
