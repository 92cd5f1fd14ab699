// SPDX-License-Identifier: MIT
/// @file
/// HLSL types. Types are interned: two equal types are one pointer (except structures, which are equal by definition
/// place). Matrices carry their storage order only where it was said or set by a pragma; it does not make them
/// different for conversions.
#pragma once

#include "compiler/preprocess/source.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace monolith::compiler {

enum class Base : uint8_t { Bool, Int, Uint, Half, Float, Double, Min10Float, Min16Float, Min12Int, Min16Int, Min16Uint };
enum class TypeKind : uint8_t { Error, Void, Scalar, Vector, Matrix, Array, Struct, Object, String };

enum class ObjectKind : uint8_t {
  Texture, ///< the untyped `texture`
  Buffer,
  Texture1D,
  Texture1DArray,
  Texture2D,
  Texture2DArray,
  Texture2DMS,
  Texture2DMSArray,
  Texture3D,
  TextureCube,
  TextureCubeArray,
  RwBuffer,
  RwTexture1D,
  RwTexture1DArray,
  RwTexture2D,
  RwTexture2DArray,
  RwTexture3D,
  StructuredBuffer,
  RwStructuredBuffer,
  AppendStructuredBuffer,
  ConsumeStructuredBuffer,
  ByteAddressBuffer,
  RwByteAddressBuffer,
  Sampler, ///< SamplerState, sampler, sampler2D ...
  ComparisonSampler,
  StateObject, ///< BlendState and other effect objects
  PointStream, ///< output of geometry shaders
  LineStream,
  TriangleStream,
  InputPatch, ///< control points; the count is Type::count
  OutputPatch,
};

enum class Order : uint8_t { Unspecified, RowMajor, ColumnMajor };

/// Interpolation and other usage words of a parameter or member.
enum Modifier : uint32_t {
  kModStatic = 1u << 0,
  kModConst = 1u << 1,
  kModUniform = 1u << 2,
  kModExtern = 1u << 3,
  kModPrecise = 1u << 4,
  kModVolatile = 1u << 5,
  kModShared = 1u << 6,
  kModGroupShared = 1u << 7,
  kModNoInterpolation = 1u << 8,
  kModLinear = 1u << 9,
  kModCentroid = 1u << 10,
  kModNoPerspective = 1u << 11,
  kModSample = 1u << 12,
  kModRowMajor = 1u << 13,
  kModColumnMajor = 1u << 14,
  kModIn = 1u << 15,
  kModOut = 1u << 16,
  kModInline = 1u << 17,
  kModSnorm = 1u << 18,
  kModUnorm = 1u << 19,
  kModGloballyCoherent = 1u << 20,
  kModPoint = 1u << 21,
  kModLine = 1u << 22,
  kModTriangle = 1u << 23,
  kModLineAdj = 1u << 24,
  kModTriangleAdj = 1u << 25,
  kModExport = 1u << 26,
  kModPrimitiveMask = kModPoint | kModLine | kModTriangle | kModLineAdj | kModTriangleAdj,
  kModInterpolationMask = kModNoInterpolation | kModLinear | kModCentroid | kModNoPerspective | kModSample,
};

struct Type;

struct Field {
  std::string_view name;
  const Type* type = nullptr;
  std::string semantic;
  uint32_t modifiers = 0;
  Location loc;
  uint32_t slot = 0; ///< first scalar slot within the structure
};

struct FunctionDecl;
struct VarDecl;

struct StructType {
  std::string name; ///< empty: anonymous
  std::vector<Field> fields; ///< those of the base first
  const Type* base = nullptr;
  std::vector<const Type*> interfaces;   ///< named directly
  std::vector<FunctionDecl*> methods;    ///< own ones
  std::vector<VarDecl*> statics;         ///< own static members
  bool complete = false;
  bool isInterface = false;
  bool isClass = false; ///< declared with the word class
};

