// SPDX-License-Identifier: MIT
#include "codegen/texture_sampler.h"

#include "abi/texture_view.h"
#include "codegen/sampler_reference.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace monolith::codegen {

using abi::ViewDimension;
using formats::ChannelType;
using formats::Format;
using ir::Op;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::If;
using simd::Int;
using simd::Mask;
using simd::Pointer;
using simd::Var;
using simd::Word;
using state::AddressMode;
using state::Comparison;
using state::FilterMode;
using state::Reduction;

namespace {

bool sameClass(ir::ResourceDim declared, ViewDimension bound)
{
  using D = ir::ResourceDim;
  switch (bound) {
  case ViewDimension::Texture1D:
  case ViewDimension::Texture1DArray: return declared == D::Texture1D || declared == D::Texture1DArray;
  case ViewDimension::Texture2D:
  case ViewDimension::Texture2DArray: return declared == D::Texture2D || declared == D::Texture2DArray;
  case ViewDimension::Texture3D: return declared == D::Texture3D;
  case ViewDimension::TextureCube:
  case ViewDimension::TextureCubeArray: return declared == D::TextureCube || declared == D::TextureCubeArray;
  default: return false;
  }
}

bool isPointOnly(const state::SamplerState& s)
{
  return s.min == FilterMode::Point && s.mag == FilterMode::Point && s.mip == FilterMode::Point;
}

Float log2ForLod(Float x)
{
  const Int bits = asInt(x);
  const Float e = simd::toFloat(simd::shr(bits, 23) - Int(127));
  const Float m = asFloat((bits & Int(0x7fffff)) | Int(0x3f800000));
  Float q(0.058664939715746926f);
  q = simd::fma(q, m, Float(-0.4597627843614751f));
  q = simd::fma(q, m, Float(1.4678977477454342f));
  q = simd::fma(q, m, Float(-2.507881564437126f));
  q = simd::fma(q, m, Float(2.8836855555797847f));
  return simd::fma(m - Float(1.0f), q, e);
}

/// Coarse derivatives of the quads of LaneOrder::Quad.
Float quadDx(Float v)
{
  return simd::permute(v, std::array<int, 8>{1, 1, 3, 3, 1, 1, 3, 3}) - simd::permute(v, std::array<int, 8>{0, 0, 2, 2, 0, 0, 2, 2});
}
Float quadDy(Float v)
{
  return simd::permute(v, std::array<int, 8>{4, 4, 6, 6, 4, 4, 6, 6}) - simd::permute(v, std::array<int, 8>{0, 0, 2, 2, 0, 0, 2, 2});
}

} // namespace

bool TextureSampler::knowsSample(const ResourceOp& op, const ViewKey& view)
{
  if (!op.hasSampler || !sameClass(ir::ResourceDim(op.dim), view.dimension) || !TexelFetcher::knows(view.format))
    return false;
  if (formats::shaderType(view.format) != ChannelType::Float)
    return isPointOnly(op.sampler) && op.sampler.u != AddressMode::Border && op.sampler.v != AddressMode::Border &&
           op.sampler.w != AddressMode::Border;
  return true;
}

bool TextureSampler::knowsGather(const ResourceOp& op, const ViewKey& view)
{
  if (!op.hasSampler || !sameClass(ir::ResourceDim(op.dim), view.dimension) || !TexelFetcher::knows(view.format))
    return false;
  const bool border = op.sampler.u == AddressMode::Border || op.sampler.v == AddressMode::Border;
  if (border && formats::shaderType(view.format) != ChannelType::Float)
    return false;
  return view.dimension != ViewDimension::Texture1D && view.dimension != ViewDimension::Texture1DArray &&
         view.dimension != ViewDimension::Texture3D;
}

