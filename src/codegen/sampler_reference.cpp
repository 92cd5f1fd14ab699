// SPDX-License-Identifier: MIT
#include "codegen/sampler_reference.h"

#include "codegen/cube_face.h"
#include "formats/scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::codegen {

using abi::TextureView;
using abi::ViewDimension;
using formats::ChannelType;
using formats::Format;
using formats::FormatInfo;
using formats::Texel;
using state::AddressMode;
using state::Comparison;
using state::FilterMode;
using state::Reduction;

float lodLog2(float x)
{
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const float e = float(int32_t(bits >> 23) - 127);
  const float m = std::bit_cast<float>((bits & 0x7fffffu) | 0x3f800000u);
  float q = 0.058664939715746926f;
  q = std::fma(q, m, -0.4597627843614751f);
  q = std::fma(q, m, 1.4678977477454342f);
  q = std::fma(q, m, -2.507881564437126f);
  q = std::fma(q, m, 2.8836855555797847f);
  return std::fma(m - 1.0f, q, e);
}

float filterScale(Format format)
{
  const FormatInfo& f = formats::info(format);
  if (f.isSrgb() || (f.layout != formats::Layout::Array && !(f.layout >= formats::Layout::BC1 && f.layout <= formats::Layout::BC3)))
    return 0.0f;
  unsigned bits = 0;
  for (const formats::Channel& c : f.channel) {
    if (!c.bits)
      continue;
    if (c.type != ChannelType::Unorm || (bits && c.bits != bits) || (c.bits != 8 && c.bits != 16))
      return 0.0f;
    bits = c.bits;
  }
  return bits ? float((1u << bits) - 1) : 0.0f;
}

namespace {

bool isCube(ViewDimension d) { return d == ViewDimension::TextureCube || d == ViewDimension::TextureCubeArray; }

unsigned spatialDimensions(ViewDimension d)
{
  switch (d) {
  case ViewDimension::Texture1D:
  case ViewDimension::Texture1DArray: return 1;
  case ViewDimension::Texture3D: return 3;
  default: return 2;
  }
}

/// The instructions' minimum and maximum: the second operand if one is NaN.
float minSecond(float a, float b) { return a < b ? a : b; }
float maxSecond(float a, float b) { return a > b ? a : b; }

uint32_t mipSize(uint32_t size, uint32_t mip) { return std::max(size >> mip, 1u); }

int32_t roundToInt(float v) { return int32_t(std::nearbyint(v)); }

/// 7.18.6; NaN becomes 0.
float reduceRange(float u, AddressMode mode)
{
  switch (mode) {
  case AddressMode::Wrap: return maxSecond(u - std::floor(u), 0.0f);
  case AddressMode::Mirror: {
    const float h = u * 0.5f;
    const float r = (h - std::trunc(h)) * 2.0f;
    return r == r ? r : 0.0f;
  }
  default: {
    const float r = minSecond(maxSecond(u, -10.0f), 10.0f);
    return u == u ? r : 0.0f;
  }
  }
}

int32_t floorMod(int32_t a, int32_t n)
{
  const int32_t r = a % n;
  return r < 0 ? r + n : r;
}

/// 7.18.9. Sets `border` where the border colour replaces the texel; the result is always in range.
int32_t applyAddress(int32_t t, int32_t size, AddressMode mode, bool& border)
{
  switch (mode) {
  case AddressMode::Wrap: return floorMod(t, size);
  case AddressMode::Mirror: {
    const int32_t r = floorMod(t < 0 ? -t - 1 : t, 2 * size);
    return r < size ? r : 2 * size - 1 - r;
  }
  case AddressMode::MirrorOnce: return std::clamp(t < 0 ? -t - 1 : t, 0, size - 1);
  case AddressMode::Border:
    if (t < 0 || t >= size)
      border = true;
    return std::clamp(t, 0, size - 1);
  case AddressMode::Clamp: break;
  }
  return std::clamp(t, 0, size - 1);
}

/// Everything that stays the same over the texels of one sample.
struct Reader {
  const TextureView& view;
  Format format;
  const FormatInfo& info;
  float scale;          ///< filterScale
  bool integer;
  Texel border;
  bool compares = false;
  Comparison func = Comparison::Never;
  float reference = 0;

