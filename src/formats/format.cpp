// SPDX-License-Identifier: MIT
#include "formats/format.h"

namespace monolith::formats {

namespace {

constexpr FormatInfo kTable[] = {
#include "formats/format_table.inc"
};

constexpr bool inOrder()
{
    for (uint32_t k = 0; k < kFormatCount; k++)
        if (uint32_t(kTable[k].format) != k)
            return false;
    return true;
}
static_assert(sizeof(kTable) / sizeof(kTable[0]) == kFormatCount);
static_assert(inOrder());

} // namespace

const FormatInfo& info(Format format)
{
    const uint32_t v = uint32_t(format);
    return kTable[v < kFormatCount ? v : 0];
}

bool isValid(Format format)
{
    return info(format).layout != Layout::None;
}

bool sameFamily(Format a, Format b)
{
    return isValid(a) && isValid(b) && info(a).family == info(b).family;
}

bool canView(Format resource, Format view)
{
    if (!isValid(resource) || !isValid(view) || info(view).isTypeless())
        return false;
    if (resource == view)
        return true;
    if (!sameFamily(resource, view))
        return false;
    // The extended 16+8 family has no typeless member: its depth format takes the views.
    if (info(resource).family == Format::D16_UNORM_S8_UINT)
        return resource == Format::D16_UNORM_S8_UINT;
    return info(resource).isTypeless();
}

ChannelType shaderType(Format format)
{
    for (const Channel& c : info(format).channel) {
        switch (c.type) {
        case ChannelType::None: continue;
        case ChannelType::Typeless: return ChannelType::None;
        case ChannelType::Unorm:
        case ChannelType::Snorm:
        case ChannelType::Float: return ChannelType::Float;
        case ChannelType::Uint: return ChannelType::Uint;
        case ChannelType::Sint: return ChannelType::Sint;
        }
    }
    return ChannelType::None;
}

bool missingAlphaIsFloat(Format format)
{
    return shaderType(format) == ChannelType::Float;
}

Format toLinear(Format format)
{
    const FormatInfo& f = info(format);
    if (!f.isSrgb())
        return format;
    switch (format) {
    case Format::R8G8B8A8_UNORM_SRGB: return Format::R8G8B8A8_UNORM;
    case Format::B8G8R8A8_UNORM_SRGB: return Format::B8G8R8A8_UNORM;
    case Format::B8G8R8X8_UNORM_SRGB: return Format::B8G8R8X8_UNORM;
    default: return Format(uint32_t(format) - 1); // BC1, BC2, BC3, BC7: UNORM precedes
    }
}

Format toSrgb(Format format)
{
    for (uint32_t k = 0; k < kFormatCount; k++)
        if (kTable[k].isSrgb() && toLinear(Format(k)) == format)
            return Format(k);
    return format;
}

Format depthFormatOfFamily(Format family)
{
    for (const FormatInfo& f : kTable)
        if (f.family == family && f.isDepthStencil())
            return f.format;
    return Format::UNKNOWN;
}

Format depthViewOf(Format depthStencil)
{
    switch (depthStencil) {
    case Format::D32_FLOAT_S8X24_UINT: return Format::R32_FLOAT_X8X24_TYPELESS;
    case Format::D24_UNORM_S8_UINT: return Format::R24_UNORM_X8_TYPELESS;
    case Format::D16_UNORM_S8_UINT: return Format::R16_UNORM_X8_TYPELESS;
    case Format::D32_FLOAT: return Format::R32_FLOAT;
    case Format::D16_UNORM: return Format::R16_UNORM;
    default: return Format::UNKNOWN;
    }
}

Format stencilViewOf(Format depthStencil)
{
    switch (depthStencil) {
    case Format::D32_FLOAT_S8X24_UINT: return Format::X32_TYPELESS_G8X24_UINT;
    case Format::D24_UNORM_S8_UINT: return Format::X24_TYPELESS_G8_UINT;
    case Format::D16_UNORM_S8_UINT: return Format::X16_TYPELESS_G8_UINT;
    default: return Format::UNKNOWN;
    }
}

} // namespace monolith::formats
