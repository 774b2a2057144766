#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/litmus/litmus_suite.h"

namespace syncline::platform {
namespace {

using consistency::Model;
using consistency::Program;
using consistency::Promise;
using consistency::Reason;
using consistency::State;

/// What forbids a state.
std::string shown(const Reason& reason) {
  switch (reason.kind) {
    case Reason::Kind::stuck:
      return "forbidden: a barrier would wait for ever";
    case Reason::Kind::bound:
      return "not judged: loops go round more often";
    case Reason::Kind::unknown:
      return "forbidden";
    case Reason::Kind::axioms:
      break;
  }
  std::string text = "forbidden by ";
  const auto axioms = reason.axioms.members();
  for (std::size_t i = 0; i < axioms.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", name(axioms[i]));
  return text;
}

/// The strongest model that allows a state; of a forbidden one, what forbids it.
std::string verdict(const LitmusReport& test, const State& state) {
  const consistency::Judgement judgement = test.outcomes->of(state);
  if (judgement.sc) return "sc";
  if (judgement.ptx75) return "ptx75";
  if (judgement.locations) return "locations";
  return shown(test.outcomes->why_forbidden(state));
}

/// The observables that are not the same in all states: what a table shows.
std::vector<std::size_t> shown_observables(const LitmusReport& test) {
  std::vector<std::set<consistency::Value>> values(test.program->observables.size());
  const auto note = [&](const State& state) {
    for (std::size_t i = 0; i < state.size(); ++i) values[i].insert(state[i]);
  };
  for (const auto& [state, judgement] : test.outcomes->states()) {
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
        fmt::format("{}{}={}", text.empty() ? "" : " ", test.program->name_of(test.program->observables[i]), state[i]);
  return text.empty() ? "(the only end)" : text;
}

/// Which of the allowed weak outcomes nobody saw.
std::vector<State> unseen_weak(const LitmusReport& test) {
  std::vector<State> unseen;
  for (const auto& [state, judgement] : test.outcomes->states()) {
    if (judgement.ptx75 && !judgement.sc && test.counts.states.count(state) == 0) unseen.push_back(state);
  }
  return unseen;
}

std::string_view clause_verdict(const LitmusReport& test, Model model) {
  return test.outcomes->witness_allowed(model) ? "allowed" : "forbidden";
}

std::uint64_t witnesses(const LitmusReport& test) {
  std::uint64_t sum = 0;
  for (const auto& [state, count] : test.counts.states) {
    if (test.program->is_witness(state)) sum += count;
  }
  return sum;
}

/// The strongest words that are true of a test's run.
std::string result(const LitmusReport& test, Promise promised) {
  if (!test.judged()) return "not judged";
  if (!test.ran()) return "not run";
  if (test.forbidden(promised) != 0) return "FAILED";
  if (test.counts.states.empty()) return "nothing seen";
  return test.weak() != 0 ? "ok, weak" : "ok";
}

/// What stands behind a verdict that is not the whole truth.
std::string remarks(const LitmusReport& test) {
  std::string text;
  if (test.outcomes->is_bounded())
    text += fmt::format(", bounded: loops go back at most {} times", test.outcomes->unroll());
  if (test.outcomes->may_wait_forever())
    text += test.outcomes->states().empty() ? ", no run ends: a barrier waits for ever"
                                            : ", some runs do not end: a barrier waits for ever";
  return text;
}

void print_clause(std::ostream& out, const LitmusReport& test) {
  fmt::print(out, "{}   sc: {}, ptx75: {}{}", test.program->condition_text, clause_verdict(test, Model::sc),
             clause_verdict(test, Model::ptx75), remarks(test));
}

void print_test(std::ostream& out, const LitmusReport& test, Promise promised) {
  if (!test.judged()) {
    fmt::print(out, "{}: not judged\n  {}\n", test.title, test.refusal);
    return;
  }
  const Program& program = *test.program;
  fmt::print(out, "{}: {}\n  ", test.title, program.comment.empty() ? program.condition_text : program.comment);
  print_clause(out, test);
  if (!test.ran()) {
    fmt::print(out, "\n  not run: {}\n", test.not_run);
    return;
  }
  fmt::print(out, ", seen {} of {}\n", witnesses(test), test.counts.iterations);
  const std::vector<std::size_t> observables = shown_observables(test);
  std::size_t width = 0;
  for (const auto& [state, count] : test.counts.states) width = std::max(width, show(test, observables, state).size());
  for (const auto& [state, count] : test.counts.states)
    fmt::print(out, "  {} {:<{}} {:>8}  {}\n", program.is_witness(state) ? '*' : ' ', show(test, observables, state),
               width, count, verdict(test, state));
  if (test.counts.unfinished != 0)
    fmt::print(out, "    {} runs gave up a loop and are in no count\n", test.counts.unfinished);
  const std::vector<State> unseen = unseen_weak(test);
  if (!unseen.empty())
    fmt::print(out, "    {} more weak outcome{} that ptx75 allows {} not seen, such as {}\n", unseen.size(),
               unseen.size() == 1 ? "" : "s", unseen.size() == 1 ? "was" : "were",
               show(test, observables, unseen.front()));
  fmt::print(out, "  {}\n", result(test, promised));
}

nlohmann::ordered_json json_of(const LitmusReport& test, Promise promised) {
  if (!test.judged()) {
    nlohmann::ordered_json json{{"file", test.file}, {"result", "not judged"}, {"construct", test.construct}};
    if (test.program) json["test"] = test.program->name;
    json["reason"] = test.refusal;
    return json;
  }
  const auto state_json = [&](const State& state) {
    nlohmann::ordered_json values;
    for (std::size_t i = 0; i < state.size(); ++i)
      values[test.program->name_of(test.program->observables[i])] = state[i];
    return values;
  };
  nlohmann::ordered_json json{
      {"test", test.program->name}, {"file", test.file}, {"condition", test.program->condition_text}};
  json["clause"] = {{"sc", clause_verdict(test, Model::sc)}, {"ptx75", clause_verdict(test, Model::ptx75)}};
  json["holds"] = {{"sc", test.outcomes->condition_holds(Model::sc)},
                   {"ptx75", test.outcomes->condition_holds(Model::ptx75)}};
  json["bounded"] = test.outcomes->is_bounded();
  json["may_wait_forever"] = test.outcomes->may_wait_forever();
  if (!test.ran()) {
    json["result"] = "not run";
    if (!test.not_run.empty()) json["reason"] = test.not_run;
    return json;
  }
  json["result"] = test.forbidden(promised) == 0 ? "passed" : "failed";
  json["iterations"] = test.counts.iterations;
  json["witnesses"] = witnesses(test);
  json["weak"] = test.weak();
  json["forbidden"] = test.forbidden(promised);
  json["beyond_bound"] = test.beyond_bound();
  json["unfinished"] = test.counts.unfinished;
  json["copies"] = test.counts.copies;
  json["sms_per_copy"] = test.counts.sms_per_copy;
  json["outcomes"] = nlohmann::ordered_json::array();
  for (const auto& [state, count] : test.counts.states) {
    const consistency::Judgement judgement = test.outcomes->of(state);
    nlohmann::ordered_json outcome{{"state", state_json(state)},
                                   {"count", count},
                                   {"witness", test.program->is_witness(state)},
                                   {"sc", judgement.sc},
                                   {"ptx75", judgement.ptx75}};
    if (!judgement.ptx75) {
      const Reason reason = test.outcomes->why_forbidden(state);
      if (reason.kind != Reason::Kind::axioms) outcome["why"] = shown(reason);
      for (const consistency::Axiom axiom : reason.axioms.members()) outcome["breaks"].push_back(name(axiom));
    }
    json["outcomes"].push_back(std::move(outcome));
  }
  json["unseen_weak"] = nlohmann::ordered_json::array();
  for (const State& state : unseen_weak(test)) json["unseen_weak"].push_back(state_json(state));
  return json;
}

struct Totals {
  std::uint64_t iterations = 0, failed = 0, weak = 0, may_be_weak = 0, not_run = 0;
  std::map<std::string, std::uint64_t> not_judged;  ///< by construct
};

Totals totals(const LitmusSuiteReport& report) {
  Totals sums;
  for (const LitmusReport& test : report.tests) {
    if (!test.judged()) {
      ++sums.not_judged[test.construct];
      continue;
    }
    sums.iterations += test.counts.iterations;
    sums.not_run += test.ran() ? 0 : 1;
    if (!test.ran()) continue;
    sums.failed += test.forbidden(report.promised) != 0 ? 1 : 0;
    sums.weak += test.weak() != 0 ? 1 : 0;
    sums.may_be_weak += test.may_be_weak(report.promised) ? 1 : 0;
  }
  return sums;
}

/// How many tests were judged, and what the others have that is not.
void print_share(std::ostream& out, const LitmusSuiteReport& report, const Totals& sums) {
  if (!sums.not_judged.empty()) fmt::print(out, "not judged, by what they have:\n");
  for (const auto& [construct, count] : sums.not_judged) fmt::print(out, "  {:>5}  {}\n", count, construct);
  fmt::print(out, "judged {} of {}\n", report.judged(), report.tests.size());
}

/// Tests that were only judged: a line for each.
void print_judged(std::ostream& out, const LitmusSuiteReport& report) {
  for (const LitmusReport& test : report.tests) {
    if (test.judged()) {
      fmt::print(out, "{}: ", test.title);
      print_clause(out, test);
      fmt::print(out, "\n");
    } else {
      fmt::print(out, "{}: not judged: {}\n", test.title, test.refusal);
    }
  }
}

}  // namespace

void print_litmus_text(std::ostream& out, const LitmusSuiteReport& report) {
  const Totals sums = totals(report);
  if (report.platform.empty()) {
    print_judged(out, report);
    return print_share(out, report, sums);
  }
  for (const LitmusReport& test : report.tests) {
    print_test(out, test, report.promised);
    fmt::print(out, "\n");
  }
  fmt::print(out, "{} on {}, which has to keep {} (seed {}): {} tests, {} iterations; ", report.policy, report.platform,
             name_in(consistency::promise_names(), report.promised), report.seed, report.tests.size(), sums.iterations);
  fmt::print(out, "{} failed, {} of {} that allow weak outcomes showed some, {} not run\n", sums.failed, sums.weak,
             sums.may_be_weak, sums.not_run);
  if (!sums.not_judged.empty()) print_share(out, report, sums);
}

void print_litmus_json(std::ostream& out, const LitmusSuiteReport& report) {
  const Totals sums = totals(report);
  nlohmann::ordered_json json;
  if (!report.platform.empty()) {
    json = {{"platform", report.platform},
            {"policy", report.policy},
            {"promised", name_in(consistency::promise_names(), report.promised)},
            {"seed", report.seed},
            {"iterations", sums.iterations},
            {"failed", sums.failed},
            {"weak", sums.weak},
            {"may_be_weak", sums.may_be_weak},
            {"not_run", sums.not_run}};
  }
  json["judged"] = report.judged();
  json["not_judged"] = nlohmann::ordered_json::object();
  for (const auto& [construct, count] : sums.not_judged) json["not_judged"][construct] = count;
  json["tests"] = nlohmann::ordered_json::array();
  for (const LitmusReport& test : report.tests) json["tests"].push_back(json_of(test, report.promised));
  out << json.dump() << "\n";
}

}  // namespace syncline::platform