  Reader(const TextureView& v) : view(v), format(Format(v.format)), info(formats::info(format)), scale(filterScale(format))
  {
    integer = formats::shaderType(format) != ChannelType::Float;
  }

  void setBorder(const float color[4]);
  void setReference(float value);
  float compared(float texel) const;
  void code(const uint8_t* surface, uint32_t rowPitch, uint32_t x, uint32_t y, Texel& out) const;
  void texel(uint32_t layer, uint32_t mip, int32_t x, int32_t y, int32_t z, bool useBorder, Texel& out) const;
  void finish(Texel& value) const;
};

void Reader::setBorder(const float color[4])
{
  // 7.18.9.1: only components of the format, clamped to its range; the rest gets the format's defaults.
  for (unsigned k = 0; k < 4; k++) {
    const formats::Channel& c = info.channel[k];
    if (!c.bits) {
      if (integer)
        border.u[k] = k == 3 ? 1 : 0;
      else
        border.f[k] = k == 3 ? 1.0f : 0.0f;
      continue;
    }
    float v = color[k];
    switch (c.type) {
    case ChannelType::Unorm: v = minSecond(maxSecond(v, 0.0f), 1.0f); break;
    case ChannelType::Snorm: v = minSecond(maxSecond(v, -1.0f), 1.0f); break;
    case ChannelType::Uint: border.u[k] = v > 0.0f ? uint32_t(std::min(v, 4294967040.0f)) : 0; continue;
    case ChannelType::Sint: border.i[k] = v == v ? int32_t(std::clamp(v, -2147483648.0f, 2147483520.0f)) : 0; continue;
    default: break;
    }
    border.f[k] = scale != 0.0f ? v * scale : v;
  }
}

void Reader::setReference(float value)
{
  const formats::Channel& c = info.channel[0];
  if (c.type == ChannelType::Unorm) {
    const uint32_t code = formats::floatToUnorm(value, c.bits);
    reference = scale != 0.0f ? float(code) : formats::unormToFloat(code, c.bits);
  } else {
    reference = value;
  }
}

float Reader::compared(float texel) const
{
  bool r = false;
  switch (func) {
  case Comparison::None:
  case Comparison::Never: break;
  case Comparison::Less: r = reference < texel; break;
  case Comparison::Equal: r = reference == texel; break;
  case Comparison::LessEqual: r = reference <= texel; break;
  case Comparison::Greater: r = reference > texel; break;
  case Comparison::NotEqual: r = reference != texel; break;
  case Comparison::GreaterEqual: r = reference >= texel; break;
  case Comparison::Always: r = true; break;
  }
  return r ? 1.0f : 0.0f;
}

/// A texel in the filter's domain.
void Reader::code(const uint8_t* surface, uint32_t rowPitch, uint32_t x, uint32_t y, Texel& out) const
{
  formats::readTexel(format, surface, rowPitch, x, y, out);
  if (scale == 0.0f)
    return;
  for (unsigned k = 0; k < 4; k++)
    if (info.channel[k].bits)
      out.f[k] = float(formats::floatToUnorm(out.f[k], info.channel[k].bits));
}

void Reader::texel(uint32_t layer, uint32_t mip, int32_t x, int32_t y, int32_t z, bool useBorder, Texel& out) const
{
  if (useBorder) {
    out = border;
  } else {
    const uint8_t* p = view.base + uint64_t(layer) * view.layerPitch + view.mipOffset[mip] + uint64_t(z) * view.slicePitch[mip];
    code(p, view.rowPitch[mip], uint32_t(x), uint32_t(y), out);
  }
  if (compares)
    out.f[0] = out.f[1] = out.f[2] = out.f[3] = compared(out.f[0]);
}

void Reader::finish(Texel& value) const
{
  if (compares || scale == 0.0f || integer)
    return;
  for (unsigned k = 0; k < 4; k++)
    if (info.channel[k].bits) {
      // The division of generated code: product with the reciprocal and one correction.
      const float r = 1.0f / scale;
      const float q = value.f[k] * r;
      value.f[k] = std::fma(std::fma(-q, scale, value.f[k]), r, q);
    }
}

/// How values of several texels become one.
struct Combiner {
  Reduction reduction;
  void mix(Texel& a, const Texel& b, float w) const
  {
    for (unsigned k = 0; k < 4; k++) {
      if (reduction == Reduction::Minimum)
        a.f[k] = w == 0.0f ? a.f[k] : w == 1.0f ? b.f[k] : minSecond(a.f[k], b.f[k]);
      else if (reduction == Reduction::Maximum)
        a.f[k] = w == 0.0f ? a.f[k] : w == 1.0f ? b.f[k] : maxSecond(a.f[k], b.f[k]);
      else
        a.f[k] = std::fma(w, b.f[k] - a.f[k], a.f[k]);
    }
  }
};

/// A direction's face and face coordinates in [0, 1].
struct FaceCoordinates {
  int face;
  float u, v;
  float major; ///< absolute value of the major component
};

float axisComponent(const float v[3], int axis) { return axis & 1 ? -v[axis / 2] : v[axis / 2]; }

FaceCoordinates cubeFace(const float d[3])
{
  const float x = std::fabs(d[0]), y = std::fabs(d[1]), z = std::fabs(d[2]);
  FaceCoordinates r;
  const int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0; // ties: z, y, x
  r.face = 2 * axis + (std::signbit(d[axis]) ? 1 : 0);
  r.major = std::fabs(d[axis]);
  r.u = axisComponent(d, kCubeFaceAxes[r.face].s) / r.major * 0.5f + 0.5f;
  r.v = axisComponent(d, kCubeFaceAxes[r.face].t) / r.major * 0.5f + 0.5f;
  return r;
}

uint32_t pickSlice(const TextureView& view, float slice)
{
  const bool cube = isCube(view.dimension);
  const uint32_t count = cube ? std::max(view.layers / 6, 1u) : std::max(view.layers, 1u);
  const float last = float(count - 1);
  const float r = minSecond(maxSecond(std::nearbyint(slice), 0.0f), last); // NaN gives 0
  return uint32_t(r) * (cube ? 6 : 1);
}

struct Lod {
  float unclamped = 0, value = 0;
  float ratio = 1;        ///< anisotropy
  float majorU = 0, majorV = 0; ///< footprint along the major axis, normalised coordinates
};

Lod computeLod(const TextureView& view, const SamplerPair& s, const SampleInput& in)
{
  Lod lod;
  if (in.source == LodSource::Zero)
    return lod;
  const float bias = s.dynamic->lodBias + in.bias;
  if (in.source == LodSource::Level) {
    lod.unclamped = in.level + s.dynamic->lodBias;
  } else {
    float dx[3] = {}, dy[3] = {};
    const unsigned n = spatialDimensions(view.dimension);
    if (isCube(view.dimension)) {
      const FaceCoordinates f = cubeFace(in.coord);
      const float half = 0.5f * float(view.width);
      const int as = kCubeFaceAxes[f.face].s, at = kCubeFaceAxes[f.face].t;
      const float square = f.major * f.major;
      const float ts = axisComponent(in.coord, as), tt = axisComponent(in.coord, at);
      const auto project = [&](const float d[3], float out[3]) {
        const float m = axisComponent(d, f.face);
        out[0] = std::fma(f.major, axisComponent(d, as), -(ts * m)) / square * half;
        out[1] = std::fma(f.major, axisComponent(d, at), -(tt * m)) / square * half;
      };
      project(in.ddx, dx);
      project(in.ddy, dy);
    } else {
      const float size[3] = {float(view.width), float(view.height), float(view.depth)};
      for (unsigned k = 0; k < n; k++) {
        dx[k] = in.ddx[k] * size[k];
        dy[k] = in.ddy[k] * size[k];
      }
    }
    float xx = dx[0] * dx[0], yy = dy[0] * dy[0];
    for (unsigned k = 1; k < n; k++) {
      xx = std::fma(dx[k], dx[k], xx);
      yy = std::fma(dy[k], dy[k], yy);
    }
    const float most = maxSecond(xx, yy);
    const bool aniso = s.fixed->anisotropic && (view.dimension == ViewDimension::Texture2D || view.dimension == ViewDimension::Texture2DArray);
    if (!aniso) {
      lod.unclamped = std::fma(lodLog2(most), 0.5f, bias);
    } else {
      const bool majorX = xx > yy;
      const float determinant = std::fabs(std::fma(dx[0], dy[1], -(dx[1] * dy[0])));
      const float lengthMajor = std::sqrt(most);
      const float limit = float(std::clamp<unsigned>(s.fixed->maxAnisotropy, 1, 16));
      float ratio = most / determinant;
      float minor = determinant / lengthMajor;
      if (!(ratio <= limit)) {
        ratio = limit;
        minor = lengthMajor / limit;
      }
      if (minor < 1.0f)
        ratio = maxSecond(ratio * minor, 1.0f);
      lod.unclamped = lodLog2(minor) + bias;
      lod.ratio = ratio;
      lod.majorU = majorX ? in.ddx[0] : in.ddy[0];
      lod.majorV = majorX ? in.ddx[1] : in.ddy[1];
    }
  }
  // Minimum and maximum never pass a NaN on; the minimum wins.
  float v = minSecond(lod.unclamped, s.dynamic->maxLod);
  v = maxSecond(v, s.dynamic->minLod);
  v = maxSecond(v, view.minLod);
  v = maxSecond(v, in.lodClamp);
  lod.value = v;
  return lod;
}

struct MipSampler {
  const Reader& reader;
  const SamplerPair& sampler;
  const SampleInput& in;
  Combiner combiner;
  uint32_t slice;

