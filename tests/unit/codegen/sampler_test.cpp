// SPDX-License-Identifier: MIT
// Generated texture reading against the scalar twin, over random and edge-case coordinates.
#include "codegen/resource_op.h"
#include "codegen/resource_ops.h"
#include "ir/builder.h"
#include "simd/simd.h"
#include "unit/codegen/test_texture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace mabi = monolith::abi;
namespace mir = monolith::ir;
namespace mstate = monolith::state;
namespace simd = monolith::simd;
namespace formats = monolith::formats;
using namespace monolith::codegen;
using formats::Format;
using mabi::ViewDimension;
using mir::Op;
using mir::ResourceDim;
using mstate::AddressMode;
using mstate::FilterMode;
using testing_texture::TestTexture;

namespace {

struct Case {
  Op op = Op::Sample;
  ResourceDim dim = ResourceDim::Texture2D;
  int8_t offset[3] = {0, 0, 0};
  uint8_t component = 0;
  mstate::SamplerState sampler;
};

unsigned operandCount(const Case& c)
{
  const unsigned coords = mir::coordinateCount(c.dim), spatial = mir::spatialCount(c.dim);
  switch (c.op) {
  case Op::SampleB:
  case Op::SampleL:
  case Op::SampleC:
  case Op::SampleCLz:
  case Op::Gather4C: return coords + 1;
  case Op::SampleD: return coords + 2 * spatial;
  case Op::Gather4Po: return coords + 2;
  case Op::Gather4PoC: return coords + 3;
  case Op::Lod: return spatial;
  case Op::Ld: return c.dim == ResourceDim::Buffer ? 1 : coords + 1;
  case Op::SampleInfo: return 0;
  case Op::SamplePos:
  case Op::ResInfo:
  case Op::LdRaw: return 1;
  case Op::LdStructured: return 2;
  default: return coords;
  }
}

struct Compiled {
  mir::Function function;
  ResourceOp op;
  simd::Routine routine;
  unsigned operands = 0, results = 0;

