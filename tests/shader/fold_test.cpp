// SPDX-License-Identifier: MIT
// Literal against run time: every operator and intrinsic on interesting values, once with literals, which the compiler
// folds, and once with the same values out of a constant buffer. Both must give the same bits on every backend.
#include "backend.h"
#include "compiler/compile.h"
#include "dxbc/validate.h"
#include "translate/translate.h"

#include <gtest/gtest.h>

namespace monolith::test {

namespace {

/// What operands are: float, int, uint, or angle (a float that is not huge).
enum class Kind : uint8_t { Float, Int, Uint, Angle };

/// An expression with a, b, c, d for its operands; the result is one word, or words that `parts` picks.
struct Expression {
  const char* text;
  unsigned operands;
  Kind kind = Kind::Float;
  const char* result = "float"; ///< type of the expression
  const char* before = "";      ///< statements before it
};

constexpr Expression kExpressions[] = {
    // Operators
    {"-a", 1}, {"a + b", 2}, {"a - b", 2}, {"a * b", 2}, {"a / b", 2}, {"a % b", 2}, {"!a", 1, Kind::Float, "bool"},
    {"a < b", 2, Kind::Float, "bool"}, {"a <= b", 2, Kind::Float, "bool"}, {"a > b", 2, Kind::Float, "bool"},
    {"a >= b", 2, Kind::Float, "bool"}, {"a == b", 2, Kind::Float, "bool"}, {"a != b", 2, Kind::Float, "bool"},
    {"a ? b : c", 3}, {"a && b", 2, Kind::Float, "bool"}, {"a || b", 2, Kind::Float, "bool"},
    {"-a", 1, Kind::Int, "int"}, {"~a", 1, Kind::Int, "int"}, {"!a", 1, Kind::Int, "bool"}, {"a + b", 2, Kind::Int, "int"},
    {"a - b", 2, Kind::Int, "int"}, {"a * b", 2, Kind::Int, "int"}, {"a / (b | 1)", 2, Kind::Int, "int"}, {"a % (b | 1)", 2, Kind::Int, "int"},
    {"a & b", 2, Kind::Int, "int"}, {"a | b", 2, Kind::Int, "int"}, {"a ^ b", 2, Kind::Int, "int"}, {"a << b", 2, Kind::Int, "int"},
    {"a >> b", 2, Kind::Int, "int"}, {"a < b", 2, Kind::Int, "bool"}, {"a <= b", 2, Kind::Int, "bool"}, {"a == b", 2, Kind::Int, "bool"},
    {"a != b", 2, Kind::Int, "bool"}, {"a > b", 2, Kind::Int, "bool"}, {"a >= b", 2, Kind::Int, "bool"},
    {"a + b", 2, Kind::Uint, "uint"}, {"a - b", 2, Kind::Uint, "uint"}, {"a * b", 2, Kind::Uint, "uint"}, {"a / (b | 1)", 2, Kind::Uint, "uint"},
    {"a % (b | 1)", 2, Kind::Uint, "uint"}, {"a << b", 2, Kind::Uint, "uint"}, {"a >> b", 2, Kind::Uint, "uint"}, {"a < b", 2, Kind::Uint, "bool"},
    {"a <= b", 2, Kind::Uint, "bool"}, {"a > b", 2, Kind::Uint, "bool"}, {"a >= b", 2, Kind::Uint, "bool"}, {"-a", 1, Kind::Uint, "uint"},
    {"x", 2, Kind::Int, "int", "int x = a; x += b; x ^= a; x <<= 3; x >>= 1; x |= 5; x -= b; "},
    {"x", 2, Kind::Float, "float", "float x = a; x += b;"}, {"x", 2, Kind::Float, "float", "float x = a; x *= b;"}, {"x++ + x", 1, Kind::Float, "float", "float x = a;"},
    {"--x", 1, Kind::Float, "float", "float x = a;"},
    // Conversions
    {"int(a)", 1, Kind::Float, "int"}, {"uint(a)", 1, Kind::Float, "uint"}, {"bool(a)", 1, Kind::Float, "bool"}, {"float(half(a))", 1},
    {"float(a)", 1, Kind::Int}, {"float(a)", 1, Kind::Uint}, {"bool(a)", 1, Kind::Int, "bool"}, {"uint(a)", 1, Kind::Int, "uint"},
    {"float(bool(a))", 1}, {"int(bool(a))", 1, Kind::Int, "int"}, {"asint(a)", 1, Kind::Float, "int"}, {"asuint(a)", 1, Kind::Float, "uint"},
    {"asfloat(a)", 1, Kind::Int}, {"f32tof16(a)", 1, Kind::Float, "uint"}, {"f16tof32(a)", 1, Kind::Uint}, {"float(double(a))", 1},
    {"int(double(a))", 1, Kind::Float, "int"}, {"uint(double(a))", 1, Kind::Float, "uint"}, {"float(double(a))", 1, Kind::Int},
    {"float(double(a))", 1, Kind::Uint}, {"float(double(a) + double(b))", 2}, {"float(double(a) * double(b))", 2}, {"float(double(a) / double(b))", 2},
    {"float(fma(double(a), double(b), double(c)))", 3}, {"float(min(double(a), double(b)))", 2}, {"float(max(double(a), double(b)))", 2},
    {"double(a) < double(b)", 2, Kind::Float, "bool"}, {"double(a) == double(b)", 2, Kind::Float, "bool"}, {"float(asdouble(a, b))", 2, Kind::Uint},
    // Intrinsics of one float
    {"abs(a)", 1}, {"acos(a)", 1, Kind::Angle}, {"asin(a)", 1, Kind::Angle}, {"atan(a)", 1}, {"ceil(a)", 1}, {"cos(a)", 1, Kind::Angle}, {"cosh(a)", 1, Kind::Angle},
    {"degrees(a)", 1}, {"exp(a)", 1}, {"exp2(a)", 1}, {"floor(a)", 1}, {"frac(a)", 1}, {"isfinite(a)", 1, Kind::Float, "bool"}, {"isinf(a)", 1, Kind::Float, "bool"},
    {"isnan(a)", 1, Kind::Float, "bool"}, {"log(a)", 1}, {"log10(a)", 1}, {"log2(a)", 1}, {"radians(a)", 1}, {"rcp(a)", 1}, {"round(a)", 1}, {"rsqrt(a)", 1},
    {"saturate(a)", 1}, {"sign(a)", 1, Kind::Float, "int"}, {"sin(a)", 1, Kind::Angle}, {"sinh(a)", 1, Kind::Angle}, {"sqrt(a)", 1}, {"tan(a)", 1, Kind::Angle},
    {"tanh(a)", 1, Kind::Angle}, {"trunc(a)", 1}, {"s + 2 * c", 1, Kind::Angle, "float", "float s, c; sincos(a, s, c);"}, {"modf(a, i)", 1, Kind::Float, "float", "float i;"},
    {"i", 1, Kind::Float, "float", "float i; modf(a, i);"}, {"frexp(a, e)", 1, Kind::Float, "float", "float e;"}, {"e", 1, Kind::Float, "float", "float e; frexp(a, e);"},
    // of several
    {"atan2(a, b)", 2}, {"fmod(a, b)", 2}, {"ldexp(a, b)", 2, Kind::Angle}, {"max(a, b)", 2}, {"min(a, b)", 2}, {"pow(abs(a), b + 0.3)", 2}, {"step(a, b)", 2}, {"clamp(a, b, c)", 3},
    {"lerp(a, b, c)", 3}, {"mad(a, b, c)", 3}, {"smoothstep(a, b, c)", 3}, {"dst(float4(a, b, c, d), float4(d, c, b, a)).yzwy", 4, Kind::Float, "float4"},
    {"lit(a, b, c)", 3, Kind::Angle, "float4"}, {"dot(float2(a, b), float2(c, d))", 4}, {"dot(float3(a, b, c), float3(d, a, b))", 4},
    {"dot(float4(a, b, c, d), float4(b, a, d, c))", 4}, {"cross(float3(a, b, c), float3(d, a, c))", 4, Kind::Float, "float3"}, {"length(float3(a, b, c))", 3},
    {"distance(float2(a, b), float2(c, d))", 4}, {"normalize(float3(a, b, c))", 3, Kind::Float, "float3"}, {"reflect(float2(a, b), float2(c, d))", 4, Kind::Float, "float2"},
    {"refract(float2(b, c), float2(d, b), a)", 4, Kind::Angle, "float2"}, {"faceforward(float2(a, b), float2(c, d), float2(d, a))", 4, Kind::Float, "float2"},
    {"determinant(float2x2(a, b, c, d))", 4}, {"determinant(float3x3(a, b, c, d, 1.5, 2.5, -0.5, 3, 0.25))", 4}, {"mul(float2(a, b), float2x2(a, b, c, d))", 4, Kind::Float, "float2"},
    {"mul(float2x2(a, b, c, d), float2(c, d))", 4, Kind::Float, "float2"}, {"transpose(float2x2(a, b, c, d))[0]", 4, Kind::Float, "float2"},
    {"any(float2(a, b))", 2, Kind::Float, "bool"}, {"all(float2(a, b))", 2, Kind::Float, "bool"}, {"D3DCOLORtoUBYTE4(float4(a, b, c, d))", 4, Kind::Float, "int4"},
    // of integers
    {"abs(a)", 1, Kind::Int, "int"}, {"sign(a)", 1, Kind::Int, "int"}, {"max(a, b)", 2, Kind::Int, "int"}, {"min(a, b)", 2, Kind::Int, "int"}, {"max(a, b)", 2, Kind::Uint, "uint"},
    {"min(a, b)", 2, Kind::Uint, "uint"}, {"clamp(a, b, c)", 3, Kind::Int, "int"}, {"clamp(a, b, c)", 3, Kind::Uint, "uint"}, {"mad(a, b, c)", 3, Kind::Int, "int"},
    {"countbits(a)", 1, Kind::Uint, "uint"}, {"reversebits(a)", 1, Kind::Uint, "uint"}, {"firstbithigh(a)", 1, Kind::Uint, "uint"}, {"firstbithigh(a)", 1, Kind::Int, "uint"},
    {"firstbitlow(a)", 1, Kind::Uint, "uint"}, {"dot(int2(a, b), int2(c, d))", 4, Kind::Int, "int"}, {"any(int2(a, b))", 2, Kind::Int, "bool"}, {"all(int2(a, b))", 2, Kind::Int, "bool"},
    {"msad4(a, uint2(b, c), uint4(d, a, b, c))", 4, Kind::Uint, "uint4"}, {"(a >> 8) & 0xff", 1, Kind::Uint, "uint"}, {"(a << 4) >> 20", 1, Kind::Int, "int"},
    {"(a & 0xff) << 8 | (b & 0xff00ff)", 2, Kind::Uint, "uint"},
};

constexpr uint32_t kFloats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0xc0200000, 0x3e99999a, 0x7f800000, 0xff800000, 0x7fc00000,
                                0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4b000001, 0xcf000000, 0x4f7fffff, 0x3f7fffff, 0xb3000000, 0x42c80000};
constexpr uint32_t kAngles[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0xc0200000, 0x3e99999a, 0x3f7fffff, 0xb3000000, 0x41200000, 0xbe4ccccd};
constexpr uint32_t kIntegers[] = {0, 1, 0xffffffff, 2, 31, 32, 0x7fffffff, 0x80000000, 0x80000001, 255, 0xfffffff9, 0x12345678, 0x00008000, 0x0000ffff, 0xaaaaaaaa};

std::span<const uint32_t> valuesOf(Kind k) {
  if (k == Kind::Float) return kFloats;
  return k == Kind::Angle ? std::span<const uint32_t>(kAngles) : kIntegers;
}

const char* typeOf(Kind k) { return k == Kind::Int ? "int" : k == Kind::Uint ? "uint" : "float"; }

unsigned partsOf(const Expression& e) {
  const char last = e.result[std::char_traits<char>::length(e.result) - 1];
  return last >= '2' && last <= '4' ? unsigned(last - '0') : 1;
}

std::string bitsOf(const Expression& e, const std::string& value) {
  const bool isBool = e.result[0] == 'b';
  return isBool ? "(" + value + " ? 1u : 0u)" : "asuint(" + value + ")";
}

using Tuple = std::array<uint32_t, 4>;

/// Operand tuples: all pairs for two operands, a walk through the values for more.
std::vector<Tuple> tuplesOf(const Expression& e) {
  const auto values = valuesOf(e.kind);
  const size_t n = values.size();
  std::vector<Tuple> all;
  if (e.operands == 1)
    for (uint32_t v : values) all.push_back({v, v, v, v});
  else if (e.operands == 2)
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k += 1 + i % 2) all.push_back({values[i], values[k], 0, 0});
  else
    for (size_t i = 0; i < 4 * n; i++) all.push_back({values[i % n], values[(i * 5 + i / n) % n], values[(i * 7 + 3 + i / n) % n], values[(i * 3 + 1 + 2 * (i / n)) % n]});
  return all;
}