  void cube(uint32_t mip, FilterMode filter, Texel& out) const;
  void plain(const float* coord, uint32_t mip, FilterMode filter, Texel& out) const;
};

/// Address of one coordinate: left texel and weight of the right one (0 for point).
void locate(float coord, AddressMode mode, uint32_t size, int offset, FilterMode filter, int32_t& t, float& w)
{
  int32_t fixed = roundToInt(reduceRange(coord, mode) * float(size * 256)) + offset * 256;
  if (filter == FilterMode::Linear)
    fixed -= 128;
  t = fixed >> 8;
  w = filter == FilterMode::Linear ? float(fixed & 255) * (1.0f / 256.0f) : 0.0f;
}

void MipSampler::plain(const float* coord, uint32_t mip, FilterMode filter, Texel& out) const
{
  const TextureView& view = reader.view;
  const unsigned n = spatialDimensions(view.dimension);
  const uint32_t size[3] = {mipSize(view.width, mip), n > 1 ? mipSize(view.height, mip) : 1, n > 2 ? mipSize(view.depth, mip) : 1};
  const AddressMode mode[3] = {sampler.fixed->u, sampler.fixed->v, sampler.fixed->w};
  int32_t t[3] = {};
  float w[3] = {};
  for (unsigned k = 0; k < n; k++)
    locate(coord[k], mode[k], size[k], in.offset[k], filter, t[k], w[k]);
  const auto fetch = [&](int a, int b, int c, Texel& texel) {
    bool border = false;
    int32_t at[3] = {};
    const int step[3] = {a, b, c};
    for (unsigned k = 0; k < n; k++)
      at[k] = applyAddress(t[k] + step[k], int32_t(size[k]), mode[k], border);
    reader.texel(slice, mip, at[0], at[1], at[2], border, texel);
  };
  if (filter == FilterMode::Point || reader.integer) {
    fetch(0, 0, 0, out);
    return;
  }
  const auto row = [&](int b, int c, Texel& texel) {
    Texel right;
    fetch(0, b, c, texel);
    fetch(1, b, c, right);
    combiner.mix(texel, right, w[0]);
  };
  const auto plane = [&](int c, Texel& texel) {
    row(0, c, texel);
    if (n > 1) {
      Texel below;
      row(1, c, below);
      combiner.mix(texel, below, w[1]);
    }
  };
  plane(0, out);
  if (n > 2) {
    Texel behind;
    plane(1, behind);
    combiner.mix(out, behind, w[2]);
  }
}

void MipSampler::cube(uint32_t mip, FilterMode filter, Texel& out) const
{
  const int32_t size = int32_t(mipSize(reader.view.width, mip));
  const FaceCoordinates f = cubeFace(in.coord);
  int32_t x, y;
  float wx, wy;
  locate(f.u, AddressMode::Clamp, uint32_t(size), 0, filter, x, wx);
  locate(f.v, AddressMode::Clamp, uint32_t(size), 0, filter, y, wy);
  if (filter == FilterMode::Point || reader.integer) {
    reader.texel(slice + uint32_t(f.face), mip, std::clamp(x, 0, size - 1), std::clamp(y, 0, size - 1), 0, false, out);
    return;
  }
  x = std::clamp(x, -1, size - 1);
  y = std::clamp(y, -1, size - 1);
  Texel tap[2][2];
  int cornerX = -1, cornerY = -1;
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      const bool outX = x + a < 0 || x + a >= size, outY = y + b < 0 || y + b >= size;
      if (outX && outY) {
        cornerX = a;
        cornerY = b;
        continue;
      }
      const CubeTexel c = acrossCubeEdge({f.face, x + a, y + b}, size);
      reader.texel(slice + uint32_t(c.face), mip, c.x, c.y, 0, false, tap[b][a]);
    }
  if (cornerX >= 0) {
    // The missing texel is the average of the three that meet at the corner.
    const Texel &p = tap[cornerY][1 - cornerX], &q = tap[1 - cornerY][cornerX], &r = tap[1 - cornerY][1 - cornerX];
    for (unsigned k = 0; k < 4; k++)
      tap[cornerY][cornerX].f[k] = (p.f[k] + q.f[k] + r.f[k]) * (1.0f / 3.0f);
  }
  combiner.mix(tap[0][0], tap[0][1], wx);
  combiner.mix(tap[1][0], tap[1][1], wx);
  combiner.mix(tap[0][0], tap[1][0], wy);
  out = tap[0][0];
}