  Compiled(const Case& c, const mabi::TextureView& view)
  {
    function.resources.push_back({});
    function.resources[0].dim = c.dim;
    function.samplers.push_back({});
    mir::Builder b(function);
    operands = operandCount(c);
    std::vector<mir::Value> in;
    for (unsigned k = 0; k < operands; k++)
      in.push_back(b.loadInput(k, 0));
    mir::ResourceAttributes a;
    std::copy(c.offset, c.offset + 3, a.offset);
    a.component = c.component;
    const mir::Values out = b.emitResource(c.op, in.data(), operands, a);
    results = out.count;
    const size_t index = function.instructions.size() - 1;
    for (unsigned k = 0; k < results; k++)
      b.storeOutput(0, k, out[k]);
    const mir::Instruction instruction = function.instructions[index];
    op = makeResourceOp(function, instruction);
    op.quadShape = uint8_t(QuadShape::Rows);
    op.sampler = c.sampler;
    simd::Function f("sample", {simd::ArgumentKind::Pointer, simd::ArgumentKind::Pointer, simd::ArgumentKind::Pointer});
    const ViewKey key = viewKey(&view);
    ResourceContext context;
    context.bindings = f.pointerArgument(0);
    context.views = &key;
    context.viewCount = 1;
    context.samplers = &c.sampler;
    context.samplerCount = 1;
    context.lanes = LaneOrder::Quad;
    std::vector<simd::Int> words(operands), r(5);
    for (unsigned k = 0; k < operands; k++)
      words[k] = simd::loadInt(f.pointerArgument(1) + int32_t(32 * k));
    emitResourceOp(context, function, instruction, words.data(), r.data(), simd::Mask(true));
    for (unsigned k = 0; k < results; k++)
      simd::store(f.pointerArgument(2) + int32_t(32 * k), r[k]);
    // Code that only calls the twin is short: comparing it would prove nothing.
    generated = f.instructionCount() > 60;
    routine = f.finish();
  }
  bool generated = false;
};

const float kWild[] = {0.0f, -0.0f, 0.5f, 1.0f, -1.0f, 0.999999f, 1e-20f, 3.75f, -7.25f, 1e6f, -1e6f, 3e38f,
                       std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};

/// Equal bits, or both NaN, or zeros of either sign.
bool same(uint32_t a, uint32_t b)
{
  if (a == b)
    return true;
  const float fa = std::bit_cast<float>(a), fb = std::bit_cast<float>(b);
  return (std::isnan(fa) && std::isnan(fb)) || (fa == 0.0f && fb == 0.0f);
}

void compare(const Case& c, const TestTexture& t, uint32_t seed, int rounds)
{
  const Compiled code(c, t.view);
  ASSERT_TRUE(bool(code.routine));
  const formats::FormatInfo& info = formats::info(Format(t.view.format));
  const bool knows = info.isPlain() || (info.layout >= formats::Layout::BC1 && info.layout <= formats::Layout::BC7);
  if (c.op == Op::Sample && knows) {
    ASSERT_TRUE(code.generated) << info.name;
  }
  std::mt19937 random(seed);
  mabi::Sampler dynamic;
  dynamic.maxLod = 1000.0f;
  dynamic.border[0] = 0.25f;
  dynamic.border[1] = 0.5f;
  dynamic.border[2] = 1.5f;
  dynamic.border[3] = 0.125f;
  const mabi::Sampler* samplers[1] = {&dynamic};
  const mabi::TextureView* views[1] = {&t.view};
  const mabi::StageBindings bindings{nullptr, views, samplers};
  const unsigned coords = mir::coordinateCount(c.dim), spatial = mir::spatialCount(c.dim);
  const bool integers = c.op == Op::Ld || c.op == Op::LdRaw || c.op == Op::LdStructured || c.op == Op::ResInfo || c.op == Op::SamplePos;
  for (int n = 0; n < rounds; n++) {
    alignas(32) uint32_t in[12][8] = {}, got[5][8] = {}, want[5][8] = {};
    const float spread = n % 3 == 0 ? 0.02f : n % 3 == 1 ? 0.3f : 3.0f;
    float base[12];
    for (float& b : base)
      b = float(random() & 0xffff) / 16384.0f - 2.0f;
    for (unsigned k = 0; k < code.operands; k++)
      for (int lane = 0; lane < 8; lane++) {
        float v = base[k] + spread * float(random() & 0xffff) / 65536.0f;
        if (n % 11 == 10)
          v = kWild[random() % (sizeof kWild / sizeof kWild[0])];
        if (k >= spatial && k < coords)
          v = float(random() % 80) / 10.0f - 1.0f; // array slices
        in[k][lane] = std::bit_cast<uint32_t>(v);
        if (integers)
          in[k][lane] = n % 11 == 10 ? uint32_t(random()) : random() % (k + 1 == code.operands && code.operands > 1 ? 6 : 40) - 1;
        if ((c.op == Op::Gather4Po || c.op == Op::Gather4PoC) && (k == coords || k == coords + 1))
          in[k][lane] = uint32_t(random());
        if (c.op == Op::SampleL && k == coords && n % 11 != 10)
          in[k][lane] = std::bit_cast<uint32_t>(float(random() % 100) / 12.0f - 1.5f);
      }
    dynamic.lodBias = n % 5 == 0 ? 0.7f : 0.0f;
    const uint32_t* operands[12];
    uint32_t* results[5];
    for (int k = 0; k < 12; k++)
      operands[k] = in[k];
    for (int k = 0; k < 5; k++)
      results[k] = want[k];
    runResourceOp(code.op, bindings, operands, results);
    code.routine.as<void (*)(const void*, const void*, void*)>()(&bindings, in, got);
    for (unsigned k = 0; k < code.results; k++)
      for (int lane = 0; lane < 8; lane++)
        ASSERT_TRUE(same(got[k][lane], want[k][lane]))
            << formats::info(Format(t.view.format)).name << " op " << mir::opInfo(c.op).name << " dim " << mir::name(c.dim) << " round " << n
            << " lane " << lane << " channel " << k << ": " << std::bit_cast<float>(got[k][lane]) << " want " << std::bit_cast<float>(want[k][lane])
            << " at " << std::bit_cast<float>(in[0][lane]) << ' ' << std::bit_cast<float>(in[1][lane]) << ' '
            << std::bit_cast<float>(in[2][lane]) << " modes " << int(c.sampler.u) << ' ' << int(c.sampler.min) << int(c.sampler.mag)
            << int(c.sampler.mip);
  }
}

const AddressMode kModes[] = {AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border, AddressMode::MirrorOnce};

} // namespace

