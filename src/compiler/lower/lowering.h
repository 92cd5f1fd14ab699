// SPDX-License-Identifier: MIT
/// @file
/// From the checked tree to the compiler's representation: inlines every call, takes vectors apart, unrolls loops.
///
/// Variables are runs of slots in an environment that maps each scalar to its present value; branches copy the
/// environment and merge it with phis. `return`, and `break` and `continue` of unrolled loops and of switches, become
/// flags in the environment: what follows them is put under "if not escaped" (or into the other branch of the if that
/// escaped), so no jumps are left but those of real loops.
///
/// A local array that turns out to be indexed dynamically cannot live in slots: it is noted and the whole lowering is
/// started again with that array in indexable registers (x#).
#pragma once

#include "compiler/lower/builder.h"
#include "compiler/lower/module.h"
#include "compiler/types/intrinsics.h"

#include <memory>
#include <set>

namespace monolith::compiler {

/// A value of any type as its scalars. Matrices are row by row; `columns` tells that columns are contiguous where it
/// came from, which decides the best way to multiply.
struct Value {
  const Type* type = nullptr;
  std::vector<ValueId> v;
  bool columns = false;
};

/// Where a value lives, and how to get at a part of it.
struct Place {
  enum class Kind : uint8_t { Slots, Value, Uniform, Memory, Icb, Buffer, Texel, Vertex };
  struct Step {
    ValueId index = kNoValue;         ///< dynamic choice among `count` groups of `each` scalars
    uint32_t count = 0, each = 0;
    std::vector<uint32_t> pick;       ///< or a fixed choice (index == kNoValue)
  };
  Kind kind = Kind::Value;
  const Type* type = nullptr;         ///< of the part
  const Type* baseType = nullptr;     ///< before the steps
  std::vector<uint32_t> slots;        ///< Slots: environment indices; Value: value ids; Vertex: scalars, vertex by vertex
  const VarDecl* var = nullptr;       ///< Uniform: variable; Slots: root
  uint32_t offset = 0;                ///< Uniform: bytes; Memory, Icb: register
  uint32_t memory = 0;                ///< Memory: x register
  ValueId dynamic = kNoValue;         ///< register index to add
  bool columns = false;
  // Buffer and Texel (lower_memory.cpp): `memory` is the resource, `slots` byte offsets or components, `dynamic` bytes.
  ValueId index = kNoValue;           ///< Buffer: structure
  bool pending = false;               ///< Buffer: groupshared array that is not indexed yet
  std::vector<ValueId> address;       ///< Texel
  Location loc;
  std::vector<Step> steps;
};

struct LoweringOptions {
  bool preferFlowControl = false;
  bool avoidFlowControl = false;
  bool skipOptimization = false;
};

class Lowering {
public:
  Lowering(Module& module, Diagnostics& diagnostics, const LoweringOptions& options, const std::set<const VarDecl*>& memoryVars);
  /// True if all went well and no restart is needed.
  bool run(FunctionDecl& entry);
  bool needsRestart() const { return m_restart; }
  const std::set<const VarDecl*>& memoryVars() const { return m_memoryVars; }
  Builder& builder() { return m_b; }

private:
  /// The global object that a variable or member of an object type stands for.
  struct ObjectRef {
    const VarDecl* var = nullptr;
    uint32_t element = 0;
  };
  struct Instance {
    bool live = false;
    bool memory = false;
    uint32_t base = 0;            ///< slot or x register
    std::vector<ObjectRef> objects; ///< resources bound to it and its members
  };
  struct Case {
    std::vector<uint32_t> labels;
    bool isDefault = false;
    std::vector<Stmt*> body;
  };
  struct LoopFrame {
    bool native = false;
    bool returns = false;               ///< native: has a return inside
    bool isSwitch = false;
    uint32_t control = 0;               ///< native
    std::vector<uint32_t> slots;        ///< native: slots with header phis
    std::vector<uint32_t> exitSlots;
    const Stmt* stmt = nullptr;
    uint32_t brokenSlot = 0, continuedSlot = 0; ///< flagged
  };
  struct Frame {
    FunctionDecl* function = nullptr;
    uint32_t returnedSlot = 0;
    uint32_t returnBase = 0;
    std::vector<LoopFrame> loops;
    size_t depth = 0;
    std::vector<ObjectRef> returnObjects;
  };