bool isNull(const TextureView& view)
{
  return view.width == 0 || view.dimension == ViewDimension::None || view.dimension == ViewDimension::Buffer ||
         view.dimension >= ViewDimension::RawBuffer;
}

void zero(Texel& out) { out.u[0] = out.u[1] = out.u[2] = out.u[3] = 0; }

/// Border colour and comparison of one operation.
void prepare(Reader& reader, const SamplerPair& sampler, const SampleInput& in)
{
  reader.setBorder(sampler.dynamic->border);
  if (!in.compares)
    return;
  reader.compares = true;
  reader.func = sampler.fixed->func;
  reader.setReference(in.reference);
}

} // namespace

void sampleTexture(const TextureView& view, const SamplerPair& sampler, const SampleInput& in, Texel& out)
{
  if (isNull(view)) {
    zero(out);
    return;
  }
  Reader reader(view);
  prepare(reader, sampler, in);
  const Lod lod = computeLod(view, sampler, in);
  const FilterMode filter = lod.value > 0.0f ? sampler.fixed->min : sampler.fixed->mag;
  const uint32_t lastMip = std::max(view.mips, 1u) - 1;
  const float clamped = minSecond(maxSecond(lod.value, 0.0f), float(lastMip));
  const int32_t fixed = roundToInt(clamped * 256.0f);
  const bool linearMip = sampler.fixed->mip == FilterMode::Linear;
  const uint32_t mip0 = std::min(uint32_t(linearMip ? fixed >> 8 : (fixed + 128) >> 8), lastMip);
  const float mipWeight = linearMip ? float(fixed & 255) * (1.0f / 256.0f) : 0.0f;
  const MipSampler mip{reader, sampler, in, {sampler.fixed->reduction}, pickSlice(view, in.slice)};

  const auto tap = [&](const float* coord, Texel& value) {
    const auto at = [&](uint32_t m, Texel& v) {
      if (isCube(view.dimension))
        mip.cube(m, filter, v);
      else
        mip.plain(coord, m, filter, v);
    };
    at(mip0, value);
    if (mipWeight != 0.0f && !reader.integer) {
      Texel next;
      at(std::min(mip0 + 1, lastMip), next);
      mip.combiner.mix(value, next, mipWeight);
    }
  };
  const int taps = int(std::ceil(lod.ratio));
  if (taps <= 1) {
    tap(in.coord, out);
  } else {
    for (int k = 0; k < taps; k++) {
      const float along = (float(k) + 0.5f) / float(taps) - 0.5f;
      const float coord[3] = {std::fma(along, lod.majorU, in.coord[0]), std::fma(along, lod.majorV, in.coord[1]), 0.0f};
      if (k == 0) {
        tap(coord, out);
        continue;
      }
      Texel value;
      tap(coord, value);
      const Combiner mean{sampler.fixed->reduction};
      mean.mix(out, value, 1.0f / float(k + 1)); // running mean: a constant stays itself
    }
  }
  reader.finish(out);
}

