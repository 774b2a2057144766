#include "platform/litmus/weak_outcomes.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <vector>

#include "base/error.h"
#include "consistency/enumerate.h"
#include "consistency/reader.h"

namespace syncline::platform {
namespace {

namespace explore = protocols::explore;

std::string_view ordering_name(explore::Ordering ordering) {
  static constexpr std::string_view names[] = {"relaxed", "acquire", "release", "acq_rel"};
  return names[static_cast<std::size_t>(ordering)];
}

std::string_view scope_name(protocols::Scope scope) {
  return scope == protocols::Scope::cta ? "cta" : scope == protocols::Scope::sys ? "sys" : "gpu";
}

std::string atomic(const explore::Op& op, unsigned& reg, std::string_view location) {
  const std::string beginning = fmt::format("atom.{}.{}.", ordering_name(op.ordering), scope_name(op.scope));
  switch (op.atomic) {
    case explore::AtomicKind::add:
      break;
    case explore::AtomicKind::exch:
      return fmt::format("{}exch r{}, {}, {}", beginning, reg++, location, op.value);
    case explore::AtomicKind::cas:
      return fmt::format("{}cas r{}, {}, {}, {}", beginning, reg++, location, op.compare, op.value);
  }
  return fmt::format("{}add r{}, {}, {}", beginning, reg++, location, op.value);
}

std::string instruction(const explore::Op& op, unsigned& reg, unsigned& barrier) {
  const std::string_view location = explore::location_name(op.line, op.word);
  const std::string_view ordering = ordering_name(op.ordering), scope = scope_name(op.scope);
  switch (op.kind) {
    case explore::OpKind::load:
      return op.scope == protocols::Scope::none ? fmt::format("ld.weak r{}, {}", reg++, location)
                                                : fmt::format("ld.{}.{} r{}, {}", ordering, scope, reg++, location);
    case explore::OpKind::store:
      return op.scope == protocols::Scope::none ? fmt::format("st.weak {}, {}", location, op.value)
                                                : fmt::format("st.{}.{} {}, {}", ordering, scope, location, op.value);
    case explore::OpKind::atomic:
      return atomic(op, reg, location);
    case explore::OpKind::flush:
      return {};  // an access of nothing
    case explore::OpKind::fence:
      return fmt::format("fence.{}.{}", op.ordering == explore::Ordering::relaxed ? "sc" : ordering, scope);
    case explore::OpKind::barrier:
      break;
  }
  return fmt::format("bar.cta.sync {}", barrier++);  // the n-th meets the n-th of the others
}

/// The program in the litmus format, with a condition that names all that an Outcome holds, in its order.
std::string litmus_text(const explore::Program& program) {
  std::string heads, condition;
  std::vector<std::string> rows(explore::max_operations);
  const auto ask = [&condition](const std::string& name) {
    condition += fmt::format("{}{}=0", condition.empty() ? "" : " /\\ ", name);
  };
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const char* const bar = t == 0 ? " " : " | ";
    heads += fmt::format("{}P{}@cta {},gpu {}", bar, t, program.threads[t].l1, program.threads[t].gpu);
    unsigned reg = 0, barrier = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& ops = program.threads[t].ops;
      const unsigned before = reg;
      rows[i] += bar + (i < ops.size() ? instruction(ops[i], reg, barrier) : "");
      if (reg != before) ask(fmt::format("P{}:r{}", t, before));
    }
  }
  std::string text = "PTX check\n{\n", body;
  for (const std::string& row : rows) body += row + " ;\n";
  for (unsigned line = 0; line < program.lines(); ++line) {
    for (unsigned word = 0; word < program.words(); ++word) {
      const std::string location(explore::location_name(line, word));
      text += location + "=0;\n";
      ask(location);
    }
  }
  return fmt::format("{}}}\n{} ;\n{}exists ({})\n", text, heads, body, condition);
}

}  // namespace

consistency::Promise promise_of(const protocols::CoherencePolicy& policy) {
  if (policy.consistency == protocols::Consistency::sc) return consistency::Promise::sc;
  return policy.cumulative_fences ? consistency::Promise::ptx75 : consistency::Promise::locations;
}

std::function<bool(const explore::Outcome&)> weak_outcomes(const explore::Program& program,
                                                           consistency::Promise promise) {
  const consistency::Program test = consistency::read_litmus(litmus_text(program), program.text);
  const auto outcomes =
      std::make_shared<const consistency::Outcomes>(consistency::enumerate(test, consistency::default_unroll, promise));
  const unsigned lines = program.lines(), words = program.words();
  return [outcomes, lines, words, promise](const explore::Outcome& outcome) {
    consistency::State state(outcome.results.begin(), outcome.results.end());
    for (unsigned line = 0; line < lines; ++line) {
      for (unsigned word = 0; word < words; ++word) state.push_back(outcome.memory[line][word]);
    }
    return outcomes->of(state).kept(promise);
  };
}

}  // namespace syncline::platform
