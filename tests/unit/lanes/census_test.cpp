// Every arithmetic form that real programs were seen to use has a kernel.
#include <fstream>
#include <map>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

/// Reads "setp.lt.ftz.f32" word by word. Returns false at a word it does not know.
bool read_form(const std::string& text, Opcode& opcode, Modifiers& m) {
  static const std::map<std::string, Rounding> roundings = {
      {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},
      {"rp", Rounding::rp},   {"rna", Rounding::rna}, {"rni", Rounding::rni},
      {"rzi", Rounding::rzi}, {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
  static const std::map<std::string, Compare> compares = {
      {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},   {"gt", Compare::gt},
      {"ge", Compare::ge},   {"equ", Compare::equ}, {"neu", Compare::neu}, {"ltu", Compare::ltu}, {"leu", Compare::leu},
      {"gtu", Compare::gtu}, {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan}};
  static const std::map<std::string, bool Modifiers::*> flags = {
      {"ftz", &Modifiers::ftz},       {"sat", &Modifiers::sat},     {"approx", &Modifiers::approx},
      {"full", &Modifiers::full},     {"relu", &Modifiers::relu},   {"satfinite", &Modifiers::satfinite},
      {"cc", &Modifiers::cc},         {"l", &Modifiers::left},      {"r", &Modifiers::right},
      {"wrap", &Modifiers::wrap},     {"clamp", &Modifiers::clamp}, {"shiftamt", &Modifiers::shift_amount},
      {"add", &Modifiers::accumulate}};
  static const std::map<std::string, MulPart> parts = {
      {"lo", MulPart::lo}, {"hi", MulPart::hi}, {"wide", MulPart::wide}};

  std::size_t end = text.find('.');
  const std::optional<Opcode> found = find_opcode(text.substr(0, end));
  if (!found) return false;
  opcode = *found;
  while (end != std::string::npos) {
    const std::size_t start = end + 1;
    end = text.find('.', start);
    const std::string word = text.substr(start, end == std::string::npos ? end : end - start);
    if (const auto type = find_type(word)) {
      (m.type == Type::none ? m.type : m.source_type == Type::none ? m.source_type : m.third_type) = *type;
    } else if (roundings.count(word) != 0) {
      m.rounding = roundings.at(word);
    } else if (compares.count(word) != 0) {
      m.compare = compares.at(word);
    } else if (parts.count(word) != 0) {
      m.part = parts.at(word);
    } else if (flags.count(word) != 0) {
      m.*flags.at(word) = true;
    } else {
      return false;
    }
  }
  return true;
}

TEST(Census, EveryArithmeticFormHasAKernel) {
  std::ifstream file(SYNCLINE_SOURCE_DIR "/tests/unit/lanes/census_forms.txt");
  ASSERT_TRUE(file.is_open());
  unsigned forms = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Opcode opcode{};
    Modifiers m;
    ASSERT_TRUE(read_form(line, opcode, m)) << line;
    EXPECT_NE(find_lane_kernel(opcode, m), nullptr) << line;
    ++forms;
  }
  EXPECT_GT(forms, 400u);
}

TEST(Census, WrongFormsHaveNone) {
  for (const char* text : {"sub.sat.u32",       "add.rn.s32",      "mul.s32",        "fma.f32",        "add.ftz.f64",
                           "div.rn.approx.f32", "shl.u32",         "rcp.approx.f64", "sin.approx.f64", "mul.wide.u64",
                           "add.sat.f64",       "cnot.u32",        "abs.u32",        "min.sat.s32",    "popc.u32",
                           "tanh.f32",          "fma.rn.ftz.bf16", "selp.f16",       "brev.u32",       "ld.u32"}) {
    Opcode opcode{};
    Modifiers m;
    ASSERT_TRUE(read_form(text, opcode, m)) << text;
    EXPECT_EQ(find_lane_kernel(opcode, m), nullptr) << text;
  }
}

}  // namespace
}  // namespace syncline::isa::test
