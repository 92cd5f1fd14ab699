// SPDX-License-Identifier: MIT
/// @file
/// The checked syntax tree. The parser resolves names and types as it reads (the language needs it: a name that is a
/// type changes the grammar), so that every expression here has its final type and every implicit conversion is a
/// Cast node. Nodes live in an Arena until the end of the compilation.
#pragma once

#include "compiler/types/type.h"

#include <array>
#include <memory>

namespace monolith::compiler {

struct Intrinsic;
struct FunctionDecl;
struct VarDecl;
struct Stmt;
struct ConstantBuffer;

enum class ExprKind : uint8_t {
  Error,
  Literal,
  String,
  Var,
  Member,    ///< a.field
  Swizzle,   ///< vector or scalar components
  MatrixSwizzle,
  Index,     ///< a[b]
  Unary,     ///< - ~ !
  IncDec,    ///< ++ --
  Binary,
  Assign,    ///< = and op=
  Conditional,
  Comma,
  Cast,
  Construct, ///< float3(...)
  InitList,
  Call,
  IntrinsicCall,
  Method,
  Upcast,    ///< the base part of a structure
};

enum class Operator : uint8_t { None, Add, Sub, Mul, Div, Mod, Shl, Shr, And, Or, Xor, LogicalAnd, LogicalOr, Less, Greater, LessEqual, GreaterEqual, Equal, NotEqual, Negate, Not, Complement };

enum class MethodId : uint8_t {
  None, Sample, SampleBias, SampleLevel, SampleGrad, SampleCmp, SampleCmpLevelZero, Gather, GatherRed, GatherGreen, GatherBlue, GatherAlpha,
  GatherCmp, GatherCmpRed, GatherCmpGreen, GatherCmpBlue, GatherCmpAlpha, Load, GetDimensions, CalculateLevelOfDetail, CalculateLevelOfDetailUnclamped,
  GetSamplePosition, Load2, Load3, Load4, Store, Store2, Store3, Store4, InterlockedAdd, InterlockedMin, InterlockedMax, InterlockedAnd, InterlockedOr,
  InterlockedXor, InterlockedExchange, InterlockedCompareStore, InterlockedCompareExchange, Append, Consume, IncrementCounter, DecrementCounter,
  StreamAppend, RestartStrip,
  OldSample, OldSampleBias, OldSampleLod, OldSampleGrad, OldSampleProj,
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  Operator op = Operator::None;
  bool lvalue = false;
  bool constant = false;   ///< an l-value that may not be written
  bool prefix = false;     ///< IncDec
  bool implicit = false;   ///< Cast made by the compiler
  uint8_t swizzleCount = 0;
  MethodId method = MethodId::None;
  std::array<uint8_t, 4> swizzle{}; ///< components; for matrices row * 4 + column
  const Type* type = nullptr;
  Location loc;
  Expr* a = nullptr;
  Expr* b = nullptr;
  Expr* c = nullptr;
  std::vector<Expr*> args;
  Expr* clamp = nullptr;   ///< Method: least level of detail
  Expr* out = nullptr;     ///< Method: where the status or the old value goes
  VarDecl* var = nullptr;
  FunctionDecl* function = nullptr;
  const Intrinsic* intrinsic = nullptr;
  uint32_t field = 0;
  union {
    uint64_t u = 0; ///< Literal: integer value (bool: 0 or 1)
    double f;       ///< Literal of a floating-point type
  };
};

enum class StmtKind : uint8_t { Empty, Block, Decl, Expr, If, For, While, DoWhile, Switch, Case, Default, Break, Continue, Return, Discard };

enum LoopAttribute : uint32_t { kAttrUnroll = 1, kAttrLoop = 2, kAttrBranch = 4, kAttrFlatten = 8, kAttrFastOpt = 16, kAttrForceCase = 32, kAttrCall = 64, kAttrAllowUav = 128 };

struct Stmt {
  StmtKind kind = StmtKind::Empty;
  uint32_t attributes = 0;  ///< LoopAttribute
  uint32_t unrollCount = 0; ///< [unroll(n)]; 0: not given
  std::vector<std::pair<Location, std::string>> attributeWarnings; ///< said when the statement is reached
  Location loc;
  std::vector<Stmt*> body;  ///< Block; Switch: flat list with Case labels
  std::vector<VarDecl*> vars;
  Expr* expr = nullptr;     ///< condition, value, selector, case label
  Stmt* init = nullptr;
  Expr* step = nullptr;
  Stmt* then = nullptr;     ///< also the body of loops
  Stmt* otherwise = nullptr;
};

struct Binding {
  char kind = 0;       ///< 'b', 't', 's', 'u', 'c', ...; 0: none
  uint32_t index = 0;
  uint32_t component = 0;
  bool explicitIndex = false;
};

struct VarDecl {
  std::string_view name;
  const Type* type = nullptr;
  uint32_t modifiers = 0;
  bool global = false;
  bool parameter = false;
  bool uniform = false;        ///< lives in a constant buffer
  std::string semantic;
  Binding binding;             ///< register()
  bool hasPackOffset = false;
  uint32_t packOffset = 0;     ///< scalar index
  Expr* init = nullptr;        ///< initial or default value, converted to the type
  ConstantBuffer* buffer = nullptr;
  uint32_t offset = 0;         ///< uniforms: bytes from the start of the buffer (after layout)
  uint32_t size = 0;           ///< uniforms: bytes
  bool used = false;
  Location loc;
  uint32_t index = 0;          ///< running number
  uint32_t linkedTextureDim = 0;
  const VarDecl* sameAs = nullptr; ///< linked shaders: the variable of another library that has the same slots
  /// Global structures: a variable of its own (and the element of it) for each object in them.
  std::vector<std::pair<const VarDecl*, uint32_t>> objects;
};

struct ConstantBuffer {
  std::string name;
  bool textureBuffer = false;
  Binding binding;
  std::vector<VarDecl*> vars;
  Location loc;
  uint32_t size = 0;           ///< bytes, a multiple of 16
  bool used = false;
  bool globals = false;        ///< "$Globals": what stands in no buffer
  bool overlapping = false;    ///< linked shaders: of several libraries, whose variables may lie on each other
  uint32_t slot = 0;
};

struct Attribute {
  std::string name;
  std::vector<Expr*> args;
  std::vector<std::string> strings;
  Location loc;
};

struct FunctionDecl {
  std::string name;
  const Type* returnType = nullptr;
  std::string semantic;
  uint32_t modifiers = 0;
  std::vector<VarDecl*> params;
  std::vector<Attribute> attributes;
  Stmt* body = nullptr;        ///< null: only a prototype so far
  Location loc;
  const Type* owner = nullptr; ///< methods: their structure
  VarDecl* self = nullptr;     ///< methods that are not static: params[0], the object
  bool global = true;          ///< neither in a structure nor in a namespace
  bool active = false;         ///< being lowered: a call now is recursion
  std::vector<FunctionDecl*> callees;
};

/// Owns the nodes.
class Arena {
public:
  Expr* expr() { return m_exprs.emplace_back(std::make_unique<Expr>()).get(); }
  Stmt* stmt() { return m_stmts.emplace_back(std::make_unique<Stmt>()).get(); }
  VarDecl* var() {
    VarDecl* v = m_vars.emplace_back(std::make_unique<VarDecl>()).get();
    v->index = uint32_t(m_vars.size());
    return v;
  }
  FunctionDecl* function() { return m_functions.emplace_back(std::make_unique<FunctionDecl>()).get(); }
  ConstantBuffer* buffer() { return m_buffers.emplace_back(std::make_unique<ConstantBuffer>()).get(); }

private:
  std::vector<std::unique_ptr<Expr>> m_exprs;
  std::vector<std::unique_ptr<Stmt>> m_stmts;
  std::vector<std::unique_ptr<VarDecl>> m_vars;
  std::vector<std::unique_ptr<FunctionDecl>> m_functions;
  std::vector<std::unique_ptr<ConstantBuffer>> m_buffers;
};

/// A whole source after parsing.
struct Program {
  Arena arena;
  TypeTable types;
  std::vector<FunctionDecl*> functions;     ///< in order of definition
  std::vector<VarDecl*> globals;        ///< everything outside functions, in order
  std::vector<ConstantBuffer*> buffers; ///< [0] is $Globals, of the first source
  /// Linked shaders: slots of resources that do not follow from their declarations, by variable and kind (s, t, u).
  std::map<std::pair<const VarDecl*, char>, uint32_t> slots;
  bool clipPlanes = false;              ///< clip distances were added while linking
};

} // namespace monolith::compiler
