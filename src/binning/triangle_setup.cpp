// SPDX-License-Identifier: MIT
#include "binning/triangle_setup.h"

#include "binning/binner.h"

#include <bit>
#include <cstring>

namespace monolith::binning {

namespace {

float absolute(float v) { return std::bit_cast<float>(std::bit_cast<uint32_t>(v) & 0x7fffffffu); }
/// b when either is NaN, as the SIMD instructions have it.
float maxOf(float a, float b) { return a > b ? a : b; }
float minOf(float a, float b) { return a < b ? a : b; }
int32_t minInt(int32_t a, int32_t b) { return a < b ? a : b; }
int32_t maxInt(int32_t a, int32_t b) { return a > b ? a : b; }

struct Vertex {
  int32_t x, y;
  float z, rw;
};

uint32_t vertexOffset(const VertexBatch& batch, uint32_t index)
{
  return (index >> 3) * batch.packetStride + (index & 7) * 4;
}

Vertex load(const VertexBatch& batch, uint32_t offset)
{
  const float* p = reinterpret_cast<const float*>(reinterpret_cast<const uint8_t*>(batch.packets) + offset);
  return {std::bit_cast<int32_t>(p[4 * 8]), std::bit_cast<int32_t>(p[5 * 8]), p[6 * 8], p[7 * 8]};
}

bool inRange(int32_t v) { return v >= -kMaxPosition && v <= kMaxPosition; }

/// Coverage of the 8x8 pixels at (x0, y0) by one sample at 256*p + 128 + (dx, dy). They lie within a bounding box of
/// at most 8x8 pixels: 32 bits suffice.
uint64_t windowCoverage(const Vertex* v, bool clockwise, bool conservative, int32_t x0, int32_t y0, int32_t dx, int32_t dy)
{
  uint64_t outside = 0;
  for (int k = 0; k < 3; ++k) {
    const Vertex& from = v[k];
    const Vertex& to = v[k == 2 ? 0 : k + 1];
    const int32_t a = clockwise ? from.y - to.y : to.y - from.y;
    const int32_t b = clockwise ? to.x - from.x : from.x - to.x;
    const bool topLeft = a > 0 || (a == 0 && b > 0);
    const int32_t margin = conservative ? int32_t(conservativeMargin(a, b)) : topLeft ? 0 : -1;
    const int32_t e = a * (x0 * 256 + 128 + dx - from.x) + b * (y0 * 256 + 128 + dy - from.y) + margin;
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i)
        outside |= uint64_t(e + a * 256 * i + b * 256 * j < 0) << (j * 8 + i);
  }
  return ~outside;
}

} // namespace

float depthBias(const SetupState& state, float maxAbsZ, float dzdx, float dzdy)
{
  float bias = state.biasConstant;
  if (state.biasFloat) {
    const uint32_t exponent = std::bit_cast<uint32_t>(maxAbsZ) & 0x7f800000u;
    bias *= exponent > state.biasExponent ? std::bit_cast<float>(exponent - state.biasExponent) : 0.0f;
  }
  // A slope of zero must not meet an infinite gradient.
  if (state.biasSlope != 0)
    bias = bias + state.biasSlope * maxOf(absolute(dzdx), absolute(dzdy));
  if (state.biasClamp > 0)
    bias = minOf(state.biasClamp, bias);
  else if (state.biasClamp < 0)
    bias = maxOf(state.biasClamp, bias);
  return bias;
}

void setupScalar(const SetupState& state, const VertexBatch& batch, const uint32_t* indices, uint32_t count,
                 SetupResult& out)
{
  out.live = out.small = out.clockwise = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Vertex v[3];
    bool valid = true;
    for (int k = 0; k < 3; ++k) {
      out.offset[k][i] = vertexOffset(batch, indices[i * 3 + uint32_t(k)]);
      v[k] = load(batch, out.offset[k][i]);
      valid = valid && inRange(v[k].x) && inRange(v[k].y);
    }
    if (!valid)
      continue;
    const double e1x = v[1].x - v[0].x, e1y = v[1].y - v[0].y;
    const double e2x = v[2].x - v[0].x, e2y = v[2].y - v[0].y;
    const double area = e1x * e2y - e2x * e1y;
    const bool clockwise = area > 0 || (area == 0 && !state.frontClockwise);
    if ((area == 0 && !state.conservative) || (clockwise ? state.cullClockwise : state.cullCounterClockwise))
      continue;
    // Right of or on the left bound, and left of the right bound.
    const int32_t boxX0 = (minInt(v[0].x, minInt(v[1].x, v[2].x)) + 255 - state.lowRound) >> 8;
    const int32_t boxY0 = (minInt(v[0].y, minInt(v[1].y, v[2].y)) + 255 - state.lowRound) >> 8;
    const int32_t boxX1 = (maxInt(v[0].x, maxInt(v[1].x, v[2].x)) - 1 - state.highRound) >> 8;
    const int32_t boxY1 = (maxInt(v[0].y, maxInt(v[1].y, v[2].y)) - 1 - state.highRound) >> 8;
    const int32_t x0 = maxInt(boxX0, state.clipX0), y0 = maxInt(boxY0, state.clipY0);
    const int32_t x1 = minInt(boxX1, state.clipX1), y1 = minInt(boxY1, state.clipY1);
    if (x0 > x1 || y0 > y1)
      continue;
    if (boxX1 - boxX0 < 8 && boxY1 - boxY0 < 8) {
      const uint64_t columns = 0x0101010101010101u * ((2u << (x1 - x0)) - 1);
      const uint64_t rows = ~uint64_t(0) >> (8 * (7 - (y1 - y0)));
      out.mask[i] = 0;
      for (uint32_t s = 0; s < state.samples; ++s) {
        const int32_t dx = state.positions[s].x * 16, dy = state.positions[s].y * 16;
        out.sampleMask[i][s] = windowCoverage(v, clockwise, state.conservative, x0, y0, dx, dy) & columns & rows;
        out.mask[i] |= out.sampleMask[i][s];
      }
      if (out.mask[i] == 0)
        continue;
      out.small |= 1u << i;
    }
    out.live |= 1u << i;
    out.clockwise |= uint32_t(clockwise) << i;

    const double scale = area != 0 ? 256.0 / area : 0.0; // without area everything is vertex 0's
    const double dz1 = double(v[1].z) - double(v[0].z), dz2 = double(v[2].z) - double(v[0].z);
    const float dzdx = float((e2y * dz1 - e1y * dz2) * scale), dzdy = float((e1x * dz2 - e2x * dz1) * scale);
    float z0 = v[0].z;
    if (state.biasEnabled) {
      const float maxAbsZ = maxOf(absolute(v[0].z), maxOf(absolute(v[1].z), absolute(v[2].z)));
      z0 = z0 + depthBias(state, maxAbsZ, dzdx, dzdy);
    }
    const float plane[12] = {float(v[0].x) * (1.0f / 256), float(v[0].y) * (1.0f / 256), float(e2y * scale),
                             float(-e2x * scale), float(-e1y * scale), float(e1x * scale), z0, dzdx,
                             dzdy, v[0].rw, v[1].rw, v[2].rw};
    memcpy(out.plane[i], plane, sizeof(plane));
    for (int k = 0; k < 3; ++k) {
      out.x[k][i] = v[k].x;
      out.y[k][i] = v[k].y;
    }
    out.minX[i] = x0;
    out.minY[i] = y0;
    out.maxX[i] = x1;
    out.maxY[i] = y1;
  }
}

} // namespace monolith::binning
