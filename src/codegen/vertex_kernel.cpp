// SPDX-License-Identifier: MIT
#include "codegen/vertex_kernel.h"

#include "abi/vertex_args.h"
#include "codegen/resource_ops.h"
#include "codegen/shader_emitter.h"
#include "codegen/vertex_fetch.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <cstring>

namespace monolith::codegen {

namespace {

using namespace simd;

constexpr uint32_t kRegisters = 32;
constexpr uint8_t kNoSlot = 255;

#define ARG(member) (m_args + int32_t(offsetof(abi::VertexArgs, member)))
#define VIEWPORT(member) viewport(offsetof(abi::ViewportTransform, member))

class VertexRecorder final : public ShaderHost {
public:
  explicit VertexRecorder(const VertexDescription& d)
      : m_d(d), m_outputs(*d.outputs), m_function("vertex " + std::to_string(d.program->id), {ArgumentKind::Pointer}),
        m_args(m_function.pointerArgument(0)) {}

  Routine record() {
    m_bindings = loadPointer(ARG(bindings));
    m_thread = loadPointer(ARG(thread));
    const Pointer streams = loadPointer(ARG(streams));
    for (const state::InputElement& e : m_d.elements)
      if (canUnpack(e.format))
        m_fetches.push_back(prepareFetch(e, streams));
    m_block = m_function.stack(kVectorBytes);
    ShaderEmitter emitter(*m_d.program->function, *this);
    emitter.prologue();
    if (m_d.viewportTransform)
      m_viewport = loadPointer(ARG(viewport));
    Var<Pointer> packet(loadPointer(ARG(packets)));
    const Long stride = toLongUnsigned(loadWord(ARG(packetStride)));
    const Word count = loadWord(ARG(count));
    For(Word(0), count, kLanes, [&](Word first) {
      m_packet = packet.get();
      recordVertices(emitter, first, count);
      packet = packet.peek() + stride;
    });
    emitter.epilogue();
    return m_function.finish();
  }

  Int input(uint32_t reg, uint32_t component) override {
    for (size_t n = 0; n < m_fetches.size(); ++n)
      if (m_fetches[n].element.inputRegister == reg)
        return m_inputs[n].c[component & 3];
    return Int(0);
  }

  Int system(uint32_t value, uint32_t) override {
    switch (ir::SystemValue(value)) {
    case ir::SystemValue::VertexId: return m_vertexId;
    case ir::SystemValue::InstanceId: return m_instanceId;
    default: return Int(0);
    }
  }

  void output(uint32_t reg, uint32_t component, Int value) override {
    const uint8_t slot = slotOf(reg, component);
    if (slot == kNoSlot)
      return;
    if (slot < 4)
      assignRegister(m_position[slot], value);
    else
      store(slotAddress(slot), value);
  }
  void outputMasked(uint32_t reg, uint32_t component, Int value, Mask exec) override {
    const uint8_t slot = slotOf(reg, component);
    if (slot == kNoSlot)
      return;
    if (slot < 4)
      assignMasked(m_position[slot], exec, value);
    else
      store(slotAddress(slot), select(exec, value, loadInt(slotAddress(slot))));
  }

  Pointer bindings() override { return m_bindings; }
  Pointer thread() override { return m_thread; }
  void resource(const ir::Function& function, const ir::Instruction& instruction, const Int* operands, Int* results,
                Mask exec) override {
    ResourceContext context;
    context.bindings = m_bindings;
    context.views = m_d.views.data();
    context.viewCount = m_d.views.size();
    context.samplers = m_d.samplers.data();
    context.samplerCount = m_d.samplers.size();
    emitResourceOp(context, function, instruction, operands, results, exec);
  }

private:
  uint8_t slotOf(uint32_t reg, uint32_t component) const {
    return reg < kRegisters && component < 4 ? m_outputs.slot[reg][component] : kNoSlot;
  }
  Pointer slotAddress(uint32_t slot) const { return m_packet + int32_t(slot * kVectorBytes); }

  void recordVertices(ShaderEmitter& emitter, Word first, Word count) {
    m_vertexId = loadInt(indexed(loadPointer(ARG(vertexIds)), first, 4));
    m_instanceId = loadInt(indexed(loadPointer(ARG(instanceIds)), first, 4));
    fetchInputs();
    for (Int& p : m_position) {
      p = newRegisterLike(Int());
      assignRegister(p, Int(0));
    }
    zeroOutputs();
    emitter.body(broadcast(count - first) > laneIndices());
    storePosition(indexed(loadPointer(ARG(clipCodes)), first, 4));
  }

  /// Slots that the shader does not write, or not in all lanes, read as 0.
  void zeroOutputs() {
    bool whole[256] = {};
    int depth = 0;
    for (const ir::Instruction& i : m_d.program->function->instructions) {
      depth += (i.op == ir::Op::If || i.op == ir::Op::Loop || i.op == ir::Op::Block) ? 1 : 0;
      depth -= (i.op == ir::Op::EndIf || i.op == ir::Op::EndLoop || i.op == ir::Op::EndBlock) ? 1 : 0;
      if (i.op == ir::Op::StoreOutput && depth == 0)
        whole[slotOf(i.attr, i.attr2)] = true;
    }
    for (uint32_t slot = abi::kFirstOutputSlot; slot < m_outputs.slotCount; ++slot)
      if (!whole[slot])
        store(slotAddress(slot), Int(0));
  }