TextureSampler::TextureSampler(const ResourceContext& context, const ResourceOp& op, const ViewKey& view, uint8_t used)
    : m_context(context), m_op(op), m_view(view), m_used(used), m_spatial(ir::spatialCount(ir::ResourceDim(op.dim)))
{
  const Pointer resources = simd::loadPointer(context.bindings + int32_t(offsetof(abi::StageBindings, resources)));
  m_viewPointer = simd::loadPointer(resources + int32_t(op.resourceSlot * sizeof(void*)));
  const Pointer samplers = simd::loadPointer(context.bindings + int32_t(offsetof(abi::StageBindings, samplers)));
  m_samplerPointer = simd::loadPointer(samplers + int32_t(op.samplerSlot * sizeof(void*)));
  m_fetch = std::make_unique<TexelFetcher>(view.format, simd::loadPointer(m_viewPointer + int32_t(offsetof(abi::TextureView, base))));
  m_axes = isCube() ? 2 : m_spatial;
  const Op kind = Op(op.op);
  m_compares = kind == Op::SampleC || kind == Op::SampleCLz || kind == Op::Gather4C || kind == Op::Gather4PoC;
  if (m_compares)
    m_used = 1;
}

bool TextureSampler::isCube() const
{
  return m_view.dimension == ViewDimension::TextureCube || m_view.dimension == ViewDimension::TextureCubeArray;
}

Float TextureSampler::dynamicFloat(size_t offset) const { return simd::broadcastFloat(m_samplerPointer + int32_t(offset)); }

void TextureSampler::prepareReference()
{
  if (m_compares) {
    // Quantised as depth is (22.4.19).
    const formats::Channel& c = formats::info(m_view.format).channel[0];
    if (c.type == ChannelType::Unorm) {
      const Int code = floatToUnorm(m_reference, c.bits);
      m_reference = m_fetch->scale() != 0.0f ? simd::toFloat(code) : unormToFloat(code, c.bits);
    }
  }
  const state::SamplerState& s = m_op.sampler;
  const bool border = !isCube() && (s.u == AddressMode::Border || (m_axes > 1 && s.v == AddressMode::Border) ||
                                    (m_axes > 2 && s.w == AddressMode::Border));
  if (!border)
    return;
  const formats::FormatInfo& f = formats::info(m_view.format);
  for (unsigned k = 0; k < 4; k++) {
    if (!f.channel[k].bits) {
      m_border[k] = Float(k == 3 ? 1.0f : 0.0f);
      continue;
    }
    Float v = dynamicFloat(offsetof(abi::Sampler, border) + 4 * k);
    if (f.channel[k].type == ChannelType::Unorm)
      v = simd::minSecond(simd::maxSecond(v, Float(0.0f)), Float(1.0f));
    else if (f.channel[k].type == ChannelType::Snorm)
      v = simd::minSecond(simd::maxSecond(v, Float(-1.0f)), Float(1.0f));
    m_border[k] = m_fetch->scale() != 0.0f ? v * Float(m_fetch->scale()) : v;
  }
}

void TextureSampler::readOperands(const Int* operands)
{
  const Op kind = Op(m_op.op);
  const ir::ResourceDim dim = ir::ResourceDim(m_op.dim);
  const unsigned coords = kind == Op::Lod ? m_spatial : ir::coordinateCount(dim);
  for (unsigned k = 0; k < m_spatial; k++) {
    m_coordinate[k] = asFloat(operands[k]);
    m_offset[k].immediate = isCube() ? 0 : m_op.offset[k];
  }
  unsigned next = coords;
  if (coords > m_spatial) {
    m_hasLayers = true;
    m_layerOffset = sliceOffset(m_viewPointer, asFloat(operands[m_spatial]), isCube());
  }
  switch (kind) {
  case Op::SampleB:
    m_hasBias = true;
    m_bias = asFloat(operands[next++]);
    break;
  case Op::SampleL: m_level = asFloat(operands[next++]); break;
  case Op::SampleD: next += 2 * m_spatial; break;
  case Op::Gather4Po:
  case Op::Gather4PoC:
    for (unsigned k = 0; k < 2; k++) {
      m_offset[k].immediate = 0;
      m_offset[k].lanes = simd::sar(simd::shl(operands[next++], 26), 26);
    }
    break;
  default: break;
  }
  if (m_compares)
    m_reference = asFloat(operands[next++]);
  if ((m_op.flags & ir::kFlagClamp) && next < m_op.operandCount) {
    m_hasLodClamp = true;
    m_lodClamp = asFloat(operands[next]);
  }
  prepareReference();
}

