// SPDX-License-Identifier: MIT
/// @file
/// A *.shader_test file. Sections in brackets; a semicolon starts a comment.
///
///   [ps] [vs] [ps 40]          assembly (assembler.h), shader model 5.0 or as given
///   [ir]                       IR text (ir/text.h)
///   [pixel shader] [vertex shader] [geometry shader] [hull shader] [domain shader]
///   [compute shader]
///                              HLSL, entry main, targets ps_5_0, vs_5_0, ...
///   [alu NAME]                 a shader made of one instruction: sources v0.x, v1.x, ..., results o0.x (and o1.x);
///                              doubles are .xy pairs
///   [constants]                cb0[2] = 1.0 2.0 3 0xff
///   [buffer t0] [buffer t0 stride 16] [buffer u0 ...]   words
///   [texture t0 2d 4 2 ...]    dimension, sizes, then options mips N, samples N, array N; one texel (4 words) a line
///   [table] [table ulp 1] [table abs 0.001]
///                              first line: inputs -> outputs; every further line is one lane. Four lines are a quad,
///                              eight lanes run together. Inputs: v0 (four words) or v0.x, system values by name
///                              (position, vertex_id, is_front_face, ...). Outputs: o0, o0.x, oDepth, oMask,
///                              oStencilRef, discard (0 or 1).
///                              Geometry and tessellation: inputs v[1][2].x (register 2 of vertex or control point 1),
///                              c3.x (patch constant, domain shaders); outputs e2.o0.x (of the third emitted vertex),
///                              e2.stream, emits (number of vertices), cuts (bit n: cut after n vertices), p1.o0.x (output
///                              control point 1 of a hull shader), c3.x (its patch constants). A row of a hull shader is
///                              a whole patch. In rows, * expects nothing; 1.5d is a double (two words).
///   [dispatch 2 1 1]           compute shaders: groups, instead of a table
///   [expect u0]                contents (words, or texels flat) after the last table
///
/// The latest shader, constants and resources count for each table.
#pragma once

#include "backend.h"

#include <string>
#include <string_view>

namespace monolith::test {

struct Shader {
  enum class Kind { Assembly, Ir, Hlsl, Alu } kind = Kind::Assembly;
  bool pixel = true;
  char stage = 'p'; ///< p, v, g, h, d: letter of the target
  std::string text; ///< Alu: the mnemonic
  unsigned line = 0;
  unsigned model = 50;
};

/// One word of a row; skipped in expectations if `any`.
struct Word {
  uint32_t bits = 0;
  bool any = false;
};

struct Row {
  unsigned line = 0;
  std::vector<Word> inputs, outputs;
};

struct Column {
  enum class Kind { Input, System, VertexInput, PatchInput, Output, Depth, Coverage, StencilRef, Discard, Emitted, EmittedStream, Emits, Cuts, Point, PatchOutput } kind = Kind::Input;
  uint32_t key = 0;   ///< register * 4 + component, or system value * 4 + component, or vertexKey
  uint32_t index = 0; ///< emitted vertex, output control point
};

struct Expectation {
  uint32_t slot = 0;
  std::vector<Word> words;
  unsigned line = 0;
};

struct Table {
  unsigned line = 0;
  size_t shader = 0; ///< index in TestFile::shaders
  uint32_t ulp = 0;
  float absolute = 0;
  ShaderState state;
  std::vector<Column> inputs, outputs;
  std::vector<Row> rows;
  std::array<uint32_t, 3> dispatch{}; ///< compute shaders: groups, instead of rows
  std::vector<Expectation> memory;
};

struct TestFile {
  std::vector<Shader> shaders;
  std::vector<Table> tables;
  std::string error; ///< "line N: ..." if the file is wrong
};

TestFile parseTestFile(std::string_view text);

} // namespace monolith::test
