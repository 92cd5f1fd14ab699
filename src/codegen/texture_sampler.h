// SPDX-License-Identifier: MIT
/// @file
/// Generated filtering: one sampling operation with known view format, dimension and sampler state. Twin:
/// sampler_reference.h, with equal bits.
#pragma once

#include "codegen/resource_op.h"
#include "codegen/resource_ops.h"
#include "codegen/texture_address.h"
#include "codegen/texture_fetch.h"

#include <memory>
#include <optional>

namespace monolith::codegen {

/// Records a call of the scalar twin for all lanes.
void emitTwinCall(const ResourceContext& context, const ResourceOp& op, const simd::Int* operands, simd::Int* results);

/// Records what `op` does if it is one of the operations below.
class TextureSampler {
public:
  /// True if generated code exists: formats that are plain or compressed; integers without filters and border colours.
  static bool knowsSample(const ResourceOp& op, const ViewKey& view);
  static bool knowsGather(const ResourceOp& op, const ViewKey& view);

  /// `used`: channels of the result that are looked at.
  TextureSampler(const ResourceContext& context, const ResourceOp& op, const ViewKey& view, uint8_t used);

  /// Sample, SampleB, SampleL, SampleD, SampleC, SampleCLz.
  Channels sample(const simd::Int* operands);
  /// Gather4, Gather4C, Gather4Po, Gather4PoC.
  Channels gather(const simd::Int* operands);
  /// Lod: two results.
  void queryLod(const simd::Int* operands, simd::Int* results);

private:
  struct Lod {
    simd::Float value, unclamped;
    simd::Float taps, majorU, majorV; ///< anisotropic only
  };
  struct Derivatives {
    simd::Float dx[3], dy[3];
  };
  struct CubeCoordinates {
    simd::Float u, v, major;
    simd::Int face;
    simd::Mask isZ, isY, negative;
  };

  void locateOnCube();
  void readOperands(const simd::Int* operands);
  Derivatives derivatives(const simd::Int* operands);
  CubeCoordinates cubeCoordinates(const simd::Float d[3]) const;
  void faceComponents(const simd::Float d[3], simd::Float& s, simd::Float& t, simd::Float& m) const;
  Lod computeLod(const Derivatives& d);
  simd::Float dynamicFloat(size_t offset) const;
  Channels trilinear(const simd::Float coordinate[3], const Lod& lod);
  Channels filterMip(const simd::Float coordinate[3], const MipMemory& mip, const FilterLanes& filter);
  Channels filterFace(const MipMemory& mip, const FilterLanes& filter);
  Channels plane(const AxisTexels& x, const AxisTexels* y, simd::Int base, simd::Int pitch, bool linear,
                 const simd::Mask* outZ);
  Channels row(const AxisTexels& x, simd::Int rowBase, simd::Int y, bool linear, const simd::Mask* outY, const simd::Mask* outZ);
  // Cube edges (texture_cube.cpp).
  struct CubeTaps {
    Channels texel[4];       ///< bit 0: right, bit 1: below
    simd::Mask corner[4];    ///< where three faces meet: no texel of its own
  };
  static void keepOneOutside(AxisTexels& axis, simd::Float coordinate);
  CubeTaps cubeTaps(const MipMemory& mip, const AxisTexels& x, const AxisTexels& y);
  Channels filterAcross(const MipMemory& mip, const AxisTexels& x, const AxisTexels& y, const Channels& inside, simd::Mask crossed);
  Channels gatherCube();
  void replaceBorder(Channels& c, const simd::Mask* outX, const simd::Mask* outY, const simd::Mask* outZ);
  void compareTexel(Channels& c);
  void mix(Channels& a, const Channels& b, simd::Float w) const;
  simd::Float combined(simd::Float a, simd::Float b, simd::Float w) const;
  simd::Int rowBase(simd::Int base, simd::Int y, simd::Int pitch) const;
  void prepareReference();
  bool isCube() const;
  bool needsLod() const;

  const ResourceContext& m_context;
  const ResourceOp& m_op;
  ViewKey m_view;
  uint8_t m_used;      ///< channels to compute (red only when comparing)
  unsigned m_spatial;  ///< coordinates (3 for cubes)
  unsigned m_axes;     ///< axes of the addressed surface
  simd::Pointer m_viewPointer, m_samplerPointer;
  std::unique_ptr<TexelFetcher> m_fetch;
  simd::Float m_coordinate[3];
  simd::Int m_layerOffset;
  bool m_hasLayers = false;
  simd::Float m_bias, m_level, m_reference, m_lodClamp;
  bool m_hasBias = false, m_compares = false, m_hasLodClamp = false;
  AxisOffset m_offset[3];
  CubeCoordinates m_cube;
  simd::Float m_border[4];
};

} // namespace monolith::codegen