  // places and values (lower_place.cpp)
  Value read(const Place& p);
  void write(const Place& p, const Value& v);
  std::vector<ValueId> readBase(const Place& p);
  void writeBase(const Place& p, const std::vector<ValueId>& v);
  std::vector<ValueId> applySteps(const Place& p, std::vector<ValueId> v, size_t from);
  std::vector<ValueId> updateSteps(const Place& p, const std::vector<ValueId>& full, const std::vector<ValueId>& part, size_t step);
  Place place(const Expr* e);
  Place placeOfVar(const Expr* e);
  Place placeOfIndex(const Expr* e);
  Place narrow(Place p, const Type* type, const std::vector<uint32_t>& scalars);
  void loadUniform(const VarDecl* var, uint32_t offset, ValueId dynamic, const Type* type, std::vector<ValueId>& out);
  ValueId loadUniformScalar(const VarDecl* var, uint32_t byte, ValueId dynamic, Base base);
  void memoryLayout(const Type* type, uint32_t& reg, std::vector<std::pair<uint32_t, uint32_t>>& out) const;
  uint32_t memoryRegisters(const Type* type) const;
  static uint32_t vectorRegisters(const Type* type);
  Instance& declare(const VarDecl* var);
  ValueId unsetValue(const VarDecl* var);
  Instance& instance(const VarDecl* var);
  ValueId dynamicIndex(ValueId index, uint32_t stride, ValueId before);
  bool icbFor(const VarDecl* var, uint32_t& base);

  // expressions (lower_expression.cpp)
  Value expr(const Expr* e);
  Value exprGuarded(const Expr* e);
  ValueId scalar(const Expr* e);
  Value cast(const Value& v, const Type* to);
  ValueId convertScalar(ValueId v, Base from, Base to);
  Value binary(const Expr* e);
  ValueId binaryScalar(Operator op, ValueId a, ValueId b, Base base);
  ValueId divideInt(ValueId a, ValueId b, bool remainder);
  ValueId floatMod(ValueId a, ValueId b);
  Value construct(const Expr* e);
  Value conditional(const Expr* e);
  Value incDec(const Expr* e);
  Value call(const Expr* e);
  void checkSum(const Expr* e, ValueId a, ValueId b);
  void checkRange(const Expr* e, ValueId v, Base to);
  void checkIntrinsic(IntrinsicId id, const Expr* e, const std::vector<Value>& a);
  bool surelyFinite(ValueId v) const;
  void checkReturn(const FunctionDecl& f, uint32_t returnedSlot);
  void checkOutput(const FunctionDecl& f, const VarDecl& p, const Value& v);
  bool isVarying(ValueId v, std::set<ValueId>& seen) const;
  void notePlaces(const Expr* e, size_t before);
  bool forceUnroll(const Location& at, const std::string& what);
  void checkGradients(const Stmt* s, const LoopFrame& l, size_t first);
  void bindParameter(FunctionDecl* f, size_t i, const Expr* arg, std::vector<Place>& outs);

  // objects (lower_object.cpp)
  bool objectOf(const Expr* e, const VarDecl*& var, uint32_t& element);
  bool objectsOf(const Expr* e, std::vector<ObjectRef>& out);
  bool objectOffset(const Expr* e, uint32_t& first);
  void objectError(const Expr* e, bool sampler);
  std::map<const VarDecl*, std::vector<ObjectRef>> takeBackObjects(size_t mark);
  void meetObjects(std::map<const VarDecl*, std::vector<ObjectRef>> a, std::map<const VarDecl*, std::vector<ObjectRef>> b);
  void bindObjects(const VarDecl* var, std::vector<ObjectRef> refs);
  void bindArgument(const VarDecl* param, const Expr* arg);
  void assignObjects(const Expr* to, const std::vector<ObjectRef>& refs);

  template <typename F> Value map(const Type* type, bool columns, F f);
  // matrix_layout.cpp
  uint64_t homeOf(ValueId v) const;
  bool columnsTogether(const Value& m) const;
  bool columnsOf(const Value& a, const Value& b) const; ///< layout of a componentwise result
  void leafBases(const Type* t, std::vector<Base>& out) const;
  const Type* boolType(const Type* t) { return m_types.withBase(t, Base::Bool); }

