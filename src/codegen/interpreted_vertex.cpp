// SPDX-License-Identifier: MIT
#include "codegen/interpreted_vertex.h"

#include "codegen/texel.h"
#include "formats/reference.h"
#include "ir/float_env.h"
#include "ir/function.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::codegen {

namespace {

constexpr unsigned kLanes = ir::kMaxLanes;
static_assert(kLanes == abi::kPacketLanes);
constexpr uint8_t kNoSlot = 255;

/// One component of an element for one vertex.
uint32_t fetch(const state::InputElement& e, const abi::VertexStream& stream, uint32_t index, uint32_t component)
{
  if (!canUnpack(e.format))
    return 0;
  const uint32_t end = e.offset + formats::info(e.format).bytesPerBlock;
  uint32_t count = 0; // indices i with i * stride + end <= size; with stride 0 all or none
  if (end <= stream.size)
    count = stream.stride ? (stream.size - end) / stream.stride + 1 : ~0u;
  if (index >= count)
    return 0;
  formats::Texel texel;
  formats::unpack(e.format, stream.base + (index * stream.stride + e.offset), texel);
  return texel.u[component & 3];
}

/// Eight vertices of a batch.
class VertexLanes final : public BoundEnvironment {
public:
  VertexLanes(const abi::VertexArgs& args, const VertexOutputs& outputs, const std::vector<state::InputElement>& elements,
              const std::vector<state::SamplerState>& samplers)
      : BoundEnvironment(*args.bindings, samplers, QuadShape::None), m_args(args), m_outputs(outputs), m_elements(elements)
  {
  }

  void begin(uint32_t first, float* packet)
  {
    m_first = first;
    m_packet = packet;
    std::memset(packet, 0, size_t(m_outputs.slotCount) * kLanes * 4);
  }

  void loadInput(uint32_t reg, uint32_t component, ir::LaneWords out) override
  {
    std::memset(out, 0, kLanes * 4);
    for (const state::InputElement& e : m_elements) {
      if (e.inputRegister != reg)
        continue;
      for (unsigned l = 0; l < kLanes; l++) {
        uint32_t index;
        if (e.perInstance)
          index = (e.stepRate ? m_args.instanceIds[m_first + l] / e.stepRate : 0) + m_args.startInstance;
        else
          index = m_args.vertexIds[m_first + l] + uint32_t(m_args.baseVertex);
        out[l] = fetch(e, m_args.streams[e.slot], index, component);
      }
      return;
    }
  }

  void loadSystem(ir::SystemValue value, uint32_t component, ir::LaneWords out) override
  {
    switch (value) {
    case ir::SystemValue::VertexId: std::memcpy(out, m_args.vertexIds + m_first, kLanes * 4); return;
    case ir::SystemValue::InstanceId: std::memcpy(out, m_args.instanceIds + m_first, kLanes * 4); return;
    default: ir::Environment::loadSystem(value, component, out); return;
    }
  }