/// A shader whose targets are results of the expression on up to 8 tuples; operands are literals or constants.
std::string shaderText(const Expression& e, std::span<const Tuple> tuples, bool literal) {
  std::string text = literal ? "" : "cbuffer C { uint4 v[8]; };\n";
  const std::string type = typeOf(e.kind);
  text += "struct R { ";
  for (size_t t = 0; t < tuples.size(); t++) text += "uint4 t" + std::to_string(t) + " : SV_Target" + std::to_string(t) + "; ";
  text += "};\nR main() {\n  R r;\n";
  for (size_t t = 0; t < tuples.size(); t++) {
    text += "  {\n";
    for (unsigned k = 0; k < e.operands; k++) {
      char word[32];
      snprintf(word, sizeof word, "0x%08xu", tuples[t][k]);
      const std::string from = literal ? std::string(word) : "v[" + std::to_string(t) + "]." + "xyzw"[k];
      const char* cast = e.kind == Kind::Int ? "asint" : e.kind == Kind::Uint ? "asuint" : "asfloat";
      text += "    " + type + " " + "abcd"[k] + " = " + cast + "(" + from + ");\n";
    }
    const unsigned parts = partsOf(e);
    text += std::string("    ") + e.before + "\n    " + e.result + " result = " + e.text + ";\n    r.t" + std::to_string(t) + " = uint4(";
    for (unsigned k = 0; k < 4; k++) {
      const std::string part = parts == 1 ? "result" : std::string("result.") + "xyzw"[k];
      text += (k ? ", " : "") + (k < parts ? bitsOf(e, part) : std::string("0u"));
    }
    text += ");\n  }\n";
  }
  return text + "  return r;\n}\n";
}