TextureSampler::Derivatives TextureSampler::derivatives(const Int* operands)
{
  Derivatives d;
  const Op kind = Op(m_op.op);
  for (unsigned k = 0; k < m_spatial; k++) {
    if (kind == Op::SampleD) {
      const unsigned first = ir::coordinateCount(ir::ResourceDim(m_op.dim));
      d.dx[k] = asFloat(operands[first + k]);
      d.dy[k] = asFloat(operands[first + m_spatial + k]);
    } else if (m_context.lanes == LaneOrder::Quad) {
      d.dx[k] = quadDx(m_coordinate[k]);
      d.dy[k] = quadDy(m_coordinate[k]);
    } else {
      d.dx[k] = d.dy[k] = Float(0.0f);
    }
  }
  return d;
}

// ---- cubes

/// Components along the face's texel axes and along its own axis (cube_face.h), for the faces already chosen.
void TextureSampler::faceComponents(const Float d[3], Float& s, Float& t, Float& m) const
{
  const Mask neg = m_cube.negative, isY = m_cube.isY, isZ = m_cube.isZ;
  const Float x = d[0], y = d[1], z = d[2];
  // X: s = -z (+z on the negative face), t = -y; Y: s = x, t = z (-z); Z: s = x (-x), t = -y.
  s = simd::select(isZ, simd::select(neg, -x, x), simd::select(isY, x, simd::select(neg, z, -z)));
  t = simd::select(isY, simd::select(neg, -z, z), -y);
  const Float major = simd::select(isZ, z, simd::select(isY, y, x));
  m = simd::select(neg, -major, major);
}

TextureSampler::CubeCoordinates TextureSampler::cubeCoordinates(const Float d[3]) const
{
  CubeCoordinates c;
  const Float ax = simd::abs(d[0]), ay = simd::abs(d[1]), az = simd::abs(d[2]);
  c.isZ = (az >= ax) & (az >= ay);
  c.isY = simd::andNot(ay >= ax, c.isZ);
  const Float major = simd::select(c.isZ, d[2], simd::select(c.isY, d[1], d[0]));
  c.negative = simd::asMask(simd::sar(asInt(major), 31));
  c.major = simd::abs(major);
  c.face = simd::select(c.isZ, Int(4), simd::select(c.isY, Int(2), Int(0))) + (Int(1) & c.negative);
  return c;
}

/// Face and face coordinates of the operation's direction.
void TextureSampler::locateOnCube()
{
  m_cube = cubeCoordinates(m_coordinate);
  Float s, t, m;
  faceComponents(m_coordinate, s, t, m);
  m_cube.u = s / m_cube.major * Float(0.5f) + Float(0.5f);
  m_cube.v = t / m_cube.major * Float(0.5f) + Float(0.5f);
}

// ---- level of detail

bool TextureSampler::needsLod() const { return Op(m_op.op) != Op::SampleCLz; }

