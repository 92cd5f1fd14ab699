// SPDX-License-Identifier: MIT
/// @file
/// Memory of buffers and textures, without COM. Objects are owned by d3d11/ through shared_ptr-like `Ref`
/// and kept alive by the timeline (`Timeline::retire`) until everything recorded before their last release has run.
/// All textures are linear: see abi/texture_view.h for the address formula.
#pragma once

#include "abi/texture_view.h"
#include "abi/vertex_args.h"
#include "formats/format.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace monolith::resources {

/// Zeroed, 64-byte aligned memory with 64 readable bytes behind it. Empty after a failed allocation.
class Memory {
public:
  Memory() = default;
  static Memory allocate(uint64_t size); ///< Large sizes come from mmap so that untouched pages cost nothing.
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();
  uint8_t* data() const { return m_data; }
  uint64_t size() const { return m_size; }
  explicit operator bool() const { return m_data != nullptr; }

private:
  uint8_t* m_data = nullptr;
  uint64_t m_size = 0;
  bool m_mapped = false;
};

/// Something whose destruction must wait for the timeline.
class Retirable {
public:
  virtual ~Retirable() = default;
};

enum class TextureKind : uint8_t { Texture1D, Texture2D, Texture3D };

struct TextureDesc {
  TextureKind kind = TextureKind::Texture2D;
  formats::Format format{};       ///< As created; may be typeless.
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t mips = 1, layers = 1, samples = 1;
};

/// Where each mip lies within one array layer. Rows are padded to 8 texels (or whole blocks) and a 64-byte
/// multiple; heights to 8 rows (block formats: whole blocks), so that kernels may touch whole 8x8 blocks. Large pitches
/// that are multiples of 2 KiB get 64 bytes more (cache sets). Sample s of a multisampled texture lies s * slicePitch[0]
/// further on; planes of video formats likewise.
struct TextureLayout {
  uint32_t mipOffset[abi::kMaxMips] = {};
  uint32_t rowPitch[abi::kMaxMips] = {};
  uint32_t slicePitch[abi::kMaxMips] = {};
  uint64_t layerPitch = 0;
  uint64_t totalSize = 0;
  /// False when a size is zero or the total passes 2 GiB - 64 KiB.
  static bool compute(const TextureDesc& desc, TextureLayout& out);
};

inline constexpr uint32_t kTileSize = 64;

/// Fast-clear state of one subresource (colour or depth-stencil surface): tiles that hold a pending clear value
/// in place of memory contents. Written by the timeline only; a tile's byte belongs to the tile's owner.
struct PendingClear {
  uint32_t tilesX = 0, tilesY = 0;
  uint32_t pendingCount = 0;           ///< Upper bound; 0 = nothing pending (fast check).
  uint8_t texel[16] = {};              ///< Packed clear value, bytesPerTexel long.
  std::vector<uint8_t> pending;        ///< One byte a tile, row-major.
};

class Texture : public Retirable {
public:
  /// Null when the layout is invalid or memory is short.
  static std::shared_ptr<Texture> create(const TextureDesc& desc);
  const TextureDesc& desc() const { return m_desc; }
  const TextureLayout& layout() const { return m_layout; }
  uint8_t* data() const { return m_memory.data(); }
  uint32_t subresourceCount() const { return m_desc.mips * m_desc.layers; }
  /// subresource = mip + layer * mips. z for 3D slices.
  uint8_t* address(uint32_t mip, uint32_t layer, uint32_t z = 0) const;
  uint32_t mipWidth(uint32_t mip) const;
  uint32_t mipHeight(uint32_t mip) const;
  uint32_t mipDepth(uint32_t mip) const;