  void fetchInputs() {
    m_inputs.clear();
    Int perVertex;
    for (const ElementFetch& f : m_fetches) {
      Int index;
      if (f.element.perInstance) {
        const Int start = broadcastInt(ARG(startInstance));
        const uint32_t rate = f.element.stepRate;
        index = rate == 0 ? start : rate == 1 ? m_instanceId + start : divUnsigned(m_instanceId, Int(rate)) + start;
      } else {
        if (!perVertex.valid())
          perVertex = m_vertexId + broadcastInt(ARG(baseVertex));
        index = perVertex;
      }
      Temporaries temporaries;
      m_inputs.push_back(fetchElement(f, index, m_block));
      for (const Int& c : m_inputs.back().c)
        temporaries.keep(c);
    }
  }

  Int screenCoordinate(Float ndc, Float scale, Float offset) const {
    const Float scaled = fma(ndc, scale, offset) * Float(256.0f);
    // NaN becomes 0, as in the clipper's projection
    return toIntRound(clamp(scaled, Float(-0x1p30f), Float(0x1p30f))) & ordered(scaled, scaled);
  }

  /// A number of the viewport, of each vertex's own one where the shader chooses.
  Float viewport(size_t offset) const {
    const Pointer at = m_viewport + int32_t(offset);
    return m_viewportOffset.valid() ? asFloat(gather(at, m_viewportOffset, 1)) : broadcastFloat(at);
  }

  void storePosition(Pointer codes) {
    Temporaries temporaries;
    if (m_d.viewportTransform && m_outputs.viewportIndexSlot != kNoSlot) {
      // Numbers beyond the last viewport count as 0 (15.8.1).
      const Int index = loadInt(slotAddress(m_outputs.viewportIndexSlot));
      const Int valid = index & asInt((index & Int(~(state::kMaxViewports - 1))) == Int(0));
      static_assert(sizeof(abi::ViewportTransform) == 32);
      m_viewportOffset = shl(valid, 5);
    }
    Float p[4];
    for (int n = 0; n < 4; ++n) {
      p[n] = asFloat(m_position[n]);
      store(slotAddress(uint32_t(n)), p[n]);
    }
    if (m_d.viewportTransform) {
      const Float rw = Float(1.0f) / p[3];
      store(slotAddress(4), screenCoordinate(p[0] * rw, VIEWPORT(scaleX), VIEWPORT(offsetX)));
      store(slotAddress(5), screenCoordinate(p[1] * rw, VIEWPORT(scaleY), VIEWPORT(offsetY)));
      store(slotAddress(6), fma(p[2] * rw, VIEWPORT(scaleZ), VIEWPORT(offsetZ)));
      store(slotAddress(7), rw);
      store(codes, clipCodes(p));
    }
  }

  Int clipCodes(const Float p[4]) const {
    const Float x = p[0], y = p[1], z = p[2], w = p[3], negativeW = -w;
    Int code = asInt(x < negativeW) & Int(abi::kClipLeft);
    const auto add = [&](Mask m, uint32_t bit) { code = code | (asInt(m) & Int(bit)); };
    add(x > w, abi::kClipRight);
    add(y < negativeW, abi::kClipBottom);
    add(y > w, abi::kClipTop);
    add(z < Float(0.0f), abi::kClipNear);
    add(z > w, abi::kClipFar);
    const Float guardX = VIEWPORT(guardX) * w, guardY = VIEWPORT(guardY) * w;
    add(x < -guardX, abi::kClipGuardLeft);
    add(x > guardX, abi::kClipGuardRight);
    add(y < -guardY, abi::kClipGuardBottom);
    add(y > guardY, abi::kClipGuardTop);
    add(w < Float(abi::kMinClipW), abi::kClipW);
    Mask reject = ~(ordered(x, y) & ordered(z, w));
    const auto distances = [&](const uint8_t* slots, unsigned count, uint32_t firstBit) {
      for (unsigned n = 0; n < count; ++n) {
        const Float d = loadFloat(slotAddress(slots[n]));
        const Mask nan = isNan(d);
        reject = reject | nan;
        add((d < Float(0.0f)) | nan, firstBit << n);
      }
    };
    distances(m_outputs.clipDistanceSlot, m_outputs.clipDistances, abi::kClipDistance0);
    distances(m_outputs.cullDistanceSlot, m_outputs.cullDistances, abi::kCullDistance0);
    add(reject, abi::kClipReject);
    return code;
  }

  const VertexDescription& m_d;
  const VertexOutputs& m_outputs;
  Function m_function;
  Pointer m_args, m_bindings, m_thread, m_viewport, m_packet, m_block;
  std::vector<ElementFetch> m_fetches;
  std::vector<Channels> m_inputs;
  Int m_vertexId, m_instanceId, m_viewportOffset;
  Int m_position[4]; ///< registers
};

#undef ARG
#undef VIEWPORT

} // namespace

simd::Routine recordVertexKernel(const VertexDescription& description) { return VertexRecorder(description).record(); }

} // namespace monolith::codegen
