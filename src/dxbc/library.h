// SPDX-License-Identifier: MIT
/// @file
/// Containers of shader libraries (lib_* targets): a chunk LIBH with the names of the functions, then a chunk LIBF for each,
/// which holds a container of its own: RDEF, LFS0 (the parameters), the program, STAT. A last chunk LSRC is of this
/// project: the preprocessed source, from which functions are compiled again, inlined, when a shader is linked.
#pragma once

#include "dxbc/shader.h"

#include <string>
#include <vector>

namespace monolith::dxbc {

inline constexpr uint32_t kTagLibh = fourcc('L', 'I', 'B', 'H');
inline constexpr uint32_t kTagLibf = fourcc('L', 'I', 'B', 'F');
inline constexpr uint32_t kTagLfs0 = fourcc('L', 'F', 'S', '0');
inline constexpr uint32_t kTagLsrc = fourcc('L', 'S', 'R', 'C');

/// Kind of program in the version token of library functions.
inline constexpr uint32_t kLibraryProgram = 0xfff0;
/// A parameter that has no register of that direction.
inline constexpr uint32_t kNoRegister = UINT32_MAX;

/// A parameter of a library function, as D3D11_PARAMETER_DESC has it. Numbers are those of d3dcommon.h.
struct LibraryParameter {
  std::string name, semantic;
  uint32_t type = 0;          ///< D3D_SVT_*; 0: void
  uint32_t typeClass = 0;     ///< D3D_SVC_*
  uint32_t rows = 0, columns = 0;
  uint32_t interpolation = 0; ///< D3D_INTERPOLATION_*
  uint32_t flags = 0;         ///< D3D_PF_*
  uint32_t firstIn = kNoRegister, firstInComponent = kNoRegister;
  uint32_t firstOut = kNoRegister, firstOutComponent = kNoRegister;
  bool operator==(const LibraryParameter&) const = default;
};

/// Bits of LibraryFunction::level9.
enum Level9Use : uint32_t { kLevel9Vertex = 1, kLevel9Pixel = 2 };

struct LibraryFunction {
  std::string name;
  uint32_t level9 = 0;            ///< Level9Use: which stages of feature level 9 it is made for
  std::vector<uint8_t> container; ///< data of its LIBF chunk
};

/// Where a global of the source was bound: the `index`-th variable (kind t, s, u) or constant buffer (kind b).
struct LibraryBinding {
  char kind = 0;
  uint32_t index = 0, slot = 0;
  uint32_t count = 1; ///< arrays: slots
  bool operator==(const LibraryBinding&) const = default;
};

struct LibrarySource {
  std::string profile; ///< "lib_5_0"
  std::string name;    ///< of the file
  std::string text;    ///< preprocessed
  uint32_t flags = 0;  ///< D3DCOMPILE_*
  std::vector<LibraryBinding> bindings;
};

struct Library {
  std::string creator;
  uint32_t flags = 0;
  std::vector<LibraryFunction> functions;
  bool hasSource = false;
  LibrarySource source;
};

/// True if the container is that of a library.
bool isLibrary(std::span<const uint8_t> bytes);
Result<Library> parseLibrary(std::span<const uint8_t> bytes);
std::vector<uint8_t> writeLibrary(const Library& library);

/// LFS0: the return value first (type void if there is none), then the parameters.
Result<std::vector<LibraryParameter>> parseParameters(std::span<const uint8_t> data);
std::vector<uint8_t> writeParameters(std::span<const LibraryParameter> parameters);

/// The program of a function, read as that of a pixel shader.
Result<Shader> parseLibraryProgram(std::span<const uint8_t> functionContainer);
/// "out float4x4", as listings have it.
std::string typeText(const LibraryParameter& parameter);

} // namespace monolith::dxbc