  /// Pending clears; null where never cleared fast. Timeline thread only.
  PendingClear* pendingClear(uint32_t subresource) const { return m_pending.empty() ? nullptr : m_pending[subresource].get(); }
  PendingClear& makePendingClear(uint32_t subresource);
  /// Writes pending clear values to memory for one subresource. Timeline thread only, no scene running on it.
  void materialize(uint32_t subresource);
  /// The same for the tiles that a rectangle touches.
  void materialize(uint32_t subresource, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
  void materializeAll();
  /// Writes one tile's pending clear, if any. The tile's owner may call it (tiles of different number in parallel).
  void fillPendingTile(uint32_t subresource, uint32_t tile);
  /// Forgets pending clears of a subresource that is about to be overwritten whole.
  void dropPending(uint32_t subresource);
  bool anyPending() const { return m_anyPending; }

  /// Marks of the timeline: the scene that last read, respectively wrote the texture.
  uint64_t readScene = 0, writtenScene = 0;

private:
  static void recountPending(PendingClear& pending);
  TextureDesc m_desc;
  TextureLayout m_layout;
  Memory m_memory;
  std::vector<std::unique_ptr<PendingClear>> m_pending;
  bool m_anyPending = false;
};

/// A buffer. `current()` is what commands recorded now refer to; renaming (Map DISCARD, whole constant-buffer
/// updates) replaces it by a version that no pending command uses. API thread only.
class Buffer : public Retirable {
public:
  Buffer();
  ~Buffer() override;
  static std::shared_ptr<Buffer> create(uint64_t size, bool renames);
  uint64_t size() const { return m_size; }
  uint8_t* current() const { return m_current; }
  /// A fresh version: `completed` is the newest completed serial, `recording` the serial of what is recorded now
  /// (the outgoing version becomes free when it completes). Contents undefined. Null when out of memory.
  /// Steady state: no allocation, no system call.
  uint8_t* rename(uint64_t completed, uint64_t recording);
  uint32_t versionCount() const;

private:
  struct Versions;
  uint64_t m_size = 0;
  uint8_t* m_current = nullptr;
  Memory m_first;
  std::unique_ptr<Versions> m_versions; ///< Null for buffers that never rename.
};

/// A render-target or depth-stencil view: one mip, one or more layers (or 3D slices).
struct TargetView {
  std::shared_ptr<Texture> texture;   ///< Null for buffer views.
  formats::Format format{};           ///< Of the view.
  uint32_t mip = 0, firstLayer = 0, layers = 1; ///< 3D: firstLayer counts slices.
  uint32_t width = 0, height = 0;     ///< Of the mip.
  uint8_t* base = nullptr;            ///< Pixel (0,0) of firstLayer.
  uint32_t rowPitch = 0;
  uint8_t readOnlyDepth = 0, readOnlyStencil = 0;
};

/// A shader resource view: the struct that generated code reads, and what keeps it alive.
struct ShaderView {
  abi::TextureView view;
  std::shared_ptr<Texture> texture;   ///< Null for buffers.
  std::shared_ptr<Buffer> buffer;
  uint32_t firstMip = 0, firstLayer = 0; ///< For hazard tests and clears: range of the view in the resource.
};

/// Fills `out` from a texture range. Precondition: checked by d3d11/.
void makeTextureView(const Texture& texture, abi::ViewDimension dimension, formats::Format format, uint32_t firstMip,
                     uint32_t mips, uint32_t firstLayer, uint32_t layers, abi::TextureView& out);
/// Fills `out` for a typed, raw (elementStride 4) or structured buffer view; `data` is the buffer's current version.
void makeBufferView(const uint8_t* data, abi::ViewDimension dimension, formats::Format format, uint64_t firstByte,
                    uint32_t elements, uint32_t elementStride, abi::TextureView& out);
/// Fills `out` for a texture; layers are clamped to what exists (3D: slices). False when the first is out of range.
bool makeTargetView(const std::shared_ptr<Texture>& texture, formats::Format format, uint32_t mip, uint32_t firstLayer,
                    uint32_t layers, TargetView& out);
/// Repeats a texel of 1 to 16 bytes.
void fillTexels(uint8_t* dest, const uint8_t* texel, uint32_t bytesPerTexel, uint64_t count);
/// The view of nothing: reads give 0.
const abi::TextureView& nullView();
const abi::Sampler& defaultSampler();
const abi::ConstantBuffer& nullConstantBuffer();
const abi::VertexStream& nullVertexStream();

} // namespace monolith::resources