TextureSampler::Lod TextureSampler::computeLod(const Derivatives& d)
{
  Lod lod;
  const Float bias0 = dynamicFloat(offsetof(abi::Sampler, lodBias));
  if (Op(m_op.op) == Op::SampleL) {
    lod.unclamped = m_level + bias0;
    if (m_op.sampler.anisotropic)
      lod.taps = Float(1.0f);
  } else {
    const Float bias = m_hasBias ? bias0 + m_bias : bias0;
    Float dx[3], dy[3];
    if (isCube()) {
      Float ts, tt, unused;
      faceComponents(m_coordinate, ts, tt, unused);
      const Float square = m_cube.major * m_cube.major;
      const Float half = Float(0.5f) * simd::toFloat(viewWord(m_viewPointer, offsetof(abi::TextureView, width)));
      const auto project = [&](const Float* v, Float* out) {
        Float s, t, m;
        faceComponents(v, s, t, m);
        out[0] = simd::fms(m_cube.major, s, ts * m) / square * half;
        out[1] = simd::fms(m_cube.major, t, tt * m) / square * half;
      };
      project(d.dx, dx);
      project(d.dy, dy);
    } else {
      static constexpr size_t kSizes[3] = {offsetof(abi::TextureView, width), offsetof(abi::TextureView, height),
                                           offsetof(abi::TextureView, depth)};
      for (unsigned k = 0; k < m_axes; k++) {
        const Float size = simd::toFloat(viewWord(m_viewPointer, kSizes[k]));
        dx[k] = d.dx[k] * size;
        dy[k] = d.dy[k] * size;
      }
    }
    Float xx = dx[0] * dx[0], yy = dy[0] * dy[0];
    for (unsigned k = 1; k < m_axes; k++) {
      xx = simd::fma(dx[k], dx[k], xx);
      yy = simd::fma(dy[k], dy[k], yy);
    }
    const Float most = simd::maxSecond(xx, yy);
    const bool aniso = m_op.sampler.anisotropic && m_axes == 2 && !isCube();
    if (!aniso) {
      lod.unclamped = simd::fma(log2ForLod(most), Float(0.5f), bias);
    } else {
      const Float determinant = simd::abs(simd::fms(dx[0], dy[1], dx[1] * dy[0]));
      const Float lengthMajor = simd::sqrt(most);
      const Float limit(float(std::clamp<unsigned>(m_op.sampler.maxAnisotropy, 1, 16)));
      Float ratio = most / determinant;
      const Mask within = ratio <= limit;
      const Float minor = simd::select(within, determinant / lengthMajor, lengthMajor / limit);
      ratio = simd::select(within, ratio, limit);
      ratio = simd::select(minor < Float(1.0f), simd::maxSecond(ratio * minor, Float(1.0f)), ratio);
      lod.unclamped = log2ForLod(minor) + bias;
      lod.taps = simd::ceil(ratio);
      const Mask majorX = xx > yy;
      lod.majorU = simd::select(majorX, d.dx[0], d.dy[0]);
      lod.majorV = simd::select(majorX, d.dx[1], d.dy[1]);
    }
  }
  Float v = simd::minSecond(lod.unclamped, dynamicFloat(offsetof(abi::Sampler, maxLod)));
  v = simd::maxSecond(v, dynamicFloat(offsetof(abi::Sampler, minLod)));
  v = simd::maxSecond(v, simd::broadcastFloat(m_viewPointer + int32_t(offsetof(abi::TextureView, minLod))));
  lod.value = simd::maxSecond(v, m_hasLodClamp ? m_lodClamp : Float(0.0f));
  return lod;
}

// ---- filtering

/// `b` with weight w. Minimum and maximum filters take every texel of which the weight is not 0 (7.18.14).
Float TextureSampler::combined(Float a, Float b, Float w) const
{
  const Reduction r = m_op.sampler.reduction;
  if (r != Reduction::Minimum && r != Reduction::Maximum)
    return simd::fma(w, b - a, a);
  const Float extreme = r == Reduction::Minimum ? simd::minSecond(a, b) : simd::maxSecond(a, b);
  return simd::select(w == Float(0.0f), a, simd::select(w == Float(1.0f), b, extreme));
}

void TextureSampler::mix(Channels& a, const Channels& b, Float w) const
{
  for (unsigned k = 0; k < 4; k++)
    if (m_used >> k & 1)
      a.c[k] = asInt(combined(asFloat(a.c[k]), asFloat(b.c[k]), w));
}

void TextureSampler::replaceBorder(Channels& c, const Mask* outX, const Mask* outY, const Mask* outZ)
{
  Mask out(false);
  bool any = false;
  for (const Mask* m : {outX, outY, outZ})
    if (m && m->valid()) {
      out = any ? out | *m : *m;
      any = true;
    }
  if (!any)
    return;
  for (unsigned k = 0; k < 4; k++)
    if (m_used >> k & 1)
      c.c[k] = asInt(simd::select(out, m_border[k], asFloat(c.c[k])));
}

void TextureSampler::compareTexel(Channels& c)
{
  if (!m_compares)
    return;
  const Float texel = asFloat(c.c[0]);
  Mask r(false);
  switch (m_op.sampler.func) {
  case Comparison::None:
  case Comparison::Never: break;
  case Comparison::Less: r = m_reference < texel; break;
  case Comparison::Equal: r = m_reference == texel; break;
  case Comparison::LessEqual: r = m_reference <= texel; break;
  case Comparison::Greater: r = m_reference > texel; break;
  case Comparison::NotEqual: r = m_reference != texel; break;
  case Comparison::GreaterEqual: r = m_reference >= texel; break;
  case Comparison::Always: r = Mask(true); break;
  }
  c.c[0] = asInt(Float(1.0f) & r);
}

Int TextureSampler::rowBase(Int base, Int y, Int pitch) const
{
  const int shift = m_fetch->rowShift();
  return base + (shift ? simd::shr(y, shift) : y) * pitch;
}

