// SPDX-License-Identifier: MIT
#include "compiler/emit/codegen.h"

#include <algorithm>
#include <bit>

namespace monolith::compiler {

using dxbc::OpCode;
using dxbc::RegisterType;

namespace {
bool scalarRegister(RegisterType t) {
  switch (t) {
  case RegisterType::OutputDepth:
  case RegisterType::OutputDepthGreaterEqual:
  case RegisterType::OutputDepthLessEqual:
  case RegisterType::OutputCoverage:
  case RegisterType::OutputStencilRef:
  case RegisterType::InputCoverage:
  case RegisterType::InnerCoverage:
  case RegisterType::PrimitiveId:
  case RegisterType::GsInstanceId:
  case RegisterType::OutputControlPointId:
  case RegisterType::ForkInstanceId:
  case RegisterType::ThreadIndexInGroup:
    return true;
  default:
    return false;
  }
}
/// The form of a fetch that also gives a status (and takes a least level, where there is one).
OpCode feedbackOp(Op op) {
  static constexpr std::pair<Op, OpCode> rows[] = {
      {Op::Sample, OpCode::SampleClampS},  {Op::SampleB, OpCode::SampleBClampS}, {Op::SampleL, OpCode::SampleLS},         {Op::SampleD, OpCode::SampleDClampS},
      {Op::SampleC, OpCode::SampleCClampS}, {Op::SampleClz, OpCode::SampleClzS}, {Op::Gather4, OpCode::Gather4S},         {Op::Gather4C, OpCode::Gather4CS},
      {Op::Gather4Po, OpCode::Gather4PoS}, {Op::Gather4PoC, OpCode::Gather4PoCS}, {Op::Ld, OpCode::LdS},                  {Op::LdMs, OpCode::LdMsS},
  };
  for (auto [from, to] : rows)
    if (from == op)
      return to;
  return opInfo(op).code;
}
dxbc::Operand scalarRegisterOperand(RegisterType t) {
  dxbc::Operand o;
  o.type = t;
  o.componentCount = 1;
  return o;
}
} // namespace

Codegen::Codegen(Module& module, Packer& packer, Registers& registers) : m_module(module), m_f(module.code), m_packer(packer), m_registers(registers) {
  buffers.resize(module.program->buffers.size());
  resourceUsed.resize(module.resources.size(), false);
}

dxbc::Instruction Codegen::make(Op op, const Inst& inst) const {
  dxbc::Instruction in;
  in.op = opInfo(op).code;
  in.saturate = inst.saturate || op == Op::Sat;
  return in;
}

void Codegen::readBuffer(const Inst& i) {
  BufferUse& b = buffers[i.aux[0]];
  b.used = true;
  if (i.count) {
    b.dynamic = true;
    b.ranges.emplace_back(i.aux[1] * 16 + i.aux[2] * 4, 0x10000u);
  } else {
    b.highest = std::max(b.highest, i.aux[1]);
    uint32_t at = i.aux[1] * 16 + i.aux[2] * 4;
    if (b.ranges.empty() || b.ranges.back() != std::make_pair(at, at + 4))
      b.ranges.emplace_back(at, at + 4);
  }
}

void Codegen::markInput(const Inst& i) {
  const auto type = RegisterType(i.aux[0] >> 16);
  const uint32_t reg = i.aux[0] & 0xffff, component = i.aux[i.op == Op::VertexInput ? 2 : 1];
  for (IoElement& e : m_module.inputs)
    if (e.registerType == type && (e.reg == reg || e.reg == ~0u) && component >= e.firstComponent && component < uint32_t(e.firstComponent) + e.count)
      e.usedMask |= uint8_t(1u << component);
}

/// All registers that the index may choose are read.
void Codegen::markRange(const Inst& i) {
  inputRanges[i.aux[0] & 0xffff] = std::max(inputRanges[i.aux[0] & 0xffff], i.aux[1]);
  Inst one = i;
  one.op = Op::Input;
  one.aux[1] = i.aux[2];
  for (uint32_t k = 0; k < i.aux[1]; k++, one.aux[0]++)
    markInput(one);
}

dxbc::Operand Codegen::relative(ValueId v) {
  RegisterPlace p = m_registers.place(v);
  dxbc::Operand o = dxbc::scalarOperand(RegisterType::Temp, p.reg == ~0u ? 0 : p.reg, p.component);
  o.precision = m_f.insts[v].precision;
  return o;
}

/// Operand that gives lanes[k] at component positions[k]; other components repeat the first.
dxbc::Operand Codegen::source(dxbc::Instruction& in, std::span<const Src> lanes, const std::vector<int>& positions, bool scalar) {
  size_t lead = 0;
  while (lead + 1 < lanes.size() && m_f.insts[lanes[lead].id].op == Op::Undef)
    lead++;
  const Src s = lanes[lead];
  const Inst& i = m_f.insts[s.id];
  dxbc::Operand o;
  if (i.op == Op::Const || i.op == Op::Undef) {
    uint32_t bits[4] = {0, 0, 0, 0};
    if (scalar)
      return dxbc::immOperand(i.op == Op::Const ? i.aux[0] : 0u);
    for (size_t k = 0; k < lanes.size(); k++)
      bits[positions[k]] = m_f.isConst(lanes[k].id) ? m_f.bits(lanes[k].id) : 0;
    return dxbc::immOperand(bits[0], bits[1], bits[2], bits[3]);
  }
  std::array<uint8_t, 4> swizzle{};
  auto componentOf = [&](ValueId v) -> uint8_t {
    const Inst& x = m_f.insts[v];
    if (x.op == Op::Undef)
      return 255;
    if (x.op == Op::CbLoad || x.op == Op::IcbLoad || x.op == Op::VertexInput || x.op == Op::InputAt)
      return uint8_t(x.aux[2]);
    if (x.op == Op::Input)
      return uint8_t(x.aux[1]);
    return m_registers.place(v).component;
  };
  swizzle.fill(componentOf(s.id));
  for (size_t k = 0; k < lanes.size(); k++) {
    uint8_t c = componentOf(lanes[k].id);
    if (c != 255)
      swizzle[size_t(positions[k])] = c;
    const Inst& x = m_f.insts[lanes[k].id];
    if (x.op == Op::CbLoad)
      readBuffer(x);
    else if (x.op == Op::Input || x.op == Op::VertexInput)
      markInput(x);
    else if (x.op == Op::InputAt)
      markRange(x);
  }
  if (i.op == Op::CbLoad) {
    const ConstantBuffer* cb = m_module.program->buffers[i.aux[0]];
    o = dxbc::constantOperand(cb->slot, i.aux[1], swizzle);
    if (i.count)
      dxbc::addRelative(in, o, 1, relative(m_f.pool[i.first].id));
  } else if (i.op == Op::IcbLoad) {
    o = dxbc::srcOperand(RegisterType::ImmediateConstantBuffer, i.aux[1], swizzle);
    if (i.count)
      dxbc::addRelative(in, o, 0, relative(m_f.pool[i.first].id));
  } else if (i.op == Op::InputAt) {
    o = dxbc::srcOperand(RegisterType(i.aux[0] >> 16), i.aux[0] & 0xffff, swizzle);
    dxbc::addRelative(in, o, 0, relative(m_f.pool[i.first].id));
  } else if (i.op == Op::VertexInput) {
    o = dxbc::srcOperand(RegisterType(i.aux[0] >> 16), i.aux[1], swizzle);
    o.indexCount = 2;
    o.index[1].offset = i.aux[0] & 0xffff;
    if (i.count)
      dxbc::addRelative(in, o, 0, relative(m_f.pool[i.first].id));
  } else if (i.op == Op::Input) {
    const auto type = RegisterType(i.aux[0] >> 16);
    if (type == RegisterType::PrimitiveId)
      o = scalarRegisterOperand(type);
    else
      o = dxbc::srcOperand(type, i.aux[0] & 0xffff, swizzle);
    if (scalarRegister(type) || type == RegisterType::DomainPoint || type == RegisterType::ThreadId || type == RegisterType::ThreadGroupId || type == RegisterType::ThreadIdInGroup)
      o.indexCount = 0;
  } else {
    uint32_t reg = m_registers.place(s.id).reg;
    o = dxbc::srcOperand(RegisterType::Temp, reg == ~0u ? 0 : reg, swizzle);
  }
  if (scalar && o.componentCount == 4) {
    o.selection = dxbc::SelectionMode::Select1;
    o.swizzle.fill(swizzle[0]);
  }
  o.negate = s.neg;
  o.absolute = s.abs;
  o.precision = precisionOf(m_module, s.id);
  return o;
}

dxbc::Operand Codegen::scalarSource(dxbc::Instruction& in, Src s) {
  const std::vector<int> at{0};
  return source(in, std::span<const Src>(&s, 1), at, true);
}

/// Destination of values; positions[k] is the component of results[k].
dxbc::Operand Codegen::dst(const std::vector<ValueId>& results, std::vector<int>& positions) {
  positions.clear();
  const OutputPlace& out = m_packer.outputs[results[0]];
  uint8_t mask = 0;
  if (out.direct) {
    const auto type = RegisterType(out.reg >> 16);
    for (ValueId v : results) {
      positions.push_back(m_packer.outputs[v].component);
      mask |= uint8_t(1u << positions.back() | m_packer.outputs[v].also);
    }
    if (scalarRegister(type)) {
      positions.assign(results.size(), 0);
      return scalarRegisterOperand(type);
    }
    dxbc::Operand o = dxbc::dstOperand(type, out.reg & 0xffff, mask);
    o.precision = outputPrecision(m_module, out.reg, uint32_t(positions[0]));
    return o;
  }
  uint32_t reg = ~0u;
  for (ValueId v : results) {
    RegisterPlace p = m_registers.place(v);
    reg = p.reg;
    positions.push_back(p.component);
    mask |= uint8_t(1u << p.component);
  }
  dxbc::Operand o = dxbc::dstOperand(RegisterType::Temp, reg == ~0u ? 0 : reg, mask);
  o.precision = m_f.insts[results[0]].precision;
  return o;
}

void Codegen::mov(dxbc::Operand d, std::span<const Src> lanes, const std::vector<int>& positions) {
  dxbc::Instruction in;
  in.op = OpCode::Mov;
  const bool scalar = lanes.size() == 1;
  dxbc::Operand s = source(in, lanes, positions, scalar);
  in.operands = {d, s};
  m_out.push_back(std::move(in));
}

void Codegen::alu(const Item& item) {
  const Inst& first = m_f.insts[item.lanes[0]];
  dxbc::Instruction in = make(first.op, first);
  std::vector<int> positions;
  dxbc::Operand d = dst(item.results, positions);
  usesShaderExtensions = usesShaderExtensions || first.op == Op::Msad;
  if (first.op == Op::TempLoad) {
    std::array<uint8_t, 4> swizzle{};
    swizzle.fill(uint8_t(first.aux[2]));
    for (size_t k = 0; k < item.lanes.size(); k++)
      swizzle[size_t(positions[k])] = uint8_t(m_f.insts[item.lanes[k]].aux[2]);
    dxbc::Operand o = dxbc::srcOperand(RegisterType::IndexableTemp, first.aux[0], swizzle);
    o.indexCount = 2;
    o.index[1].offset = first.aux[1];
    if (first.count)
      dxbc::addRelative(in, o, 1, relative(m_f.pool[first.first].id));
    if (item.lanes.size() == 1) {
      o.selection = dxbc::SelectionMode::Select1;
      o.swizzle.fill(swizzle[size_t(positions[0])]);
    }
    in.operands = {d, o};
    m_out.push_back(std::move(in));
    return;
  }
  std::vector<dxbc::Operand> sources;
  // A lane that goes to several components is read once for each.
  std::vector<ValueId> all = item.lanes;
  for (size_t k = 0; k < item.results.size() && k < item.lanes.size(); k++)
    for (int c = 0; c < 4; c++)
      if (m_packer.outputs[item.results[k]].direct && (m_packer.outputs[item.results[k]].also >> c & 1)) {
        all.push_back(item.lanes[k]);
        positions.push_back(c);
      }
  const bool scalar = all.size() == 1;
  for (size_t k = 0; k < first.count; k++) {
    std::vector<Src> lanes;
    for (ValueId l : all)
      lanes.push_back(m_f.pool[m_f.insts[l].first + k]);
    Src& s = lanes[0];
    if (first.op == Op::Neg)
      for (Src& x : lanes)
        x.neg = !x.neg;
    else if (first.op == Op::Abs)
      for (Src& x : lanes)
        x = Src{x.id, false, true};
    (void)s;
    if (k > 0 && hasTrait(first.op, kUniformTail)) {
      if (first.op == Op::EvalSnapped) {
        if (k == 2)
          break;
        std::vector<Src> pair{m_f.pool[first.first + 1], m_f.pool[first.first + 2]};
        sources.push_back(source(in, pair, {0, 1}, false));
      } else {
        sources.push_back(scalarSource(in, m_f.pool[first.first + k]));
      }
      continue;
    }
    sources.push_back(source(in, lanes, positions, scalar));
  }
  // A constant that Neg or Abs stands on was folded before; what is left are registers.
  const dxbc::Operand none = dxbc::nullOperand();
  std::vector<int> unused;
  switch (first.op) {
  case Op::Sin:
    in.operands = {d, item.second.empty() ? none : dst(item.second, unused)};
    break;
  case Op::Cos:
    in.operands = {item.second.empty() ? none : dst(item.second, unused), d};
    break;
  case Op::UDiv:
    in.operands = {d, item.second.empty() ? none : dst(item.second, unused)};
    break;
  case Op::UMod:
    in.operands = {item.second.empty() ? none : dst(item.second, unused), d};
    break;
  case Op::IMul:
    in.operands = {none, d};
    break;
  default:
    in.operands = {d};
    break;
  }
  in.operands.insert(in.operands.end(), sources.begin(), sources.end());
  uint8_t precise = 0;
  for (size_t k = 0; k < item.lanes.size(); k++)
    if (m_f.insts[item.lanes[k]].precise)
      precise |= uint8_t(1u << positions[k]);
  if (m_module.target.model >= 50 && !m_module.precise) // with /Gis the global flag says it for all
    in.preciseMask = precise;
  m_out.push_back(std::move(in));
}

void Codegen::dot(const Item& item) {
  const ValueId id = item.lanes[0];
  const Inst& inst = m_f.insts[id];
  dxbc::Instruction in = make(inst.op, inst);
  std::vector<int> positions;
  dxbc::Operand d = dst(item.results, positions);
  const size_t n = inst.count / 2u;
  std::vector<int> order;
  for (size_t k = 0; k < n; k++)
    order.push_back(int(k));
  std::span<const Src> src(m_f.pool.data() + inst.first, inst.count);
  dxbc::Operand a = source(in, src.first(n), order, false);
  dxbc::Operand b = source(in, src.subspan(n), order, false);
  in.operands = {d, a, b};
  m_out.push_back(std::move(in));
}

/// The two words of a double, twice, so that either half of a destination may take them.
dxbc::Operand Codegen::pairSource(dxbc::Instruction& in, const Src& low, const Src& high) {
  const Src lanes[4] = {low, high, low, high};
  if (m_f.insts[low.id].op == Op::Const || m_f.insts[low.id].op == Op::Undef) {
    const uint64_t bits = uint64_t(m_f.insts[high.id].aux[0]) << 32 | m_f.insts[low.id].aux[0];
    return dxbc::imm64Operand(std::bit_cast<double>(bits), std::bit_cast<double>(bits));
  }
  return source(in, lanes, {0, 1, 2, 3}, false);
}

/// Operations on doubles.
void Codegen::pair(const Item& item) {
  const Inst& inst = m_f.insts[item.lanes[0]];
  dxbc::Instruction in = make(inst.op, inst);
  usesDoubles = true;
  switch (inst.op) {
  case Op::DDiv:
  case Op::DFma:
  case Op::DRcp:
  case Op::ItoD:
  case Op::UtoD:
  case Op::DtoI:
  case Op::DtoU:
    usesDoubleExtensions = true;
    break;
  default:
    break;
  }
  std::vector<int> positions;
  in.operands = {dst(item.results, positions)};
  std::span<const Src> src(m_f.pool.data() + inst.first, inst.count);
  if (hasTrait(inst.op, kDoubleSrc))
    for (size_t k = 0; k + 1 < src.size(); k += 2)
      in.operands.push_back(pairSource(in, src[k], src[k + 1]));
  else
    in.operands.push_back(scalarSource(in, src[0]));
  m_out.push_back(std::move(in));
}

void Codegen::fetch(const Item& item) {
  const Inst& inst = m_f.insts[item.lanes[0]];
  if (isMemoryOp(inst.op))
    return memory(item);
  if (item.results.empty() && item.second.empty())
    return;
  const Fetch& f = m_f.fetches[inst.aux[0]];
  dxbc::Instruction in = make(inst.op, inst);
  const bool feedback = !item.second.empty() || f.hasClamp;
  if (feedback)
    in.op = feedbackOp(inst.op);
  usesTiledStatus = usesTiledStatus || feedback;
  std::vector<int> positions;
  dxbc::Operand d = item.results.empty() ? dxbc::nullOperand() : dst(item.results, positions);
  const bool depthOnly = inst.op == Op::SampleC || inst.op == Op::SampleClz;
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
  {
    // Which component of the texel goes where; the others repeat what is there already in order.
    bool identity = inst.op != Op::SamplePos;
    for (size_t k = 0; k < item.results.size(); k++)
      identity = identity && int(m_f.insts[item.results[k]].aux[0]) == positions[k];
    for (ValueId v : item.results)
      identity = identity && !m_packer.outputs[v].also;
    if (!identity && !item.results.empty()) {
      swizzle.fill(uint8_t(m_f.insts[item.results[0]].aux[0]));
      for (size_t k = 0; k < item.results.size(); k++) {
        swizzle[size_t(positions[k])] = uint8_t(m_f.insts[item.results[k]].aux[0]);
        for (int c = 0; c < 4; c++)
          if (m_packer.outputs[item.results[k]].also >> c & 1)
            swizzle[size_t(c)] = uint8_t(m_f.insts[item.results[k]].aux[0]);
      }
    }
  }
  (void)depthOnly;
  std::span<const Src> src(m_f.pool.data() + inst.first, inst.count);
  auto vector = [&](size_t first, size_t count) {
    std::vector<int> order;
    for (size_t k = 0; k < count; k++)
      order.push_back(int(k));
    return source(in, src.subspan(first, count), order, false);
  };
  in.operands = {d};
  if (feedback) {
    std::vector<int> unused;
    in.operands.push_back(item.second.empty() ? dxbc::nullOperand() : dst(item.second, unused));
  }
  const bool info = inst.op == Op::ResInfo || inst.op == Op::BufInfo || inst.op == Op::SampleInfo || inst.op == Op::SamplePos;
  dxbc::Operand resource;
  if (f.resource == ~0u) {
    resource.type = RegisterType::Rasterizer;
    resource.componentCount = 4;
    resource.selection = dxbc::SelectionMode::Swizzle;
    resource.swizzle = swizzle;
  } else {
    const ResourceUse& r = m_module.resources[f.resource];
    resourceUsed[f.resource] = true;
    const Type* object = elementTypeOf(r);
    resource = dxbc::srcOperand(object && object->isUav() ? RegisterType::Uav : RegisterType::Resource, r.slot, swizzle);
    if (m_module.target.model >= 50 && inst.op != Op::SampleInfo && inst.op != Op::SamplePos) {
      in.hasResourceDim = in.hasReturnType = true;
      in.resourceDim = resourceDimension(kindOf(r));
      in.returnTypes.fill(returnTypeOf(r));
      if (in.resourceDim == dxbc::ResourceDimension::StructuredBuffer)
        in.resourceStride = structuredSize(object->element);
    }
  }
  if (inst.op == Op::SampleInfo) {
    resource.selection = dxbc::SelectionMode::Select1;
    resource.swizzle.fill(0);
  }
  if (info) {
    if (inst.op == Op::ResInfo) {
      in.resInfoType = f.returnKind == 2 ? dxbc::ResInfoType::Uint : f.returnKind == 1 ? dxbc::ResInfoType::RcpFloat : dxbc::ResInfoType::Float;
      in.operands.push_back(scalarSource(in, src[0]));
      in.operands.push_back(resource);
    } else {
      in.operands.push_back(resource);
      in.uintResult = inst.op == Op::SampleInfo && f.returnKind == 2;
      if (inst.op == Op::SamplePos)
        in.operands.push_back(scalarSource(in, src[0]));
    }
    m_out.push_back(std::move(in));
    return;
  }
  in.operands.push_back(vector(0, f.addressCount));
  size_t next = f.addressCount;
  if (inst.op == Op::Gather4Po || inst.op == Op::Gather4PoC) {
    in.operands.push_back(vector(next, 2));
    next += 2;
  }
  in.operands.push_back(resource);
  if (f.sampler != ~0u) {
    resourceUsed[f.sampler] = true;
    dxbc::Operand s = dxbc::plainOperand(RegisterType::Sampler, m_module.resources[f.sampler].slot);
    const bool gather = inst.op == Op::Gather4 || inst.op == Op::Gather4C || inst.op == Op::Gather4Po || inst.op == Op::Gather4PoC;
    if (gather && m_module.target.model >= 50) { // the channel is chosen by the sampler's component
      s.componentCount = 4;
      s.selection = dxbc::SelectionMode::Select1;
      s.swizzle.fill(f.channel);
    }
    in.operands.push_back(s);
  }
  if (f.gradientCount) {
    in.operands.push_back(vector(next, f.gradientCount));
    in.operands.push_back(vector(next + f.gradientCount, f.gradientCount));
    next += 2u * f.gradientCount;
  }
  for (; next < src.size(); next++)
    in.operands.push_back(scalarSource(in, src[next]));
  if (feedback && !f.hasClamp && dxbc::opcodeInfo(in.op).has(dxbc::kClamp))
    in.operands.push_back(dxbc::immOperand(0.0f));
  if (f.hasOffset) {
    in.hasOffsets = true;
    for (size_t k = 0; k < 3; k++)
      in.offsets[k] = f.offset[k];
  }
  m_out.push_back(std::move(in));
}

void Codegen::store(const Item& item) {
  const Inst& first = m_f.insts[item.lanes[0]];
  std::vector<int> positions;
  std::vector<Src> lanes;
  uint8_t mask = 0;
  for (ValueId l : item.lanes) {
    const Inst& s = m_f.insts[l];
    positions.push_back(int(s.aux[1]));
    mask |= uint8_t(1u << s.aux[1]);
    lanes.push_back(m_f.pool[s.first]);
  }
  const auto type = RegisterType(first.aux[0] >> 16);
  if (scalarRegister(type)) {
    mov(scalarRegisterOperand(type), lanes, {0});
    return;
  }
  dxbc::Operand d = dxbc::dstOperand(type, first.aux[0] & 0xffff, mask);
  d.precision = outputPrecision(m_module, first.aux[0], uint32_t(positions[0]));
  mov(d, lanes, positions);
}

/// Emit and cut; with streams from shader model 5 on.
void Codegen::emitVertex(const Item& item) {
  const Inst& i = m_f.insts[item.lanes[0]];
  dxbc::Instruction in;
  const bool streams = m_module.target.model >= 50, cut = i.op == Op::CutStrip;
  in.op = streams ? (cut ? OpCode::CutStream : OpCode::EmitStream) : cut ? OpCode::Cut : OpCode::Emit;
  if (streams)
    in.operands.push_back(dxbc::plainOperand(RegisterType::Stream, i.aux[0]));
  m_out.push_back(std::move(in));
}

void Codegen::tempStore(const Item& item) {
  const Inst& first = m_f.insts[item.lanes[0]];
  dxbc::Instruction in;
  in.op = OpCode::Mov;
  std::vector<int> positions;
  std::vector<Src> lanes;
  uint8_t mask = 0;
  for (ValueId l : item.lanes) {
    const Inst& s = m_f.insts[l];
    positions.push_back(int(s.aux[2]));
    mask |= uint8_t(1u << s.aux[2]);
    lanes.push_back(m_f.pool[s.first]);
  }
  dxbc::Operand d = dxbc::dstOperand(RegisterType::IndexableTemp, first.aux[0], mask);
  d.indexCount = 2;
  d.index[1].offset = first.aux[1];
  if (first.count == 2)
    dxbc::addRelative(in, d, 1, relative(m_f.pool[first.first + 1].id));
  dxbc::Operand s = source(in, lanes, positions, lanes.size() == 1);
  in.operands = {d, s};
  m_out.push_back(std::move(in));
}

/// All copies happen at once; they are put in an order that has the same effect, with a spare register for cycles.
void Codegen::copies(const Item& item) {
  struct Move {
    RegisterPlace to;
    Src from;
    RegisterPlace at; ///< if from is a temp
    bool temp;
    dxbc::MinPrecision least; ///< of the destination
  };
  std::vector<Move> pending;
  for (const Copy& c : item.copies) {
    Move m{m_registers.place(c.dst), Src{c.src, false, false}, {}, m_packer.isTemp(c.src), m_f.insts[c.dst].precision};
    if (m.to.reg == ~0u)
      continue;
    if (m.temp) {
      m.at = m_registers.place(c.src);
      if (m.at.reg == ~0u || (m.at.reg == m.to.reg && m.at.component == m.to.component))
        continue;
    }
    pending.push_back(m);
  }
  auto blocked = [&](const RegisterPlace& to, const std::vector<size_t>& group) {
    for (size_t k = 0; k < pending.size(); k++) {
      if (std::find(group.begin(), group.end(), k) != group.end())
        continue;
      const Move& m = pending[k];
      if (m.temp && m.at.reg == to.reg && m.at.component == to.component)
        return true;
      // A folded operand with a dynamic index reads the index register.
      if (!m.temp)
        for (const Src& s : m_f.sources(m.from.id)) {
          RegisterPlace p = m_registers.place(s.id);
          if (p.reg == to.reg && p.component == to.component)
            return true;
        }
    }
    return false;
  };
  auto sameRegister = [&](const Move& a, const Move& b) {
    if (a.to.reg != b.to.reg || a.temp != b.temp || m_f.insts[a.from.id].precision != m_f.insts[b.from.id].precision)
      return false;
    if (a.temp)
      return a.at.reg == b.at.reg;
    const Inst &x = m_f.insts[a.from.id], &y = m_f.insts[b.from.id];
    if (x.op != y.op)
      return false;
    if (x.op == Op::Const)
      return true;
    if (x.op == Op::Input)
      return x.aux[0] == y.aux[0];
    return x.aux[0] == y.aux[0] && x.aux[1] == y.aux[1] && x.count == 0 && y.count == 0; // never with an index
  };
  while (!pending.empty()) {
    bool progress = false;
    for (size_t k = 0; k < pending.size() && !progress; k++) {
      std::vector<size_t> group{k};
      for (size_t j = 0; j < pending.size(); j++)
        if (j != k && sameRegister(pending[k], pending[j]))
          group.push_back(j);
      // Shrink the group until nobody else waits for what it would overwrite.
      for (bool again = true; again && !group.empty();) {
        again = false;
        for (size_t g = 0; g < group.size(); g++)
          if (blocked(pending[group[g]].to, group)) {
            group.erase(group.begin() + long(g));
            again = true;
            break;
          }
      }
      if (group.empty())
        continue;
      std::vector<Src> lanes;
      std::vector<int> positions;
      uint8_t mask = 0;
      for (size_t g : group) {
        lanes.push_back(pending[g].from);
        positions.push_back(pending[g].to.component);
        mask |= uint8_t(1u << pending[g].to.component);
      }
      dxbc::Instruction in;
      in.op = OpCode::Mov;
      dxbc::Operand s = source(in, lanes, positions, lanes.size() == 1);
      // Moved places differ from those of the values once a cycle was broken.
      if (pending[group[0]].temp) {
        s = dxbc::srcOperand(RegisterType::Temp, pending[group[0]].at.reg);
        s.precision = m_f.insts[lanes[0].id].precision;
        s.swizzle.fill(pending[group[0]].at.component);
        for (size_t g = 0; g < group.size(); g++)
          s.swizzle[size_t(positions[g])] = pending[group[g]].at.component;
        if (lanes.size() == 1)
          s.selection = dxbc::SelectionMode::Select1;
      }
      in.operands = {dxbc::dstOperand(RegisterType::Temp, pending[group[0]].to.reg, mask), s};
      in.operands[0].precision = pending[group[0]].least;
      m_out.push_back(std::move(in));
      std::sort(group.begin(), group.end());
      for (size_t g = group.size(); g-- > 0;)
        pending.erase(pending.begin() + long(group[g]));
      progress = true;
    }
    if (progress)
      continue;
    // A cycle: move one source aside.
    Move& m = pending[0];
    const RegisterPlace aside{m_registers.scratch(), 0};
    dxbc::Instruction in;
    in.op = OpCode::Mov;
    const RegisterPlace from = m.at;
    in.operands = {dxbc::dstOperand(RegisterType::Temp, aside.reg, 1), dxbc::scalarOperand(RegisterType::Temp, from.reg, from.component)};
    in.operands[0].precision = in.operands[1].precision = m_f.insts[pending[0].from.id].precision;
    m_out.push_back(std::move(in));
    for (Move& x : pending)
      if (x.temp && x.at.reg == from.reg && x.at.component == from.component)
        x.at = aside;
  }
}

void Codegen::control(const Item& item) {
  dxbc::Instruction in;
  auto plain = [&](OpCode op) {
    in.op = op;
    m_out.push_back(in);
  };
  switch (item.kind) {
  case ItemKind::If:
    in.op = OpCode::If;
    in.testNonZero = item.nonZero;
    in.operands.push_back(scalarSource(in, item.condition));
    m_out.push_back(in);
    break;
  case ItemKind::Discard: {
    in.op = OpCode::Discard;
    in.testNonZero = item.nonZero;
    in.operands.push_back(scalarSource(in, item.condition));
    m_out.push_back(in);
    break;
  }
  case ItemKind::Else:
    plain(OpCode::Else);
    break;
  case ItemKind::EndIf:
    plain(OpCode::EndIf);
    break;
  case ItemKind::Loop:
    plain(OpCode::Loop);
    break;
  case ItemKind::EndLoop:
    plain(OpCode::EndLoop);
    break;
  case ItemKind::Break:
  case ItemKind::Continue: {
    const bool isBreak = item.kind == ItemKind::Break;
    if (!item.conditional) {
      plain(isBreak ? OpCode::Break : OpCode::Continue);
      break;
    }
    in.op = isBreak ? OpCode::Breakc : OpCode::Continuec;
    in.testNonZero = item.nonZero;
    in.operands.push_back(scalarSource(in, item.condition));
    m_out.push_back(in);
    break;
  }
  case ItemKind::Switch:
    in.op = OpCode::Switch;
    in.operands.push_back(scalarSource(in, item.condition));
    m_out.push_back(in);
    break;
  case ItemKind::Case:
    for (uint32_t label : item.labels) {
      dxbc::Instruction c;
      c.op = OpCode::Case;
      c.operands.push_back(dxbc::immOperand(label));
      m_out.push_back(std::move(c));
    }
    if (item.isDefault)
      plain(OpCode::Default);
    break;
  case ItemKind::EndSwitch:
    plain(OpCode::EndSwitch);
    break;
  default:
    break;
  }
}

std::vector<dxbc::Instruction> Codegen::run() {
  std::vector<dxbc::Instruction> code = body(), all;
  globalDeclarations(all);
  phaseDeclarations(all);
  all.insert(all.end(), code.begin(), code.end());
  return all;
}

/// Where in the source an item comes from; that of the item before it if it does not know.
uint32_t Codegen::placeOf(const Item& item) {
  for (ValueId v : item.lanes)
    if (const Location at = m_module.placeOf(v); at.line)
      return placeNumber(at);
  if (item.condition.id)
    if (const Location at = m_module.placeOf(item.condition.id); at.line)
      return placeNumber(at);
  return places.empty() ? ~0u : uint32_t(places.size() - 1);
}

uint32_t Codegen::placeNumber(const Location& at) {
  if (places.empty() || places.back().line != at.line || places.back().file != at.file)
    places.push_back(at);
  return uint32_t(places.size() - 1);
}

std::vector<dxbc::Instruction> Codegen::body() {
  for (const Item& item : m_packer.items) {
    const size_t before = m_out.size();
    switch (item.kind) {
    case ItemKind::Alu:
      alu(item);
      break;
    case ItemKind::Dot:
      dot(item);
      break;
    case ItemKind::Pair:
      pair(item);
      break;
    case ItemKind::Sync:
      sync(item);
      break;
    case ItemKind::Fetch:
      fetch(item);
      break;
    case ItemKind::Store:
      store(item);
      break;
    case ItemKind::TempStore:
      tempStore(item);
      break;
    case ItemKind::Emit:
      emitVertex(item);
      break;
    case ItemKind::Copies:
      copies(item);
      break;
    default:
      control(item);
      break;
    }
    for (size_t i = before; i < m_out.size(); i++)
      m_out[i].place = placeOf(item);
  }
  // What stands before everything that has a place belongs to the first that has one.
  const auto known = std::find_if(m_out.begin(), m_out.end(), [](const dxbc::Instruction& i) { return i.place != ~0u; });
  for (auto i = m_out.begin(); i != known && known != m_out.end(); ++i)
    i->place = known->place;
  dxbc::Instruction ret;
  ret.op = OpCode::Ret;
  if (m_module.returnPlace.line)
    ret.place = placeNumber(m_module.returnPlace);
  m_out.push_back(ret);
  uint64_t temps = m_registers.count();
  for (const IndexableTempInfo& t : m_f.indexableTemps)
    temps += t.registers;
  if (temps > dxbc::kMaxTemps)
    error = "maximum number of temporary registers exceeded";
  return std::move(m_out);
}

} // namespace monolith::compiler
