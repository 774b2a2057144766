#include "protocols/coherence/explore/costs.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::protocols::explore {
namespace {

std::vector<bool> waits(const TransitionTable& table, const std::vector<std::uint64_t>& met) {
  std::vector<bool> events(table.vocabulary().events.size());
  for (const Transition& t : table.transitions()) {
    if (t.only_waits() && met[t.index] != 0) events[t.row.event] = true;
  }
  return events;
}

std::string waiting(const TransitionTable& table, const std::vector<bool>& events) {
  std::string text;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (events[e]) text += fmt::format(", {} {}", table.vocabulary().machine, table.vocabulary().events[e].name);
  }
  return text;
}

}  // namespace

Costs costs_of(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options) {
  ExploreOptions counting = options;
  counting.world.replacements = false;
  counting.world.spending = true;
  const Report report = explore(policy, program, context, counting);
  if (report.violation)
    throw base::ModelError(
        fmt::format("policy `{}`, program `{}`: {}", policy.name, program.text, report.violation->what));
  Costs costs{report.spent, {}};
  costs.waits.reserve(policy.roles.size());
  for (std::size_t role = 0; role < policy.roles.size(); ++role)
    costs.waits.push_back(waits(*policy.roles[role].table, report.met[role]));
  return costs;
}

std::string text_of(const Costs& costs, const CoherencePolicy& policy) {
  std::string text;
  for (std::size_t i = 0; i < costs.spent.size(); ++i) {
    const auto [least, most] = costs.spent[i];
    if (most == 0) continue;
    const std::size_t kinds = policy.messages.size();
    const std::string_view what = i < kinds ? policy.messages[i].name : i == kinds ? "memory read" : "memory write";
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, least);
    if (least != most) text += fmt::format("-{}", most);
  }
  std::string who;
  for (std::size_t role = 0; role < policy.roles.size(); ++role)
    who += waiting(*policy.roles[role].table, costs.waits[role]);
  return who.empty() ? text : text + "; waits: " + who.substr(2);
}

}  // namespace syncline::protocols::explore
