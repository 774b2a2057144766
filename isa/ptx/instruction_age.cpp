#include "isa/ptx/instruction_age.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

/// The target that is an architecture; the others are options. The parser asked for one.
const std::string& architecture(const Module& module) {
  return *std::find_if(module.targets.begin(), module.targets.end(), [](const std::string& target) {
    return target.substr(0, 3) == "sm_" || target.substr(0, 8) == "compute_";
  });
}

}  // namespace

void verify_age(ParserContext& context, const MatchedOpcode& matched, const Instruction& instruction, TextPlace place) {
  const Module& module = context.module;
  const auto refuse = [&](bool counted, const std::string& between, const std::string& why) {
    const std::string opcode = full_opcode(instruction.opcode, instruction.mods);
    const std::string what = counted ? fmt::format("{} of {} operands", opcode, instruction.operands.size()) : opcode;
    if (context.refused.again(what)) return;
    const std::string operands = what.substr(opcode.size());
    context.refused.add(what, place, fmt::format("`{}`{}{}{}", opcode, operands, between, why), why);
  };
  unsigned version = 0, sm = 0;
  bool specific = false, counted = false;
  for (const FormNote* note : matched.notes) {
    if (note->operands != 0 && note->operands != instruction.operands.size()) continue;
    if (!note->instead.empty()) {
      if (module.version.at_least(note->version / 10, note->version % 10) && module.sm >= note->sm)
        return refuse(false, ": ",
                      fmt::format("PTX ISA {}.{} and later ask for `{}` here, for sm_{} and higher", note->version / 10,
                                  note->version % 10, note->instead, note->sm));
      continue;
    }
    counted = counted || note->operands != 0;
    version = std::max(version, note->version);
    sm = std::max(sm, note->sm);
    specific = specific || note->specific;
  }
  const auto needs = [&](const std::string& needed, const std::string& declared) {
    refuse(counted, " ", fmt::format("needs {}, the module declares {}", needed, declared));
  };
  if (!module.version.at_least(version / 10, version % 10))
    return needs(fmt::format("PTX ISA {}.{}", version / 10, version % 10),
                 fmt::format(".version {}.{}", module.version.major_part, module.version.minor_part));
  const std::string& target = architecture(module);
  const bool is_specific = target.back() == 'a' || target.back() == 'f';
  if (module.sm < sm || (specific && !is_specific))
    needs(fmt::format("sm_{}{} or higher", sm, specific ? "a, a target of its family" : ""),
          fmt::format(".target {}", target));
}

}  // namespace syncline::isa
