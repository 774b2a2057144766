#include "protocols/coherence/explore/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "protocols/coherence/explore/encode.h"

namespace syncline::protocols::explore {
namespace {

struct Step {
  enum class Kind : std::uint8_t { issue, receive, replay, memory_data, replace, replace_listing, fire, tick };
  Kind kind = Kind::tick;
  std::uint8_t a = 0, b = 0;
};

struct Hasher {
  std::size_t operator()(const StateHash& hash) const { return hash.first; }
};

class Explorer {
 public:
  Explorer(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
           const ExploreOptions& options)
      : policy_(policy),
        options_(options),
        world_(policy, program, context, options.world),
        shape_{static_cast<unsigned>(program.threads.size()), program.l1s(), program.lines(), program.words(),
               options.world.homes},
        symmetries_(symmetries(program)) {}

  Report run() {
    if (!options_.allowed) sc_ = sc_outcomes(world_.program());
    visit(first_state(), 0, {});
    std::uint32_t level_end = 1;
    for (std::uint32_t index = 0; index < frontier_end_ && !report_.violation; ++index) {
      if (index == level_end) {
        ++report_.depth;
        level_end = frontier_end_;
      }
      expand(index);
      if (parents_.size() > options_.max_states) {
        report_.complete = false;
        break;
      }
    }
    report_.states = parents_.size();
    if (!report_.violation && report_.complete && options_.check_drain) check_drain();
    report_.l1_taken = world_.machine(0).taken();
    report_.home_taken = world_.machine(max_l1s).taken();
    return std::move(report_);
  }

 private:
  struct Parent {
    std::uint32_t index;
    Step step;
  };

  State first_state() const {
    State state;
    if (policy_.physical_leases) state.time = present;
    return state;
  }

  void list_steps(const State& state) {
    steps_.clear();
    const auto add = [this](Step::Kind kind, unsigned a, unsigned b = 0) {
      steps_.push_back({kind, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)});
    };
    for (unsigned t = 0; t < shape_.threads; ++t) {
      if (world_.may_issue(state, t)) add(Step::Kind::issue, t);
    }
    for (unsigned i = 0; i < state.packets.size(); ++i) {
      const Packet& p = state.packets[i];
      bool may_pass = true;
      for (unsigned j = i; j-- > 0 && may_pass;) {
        const Packet& older = state.packets[j];
        if (older.destination != p.destination || older.network != p.network || older.source != p.source) break;
        may_pass = older.recycled && older.line != p.line;
      }
      // What a home takes up again is older than the requests that arrive, but not than the answers that it may need.
      const auto& replays = state.nodes[p.destination].replays;
      if (!world_.is_l1(p.destination) && !replays.empty() && p.network <= replays.front().network) continue;
      const std::uint8_t head = state.nodes[p.destination].blocked[p.network];
      if (may_pass && (head == 0 || head == p.source + 1)) add(Step::Kind::receive, i);
    }
    for (unsigned n = 0; n < max_nodes; ++n) {
      const Node& node = state.nodes[n];
      if (!node.replays.empty()) add(Step::Kind::replay, n);
      for (unsigned line = 0; line < shape_.lines; ++line) {
        const bool may_leave =
            world_.is_l1(n) || !policy_.logical_time || state.home_evictions < options_.home_evictions;
        if (node.lines[line].has_frame && may_leave) add(Step::Kind::replace, n, line);
        if (node.lines[line].has_listing) add(Step::Kind::replace_listing, n, line);
      }
    }
    for (unsigned line = 0; line < shape_.lines; ++line) {
      if (((state.fetching >> line) & 1U) != 0) add(Step::Kind::memory_data, line);
    }
    for (unsigned i = 0; i < state.timers.size(); ++i) {
      if (state.timers[i].at <= state.time) add(Step::Kind::fire, i);
    }
    if (policy_.physical_leases && time_matters(state)) add(Step::Kind::tick, 0);
  }