  // intrinsics (lower_intrinsic.cpp, lower_math.cpp)
  Value intrinsic(const Expr* e);
  Value intrinsicFloat(IntrinsicId id, const Expr* e, const std::vector<Value>& a);
  Value intrinsicVector(IntrinsicId id, const Expr* e, const std::vector<Value>& a);
  Value intrinsicBits(IntrinsicId id, const Expr* e, const std::vector<Value>& a);
  void intrinsicOut(IntrinsicId id, const Expr* e, const std::vector<Value>& a, Value& result);
  Value transpose(const Value& m, const Type* type);
  Value multiply(const Expr* e, const Value& a, const Value& b);
  ValueId dot(std::span<const ValueId> a, std::span<const ValueId> b, Base base);
  ValueId unaryMath(IntrinsicId id, ValueId x);
  ValueId power(ValueId x, ValueId y, const Expr* e);
  ValueId arcTangent(ValueId x);
  ValueId arcTangent2(ValueId y, ValueId x);
  ValueId arcCosine(ValueId x);
  ValueId arcSine(ValueId x);
  ValueId determinant(const std::vector<ValueId>& m, uint32_t n);
  bool nonNegative(ValueId v, int depth = 0) const;
  ValueId c(float v) { return m_b.constant(v); }

  // interfaces (lower_interface.cpp)
  struct InterfaceBinding {
    const Type* type = nullptr;
    Place place;
    const Block* block = nullptr; ///< where it was bound
  };
  bool bindingOf(const Expr* e, InterfaceBinding& out);
  void bindInterface(const VarDecl* var, const Expr* value, const Location& at);
  FunctionDecl* resolveMethod(const Expr* call, Place& self);

  // geometry and tessellation (lower_stage.cpp)
  bool vertexParameter(FunctionDecl& entry, const VarDecl* p);
  bool isVertexVar(const VarDecl* var) const;
  Place placeOfVertices(const VarDecl* var);
  Place placeOfVertex(Place p, const Expr* e, ValueId index, uint32_t each);
  void readVertices(const Place& p, std::vector<ValueId>& out);
  Value streamMethod(const Expr* e);

  // buffers, unordered access, group shared memory (lower_memory.cpp)
  uint32_t locationIndex(const Location& at);
  void report(const Location& at, int number, const std::string& text);
  bool isShared(const VarDecl* var) const;
  void checkUav(const Type* type, const Location& at);
  Fetch memoryFetch(uint32_t resource) const;
  Place placeOfShared(const VarDecl* var, const Type* type);
  Place placeOfElement(const Expr* e);
  std::pair<ValueId, ValueId> bufferAddress(const Place& p, uint32_t first);
  std::vector<ValueId> loadBuffer(const Place& p, ValueId* status = nullptr);
  void storeBuffer(const Place& p, const std::vector<ValueId>& v);
  std::vector<ValueId> loadElementTexel(const Place& p, ValueId* status = nullptr);
  void storeTexel(const Place& p, const std::vector<ValueId>& v);
  bool indexMemory(Place& p, ValueId index, uint32_t count, uint32_t each);
  Value rawLoad(const Expr* e, uint32_t resource);
  void rawStore(const Expr* e, uint32_t resource);
  void atomic(Op op, uint32_t resource, const std::vector<ValueId>& address, const std::vector<ValueId>& values, const Expr* out, Base base);
  bool interlocked(IntrinsicId id, const Expr* e);
  bool barrier(IntrinsicId id, const Expr* e);
  ValueId counter(uint32_t resource, bool consume, const Location& at);
  Value memoryMethod(const Expr* e, uint32_t resource);

  // doubles (lower_double.cpp)
  ValueId doubleScalar(Operator op, ValueId a, ValueId b);
  ValueId convertDouble(ValueId v, Base from, Base to);
  ValueId zeroOf(Base base);
  void appendBits(ValueId v, Base base, std::vector<uint32_t>& out) const;
  bool doubleSupported(const Location& at);
  bool intrinsicDouble(IntrinsicId id, const Expr* e, const std::vector<Value>& a, Value& r);

  // textures (lower_load.cpp, lower_sample.cpp)
  Value method(const Expr* e);
  Value loadTexel(const Expr* e, uint32_t resource);
  void getDimensions(const Expr* e, uint32_t resource);
  Value sampleMethod(const Expr* e, uint32_t resource);
  Value gatherWithOffsets(const Expr* e, const Fetch& f, Op op, const std::vector<ValueId>& coordinates, const std::vector<ValueId>& extra, size_t next);
  Value oldSample(const Expr* e);
  uint32_t resourceIndex(const VarDecl* var, uint32_t element, bool sampler, uint8_t oldDim, const Location& at);
  Value fetchResult(ValueId inst, const Type* type, uint32_t first = 0);
  void storeStatus(const Expr* e, ValueId inst);
  uint32_t fetchIndex(const Fetch& f);
  bool constantOffset(const Expr* e, Fetch& f);

