// SPDX-License-Identifier: MIT
#include "codegen/memory_op.h"

#include "formats/reference.h"
#include "ir/function.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace monolith::codegen {

namespace {

using ir::Op;
using ir::ResourceDim;

constexpr unsigned kLanes = 8;

uint32_t sharedSize(const ir::SharedDecl& d) {
  return d.stride ? d.size * d.stride : d.size;
}

/// A run of bytes, and how much of it may be touched from there on.
struct Span {
  uint8_t* at = nullptr;
  uint64_t bytes = 0;
};

class Lane {
public:
  Lane(const MemoryOp& op, const abi::ComputeArgs& args, const uint32_t* in) : m_op(op), m_args(args), m_in(in), m_dim(ResourceDim(op.dim)) {
    if (!op.shared)
      m_view = args.uavs[op.slot];
  }

  void run(uint32_t* out, bool active) {
    switch (Op(m_op.op)) {
    case Op::LdRaw:
    case Op::LdStructured:
      loadWords(out);
      break;
    case Op::UavLoadTyped:
      loadTexel(out);
      break;
    case Op::ResInfo:
      sizes(out);
      break;
    case Op::BufInfo:
      out[0] = m_view ? m_view->width : 0;
      break;
    case Op::StoreRaw:
    case Op::StoreStructured:
      if (active)
        storeWords();
      break;
    case Op::UavStoreTyped:
      if (active)
        storeTexel();
      break;
    case Op::CounterAlloc:
    case Op::CounterConsume:
      if (active && m_view && m_view->counter)
        out[0] = Op(m_op.op) == Op::CounterAlloc ? __atomic_fetch_add(m_view->counter, 1u, __ATOMIC_RELAXED) : __atomic_sub_fetch(m_view->counter, 1u, __ATOMIC_RELAXED);
      break;
    default:
      if (active)
        atomic(out);
      break;
    }
    if (m_op.status)
      out[m_op.resultCount - 1] = ~0u;
  }

private:
  bool isStructured() const { return m_dim == ResourceDim::StructuredBuffer; }
  /// Operands of the address of raw and structured memory.
  unsigned addressWords() const { return isStructured() ? 2 : m_dim == ResourceDim::RawBuffer ? 1 : ir::coordinateCount(m_dim); }

  Span words() const {
    uint64_t limit, at, end;
    uint8_t* base;
    uint32_t stride;
    if (m_op.shared) {
      base = m_args.shared + m_op.offset;
      limit = m_op.bytes;
      stride = m_op.stride;
    } else {
      base = m_view->base;
      stride = m_view->elementStride;
      limit = isStructured() ? uint64_t(m_view->width) * stride : m_view->width;
    }
    if (isStructured()) {
      at = uint64_t(m_in[0]) * stride + m_in[1];
      end = std::min<uint64_t>(limit, (uint64_t(m_in[0]) + 1) * stride);
    } else {
      at = m_in[0];
      end = limit;
    }
    if (at & 3) // words lie at multiples of four
      at &= ~uint64_t(3);
    return at >= end ? Span{} : Span{base + at, end - at};
  }
  uint8_t* texel() const {
    const unsigned axes = ir::spatialCount(m_dim);
    const uint32_t x = m_in[0], y = axes > 1 ? m_in[1] : 0, z = axes > 2 ? m_in[2] : 0, layer = ir::isArray(m_dim) ? m_in[axes] : 0;
    if (!m_view || x >= m_view->width || y >= m_view->height || z >= m_view->depth || layer >= m_view->layers)
      return nullptr;
    const uint64_t size = formats::info(formats::Format(m_view->format)).bytesPerBlock;
    return m_view->base + uint64_t(layer) * m_view->layerPitch + uint64_t(z) * m_view->slicePitch + uint64_t(y) * m_view->rowPitch + x * size;
  }

