// SPDX-License-Identifier: MIT
/// @file
/// What executes shader tests. A backend is one function: run up to eight lanes of an IR function on given inputs.
/// Every registered backend runs every table of every file; all must agree with the interpreter bit for bit (NaN payloads
/// apart), and the interpreter with the expected values.
#pragma once

#include "ir/function.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace monolith::test {

constexpr unsigned kLanes = 8;
using LaneArray = std::array<uint32_t, kLanes>;
using Vec4 = std::array<uint32_t, 4>;

/// A texture or buffer of a test. Texels are four words each, already as the shader sees them; mip 0 first, within a
/// mip slice by slice, row by row, sample by sample. Raw and structured buffers use `words`.
struct TestResource {
  ir::ResourceDim dim = ir::ResourceDim::Unknown;
  uint32_t width = 1, height = 1, depth = 1; ///< depth or array size
  uint32_t mips = 1, samples = 1, stride = 0;
  std::vector<Vec4> texels;
  std::vector<uint32_t> words;
  uint32_t counter = 0;
};

constexpr uint32_t kRegistersPerVertex = 128;
constexpr uint32_t vertexKey(uint32_t vertex, uint32_t reg, uint32_t component) { return (vertex * kRegistersPerVertex + reg) * 4 + component; }

/// A vertex that a geometry shader emitted.
struct EmittedVertex {
  uint32_t stream = 0;
  std::map<uint32_t, uint32_t> outputs; ///< by register * 4 + component
};

/// Everything a shader reads; UAVs also take its writes.
struct ShaderState {
  std::map<uint32_t, LaneArray> inputs;                 ///< by register * 4 + component
  std::map<uint32_t, LaneArray> system;                 ///< by SystemValue * 4 + component
  std::map<uint32_t, LaneArray> vertexInputs;           ///< of vertices and control points, by vertexKey
  std::map<uint32_t, LaneArray> outputPoints;           ///< what fork phases see of the control point phase, by vertexKey
  std::map<uint32_t, LaneArray> patchConstants;         ///< by register * 4 + component
  std::map<uint32_t, std::vector<Vec4>> constants;      ///< by slot
  std::map<uint32_t, TestResource> resources, uavs;     ///< by slot
  // Compute shaders: what the waves of a group share (group.h).
  std::map<uint32_t, TestResource>* uavMemory = nullptr; ///< instead of uavs
  std::map<uint32_t, TestResource>* sharedMemory = nullptr;
  std::function<void(uint32_t)> barrier;
};

/// What a shader wrote.
struct ShaderOutputs {
  std::map<uint32_t, LaneArray> outputs; ///< by register * 4 + component
  LaneArray depth{}, coverage{}, stencilRef{};
  uint8_t discarded = 0;
  std::map<uint32_t, LaneArray> points;                    ///< hull shaders: output control points, by vertexKey
  std::map<uint32_t, LaneArray> patchConstants;            ///< by register * 4 + component
  std::map<uint32_t, uint8_t> patchConstantMask;           ///< lanes that wrote it
  std::array<std::vector<EmittedVertex>, kLanes> vertices; ///< by lane
  std::array<std::vector<uint32_t>, kLanes> cuts;          ///< by lane: vertices emitted before each cut
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  /// Runs the lanes of `mask`. Empty on success; text starting with "skip" if this backend cannot run the function
  /// (for example a resource operation it does not have in tests); anything else fails the test.
  virtual std::string run(const ir::Function& f, ShaderState& state, uint8_t mask, ShaderOutputs& out) = 0;
};

/// All backends; the interpreter is first. A new backend registers itself with a static Registration.
std::vector<std::unique_ptr<Backend>>& backends();

struct Registration {
  explicit Registration(std::unique_ptr<Backend> b) { backends().push_back(std::move(b)); }
};

} // namespace monolith::test