void gatherTexture(const TextureView& view, const SamplerPair& sampler, const SampleInput& in, Texel& out)
{
  if (isNull(view) || spatialDimensions(view.dimension) != 2) {
    zero(out);
    return;
  }
  Reader reader(view);
  prepare(reader, sampler, in);
  const uint32_t slice = pickSlice(view, in.slice);
  Texel tap[2][2];
  int missing = -1;
  if (isCube(view.dimension)) {
    const int32_t size = int32_t(view.width);
    const FaceCoordinates f = cubeFace(in.coord);
    int32_t x, y;
    float w;
    locate(f.u, AddressMode::Clamp, view.width, 0, FilterMode::Linear, x, w);
    locate(f.v, AddressMode::Clamp, view.width, 0, FilterMode::Linear, y, w);
    x = std::clamp(x, -1, size - 1);
    y = std::clamp(y, -1, size - 1);
    for (int k = 0; k < 4; k++) {
      const int a = k & 1, b = k >> 1;
      if ((x + a < 0 || x + a >= size) && (y + b < 0 || y + b >= size)) {
        missing = k;
        continue;
      }
      const CubeTexel c = acrossCubeEdge({f.face, x + a, y + b}, size);
      reader.texel(slice + uint32_t(c.face), 0, c.x, c.y, 0, false, tap[b][a]);
    }
  } else {
    const uint32_t size[2] = {view.width, view.height};
    const AddressMode mode[2] = {sampler.fixed->u, sampler.fixed->v};
    int32_t t[2];
    float w;
    for (unsigned k = 0; k < 2; k++)
      locate(in.coord[k], mode[k], size[k], in.offset[k], FilterMode::Linear, t[k], w);
    for (int k = 0; k < 4; k++) {
      bool border = false;
      const int32_t x = applyAddress(t[0] + (k & 1), int32_t(size[0]), mode[0], border);
      const int32_t y = applyAddress(t[1] + (k >> 1), int32_t(size[1]), mode[1], border);
      reader.texel(slice, 0, x, y, 0, border, tap[k >> 1][k & 1]);
    }
  }
  for (int k = 0; k < 4; k++)
    if (k != missing)
      reader.finish(tap[k >> 1][k & 1]);
  if (missing >= 0) {
    Texel& m = tap[missing >> 1][missing & 1];
    const Texel *p = nullptr, *q = nullptr, *r = nullptr;
    for (int k = 0; k < 4; k++)
      if (k != missing)
        (p ? q ? r : q : p) = &tap[k >> 1][k & 1];
    for (unsigned k = 0; k < 4; k++)
      if (reader.integer)
        m.u[k] = p->u[k];
      else
        m.f[k] = (p->f[k] + q->f[k] + r->f[k]) * (1.0f / 3.0f);
  }
  const unsigned c = in.compares ? 0 : in.component & 3;
  out.u[0] = tap[1][0].u[c];
  out.u[1] = tap[1][1].u[c];
  out.u[2] = tap[0][1].u[c];
  out.u[3] = tap[0][0].u[c];
}

