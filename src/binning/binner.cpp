// SPDX-License-Identifier: MIT
#include "binning/binner.h"

#include "binning/line_setup.h"
#include "binning/triangle_setup.h"
#include "formats/format.h"
#include "tiles/coverage.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>

namespace monolith::binning {

namespace {

using abi::PrimitiveRecord;
using tiles::EdgeShape;
using tiles::LineShape;
using tiles::Primitive;
using tiles::SampledShape;
using tiles::SmallShape;

static_assert(sizeof(Primitive) % 8 == 0);

const float* vertexPointer(const VertexBatch& batch, uint32_t index)
{
  return reinterpret_cast<const float*>(reinterpret_cast<const uint8_t*>(batch.packets) +
                                        uint64_t(index >> 3) * batch.packetStride) +
         (index & 7);
}
int32_t fixedX(const float* v) { return std::bit_cast<int32_t>(v[4 * 8]); }
int32_t fixedY(const float* v) { return std::bit_cast<int32_t>(v[5 * 8]); }
float depthOf(const float* v) { return v[6 * 8]; }
float reciprocalW(const float* v) { return v[7 * 8]; }
bool inRange(const float* v)
{
  const int32_t x = fixedX(v), y = fixedY(v);
  return x >= -kMaxPosition && x <= kMaxPosition && y >= -kMaxPosition && y <= kMaxPosition;
}
int32_t minInt(int32_t a, int32_t b) { return a < b ? a : b; }
int32_t maxInt(int32_t a, int32_t b) { return a > b ? a : b; }

uint32_t sampledBytes(uint32_t samples) { return uint32_t(offsetof(SampledShape, mask)) + samples * 8; }
void fillSampled(SampledShape& shape, uint32_t x, uint32_t y, const uint64_t* masks, uint32_t samples)
{
  shape.x = uint16_t(x);
  shape.y = uint16_t(y);
  shape.reserved = 0;
  memcpy(reinterpret_cast<uint8_t*>(&shape) + offsetof(SampledShape, mask), masks, samples * sizeof(uint64_t));
}

class BinnerImpl final : public Binner {
public:
  void begin(const tiles::Scene& scene) override;
  void setDraw(const tiles::DrawSetup* draw) override;
  void triangles(const VertexBatch& batch, const uint32_t* indices, uint32_t count, const uint32_t* primitiveIds,
                 uint32_t firstPrimitiveId, const uint8_t* edgeFlags) override;
  void lines(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId) override;
  void points(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId) override;
  uint64_t memoryUsed() const override { return m_bins.memoryUsed(); }
  bool ok() const override { return m_bins.ok(); }
  void* allocate(uint64_t bytes) override { return m_bins.allocate(bytes); }
  void setMemoryLimit(uint64_t bytes) override { m_bins.setLimit(bytes); }
  tiles::ChunkBins* bins() override { return &m_bins; }

private:
  void makeSetupState();
  Primitive* newTriangle(const VertexBatch& batch, const SetupResult& setup, uint32_t lane, uint32_t primitiveId,
                         uint32_t shapeBytes, uint32_t& payload);
  void emitEdges(const VertexBatch& batch, const SetupResult& setup, uint32_t lane, uint32_t primitiveId);
  void emitSmall(const VertexBatch& batch, const SetupResult& setup, uint32_t lane, uint32_t primitiveId);
  void placeSmall(uint32_t x, uint32_t y, uint64_t mask, uint32_t payload);
  void fillEdges(EdgeShape& shape, const FixedPoint2 (&v)[3], bool clockwise, tiles::EntryKind kind, bool conservative) const;
  void binShape(const EdgeShape& shape, uint32_t payload, tiles::EntryKind kind);
  void binEdges(const EdgeShape& shape, uint32_t payload, tiles::EntryKind kind);
  void wireframe(const VertexBatch& batch, const uint32_t* indices, uint32_t primitiveId, uint32_t edges);
  struct LineRecord {
    const float *start, *end, *flat;
    float bias;
    uint32_t flags, primitiveId;
  };
  void emitLine(const LineRecord& line);
  void emitAliasedLine(const LineRecord& line);
  void emitQuadLine(const LineRecord& line);
  void emitSmoothLine(const LineRecord& line);
  struct LinePlanes {
    float l1dx, l1dy, l2dx, l2dy;
  };
  void emitRectangle(const LineRecord& line, const LinePlanes& planes, const FixedPoint2 (&corners)[4], tiles::EntryKind kind);
  void fillLine(PrimitiveRecord& record, const LineRecord& line, const LinePlanes& planes) const;
  void emitPoint(const float* vertex, uint32_t primitiveId);
  void binLine(const LineShape& shape, uint32_t payload);
  void fillViewport(PrimitiveRecord& record) const
  {
    record.minDepth = m_draw->minDepth;
    record.maxDepth = m_draw->maxDepth;
  }

