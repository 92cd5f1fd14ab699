// SPDX-License-Identifier: MIT
/// @file
/// Packed items with their registers to DXBC instructions, declarations included.
#pragma once

#include "compiler/emit/registers.h"
#include "dxbc/instruction.h"

#include <map>

namespace monolith::compiler {

/// Constant buffer use found while instructions are made.
struct BufferUse {
  bool used = false;
  bool dynamic = false;
  uint32_t highest = 0;              ///< highest register read
  std::vector<std::pair<uint32_t, uint32_t>> ranges; ///< bytes read
};

class Codegen {
public:
  Codegen(Module& module, Packer& packer, Registers& registers);
  /// The whole program, in order. Empty if a limit is broken (then `error` says which).
  std::vector<dxbc::Instruction> run();
  // The same in parts, for shaders made of phases.
  std::vector<dxbc::Instruction> body();
  void globalDeclarations(std::vector<dxbc::Instruction>& out); ///< constants and resources
  void phaseDeclarations(std::vector<dxbc::Instruction>& out);  ///< inputs, outputs, temporaries
  /// Adds what another part of the shader uses.
  void mergeUses(const Codegen& other);

  std::vector<BufferUse> buffers; ///< by Program::buffers
  std::map<uint32_t, uint32_t> inputRanges; ///< first register and number of those that an index chooses from
  std::vector<bool> resourceUsed; ///< by Module::resources
  bool usesDoubles = false, usesDoubleExtensions = false, usesShaderExtensions = false, usesTiledStatus = false;
  bool usesRawAndStructured() const;
  std::vector<Location> places; ///< in the source: what dxbc::Instruction::place counts
  std::string error;

private:
  dxbc::Instruction make(Op op, const Inst& inst) const;
  dxbc::Operand dst(const std::vector<ValueId>& results, std::vector<int>& positions);
  dxbc::Operand source(dxbc::Instruction& in, std::span<const Src> lanes, const std::vector<int>& positions, bool scalar);
  dxbc::Operand scalarSource(dxbc::Instruction& in, Src s);
  dxbc::Operand relative(ValueId v);
  void readBuffer(const Inst& i);
  void alu(const Item& item);
  void dot(const Item& item);
  void pair(const Item& item);
  void memory(const Item& item);
  void sync(const Item& item);
  dxbc::Operand memoryOperand(dxbc::Instruction& in, const Fetch& f, bool describe);
  bool declareMemory(const ResourceUse& r, dxbc::Instruction& in);
  void declareGroup(std::vector<dxbc::Instruction>& out);
  dxbc::Operand pairSource(dxbc::Instruction& in, const Src& low, const Src& high);
  void fetch(const Item& item);
  void store(const Item& item);
  void tempStore(const Item& item);
  void copies(const Item& item);
  void control(const Item& item);
  void mov(dxbc::Operand d, std::span<const Src> lanes, const std::vector<int>& positions);
  void declareVertices(std::vector<dxbc::Instruction>& out);
  void emitVertex(const Item& item);
  void declareResources(std::vector<dxbc::Instruction>& d);
  void declareIo(std::vector<dxbc::Instruction>& d);
  void markInput(const Inst& i);
  void markRange(const Inst& i);
  void settleInputRanges();
  void declareInputRanges(std::vector<dxbc::Instruction>& out);
  uint32_t placeOf(const Item& item);
  uint32_t placeNumber(const Location& at);

  Module& m_module;
  Function& m_f;
  Packer& m_packer;
  Registers& m_registers;
  std::vector<dxbc::Instruction> m_out;
};

dxbc::ResourceDimension resourceDimension(ObjectKind kind);
ObjectKind kindOf(const ResourceUse& r);
/// Type of the object itself, without the arrays round it; null for constant buffers.
const Type* elementTypeOf(const ResourceUse& r);
bool isMemoryOp(Op op);
/// Order of declarations and reflection by kind.
int resourceOrder(const ResourceUse& r);
/// Element type of the resource as the token stream names it.
dxbc::ReturnType returnTypeOf(const ResourceUse& r);

} // namespace monolith::compiler
