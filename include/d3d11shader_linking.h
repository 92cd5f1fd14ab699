/* SPDX-License-Identifier: MIT */
/** @file What the packaged d3d11shader.h lacks: linking of shader libraries, and their reflection. Included by it. */
#ifndef MONOLITH_D3D11SHADER_LINKING_H
#define MONOLITH_D3D11SHADER_LINKING_H
#include <windows.h>
#include <mingw_d3d11shader.h>

#ifndef D3D_RETURN_PARAMETER_INDEX
/** The return value, where a parameter of a function is asked for. */
#define D3D_RETURN_PARAMETER_INDEX (-1)
#endif

typedef struct _D3D11_LIBRARY_DESC {
  LPCSTR Creator;
  UINT Flags;
  UINT FunctionCount;
} D3D11_LIBRARY_DESC;

typedef struct _D3D11_FUNCTION_DESC {
  UINT Version;
  LPCSTR Creator;
  UINT Flags;
  UINT ConstantBuffers;
  UINT BoundResources;
  UINT InstructionCount;
  UINT TempRegisterCount;
  UINT TempArrayCount;
  UINT DefCount;
  UINT DclCount;
  UINT TextureNormalInstructions;
  UINT TextureLoadInstructions;
  UINT TextureCompInstructions;
  UINT TextureBiasInstructions;
  UINT TextureGradientInstructions;
  UINT FloatInstructionCount;
  UINT IntInstructionCount;
  UINT UintInstructionCount;
  UINT StaticFlowControlCount;
  UINT DynamicFlowControlCount;
  UINT MacroInstructionCount;
  UINT ArrayInstructionCount;
  UINT MovInstructionCount;
  UINT MovcInstructionCount;
  UINT ConversionInstructionCount;
  UINT BitwiseInstructionCount;
  D3D_FEATURE_LEVEL MinFeatureLevel;
  UINT64 RequiredFeatureFlags;
  LPCSTR Name;
  INT FunctionParameterCount; /**< without the return value */
  BOOL HasReturn;
  BOOL Has10Level9VertexShader;
  BOOL Has10Level9PixelShader;
} D3D11_FUNCTION_DESC;

typedef struct _D3D11_PARAMETER_DESC {
  LPCSTR Name;
  LPCSTR SemanticName; /**< with its index */
  D3D_SHADER_VARIABLE_TYPE Type;
  D3D_SHADER_VARIABLE_CLASS Class;
  UINT Rows;
  UINT Columns;
  D3D_INTERPOLATION_MODE InterpolationMode;
  D3D_PARAMETER_FLAGS Flags;
  UINT FirstInRegister;
  UINT FirstInComponent;
  UINT FirstOutRegister;
  UINT FirstOutComponent;
} D3D11_PARAMETER_DESC;

DEFINE_GUID(IID_ID3D11FunctionParameterReflection, 0x42757488, 0x334f, 0x47fe, 0x98, 0x2e, 0x1a, 0x65, 0xd0, 0x8c, 0xc4, 0x62);

#undef INTERFACE
#define INTERFACE ID3D11FunctionParameterReflection
DECLARE_INTERFACE(ID3D11FunctionParameterReflection)
{
    STDMETHOD(GetDesc)(THIS_ D3D11_PARAMETER_DESC *desc) PURE;
};
#undef INTERFACE

DEFINE_GUID(IID_ID3D11FunctionReflection, 0x207bcecb, 0xd683, 0x4a06, 0xa8, 0xa3, 0x9b, 0x14, 0x9b, 0x9f, 0x73, 0xa4);

#define INTERFACE ID3D11FunctionReflection
DECLARE_INTERFACE(ID3D11FunctionReflection)
{
    STDMETHOD(GetDesc)(THIS_ D3D11_FUNCTION_DESC *desc) PURE;
    STDMETHOD_(struct ID3D11ShaderReflectionConstantBuffer *, GetConstantBufferByIndex)(THIS_ UINT index) PURE;
    STDMETHOD_(struct ID3D11ShaderReflectionConstantBuffer *, GetConstantBufferByName)(THIS_ LPCSTR name) PURE;
    STDMETHOD(GetResourceBindingDesc)(THIS_ UINT index, D3D11_SHADER_INPUT_BIND_DESC *desc) PURE;
    STDMETHOD_(struct ID3D11ShaderReflectionVariable *, GetVariableByName)(THIS_ LPCSTR name) PURE;
    STDMETHOD(GetResourceBindingDescByName)(THIS_ LPCSTR name, D3D11_SHADER_INPUT_BIND_DESC *desc) PURE;
    /* Also takes D3D_RETURN_PARAMETER_INDEX. */
    STDMETHOD_(struct ID3D11FunctionParameterReflection *, GetFunctionParameter)(THIS_ INT index) PURE;
};
#undef INTERFACE

