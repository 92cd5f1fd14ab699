// SPDX-License-Identifier: MIT
/// @file
/// Copies, updates, mips. Everything is checked here against the resources, so that the executor may trust regions.
#include "base/log.h"
#include "d3d11/context.h"
#include "formats/support.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace monolith::d3d11 {

namespace {

using commands::Recorder;
using commands::TextureRegion;

/// Calls that break a rule do nothing; the reason is logged once per text.
bool dropped(const char* why) {
  base::logOnce(why);
  return false;
}

bool emptyBox(const D3D11_BOX& b) { return b.left >= b.right || b.top >= b.bottom || b.front >= b.back; }

/// Formats between which bits may be copied: the same, one typeless family, or block-compressed with an integer
/// format of the block's size.
bool copyable(formats::Format a, formats::Format b) {
  if (a == b || formats::sameFamily(a, b))
    return true;
  const formats::FormatInfo& x = formats::info(a);
  const formats::FormatInfo& y = formats::info(b);
  return x.isCompressed() != y.isCompressed() && x.bytesPerBlock == y.bytesPerBlock;
}

TextureRegion wholeMip(const ResourceInfo& r, UINT subresource) {
  const uint32_t mip = subresource % r.mips;
  return {mip, subresource / r.mips, 0, 0, 0, r.mipWidth(mip), r.mipHeight(mip), r.mipDepth(mip)};
}

/// A region lies within its mip and, for block formats, on block borders (the far edge may be the mip's edge).
bool regionValid(const ResourceInfo& r, const TextureRegion& region) {
  const uint32_t w = r.mipWidth(region.mip), h = r.mipHeight(region.mip), d = r.mipDepth(region.mip);
  if (region.x > w || region.width > w - region.x || region.y > h || region.height > h - region.y || region.z > d ||
      region.depth > d - region.z)
    return false;
  const formats::FormatInfo& f = formats::info(r.format);
  return region.x % f.blockWidth == 0 && region.y % f.blockHeight == 0 &&
         (region.width % f.blockWidth == 0 || region.x + region.width == w) &&
         (region.height % f.blockHeight == 0 || region.y + region.height == h);
}

uint32_t blocks(uint32_t texels, uint32_t block) { return (texels + block - 1) / block; }

bool anyMapped(const ResourceInfo& r) { return r.mappedCount != 0; }

template <typename F> void recording(Device* device, F&& f) noexcept {
  try {
    f();
  } catch (const std::bad_alloc&) {
    base::logOnce("out of memory while recording: the device is removed");
    device->remove(DXGI_ERROR_DRIVER_INTERNAL_ERROR);
  }
}

} // namespace

void Context::copyBuffer(ResourceInfo& dest, uint64_t destOffset, ResourceInfo& source, uint64_t sourceOffset,
                         uint64_t size) {
  if (size == 0)
    return;
  touch(source, false);
  touch(dest, true);
  auto* c = m_recorder.push<commands::CopyBuffer>();
  c->dest = dest.buffer->current() + destOffset;
  c->source = source.buffer->current() + sourceOffset;
  c->size = size;
}

void Context::copyTexture(ResourceInfo& dest, const TextureRegion& destRegion, ResourceInfo& source,
                          const TextureRegion& sourceRegion) {
  touch(source, false);
  touch(dest, true);
  auto* c = m_recorder.push<commands::CopyTexture>();
  c->dest = dest.texture.get();
  c->source = source.texture.get();
  c->destRegion = destRegion;
  c->sourceRegion = sourceRegion;
}

namespace {
/// Rules that both copies share. True if allowed.
bool mayCopy(const ResourceInfo& dest, const ResourceInfo& source, D3D_FEATURE_LEVEL level) {
  if (dest.dimension != source.dimension)
    return dropped("copy: resources differ in kind");
  if (dest.usage == D3D11_USAGE_IMMUTABLE)
    return dropped("copy: the destination is immutable");
  if (anyMapped(dest) || anyMapped(source))
    return dropped("copy: a resource is mapped");
  if (dest.isBuffer())
    return true;
  if (!copyable(dest.format, source.format))
    return dropped("copy: formats differ");
  if (dest.samples != source.samples || dest.quality != source.quality)
    return dropped("copy: sample counts differ");
  if (level < D3D_FEATURE_LEVEL_10_0 && (dest.bindFlags & D3D11_BIND_DEPTH_STENCIL))
    return dropped("copy: depth-stencil destinations need feature level 10");
  return true;
}
} // namespace