void queryLod(const TextureView& view, const SamplerPair& sampler, const SampleInput& in, float out[2])
{
  out[0] = out[1] = 0.0f;
  if (isNull(view))
    return;
  const Lod lod = computeLod(view, sampler, in);
  out[0] = minSecond(maxSecond(lod.value, 0.0f), float(std::max(view.mips, 1u) - 1));
  out[1] = lod.unclamped;
}

void loadTexture(const TextureView& view, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t mip, uint32_t sample, Texel& out)
{
  zero(out);
  if (isNull(view))
    return;
  const Format format = Format(view.format);
  const FormatInfo& info = formats::info(format);
  const bool floats = formats::missingAlphaIsFloat(format);
  if (!info.channel[3].bits) {
    if (floats)
      out.f[3] = 1.0f;
    else
      out.u[3] = 1;
  }
  const unsigned n = spatialDimensions(view.dimension);
  if (mip >= std::max(view.mips, 1u) || slice >= std::max(view.layers, 1u) || sample >= std::max<uint32_t>(view.samples, 1))
    return;
  if (uint32_t(x) >= mipSize(view.width, mip) || (n > 1 && uint32_t(y) >= mipSize(view.height, mip)) ||
      (n > 2 && uint32_t(z) >= mipSize(view.depth, mip)))
    return;
  const uint8_t* p = view.base + uint64_t(slice) * view.layerPitch + view.mipOffset[mip] +
                     uint64_t(n > 2 ? uint32_t(z) : sample) * view.slicePitch[mip];
  formats::readTexel(format, p, view.rowPitch[mip], uint32_t(x), n > 1 ? uint32_t(y) : 0, out);
}

