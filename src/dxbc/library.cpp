// SPDX-License-Identifier: MIT
#include "dxbc/library.h"

#include "dxbc/bytes.h"

#include <algorithm>

namespace monolith::dxbc {

namespace {

constexpr uint32_t kHeaderWords = 5, kFunctionWords = 2, kParameterWords = 12, kSourceWords = 9, kBindingWords = 4;
constexpr uint32_t kSourceVersion = 1;

/// The numbers of a parameter in the order of its record, behind the two names.
template <typename P>
auto numbers(P& p) {
  return std::array{&p.type, &p.typeClass, &p.rows, &p.columns, &p.interpolation, &p.flags, &p.firstIn, &p.firstInComponent, &p.firstOut, &p.firstOutComponent};
}

/// LIBH: a one, the offset of the creator's name, flags, count and offset of the functions (mode, offset of the name).
bool parseHeader(std::span<const uint8_t> data, Library& library) {
  ByteReader in(data);
  if (in.u32(0) != 1)
    return false;
  library.creator = in.string(in.u32(4));
  library.flags = in.u32(8);
  const uint32_t count = in.u32(12), at = in.u32(16);
  if (!in.fits(at, count, kFunctionWords * 4))
    return false;
  for (uint32_t i = 0; i < count && in.ok(); i++) {
    LibraryFunction f;
    f.level9 = in.u32(at + i * 8) & (kLevel9Vertex | kLevel9Pixel);
    f.name = in.string(in.u32(at + i * 8 + 4));
    library.functions.push_back(std::move(f));
  }
  return in.ok();
}

std::vector<uint8_t> writeHeader(const Library& library) {
  ByteWriter out;
  const uint32_t functions = kHeaderWords * 4;
  for (uint32_t v : {1u, 0u, library.flags, uint32_t(library.functions.size()), functions})
    out.u32(v);
  for (const LibraryFunction& f : library.functions) {
    out.u32(f.level9);
    out.u32(0);
  }
  out.patch32(4, uint32_t(out.size()));
  out.string(library.creator);
  for (size_t i = 0; i < library.functions.size(); i++) {
    out.patch32(functions + i * kFunctionWords * 4 + 4, uint32_t(out.size()));
    out.string(library.functions[i].name);
  }
  out.align();
  return out.take();
}

/// LSRC: version, flags, offsets of profile and name, offset and size of the text, count and offset of the bindings.
bool parseSource(std::span<const uint8_t> data, LibrarySource& source) {
  ByteReader in(data);
  if (in.u32(0) != kSourceVersion)
    return false;
  source.flags = in.u32(4);
  source.profile = in.string(in.u32(8));
  source.name = in.string(in.u32(12));
  const std::vector<uint8_t> text = in.bytes(in.u32(16), in.u32(20));
  source.text.assign(text.begin(), text.end());
  const uint32_t count = in.u32(24), at = in.u32(28);
  if (!in.ok() || !in.fits(at, count, kBindingWords * 4))
    return false;
  for (uint32_t i = 0; i < count; i++)
    source.bindings.push_back({char(in.u32(at + i * 16)), in.u32(at + i * 16 + 4), in.u32(at + i * 16 + 8), in.u32(at + i * 16 + 12)});
  return in.ok();
}

std::vector<uint8_t> writeSource(const LibrarySource& source) {
  ByteWriter out;
  for (uint32_t i = 0; i < kSourceWords; i++)
    out.u32(0);
  out.patch32(0, kSourceVersion);
  out.patch32(4, source.flags);
  out.patch32(24, uint32_t(source.bindings.size()));
  out.patch32(28, uint32_t(out.size()));
  for (const LibraryBinding& b : source.bindings)
    for (uint32_t v : {uint32_t(b.kind), b.index, b.slot, b.count})
      out.u32(v);
  out.patch32(8, uint32_t(out.size()));
  out.string(source.profile);
  out.patch32(12, uint32_t(out.size()));
  out.string(source.name);
  out.patch32(16, uint32_t(out.size()));
  out.patch32(20, uint32_t(source.text.size()));
  out.string(source.text);
  out.align();
  return out.take();
}

} // namespace

bool isLibrary(std::span<const uint8_t> bytes) {
  Result<Container> container = parseContainer(bytes, false);
  return container && container->find(kTagLibh);
}

Result<Library> parseLibrary(std::span<const uint8_t> bytes) {
  using R = Result<Library>;
  Result<Container> container = parseContainer(bytes, false);
  if (!container)
    return R::failure(container.error());
  Library library;
  const Chunk* header = container->find(kTagLibh);
  if (!header)
    return R::failure("error: the container is no library");
  if (!parseHeader(header->data, library))
    return R::failure("error: the library's header is damaged");
  size_t next = 0;
  for (const Chunk& c : container->chunks) {
    if (c.tag != kTagLibf)
      continue;
    if (next == library.functions.size())
      return R::failure("error: the library has more functions than names");
    library.functions[next++].container.assign(c.data.begin(), c.data.end());
  }
  if (next != library.functions.size())
    return R::failure("error: the library has fewer functions than names");
  if (const Chunk* source = container->find(kTagLsrc)) {
    if (!parseSource(source->data, library.source))
      return R::failure("error: the library's source is damaged");
    library.hasSource = true;
  }
  return library;
}

std::vector<uint8_t> writeLibrary(const Library& library) {
  ContainerBuilder builder;
  builder.add(kTagLibh, writeHeader(library));
  for (const LibraryFunction& f : library.functions)
    builder.add(kTagLibf, std::vector<uint8_t>(f.container));
  if (library.hasSource)
    builder.add(kTagLsrc, writeSource(library.source));
  return builder.build();
}

Result<std::vector<LibraryParameter>> parseParameters(std::span<const uint8_t> data) {
  using R = Result<std::vector<LibraryParameter>>;
  ByteReader in(data);
  const uint32_t count = in.u32(0), at = in.u32(4);
  if (!in.ok() || !count || !in.fits(at, count, kParameterWords * 4))
    return R::failure("error: the parameters of a library function are damaged");
  std::vector<LibraryParameter> list(count);
  for (uint32_t i = 0; i < count && in.ok(); i++) {
    size_t word = at + size_t(i) * kParameterWords * 4;
    const uint32_t name = in.u32(word), semantic = in.u32(word + 4);
    list[i].name = in.string(name);
    if (semantic)
      list[i].semantic = in.string(semantic);
    word += 8;
    for (uint32_t* v : numbers(list[i])) {
      *v = in.u32(word);
      word += 4;
    }
  }
  return in.ok() ? R(std::move(list)) : R::failure("error: the parameters of a library function are damaged");
}

std::vector<uint8_t> writeParameters(std::span<const LibraryParameter> parameters) {
  ByteWriter out;
  out.u32(uint32_t(parameters.size()));
  out.u32(8);
  for (const LibraryParameter& p : parameters) {
    out.u32(0);
    out.u32(0);
    for (const uint32_t* v : numbers(p))
      out.u32(*v);
  }
  for (size_t i = 0; i < parameters.size(); i++) {
    const size_t record = 8 + i * kParameterWords * 4;
    out.patch32(record, uint32_t(out.size()));
    out.string(parameters[i].name);
    if (parameters[i].semantic.empty())
      continue;
    out.patch32(record + 4, uint32_t(out.size()));
    out.string(parameters[i].semantic);
  }
  out.align();
  return out.take();
}

Result<Shader> parseLibraryProgram(std::span<const uint8_t> functionContainer) {
  using R = Result<Shader>;
  Result<Container> container = parseContainer(functionContainer, false);
  if (!container)
    return R::failure(container.error());
  const Chunk* program = container->find(kTagShex);
  if (!program)
    program = container->find(kTagShdr);
  if (!program || program->data.size() < 8)
    return R::failure("error: the library function has no program");
  std::vector<uint8_t> tokens(program->data.begin(), program->data.end());
  if ((uint32_t(tokens[2]) | uint32_t(tokens[3]) << 8) != kLibraryProgram)
    return R::failure("error: the program is none of a library");
  tokens[2] = tokens[3] = 0; // the kind of pixel shaders, in which all instructions of functions are allowed
  Result<Shader> shader = parseProgram(tokens);
  if (!shader)
    return shader;
  shader->programTag = program->tag;
  if (const Chunk* features = container->find(kTagSfi0); features && features->data.size() >= 8) {
    ByteReader in(features->data);
    shader->hasFeatures = true;
    shader->featureFlags = in.u32(0) | uint64_t(in.u32(4)) << 32;
  }
  return shader;
}

} // namespace monolith::dxbc