TEST(Sampler, AllFiltersAndAddressModes)
{
  TestTexture t(Format::R8G8B8A8_UNORM, ViewDimension::Texture2D, 24, 13, 1, 1, 4);
  t.randomise(1);
  for (AddressMode u : kModes)
    for (AddressMode v : {AddressMode::Wrap, AddressMode::Border})
      for (int filter = 0; filter < 8; filter++) {
        Case c;
        c.sampler.u = u;
        c.sampler.v = v;
        c.sampler.min = FilterMode(filter & 1);
        c.sampler.mag = FilterMode(filter >> 1 & 1);
        c.sampler.mip = FilterMode(filter >> 2);
        compare(c, t, uint32_t(filter), 60);
        c.offset[0] = -8;
        c.offset[1] = 7;
        compare(c, t, uint32_t(filter), 30);
        if (HasFatalFailure())
          return;
      }
}

TEST(Sampler, MinimumAndMaximum)
{
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R32_FLOAT, Format::BC3_UNORM})
    for (auto reduction : {mstate::Reduction::Minimum, mstate::Reduction::Maximum})
      for (int anisotropic = 0; anisotropic < 2; anisotropic++)
        for (auto dim : {ViewDimension::Texture2D, ViewDimension::TextureCube, ViewDimension::Texture3D}) {
          const uint32_t size = 16;
          if (dim == ViewDimension::Texture3D && format == Format::BC3_UNORM)
            continue;
          TestTexture t(format, dim, size, size, dim == ViewDimension::Texture3D ? 8 : 1, dim == ViewDimension::TextureCube ? 6 : 1, 4);
          t.randomise(11);
          Case c;
          c.dim = dim == ViewDimension::Texture2D ? ResourceDim::Texture2D : dim == ViewDimension::Texture3D ? ResourceDim::Texture3D : ResourceDim::TextureCube;
          c.sampler.reduction = reduction;
          c.sampler.anisotropic = uint8_t(anisotropic);
          c.sampler.maxAnisotropy = 8;
          c.sampler.u = AddressMode::Wrap;
          c.sampler.v = AddressMode::Border;
          for (Op op : {Op::Sample, Op::SampleL}) {
            c.op = op;
            compare(c, t, 3, 60);
          }
          if (HasFatalFailure())
            return;
        }
}

TEST(Sampler, CubeEdgesAndGathers)
{
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R32_FLOAT, Format::R16_UINT, Format::BC1_UNORM})
    for (uint32_t size : {1u, 2u, 3u, 16u})
      for (auto dim : {ViewDimension::TextureCube, ViewDimension::TextureCubeArray}) {
        TestTexture t(format, dim, size, size, 1, dim == ViewDimension::TextureCube ? 6 : 12, size == 16 ? 5 : 1);
        t.randomise(size);
        Case c;
        c.dim = dim == ViewDimension::TextureCube ? ResourceDim::TextureCube : ResourceDim::TextureCubeArray;
        c.sampler.func = mstate::Comparison::Less;
        const bool integer = format == Format::R16_UINT;
        if (integer)
          c.sampler.min = c.sampler.mag = c.sampler.mip = FilterMode::Point;
        for (Op op : {Op::SampleL, Op::Sample, Op::Gather4, Op::SampleCLz, Op::Gather4C}) {
          if (integer && op != Op::Gather4)
            continue;
          c.op = op;
          c.sampler.mag = integer ? FilterMode::Point : FilterMode::Linear;
          compare(c, t, 9, 200);
          c.sampler.mag = FilterMode::Point;
          compare(c, t, 10, 60);
          if (HasFatalFailure())
            return;
        }
      }
}