DEFINE_GUID(IID_ID3D11LibraryReflection, 0x54384f1b, 0x5b3e, 0x4bb7, 0xae, 0x01, 0x60, 0xba, 0x30, 0x97, 0xcb, 0xb6);

#define INTERFACE ID3D11LibraryReflection
DECLARE_INTERFACE_(ID3D11LibraryReflection, IUnknown)
{
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **out) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
    /* ID3D11LibraryReflection methods */
    STDMETHOD(GetDesc)(THIS_ D3D11_LIBRARY_DESC *desc) PURE;
    STDMETHOD_(struct ID3D11FunctionReflection *, GetFunctionByIndex)(THIS_ INT index) PURE;
};
#undef INTERFACE

DEFINE_GUID(IID_ID3D11Linker, 0x59a6cd0e, 0xe10d, 0x4c1f, 0x88, 0xc0, 0x63, 0xab, 0xa1, 0xda, 0xf3, 0x0e);

#define INTERFACE ID3D11Linker
DECLARE_INTERFACE_(ID3D11Linker, IUnknown)
{
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **out) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
    /* ID3D11Linker methods */
    STDMETHOD(Link)(THIS_ struct ID3D11ModuleInstance *entry, LPCSTR entryName, LPCSTR targetName, UINT flags,
                    ID3DBlob **shaderBlob, ID3DBlob **errorBuffer) PURE;
    STDMETHOD(UseLibrary)(THIS_ struct ID3D11ModuleInstance *library) PURE;
    STDMETHOD(AddClipPlaneFromCBuffer)(THIS_ UINT slot, UINT entry) PURE;
};
#undef INTERFACE

DEFINE_GUID(IID_ID3D11LinkingNode, 0xd80dd70c, 0x8d2f, 0x4751, 0x94, 0xa1, 0x03, 0xc7, 0x9b, 0x35, 0x56, 0xdb);

#define INTERFACE ID3D11LinkingNode
DECLARE_INTERFACE_(ID3D11LinkingNode, IUnknown)
{
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **out) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
};
#undef INTERFACE

DEFINE_GUID(IID_ID3D11FunctionLinkingGraph, 0x54133220, 0x1ce8, 0x43d3, 0x82, 0x36, 0x98, 0x55, 0xc5, 0xce, 0xec, 0xff);

#define INTERFACE ID3D11FunctionLinkingGraph
DECLARE_INTERFACE_(ID3D11FunctionLinkingGraph, IUnknown)
{
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **out) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
    /* ID3D11FunctionLinkingGraph methods */
    STDMETHOD(CreateModuleInstance)(THIS_ struct ID3D11ModuleInstance **moduleInstance, ID3DBlob **errorBuffer) PURE;
    STDMETHOD(SetInputSignature)(THIS_ const D3D11_PARAMETER_DESC *parameters, UINT count, struct ID3D11LinkingNode **node) PURE;
    STDMETHOD(SetOutputSignature)(THIS_ const D3D11_PARAMETER_DESC *parameters, UINT count, struct ID3D11LinkingNode **node) PURE;
    STDMETHOD(CallFunction)(THIS_ LPCSTR moduleInstanceNamespace, struct ID3D11Module *moduleWithPrototype, LPCSTR functionName,
                            struct ID3D11LinkingNode **node) PURE;
    STDMETHOD(PassValue)(THIS_ struct ID3D11LinkingNode *source, INT sourceParameter, struct ID3D11LinkingNode *target,
                         INT targetParameter) PURE;
    STDMETHOD(PassValueWithSwizzle)(THIS_ struct ID3D11LinkingNode *source, INT sourceParameter, LPCSTR sourceSwizzle,
                                    struct ID3D11LinkingNode *target, INT targetParameter, LPCSTR targetSwizzle) PURE;
    STDMETHOD(GetLastError)(THIS_ ID3DBlob **errorBuffer) PURE;
    STDMETHOD(GenerateHlsl)(THIS_ UINT flags, ID3DBlob **buffer) PURE;
};
#undef INTERFACE

#endif
