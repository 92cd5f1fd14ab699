// SPDX-License-Identifier: MIT
#include "random_program.h"

namespace monolith::test {

namespace {
constexpr const char* kSwizzles[] = {"", "x", "xy", "xyz", "xyzw"};

void replaceAll(std::string& s, const std::string& from, const std::string& to) {
  for (size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size())) s.replace(at, from.size(), to);
}
} // namespace

RandomProgram::RandomProgram(uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15u + 1) {
  m_indent = 0;
  for (unsigned n = random(3); n > 0; n--) function();
  line("struct R { uint4 t0 : SV_Target0, t1 : SV_Target1, t2 : SV_Target2, t3 : SV_Target3; };");
  line("R main(nointerpolation int4 I : I, nointerpolation uint4 U : U, nointerpolation float4 F : F) {");
  m_indent = 1;
  line("R r;");
  m_variables = {{"I", Type::Int, 4, 0, false}, {"U", Type::Uint, 4, 0, false}, {"F", Type::Float, 4, 0, false},
                 {"ci", Type::Int, 4, 8, false}, {"cf", Type::Float, 4, 8, false}, {"s.a", Type::Float, 4, 0, true}, {"s.b", Type::Int, 1, 0, true},
                 {"s.c", Type::Uint, 2, 3, true}};
  line("S s; s.a = F; s.b = I.x; s.c[0] = U.xy; s.c[1] = U.zw; s.c[2] = U.yz;");
  for (int n = 0; n < 3; n++) declare();
  block(3, 5 + random(6));
  results();
  line("return r;");
  m_indent = 0;
  line("}");
}

std::string RandomProgram::text(const Attributes& a) const {
  std::string s = "cbuffer C { int4 ci[8]; float4 cf[8]; };\nstruct S { precise float4 a; int b; uint2 c[3]; };\n" + m_body;
  replaceAll(s, "@loop ", a.loop);
  replaceAll(s, "@varying ", a.varying);
  replaceAll(s, "@branch ", a.branch);
  replaceAll(s, "@select ", a.select);
  return s;
}

uint32_t RandomProgram::random(uint32_t limit) {
  m_state ^= m_state << 13;
  m_state ^= m_state >> 7;
  m_state ^= m_state << 17;
  return static_cast<uint32_t>((m_state >> 32) % limit);
}

std::string RandomProgram::typeName(Type t, unsigned components) const {
  static constexpr const char* kNames[] = {"int", "uint", "float", "bool"};
  return kNames[size_t(t)] + (components > 1 ? std::to_string(components) : std::string());
}

std::string RandomProgram::literal(Type t) {
  switch (t) {
  case Type::Int: return std::to_string(int(random(41)) - 20);
  case Type::Uint: return std::to_string(random(60)) + "u";
  case Type::Bool: return chance(50) ? "true" : "false";
  default: return std::to_string((int(random(81)) - 40) / 4) + (chance(50) ? ".5" : ".0");
  }
}

/// A scalar that is read from some variable in sight.
std::string RandomProgram::variable(Type t, bool& found) {
  std::vector<const Variable*> fit;
  for (const Variable& v : m_variables)
    if (v.type == t) fit.push_back(&v);
  found = !fit.empty();
  if (!found) return {};
  const Variable& v = *fit[random(uint32_t(fit.size()))];
  std::string s = v.name;
  if (v.elements) s += "[" + index(v.elements, 1) + "]";
  if (v.components > 1) s += std::string(".") + "xyzw"[random(v.components)];
  return s;
}

std::string RandomProgram::index(unsigned elements, int depth) {
  if (chance(40)) return std::to_string(random(elements));
  const unsigned mask = elements >= 8 ? 7 : elements >= 4 ? 3 : 1;
  return "(" + (depth > 0 ? integerScalar(Type::Int, depth - 1) : std::string("I.y")) + ") & " + std::to_string(mask);
}

std::string RandomProgram::call(Type t, int depth) {
  for (const Function& f : m_functions) {
    if (f.result != t || m_inFunction || !chance(60)) continue;
    std::string s = f.name + "(";
    for (size_t n = 0; n < f.parameters.size(); n++) {
      const Variable& p = f.parameters[n];
      std::string argument;
      if (p.writable) {
        for (const Variable& v : m_variables)
          if (v.writable && v.type == p.type && v.components == 1 && !v.elements) argument = v.name;
        if (argument.empty()) return {};
      } else {
        argument = expression(p.type, p.components, depth - 1);
      }
      s += (n ? ", " : "") + argument;
    }
    return s + ")";
  }
  return {};
}

std::string RandomProgram::scalar(Type t, int depth) {
  if (t == Type::Bool) return boolScalar(depth);
  return t == Type::Float ? floatScalar(depth) : integerScalar(t, depth);
}

