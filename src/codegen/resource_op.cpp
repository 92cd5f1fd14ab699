// SPDX-License-Identifier: MIT
#include "codegen/resource_op.h"

#include "abi/sample_positions.h"
#include "codegen/sampler_reference.h"
#include "ir/function.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace monolith::codegen {

using abi::TextureView;
using abi::ViewDimension;
using formats::Texel;
using ir::Op;
using ir::ResourceDim;

ResourceOp makeResourceOp(const ir::Function& function, const ir::Instruction& i)
{
  ResourceOp r;
  r.op = uint8_t(i.op);
  r.flags = i.flags;
  r.component = i.component;
  r.operandCount = i.operandCount;
  r.resultCount = i.resultCount;
  std::copy(i.offset, i.offset + 3, r.offset);
  if (i.attr == ir::kRasterizer) {
    r.rasterizer = 1;
  } else if (i.attr < function.resources.size()) {
    r.resourceSlot = function.resources[i.attr].slot;
    r.dim = uint8_t(function.resources[i.attr].dim);
  }
  if (ir::opInfo(i.op).attr == ir::AttrKind::Sample && i.attr2 < function.samplers.size()) {
    r.hasSampler = 1;
    r.samplerSlot = function.samplers[i.attr2].slot;
  }
  return r;
}

namespace {

constexpr unsigned kLanes = 8;

/// Class of dimensions that may stand for each other (array or not).
unsigned dimensionClass(ViewDimension d)
{
  switch (d) {
  case ViewDimension::None: return 0;
  case ViewDimension::Buffer: return 1;
  case ViewDimension::Texture1D:
  case ViewDimension::Texture1DArray: return 2;
  case ViewDimension::Texture2D:
  case ViewDimension::Texture2DArray: return 3;
  case ViewDimension::Texture2DMS:
  case ViewDimension::Texture2DMSArray: return 4;
  case ViewDimension::Texture3D: return 5;
  case ViewDimension::TextureCube:
  case ViewDimension::TextureCubeArray: return 6;
  case ViewDimension::RawBuffer: return 7;
  case ViewDimension::StructuredBuffer: return 8;
  }
  return 0;
}

unsigned dimensionClass(ResourceDim d)
{
  switch (d) {
  case ResourceDim::Unknown: return 9;
  case ResourceDim::Buffer: return 1;
  case ResourceDim::Texture1D:
  case ResourceDim::Texture1DArray: return 2;
  case ResourceDim::Texture2D:
  case ResourceDim::Texture2DArray: return 3;
  case ResourceDim::Texture2DMS:
  case ResourceDim::Texture2DMSArray: return 4;
  case ResourceDim::Texture3D: return 5;
  case ResourceDim::TextureCube:
  case ResourceDim::TextureCubeArray: return 6;
  case ResourceDim::RawBuffer: return 7;
  case ResourceDim::StructuredBuffer: return 8;
  }
  return 9;
}

} // namespace

bool sameDimensionClass(ResourceDim declared, ViewDimension bound) { return dimensionClass(declared) == dimensionClass(bound); }