std::unique_ptr<ir::Function> build(const std::string& text) {
  compiler::CompileRequest request;
  request.source = text;
  request.target = "ps_5_0";
  const compiler::CompileResult compiled = compiler::compile(request);
  EXPECT_TRUE(compiled.ok) << text << compiled.messages;
  if (!compiled.ok) return nullptr;
  const auto shader = dxbc::loadShader(compiled.container);
  EXPECT_TRUE(shader) << shader.error();
  translate::Result r = translate::translate(*shader);
  EXPECT_TRUE(r) << r.error;
  return std::move(r.function);
}

bool isNan(uint32_t w) { return (w & 0x7fffffffu) > 0x7f800000u; }

/// Words 0 to 31: component c of target t at 4 t + c. Empty if the backend skips.
std::vector<uint32_t> results(Backend& backend, const ir::Function& f, std::span<const Tuple> tuples) {
  ShaderState state;
  state.constants[0].assign(tuples.begin(), tuples.end());
  ShaderOutputs out;
  const std::string error = backend.run(f, state, 1, out);
  if (error.substr(0, 4) == "skip") return {};
  EXPECT_EQ(error, "");
  std::vector<uint32_t> words(tuples.size() * 4);
  for (size_t n = 0; n < words.size(); n++)
    if (const auto it = out.outputs.find(uint32_t(n)); it != out.outputs.end()) words[n] = it->second[0];
  return words;
}

