// SPDX-License-Identifier: MIT
/// @file
/// A world for shaders of unknown meaning: random inputs, constants and resources that depend on names and slots only,
/// not on registers, so that two shaders made from one source see the same.
#pragma once

#include "../backend.h"
#include "dxbc/rdef.h"
#include "dxbc/shader.h"

#include <string_view>

namespace monolith::test {

/// Types of the words of constant buffers, by slot and word; words that reflection does not know are floats.
using ConstantTypes = std::map<uint32_t, std::map<uint32_t, uint16_t>>; ///< D3D_SVT_*

ConstantTypes constantTypes(const dxbc::Rdef& rdef);

class RandomWorld {
public:
  RandomWorld(uint64_t seed, ConstantTypes types) : m_seed(seed), m_types(std::move(types)) {}
  /// Everything that `shader` (translated to `f`) declares.
  ShaderState stateFor(const dxbc::Shader& shader, const ir::Function& f) const;

private:
  uint64_t hash(std::string_view name, uint64_t a, uint64_t b = 0) const;
  uint32_t floatWord(uint64_t h) const;
  uint32_t wordOf(dxbc::ComponentType type, uint64_t h) const;
  TestResource resource(ir::ResourceDim dim, const ir::ReturnType type[4], uint32_t stride, uint32_t samples, uint64_t key) const;
  void fillSignature(const dxbc::Signature& signature, uint32_t vertices, bool patch, ShaderState& state) const;
  void fillSystem(ShaderState& state) const;

  uint64_t m_seed;
  ConstantTypes m_types;
};

} // namespace monolith::test