void STDMETHODCALLTYPE Context::CopyResource(ID3D11Resource* dest, ID3D11Resource* source) {
  const ContextLock lock(m_lock);
  ResourceInfo *d = infoOf(dest, device()), *s = infoOf(source, device());
  if (!d || !s || d == s)
    return;
  recording(device(), [&] {
    if (!mayCopy(*d, *s, device()->level()) || suppressed())
      return;
    if (d->isBuffer()) {
      if (d->width != s->width) {
        dropped("CopyResource: sizes differ");
        return;
      }
      copyBuffer(*d, 0, *s, 0, s->width);
      return;
    }
    const formats::FormatInfo &df = formats::info(d->format), &sf = formats::info(s->format);
    if (blocks(d->width, df.blockWidth) != blocks(s->width, sf.blockWidth) ||
        blocks(d->height, df.blockHeight) != blocks(s->height, sf.blockHeight) || d->depth != s->depth ||
        d->layers != s->layers || d->mips != s->mips) {
      dropped("CopyResource: sizes differ");
      return;
    }
    for (UINT i = 0; i < s->subresources(); i++)
      copyTexture(*d, wholeMip(*d, i), *s, wholeMip(*s, i));
  });
}

void Context::copyRegion(ResourceInfo& dest, UINT destSub, UINT x, UINT y, UINT z, ResourceInfo& source, UINT sourceSub,
                         const D3D11_BOX* box, bool overlapAllowed) {
  if (destSub >= dest.subresources() || sourceSub >= source.subresources()) {
    dropped("CopySubresourceRegion: subresource out of range");
    return;
  }
  if (&dest == &source && destSub == sourceSub && !overlapAllowed) {
    dropped("CopySubresourceRegion: source and destination are one subresource");
    return;
  }
  if (!mayCopy(dest, source, device()->level()) || (box && emptyBox(*box)))
    return;
  if (dest.isBuffer()) {
    const uint64_t from = box ? box->left : 0, to = box ? box->right : source.width;
    if (to > source.width || x > dest.width || to - from > dest.width - x) {
      dropped("CopySubresourceRegion: out of range");
      return;
    }
    copyBuffer(dest, x, source, from, to - from);
    return;
  }
  if ((dest.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D && y) ||
      (dest.dimension != D3D11_RESOURCE_DIMENSION_TEXTURE3D && z)) {
    dropped("CopySubresourceRegion: offset beyond the dimension");
    return;
  }
  TextureRegion from = wholeMip(source, sourceSub);
  if (box) {
    if (box->right > from.width || box->bottom > from.height || box->back > from.depth) {
      dropped("CopySubresourceRegion: source box out of range");
      return;
    }
    from = {from.mip, from.layer, box->left, box->top, box->front, box->right - box->left, box->bottom - box->top,
            box->back - box->front};
  }
  const bool wholeOnly = source.samples > 1 || (source.bindFlags & D3D11_BIND_DEPTH_STENCIL) ||
                         (dest.bindFlags & D3D11_BIND_DEPTH_STENCIL);
  const TextureRegion wholeSource = wholeMip(source, sourceSub), wholeDest = wholeMip(dest, destSub);
  // Blocks decide the destination's extent when only one side is block-compressed.
  const formats::FormatInfo &df = formats::info(dest.format), &sf = formats::info(source.format);
  TextureRegion to = wholeDest;
  to.x = x;
  to.y = y;
  to.z = z;
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  if (df.blockWidth != sf.blockWidth || df.blockHeight != sf.blockHeight) {
    to.width = blocks(from.width, sf.blockWidth) * df.blockWidth;
    to.height = blocks(from.height, sf.blockHeight) * df.blockHeight;
    to.width = std::min(to.width, wholeDest.width > x ? wholeDest.width - x : 0);
    to.height = std::min(to.height, wholeDest.height > y ? wholeDest.height - y : 0);
    if (blocks(to.width, df.blockWidth) != blocks(from.width, sf.blockWidth) ||
        blocks(to.height, df.blockHeight) != blocks(from.height, sf.blockHeight)) {
      dropped("CopySubresourceRegion: out of range");
      return;
    }
  }
  if (!regionValid(source, from) || !regionValid(dest, to)) {
    dropped("CopySubresourceRegion: out of range");
    return;
  }
  if (wholeOnly && (x || y || z || from.x || from.y || from.z || from.width != wholeSource.width ||
                    from.height != wholeSource.height || to.width != wholeDest.width || to.height != wholeDest.height)) {
    dropped("CopySubresourceRegion: depth-stencil and multisampled resources are copied whole");
    return;
  }
  if (suppressed())
    return;
  copyTexture(dest, to, source, from);
}