TEST(Sampler, Queries)
{
  struct Shape {
    ViewDimension view;
    ResourceDim dim;
    uint32_t depth, layers;
  };
  for (const Shape& s : {Shape{ViewDimension::Texture1D, ResourceDim::Texture1D, 1, 1}, Shape{ViewDimension::Texture1DArray, ResourceDim::Texture1DArray, 1, 5},
                         Shape{ViewDimension::Texture2D, ResourceDim::Texture2D, 1, 1}, Shape{ViewDimension::Texture2DArray, ResourceDim::Texture2DArray, 1, 7},
                         Shape{ViewDimension::Texture3D, ResourceDim::Texture3D, 12, 1}, Shape{ViewDimension::TextureCube, ResourceDim::TextureCube, 1, 6},
                         Shape{ViewDimension::TextureCubeArray, ResourceDim::TextureCubeArray, 1, 18}})
    for (uint8_t kind = 0; kind < 3; kind++) {
      TestTexture t(Format::R8G8B8A8_UNORM, s.view, 24, s.dim == ResourceDim::Texture1D || s.dim == ResourceDim::Texture1DArray ? 1 : 24, s.depth, s.layers, 4);
      Case c;
      c.op = Op::ResInfo;
      c.dim = s.dim;
      c.component = kind;
      compare(c, t, kind, 60);
      if (HasFatalFailure())
        return;
    }
}

TEST(Sampler, SampleQueries)
{
  for (uint8_t samples : {1, 2, 4, 8, 16})
    for (Op op : {Op::SampleInfo, Op::SamplePos})
      for (uint8_t kind : {0, 2}) {
        TestTexture t(Format::R8G8B8A8_UNORM, ViewDimension::Texture2DMS, 8, 8, 1, 1, 1);
        t.view.samples = samples;
        Case c;
        c.op = op;
        c.dim = ResourceDim::Texture2DMS;
        c.component = kind;
        compare(c, t, samples, 30);
        if (HasFatalFailure())
          return;
      }
}

