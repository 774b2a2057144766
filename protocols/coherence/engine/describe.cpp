#include "protocols/coherence/engine/describe.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace syncline::protocols {
namespace {

constexpr std::string_view haste_names[] = {"", " (at once to other L1s)", " (at once)"};
constexpr std::string_view payload_names[] = {"header", "header + touched bytes", "header + line"};

std::string actions_text(const Transition& t, const Vocabulary& words) {
  std::string text;
  for (const Code action : t.row.actions) {
    if (!text.empty()) text += ", ";
    text += words.actions[action].name;
  }
  return text;
}

/// "[guard] actions -> next"; the next state only where it changes.
std::string outcome_text(const Transition& t, const Vocabulary& words) {
  std::string text;
  if (t.row.guard != Row::no_guard) text += fmt::format("[{}] ", words.guards[t.row.guard].name);
  text += actions_text(t, words);
  if (t.row.next != t.row.state) text += fmt::format("{}→ {}", text.empty() ? "" : " ", words.states[t.row.next].name);
  return text.empty() ? "·" : text;
}

void describe_table(std::string& out, const TransitionTable& table) {
  const Vocabulary& words = table.vocabulary();
  const TableCounts counts = table.counts();
  out += fmt::format(
      "\n## {} machine\n\n{} states ({} stable, {} transient), {} transitions ({} outcomes); {} pairs only wait.\n\n",
      words.machine, counts.states(), counts.stable_states, counts.transient_states, counts.transitions,
      counts.outcomes, counts.waiting_pairs);
  out += "| state | | meaning |\n|---|---|---|\n";
  for (const StateName& state : words.states)
    out += fmt::format("| {} | {} | {} |\n", state.name, state.stable ? "stable" : "transient", state.meaning);
  out += "\n| event | meaning |\n|---|---|\n";
  for (const EventName& event : words.events) out += fmt::format("| {} | {} |\n", event.name, event.meaning);
  if (!words.guards.empty()) {
    out += "\n| guard | meaning |\n|---|---|\n";
    for (const GuardName& guard : words.guards) out += fmt::format("| {} | {} |\n", guard.name, guard.meaning);
  }
  out += "\n| action | meaning |\n|---|---|\n";
  for (const ActionName& action : words.actions) out += fmt::format("| {} | {} |\n", action.name, action.meaning);

  out += "\n| |";
  for (const EventName& event : words.events) out += fmt::format(" {} |", event.name);
  out += "\n|---|";
  for (std::size_t i = 0; i < words.events.size(); ++i) out += "---|";
  for (std::size_t s = 0; s < words.states.size(); ++s) {
    const auto state = static_cast<Code>(s);
    out += fmt::format("\n| {} |", words.states[state].name);
    for (std::size_t e = 0; e < words.events.size(); ++e) {
      const auto event = static_cast<Code>(e);
      std::string cell;
      for (const Transition& t : table.outcomes(state, event)) {
        if (!cell.empty()) cell += "; ";
        cell += outcome_text(t, words);
      }
      out += fmt::format(" {} |", cell);
    }
  }
  out += "\n\n";
  for (const Transition& t : table.transitions())
    out += fmt::format("- {}, {}: {}: {}\n", words.states[t.row.state].name, words.events[t.row.event].name,
                       outcome_text(t, words), t.row.why);
}

void draw_table(std::string& out, const TransitionTable& table) {
  const Vocabulary& words = table.vocabulary();
  out += fmt::format("  subgraph \"cluster_{0}\" {{\n    label=\"{1} {0}\";\n", words.machine, words.protocol);
  for (const StateName& state : words.states)
    out += fmt::format("    \"{}.{}\" [label=\"{}\", style={}];\n", words.machine, state.name, state.name,
                       state.stable ? "solid" : "dashed");
  std::map<std::pair<Code, Code>, std::string> edges;
  for (const Transition& t : table.transitions()) {
    if (t.only_waits()) continue;
    std::string& label = edges[{t.row.state, t.row.next}];
    if (!label.empty()) label += "\\n";
    label += words.events[t.row.event].name;
    if (t.row.guard != Row::no_guard) label += fmt::format(" [{}]", words.guards[t.row.guard].name);
  }
  for (const auto& [pair, label] : edges)
    out += fmt::format("    \"{0}.{1}\" -> \"{0}.{2}\" [label=\"{3}\"];\n", words.machine,
                       words.states[pair.first].name, words.states[pair.second].name, label);
  out += "  }\n";
}

}  // namespace

std::string describe_markdown(const CoherencePolicy& policy) {
  std::string out =
      fmt::format("# {}\n\n{}\n\n| virtual network | carries |\n|---|---|\n", policy.name, policy.description);
  for (std::size_t i = 0; i < policy.networks.size(); ++i) out += fmt::format("| {} | {} |\n", i, policy.networks[i]);
  out += "\n| message | class | network | size | meaning |\n|---|---|---|---|---|\n";
  for (const MessageKind& kind : policy.messages)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", kind.name, name(kind.traffic_class), kind.network,
                       kind.ideal ? "ideal" : payload_names[static_cast<unsigned>(kind.payload)],
                       std::string(kind.meaning).append(haste_names[static_cast<unsigned>(kind.haste)]));
  out += "\n| seam | part |\n|---|---|\n";
  for (const SeamPart& part : policy.seams) out += fmt::format("| {} | {} |\n", part.seam, part.part);
  for (const RoleMachine& one : policy.roles) describe_table(out, *one.table);
  return out;
}

std::string describe_dot(const CoherencePolicy& policy) {
  std::string out = fmt::format("digraph \"{}\" {{\n  rankdir=LR;\n", policy.name);
  for (const RoleMachine& one : policy.roles) draw_table(out, *one.table);
  return out + "}\n";
}

}  // namespace syncline::protocols