void STDMETHODCALLTYPE Context::CopySubresourceRegion(ID3D11Resource* dest, UINT destSub, UINT x, UINT y, UINT z,
                                                      ID3D11Resource* source, UINT sourceSub, const D3D11_BOX* box) {
  const ContextLock lock(m_lock);
  ResourceInfo *d = infoOf(dest, device()), *s = infoOf(source, device());
  if (d && s)
    recording(device(), [&] { copyRegion(*d, destSub, x, y, z, *s, sourceSub, box, false); });
}

void STDMETHODCALLTYPE Context::CopySubresourceRegion1(ID3D11Resource* dest, UINT destSub, UINT x, UINT y, UINT z,
                                                       ID3D11Resource* source, UINT sourceSub, const D3D11_BOX* box,
                                                       UINT flags) {
  const ContextLock lock(m_lock);
  if (flags & ~UINT(D3D11_COPY_NO_OVERWRITE | D3D11_COPY_DISCARD))
    return;
  ResourceInfo *d = infoOf(dest, device()), *s = infoOf(source, device());
  if (d && s)
    recording(device(), [&] { copyRegion(*d, destSub, x, y, z, *s, sourceSub, box, true); });
}

// ---- updates --------------------------------------------------------------------------------------------------------

void Context::updateBuffer(ResourceInfo& dest, uint64_t offset, uint64_t size, const void* data) {
  touch(dest, true);
  constexpr uint64_t kInline = 4096;
  const bool inStream = size <= kInline;
  uint8_t* upload = nullptr;
  if (!inStream) {
    upload = m_recorder.allocateUpload(size);
    if (!upload)
      throw std::bad_alloc();
    std::memcpy(upload, data, size);
  }
  auto* c = m_recorder.push<commands::UpdateBuffer>(inStream ? static_cast<uint32_t>(size) : 0);
  if (inStream) {
    upload = reinterpret_cast<uint8_t*>(c + 1);
    std::memcpy(upload, data, size);
  }
  c->dest = dest.buffer->current() + offset;
  c->source = upload;
  c->size = size;
}

void Context::updateTexture(ResourceInfo& dest, const TextureRegion& region, const uint8_t* data, uint64_t rowPitch,
                            uint64_t slicePitch) {
  touch(dest, true);
  const formats::FormatInfo& f = formats::info(dest.format);
  const uint64_t rowBytes = formats::rowBytes(f, region.width);
  const uint32_t rows = formats::blockRows(f, region.height);
  const uint64_t total = rowBytes * rows * region.depth;
  uint8_t* upload = m_recorder.allocateUpload(total);
  if (!upload)
    throw std::bad_alloc();
  if (rowPitch == rowBytes && (region.depth == 1 || slicePitch == rowBytes * rows)) {
    std::memcpy(upload, data, total);
  } else {
    uint8_t* out = upload;
    for (uint32_t z = 0; z < region.depth; z++)
      for (uint32_t y = 0; y < rows; y++, out += rowBytes)
        std::memcpy(out, data + z * slicePitch + y * rowPitch, rowBytes);
  }
  auto* c = m_recorder.push<commands::UpdateTexture>();
  c->dest = dest.texture.get();
  c->source = upload;
  c->rowPitch = rowBytes;
  c->slicePitch = rowBytes * rows;
  c->region = region;
}