Channels TextureSampler::row(const AxisTexels& x, Int rowOffset, Int y, bool linear, const Mask* outY, const Mask* outZ)
{
  const TexelPosition left{rowOffset, x.first, y};
  if (!linear) {
    Channels c = m_fetch->fetch(left, m_used);
    replaceBorder(c, &x.outFirst, outY, outZ);
    compareTexel(c);
    return c;
  }
  const TexelPosition right{rowOffset, x.second, y};
  Channels a, b;
  if (m_fetch->isBlock()) {
    a = m_fetch->fetch(left, m_used);
    b = m_fetch->fetch(right, m_used);
  } else {
    // Neighbours in memory, except across the seam of an address mode.
    std::optional<Var<Int>> first[4], second[4];
    for (unsigned k = 0; k < 4; k++)
      if (m_used >> k & 1) {
        first[k].emplace(Int(0));
        second[k].emplace(Int(0));
      }
    const auto keep = [&] {
      for (unsigned k = 0; k < 4; k++)
        if (m_used >> k & 1) {
          *first[k] = a.c[k];
          *second[k] = b.c[k];
        }
    };
    If(simd::all(x.second == x.first + Int(1)),
       [&] {
         m_fetch->fetchPair(left, m_used, a, b);
         keep();
       },
       [&] {
         a = m_fetch->fetch(left, m_used);
         b = m_fetch->fetch(right, m_used);
         keep();
       });
    for (unsigned k = 0; k < 4; k++)
      if (m_used >> k & 1) {
        a.c[k] = first[k]->peek();
        b.c[k] = second[k]->peek();
      }
  }
  replaceBorder(a, &x.outFirst, outY, outZ);
  replaceBorder(b, &x.outSecond, outY, outZ);
  compareTexel(a);
  compareTexel(b);
  mix(a, b, x.weight);
  return a;
}

Channels TextureSampler::plane(const AxisTexels& x, const AxisTexels* y, Int base, Int pitch, bool linear, const Mask* outZ)
{
  if (!y)
    return row(x, base, Int(0), linear, nullptr, outZ);
  Channels top = row(x, rowBase(base, y->first, pitch), y->first, linear, &y->outFirst, outZ);
  if (linear) {
    const Channels bottom = row(x, rowBase(base, y->second, pitch), y->second, linear, &y->outSecond, outZ);
    mix(top, bottom, y->weight);
  }
  return top;
}

Channels TextureSampler::filterMip(const Float coordinate[3], const MipMemory& mip, const FilterLanes& filter)
{
  const state::SamplerState& s = m_op.sampler;
  const bool linear = filter.anyLinear;
  Int base = mip.offset;
  if (m_hasLayers)
    base = base + m_layerOffset;
  const AxisTexels x = locateAxis(coordinate[0], s.u, mip.width, m_offset[0], filter);
  if (m_axes == 1)
    return plane(x, nullptr, base, mip.rowPitch, linear, nullptr);
  const AxisTexels y = locateAxis(coordinate[1], s.v, mip.height, m_offset[1], filter);
  if (m_axes == 2)
    return plane(x, &y, base, mip.rowPitch, linear, nullptr);
  const AxisTexels z = locateAxis(coordinate[2], s.w, mip.depth, m_offset[2], filter);
  Channels front = plane(x, &y, base + z.first * mip.slicePitch, mip.rowPitch, linear, &z.outFirst);
  if (linear) {
    const Channels back = plane(x, &y, base + z.second * mip.slicePitch, mip.rowPitch, linear, &z.outSecond);
    mix(front, back, z.weight);
  }
  return front;
}

/// Within one face first; lanes whose footprint crosses an edge are filtered once more.
Channels TextureSampler::filterFace(const MipMemory& mip, const FilterLanes& filter)
{
  Int base = mip.offset + m_cube.face * viewWord(m_viewPointer, offsetof(abi::TextureView, layerPitch));
  if (m_hasLayers)
    base = base + m_layerOffset;
  // Border mode clamps the addresses and tells which texels are outside.
  const AddressMode mode = filter.anyLinear ? AddressMode::Border : AddressMode::Clamp;
  AxisTexels x = locateAxis(m_cube.u, mode, mip.width, AxisOffset(), filter);
  AxisTexels y = locateAxis(m_cube.v, mode, mip.width, AxisOffset(), filter);
  if (!filter.anyLinear)
    return plane(x, &y, base, mip.rowPitch, false, nullptr);
  keepOneOutside(x, m_cube.u);
  keepOneOutside(y, m_cube.v);
  AxisTexels insideX = x, insideY = y;
  insideX.outFirst = insideX.outSecond = insideY.outFirst = insideY.outSecond = Mask();
  const Channels inside = plane(insideX, &insideY, base, mip.rowPitch, true, nullptr);
  Mask crossed = (x.outFirst | x.outSecond) | (y.outFirst | y.outSecond);
  if (!filter.allLinear)
    crossed = crossed & filter.linear;
  return filterAcross(mip, x, y, inside, crossed);
}