  /// Whether anything will be different after a tick: a lease, a timer or a fence that waits for time.
  bool time_matters(const State& state) const {
    for (unsigned t = 0; t < shape_.threads; ++t) {
      if (state.threads[t].fencing && state.threads[t].fence_until > state.time) return true;
    }
    for (const Timer& timer : state.timers) {
      if (timer.at > state.time) return true;
    }
    return std::any_of(state.nodes.begin(), state.nodes.end(), [&](const Node& node) {
      return std::any_of(node.meta.gwct.begin(), node.meta.gwct.begin() + shape_.threads,
                         [&](std::uint64_t gwct) { return gwct >= state.time && gwct != 0; }) ||
             std::any_of(node.lines.begin(), node.lines.end(), [&](const Copy& copy) {
               return copy.known() && copy.meta.exp >= state.time && copy.meta.exp != 0;
             });
    });
  }

  World::Verdict apply(State& state, const Step& step) {
    switch (step.kind) {
      case Step::Kind::issue:
        return world_.issue(state, step.a);
      case Step::Kind::receive:
        return world_.receive(state, step.a);
      case Step::Kind::replay:
        return world_.replay(state, step.a);
      case Step::Kind::memory_data:
        return world_.memory_data(state, step.a);
      case Step::Kind::replace:
        if (world_.replace(state, step.a, step.b) != World::Verdict::done) return World::Verdict::waits;
        if (!world_.is_l1(step.a) && policy_.logical_time) ++state.home_evictions;
        return World::Verdict::done;
      case Step::Kind::replace_listing:
        return world_.replace_listing(state, step.a, step.b);
      case Step::Kind::fire:
        return world_.fire(state, step.a);
      case Step::Kind::tick:
        ++state.time;
        return World::Verdict::done;
    }
    return World::Verdict::done;
  }

  void expand(std::uint32_t index) {
    const State state = decode(frontier_[index], shape_);
    std::string().swap(frontier_[index]);
    successors_begin_.push_back(successors_.size());
    list_steps(state);
    const std::vector<Step> steps = steps_;
    for (const Step& step : steps) {
      State next = state;
      try {
        apply(next, step);
      } catch (const base::ModelError& error) {
        violate(error.what(), index, &step);
        return;
      }
      ++report_.steps;
      if (policy_.physical_leases) set_clock_back(next);
      visit(next, index, step);
      if (report_.violation) return;
    }
  }

  void visit(const State& state, std::uint32_t from, const Step& step) {
    encode(state, shape_, bytes_);
    StateHash hash = hash_of(bytes_);
    for (const Permutation& permutation : symmetries_) {
      encode(permuted(state, world_.program(), permutation), shape_, permuted_bytes_);
      hash = std::min(hash, hash_of(permuted_bytes_));
    }
    const auto [found, is_new] = seen_.try_emplace(hash, static_cast<std::uint32_t>(parents_.size()));
    if (options_.check_drain && !parents_.empty() && found->second != from) successors_.push_back(found->second);
    if (!is_new) return;
    parents_.push_back({from, step});
    frontier_.push_back(bytes_);
    frontier_end_ = static_cast<std::uint32_t>(frontier_.size());
    if (world_.finished(state)) end(state, found->second);
  }

  void end(const State& state, std::uint32_t index) {
    ends_.push_back(index);
    const Outcome outcome = world_.outcome(state);
    if (report_.outcomes.insert(outcome).second) {
      const bool allowed = options_.allowed ? options_.allowed(outcome) : sc_.count(outcome) != 0;
      if (!allowed)
        return violate(fmt::format("outcome {} is not allowed", text_of(outcome, world_.program())), index, nullptr);
    }
    if (policy_.copies_are_current) {
      const std::string stale = world_.stale_copy(state);
      if (!stale.empty()) violate(stale, index, nullptr);
    }
  }

