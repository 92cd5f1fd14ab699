// SPDX-License-Identifier: MIT
#include "program_generator.h"

#include <algorithm>
#include <vector>

namespace monolith::test {

namespace {

constexpr double kVariableBound = 32;       // no float variable holds more
constexpr double kExactBound = 1024 * 1024; // of any value on the way; sums of products stay below 2^24

struct Type {
  char base = 'f'; ///< f, i, u, b
  unsigned size = 1;
};

struct Value {
  std::string text;
  double bound = 0; ///< of floats
};

/// What can be read and mostly written: a variable, an element of an array, a member.
struct Place {
  std::string name, member;
  Type type;
  unsigned count = 0; ///< elements, or rows of a matrix; 0: no index between name and member
  bool writable = true, global = false;
  bool matrix = false; ///< rows that are written with known indices only
};

struct Matrix {
  std::string name;
  unsigned size;
};

struct Parameter {
  std::string mode;
  Type type;
};

struct Function {
  std::string name;
  Type result;
  std::vector<Parameter> parameters;
  bool pure = true;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}
  std::string run();

private:
  uint32_t random(uint32_t count) {
    m_state ^= m_state << 13, m_state ^= m_state >> 7, m_state ^= m_state << 17;
    return static_cast<uint32_t>((m_state >> 20) % count);
  }
  bool chance(uint32_t percent) { return random(100) < percent; }
  template <typename T> const T& pick(const std::vector<T>& v) { return v[random(static_cast<uint32_t>(v.size()))]; }
  std::string fresh(const char* prefix) { return prefix + std::to_string(m_names++); }
  void line(const std::string& s) { m_out += std::string(m_indent * 2, ' ') + s + "\n"; }

  static std::string name(Type t);
  Type anyType(bool withBool = true) { return {"fiub"[random(withBool ? 4 : 3)], 1 + random(4)}; }
  std::string swizzle(unsigned from, unsigned to, bool distinct);

  Value expression(Type t, int depth);
  Value floats(Type t, int depth);
  Value integers(Type t, int depth);
  Value booleans(Type t, int depth);
  Value leaf(Type t, int depth);
  Value literal(Type t);
  Value converted(Type t, int depth);
  Value call(Type t, int depth);
  Value matrixProduct(Type t, int depth);
  Value bounded(Value v, double limit);
  std::string number(char base);
  std::string access(const Place& p, int depth, bool target = false);
  /// An expression that a variable of this type may hold.
  std::string storable(Type t, int depth = 3) { return bounded(expression(t, depth), kVariableBound).text; }

  void declare(bool isStatic = false);
  void declareStructure();
  void declareMatrix();
  void assign();
  void conditional();
  void countedLoop();
  void openLoop();
  void choice();
  void callStatement();
  void statement();
  void block(unsigned statements);
  void function();
  void globals();

