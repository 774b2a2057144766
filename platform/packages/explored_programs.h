// What packages that have programs of transactions explored share: the sum over all programs, and what is printed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/packages/exploration.h"
#include "protocols/transactions/explore/explorer.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::platform {

/// The part of a platform's keys that the machines of a package have: `transactions.NAME`. `Of` says the name, what it
/// is, and the machine as it is unless keys say otherwise.
template <class Of>
struct MachineKeys {
  struct Transactions {
    decltype(Of::machine()) machine = Of::machine();
    template <class V>
    void fields(V& v) {
      v.group(Of::name, machine, Of::meaning);
    }
  };
  Transactions transactions;
  template <class V>
  void fields(V& v) {
    v.group("transactions", transactions, "transactional memory");
  }
};
/// As the settings have it.
template <class Of>
auto machine_of(const ExplorationRequest& request) {
  return parse_configuration<MachineKeys<Of>>("transactions: {}\n", request.command, request.settings)
      .spec.transactions.machine;
}

template <class World, class Report>
class ExploredPrograms {
 public:
  ExploredPrograms(std::uint64_t max_states, std::function<void(std::string_view)> print)
      : max_states_(max_states), print_(std::move(print)) {}

  /// False: a violation, which is printed.
  bool explore(const protocols::explore::Program& program, const World& world) {
    protocols::transactions::Exploring<World> options;
    options.world = world;
    if (max_states_ != 0) options.max_states = max_states_;
    const Report report = protocols::transactions::explore_transactions(program, options);
    add(report);
    if (!report.violation) return true;
    if (print_)
      print_(fmt::format("{}\nVIOLATION: {}\n{}", program.text, report.violation->what, report.violation->trace));
    return false;
  }
  /// As Exploration::check of the package `name`: the request's programs in `world`; without any, all pairs there, and
  /// then `shapes`, which explores more and says as `explore` whether all is right.
  bool check(const ExplorationRequest& request, std::string_view name, const World& world,
             const std::function<bool()>& shapes) {
    std::vector<protocols::explore::Program> programs;
    for (const std::string& text : request.programs) programs.push_back(protocols::explore::parse_program(text));
    const bool suite = programs.empty();
    if (suite) programs = protocols::transactions::all_pairs();
    const auto begin = std::chrono::steady_clock::now();
    for (const protocols::explore::Program& program : programs) {
      const std::uint64_t states = total_.states;
      if (!explore(program, world)) return false;
      if (!suite) request.print(fmt::format("{:44} {:8} states\n", program.text, total_.states - states));
    }
    if (suite && !shapes()) return false;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    request.print(fmt::format("{}: {}, {:.1f} s: {}\n", name, text(), seconds, verdict()));
    return true;
  }
  /// Of all programs together.
  std::string text() const {
    const auto rows = std::count_if(total_.taken.begin(), total_.taken.end(), [](std::uint64_t n) { return n != 0; });
    return fmt::format("{} runs, {} states, {} transitions, {} of {} rows taken", programs_, total_.states,
                       total_.steps, rows, total_.taken.size());
  }

 private:
  std::string verdict() const {
    return total_.complete ? "all that commits is serializable, and all commit in the end"
                           : "no violation in what was explored";
  }
  void add(const Report& one) {
    ++programs_;
    total_.states += one.states;
    total_.steps += one.steps;
    total_.cut += one.cut;
    total_.complete = total_.complete && one.complete;
    total_.met.add(one.met);
    total_.taken.resize(std::max(total_.taken.size(), one.taken.size()));
    for (std::size_t row = 0; row < one.taken.size(); ++row) total_.taken[row] += one.taken[row];
  }

  std::uint64_t max_states_;
  std::function<void(std::string_view)> print_;
  std::size_t programs_ = 0;
  Report total_;
};

}  // namespace syncline::platform
