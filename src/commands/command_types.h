// SPDX-License-Identifier: MIT
/// @file
/// CommandType numbers, from the table commands.def.
#pragma once

#include "commands/commands.h"

namespace monolith::commands {

enum class CommandType : uint16_t {
#define COMMAND(name) name,
#include "commands/commands.def"
#undef COMMAND
  EndOfChunk ///< Written by the recorder behind the last command of a chunk.
};

template <class Command> inline constexpr CommandType commandType = CommandType::EndOfChunk;
#define COMMAND(name) template <> inline constexpr CommandType commandType<name> = CommandType::name;
#include "commands/commands.def"
#undef COMMAND

} // namespace monolith::commands
