#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/litmus/litmus_suite.h"

namespace syncline::platform {
namespace {

using consistency::Axiom;
using consistency::Judgement;
using consistency::Model;
using consistency::Program;
using consistency::State;

/// The strongest model that allows a state; of a forbidden one, the axioms that forbid it.
std::string verdict(const Judgement& judgement) {
  if (judgement.sc) return "sc";
  if (judgement.ptx75) return "ptx75";
  std::string text = "forbidden by ";
  const auto axioms = judgement.why.members();
  for (std::size_t i = 0; i < axioms.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", name(axioms[i]));
  return text;
}

/// The observables that are not the same in all states: what a table shows.
std::vector<std::size_t> shown_observables(const LitmusReport& test) {
  std::vector<std::set<consistency::Value>> values(test.program.observables.size());
  const auto note = [&](const State& state) {
    for (std::size_t i = 0; i < state.size(); ++i) values[i].insert(state[i]);
  };
  for (const auto& [state, judgement] : test.outcomes.states()) {
    if (judgement.ptx75) note(state);
  }
  for (const auto& [state, count] : test.counts.states) note(state);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].size() > 1) shown.push_back(i);
  }
  return shown;
}

std::string show(const LitmusReport& test, const std::vector<std::size_t>& shown, const State& state) {
  std::string text;
  for (const std::size_t i : shown)
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : " ", test.program.name_of(test.program.observables[i]), state[i]);
  return text.empty() ? "(the only end)" : text;
}

/// Which of the allowed weak outcomes nobody saw.
std::vector<State> unseen_weak(const LitmusReport& test) {
  std::vector<State> unseen;
  for (const auto& [state, judgement] : test.outcomes.states()) {
    if (judgement.ptx75 && !judgement.sc && test.counts.states.count(state) == 0) unseen.push_back(state);
  }
  return unseen;
}

std::string_view clause_verdict(const LitmusReport& test, Model model) {
  return test.outcomes.witness_allowed(test.program, model) ? "allowed" : "forbidden";
}

std::uint64_t witnesses(const LitmusReport& test) {
  std::uint64_t sum = 0;
  for (const auto& [state, count] : test.counts.states) {
    if (test.program.is_witness(state)) sum += count;
  }
  return sum;
}

/// The strongest words that are true of a test's run.
std::string result(const LitmusReport& test, Model promised) {
  if (!test.not_run.empty()) return "not run";
  if (test.forbidden(promised) != 0) return "FAILED";
  return test.weak() != 0 ? "ok, weak" : "ok";
}

void print_test(std::ostream& out, const LitmusReport& test, Model promised) {
  const Program& program = test.program;
  fmt::print(out, "{}: {}\n", program.name, program.comment.empty() ? program.condition_text : program.comment);
  fmt::print(out, "  {}   sc: {}, ptx75: {}", program.condition_text, clause_verdict(test, Model::sc),
             clause_verdict(test, Model::ptx75));
  if (!test.not_run.empty()) {
    fmt::print(out, "\n  not run: {}\n", test.not_run);
    return;
  }
  fmt::print(out, ", seen {} of {}\n", witnesses(test), test.counts.iterations);
  const std::vector<std::size_t> shown = shown_observables(test);
  std::size_t width = 0;
  for (const auto& [state, count] : test.counts.states) width = std::max(width, show(test, shown, state).size());
  for (const auto& [state, count] : test.counts.states) {
    const Judgement judgement = test.outcomes.of(state);
    fmt::print(out, "  {} {:<{}} {:>8}  {}\n", program.is_witness(state) ? '*' : ' ', show(test, shown, state), width,
               count, verdict(judgement));
  }
  const std::vector<State> unseen = unseen_weak(test);
  if (!unseen.empty())
    fmt::print(out, "    {} more weak outcome{} that ptx75 allows {} not seen, such as {}\n", unseen.size(),
               unseen.size() == 1 ? "" : "s", unseen.size() == 1 ? "was" : "were", show(test, shown, unseen.front()));
  fmt::print(out, "  {}\n", result(test, promised));
}