namespace {

/// The lanes from which a lane's coarse derivatives come: quad's top left, top right, bottom left.
void quadLanes(QuadShape shape, unsigned lane, unsigned out[3])
{
  if (shape == QuadShape::Squares) {
    out[0] = lane & ~3u;
    out[1] = out[0] + 1;
    out[2] = out[0] + 2;
  } else {
    out[0] = lane & 2;
    out[1] = out[0] + 1;
    out[2] = out[0] + 4;
  }
}

struct Lane {
  const uint32_t* const* operands;
  unsigned lane;
  float f(unsigned k) const { return std::bit_cast<float>(operands[k][lane]); }
  uint32_t u(unsigned k) const { return operands[k][lane]; }
};

void derivatives(const ResourceOp& op, const uint32_t* const* operands, unsigned lane, unsigned count, SampleInput& in)
{
  if (QuadShape(op.quadShape) == QuadShape::None)
    return;
  unsigned q[3];
  quadLanes(QuadShape(op.quadShape), lane, q);
  for (unsigned k = 0; k < count; k++) {
    const auto at = [&](unsigned l) { return std::bit_cast<float>(operands[k][l]); };
    in.ddx[k] = at(q[1]) - at(q[0]);
    in.ddy[k] = at(q[2]) - at(q[0]);
  }
}

void sampleLane(const ResourceOp& op, const TextureView& view, const SamplerPair& sampler, const uint32_t* const* operands,
                unsigned lane, Texel& out)
{
  const Op kind = Op(op.op);
  const ResourceDim dim = ResourceDim(op.dim);
  const Lane a{operands, lane};
  const unsigned spatial = ir::spatialCount(dim);
  const unsigned coords = kind == Op::Lod ? spatial : ir::coordinateCount(dim);
  SampleInput in;
  for (unsigned k = 0; k < spatial && k < 3; k++) {
    in.coord[k] = a.f(k);
    in.offset[k] = op.offset[k];
  }
  if (coords > spatial)
    in.slice = a.f(spatial);
  in.component = op.component;
  unsigned next = coords;
  switch (kind) {
  case Op::Sample:
  case Op::Lod: derivatives(op, operands, lane, spatial, in); break;
  case Op::SampleB:
    derivatives(op, operands, lane, spatial, in);
    in.bias = a.f(next++);
    break;
  case Op::SampleL:
    in.source = LodSource::Level;
    in.level = a.f(next++);
    break;
  case Op::SampleD:
    for (unsigned k = 0; k < spatial && k < 3; k++) {
      in.ddx[k] = a.f(next + k);
      in.ddy[k] = a.f(next + spatial + k);
    }
    next += 2 * spatial;
    break;
  case Op::SampleC:
    derivatives(op, operands, lane, spatial, in);
    in.compares = true;
    in.reference = a.f(next++);
    break;
  case Op::SampleCLz:
    in.source = LodSource::Zero;
    in.compares = true;
    in.reference = a.f(next++);
    break;
  case Op::Gather4C:
    in.compares = true;
    in.reference = a.f(next++);
    break;
  case Op::Gather4Po:
  case Op::Gather4PoC:
    for (unsigned k = 0; k < 2; k++)
      in.offset[k] = int32_t(a.u(next++) << 26) >> 26; // 6 bits, signed
    if (kind == Op::Gather4PoC) {
      in.compares = true;
      in.reference = a.f(next++);
    }
    break;
  default: break;
  }
  if ((op.flags & ir::kFlagClamp) && next < op.operandCount)
    in.lodClamp = a.f(next);
  switch (kind) {
  case Op::Gather4:
  case Op::Gather4C:
  case Op::Gather4Po:
  case Op::Gather4PoC: gatherTexture(view, sampler, in, out); break;
  case Op::Lod:
    out.u[2] = out.u[3] = 0;
    queryLod(view, sampler, in, out.f);
    break;
  default: sampleTexture(view, sampler, in, out); break;
  }
}

void loadLane(const ResourceOp& op, const TextureView& view, const uint32_t* const* operands, unsigned lane, Texel& out)
{
  const ResourceDim dim = ResourceDim(op.dim);
  const Lane a{operands, lane};
  if (dim == ResourceDim::Buffer) {
    loadBuffer(view, a.u(0), out);
    return;
  }
  const unsigned spatial = ir::spatialCount(dim), coords = ir::coordinateCount(dim);
  int32_t at[3] = {};
  for (unsigned k = 0; k < spatial && k < 3; k++)
    at[k] = int32_t(a.u(k) + uint32_t(int32_t(op.offset[k])));
  const uint32_t slice = coords > spatial ? a.u(spatial) : 0;
  const bool samples = Op(op.op) == Op::LdMs;
  const uint32_t last = coords < op.operandCount ? a.u(coords) : 0;
  loadTexture(view, at[0], at[1], at[2], slice, samples ? 0 : last, samples ? last : 0, out);
}

void describeView(const ResourceOp& op, const TextureView& view, uint32_t mip, Texel& out)
{
  const auto put = [&](unsigned k, uint32_t value, bool reciprocal) {
    if (op.component == 2)
      out.u[k] = value;
    else
      out.f[k] = reciprocal && op.component == 1 ? 1.0f / float(value) : float(value);
  };
  const bool inside = view.width && mip < std::max(view.mips, 1u);
  const auto size = [&](uint32_t v) { return inside ? std::max(v >> mip, 1u) : 0; };
  const ResourceDim dim = ResourceDim(op.dim);
  const unsigned spatial = ir::spatialCount(dim);
  const bool cube = dim == ResourceDim::TextureCube || dim == ResourceDim::TextureCubeArray;
  for (unsigned k = 0; k < 3; k++)
    put(k, 0, false);
  put(0, size(view.width), true);
  if (spatial > 1)
    put(1, size(view.height), true);
  if (spatial > 2 && !cube)
    put(2, size(view.depth), true);
  if (ir::isArray(dim)) {
    const uint32_t layers = view.width ? (cube ? view.layers / 6 : view.layers) : 0;
    put(spatial > 1 ? 2 : 1, layers, false);
  }
  put(3, view.width ? view.mips : 0, false);
}

void samplePosition(uint32_t samples, uint32_t index, float out[2])
{
  const abi::SamplePosition* table = abi::samplePositions(samples);
  out[0] = out[1] = 0.0f;
  if (!table || index >= samples)
    return;
  out[0] = float(table[index].x) / 16.0f;
  out[1] = float(table[index].y) / 16.0f;
}

} // namespace