  /// Every state must be able to reach an end. Walks the graph backwards from the ends.
  void check_drain() {
    const auto states = static_cast<std::uint32_t>(parents_.size());
    successors_begin_.push_back(successors_.size());
    std::vector<std::uint32_t> begin(states + 1, 0), into(successors_.size());
    for (const std::uint32_t to : successors_) ++begin[to + 1];
    for (std::uint32_t s = 0; s < states; ++s) begin[s + 1] += begin[s];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t s = 0; s < states; ++s) {
      for (std::size_t i = successors_begin_[s]; i < successors_begin_[s + 1]; ++i) into[at[successors_[i]]++] = s;
    }
    std::vector<bool> drains(states, false);
    std::vector<std::uint32_t> work = ends_;
    for (const std::uint32_t s : work) drains[s] = true;
    while (!work.empty()) {
      const std::uint32_t s = work.back();
      work.pop_back();
      for (std::uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
        if (drains[into[i]]) continue;
        drains[into[i]] = true;
        work.push_back(into[i]);
      }
    }
    const auto stuck = std::find(drains.begin(), drains.end(), false);
    if (stuck != drains.end())
      violate("no run from here can end: deadlock or livelock", static_cast<std::uint32_t>(stuck - drains.begin()),
              nullptr);
  }

  void violate(const std::string& what, std::uint32_t index, const Step* last) {
    std::vector<Step> steps;
    if (last != nullptr) steps.push_back(*last);
    for (std::uint32_t s = index; s != 0; s = parents_[s].index) steps.push_back(parents_[s].step);
    std::reverse(steps.begin(), steps.end());
    Violation violation{what, {}};
    world_.log = &violation.trace;
    State state = first_state();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      violation.trace += fmt::format("{:3}. {}\n", i + 1, describe(state, steps[i]));
      try {
        if (apply(state, steps[i]) == World::Verdict::waits) violation.trace += "    waits\n";
      } catch (const base::ModelError&) {
        violation.trace += "    " + what + "\n";
      }
      if (policy_.physical_leases) set_clock_back(state);
    }
    world_.log = nullptr;
    report_.violation = std::move(violation);
  }

  std::string node_name(unsigned node) const {
    return world_.is_l1(node) ? fmt::format("L1 {}", node) : fmt::format("home {}", node - max_l1s);
  }

  std::string describe(const State& state, const Step& step) const {
    static constexpr const char* lines[] = {"x", "y"};
    switch (step.kind) {
      case Step::Kind::issue: {
        Program one;
        one.threads.push_back({0, {world_.program().threads[step.a].ops[state.threads[step.a].next]}});
        return fmt::format("thread {}: {}", step.a, text_of(one));
      }
      case Step::Kind::receive: {
        const Packet& p = state.packets[step.a];
        return fmt::format("{} of {} arrives at {}, line {}", policy_.messages[p.kind].name, node_name(p.source),
                           node_name(p.destination), lines[p.line]);
      }
      case Step::Kind::replay:
        return fmt::format("{} takes up what waited", node_name(step.a));
      case Step::Kind::memory_data:
        return fmt::format("memory delivers {}", lines[step.a]);
      case Step::Kind::replace:
        return fmt::format("{} replaces {}", node_name(step.a), lines[step.b]);
      case Step::Kind::replace_listing:
        return fmt::format("{} replaces {} in its directory", node_name(step.a), lines[step.b]);
      case Step::Kind::fire:
        return fmt::format("a timer of {} ends", node_name(state.timers[step.a].node));
      case Step::Kind::tick:
        return "the clock ticks";
    }
    return {};
  }

  const CoherencePolicy& policy_;
  const ExploreOptions& options_;
  World world_;
  Shape shape_;
  std::vector<Permutation> symmetries_;
  std::set<Outcome> sc_;
  Report report_;
  std::unordered_map<StateHash, std::uint32_t, Hasher> seen_;
  std::vector<Parent> parents_;
  std::vector<std::string> frontier_;
  std::uint32_t frontier_end_ = 0;
  std::vector<std::uint32_t> successors_, ends_;
  std::vector<std::size_t> successors_begin_;
  std::vector<Step> steps_;
  std::string bytes_, permuted_bytes_;
};

}  // namespace

Report explore(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options) {
  return Explorer(policy, program, context, options).run();
}

}  // namespace syncline::protocols::explore
