// SPDX-License-Identifier: MIT
/// @file
/// The one description of every texel format: its memory layout, how its bits become numbers, which
/// formats share its typeless family and what each feature level demands of it.
///
/// `Format` equals DXGI_FORMAT numerically, so the API layer casts. The rows come from formats.csv and
/// the support columns from data/FL*.tsv, both through generate.py; nothing else lists formats.
#pragma once

#include <cstdint>

namespace monolith::formats {

/// Numerically equal to DXGI_FORMAT.
enum class Format : uint32_t {
#include "formats/format_enum.inc"
};

/// Number of rows; every value below it has one.
inline constexpr uint32_t kFormatCount = 133;

/// How a channel's bits become a number.
enum class ChannelType : uint8_t { None, Typeless, Unorm, Snorm, Uint, Sint, Float };

/// How a block of memory is organised.
enum class Layout : uint8_t {
    None,          ///< no texels (UNKNOWN and reserved values)
    Array,         ///< each channel is whole bytes
    Packed,        ///< bit fields of one little-endian word of `bytesPerBlock` bytes
    SharedExp,     ///< R9G9B9E5
    XrBias,        ///< R10G10B10_XR_BIAS_A2
    SmallFloat7e3, ///< 10-bit floats with 3 exponent bits
    SmallFloat6e4, ///< 10-bit floats with 4 exponent bits
    Subsampled,    ///< R8G8_B8G8, G8R8_G8B8
    BC1, BC2, BC3, BC4, BC5, BC6H, BC7,
    Video,         ///< not usable by the 3D pipeline
};

/// Bits of FormatInfo::flags.
struct Flag {
    static constexpr uint32_t Typeless = 1u << 0;
    static constexpr uint32_t Srgb = 1u << 1;        ///< R, G, B are sRGB encoded; alpha is linear
    static constexpr uint32_t Depth = 1u << 2;       ///< usable as a depth-stencil view, has depth
    static constexpr uint32_t Stencil = 1u << 3;     ///< usable as a depth-stencil view, has stencil
    static constexpr uint32_t DepthView = 1u << 4;   ///< reads the depth part of a depth-stencil texel
    static constexpr uint32_t StencilView = 1u << 5; ///< reads the stencil part, in green
    static constexpr uint32_t Compressed = 1u << 6;  ///< block compressed
    static constexpr uint32_t Video = 1u << 7;
    static constexpr uint32_t Planar = 1u << 8;
    static constexpr uint32_t AlphaLess = 1u << 9;   ///< has unused bits where alpha would be
    static constexpr uint32_t Extended = 1u << 10;   ///< not in the Windows desktop enumeration
};

/// One channel: a bit field of the texel, little-endian. bits == 0: the channel does not exist.
struct Channel {
    uint8_t bits;
    uint8_t shift;
    ChannelType type;
};

/// Feature levels that have a support column, in order.
enum class Level : uint8_t { L9_1, L9_2, L9_3, L10_0, L10_1, L11_0, L11_1 };
inline constexpr unsigned kLevelCount = 7;

/// Columns of the support tables, as bit numbers.
enum class Use : uint8_t {
    Format, Buffer, VertexBuffer, IndexBuffer, StreamOutput, Texture1D, Texture2D, Texture3D, TextureCube, ShaderLoad,
    ShaderSample, ShaderSampleComparison, ShaderSampleMono, Gather4, Gather4Comparison, Mipmap, MipmapGeneration,
    RenderTarget, Blendable, LogicOp, DepthStencil, RawView, StructuredView, TypedUav, UavStore, UavLoad, AtomicAdd,
    AtomicBitwise, AtomicCompare, AtomicExchange, AtomicSignedMinMax, AtomicUnsignedMinMax, CpuLockable, Multisample4,
    Multisample8, MultisampleOther, MultisampleResolve, MultisampleLoad, DisplayScanOut, CastWithinLayout, VideoDecoder,
    VideoProcessorInput, VideoProcessorOutput, Shared, Tiled,
};

/// One level's columns, bit = Use.
struct Support {
    uint64_t required; ///< every device of the level has it
    uint64_t optional; ///< a device of the level may have it
};

/// One row. Static storage, any thread.
struct FormatInfo {
    Format format;
    Format family; ///< the typeless format (or the format itself) whose resources this one can view
    const char* name; ///< without the DXGI_FORMAT_ prefix
    Layout layout;
    uint8_t bytesPerBlock; ///< for planar formats, of one texel of plane 0
    uint8_t blockWidth;
    uint8_t blockHeight;
    uint8_t planes;
    Channel channel[4]; ///< red, green, blue, alpha; depth formats: depth in red, stencil in green
    uint32_t flags;
    Support support[kLevelCount];

    constexpr bool has(uint32_t flag) const { return (flags & flag) != 0; }
    constexpr bool isTypeless() const { return has(Flag::Typeless); }
    constexpr bool isSrgb() const { return has(Flag::Srgb); }
    constexpr bool isDepthStencil() const { return has(Flag::Depth | Flag::Stencil); }
    constexpr bool hasDepth() const { return has(Flag::Depth); }
    constexpr bool hasStencil() const { return has(Flag::Stencil); }
    constexpr bool isCompressed() const { return has(Flag::Compressed); }
    constexpr bool isVideo() const { return layout == Layout::Video; }
    /// True if texels are whole words of `bytesPerBlock` bytes (no blocks, no pairs).
    constexpr bool isPlain() const { return layout >= Layout::Array && layout <= Layout::SmallFloat6e4; }
};

/// The row of a format; values without a row give UNKNOWN's. Any thread.
const FormatInfo& info(Format format);

/// True if `format` has a row with texels of its own (not UNKNOWN, not reserved).
bool isValid(Format format);

/// True if a view of format `view` may be made of a resource of format `resource`: equal, or the resource is
/// typeless and of the same family. Depth and stencil views count as members of their depth family.
bool canView(Format resource, Format view);

/// True if both belong to one typeless family: same bits per channel.
bool sameFamily(Format a, Format b);

/// The type in which a shader sees the format: Float (also for Unorm and Snorm), Uint or Sint; None for typeless.
ChannelType shaderType(Format format);

/// The type by which missing channels are filled (19.1.3.3): Float or an integer type.
/// The first typed channel in RGBA order decides.
bool missingAlphaIsFloat(Format format);

/// The same format with linear (respectively sRGB) encoding, or the format itself if there is none.
Format toLinear(Format format);
Format toSrgb(Format format);

/// What the shader reads through a depth-stencil format's depth part (D24_UNORM_S8_UINT -> R24_UNORM_X8_TYPELESS,
/// D32_FLOAT -> R32_FLOAT, ...), and through the stencil part; UNKNOWN if there is none.
Format depthViewOf(Format depthStencil);
Format stencilViewOf(Format depthStencil);
/// The depth-stencil format of a family, UNKNOWN if there is none (R24G8_TYPELESS -> D24_UNORM_S8_UINT).
Format depthFormatOfFamily(Format family);

/// Bytes of a row of blocks, and number of block rows. Only for non-planar formats.
inline uint64_t rowBytes(const FormatInfo& f, uint32_t width)
{
    return uint64_t((uint64_t(width) + f.blockWidth - 1) / f.blockWidth) * f.bytesPerBlock;
}
inline uint32_t blockRows(const FormatInfo& f, uint32_t height)
{
    return uint32_t((uint64_t(height) + f.blockHeight - 1) / f.blockHeight);
}

} // namespace monolith::formats
