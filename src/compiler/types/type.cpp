// SPDX-License-Identifier: MIT
#include "compiler/types/type.h"

#include <algorithm>

namespace monolith::compiler {

bool Type::isUav() const {
  if (!isObject())
    return false;
  switch (object) {
  case ObjectKind::RwBuffer:
  case ObjectKind::RwTexture1D:
  case ObjectKind::RwTexture1DArray:
  case ObjectKind::RwTexture2D:
  case ObjectKind::RwTexture2DArray:
  case ObjectKind::RwTexture3D:
  case ObjectKind::RwStructuredBuffer:
  case ObjectKind::AppendStructuredBuffer:
  case ObjectKind::ConsumeStructuredBuffer:
  case ObjectKind::RwByteAddressBuffer:
    return true;
  default:
    return false;
  }
}

bool isFloatBase(Base b) {
  return b == Base::Half || b == Base::Float || b == Base::Double || b == Base::Min10Float || b == Base::Min16Float;
}
bool isIntegerBase(Base b) {
  return b != Base::Bool && !isFloatBase(b);
}
bool isUnsignedBase(Base b) {
  return b == Base::Uint || b == Base::Min16Uint;
}

bool isMinPrecision(Base b) {
  return b >= Base::Min10Float;
}

Base commonBase(Base a, Base b) {
  // Rank: a value of the lower kind is converted to the higher.
  static const int rank[] = {0, 4, 5, 8, 9, 10, 6, 7, 1, 2, 3};
  if (a == b)
    return a;
  Base r = rank[int(a)] >= rank[int(b)] ? a : b;
  return r;
}

TypeTable::TypeTable() {
  m_error = make();
  Type* v = make();
  v->kind = TypeKind::Void;
  m_void = v;
  Type* s = make();
  s->kind = TypeKind::String;
  m_string = s;
}

Type* TypeTable::make() {
  m_types.push_back(std::make_unique<Type>());
  return m_types.back().get();
}

const Type* TypeTable::vector(Base b, uint32_t n) {
  auto& slot = m_numeric[{int(b), 1, int(n), 1, 0}];
  if (!slot) {
    Type* t = make();
    t->kind = TypeKind::Vector;
    t->base = b;
    t->cols = uint8_t(n);
    t->slots = n;
    slot = t;
  }
  return slot;
}

const Type* TypeTable::matrix(Base b, uint32_t rows, uint32_t cols, Order order) {
  auto& slot = m_numeric[{int(b), int(rows), int(cols), 2, int(order)}];
  if (!slot) {
    const Type* row = vector(b, cols);
    Type* t = make();
    t->kind = TypeKind::Matrix;
    t->base = b;
    t->rows = uint8_t(rows);
    t->cols = uint8_t(cols);
    t->order = order;
    t->slots = rows * cols;
    t->rowType = row;
    m_numeric[{int(b), int(rows), int(cols), 2, int(order)}] = t;
    return t;
  }
  return slot;
}

const Type* TypeTable::numeric(Base b, uint32_t rows, uint32_t cols) {
  if (rows > 1)
    return matrix(b, rows, cols);
  if (cols > 1)
    return vector(b, cols);
  auto& slot = m_numeric[{int(b), 1, 1, 0, 0}];
  if (!slot) {
    Type* t = make();
    t->kind = TypeKind::Scalar;
    t->base = b;
    t->slots = 1;
    slot = t;
  }
  return slot;
}

const Type* TypeTable::withBase(const Type* t, Base b) {
  if (t->isMatrix())
    return matrix(b, t->rows, t->cols, t->order);
  if (t->isVector())
    return vector(b, t->cols);
  return scalar(b);
}

const Type* TypeTable::array(const Type* element, uint32_t count) {
  auto& slot = m_arrays[{element, count}];
  if (!slot) {
    Type* t = make();
    t->kind = TypeKind::Array;
    t->base = element->base;
    t->element = element;
    t->count = count;
    uint64_t slots = uint64_t(element->slots) * count;
    t->slots = slots > 0xffffffffu ? 0xffffffffu : uint32_t(slots);
    t->hasObjects = element->hasObjects;
    slot = t;
  }
  return slot;
}

const Type* TypeTable::object(ObjectKind kind, const Type* element, uint32_t sampleCount, uint8_t samplerDim, uint8_t normalized) {
  auto& slot = m_objects[{int(kind), element, sampleCount, samplerDim, normalized}];
  if (!slot) {
    Type* t = make();
    t->kind = TypeKind::Object;
    t->object = kind;
    t->element = element;
    t->count = sampleCount;
    t->samplerDim = samplerDim;
    t->normalized = normalized != 0;
    t->snorm = normalized == 2;
    t->ordered = samplerDim == kOrderedObject;
    t->hasObjects = true;
    slot = t;
  }
  return slot;
}

Type* TypeTable::structure(const std::string& name) {
  m_structs.push_back(std::make_unique<StructType>());
  Type* t = make();
  t->kind = TypeKind::Struct;
  t->structure = m_structs.back().get();
  t->structure->name = name;
  return t;
}

void TypeTable::finish(Type* t) {
  uint64_t slot = 0;
  for (Field& f : t->structure->fields) {
    f.slot = uint32_t(std::min<uint64_t>(slot, 0xffffffffu));
    slot += f.type->slots;
    t->hasObjects = t->hasObjects || f.type->hasObjects;
  }
  t->slots = uint32_t(std::min<uint64_t>(slot, 0xffffffffu));
  t->structure->complete = true;
}

const char* baseName(Base b) {
  static const char* const names[] = {"bool", "int", "uint", "half", "float", "double", "min10float", "min16float", "min12int", "min16int", "min16uint"};
  return names[int(b)];
}

const char* objectName(ObjectKind k) {
  static const char* const names[] = {"texture",
                                      "Buffer",
                                      "Texture1D",
                                      "Texture1DArray",
                                      "Texture2D",
                                      "Texture2DArray",
                                      "Texture2DMS",
                                      "Texture2DMSArray",
                                      "Texture3D",
                                      "TextureCube",
                                      "TextureCubeArray",
                                      "RWBuffer",
                                      "RWTexture1D",
                                      "RWTexture1DArray",
                                      "RWTexture2D",
                                      "RWTexture2DArray",
                                      "RWTexture3D",
                                      "StructuredBuffer",
                                      "RWStructuredBuffer",
                                      "AppendStructuredBuffer",
                                      "ConsumeStructuredBuffer",
                                      "ByteAddressBuffer",
                                      "RWByteAddressBuffer",
                                      "sampler",
                                      "SamplerComparisonState",
                                      "state object",
                                      "PointStream",
                                      "LineStream",
                                      "TriangleStream",
                                      "InputPatch",
                                      "OutputPatch"};
  return names[int(k)];
}

std::string typeName(const Type* t) {
  switch (t->kind) {
  case TypeKind::Error:
    return "<error>";
  case TypeKind::Void:
    return "void";
  case TypeKind::String:
    return "string";
  case TypeKind::Scalar:
    return baseName(t->base);
  case TypeKind::Vector:
    return baseName(t->base) + std::to_string(t->cols);
  case TypeKind::Matrix:
    return baseName(t->base) + std::to_string(t->rows) + 'x' + std::to_string(t->cols);
  case TypeKind::Array: {
    std::string dims;
    const Type* e = t;
    for (; e->isArray(); e = e->element)
      dims += '[' + std::to_string(e->count) + ']';
    return typeName(e) + dims;
  }
  case TypeKind::Struct:
    if (t->structure->isInterface || t->structure->isClass)
      return (t->structure->isInterface ? "interface " : "class ") + t->structure->name;
    return t->structure->name.empty() ? "struct <unnamed>" : "struct " + t->structure->name;
  case TypeKind::Object:
    if (t->isPatch())
      return std::string(objectName(t->object)) + '<' + typeName(t->element) + ',' + std::to_string(t->count) + '>';
    return t->element && t->object != ObjectKind::Texture ? std::string(objectName(t->object)) + '<' + typeName(t->element) + '>' : objectName(t->object);
  }
  return {};
}

} // namespace monolith::compiler