void check(const Expression& e) {
  const std::vector<Tuple> all = tuplesOf(e);
  size_t failures = 0;
  for (size_t first = 0; first < all.size(); first += 8) {
    const std::span<const Tuple> tuples(all.data() + first, std::min<size_t>(8, all.size() - first));
    const auto folded = build(shaderText(e, tuples, true)), plain = build(shaderText(e, tuples, false));
    if (!folded || !plain) return;
    const std::vector<uint32_t> literal = results(*backends()[0], *folded, tuples);
    for (const auto& backend : backends()) {
      const std::vector<uint32_t> actual = results(*backend, *plain, tuples);
      for (size_t n = 0; n < actual.size() && failures < 4; n++) {
        const bool isFloat = e.result[0] == 'f';
        if (actual[n] == literal[n] || (isFloat && isNan(actual[n]) && isNan(literal[n]))) continue;
        failures++;
        const Tuple& t = tuples[n / 4];
        ADD_FAILURE() << e.before << e.text << " part " << n % 4 << " of " << std::hex << t[0] << " " << t[1] << " " << t[2] << " " << t[3] << ": literal "
                      << literal[n] << ", " << backend->name() << " " << actual[n];
      }
    }
  }
}

} // namespace

TEST(Fold, LiteralsGiveTheBitsOfTheMachine) {
  for (const Expression& e : kExpressions) check(e);
}

} // namespace monolith::test
