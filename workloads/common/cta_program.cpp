#include "workloads/common/cta_program.h"

#include <fmt/format.h>

#include "base/error.h"
#include "workloads/common/program.h"

namespace syncline::workloads {

std::vector<Option> cta_sections() {
  return {{"sync",
           "critical sections of a CTA as transactions, one thread after the other, or under locks; auto: as "
           "transactions where a policy executes those of this memory, else under locks",
           {"auto", "tx", "serial", "locks"}},
          {"memory",
           "where the data of a CTA lie; in global memory, for `transactions.policy`, as transactions only",
           {"shared", "global"}}};
}

std::uint32_t cta_count(const Context& context) {
  return by_size(context.size, 2U, 32U, 128U);
}

Verdict run_ctas(const Context& context, const CtaProgram& cta, const CtaCheck& check) {
  const bool global = context.choice("memory") == "global";
  const std::string& sync = context.choice("sync");
  if (global && sync != "tx")
    throw base::UserError(
        "with `memory=global` the program has transactions alone, which need a "
        "`transactions.policy`; `sync` is `" +
        sync + "`");
  Program program(context);
  const std::uint32_t all = cta.words * cta.ctas;
  const auto input = program.upload(cta.input);
  const auto far = program.allocate<std::uint32_t>(global ? all : 1);
  const auto out = program.allocate<std::uint32_t>(all);
  program.launch(cta.kernel + (global ? "_global_" : "_") + sync,
                 {{cta.ctas, 1, 1}, {cta_threads, 1, 1}, global ? 0 : cta.words * 4}, far, cta.words, input,
                 static_cast<std::uint32_t>(cta.input.size()) / cta.ctas, cta.size, out);
  const std::vector<std::uint32_t> data = program.download<std::uint32_t>(out, all);
  Verdict verdict{true, ""};
  for (std::uint32_t i = 0; i < cta.ctas && verdict.verified; ++i) {
    verdict = check(i, CtaData(&data[std::size_t{i} * cta.words]));
    verdict.detail = fmt::format("CTA {}: {}", i, verdict.detail);
  }
  return verdict;
}

}  // namespace syncline::workloads