Channels TextureSampler::trilinear(const Float coordinate[3], const Lod& lod)
{
  const state::SamplerState& s = m_op.sampler;
  const MipNeeds needs{m_axes > 1 && !isCube(), m_axes > 2, m_axes > 2};
  FilterLanes filter;
  filter.anyLinear = s.min == FilterMode::Linear || s.mag == FilterMode::Linear;
  filter.allLinear = s.min == FilterMode::Linear && s.mag == FilterMode::Linear;
  const auto at = [&](const MipMemory& m) { return isCube() ? filterFace(m, filter) : filterMip(coordinate, m, filter); };
  if (!lod.value.valid()) { // level 0 is known: magnification
    filter.anyLinear = filter.allLinear = s.mag == FilterMode::Linear;
    return at(firstMipMemory(m_viewPointer, needs));
  }
  if (filter.anyLinear && !filter.allLinear) {
    const Mask minifies = lod.value > Float(0.0f);
    filter.linear = s.min == FilterMode::Linear ? minifies : ~minifies;
  }
  const Int lastMip = simd::maxSigned(viewWord(m_viewPointer, offsetof(abi::TextureView, mips)), Int(1)) - Int(1);
  const Float clamped = simd::minSecond(simd::maxSecond(lod.value, Float(0.0f)), simd::toFloat(lastMip));
  const Int fixed = simd::toIntRound(clamped * Float(256.0f));
  if (s.mip != FilterMode::Linear) {
    const Int mip = simd::minSigned(simd::shr(fixed + Int(128), 8), lastMip);
    return at(mipMemory(m_viewPointer, mip, needs));
  }
  // One or two rounds of the same code: the finer mip with weight 1, then the coarser one.
  const Int fraction = fixed & Int(255);
  Var<Int> mip(simd::shr(fixed, 8));
  Var<Float> weight(Float(1.0f));
  Var<Word> rounds(simd::select(simd::any(simd::nonZero(fraction)), Word(2), Word(1)));
  std::optional<Var<Float>> sum[4];
  for (unsigned k = 0; k < 4; k++)
    if (m_used >> k & 1)
      sum[k].emplace(Float(0.0f));
  simd::DoWhile(
      [&] {
        const Channels c = at(mipMemory(m_viewPointer, mip.get(), needs));
        const Float w = weight.get();
        for (unsigned k = 0; k < 4; k++)
          if (m_used >> k & 1) {
            const Float a = sum[k]->get();
            *sum[k] = combined(a, asFloat(c.c[k]), w);
          }
        mip = simd::minSigned(mip.peek() + Int(1), lastMip);
        weight = simd::toFloat(fraction) * Float(1.0f / 256.0f);
        rounds = rounds.peek() - Word(1);
      },
      [&] { return rounds.peek() > Word(0); });
  Channels out;
  for (unsigned k = 0; k < 4; k++)
    if (m_used >> k & 1)
      out.c[k] = asInt(sum[k]->get());
  return out;
}

namespace {

/// Results that nobody uses still need a value.
void fillUnused(Channels& c, uint8_t used)
{
  for (unsigned k = 0; k < 4; k++)
    if (!(used >> k & 1))
      c.c[k] = Int(0);
}

} // namespace