  tiles::ChunkBins m_bins;
  const tiles::DrawSetup* m_draw = nullptr;
  SetupState m_state;
  const SetupFunction m_bestSetup = bestSetup();
  SetupFunction m_setup = m_bestSetup;
  tiles::SamplePattern m_pattern{1, abi::kSamplePositions1};
  bool m_innerCoverage = false; ///< Conservative triangles need their edges, however small they are.
  bool m_skip = true; ///< Nothing of the current draw can be seen.
  uint32_t m_width = 0, m_height = 0, m_tilesX = 0;
};

void BinnerImpl::begin(const tiles::Scene& scene)
{
  m_width = scene.targets.width;
  m_height = scene.targets.height;
  m_tilesX = scene.tilesX;
  m_draw = nullptr;
  m_skip = true;
  m_bins.begin(scene.tilesX, scene.tilesY);
}

/// What one integer step of DepthBias adds: the smallest positive value of a UNORM format; for float formats the number
/// of mantissa bits. No depth buffer counts as UNORM (15.10); 24 bits are then as good as any.
void BinnerImpl::makeSetupState()
{
  const state::RasterizerState& raster = m_draw->raster;
  m_state = SetupState{};
  m_state.clipX0 = maxInt(m_draw->scissor.left, 0);
  m_state.clipY0 = maxInt(m_draw->scissor.top, 0);
  m_state.clipX1 = minInt(m_draw->scissor.right, int32_t(m_width)) - 1;
  m_state.clipY1 = minInt(m_draw->scissor.bottom, int32_t(m_height)) - 1;
  m_state.frontClockwise = raster.frontCounterClockwise ? 0 : 1;
  const bool cullFront = raster.cull == state::CullMode::Front, cullBack = raster.cull == state::CullMode::Back;
  m_state.cullClockwise = m_state.frontClockwise ? cullFront : cullBack;
  m_state.cullCounterClockwise = m_state.frontClockwise ? cullBack : cullFront;
  m_pattern = tiles::patternOf(m_draw->context);
  m_setup = m_bestSetup;
  m_innerCoverage = false;
  if (raster.conservative) {
    m_state.conservative = 1;
    // 256p + 256 > low - 1 and 256p < high + 1
    m_state.lowRound = 256;
    m_state.highRound = -1;
    m_setup = setupScalar;
    m_innerCoverage = m_draw->routine->readsInnerCoverage;
  } else {
    m_state.samples = m_pattern.count;
    m_state.positions = m_pattern.positions;
    for (uint32_t i = 0; i < m_pattern.count; ++i) {
      const int32_t x = 128 + m_pattern.positions[i].x * 16, y = 128 + m_pattern.positions[i].y * 16;
      m_state.lowRound = i ? maxInt(m_state.lowRound, maxInt(x, y)) : maxInt(x, y);
      m_state.highRound = i ? minInt(m_state.highRound, minInt(x, y)) : minInt(x, y);
    }
  }
  m_state.biasEnabled = raster.depthBias != 0 || raster.slopeScaledDepthBias != 0;
  m_state.biasSlope = raster.slopeScaledDepthBias;
  m_state.biasClamp = raster.depthBiasClamp;
  uint32_t bits = 24;
  if (m_draw->depthFormat != formats::Format{}) {
    const formats::Channel& depth = formats::info(m_draw->depthFormat).channel[0];
    m_state.biasFloat = depth.type == formats::ChannelType::Float;
    if (depth.bits > 0 && depth.bits <= 32)
      bits = depth.bits;
  }
  if (m_state.biasFloat) {
    m_state.biasConstant = float(raster.depthBias);
    m_state.biasExponent = 23u << 23;
  } else {
    m_state.biasConstant = float(raster.depthBias) * float(1.0 / double((uint64_t(1) << bits) - 1));
  }
}

void BinnerImpl::setDraw(const tiles::DrawSetup* draw)
{
  m_draw = draw;
  // Without tile lists (begin() failed) nothing may be appended.
  m_skip = !draw || !m_bins.ok() || !draw->routine || draw->routine->noEffect || !draw->routine->entry;
  if (m_skip)
    return;
  makeSetupState();
  m_skip = m_state.clipX0 > m_state.clipX1 || m_state.clipY0 > m_state.clipY1;
  if (!m_skip)
    m_bins.addDraw(draw);
}

void BinnerImpl::triangles(const VertexBatch& batch, const uint32_t* indices, uint32_t count,
                           const uint32_t* primitiveIds, uint32_t firstPrimitiveId, const uint8_t* edgeFlags)
{
  if (m_skip)
    return;
  if (m_draw->raster.fill == state::FillMode::Wireframe) {
    for (uint32_t i = 0; i < count; ++i)
      wireframe(batch, indices + size_t(i) * 3, primitiveIds ? primitiveIds[i] : firstPrimitiveId + i,
                edgeFlags ? edgeFlags[i] : 7u);
    return;
  }
  SetupResult setup;
  for (uint32_t first = 0; first < count; first += 8) {
    const uint32_t* group = indices + size_t(first) * 3;
    m_setup(m_state, batch, group, count - first < 8 ? count - first : 8, setup);
    for (uint32_t live = setup.live; live != 0; live &= live - 1) {
      const uint32_t lane = uint32_t(std::countr_zero(live));
      const uint32_t id = primitiveIds ? primitiveIds[first + lane] : firstPrimitiveId + first + lane;
      if ((setup.small & (1u << lane)) && !m_innerCoverage)
        emitSmall(batch, setup, lane, id);
      else
        emitEdges(batch, setup, lane, id);
    }
  }
}

/// A record with everything but the shape; null when out of memory.
inline Primitive* BinnerImpl::newTriangle(const VertexBatch& batch, const SetupResult& setup, uint32_t lane,
                                          uint32_t primitiveId, uint32_t shapeBytes, uint32_t& payload)
{
  Primitive* primitive = m_bins.newPrimitive(shapeBytes, payload);
  if (!primitive) [[unlikely]]
    return nullptr;
  PrimitiveRecord& r = primitive->record;
  static_assert(offsetof(PrimitiveRecord, rw2) == 11 * sizeof(float));
  memcpy(&r, setup.plane[lane], 12 * sizeof(float));
  const auto* packets = reinterpret_cast<const uint8_t*>(batch.packets);
  for (int k = 0; k < 3; ++k)
    r.v[k] = reinterpret_cast<const float*>(packets + setup.offset[k][lane]);
  r.flat = r.v[0];
  r.flags = ((setup.clockwise >> lane) & 1u) == m_state.frontClockwise ? uint32_t(abi::kFrontFacing) : 0u;
  r.primitiveId = primitiveId;
  fillViewport(r);
  return primitive;
}

inline void BinnerImpl::emitSmall(const VertexBatch& batch, const SetupResult& setup, uint32_t lane,
                                  uint32_t primitiveId)
{
  const uint32_t shapeBytes = m_pattern.count == 1 ? uint32_t(sizeof(SmallShape)) : sampledBytes(m_pattern.count);
  uint32_t payload = 0;
  Primitive* primitive = newTriangle(batch, setup, lane, primitiveId, shapeBytes, payload);
  if (!primitive) [[unlikely]]
    return;
  const uint32_t x = uint32_t(setup.minX[lane]), y = uint32_t(setup.minY[lane]);
  const uint64_t mask = setup.mask[lane];
  if (m_pattern.count == 1) {
    primitive->shape<SmallShape>() = {mask, uint16_t(x), uint16_t(y), 0};
  } else if (m_state.samples == m_pattern.count) {
    fillSampled(primitive->shape<SampledShape>(), x, y, setup.sampleMask[lane], m_pattern.count);
  } else { // all samples alike
    uint64_t masks[abi::kMaxSamples];
    for (uint64_t& m : masks)
      m = mask;
    fillSampled(primitive->shape<SampledShape>(), x, y, masks, m_pattern.count);
  }
  placeSmall(x, y, mask, payload);
}

/// Entries for an 8x8 window of pixels at (x, y), in the tiles that hold a covered one.
inline void BinnerImpl::placeSmall(uint32_t x, uint32_t y, uint64_t mask, uint32_t payload)
{
  const uint32_t tile = (y >> 6) * m_tilesX + (x >> 6);
  if (((x & 63) <= 56) & ((y & 63) <= 56)) {
    m_bins.append(tile, tiles::kSmall, payload);
    return;
  }
  // Bits that fall into the tiles right of and below the one that holds (x, y).
  const uint32_t columns = 64 - (x & 63), rows = 64 - (y & 63);
  const uint64_t left = columns >= 8 ? ~uint64_t(0) : 0x0101010101010101u * ((1u << columns) - 1);
  const uint64_t top = rows >= 8 ? ~uint64_t(0) : (uint64_t(1) << (rows * 8)) - 1;
  if (mask & left & top)
    m_bins.append(tile, tiles::kSmall, payload);
  if (mask & ~left & top)
    m_bins.append(tile + 1, tiles::kSmall, payload);
  if (mask & left & ~top)
    m_bins.append(tile + m_tilesX, tiles::kSmall, payload);
  if (mask & ~left & ~top)
    m_bins.append(tile + m_tilesX + 1, tiles::kSmall, payload);
}

void BinnerImpl::fillEdges(EdgeShape& shape, const FixedPoint2 (&v)[3], bool clockwise, tiles::EntryKind kind,
                           bool conservative) const
{
  const int shift = m_pattern.count == 1 && kind != tiles::kCentre ? 8 : 0;
  for (int k = 0; k < 3; ++k) {
    const FixedPoint2 from = v[k], to = v[k == 2 ? 0 : k + 1];
    const int32_t dx = to.x - from.x, dy = to.y - from.y;
    const int32_t a = clockwise ? -dy : dy, b = clockwise ? dx : -dx;
    const int64_t margin = conservative ? conservativeMargin(a, b) : a > 0 || (a == 0 && b > 0) ? 0 : -1;
    shape.a[k] = a;
    shape.b[k] = b;
    shape.c[k] = (int64_t(a) * (128 - from.x) + int64_t(b) * (128 - from.y) + margin) >> shift;
  }
}

void BinnerImpl::emitEdges(const VertexBatch& batch, const SetupResult& setup, uint32_t lane, uint32_t primitiveId)
{
  uint32_t payload = 0;
  Primitive* primitive = newTriangle(batch, setup, lane, primitiveId, sizeof(EdgeShape), payload);
  if (!primitive)
    return;
  EdgeShape& shape = primitive->shape<EdgeShape>();
  const FixedPoint2 v[3] = {{setup.x[0][lane], setup.y[0][lane]},
                            {setup.x[1][lane], setup.y[1][lane]},
                            {setup.x[2][lane], setup.y[2][lane]}};
  const tiles::EntryKind kind = m_state.conservative ? tiles::kCentre : tiles::kTriangle;
  fillEdges(shape, v, (setup.clockwise >> lane) & 1u, kind, m_state.conservative);
  shape.x0 = uint16_t(setup.minX[lane]);
  shape.y0 = uint16_t(setup.minY[lane]);
  shape.x1 = uint16_t(setup.maxX[lane]);
  shape.y1 = uint16_t(setup.maxY[lane]);
  binShape(shape, payload, kind);
}

inline void BinnerImpl::binShape(const EdgeShape& shape, uint32_t payload, tiles::EntryKind kind)
{
  const uint32_t tx0 = shape.x0 >> 6u, ty0 = shape.y0 >> 6u;
  if (tx0 == uint32_t(shape.x1 >> 6u) && ty0 == uint32_t(shape.y1 >> 6u))
    m_bins.append(ty0 * m_tilesX + tx0, kind, payload);
  else
    binEdges(shape, payload, kind);
}

void BinnerImpl::binEdges(const EdgeShape& shape, uint32_t payload, tiles::EntryKind kind)
{
  const uint32_t tx0 = shape.x0 >> 6u, tx1 = shape.x1 >> 6u, ty0 = shape.y0 >> 6u, ty1 = shape.y1 >> 6u;
  int64_t row[3], stepX[3], stepY[3], reject[3], accept[3];
  for (int k = 0; k < 3; ++k) {
    const int64_t a = shape.a[k], b = shape.b[k];
    stepX[k] = a * 64;
    stepY[k] = b * 64;
    // Largest and smallest value among the tile's pixels, relative to its first pixel.
    reject[k] = 63 * ((a > 0 ? a : 0) + (b > 0 ? b : 0));
    accept[k] = 63 * ((a < 0 ? a : 0) + (b < 0 ? b : 0));
    int64_t first = shape.c[k];
    if (kind == tiles::kCentre) {
      first >>= 8;
    } else if (m_pattern.count > 1) {
      // Samples lie within half a pixel of the centre.
      const int64_t margin = (((a < 0 ? -a : a) + (b < 0 ? -b : b)) >> 1) + 1;
      first >>= 8;
      reject[k] += margin;
      accept[k] -= margin;
    }
    row[k] = first + stepX[k] * tx0 + stepY[k] * ty0;
  }
  for (uint32_t ty = ty0; ty <= ty1; ++ty) {
    int64_t e[3] = {row[0], row[1], row[2]};
    for (uint32_t tx = tx0; tx <= tx1; ++tx) {
      // Sign bits: any negative maximum rejects, no negative minimum accepts.
      const int64_t out = (e[0] + reject[0]) | (e[1] + reject[1]) | (e[2] + reject[2]);
      if (out >= 0) {
        const int64_t partial = (e[0] + accept[0]) | (e[1] + accept[1]) | (e[2] + accept[2]);
        // Widened edges reach beyond the bounds, so a tile inside of them may still lie outside.
        const bool full = partial >= 0 && !m_state.conservative;
        m_bins.append(ty * m_tilesX + tx, full ? tiles::kFull : kind, payload);
      }
      for (int k = 0; k < 3; ++k)
        e[k] += stepX[k];
    }
    for (int k = 0; k < 3; ++k)
      row[k] += stepY[k];
  }
}

/// Lines of the edges, with facing and depth bias of the triangle (15.13). Triangles without area face back (15.11.1).
void BinnerImpl::wireframe(const VertexBatch& batch, const uint32_t* indices, uint32_t primitiveId, uint32_t edges)
{
  const float* v[3];
  for (int k = 0; k < 3; ++k) {
    v[k] = vertexPointer(batch, indices[k]);
    if (!inRange(v[k]))
      return;
  }
  const double e1x = fixedX(v[1]) - fixedX(v[0]), e1y = fixedY(v[1]) - fixedY(v[0]);
  const double e2x = fixedX(v[2]) - fixedX(v[0]), e2y = fixedY(v[2]) - fixedY(v[0]);
  const double area = e1x * e2y - e2x * e1y;
  const bool front = area != 0 && uint32_t(area > 0) == m_state.frontClockwise;
  if (m_draw->raster.cull == (front ? state::CullMode::Front : state::CullMode::Back))
    return;
  float bias = 0;
  if (m_state.biasEnabled) {
    const double dz1 = double(depthOf(v[1])) - double(depthOf(v[0])), dz2 = double(depthOf(v[2])) - double(depthOf(v[0]));
    const double scale = area != 0 ? 256.0 / area : 0.0;
    float maxAbsZ = 0;
    for (const float* vertex : v) {
      const float z = depthOf(vertex) < 0 ? -depthOf(vertex) : depthOf(vertex);
      maxAbsZ = z > maxAbsZ ? z : maxAbsZ;
    }
    bias = depthBias(m_state, maxAbsZ, float((e2y * dz1 - e1y * dz2) * scale), float((e1x * dz2 - e2x * dz1) * scale));
  }
  for (uint32_t k = 0; k < 3; ++k)
    if (edges & (1u << k))
      emitLine({v[k], v[k == 2 ? 0 : k + 1], v[0], bias, front ? uint32_t(abi::kFrontFacing) : 0u, primitiveId});
}

/// Line modes (15.14.1), whatever the number of samples.
void BinnerImpl::emitLine(const LineRecord& line)
{
  if (m_draw->raster.multisample)
    emitQuadLine(line);
  else if (m_draw->smoothLines)
    emitSmoothLine(line);
  else
    emitAliasedLine(line);
}

void BinnerImpl::fillLine(PrimitiveRecord& r, const LineRecord& line, const LinePlanes& planes) const
{
  const float z0 = depthOf(line.start) + line.bias, z1 = depthOf(line.end) + line.bias;
  r.x0 = float(fixedX(line.start)) * (1.0f / 256);
  r.y0 = float(fixedY(line.start)) * (1.0f / 256);
  r.l1dx = planes.l1dx;
  r.l1dy = planes.l1dy;
  r.l2dx = planes.l2dx;
  r.l2dy = planes.l2dy;
  r.z0 = z0;
  r.dzdx = r.l1dx * (z1 - z0);
  r.dzdy = r.l1dy * (z1 - z0);
  r.rw0 = r.rw2 = reciprocalW(line.start);
  r.rw1 = reciprocalW(line.end);
  r.v[0] = r.v[2] = line.start;
  r.v[1] = line.end;
  r.flat = line.flat;
  r.flags = line.flags;
  r.primitiveId = line.primitiveId;
  fillViewport(r);
}

void BinnerImpl::emitAliasedLine(const LineRecord& line)
{
  const FixedPoint2 start{fixedX(line.start), fixedY(line.start)}, end{fixedX(line.end), fixedY(line.end)};
  LineShape shape;
  if (!setupLine(start, end, shape))
    return;
  shape.first = maxInt(shape.first, shape.yMajor ? m_state.clipY0 : m_state.clipX0);
  shape.last = minInt(shape.last, shape.yMajor ? m_state.clipY1 : m_state.clipX1);
  if (shape.first > shape.last)
    return;
  uint32_t payload = 0;
  Primitive* primitive = m_bins.newPrimitive(sizeof(LineShape), payload);
  if (!primitive)
    return;
  // Weights run along the major axis, where pixel centres lie on the line.
  const float gradient = float(256.0 / double(shape.yMajor ? end.y - start.y : end.x - start.x));
  fillLine(primitive->record, line, {shape.yMajor ? 0.0f : gradient, shape.yMajor ? gradient : 0.0f, 0, 0});
  primitive->shape<LineShape>() = shape;
  binLine(shape, payload);
}

/// A rectangle of width 1.4 along the line (3.4.5); attributes do not vary across it.
void BinnerImpl::emitQuadLine(const LineRecord& line)
{
  const FixedPoint2 start{fixedX(line.start), fixedY(line.start)}, end{fixedX(line.end), fixedY(line.end)};
  const double dx = end.x - start.x, dy = end.y - start.y, square = dx * dx + dy * dy;
  if (square == 0)
    return;
  const double scale = 0.7 * 256 / std::sqrt(square);
  const int32_t nx = int32_t(std::nearbyint(-dy * scale)), ny = int32_t(std::nearbyint(dx * scale));
  // Clockwise with y down: the normal points to the right-hand side of the direction.
  const FixedPoint2 corners[4] = {{start.x - nx, start.y - ny}, {end.x - nx, end.y - ny},
                                  {end.x + nx, end.y + ny}, {start.x + nx, start.y + ny}};
  emitRectangle(line, {float(dx * 256 / square), float(dy * 256 / square), 0, 0}, corners, tiles::kTriangle);
}

/// Everything that the filter of an alpha-antialiased line may reach (3.4.4): a width of 2, half a pixel beyond the ends.
/// The kernel computes the coverage from the distance across, which takes the place of l2.
void BinnerImpl::emitSmoothLine(const LineRecord& line)
{
  const FixedPoint2 start{fixedX(line.start), fixedY(line.start)}, end{fixedX(line.end), fixedY(line.end)};
  const double dx = end.x - start.x, dy = end.y - start.y, square = dx * dx + dy * dy;
  if (square == 0)
    return;
  const double ux = dx / std::sqrt(square), uy = dy / std::sqrt(square); // along; (-uy, ux) is across
  const auto corner = [&](FixedPoint2 at, double along, double across) {
    return FixedPoint2{at.x + int32_t(std::nearbyint((ux * along - uy * across) * 256)),
                       at.y + int32_t(std::nearbyint((uy * along + ux * across) * 256))};
  };
  const FixedPoint2 corners[4] = {corner(start, -0.5, -1), corner(end, 0.5, -1), corner(end, 0.5, 1), corner(start, -0.5, 1)};
  const LinePlanes planes = {float(dx * 256 / square), float(dy * 256 / square), float(-uy), float(ux)};
  emitRectangle(line, planes, corners, tiles::kCentre);
}

/// Two triangles. kCentre: by pixel centres for all samples.
void BinnerImpl::emitRectangle(const LineRecord& line, const LinePlanes& planes, const FixedPoint2 (&corners)[4],
                               tiles::EntryKind kind)
{
  const int32_t lowRound = kind == tiles::kCentre ? 128 : m_state.lowRound;
  const int32_t highRound = kind == tiles::kCentre ? 128 : m_state.highRound;
  for (int half = 0; half < 2; ++half) {
    const FixedPoint2 v[3] = {corners[0], corners[half + 1], corners[half + 2]};
    const int64_t area = int64_t(v[1].x - v[0].x) * (v[2].y - v[0].y) - int64_t(v[1].y - v[0].y) * (v[2].x - v[0].x);
    const int32_t lowX = minInt(v[0].x, minInt(v[1].x, v[2].x)), highX = maxInt(v[0].x, maxInt(v[1].x, v[2].x));
    const int32_t lowY = minInt(v[0].y, minInt(v[1].y, v[2].y)), highY = maxInt(v[0].y, maxInt(v[1].y, v[2].y));
    const int32_t x0 = maxInt((lowX + 255 - lowRound) >> 8, m_state.clipX0), y0 = maxInt((lowY + 255 - lowRound) >> 8, m_state.clipY0);
    const int32_t x1 = minInt((highX - 1 - highRound) >> 8, m_state.clipX1), y1 = minInt((highY - 1 - highRound) >> 8, m_state.clipY1);
    if (area == 0 || x0 > x1 || y0 > y1)
      continue;
    uint32_t payload = 0;
    Primitive* primitive = m_bins.newPrimitive(sizeof(EdgeShape), payload);
    if (!primitive)
      return;
    fillLine(primitive->record, line, planes);
    EdgeShape& shape = primitive->shape<EdgeShape>();
    fillEdges(shape, v, area > 0, kind, false);
    shape.x0 = uint16_t(x0);
    shape.y0 = uint16_t(y0);
    shape.x1 = uint16_t(x1);
    shape.y1 = uint16_t(y1);
    binShape(shape, payload, kind);
  }
}

void BinnerImpl::binLine(const LineShape& shape, uint32_t payload)
{
  const int64_t clip0 = shape.yMajor ? m_state.clipX0 : m_state.clipY0;
  const int64_t clip1 = shape.yMajor ? m_state.clipX1 : m_state.clipY1;
  for (int32_t major = shape.first >> 6; major <= shape.last >> 6; ++major) {
    // The minor coordinate is monotonic: its values at both ends of the tile bound the tiles crossed.
    const int64_t a = lineMinor(shape, maxInt(shape.first, major * 64));
    const int64_t b = lineMinor(shape, minInt(shape.last, major * 64 + 63));
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    low = low > clip0 ? low : clip0;
    high = high < clip1 ? high : clip1;
    if (low > high)
      continue;
    for (int64_t minor = low >> 6; minor <= high >> 6; ++minor) {
      const uint32_t tx = shape.yMajor ? uint32_t(minor) : uint32_t(major);
      const uint32_t ty = shape.yMajor ? uint32_t(major) : uint32_t(minor);
      m_bins.append(ty * m_tilesX + tx, tiles::kLine, payload);
    }
  }
}

void BinnerImpl::lines(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId)
{
  if (m_skip)
    return;
  for (uint32_t i = 0; i < count; ++i) {
    const float* start = vertexPointer(batch, indices[i * 2]);
    const float* end = vertexPointer(batch, indices[i * 2 + 1]);
    if (inRange(start) && inRange(end))
      emitLine({start, end, start, 0.0f, abi::kFrontFacing, firstPrimitiveId + i});
  }
}

void BinnerImpl::points(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId)
{
  if (m_skip)
    return;
  for (uint32_t i = 0; i < count; ++i) {
    const float* v = vertexPointer(batch, indices[i]);
    if (inRange(v))
      emitPoint(v, firstPrimitiveId + i);
  }
}

/// A point is the square of one pixel around it, filled by the triangle rule (3.4.6). So each sample is covered in
/// exactly one pixel: the one where it lies in [x - 1/2, x + 1/2) and [y - 1/2, y + 1/2).
void BinnerImpl::emitPoint(const float* v, uint32_t primitiveId)
{
  const int32_t pointX = fixedX(v), pointY = fixedY(v);
  // The first pixel that any sample may cover; the window of 8x8 pixels holds the others.
  const int32_t x = maxInt((pointX - 128 + 255 - 256) >> 8, m_state.clipX0);
  const int32_t y = maxInt((pointY - 128 + 255 - 256) >> 8, m_state.clipY0);
  uint64_t masks[abi::kMaxSamples] = {}, mask = 0;
  for (uint32_t s = 0; s < m_pattern.count; ++s) {
    const int32_t px = (pointX - 1 - m_pattern.positions[s].x * 16) >> 8, py = (pointY - 1 - m_pattern.positions[s].y * 16) >> 8;
    if (px >= x && px <= m_state.clipX1 && py >= y && py <= m_state.clipY1)
      masks[s] = uint64_t(1) << ((py - y) * 8 + (px - x));
    mask |= masks[s];
  }
  if (mask == 0)
    return;
  uint32_t payload = 0;
  Primitive* primitive = m_bins.newPrimitive(
      m_pattern.count == 1 ? uint32_t(sizeof(SmallShape)) : sampledBytes(m_pattern.count), payload);
  if (!primitive)
    return;
  PrimitiveRecord& r = primitive->record;
  r = PrimitiveRecord{};
  r.x0 = float(pointX) * (1.0f / 256);
  r.y0 = float(pointY) * (1.0f / 256);
  r.z0 = depthOf(v);
  r.rw0 = r.rw1 = r.rw2 = reciprocalW(v);
  r.v[0] = r.v[1] = r.v[2] = r.flat = v;
  r.flags = abi::kFrontFacing;
  r.primitiveId = primitiveId;
  fillViewport(r);
  if (m_pattern.count == 1)
    primitive->shape<SmallShape>() = {mask, uint16_t(x), uint16_t(y), 0};
  else
    fillSampled(primitive->shape<SampledShape>(), uint32_t(x), uint32_t(y), masks, m_pattern.count);
  placeSmall(uint32_t(x), uint32_t(y), mask, payload);
}

} // namespace

std::unique_ptr<Binner> Binner::create()
{
  return std::unique_ptr<Binner>(new (std::nothrow) BinnerImpl);
}

} // namespace monolith::binning