  void loadWords(uint32_t* out) const {
    const Span s = words();
    for (unsigned k = 0; k < 4; k++) {
      out[k] = 0;
      if (s.bytes >= 4 * k + 4)
        memcpy(&out[k], s.at + 4 * k, 4);
    }
  }
  void storeWords() const {
    const Span s = words();
    const unsigned first = addressWords();
    for (unsigned k = 0; first + k < m_op.operandCount; k++)
      if (s.bytes >= 4 * k + 4)
        memcpy(s.at + 4 * k, &m_in[first + k], 4);
  }
  void loadTexel(uint32_t* out) const {
    formats::Texel t{};
    if (const uint8_t* at = texel())
      formats::unpack(formats::Format(m_view->format), at, t);
    memcpy(out, t.u, 16);
  }
  void storeTexel() const {
    uint8_t* at = texel();
    if (!at)
      return;
    formats::Texel t{};
    const unsigned first = ir::coordinateCount(m_dim);
    for (unsigned k = 0; k < 4; k++)
      t.u[k] = m_in[std::min<unsigned>(first + k, m_op.operandCount - 1u)];
    formats::pack(formats::Format(m_view->format), t, at);
  }
  void sizes(uint32_t* out) const {
    uint32_t size[4] = {0, 0, 0, m_view ? 1u : 0u};
    const unsigned axes = ir::spatialCount(m_dim);
    if (m_view && m_in[0] == 0) {
      const uint32_t all[3] = {m_view->width, m_view->height, m_view->depth};
      for (unsigned n = 0; n < axes; n++)
        size[n] = all[n];
      if (ir::isArray(m_dim))
        size[axes] = m_view->layers;
    }
    for (unsigned c = 0; c < 4; c++) {
      const float f = m_op.component == 1 && c < axes ? 1.0f / float(size[c]) : float(size[c]);
      out[c] = m_op.component == 2 ? size[c] : std::bit_cast<uint32_t>(f);
    }
  }
  void atomic(uint32_t* out) const {
    uint8_t* at = nullptr;
    if (m_dim < ResourceDim::RawBuffer) {
      at = texel();
    } else if (const Span s = words(); s.bytes >= 4) {
      at = s.at;
    }
    if (!at)
      return;
    uint32_t* p = reinterpret_cast<uint32_t*>(at);
    const uint32_t a = m_in[addressWords()], b = m_in[addressWords() + 1];
    auto loop = [&](auto combine) {
      uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(p, &old, combine(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      }
      return old;
    };
    switch (Op(m_op.op)) {
    case Op::AtomicAnd:
      out[0] = __atomic_fetch_and(p, a, __ATOMIC_RELAXED);
      return;
    case Op::AtomicOr:
      out[0] = __atomic_fetch_or(p, a, __ATOMIC_RELAXED);
      return;
    case Op::AtomicXor:
      out[0] = __atomic_fetch_xor(p, a, __ATOMIC_RELAXED);
      return;
    case Op::AtomicIAdd:
      out[0] = __atomic_fetch_add(p, a, __ATOMIC_RELAXED);
      return;
    case Op::AtomicExch:
      out[0] = __atomic_exchange_n(p, a, __ATOMIC_RELAXED);
      return;
    case Op::AtomicIMin:
      out[0] = loop([&](uint32_t o) { return int32_t(o) < int32_t(a) ? o : a; });
      return;
    case Op::AtomicIMax:
      out[0] = loop([&](uint32_t o) { return int32_t(o) > int32_t(a) ? o : a; });
      return;
    case Op::AtomicUMin:
      out[0] = loop([&](uint32_t o) { return std::min(o, a); });
      return;
    case Op::AtomicUMax:
      out[0] = loop([&](uint32_t o) { return std::max(o, a); });
      return;
    case Op::AtomicCmpExch: {
      uint32_t expected = a;
      __atomic_compare_exchange_n(p, &expected, b, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      out[0] = expected;
      return;
    }
    default:
      return;
    }
  }

  const MemoryOp& m_op;
  const abi::ComputeArgs& m_args;
  const uint32_t* m_in;
  ResourceDim m_dim;
  const abi::UavView* m_view = nullptr;
};

} // namespace

uint32_t sharedBytes(const ir::Function& function) {
  uint32_t bytes = 0;
  for (const ir::SharedDecl& d : function.shared)
    bytes += (sharedSize(d) + 15) & ~15u;
  return bytes;
}

MemoryOp makeMemoryOp(const ir::Function& f, const ir::Instruction& i) {
  MemoryOp op;
  op.op = uint8_t(i.op);
  op.component = i.component;
  op.operandCount = i.operandCount;
  op.resultCount = i.resultCount;
  op.status = i.flags & ir::kFlagStatus ? 1 : 0;
  if (ir::MemorySpace(i.attr2) == ir::MemorySpace::Shared) {
    op.shared = 1;
    for (uint32_t k = 0; k < i.attr; k++)
      op.offset += (sharedSize(f.shared[k]) + 15) & ~15u;
    op.bytes = sharedSize(f.shared[i.attr]);
    op.stride = f.shared[i.attr].stride;
    op.dim = uint8_t(op.stride ? ResourceDim::StructuredBuffer : ResourceDim::RawBuffer);
  } else {
    op.slot = f.uavs[i.attr].slot;
    op.dim = uint8_t(f.uavs[i.attr].dim);
  }
  return op;
}

void runMemoryOp(const MemoryOp& op, const abi::ComputeArgs& args, const uint32_t* const* operands, uint32_t* const* results, uint32_t mask) {
  for (unsigned l = 0; l < kLanes; l++) {
    uint32_t in[kMaxMemoryOperands + 2] = {}, out[kMaxMemoryResults] = {};
    for (unsigned k = 0; k < op.operandCount && k < kMaxMemoryOperands; k++)
      in[k] = operands[k][l];
    Lane(op, args, in).run(out, (mask >> l & 1) != 0);
    for (unsigned k = 0; k < op.resultCount && k < kMaxMemoryResults; k++)
      results[k][l] = out[k];
  }
}

} // namespace monolith::codegen