TEST(Sampler, AllOperations)
{
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R32_FLOAT, Format::R16_UNORM, Format::R24_UNORM_X8_TYPELESS}) {
    TestTexture flat(format, ViewDimension::Texture2D, 32, 32, 1, 1, 6), array(format, ViewDimension::Texture2DArray, 17, 9, 1, 5, 3);
    flat.randomise(2);
    array.randomise(3);
    for (Op op : {Op::Sample, Op::SampleB, Op::SampleL, Op::SampleD, Op::SampleC, Op::SampleCLz, Op::Gather4, Op::Gather4C, Op::Gather4Po,
                  Op::Gather4PoC, Op::Lod, Op::Ld})
      for (int which = 0; which < 2; which++) {
        Case c;
        c.op = op;
        c.dim = which ? ResourceDim::Texture2DArray : ResourceDim::Texture2D;
        c.sampler.u = c.sampler.v = which ? AddressMode::Mirror : AddressMode::Wrap;
        c.sampler.func = mstate::Comparison::LessEqual;
        c.component = uint8_t(which ? 3 : 0);
        compare(c, which ? array : flat, 5, 60);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST(Sampler, AllFormats)
{
  for (uint32_t v = 1; v < formats::kFormatCount; v++) {
    const formats::FormatInfo& f = formats::info(Format(v));
    if ((!f.isPlain() && !f.isCompressed()) || f.isTypeless() || f.isDepthStencil())
      continue;
    TestTexture t(Format(v), ViewDimension::Texture2D, 24, 20, 1, 1, 3);
    t.randomise(v);
    Case c;
    const bool integer = formats::shaderType(Format(v)) != formats::ChannelType::Float;
    c.sampler.u = c.sampler.v = AddressMode::Wrap;
    if (integer)
      c.sampler.min = c.sampler.mag = c.sampler.mip = FilterMode::Point;
    compare(c, t, v, 60);
    c.sampler.min = c.sampler.mag = FilterMode::Point;
    compare(c, t, v, 20);
    if (!integer) {
      c.sampler.u = AddressMode::Border;
      c.sampler.min = c.sampler.mag = FilterMode::Linear;
      compare(c, t, v, 30);
    }
    c.op = Op::Ld;
    compare(c, t, v, 60);
    c.op = Op::Gather4;
    c.sampler.u = AddressMode::Clamp;
    c.component = 1;
    compare(c, t, v, 20);
    if (HasFatalFailure())
      return;
  }
}

TEST(Sampler, AllDimensions)
{
  struct Shape {
    ResourceDim dim;
    ViewDimension view;
    uint32_t w, h, d, layers, mips;
  };
  const Shape shapes[] = {{ResourceDim::Texture1D, ViewDimension::Texture1D, 37, 1, 1, 1, 4},
                          {ResourceDim::Texture1DArray, ViewDimension::Texture1DArray, 16, 1, 1, 4, 3},
                          {ResourceDim::Texture3D, ViewDimension::Texture3D, 12, 9, 7, 1, 3},
                          {ResourceDim::TextureCube, ViewDimension::TextureCube, 16, 16, 1, 6, 4},
                          {ResourceDim::TextureCubeArray, ViewDimension::TextureCubeArray, 8, 8, 1, 18, 2},
                          {ResourceDim::Texture2D, ViewDimension::Texture2D, 1, 1, 1, 1, 1}};
  for (const Shape& s : shapes)
    for (Format format : {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT, Format::R16_UNORM})
      for (Op op : {Op::Sample, Op::SampleL, Op::SampleD, Op::SampleCLz, Op::Ld, Op::Gather4, Op::ResInfo}) {
        const bool cube = mir::spatialCount(s.dim) == 3 && s.dim != ResourceDim::Texture3D;
        if ((op == Op::Ld && cube) || (op == Op::Gather4 && (s.dim == ResourceDim::Texture3D || s.h == 1)) ||
            (op == Op::SampleCLz && s.dim == ResourceDim::Texture3D) || op == Op::ResInfo)
          continue;
        TestTexture t(format, s.view, s.w, s.h, s.d, s.layers, s.mips);
        t.randomise(9);
        for (AddressMode mode : kModes) {
          Case c;
          c.op = op;
          c.dim = s.dim;
          c.sampler.u = c.sampler.v = c.sampler.w = mode;
          c.sampler.func = mstate::Comparison::Greater;
          compare(c, t, 21, 60);
          if (HasFatalFailure())
            return;
        }
      }
}

TEST(Sampler, Anisotropic)
{
  TestTexture t(Format::R8G8B8A8_UNORM, ViewDimension::Texture2D, 64, 64, 1, 1, 7);
  t.randomise(4);
  for (int limit : {1, 2, 5, 16})
    for (Op op : {Op::Sample, Op::SampleD, Op::SampleL, Op::SampleB}) {
      Case c;
      c.op = op;
      c.sampler.anisotropic = 1;
      c.sampler.maxAnisotropy = uint8_t(limit);
      c.sampler.u = c.sampler.v = AddressMode::Wrap;
      compare(c, t, uint32_t(limit), 60);
      if (HasFatalFailure())
        return;
    }
}

TEST(Sampler, Buffers)
{
  for (Format format : {Format::R32G32B32A32_FLOAT, Format::R8G8B8A8_UNORM, Format::R16_UINT, Format::R32G32B32_FLOAT, Format::R8_SNORM}) {
    TestTexture t(format, ViewDimension::Buffer, 24, 1, 1, 1, 1);
    t.randomise(6);
    t.view.elementStride = formats::info(format).bytesPerBlock;
    Case c;
    c.op = Op::Ld;
    c.dim = ResourceDim::Buffer;
    compare(c, t, 1, 60);
  }
  TestTexture raw(Format::R32_UINT, ViewDimension::RawBuffer, 24, 1, 1, 1, 1);
  raw.randomise(7);
  Case c;
  c.op = Op::LdRaw;
  c.dim = ResourceDim::RawBuffer;
  compare(c, raw, 1, 60);
  TestTexture structured(Format::R32_UINT, ViewDimension::StructuredBuffer, 64, 4, 1, 1, 1);
  structured.randomise(8);
  structured.view.width = 20;
  structured.view.elementStride = 28;
  c.op = Op::LdStructured;
  c.dim = ResourceDim::StructuredBuffer;
  compare(c, structured, 1, 60);
}