void loadBuffer(const TextureView& view, uint32_t index, Texel& out)
{
  zero(out);
  if (view.dimension != ViewDimension::Buffer)
    return;
  const Format format = Format(view.format);
  const FormatInfo& info = formats::info(format);
  if (index >= view.width) {
    if (view.width && !info.channel[3].bits) {
      if (formats::missingAlphaIsFloat(format))
        out.f[3] = 1.0f;
      else
        out.u[3] = 1;
    }
    return;
  }
  formats::readTexel(format, view.base + uint64_t(index) * info.bytesPerBlock, 0, 0, 0, out);
}

uint32_t loadRawWord(const TextureView& view, uint32_t address)
{
  uint32_t word = 0;
  if (view.dimension == ViewDimension::RawBuffer && view.width >= 4 && (address & ~3u) <= view.width - 4)
    std::memcpy(&word, view.base + (address & ~3u), 4);
  return word;
}

uint32_t loadStructuredWord(const TextureView& view, uint32_t element, uint32_t offset)
{
  uint32_t word = 0;
  if (view.dimension == ViewDimension::StructuredBuffer && element < view.width && view.elementStride >= 4 &&
      (offset & ~3u) <= view.elementStride - 4)
    std::memcpy(&word, view.base + uint64_t(element) * view.elementStride + (offset & ~3u), 4);
  return word;
}

} // namespace monolith::codegen
