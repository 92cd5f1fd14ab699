// SPDX-License-Identifier: MIT
/// @file
/// Binding slots, reflection data and the container around the program.
#pragma once

#include "compiler/emit/codegen.h"
#include "dxbc/library.h"

namespace monolith::compiler {

struct CompileRequest;

/// D3D_SHADER_VARIABLE_TYPE of values of that base, D3D_SHADER_VARIABLE_CLASS of a numeric type.
uint16_t variableType(Base base);
uint16_t variableClass(const Type* type);
/// Slots that a resource takes: elements, if it is an array.
uint32_t elementCount(const VarDecl* v);

/// A whole shader, or one phase of a hull shader.
struct CodePart {
  Module* module;
  Packer* packer;
};

/// Gives every used buffer, texture and sampler its register. False after an error.
bool assignSlots(std::span<const CodePart> parts, const CompileRequest& request, Diagnostics& diagnostics);
/// RDEF, signatures, program, statistics and `debug` (an SDBG chunk, unless empty) as the bytes of a DXBC container. Empty
/// on failure.
std::vector<uint8_t> writeContainer(Module& module, Codegen& codegen, std::vector<dxbc::Instruction> instructions, const CompileRequest& request, std::vector<uint8_t> debug);

/// RDEF, parameters, program and statistics of a library function. Empty on failure.
std::vector<uint8_t> writeFunctionContainer(Module& module, Codegen& codegen, std::vector<dxbc::Instruction> instructions, const CompileRequest& request,
                                            std::span<const dxbc::LibraryParameter> parameters);

} // namespace monolith::compiler