struct Type {
  TypeKind kind = TypeKind::Error;
  Base base = Base::Float;
  uint8_t rows = 1, cols = 1; ///< vectors: rows 1, cols n
  Order order = Order::Unspecified;
  ObjectKind object = ObjectKind::Texture;
  const Type* element = nullptr; ///< arrays, typed objects
  uint32_t count = 0;            ///< array length (0: not known), sample count
  StructType* structure = nullptr;
  uint8_t samplerDim = 0; ///< old samplers: 0 sampler, 1 1D, 2 2D, 3 3D, 4 CUBE
  bool normalized = false; ///< element type of typed objects: unorm or snorm
  bool snorm = false;
  bool ordered = false; ///< RasterizerOrdered objects
  uint32_t slots = 0; ///< scalar slots of a value; 0 for objects
  bool hasObjects = false;

  bool isError() const { return kind == TypeKind::Error; }
  bool isVoid() const { return kind == TypeKind::Void; }
  bool isScalar() const { return kind == TypeKind::Scalar; }
  bool isVector() const { return kind == TypeKind::Vector; }
  bool isMatrix() const { return kind == TypeKind::Matrix; }
  bool isNumeric() const { return isScalar() || isVector() || isMatrix(); }
  bool isArray() const { return kind == TypeKind::Array; }
  bool isStruct() const { return kind == TypeKind::Struct; }
  bool isInterface() const { return isStruct() && structure->isInterface; }
  bool isObject() const { return kind == TypeKind::Object; }
  bool isTexture() const { return isObject() && object <= ObjectKind::TextureCubeArray; }
  bool isSampler() const { return isObject() && (object == ObjectKind::Sampler || object == ObjectKind::ComparisonSampler); }
  bool isUav() const;
  bool isStream() const { return isObject() && object >= ObjectKind::PointStream && object <= ObjectKind::TriangleStream; }
  bool isPatch() const { return isObject() && (object == ObjectKind::InputPatch || object == ObjectKind::OutputPatch); }
  uint32_t components() const { return uint32_t(rows) * cols; }
  const Type* rowType = nullptr; ///< matrices: type of a row
};

bool isFloatBase(Base b);    ///< half, float, double, min precision floats
bool isIntegerBase(Base b);  ///< int, uint, min precision integers (not bool)
bool isUnsignedBase(Base b); ///< uint, min16uint
bool isMinPrecision(Base b);
/// Type of an operation on the two.
Base commonBase(Base a, Base b);

class TypeTable {
public:
  TypeTable();
  const Type* error() const { return m_error; }
  const Type* voidType() const { return m_void; }
  const Type* stringType() const { return m_string; }
  const Type* scalar(Base b) { return numeric(b, 1, 1); }
  const Type* vector(Base b, uint32_t n);
  const Type* matrix(Base b, uint32_t rows, uint32_t cols, Order order = Order::Unspecified);
  /// Scalar for 1x1, vector for 1xn when `isVector`.
  const Type* numeric(Base b, uint32_t rows, uint32_t cols);
  /// The same shape with another base.
  const Type* withBase(const Type* t, Base b);
  const Type* array(const Type* element, uint32_t count);
  const Type* object(ObjectKind kind, const Type* element = nullptr, uint32_t sampleCount = 0, uint8_t samplerDim = 0, uint8_t normalized = 0);
  /// A new structure; complete it, then call finish.
  Type* structure(const std::string& name);
  void finish(Type* structure);

private:
  Type* make();
  std::vector<std::unique_ptr<Type>> m_types;
  std::vector<std::unique_ptr<StructType>> m_structs;
  std::map<std::tuple<int, int, int, int, int>, const Type*> m_numeric;
  std::map<std::pair<const Type*, uint32_t>, const Type*> m_arrays;
  std::map<std::tuple<int, const Type*, uint32_t, int, int>, const Type*> m_objects;
  const Type* m_error;
  const Type* m_void;
  const Type* m_string;
};

/// samplerDim of RasterizerOrdered objects.
inline constexpr uint8_t kOrderedObject = 0x80;

/// As in messages: "float4", "float3x3", "struct Foo", "const float"...
std::string typeName(const Type* t);
const char* baseName(Base b);
const char* objectName(ObjectKind k);

} // namespace monolith::compiler
