// SPDX-License-Identifier: MIT
#include "formats/support.h"

namespace monolith::formats {

namespace {

constexpr uint64_t bit(Use u) { return uint64_t(1) << unsigned(u); }

/// Optional uses that are not implemented: the rest of the optional columns is offered.
constexpr uint64_t kNotOffered = bit(Use::ShaderSampleMono) | bit(Use::VideoDecoder) | bit(Use::VideoProcessorInput) |
                                 bit(Use::VideoProcessorOutput);

struct Pair {
    Use use;
    uint32_t mask;
};

// Numbers of D3D11_FORMAT_SUPPORT.
constexpr Pair kSupport[] = {
    {Use::Buffer, 0x1},
    {Use::VertexBuffer, 0x2},
    {Use::IndexBuffer, 0x4},
    {Use::StreamOutput, 0x8},
    {Use::Texture1D, 0x10},
    {Use::Texture2D, 0x20},
    {Use::Texture3D, 0x40},
    {Use::TextureCube, 0x80},
    {Use::ShaderLoad, 0x100},
    {Use::ShaderSample, 0x200},
    {Use::ShaderSampleComparison, 0x400},
    {Use::ShaderSampleMono, 0x800},
    {Use::Mipmap, 0x1000},
    {Use::MipmapGeneration, 0x2000},
    {Use::RenderTarget, 0x4000},
    {Use::Blendable, 0x8000},
    {Use::DepthStencil, 0x10000},
    {Use::CpuLockable, 0x20000},
    {Use::MultisampleResolve, 0x40000},
    {Use::DisplayScanOut, 0x80000},
    {Use::CastWithinLayout, 0x100000},
    {Use::Multisample4, 0x200000},
    {Use::MultisampleLoad, 0x400000},
    {Use::Gather4, 0x800000},
    {Use::TypedUav, 0x2000000},
    {Use::Gather4Comparison, 0x4000000},
};

// Numbers of D3D11_FORMAT_SUPPORT2.
constexpr Pair kSupport2[] = {
    {Use::AtomicAdd, 0x1},
    {Use::AtomicBitwise, 0x2},
    {Use::AtomicCompare, 0x4},
    {Use::AtomicExchange, 0x8},
    {Use::AtomicSignedMinMax, 0x10},
    {Use::AtomicUnsignedMinMax, 0x20},
    {Use::UavLoad, 0x40},
    {Use::UavStore, 0x80},
    {Use::LogicOp, 0x100},
    {Use::Tiled, 0x200},
    {Use::Shared, 0x400},
};
constexpr uint32_t kBackBufferCast = 0x1000000;

/// The format whose columns apply: extended formats are in no table and behave like their nearest relative.
Format columnsOf(Format format)
{
    switch (format) {
    case Format::D16_UNORM_S8_UINT: return Format::D24_UNORM_S8_UINT;
    case Format::R16_UNORM_X8_TYPELESS: return Format::R24_UNORM_X8_TYPELESS;
    case Format::X16_TYPELESS_G8_UINT: return Format::X24_TYPELESS_G8_UINT;
    case Format::R10G10B10_7E3_A2_FLOAT:
    case Format::R10G10B10_6E4_A2_FLOAT: return Format::R9G9B9E5_SHAREDEXP;
    default: return format;
    }
}

uint64_t offered(Format format, Level level)
{
    const FormatInfo& f = info(format);
    if (f.isVideo() || unsigned(level) >= kLevelCount)
        return 0;
    const Support& s = info(columnsOf(format)).support[unsigned(level)];
    uint64_t notOffered = kNotOffered;
    // Optional render targets of 96 bits are not implemented.
    if (f.family == Format::R32G32B32_TYPELESS)
        notOffered |= bit(Use::RenderTarget) | bit(Use::Blendable);
    return s.required | (s.optional & ~notOffered);
}

template <unsigned N>
uint32_t collect(const Pair (&pairs)[N], uint64_t uses)
{
    uint32_t mask = 0;
    for (const Pair& p : pairs)
        if (uses & bit(p.use))
            mask |= p.mask;
    return mask;
}

} // namespace

bool supports(Format format, Level level, Use use)
{
    return (offered(format, level) & bit(use)) != 0;
}

uint32_t supportMask(Format format, Level level)
{
    const uint64_t uses = offered(format, level);
    uint32_t mask = collect(kSupport, uses);
    // Swap-chain formats whose back buffers may be viewed as the sRGB or linear twin.
    const Format family = info(format).family;
    if ((uses & bit(Use::DisplayScanOut)) && (family == Format::R8G8B8A8_TYPELESS || family == Format::B8G8R8A8_TYPELESS))
        mask |= kBackBufferCast;
    return mask;
}

uint32_t supportMask2(Format format, Level level)
{
    return collect(kSupport2, offered(format, level));
}

uint32_t qualityLevels(Format format, Level level, uint32_t sampleCount)
{
    const uint64_t uses = offered(format, level);
    if (!(uses & (bit(Use::RenderTarget) | bit(Use::DepthStencil))))
        return 0;
    switch (sampleCount) {
    case 1: return 1;
    case 2:
    case 16: return uses & bit(Use::MultisampleOther) ? 1 : 0;
    case 4: return uses & bit(Use::Multisample4) ? 1 : 0;
    case 8: return uses & bit(Use::Multisample8) ? 1 : 0;
    default: return 0;
    }
}

} // namespace monolith::formats
