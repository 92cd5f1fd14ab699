// SPDX-License-Identifier: MIT
// Operations on constants: computed by the functions that the shader IR's interpreter runs, so that a literal and a
// value that arrives at run time give the same bits.
#include "compiler/lower/builder.h"
#include "ir/evaluate.h"

#include <array>
#include <bit>

namespace monolith::compiler {

namespace {

struct FoldRow {
  Op op;
  ir::Op meaning;
  uint8_t result = 0; ///< of the meaning's results
};
constexpr FoldRow kRows[] = {
    {Op::Neg, ir::Op::FNeg},          {Op::Abs, ir::Op::FAbs},         {Op::Sat, ir::Op::FSat},
    {Op::Add, ir::Op::FAdd},          {Op::Mul, ir::Op::FMul},         {Op::Mad, ir::Op::FMad},
    {Op::Div, ir::Op::FDiv},          {Op::Min, ir::Op::FMin},         {Op::Max, ir::Op::FMax},
    {Op::Frc, ir::Op::FFrc},          {Op::RoundNe, ir::Op::FRoundNe}, {Op::RoundNi, ir::Op::FRoundNi},
    {Op::RoundPi, ir::Op::FRoundPi},  {Op::RoundZ, ir::Op::FRoundZ},   {Op::Sqrt, ir::Op::FSqrt},
    {Op::Rsq, ir::Op::FRsq},          {Op::Rcp, ir::Op::FRcp},         {Op::Exp, ir::Op::FExp2},
    {Op::Log, ir::Op::FLog2},         {Op::Sin, ir::Op::FSinCos, 0},   {Op::Cos, ir::Op::FSinCos, 1},
    {Op::FEq, ir::Op::FEq},           {Op::FNe, ir::Op::FNe},          {Op::FLt, ir::Op::FLt},
    {Op::FGe, ir::Op::FGe},           {Op::IAdd, ir::Op::IAdd},        {Op::IMul, ir::Op::IMulLo},
    {Op::IMin, ir::Op::IMin},         {Op::IMax, ir::Op::IMax},        {Op::UMin, ir::Op::UMin},
    {Op::UMax, ir::Op::UMax},         {Op::INeg, ir::Op::INeg},        {Op::IEq, ir::Op::IEq},
    {Op::INe, ir::Op::INe},           {Op::ILt, ir::Op::ILt},          {Op::IGe, ir::Op::IGe},
    {Op::ULt, ir::Op::ULt},           {Op::UGe, ir::Op::UGe},          {Op::UDiv, ir::Op::UDiv, 0},
    {Op::UMod, ir::Op::UDiv, 1},      {Op::Shl, ir::Op::Shl},          {Op::IShr, ir::Op::IShr},
    {Op::UShr, ir::Op::UShr},         {Op::And, ir::Op::And},          {Op::Or, ir::Op::Or},
    {Op::Xor, ir::Op::Xor},           {Op::Not, ir::Op::Not},          {Op::FtoI, ir::Op::FToI},
    {Op::FtoU, ir::Op::FToU},         {Op::ItoF, ir::Op::IToF},        {Op::UtoF, ir::Op::UToF},
    {Op::F32toF16, ir::Op::F32ToF16}, {Op::F16toF32, ir::Op::F16ToF32}, {Op::CountBits, ir::Op::CountBits},
    {Op::FirstBitHi, ir::Op::FirstBitHi}, {Op::FirstBitLo, ir::Op::FirstBitLo}, {Op::FirstBitShi, ir::Op::FirstBitSHi},
    {Op::BfRev, ir::Op::BfRev},       {Op::Ubfe, ir::Op::UBfe},        {Op::Ibfe, ir::Op::IBfe},
    {Op::Bfi, ir::Op::Bfi},           {Op::Msad, ir::Op::Msad},        {Op::Movc, ir::Op::Select},
};
/// Doubles: sources and result are pairs, or words where the operation says so.
constexpr FoldRow kDoubleRows[] = {
    {Op::DAdd, ir::Op::DAdd}, {Op::DMul, ir::Op::DMul}, {Op::DFma, ir::Op::DFma}, {Op::DDiv, ir::Op::DDiv}, {Op::DRcp, ir::Op::DRcp},
    {Op::DMin, ir::Op::DMin}, {Op::DMax, ir::Op::DMax}, {Op::DEq, ir::Op::DEq},   {Op::DNe, ir::Op::DNe},   {Op::DLt, ir::Op::DLt},
    {Op::DGe, ir::Op::DGe},   {Op::DtoF, ir::Op::DToF}, {Op::FtoD, ir::Op::FToD}, {Op::DtoI, ir::Op::DToI}, {Op::DtoU, ir::Op::DToU},
    {Op::ItoD, ir::Op::IToD}, {Op::UtoD, ir::Op::UToD},
};

template <size_t N> const FoldRow* find(const FoldRow (&rows)[N], Op op) {
  for (const FoldRow& r : rows)
    if (r.op == op)
      return &r;
  return nullptr;
}

uint32_t evaluate(ir::Op op, std::initializer_list<uint32_t> in) {
  uint32_t out[4] = {};
  ir::evaluate(op, in.begin(), out);
  return out[0];
}

/// As the machine adds: the first product rounded, every further one fused to the sum.
uint32_t foldDot(std::span<const uint32_t> in) {
  const size_t n = in.size() / 2;
  uint32_t sum = evaluate(ir::Op::FMul, {in[0], in[n]});
  for (size_t i = 1; i < n; i++)
    sum = evaluate(ir::Op::FMad, {in[i], in[n + i], sum});
  return sum;
}

} // namespace

bool foldDouble(Op op, std::span<const uint64_t> in, uint64_t& out) {
  switch (op) {
  case Op::DPair:
    out = in[1] << 32 | (in[0] & 0xffffffffu);
    return true;
  case Op::DLow:
    out = in[0] & 0xffffffffu;
    return true;
  case Op::DHigh:
    out = in[0] >> 32;
    return true;
  case Op::DNeg:
    out = in[0] ^ 0x8000000000000000ull;
    return true;
  case Op::DAbs:
    out = in[0] & 0x7fffffffffffffffull;
    return true;
  default:
    break;
  }
  const FoldRow* row = find(kDoubleRows, op);
  if (!row || in.size() > 3)
    return false;
  const ir::OpInfo& info = ir::opInfo(row->meaning);
  const bool pairs = info.maxOperands == 2 * in.size();
  if (!pairs && info.maxOperands != in.size())
    return false;
  uint32_t words[8] = {}, results[4] = {};
  for (size_t k = 0; k < in.size(); k++) {
    words[pairs ? 2 * k : k] = uint32_t(in[k]);
    if (pairs)
      words[2 * k + 1] = uint32_t(in[k] >> 32);
  }
  ir::evaluate(row->meaning, words, results);
  out = info.results > 1 ? uint64_t(results[1]) << 32 | results[0] : results[0];
  return true;
}

bool foldOp(Op op, std::span<const uint32_t> in, uint32_t& out) {
  if (hasTrait(op, kDot)) {
    out = foldDot(in);
    return true;
  }
  if (op == Op::Mov) {
    out = in[0];
    return true;
  }
  if (op == Op::IMad) {
    out = in[0] * in[1] + in[2];
    return true;
  }
  const FoldRow* row = find(kRows, op);
  if (!row || ir::opInfo(row->meaning).maxOperands != in.size())
    return false;
  uint32_t results[4] = {};
  ir::evaluate(row->meaning, in.data(), results);
  out = results[row->result];
  return true;
}

} // namespace monolith::compiler