void runResourceOp(const ResourceOp& op, const abi::StageBindings& bindings, const uint32_t* const* operands,
                   uint32_t* const* results)
{
  static const TextureView kNullView;
  const TextureView* view = op.rasterizer || !bindings.resources ? &kNullView : bindings.resources[op.resourceSlot];
  const unsigned wanted = dimensionClass(ResourceDim(op.dim));
  if (!view || (wanted != 9 && dimensionClass(view->dimension) != wanted))
    view = &kNullView;
  static const abi::Sampler kDefaultSampler;
  SamplerPair sampler{&op.sampler, &kDefaultSampler};
  if (op.hasSampler && bindings.samplers && bindings.samplers[op.samplerSlot])
    sampler.dynamic = bindings.samplers[op.samplerSlot];
  const bool status = op.flags & ir::kFlagStatus;
  const unsigned values = op.resultCount - (status ? 1u : 0u);
  for (unsigned lane = 0; lane < kLanes; lane++) {
    const Lane a{operands, lane};
    Texel out;
    std::memset(&out, 0, sizeof out);
    switch (Op(op.op)) {
    case Op::Ld:
    case Op::LdMs: loadLane(op, *view, operands, lane, out); break;
    case Op::LdRaw:
      for (unsigned k = 0; k < 4; k++)
        out.u[k] = loadRawWord(*view, a.u(0) + 4 * k);
      break;
    case Op::LdStructured:
      for (unsigned k = 0; k < 4; k++)
        out.u[k] = loadStructuredWord(*view, a.u(0), a.u(1) + 4 * k);
      break;
    case Op::ResInfo: describeView(op, *view, a.u(0), out); break;
    case Op::BufInfo: out.u[0] = view->width; break;
    case Op::SampleInfo: {
      const uint32_t n = op.rasterizer ? op.rasterizer : view->width ? view->samples : 0u;
      if (op.component == 2)
        out.u[0] = n;
      else
        out.f[0] = float(n);
      break;
    }
    case Op::SamplePos: samplePosition(op.rasterizer ? op.rasterizer : view->width ? view->samples : 0u, a.u(0), out.f); break;
    default: sampleLane(op, *view, sampler, operands, lane, out); break;
    }
    for (unsigned k = 0; k < values && k < 4; k++)
      results[k][lane] = out.u[k];
    if (status)
      results[values][lane] = ~0u;
  }
}

} // namespace monolith::codegen