void Context::update(ResourceInfo& dest, UINT subresource, const D3D11_BOX* box, const void* data, UINT rowPitch,
                     UINT slicePitch, bool partialConstants, UINT flags) {
  if (!data || subresource >= dest.subresources())
    return;
  if (dest.usage == D3D11_USAGE_IMMUTABLE || dest.usage == D3D11_USAGE_DYNAMIC || dest.samples > 1 ||
      (dest.bindFlags & D3D11_BIND_DEPTH_STENCIL)) {
    dropped("UpdateSubresource: immutable, dynamic, depth-stencil or multisampled destination");
    return;
  }
  if (anyMapped(dest)) {
    dropped("UpdateSubresource: the resource is mapped");
    return;
  }
  if (box && emptyBox(*box))
    return;
  if (dest.isBuffer()) {
    const uint64_t from = box ? box->left : 0, to = box ? box->right : dest.width;
    if (to > dest.width) {
      dropped("UpdateSubresource: box out of range");
      return;
    }
    if (dest.bindFlags & D3D11_BIND_CONSTANT_BUFFER) {
      const bool whole = from == 0 && to == dest.width;
      if (!whole && (!partialConstants || from % 16 || to % 16)) {
        dropped("UpdateSubresource: constant buffers are updated whole, or in vec4s through UpdateSubresource1");
        return;
      }
      if (whole && !suppressed()) {
        // A fresh version: no command, earlier draws keep the old one.
        if (uint8_t* memory = dest.buffer->rename(m_timeline.completedSerial(), m_timeline.recordingSerial())) {
          std::memcpy(memory, data, dest.width);
          m_dirty |= dest.boundGroups;
          return;
        }
        throw std::bad_alloc();
      }
    }
    (void)flags;
    if (!suppressed())
      updateBuffer(dest, from, to - from, data);
    return;
  }
  TextureRegion region = wholeMip(dest, subresource);
  if (box)
    region = {region.mip, region.layer, box->left, box->top, box->front, box->right - box->left, box->bottom - box->top,
              box->back - box->front};
  if (!regionValid(dest, region)) {
    dropped("UpdateSubresource: box out of range");
    return;
  }
  if (!suppressed())
    updateTexture(dest, region, static_cast<const uint8_t*>(data), rowPitch, slicePitch);
}

void STDMETHODCALLTYPE Context::UpdateSubresource(ID3D11Resource* dest, UINT subresource, const D3D11_BOX* box,
                                                  const void* data, UINT rowPitch, UINT slicePitch) {
  const ContextLock lock(m_lock);
  if (ResourceInfo* d = infoOf(dest, device()))
    recording(device(), [&] { update(*d, subresource, box, data, rowPitch, slicePitch, false, 0); });
}

void STDMETHODCALLTYPE Context::UpdateSubresource1(ID3D11Resource* dest, UINT subresource, const D3D11_BOX* box,
                                                   const void* data, UINT rowPitch, UINT slicePitch, UINT flags) {
  const ContextLock lock(m_lock);
  if (flags & ~UINT(D3D11_COPY_NO_OVERWRITE | D3D11_COPY_DISCARD))
    return;
  if (ResourceInfo* d = infoOf(dest, device()))
    recording(device(), [&] { update(*d, subresource, box, data, rowPitch, slicePitch, true, flags); });
}

// ---- mips, LOD, discard ---------------------------------------------------------------------------------------------

void STDMETHODCALLTYPE Context::GenerateMips(ID3D11ShaderResourceView* view) {
  const ContextLock lock(m_lock);
  auto* v = ours(static_cast<ShaderResourceView*>(static_cast<ID3D11ShaderResourceView1*>(view)));
  if (!v)
    return;
  const ResourceInfo& r = v->resource();
  constexpr UINT both = D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE;
  if (r.isBuffer() || !(r.miscFlags & D3D11_RESOURCE_MISC_GENERATE_MIPS) || (r.bindFlags & both) != both ||
      !formats::supports(v->range().format, formatLevel(device()->level()), formats::Use::MipmapGeneration)) {
    base::logOnce("GenerateMips: the resource or the view's format does not allow it");
    return;
  }
  if (r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D && device()->level() < D3D_FEATURE_LEVEL_10_0)
    return;
  recording(device(), [&] {
    if (v->range().mips < 2 || suppressed())
      return;
    m_recorder.push<commands::GenerateMips>()->view = v->exec();
  });
}