std::string RandomProgram::floatScalar(int depth) {
  bool found = false;
  if (depth <= 0 || chance(25)) {
    const std::string v = chance(80) ? variable(Type::Float, found) : std::string();
    return found ? v : literal(Type::Float);
  }
  const std::string a = floatScalar(depth - 1), b = floatScalar(depth - 1);
  switch (random(16)) {
  case 0:
  case 1: return "(" + a + " + " + b + ")";
  case 2: return "(" + a + " - " + b + ")";
  case 3:
  case 4: return "(" + a + " * " + b + ")";
  case 5: return "(" + a + " / (abs(" + b + ") + 1))";
  case 6: return "min(" + a + ", " + b + ")";
  case 7: return "max(" + a + ", " + b + ")";
  case 8: return "floor(" + a + ")";
  case 9: return "(-(" + a + "))";
  case 10: return "saturate(" + a + ")";
  case 11: return "(" + boolScalar(depth - 1) + " ? " + a + " : " + b + ")";
  case 12: return "float(" + integerScalar(chance(50) ? Type::Int : Type::Uint, depth - 1) + ")";
  case 13: return "abs(" + a + ")";
  case 14: return "sqrt(abs(" + a + "))";
  default: {
    const std::string c = call(Type::Float, depth);
    return c.empty() ? "clamp(" + a + ", -8, 8)" : c;
  }
  }
}

std::string RandomProgram::integerScalar(Type t, int depth) {
  bool found = false;
  if (depth <= 0 || chance(25)) {
    const std::string v = chance(80) ? variable(t, found) : std::string();
    return found ? v : literal(t);
  }
  const std::string a = integerScalar(t, depth - 1), b = integerScalar(t, depth - 1);
  switch (random(15)) {
  case 0:
  case 1: return "(" + a + " + " + b + ")";
  case 2: return "(" + a + " - " + b + ")";
  case 3: return "(" + a + " * " + b + ")";
  case 4: return "(" + a + " & " + b + ")";
  case 5: return "(" + a + " | " + b + ")";
  case 6: return "(" + a + " ^ " + b + ")";
  case 7: return "(" + a + " << (" + b + " & 7))";
  case 8: return "(" + a + " >> (" + b + " & 7))";
  case 9: return "(" + a + (chance(50) ? " / (" : " % (") + b + " | 1))";
  case 10: return "(" + boolScalar(depth - 1) + " ? " + a + " : " + b + ")";
  case 11: return (t == Type::Int ? "int(clamp(" : "uint(clamp(") + floatScalar(depth - 1) + (t == Type::Int ? ", -100, 100))" : ", 0, 100))");
  case 12: return "(~" + a + ")";
  case 13: return chance(50) ? "min(" + a + ", " + b + ")" : "max(" + a + ", " + b + ")";
  default: {
    const std::string c = call(t, depth);
    return c.empty() ? (t == Type::Int ? "int(" : "uint(") + integerScalar(t == Type::Int ? Type::Uint : Type::Int, depth - 1) + ")" : c;
  }
  }
}

std::string RandomProgram::boolScalar(int depth) {
  if (depth <= 0) return chance(50) ? "(I.x > 2)" : "(U.y & 1)";
  static constexpr const char* kCompare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  switch (random(6)) {
  case 0: return "(" + boolScalar(depth - 1) + " && " + boolScalar(depth - 1) + ")";
  case 1: return "(" + boolScalar(depth - 1) + " || " + boolScalar(depth - 1) + ")";
  case 2: return "!" + boolScalar(depth - 1);
  default: {
    const Type t = Type(random(3));
    return "(" + scalar(t, depth - 1) + kCompare[random(6)] + scalar(t, depth - 1) + ")";
  }
  }
}

/// Vectors: variables with a swizzle, constructors, component-wise operators.
std::string RandomProgram::expression(Type t, unsigned components, int depth) {
  if (components == 1) return scalar(t, depth);
  std::vector<const Variable*> fit;
  for (const Variable& v : m_variables)
    if (v.type == t && v.components > 1 && !v.elements) fit.push_back(&v);
  if (!fit.empty() && (depth <= 0 || chance(35))) {
    const Variable& v = *fit[random(uint32_t(fit.size()))];
    std::string s = v.name + ".";
    for (unsigned c = 0; c < components; c++) s += "xyzw"[random(v.components)];
    return s;
  }
  if (depth > 0 && chance(50) && t != Type::Bool) {
    static constexpr const char* kOperators[] = {" + ", " - ", " * "};
    return "(" + expression(t, components, depth - 1) + kOperators[random(3)] + (chance(30) ? scalar(t, depth - 1) : expression(t, components, depth - 1)) + ")";
  }
  std::string s = typeName(t, components) + "(";
  for (unsigned c = 0; c < components; c++) s += (c ? ", " : "") + scalar(t, depth - 1);
  return s + ")";
}

void RandomProgram::declare() {
  Variable v;
  v.name = "v" + std::to_string(m_names++);
  v.type = Type(random(3));
  v.components = 1 + random(4);
  v.elements = chance(25) ? 4 : 0;
  const std::string precise = v.type == Type::Float ? "precise " : "", type = typeName(v.type, v.components);
  if (v.elements) {
    std::string s = precise + type + " " + v.name + "[4] = {";
    for (int n = 0; n < 4; n++) s += (n ? ", " : "") + expression(v.type, v.components, 1);
    line(s + "};");
  } else {
    line(precise + type + " " + v.name + " = " + expression(v.type, v.components, 2) + ";");
  }
  m_variables.push_back(v);
}