  void storeOutput(ir::Op op, uint32_t reg, uint32_t component, ir::ConstLaneWords value, ir::ConstLaneWords,
                   uint8_t mask) override
  {
    if (op != ir::Op::StoreOutput || reg >= 32 || component >= 4)
      return;
    const uint8_t slot = m_outputs.slot[reg][component];
    if (slot == kNoSlot)
      return;
    for (unsigned l = 0; l < kLanes; l++)
      if (mask >> l & 1)
        m_packet[slot * kLanes + l] = std::bit_cast<float>(value[l]);
  }

private:
  const abi::VertexArgs& m_args;
  const VertexOutputs& m_outputs;
  const std::vector<state::InputElement>& m_elements;
  uint32_t m_first = 0;
  float* m_packet = nullptr;
};

uint32_t screenCoordinate(float ndc, float scale, float offset)
{
  const float scaled = std::fma(ndc, scale, offset) * 256.0f;
  if (scaled != scaled)
    return 0;
  const float clamped = scaled < -0x1p30f ? -0x1p30f : scaled > 0x1p30f ? 0x1p30f : scaled;
  return uint32_t(int32_t(std::nearbyint(clamped)));
}

uint32_t clipCode(const float* packet, unsigned lane, const VertexOutputs& outputs, const abi::ViewportTransform& v)
{
  const auto slot = [&](unsigned s) { return packet[s * kLanes + lane]; };
  const float x = slot(0), y = slot(1), z = slot(2), w = slot(3);
  uint32_t code = 0;
  const auto add = [&](bool condition, uint32_t bit) { code |= condition ? bit : 0; };
  add(x < -w, abi::kClipLeft);
  add(x > w, abi::kClipRight);
  add(y < -w, abi::kClipBottom);
  add(y > w, abi::kClipTop);
  add(z < 0.0f, abi::kClipNear);
  add(z > w, abi::kClipFar);
  const float guardX = v.guardX * w, guardY = v.guardY * w;
  add(x < -guardX, abi::kClipGuardLeft);
  add(x > guardX, abi::kClipGuardRight);
  add(y < -guardY, abi::kClipGuardBottom);
  add(y > guardY, abi::kClipGuardTop);
  add(w < abi::kMinClipW, abi::kClipW);
  bool reject = std::isnan(x) || std::isnan(y) || std::isnan(z) || std::isnan(w);
  const auto distances = [&](const uint8_t* slots, unsigned count, uint32_t firstBit) {
    for (unsigned n = 0; n < count; n++) {
      const float d = slot(slots[n]);
      reject |= std::isnan(d);
      add(d < 0.0f || std::isnan(d), firstBit << n);
    }
  };
  distances(outputs.clipDistanceSlot, outputs.clipDistances, abi::kClipDistance0);
  distances(outputs.cullDistanceSlot, outputs.cullDistances, abi::kCullDistance0);
  add(reject, abi::kClipReject);
  return code;
}

/// Slots 4 to 7 and the clip codes.
void finishPacket(float* packet, uint32_t* codes, const VertexOutputs& outputs, const abi::ViewportTransform* viewports)
{
  for (unsigned l = 0; l < kLanes; l++) {
    uint32_t chosen = 0;
    if (outputs.viewportIndexSlot != kNoSlot) {
      // Numbers beyond the last viewport count as 0 (15.8.1).
      chosen = std::bit_cast<uint32_t>(packet[outputs.viewportIndexSlot * kLanes + l]);
      chosen = chosen < uint32_t(state::kMaxViewports) ? chosen : 0;
    }
    const abi::ViewportTransform& v = viewports[chosen];
    const float rw = 1.0f / packet[3 * kLanes + l];
    packet[4 * kLanes + l] = std::bit_cast<float>(screenCoordinate(packet[l] * rw, v.scaleX, v.offsetX));
    packet[5 * kLanes + l] = std::bit_cast<float>(screenCoordinate(packet[kLanes + l] * rw, v.scaleY, v.offsetY));
    packet[6 * kLanes + l] = std::fma(packet[2 * kLanes + l] * rw, v.scaleZ, v.offsetZ);
    packet[7 * kLanes + l] = rw;
    codes[l] = clipCode(packet, l, outputs, v);
  }
}

} // namespace

InterpretedVertex::InterpretedVertex(const VertexDescription& d)
    : m_outputs(*d.outputs), m_viewportTransform(d.viewportTransform), m_elements(d.elements), m_samplers(d.samplers),
      m_pool(*d.program->function)
{
  entry = &enter;
}

size_t InterpretedVertex::codeBytes() const { return sizeof *this + 64 * size_t(m_pool.function().valueCount); }

void InterpretedVertex::enter(const abi::VertexArgs* args)
{
  const ir::FloatMode mode(ir::FloatMode::Single);
  static_cast<const InterpretedVertex*>(static_cast<const VertexRoutine*>(args->routine))->run(*args);
}

__attribute__((noinline)) void InterpretedVertex::run(const abi::VertexArgs& args) const
{
  InterpreterPool::Loan interpreter(m_pool);
  VertexLanes lanes(args, m_outputs, m_elements, m_samplers);
  float* packet = args.packets;
  for (uint32_t first = 0; first < args.count; first += kLanes, packet += args.packetStride / 4) {
    const uint32_t left = args.count - first;
    lanes.begin(first, packet);
    ir::RunResult result;
    if (!interpreter.run(lanes, left >= kLanes ? 0xff : uint8_t((1u << left) - 1), *args.thread, result))
      return;
    if (m_viewportTransform)
      finishPacket(packet, args.clipCodes + first, m_outputs, args.viewport);
  }
}

} // namespace monolith::codegen