  uint64_t m_state;
  std::string m_out;
  unsigned m_names = 0, m_indent = 0, m_loops = 0, m_nesting = 0;
  int m_budget = 40;
  bool m_writesGlobals = false, m_inUnrolled = false;
  const Function* m_current = nullptr; ///< null in main
  std::vector<Place> m_places;
  std::vector<Matrix> m_matrices;
  std::vector<Function> m_functions;
};

std::string Generator::name(Type t) {
  const char* base = t.base == 'f' ? "float" : t.base == 'i' ? "int" : t.base == 'u' ? "uint" : "bool";
  return t.size == 1 ? base : base + std::to_string(t.size);
}

std::string Generator::swizzle(unsigned from, unsigned to, bool distinct) {
  if (from == to && chance(60)) return "";
  std::string order = "xyzw";
  order.resize(from);
  std::string s = ".";
  for (unsigned n = 0; n < to; n++) {
    const uint32_t at = random(static_cast<uint32_t>(order.size()));
    s += order[at];
    if (distinct) order.erase(at, 1);
  }
  return s;
}

std::string Generator::number(char base) {
  static const std::vector<std::string> ints = {"0", "1", "2", "3", "5", "7", "8", "15", "16", "31", "-1", "-2", "-9", "100", "255", "65535", "0x7fffffff", "-2147483647"};
  static const std::vector<std::string> uints = {"0u", "1u", "2u", "3u", "4u", "7u", "12u", "31u", "32u", "255u", "0x80000000u", "0xffffffffu"};
  static const std::vector<std::string> floats = {"0.0", "1.0", "2.0", "3.0", "-1.0", "-2.0", "5.0", "-7.0", "8.0", "16.0"};
  if (base == 'b') return chance(50) ? "true" : "false";
  return pick(base == 'f' ? floats : base == 'i' ? ints : uints);
}

Value Generator::literal(Type t) {
  if (t.size == 1) return {"(" + number(t.base) + ")", 16};
  std::string s = name(t) + "(";
  for (unsigned n = 0; n < t.size; n++) s += (n ? ", " : "") + number(t.base);
  return {s + ")", 16};
}

std::string Generator::access(const Place& p, int depth, bool target) {
  if (!p.count) return p.name + p.member;
  std::string index = std::to_string(random(p.count));
  if (chance(40) && !(target && p.matrix)) index = "(" + expression({'u', 1}, std::min(depth, 1)).text + ") % " + std::to_string(p.count) + "u";
  return p.name + "[" + index + "]" + p.member;
}

Value Generator::leaf(Type t, int depth) {
  std::vector<const Place*> fit;
  for (const Place& p : m_places)
    if (p.type.base == t.base) fit.push_back(&p);
  if (fit.empty() || chance(15)) return literal(t);
  const Place p = *pick(fit);
  return {access(p, depth - 1) + swizzle(p.type.size, t.size, false), kVariableBound};
}

Value Generator::bounded(Value v, double limit) {
  if (v.bound <= limit) return v;
  const std::string l = std::to_string(static_cast<int>(limit)) + ".0";
  return {"clamp(" + v.text + ", -" + l + ", " + l + ")", limit};
}

Value Generator::converted(Type t, int depth) {
  const Type f{'f', t.size}, i{'i', t.size}, u{'u', t.size}, b{'b', t.size};
  switch (t.base) {
  case 'f':
    if (chance(30)) return {name(t) + "(" + expression(b, depth - 1).text + ")", 1};
    return {name(t) + "(" + expression(chance(50) ? i : u, depth - 1).text + " & 31)", 31};
  case 'i':
    if (chance(40)) return {name(t) + "(" + expression(f, depth - 1).text + ")", 0};
    return {name(t) + "(" + expression(chance(70) ? u : b, depth - 1).text + ")", 0};
  case 'u':
    if (chance(30)) return {name(t) + "(abs(" + expression(f, depth - 1).text + "))", 0};
    return {name(t) + "(" + expression(chance(70) ? i : b, depth - 1).text + ")", 0};
  default: return {"(" + expression(chance(50) ? i : f, depth - 1).text + " != 0)", 0};
  }
}

Value Generator::call(Type t, int depth) {
  std::vector<const Function*> fit;
  for (const Function& f : m_functions)
    if (f.pure && &f != m_current && f.result.base == t.base && f.result.size >= t.size) fit.push_back(&f);
  if (fit.empty() || m_nesting > 3) return leaf(t, depth);
  const Function& f = *pick(fit);
  std::string s = f.name + "(";
  for (size_t n = 0; n < f.parameters.size(); n++) s += (n ? ", " : "") + storable(f.parameters[n].type, std::min(depth - 1, 1));
  return {s + ")" + swizzle(f.result.size, t.size, false), kVariableBound};
}

Value Generator::matrixProduct(Type t, int depth) {
  std::vector<Matrix> fit;
  for (const Matrix& m : m_matrices)
    if (m.size == t.size) fit.push_back(m);
  if (fit.empty()) return leaf(t, depth);
  const std::string m = pick(fit).name;
  const Value v = bounded(expression(t, depth - 1), 1024);
  const double bound = t.size * kVariableBound * v.bound;
  switch (random(3)) {
  case 0: return {"mul(" + m + ", " + v.text + ")", bound};
  case 1: return {"mul(" + v.text + ", " + m + ")", bound};
  default: return {"mul(transpose(" + m + "), " + v.text + ")", bound};
  }
}

Value Generator::floats(Type t, int depth) {
  Value a = bounded(expression(t, depth - 1), kExactBound / 4);
  switch (random(12)) {
  case 0:
  case 1:
  case 2: {
    const Value b = bounded(expression(t, depth - 1), kExactBound / 4);
    return {"(" + a.text + (chance(50) ? " + " : " - ") + b.text + ")", a.bound + b.bound};
  }
  case 3:
  case 4: {
    a = bounded(a, 1024);
    const Value b = bounded(expression(t, depth - 1), 512);
    return {"(" + a.text + " * " + b.text + ")", a.bound * b.bound};
  }
  case 5: {
    const Value b = expression(t, depth - 1);
    return {(chance(50) ? "min(" : "max(") + a.text + ", " + b.text + ")", std::max(a.bound, b.bound)};
  }
  case 6: return {(chance(50) ? "abs(" : "-(") + a.text + ")", a.bound};
  case 7: {
    const Value b = expression(t, depth - 1);
    const Type condition{'b', chance(70) ? 1 : t.size};
    return {"(" + expression(condition, depth - 1).text + " ? " + a.text + " : " + b.text + ")", std::max(a.bound, b.bound)};
  }
  case 8: {
    static const std::vector<std::string> names = {"floor(", "ceil(", "round(", "trunc(", "(float" };
    const std::string& f = pick(names);
    if (f == "(float") return {"saturate(" + a.text + ")", 1};
    return {f + a.text + ")", a.bound};
  }
  case 9: {
    const Type wide{'f', 1 + random(4)};
    if (t.size != 1) return {"sign(" + a.text + ")" , 1};
    const Value x = bounded(expression(wide, depth - 1), 512), y = bounded(expression(wide, depth - 1), 512);
    return {"dot(" + x.text + ", " + y.text + ")", wide.size * x.bound * y.bound};
  }
  case 10: {
    const Value b = expression(t, depth - 1);
    return {"step(" + a.text + ", " + b.text + ")", 1};
  }
  default: return matrixProduct(t, depth);
  }
}

Value Generator::integers(Type t, int depth) {
  const auto sub = [&] { return expression(t, depth - 1).text; };
  const std::string a = sub();
  switch (random(13)) {
  case 0: return {"(" + a + " + " + sub() + ")"};
  case 1: return {"(" + a + " - " + sub() + ")"};
  case 2: return {"(" + a + " * " + sub() + ")"};
  case 3: return {"(" + a + (chance(50) ? " & " : " | ") + sub() + ")"};
  case 4: return {"(" + a + " ^ " + sub() + ")"};
  case 5: return {"(" + a + (chance(50) ? " << " : " >> ") + sub() + ")"};
  case 6: {
    const std::string by = chance(50) ? std::to_string(1 + random(17)) + (t.base == 'u' ? "u" : "") : "((" + sub() + " & 15) + 1)";
    return {"(" + a + (chance(50) ? " / " : " % ") + by + ")"};
  }
  case 7: return {(chance(50) ? "min(" : "max(") + a + ", " + sub() + ")"};
  case 8: return {(chance(50) ? "~" : "-") + ("(" + a + ")")};
  case 9: {
    const Type condition{'b', chance(70) ? 1 : t.size};
    return {"(" + expression(condition, depth - 1).text + " ? " + a + " : " + sub() + ")"};
  }
  case 10:
    if (t.base == 'i') return {(chance(50) ? "abs(" : "sign(") + a + ")"};
    return {(chance(50) ? "countbits(" : "reversebits(") + a + ")"};
  case 11: return {"clamp(" + a + ", " + sub() + ", " + sub() + ")"};
  default: return {"mad(" + a + ", " + sub() + ", " + sub() + ")"};
  }
}

Value Generator::booleans(Type t, int depth) {
  static const std::vector<std::string> relations = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  switch (random(6)) {
  case 0: return {"(" + expression(t, depth - 1).text + (chance(50) ? " && " : " || ") + expression(t, depth - 1).text + ")"};
  case 1: return {"!(" + expression(t, depth - 1).text + ")"};
  case 2: {
    const Type wide{'b', 2 + random(3)};
    if (t.size == 1) return {(chance(50) ? "any(" : "all(") + expression(wide, depth - 1).text + ")"};
    [[fallthrough]];
  }
  default: {
    const Type s{"fiu"[random(3)], t.size};
    return {"(" + expression(s, depth - 1).text + pick(relations) + expression(s, depth - 1).text + ")"};
  }
  }
}

Value Generator::expression(Type t, int depth) {
  if (depth <= 0 || chance(20)) return leaf(t, depth);
  if (chance(8)) return call(t, depth);
  if (chance(15)) return converted(t, depth);
  return t.base == 'f' ? floats(t, depth) : t.base == 'b' ? booleans(t, depth) : integers(t, depth);
}

void Generator::declare(bool isStatic) {
  const Type t = anyType();
  const unsigned count = chance(30) ? 2 + random(4) : 0;
  const std::string v = fresh(isStatic ? "g" : "v");
  std::string s = (isStatic ? "static " : "") + name(t) + " " + v;
  const auto value = [&] { return isStatic ? literal(t).text : storable(t, count ? 1 : 3); };
  if (count) {
    s += "[" + std::to_string(count) + "] = {";
    for (unsigned n = 0; n < count; n++) s += (n ? ", " : " ") + value();
    s += " }";
  } else {
    s += " = " + value();
  }
  line(s + ";");
  m_places.push_back({v, "", t, count, true, isStatic});
}

void Generator::declareStructure() {
  const std::string type = fresh("S"), v = fresh("s");
  const unsigned members = 2 + random(3), count = chance(40) ? 2 + random(2) : 0;
  std::vector<Place> places;
  std::string s = "struct " + type + " {";
  for (unsigned n = 0; n < members; n++) {
    const Type t = anyType();
    const std::string member = "m" + std::to_string(n);
    s += " " + name(t) + " " + member;
    if (!count && chance(30)) {
      const unsigned elements = 2 + random(3);
      s += "[" + std::to_string(elements) + "]";
      places.push_back({v + "." + member, "", t, elements});
    } else {
      places.push_back({v, "." + member, t, count});
    }
    s += ";";
  }
  line(s + " };");
  if (count) {
    line(type + " " + v + "[" + std::to_string(count) + "];");
    for (unsigned n = 0; n < count; n++) line(v + "[" + std::to_string(n) + "] = (" + type + ")0;");
  } else {
    line(type + " " + v + " = (" + type + ")0;");
  }
  for (const Place& p : places) {
    line(access(p, 1) + " = " + storable(p.type, 2) + ";");
    m_places.push_back(p);
  }
  if (chance(50)) { // a copy of the whole
    const std::string copy = fresh("s");
    if (count) line(type + " " + copy + " = " + v + "[" + std::to_string(random(count)) + "];");
    else line(type + " " + copy + " = " + v + ";");
    for (Place p : places) {
      if (count) p.count = 0;
      p.name = copy + p.name.substr(v.size());
      m_places.push_back(p);
    }
  }
}

void Generator::declareMatrix() {
  const unsigned n = 2 + random(3);
  const std::string v = fresh("m"), type = "float" + std::to_string(n) + "x" + std::to_string(n);
  std::string s = type + " " + v + " = " + type + "(";
  for (unsigned r = 0; r < n; r++) s += (r ? ", " : "") + storable({'f', n}, 1);
  line(s + ");");
  m_places.push_back({v, "", {'f', n}, n, true, false, true});
  m_matrices.push_back({v, n});
}

void Generator::assign() {
  std::vector<const Place*> fit;
  for (const Place& p : m_places)
    if (p.writable) fit.push_back(&p);
  if (fit.empty()) return declare();
  const Place p = *pick(fit);
  m_writesGlobals |= p.global;
  const unsigned size = 1 + random(p.type.size);
  const std::string target = access(p, 1, true) + (p.type.size == 1 ? "" : swizzle(p.type.size, size, true));
  const bool number = p.type.base == 'i' || p.type.base == 'u';
  const bool whole = target.back() == ']' || target == p.name + p.member || (!p.member.empty() && target.ends_with(p.member));
  const Type t{p.type.base, whole ? p.type.size : size};
  static const std::vector<std::string> operators = {" += ", " -= ", " *= ", " &= ", " |= ", " ^= ", " <<= ", " >>= "};
  if (number && chance(30)) return line(target + pick(operators) + expression(t, 2).text + ";");
  if (number && t.size == 1 && chance(10)) return line(chance(50) ? target + "++;" : "--" + target + ";");
  line(target + " = " + storable(t) + ";");
}

void Generator::block(unsigned statements) {
  const size_t places = m_places.size(), matrices = m_matrices.size();
  m_indent++, m_nesting++;
  while (statements--) statement();
  m_indent--, m_nesting--;
  m_places.erase(m_places.begin() + static_cast<std::ptrdiff_t>(places), m_places.end());
  m_matrices.erase(m_matrices.begin() + static_cast<std::ptrdiff_t>(matrices), m_matrices.end());
}

void Generator::conditional() {
  const std::string condition = expression({'b', 1}, 2).text;
  const unsigned kind = random(10);
  if (kind == 0 && m_current) {
    line("if (" + condition + ") return " + storable(m_current->result, 2) + ";");
    return;
  }
  if (kind <= 2 && m_loops && !m_inUnrolled) return line("if (" + condition + ") " + (chance(50) ? "break;" : "continue;"));
  // An attribute only where what is inside can be flattened.
  const bool plain = chance(50);
  line((plain ? "BRANCH if (" : "if (") + condition + ") {");
  const auto inside = [&] {
    if (!plain) return block(1 + random(3));
    const size_t places = m_places.size();
    m_indent++;
    for (unsigned n = 1 + random(3); n; n--) assign();
    m_indent--;
    m_places.resize(places);
  };
  inside();
  if (chance(50)) {
    line("} else {");
    inside();
  }
  line("}");
}

void Generator::countedLoop() {
  const std::string i = fresh("i");
  const unsigned count = 1 + random(5);
  static const std::vector<std::string> steps = {"++", " += 2", " += 3"};
  line("LOOP for (int " + i + " = " + std::to_string(random(2)) + "; " + i + " < " + std::to_string(count) + "; " + i + pick(steps) + ") {");
  m_places.push_back({i, "", {'i', 1}, 0, false});
  m_loops++;
  block(1 + random(3));
  m_loops--;
  m_places.pop_back();
  line("}");
}

void Generator::openLoop() {
  const std::string i = fresh("n");
  const std::string limit = "(" + expression({'i', 1}, 1).text + " & 7)";
  const std::string bound = fresh("l");
  line("int " + i + " = 0, " + bound + " = " + limit + ";");
  const bool atEnd = chance(40);
  line(atEnd ? "[loop] do {" : "[loop] while (" + i + " < " + bound + ") {");
  m_indent++;
  line(i + "++;");
  m_indent--;
  m_places.push_back({i, "", {'i', 1}, 0, false});
  m_loops++;
  block(1 + random(3));
  m_loops--;
  line(atEnd ? "} while (" + i + " < " + bound + ");" : "}");
}

void Generator::choice() {
  line("switch (" + expression({chance(50) ? 'i' : 'u', 1}, 2).text + " & 3) {");
  const unsigned loops = m_loops;
  m_loops = 0; // a break would be the switch's
  const unsigned cases = 1 + random(4);
  for (unsigned n = 0; n < cases; n++) {
    line("case " + std::to_string(n) + ":" + (n + 1 < cases && chance(20) ? "" : " {"));
    if (m_out[m_out.size() - 2] != '{') continue;
    block(1 + random(2));
    line("} break;");
  }
  if (chance(50)) {
    line("default: {");
    block(1);
    line("} break;");
  }
  m_loops = loops;
  line("}");
}

void Generator::callStatement() {
  std::vector<Function> fit;
  for (const Function& f : m_functions)
    if (!m_current || f.name != m_current->name) fit.push_back(f);
  if (fit.empty() || m_nesting > 3) return assign();
  const Function f = pick(fit);
  std::string s;
  std::vector<std::string> used;
  std::vector<Place> made;
  for (const Parameter& p : f.parameters) {
    s += s.empty() ? "" : ", ";
    if (p.mode == "in ") {
      s += storable(p.type, 2);
      continue;
    }
    std::vector<Place> targets;
    for (const Place& t : m_places)
      if (t.writable && !t.global && !t.count && t.type.base == p.type.base && t.type.size >= p.type.size &&
          std::find(used.begin(), used.end(), t.name) == used.end()) targets.push_back(t);
    if (targets.empty()) {
      const std::string v = fresh("v");
      line(name(p.type) + " " + v + " = " + storable(p.type, 2) + ";");
      m_places.push_back({v, "", p.type});
      targets.push_back(m_places.back());
    }
    const Place t = pick(targets);
    used.push_back(t.name);
    s += t.name + t.member + (t.type.size == 1 ? "" : swizzle(t.type.size, p.type.size, true));
  }
  m_writesGlobals |= !f.pure;
  const std::string v = fresh("r");
  line(name(f.result) + " " + v + " = " + f.name + "(" + s + ");");
  m_places.push_back({v, "", f.result});
}

void Generator::statement() {
  if (--m_budget < 0 || m_nesting > 4) return assign();
  switch (random(16)) {
  case 0:
  case 1: return declare();
  case 2: return declareStructure();
  case 3: return declareMatrix();
  case 4:
  case 5:
  case 6: return conditional();
  case 7: return m_nesting > 3 ? assign() : countedLoop();
  case 8: return m_loops ? conditional() : openLoop();
  case 9: return choice();
  case 10: return callStatement();
  default: return assign();
  }
}

void Generator::function() {
  Function f;
  f.name = fresh("f");
  f.result = anyType();
  const std::vector<Place> outer = m_places;
  std::erase_if(m_places, [](const Place& p) { return !p.global && p.writable; });
  std::string s;
  std::vector<std::string> outs;
  for (unsigned n = random(4); n; n--) {
    static const std::vector<std::string> modes = {"in ", "in ", "out ", "inout "};
    const Parameter p{pick(modes), anyType()};
    const std::string v = fresh("p");
    s += (s.empty() ? "" : ", ") + p.mode + name(p.type) + " " + v;
    if (p.mode == "out ") outs.push_back(v + " = " + literal(p.type).text + ";");
    if (p.mode != "in ") f.pure = false;
    f.parameters.push_back(p);
    m_places.push_back({v, "", p.type});
  }
  line(name(f.result) + " " + f.name + "(" + s + ") {");
  m_indent++;
  for (const std::string& o : outs) line(o);
  m_indent--;
  m_writesGlobals = false;
  m_current = &f;
  m_budget = 8;
  block(2 + random(5));
  m_indent++;
  line("return " + storable(f.result) + ";");
  m_indent--;
  line("}");
  m_current = nullptr;
  f.pure = f.pure && !m_writesGlobals;
  m_places = outer;
  m_functions.push_back(f);
}

void Generator::globals() {
  line("cbuffer C { float4 cf[4]; int4 ci[4]; uint4 cu[4]; };");
  m_places.push_back({"cf", "", {'f', 4}, 4, false});
  m_places.push_back({"ci", "", {'i', 4}, 4, false});
  m_places.push_back({"cu", "", {'u', 4}, 4, false});
  for (unsigned n = 1 + random(2); n; n--) {
    declare(true);
    if (chance(50)) continue;
    const std::string& before = m_out;
    const size_t at = before.rfind("static ");
    m_out.insert(at + 7, "const ");
    m_places.back().writable = false;
  }
}

std::string Generator::run() {
  globals();
  for (unsigned n = random(4); n; n--) function();
  line("void main(nointerpolation float4 a : A, nointerpolation int4 b : B, nointerpolation uint4 c : C,");
  line("          out float4 o0 : SV_Target0, out int4 o1 : SV_Target1, out uint4 o2 : SV_Target2) {");
  for (const auto& [v, base] : {std::pair{"a", 'f'}, {"b", 'i'}, {"c", 'u'}}) m_places.push_back({v, "", {base, 4}, 0, true});
  m_indent = 1;
  m_budget = 30;
  const unsigned statements = 4 + random(10);
  for (unsigned n = 0; n < statements; n++) statement();
  // All that is left over counts.
  std::string sums[3];
  const std::string bases = "fiu";
  for (const Place& p : m_places) {
    if (!p.writable) continue;
    std::string s = access(p, 0) + (p.type.size == 1 ? ".xxxx" : p.type.size == 4 ? "" : p.type.size == 2 ? ".xyyx" : ".xyzz");
    if (p.type.base == 'b') s = "uint4(" + s + ")";
    std::string& sum = sums[p.type.base == 'b' ? 2 : bases.find(p.type.base)];
    sum += sum.empty() ? s : " + " + s;
  }
  for (unsigned n = 0; n < 3; n++) line("o" + std::to_string(n) + " = " + (sums[n].empty() ? "0" : sums[n]) + ";");
  m_indent = 0;
  line("}");
  return m_out;
}

} // namespace

std::string generateProgram(uint64_t seed) { return Generator(seed).run(); }

} // namespace monolith::test