void RandomProgram::assign(int depth) {
  std::vector<const Variable*> fit;
  for (const Variable& v : m_variables)
    if (v.writable) fit.push_back(&v);
  const Variable v = *fit[random(uint32_t(fit.size()))];
  std::string target = v.name;
  if (v.elements) target += "[" + index(v.elements, 1) + "]";
  unsigned components = v.components;
  if (components > 1 && chance(50)) {
    components = 1 + random(components);
    target += std::string(".") + (components == 1 ? std::string(1, "xyzw"[random(v.components)]) : std::string(kSwizzles[components]));
  }
  static constexpr const char* kOperators[] = {" += ", " -= ", " *= "};
  line(target + (chance(40) ? kOperators[random(3)] : " = ") + expression(v.type, components, depth) + ";");
}

void RandomProgram::block(int depth, unsigned count) {
  const size_t visible = m_variables.size();
  m_indent++;
  for (unsigned n = 0; n < count; n++) statement(depth);
  m_indent--;
  if (m_indent > 1 || m_inFunction) m_variables.resize(visible);
}

void RandomProgram::statement(int depth) {
  const uint32_t kind = random(100);
  if (depth <= 0 || kind < 45) assign(3);
  else if (kind < 60) declare();
  else if (kind < 78) branch(depth);
  else if (kind < 92) loop(depth);
  else choose(depth);
}

void RandomProgram::branch(int depth) {
  line("@branch if (" + boolScalar(2) + ") {");
  block(depth - 1, 1 + random(3));
  if (chance(50)) {
    line("} else {");
    block(depth - 1, 1 + random(2));
  }
  line("}");
}

void RandomProgram::loop(int depth) {
  if (m_loops >= 3) return assign(2);
  m_loops++;
  const std::string n = "n" + std::to_string(m_names++);
  const bool varying = chance(40);
  if (varying) line("@varying for (int " + n + " = 0; " + n + " < (I.z & 3) + " + std::to_string(random(2)) + "; " + n + "++) {");
  else line("@loop for (int " + n + " = 0; " + n + " < " + std::to_string(2 + random(4)) + "; " + n + "++) {");
  m_variables.push_back({n, Type::Int, 1, 0, false});
  block(depth - 1, 1 + random(3));
  if (chance(25)) {
    m_indent++;
    line("if (" + boolScalar(1) + ") " + (chance(50) ? "break;" : "continue;"));
    assign(2);
    m_indent--;
  }
  m_variables.pop_back();
  line("}");
  m_loops--;
}

void RandomProgram::choose(int depth) {
  line("@select switch (" + integerScalar(Type::Int, 1) + " & 3) {");
  for (int n = 0; n < 3; n++) {
    if (n < 2) line("case " + std::to_string(n) + ":");
    else line("default:");
    block(depth - 1, 1 + random(2));
    m_indent++;
    line("break;");
    m_indent--;
  }
  line("}");
}

void RandomProgram::function() {
  Function f;
  f.name = "f" + std::to_string(m_functions.size());
  f.result = Type(random(3));
  const std::vector<Variable> outside = m_variables;
  m_variables.clear();
  std::string s = typeName(f.result, 1) + " " + f.name + "(";
  const unsigned count = 1 + random(3);
  for (unsigned n = 0; n < count; n++) {
    Variable p{"p" + std::to_string(n), Type(random(3)), 1, 0, chance(30)};
    if (!p.writable) p.components = 1 + random(3);
    s += std::string(n ? ", " : "") + (p.writable ? "inout " : "") + (p.type == Type::Float ? "precise " : "") + typeName(p.type, p.components) + " " + p.name;
    f.parameters.push_back(p);
    m_variables.push_back(p);
  }
  m_inFunction = true;
  line("static int4 g" + f.name + " = int4(1, 2, 3, 4);");
  line(s + ") {");
  m_indent = 1;
  line("int4 I = g" + f.name + "; uint4 U = uint4(I);");
  m_variables.push_back({"I", Type::Int, 4, 0, true});
  m_variables.push_back({"U", Type::Uint, 4, 0, true});
  const std::string result = "w" + f.name;
  line((f.result == Type::Float ? "precise " : "") + typeName(f.result, 1) + " " + result + " = " + literal(f.result) + ";");
  m_variables.push_back({result, f.result, 1, 0, true});
  block(1, 1 + random(3));
  if (chance(30)) line("if (" + boolScalar(1) + ") return " + scalar(f.result, 2) + ";");
  line(result + " = " + scalar(f.result, 2) + ";");
  line("return " + result + ";");
  m_indent = 0;
  line("}");
  m_inFunction = false;
  m_variables = outside;
  m_functions.push_back(f);
}

void RandomProgram::results() {
  for (int t = 0; t < 4; t++) {
    std::string s = "r.t" + std::to_string(t) + " = uint4(";
    for (int c = 0; c < 4; c++) {
      const Type type = Type(random(3));
      s += (c ? ", " : "") + std::string("asuint(") + scalar(type, 2) + ")";
    }
    line(s + ");");
  }
}

} // namespace monolith::test
