// SPDX-License-Identifier: MIT
/// @file
/// The command stream's vocabulary: what d3d11/ records and the timeline executes, as plain structs.
/// State comes in groups: a group is recorded whole when a draw needs it and it has changed. Pointers in commands
/// refer to objects that d3d11/ keeps alive (bindings hold references; Timeline::retire delays destruction), tables
/// behind commands (Bind*) lie in the stream itself, so they stay valid until everything that uses them has run.
/// Each command has execute() and print() in the table of commands.def.
#pragma once

#include "abi/pixel_args.h"
#include "abi/vertex_args.h"
#include "codegen/program.h"
#include "resources/resource.h"
#include "state/pipeline_state.h"

#include <cstdint>

namespace monolith::queries {
class Query;
}

namespace monolith::commands {

struct Header {
  uint16_t type;   ///< CommandType.
  uint16_t words;  ///< Whole size in 8-byte units, trailing table included.
  uint32_t reserved;
};

/// An input layout bound to no particular shader: elements with registers already matched.
struct InputLayout : resources::Retirable {
  uint64_t id = 0;
  std::vector<state::InputElement> elements;
};
/// State objects as the executor sees them: immutable, with a unique id for fast change tests.
struct BlendObject : resources::Retirable { uint64_t id = 0; state::BlendState desc; };
struct DepthStencilObject : resources::Retirable { uint64_t id = 0; state::DepthStencilState desc; };
struct RasterizerObject : resources::Retirable { uint64_t id = 0; state::RasterizerState desc; };
struct SamplerObject : resources::Retirable { uint64_t id = 0; state::SamplerState desc; abi::Sampler dynamic; };

// ---- state groups -------------------------------------------------------------------------------------------------

/// Shaders and fixed-function state. Never null: d3d11/ passes its default objects; programs may be null.
struct SetPipeline {
  Header header;
  const codegen::Program* vertex;
  const codegen::Program* pixel;
  const InputLayout* layout; ///< Null: no inputs are fetched.
  const BlendObject* blend;
  const DepthStencilObject* depthStencil;
  const RasterizerObject* rasterizer;
  state::Topology topology;
  uint8_t reserved[3];
  uint32_t stencilRef, sampleMask;
  float blendFactor[4];
};

/// Views by value of pointer; null = unbound.
struct SetTargets {
  Header header;
  uint32_t colorCount;
  uint32_t reserved;
  const resources::TargetView* color[8];
  const resources::TargetView* depth;
};

struct SetViewports { // followed by state::Viewport[count]
  Header header;
  uint32_t count, reserved;
};
struct SetScissors { // followed by state::Rect[count]
  Header header;
  uint32_t count, reserved;
};

struct SetVertexStreams { // followed by abi::VertexStream[count], slots 0..count-1
  Header header;
  uint32_t count, reserved;
};

struct SetIndexStream {
  Header header;
  const uint8_t* base; ///< Offset included; null: reads give index 0.
  uint64_t size;       ///< Bytes from base; indices beyond give 0.
  uint32_t indexBytes; ///< 2 or 4.
  uint32_t reserved;
};

struct SetConstantBuffers { // followed by abi::ConstantBuffer[count]
  Header header;
  uint8_t stage; ///< codegen::Stage.
  uint8_t reserved[3];
  uint32_t count;
};

/// Followed by `const resources::ShaderView*`[count] (null = unbound).
struct SetResources {
  Header header;
  uint8_t stage;
  uint8_t reserved[3];
  uint32_t count;
};

/// Followed by `const SamplerObject*`[count] (null = default sampler).
struct SetSamplers {
  Header header;
  uint8_t stage;
  uint8_t reserved[3];
  uint32_t count;
};

// ---- work ---------------------------------------------------------------------------------------------------------

struct Draw {
  Header header;
  uint32_t vertexCount, startVertex, instanceCount, startInstance;
};
struct DrawIndexed {
  Header header;
  uint32_t indexCount, startIndex;
  int32_t baseVertex;
  uint32_t instanceCount, startInstance, reserved;
};

/// Arguments are read when the command executes: Draw's or DrawIndexed's members in the API's order. Null: nothing is drawn.
struct DrawIndirect {
  Header header;
  const uint8_t* arguments; ///< Within a buffer's current version; 16 or 20 readable bytes.
  uint32_t indexed;
  uint32_t reserved;
};

struct ClearColor {
  Header header;
  const resources::TargetView* view;
  uint32_t rectCount;  ///< 0 = whole view; else state::Rect[rectCount] follows.
  uint32_t reserved;
  float color[4];
};
struct ClearDepthStencil {
  Header header;
  const resources::TargetView* view;
  uint32_t flags; ///< 1 depth, 2 stencil (D3D11_CLEAR_FLAG).
  float depth;
  uint8_t stencil;
  uint8_t reserved[3];
  uint32_t rectCount; ///< As in ClearColor.
};

struct CopyBuffer {
  Header header;
  uint8_t* dest;        ///< Addresses within current versions, checked.
  const uint8_t* source;
  uint64_t size;
};
/// Memory written by the CPU (UpdateSubresource, Unmap of renamed textures) that follows in the stream or was allocated by
/// Recorder::allocateUpload.
struct UpdateBuffer {
  Header header;
  uint8_t* dest;
  const uint8_t* source;
  uint64_t size;
};
struct TextureRegion { uint32_t mip, layer, x, y, z, width, height, depth; }; ///< Texels; block formats: multiples of 4 or edge.
struct CopyTexture {
  Header header;
  resources::Texture* dest;
  resources::Texture* source;
  TextureRegion destRegion;   ///< Extents equal the source's (in blocks).
  TextureRegion sourceRegion;
};
struct UpdateTexture {
  Header header;
  resources::Texture* dest;
  const uint8_t* source;
  uint64_t rowPitch, slicePitch;
  TextureRegion region;
};
/// One subresource of several samples into one of a single sample; sizes equal. Float formats average, integers take sample 0.
struct ResolveTexture {
  Header header;
  resources::Texture* dest;
  resources::Texture* source;
  uint32_t destMip, destLayer, sourceLayer;
  formats::Format format; ///< As passed to ResolveSubresource.
};
struct GenerateMips {
  Header header;
  const resources::ShaderView* view;
};
/// Makes memory true (pending clears written) so that the CPU may read it.
struct Materialize {
  Header header;
  resources::Texture* texture;
};
struct BeginQuery { Header header; queries::Query* query; };
struct EndQuery { Header header; queries::Query* query; };
/// Runs `call(user)` in stream order after all earlier work is done (scenes included). Used by presentation.
struct Callback {
  Header header;
  void (*call)(void*);
  void* user;
};

/// Written by Timeline::flush.
struct EndSerial {
  Header header;
  uint64_t serial;
};

} // namespace monolith::commands