nlohmann::ordered_json json_of(const LitmusReport& test, Model promised) {
  const auto state_json = [&](const State& state) {
    nlohmann::ordered_json values;
    for (std::size_t i = 0; i < state.size(); ++i) values[test.program.name_of(test.program.observables[i])] = state[i];
    return values;
  };
  nlohmann::ordered_json json{{"test", test.program.name}, {"condition", test.program.condition_text}};
  json["clause"] = {{"sc", clause_verdict(test, Model::sc)}, {"ptx75", clause_verdict(test, Model::ptx75)}};
  json["result"] = test.not_run.empty() ? (test.forbidden(promised) == 0 ? "passed" : "failed") : "not run";
  if (!test.not_run.empty()) {
    json["reason"] = test.not_run;
    return json;
  }
  json["iterations"] = test.counts.iterations;
  json["witnesses"] = witnesses(test);
  json["weak"] = test.weak();
  json["forbidden"] = test.forbidden(promised);
  json["copies"] = test.counts.copies;
  json["sms_per_copy"] = test.counts.sms_per_copy;
  json["outcomes"] = nlohmann::ordered_json::array();
  for (const auto& [state, count] : test.counts.states) {
    const Judgement judgement = test.outcomes.of(state);
    nlohmann::ordered_json outcome{{"state", state_json(state)},
                                   {"count", count},
                                   {"witness", test.program.is_witness(state)},
                                   {"sc", judgement.sc},
                                   {"ptx75", judgement.ptx75}};
    if (!judgement.ptx75) {
      for (const Axiom axiom : judgement.why.members()) outcome["breaks"].push_back(name(axiom));
    }
    json["outcomes"].push_back(std::move(outcome));
  }
  json["unseen_weak"] = nlohmann::ordered_json::array();
  for (const State& state : unseen_weak(test)) json["unseen_weak"].push_back(state_json(state));
  return json;
}

struct Totals {
  std::uint64_t iterations = 0, failed = 0, weak = 0, not_run = 0;
};

Totals totals(const LitmusSuiteReport& report) {
  Totals sums;
  for (const LitmusReport& test : report.tests) {
    sums.iterations += test.counts.iterations;
    sums.failed += test.forbidden(report.promised) != 0 ? 1 : 0;
    sums.weak += test.weak() != 0 ? 1 : 0;
    sums.not_run += test.not_run.empty() ? 0 : 1;
  }
  return sums;
}

}  // namespace

void print_litmus_text(std::ostream& out, const LitmusSuiteReport& report) {
  for (const LitmusReport& test : report.tests) {
    print_test(out, test, report.promised);
    fmt::print(out, "\n");
  }
  const Totals sums = totals(report);
  fmt::print(out, "{} on {}, which has to keep {} (seed {}): {} tests, {} iterations; ", report.policy, report.platform,
             name_in(consistency::model_names(), report.promised), report.seed, report.tests.size(), sums.iterations);
  fmt::print(out, "{} failed, {} showed weak outcomes, {} not run\n", sums.failed, sums.weak, sums.not_run);
}

void print_litmus_json(std::ostream& out, const LitmusSuiteReport& report) {
  const Totals sums = totals(report);
  nlohmann::ordered_json json{{"platform", report.platform},
                              {"policy", report.policy},
                              {"promised", name_in(consistency::model_names(), report.promised)},
                              {"seed", report.seed},
                              {"iterations", sums.iterations},
                              {"failed", sums.failed},
                              {"weak", sums.weak},
                              {"not_run", sums.not_run}};
  json["tests"] = nlohmann::ordered_json::array();
  for (const LitmusReport& test : report.tests) json["tests"].push_back(json_of(test, report.promised));
  out << json.dump() << "\n";
}

}  // namespace syncline::platform
