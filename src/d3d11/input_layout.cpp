// SPDX-License-Identifier: MIT
#include "d3d11/input_layout.h"

#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/resource_desc.h"
#include "dxbc/container.h"
#include "dxbc/signature.h"
#include "formats/support.h"

#include <algorithm>
#include <array>

namespace monolith::d3d11 {

namespace {

HRESULT invalid(const char* what, const D3D11_INPUT_ELEMENT_DESC* e = nullptr) {
  if (e && e->SemanticName)
    base::logLine(base::LogLevel::Error, "input layout: %s (%s%u)", what, e->SemanticName, e->SemanticIndex);
  else
    base::logLine(base::LogLevel::Error, "input layout: %s", what);
  return E_INVALIDARG;
}

struct Slot {
  bool used = false;
  D3D11_INPUT_CLASSIFICATION slotClass = D3D11_INPUT_PER_VERTEX_DATA;
  UINT stepRate = 0;
  UINT end = 0; ///< Where an appended element goes.
};

UINT slotCount(D3D_FEATURE_LEVEL level) {
  return level >= D3D_FEATURE_LEVEL_10_1 ? D3D11_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT : 16;
}

HRESULT checkElement(const D3D11_INPUT_ELEMENT_DESC& e, D3D_FEATURE_LEVEL level, std::span<Slot> slots, UINT& offset) {
  if (!e.SemanticName || !*e.SemanticName)
    return invalid("element without semantic name");
  const auto format = static_cast<formats::Format>(e.Format);
  if (!formats::isValid(format) || !formats::supports(format, formatLevel(level), formats::Use::VertexBuffer))
    return invalid("format cannot be fetched by the input assembler", &e);
  if (e.InputSlot >= slots.size())
    return invalid("input slot out of range", &e);
  if (base::raw(e.InputSlotClass) > D3D11_INPUT_PER_INSTANCE_DATA)
    return invalid("unknown slot class", &e);
  if (e.InputSlotClass == D3D11_INPUT_PER_VERTEX_DATA && e.InstanceDataStepRate != 0)
    return invalid("step rate of a per-vertex element", &e);
  Slot& slot = slots[e.InputSlot];
  if (slot.used && (slot.slotClass != e.InputSlotClass || slot.stepRate != e.InstanceDataStepRate))
    return invalid("elements of one slot differ in class or step rate", &e);
  slot.used = true;
  slot.slotClass = e.InputSlotClass;
  slot.stepRate = e.InstanceDataStepRate;
  const UINT size = formats::info(format).bytesPerBlock;
  const UINT alignment = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
  offset = e.AlignedByteOffset;
  if (offset == D3D11_APPEND_ALIGNED_ELEMENT)
    offset = (slot.end + alignment - 1) / alignment * alignment;
  if (offset % alignment)
    return invalid("misaligned offset", &e);
  if (offset > UINT32_MAX - 64)
    return invalid("offset out of range", &e);
  slot.end = offset + size;
  return S_OK;
}

} // namespace

HRESULT matchInputLayout(std::span<const D3D11_INPUT_ELEMENT_DESC> elements, std::span<const uint8_t> bytecode,
                         D3D_FEATURE_LEVEL level, std::vector<state::InputElement>& out) {
  auto container = dxbc::parseContainer(bytecode);
  if (!container)
    return invalid(container.error().c_str());
  dxbc::Signature signature;
  for (const uint32_t tag : {dxbc::kTagIsgn, dxbc::kTagIsg1}) {
    if (const dxbc::Chunk* chunk = container->find(tag)) {
      auto parsed = dxbc::parseSignature(tag, chunk->data);
      if (!parsed)
        return invalid(parsed.error().c_str());
      signature = std::move(*parsed);
      break;
    }
  }
  if (!signature.tag)
    return invalid("bytecode has no input signature");

  std::array<Slot, D3D11_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT> slotStore;
  const std::span<Slot> slots(slotStore.data(), slotCount(level));
  std::vector<UINT> offsets(elements.size());
  for (size_t i = 0; i < elements.size(); i++) {
    if (HRESULT hr = checkElement(elements[i], level, slots, offsets[i]); FAILED(hr))
      return hr;
    for (size_t k = 0; k < i; k++)
      if (elements[k].SemanticIndex == elements[i].SemanticIndex &&
          dxbc::semanticEquals(elements[k].SemanticName, elements[i].SemanticName))
        return invalid("semantic given twice", &elements[i]);
  }

  for (const dxbc::SignatureElement& s : signature.elements) {
    if (s.systemValue == dxbc::SignatureSystemValue::VertexId ||
        s.systemValue == dxbc::SignatureSystemValue::InstanceId ||
        s.systemValue == dxbc::SignatureSystemValue::PrimitiveId)
      continue;
    size_t i = 0;
    while (i < elements.size() && !(elements[i].SemanticIndex == s.semanticIndex &&
                                    dxbc::semanticEquals(elements[i].SemanticName, s.semantic)))
      i++;
    if (i == elements.size()) {
      base::logLine(base::LogLevel::Error, "input layout: the shader's input %s%u is not provided", s.semantic.c_str(),
                    s.semanticIndex);
      return E_INVALIDARG;
    }
    if (s.reg >= 32)
      return invalid("input register out of range", &elements[i]);
    const D3D11_INPUT_ELEMENT_DESC& e = elements[i];
    state::InputElement element;
    element.inputRegister = static_cast<uint8_t>(s.reg);
    element.slot = static_cast<uint8_t>(e.InputSlot);
    element.format = static_cast<formats::Format>(e.Format);
    element.perInstance = e.InputSlotClass == D3D11_INPUT_PER_INSTANCE_DATA;
    element.offset = offsets[i];
    element.stepRate = e.InstanceDataStepRate;
    out.push_back(element);
  }
  return S_OK;
}

} // namespace monolith::d3d11
