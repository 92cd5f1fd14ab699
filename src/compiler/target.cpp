// SPDX-License-Identifier: MIT
#include "compiler/target.h"

#include "dxbc/library.h"

namespace monolith::compiler {

namespace {

struct StageName {
  std::string_view prefix;
  Stage stage;
};
constexpr StageName kStages[] = {{"ps_", Stage::Pixel}, {"vs_", Stage::Vertex}, {"gs_", Stage::Geometry}, {"hs_", Stage::Hull}, {"ds_", Stage::Domain}, {"cs_", Stage::Compute}};
constexpr std::string_view kLibrary = "lib_";

struct ModelName {
  std::string_view name;
  int model;
  bool level9;
};
constexpr ModelName kModels[] = {{"4_0", 40, false},        {"4_1", 41, false},        {"5_0", 50, false},
                                 {"4_0_level_9_0", 40, true}, {"4_0_level_9_1", 40, true}, {"4_0_level_9_3", 40, true}};

struct LibraryEnding {
  std::string_view ending;
  Stage stage; ///< pixel shaders can do all that vertex shaders can
  uint32_t use;
};
constexpr LibraryEnding kEndings[] = {{"_vs_only", Stage::Vertex, dxbc::kLevel9Vertex}, {"_ps_only", Stage::Pixel, dxbc::kLevel9Pixel}, {"", Stage::Pixel, dxbc::kLevel9Vertex | dxbc::kLevel9Pixel}};

bool parseModel(std::string_view name, Target& target) {
  for (const ModelName& m : kModels)
    if (m.name == name) {
      target.model = m.model;
      target.level9 = m.level9;
      return true;
    }
  return false;
}

bool parseLibrary(std::string_view model, Target& target) {
  target.library = true;
  for (const LibraryEnding& e : kEndings) {
    if (!model.ends_with(e.ending))
      continue;
    target.stage = e.stage;
    model.remove_suffix(e.ending.size());
    if (!parseModel(model, target) || model == "4_0_level_9_0" || (!target.level9 && !e.ending.empty()))
      return false;
    target.level9Use = target.level9 ? e.use : 0;
    return true;
  }
  return false;
}

} // namespace

bool isLibraryTarget(std::string_view name) {
  return name.starts_with(kLibrary);
}

bool parseTarget(const std::string& name, Target& target) {
  target.name = name;
  if (isLibraryTarget(name))
    return parseLibrary(std::string_view(name).substr(kLibrary.size()), target);
  for (const StageName& s : kStages) {
    if (!name.starts_with(s.prefix))
      continue;
    target.stage = s.stage;
    const bool tessellation = s.stage == Stage::Hull || s.stage == Stage::Domain;
    return parseModel(std::string_view(name).substr(s.prefix.size()), target) && !(tessellation && target.model < 50) &&
           !(target.level9 && s.stage != Stage::Pixel && s.stage != Stage::Vertex);
  }
  return false;
}

} // namespace monolith::compiler