  // statements (lower_statement.cpp)
  void statement(const Stmt* s);
  void list(const std::vector<Stmt*>& stmts, size_t first);
  void declaration(const Stmt* s);
  void ifStatement(const Stmt* s, const std::vector<Stmt*>* rest, size_t restFirst);
  void loop(const Stmt* s);
  struct Attempt {
    Builder::Checkpoint mark;
    std::vector<ValueId> env;
    std::vector<Instance> instances;
    size_t temps, resources, objects, outOfBounds;
  };
  Attempt beginAttempt();
  void undo(Attempt saved);
  bool tryUnroll(const Stmt* s);
  void nativeLoop(const Stmt* s);
  void leaveLoop(const Stmt* s, const LoopFrame& l, const std::vector<ValueId>& before);
  bool acts(Block& block);
  std::vector<Case> collectCases(const Stmt* s);
  void switchStatement(const Stmt* s);
  void mergeCases(Control& c, size_t slots, const std::vector<std::vector<ValueId>>& envs, const std::vector<Block*>& blocks);
  void returnStatement(const Stmt* s);
  void breakOrContinue(const Stmt* s);
  bool alwaysEscapes(const Stmt* s, int depth = 0) const;
  ValueId escaped();
  void clearEscapes();
  template <typename Then, typename Else> void branch(ValueId condition, uint32_t attributes, Then then, Else otherwise);
  void merge(Control& c, ValueId condition, const std::vector<ValueId>& envA, Block* a, const std::vector<ValueId>& envB, Block* b);
  void loopEdge(LoopFrame& f, bool isBreak);
  void eraseDeclared(const Stmt* s, std::set<const VarDecl*>& out, int depth) const;
  void collectAssigned(const Stmt* s, std::set<const VarDecl*>& out, std::set<const FunctionDecl*>& seen, bool& returns, int depth);
  void collectAssigned(const Expr* e, std::set<const VarDecl*>& out, std::set<const FunctionDecl*>& seen, int depth);
  uint32_t newSlots(uint32_t n, ValueId initial);
  void setEnv(std::vector<ValueId> env);
  ValueId& env(uint32_t slot) { return m_env[slot]; }
  void discard(ValueId condition, const Location& at);
  bool overBudget(const Location& at);

  void entryInputs(FunctionDecl& entry);
  void storeOutputs(FunctionDecl& entry, uint32_t returnBase);
  void globals();

  Module& m_module;
  Diagnostics& m_diagnostics;
  LoweringOptions m_options;
  Program& m_program;
  TypeTable& m_types;
  Builder m_b;
  std::set<const VarDecl*> m_memoryVars;
  std::unordered_map<const VarDecl*, InterfaceBinding> m_interfaces;
  std::set<const VarDecl*> m_vertexVars; ///< inputs with a vertex dimension that are read where they are
  std::vector<Instance> m_instances;
  std::vector<ValueId> m_env;
  uint32_t m_nextSlot = 0; ///< slots are never given out twice, not even in two branches
  std::vector<std::unique_ptr<Frame>> m_frames;
  std::vector<std::pair<const VarDecl*, uint32_t>> m_icb;
  std::vector<Location> m_gradients; ///< where gradients were taken so far
  std::unordered_map<const VarDecl*, ValueId> m_unset;
  std::vector<ValueId> m_conditions; ///< of the branches round the present place
  std::vector<std::pair<const VarDecl*, std::vector<ObjectRef>>> m_objectLog; ///< assignments so far, with what was held before
  std::map<const Expr*, std::vector<ObjectRef>> m_callObjects; ///< objects that a call last returned
  bool m_restart = false;
  int m_depth = 0;
  struct Given {
    const Expr* e = nullptr;
    Value value;
  };
  Given m_given; ///< An expression that has its value already: the target of a compound assignment
  uint32_t m_work = 0;
  bool m_abandon = false; ///< the attempt to unroll has met a loop that stays
  int m_quiet = 0; ///< inside an attempt to unroll: no warnings
  bool m_unrollFailed = false;
  std::vector<Location> m_outOfBounds; ///< found in loops while they are being unrolled
  bool m_budgetReported = false;
  bool m_doubleReported = false;
  uint64_t m_arrayAccesses = 0; ///< elements of local arrays read or written
  uint64_t m_streamCalls = 0;   ///< Append and RestartStrip so far
};

} // namespace monolith::compiler
