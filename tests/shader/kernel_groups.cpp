// SPDX-License-Identifier: MIT
#include "kernel_groups.h"

#include "codegen/group_runner.h"
#include "simd/cpu.h"

#include <algorithm>
#include <cstring>

namespace monolith::test {

namespace {

constexpr size_t kPadding = 64; ///< that views may read behind their memory
constexpr uint32_t kSlots = 128;

abi::ViewDimension dimensionOf(ir::ResourceDim d) {
  using D = ir::ResourceDim;
  using V = abi::ViewDimension;
  static constexpr std::pair<D, V> rows[] = {{D::Buffer, V::Buffer},
                                             {D::Texture1D, V::Texture1D},
                                             {D::Texture1DArray, V::Texture1DArray},
                                             {D::Texture2D, V::Texture2D},
                                             {D::Texture2DArray, V::Texture2DArray},
                                             {D::Texture3D, V::Texture3D},
                                             {D::RawBuffer, V::RawBuffer},
                                             {D::StructuredBuffer, V::StructuredBuffer}};
  for (auto [from, to] : rows)
    if (from == d) return to;
  return V::None;
}

/// The bytes of a test resource with views of them.
struct Memory {
  TestResource* resource = nullptr;
  std::vector<uint32_t> words;
  abi::TextureView view;
  abi::UavView uav;

  explicit Memory(TestResource& r) : resource(&r) {
    words = r.words;
    for (const Vec4& t : r.texels) words.insert(words.end(), t.begin(), t.end());
    const size_t bytes = words.size() * 4;
    words.resize(words.size() + kPadding / 4);
    const bool raw = r.dim == ir::ResourceDim::RawBuffer, structured = r.dim == ir::ResourceDim::StructuredBuffer;
    const bool volume = r.dim == ir::ResourceDim::Texture3D;
    const uint32_t width = raw ? uint32_t(bytes) : structured ? uint32_t(bytes / r.stride) : r.width;
    view.base = uav.base = reinterpret_cast<uint8_t*>(words.data());
    view.width = uav.width = width;
    view.height = uav.height = r.height;
    view.depth = uav.depth = volume ? r.depth : 1;
    view.layers = uav.layers = volume ? 1 : r.depth;
    view.mips = 1;
    view.elementStride = uav.elementStride = structured ? r.stride : 16;
    view.format = uav.format = uint8_t(raw || structured ? formats::Format{} : formats::Format::R32G32B32A32_UINT);
    view.dimension = uav.dimension = dimensionOf(r.dim);
    uav.rowPitch = view.rowPitch[0] = r.width * 16;
    uav.slicePitch = view.slicePitch[0] = r.width * r.height * 16;
    uav.layerPitch = view.layerPitch = r.width * r.height * 16;
    uav.counter = &r.counter;
  }
  void writeBack() {
    std::copy(words.begin(), words.begin() + long(resource->words.size()), resource->words.begin());
    if (!resource->texels.empty()) memcpy(resource->texels.data(), words.data() + resource->words.size(), resource->texels.size() * 16);
  }
};

} // namespace

std::string runKernelGroups(const ir::Function& f, ShaderState& state, const std::array<uint32_t, 3>& groups, bool interpret) {
  if (!interpret && !simd::cpuSupportsGeneratedCode()) return "skip: this processor does not run generated code";
  static const uint32_t zeros[64] = {};
  std::vector<abi::ConstantBuffer> constants(16, abi::ConstantBuffer{reinterpret_cast<const uint8_t*>(zeros), 0, 0});
  for (auto& [slot, rows] : state.constants)
    if (slot < constants.size()) constants[slot] = {reinterpret_cast<const uint8_t*>(rows.data()), uint32_t(rows.size()), 0};
  abi::TextureView nullView;
  nullView.base = reinterpret_cast<const uint8_t*>(zeros);
  const abi::Sampler sampler;
  const abi::UavView nullUav;
  std::vector<const abi::TextureView*> views(kSlots, &nullView);
  std::vector<const abi::Sampler*> samplers(16, &sampler);
  std::vector<const abi::UavView*> uavs(kSlots, &nullUav);
  std::vector<std::unique_ptr<Memory>> memory;
  codegen::ComputeDescription d;
  d.function = &f;
  for (auto& [slot, r] : state.resources)
    if (slot < kSlots) views[slot] = &memory.emplace_back(std::make_unique<Memory>(r))->view;
  const size_t firstUav = memory.size();
  for (auto& [slot, r] : state.uavs)
    if (slot < kSlots) uavs[slot] = &memory.emplace_back(std::make_unique<Memory>(r))->uav;
  for (const abi::TextureView* v : views) d.views.push_back(codegen::viewKey(v));
  const auto routine = codegen::makeComputeRoutine(d, interpret);
  if (!routine) return "no code was made";
  const abi::StageBindings bindings{constants.data(), views.data(), samplers.data()};
  std::vector<uint8_t> scratch(abi::kScratchBytes);
  abi::ThreadContext thread;
  thread.loopBudget = 1 << 24;
  thread.scratch = scratch.data();
  thread.scratchSize = abi::kScratchBytes;
  abi::ComputeArgs args;
  args.bindings = &bindings;
  args.uavs = uavs.data();
  args.thread = &thread;
  codegen::GroupRunner runner;
  {
    simd::FloatEnvironment environment;
    for (uint32_t z = 0; z < groups[2]; z++)
      for (uint32_t y = 0; y < groups[1]; y++)
        for (uint32_t x = 0; x < groups[0]; x++) {
          args.group[0] = x, args.group[1] = y, args.group[2] = z;
          runner.run(*routine, args);
        }
  }
  for (size_t k = firstUav; k < memory.size(); k++) memory[k]->writeBack();
  return thread.hung ? "the loop budget ran out" : "";
}

} // namespace monolith::test