Channels TextureSampler::sample(const Int* operands)
{
  readOperands(operands);
  if (isCube())
    locateOnCube();
  Lod lod;
  if (needsLod()) {
    // With a single mip the LOD only matters for the choice between two filters and for anisotropy.
    const bool always = m_op.sampler.min != m_op.sampler.mag || m_op.sampler.anisotropic;
    const Derivatives d = Op(m_op.op) == Op::SampleL ? Derivatives() : derivatives(operands);
    if (always) {
      lod = computeLod(d);
    } else {
      Var<Float> value(Float(0.0f));
      If(simd::loadWord(m_viewPointer + int32_t(offsetof(abi::TextureView, mips))) > Word(1), [&] { value = computeLod(d).value; });
      lod.value = value;
    }
  }
  Channels out;
  if (!lod.taps.valid() || isCube() || m_axes != 2 || !lod.majorU.valid()) {
    out = trilinear(m_coordinate, lod);
  } else {
    std::optional<Var<Float>> mean[4];
    for (unsigned k = 0; k < 4; k++)
      if (m_used >> k & 1)
        mean[k].emplace(Float(0.0f));
    Var<Float> tap(Float(0.0f));
    simd::DoWhile(
        [&] {
          const Float k0 = tap.get();
          const Float along = (k0 + Float(0.5f)) / lod.taps - Float(0.5f);
          const Mask many = lod.taps > Float(1.0f);
          const Float c[3] = {simd::select(many, simd::fma(along, lod.majorU, m_coordinate[0]), m_coordinate[0]),
                              simd::select(many, simd::fma(along, lod.majorV, m_coordinate[1]), m_coordinate[1]), Float(0.0f)};
          const Channels v = trilinear(c, lod);
          // Running mean; lanes with fewer taps keep theirs.
          const Float w = (Float(1.0f) / (k0 + Float(1.0f))) & (k0 < lod.taps);
          for (unsigned k = 0; k < 4; k++)
            if (m_used >> k & 1) {
              const Float a = mean[k]->get();
              *mean[k] = combined(a, asFloat(v.c[k]), w);
            }
          tap = k0 + Float(1.0f);
        },
        [&] { return simd::any(tap.peek() < lod.taps); });
    for (unsigned k = 0; k < 4; k++)
      if (m_used >> k & 1)
        out.c[k] = asInt(mean[k]->get());
  }
  if (m_compares) {
    for (unsigned k = 1; k < 4; k++)
      out.c[k] = out.c[0];
  } else {
    m_fetch->finish(out, m_used);
    fillUnused(out, m_used);
  }
  return out;
}

Channels TextureSampler::gather(const Int* operands)
{
  const unsigned component = m_compares ? 0 : m_op.component & 3u;
  m_used = uint8_t(1u << component);
  readOperands(operands);
  if (isCube())
    return gatherCube();
  FilterLanes filter;
  const MipMemory mip = firstMipMemory(m_viewPointer, MipNeeds());
  Int base = mip.offset;
  if (m_hasLayers)
    base = base + m_layerOffset;
  const state::SamplerState& s = m_op.sampler;
  const AxisTexels x = locateAxis(m_coordinate[0], s.u, mip.width, m_offset[0], filter);
  const AxisTexels y = locateAxis(m_coordinate[1], s.v, mip.height, m_offset[1], filter);
  Channels out;
  // (-,+), (+,+), (+,-), (-,-)
  static constexpr int kRight[4] = {0, 1, 1, 0}, kBelow[4] = {1, 1, 0, 0};
  for (int k = 0; k < 4; k++) {
    const Int ty = kBelow[k] ? y.second : y.first;
    Channels c = m_fetch->fetch({rowBase(base, ty, mip.rowPitch), kRight[k] ? x.second : x.first, ty}, m_used);
    replaceBorder(c, kRight[k] ? &x.outSecond : &x.outFirst, kBelow[k] ? &y.outSecond : &y.outFirst, nullptr);
    compareTexel(c);
    if (!m_compares)
      m_fetch->finish(c, m_used);
    out.c[k] = c.c[component];
  }
  return out;
}

void TextureSampler::queryLod(const Int* operands, Int* results)
{
  readOperands(operands);
  if (isCube())
    m_cube = cubeCoordinates(m_coordinate);
  const Lod lod = computeLod(derivatives(operands));
  const Int lastMip = simd::maxSigned(viewWord(m_viewPointer, offsetof(abi::TextureView, mips)), Int(1)) - Int(1);
  results[0] = asInt(simd::minSecond(simd::maxSecond(lod.value, Float(0.0f)), simd::toFloat(lastMip)));
  results[1] = asInt(lod.unclamped);
}

} // namespace monolith::codegen