void STDMETHODCALLTYPE Context::SetResourceMinLOD(ID3D11Resource* resource, FLOAT minLod) {
  const ContextLock lock(m_lock);
  ResourceInfo* r = infoOf(resource, device());
  if (!r || !(r->miscFlags & D3D11_RESOURCE_MISC_RESOURCE_CLAMP) || !(minLod >= 0))
    return;
  const float clamped = std::min(minLod, static_cast<float>(r->mips));
  if (r->minLod == clamped)
    return;
  r->minLod = clamped;
  m_dirty |= r->boundGroups;
}

FLOAT STDMETHODCALLTYPE Context::GetResourceMinLOD(ID3D11Resource* resource) {
  const ContextLock lock(m_lock);
  const ResourceInfo* r = infoOf(resource, device());
  return r ? r->minLod : 0.0f;
}

namespace {
/// Typed resources have exactly the format of the call; typeless ones are of its family, and equal if both are typeless.
bool mayResolve(const ResourceInfo& dest, const ResourceInfo& source, formats::Format format, D3D_FEATURE_LEVEL level) {
  if (dest.dimension != D3D11_RESOURCE_DIMENSION_TEXTURE2D || source.dimension != dest.dimension)
    return dropped("ResolveSubresource: 2D textures only");
  if (source.samples < 2 || dest.samples != 1 || dest.usage != D3D11_USAGE_DEFAULT)
    return dropped("ResolveSubresource: from several samples to one, in DEFAULT usage");
  if (anyMapped(dest) || anyMapped(source))
    return dropped("ResolveSubresource: a resource is mapped");
  const bool typelessDest = formats::info(dest.format).isTypeless();
  const bool typelessSource = formats::info(source.format).isTypeless();
  if (!formats::isValid(format) || formats::info(format).isTypeless() || !formats::canView(dest.format, format) ||
      !formats::canView(source.format, format) || (typelessDest && typelessSource && dest.format != source.format))
    return dropped("ResolveSubresource: formats do not fit");
  if (!formats::supports(format, formatLevel(level), formats::Use::MultisampleResolve))
    return dropped("ResolveSubresource: the format cannot be resolved");
  return true;
}
} // namespace

void STDMETHODCALLTYPE Context::ResolveSubresource(ID3D11Resource* dest, UINT destSub, ID3D11Resource* source,
                                                   UINT sourceSub, DXGI_FORMAT format) {
  const ContextLock lock(m_lock);
  ResourceInfo *d = infoOf(dest, device()), *s = infoOf(source, device());
  if (!d || !s || destSub >= d->subresources() || sourceSub >= s->subresources())
    return;
  const auto f = static_cast<formats::Format>(format);
  if (!mayResolve(*d, *s, f, device()->level()))
    return;
  const uint32_t mip = destSub % d->mips;
  if (d->mipWidth(mip) != s->width || d->mipHeight(mip) != s->height) {
    dropped("ResolveSubresource: sizes differ");
    return;
  }
  recording(device(), [&] {
    if (suppressed())
      return;
    touch(*d, true);
    touch(*s, false);
    auto* c = m_recorder.push<commands::ResolveTexture>();
    c->dest = d->texture.get();
    c->source = s->texture.get();
    c->destMip = mip;
    c->destLayer = destSub / d->mips;
    c->sourceLayer = sourceSub;
    c->format = f;
  });
}
void STDMETHODCALLTYPE Context::CopyStructureCount(ID3D11Buffer*, UINT, ID3D11UnorderedAccessView*) {
  base::logOnce("unordered access is not built");
}
// Discards are advice; contents stay.
void STDMETHODCALLTYPE Context::DiscardResource(ID3D11Resource*) {}
void STDMETHODCALLTYPE Context::DiscardView(ID3D11View*) {}
void STDMETHODCALLTYPE Context::DiscardView1(ID3D11View*, const D3D11_RECT*, UINT) {}

} // namespace monolith::d3d11
