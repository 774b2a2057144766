// The caches of the model checker: they do for the machines what models/cache does in the timed platform, without time,
// sizes or replacement policy. What a machine cannot tell apart is the same here and there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/explore/state.h"

namespace syncline::protocols::explore {

struct WorldOptions {
  unsigned network_capacity = 2;  ///< messages of a node under way on one virtual network
  unsigned homes = 1;
};

class World {
 public:
  World(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
        const WorldOptions& options);

  /// What a stimulus met with.
  enum class Verdict : std::uint8_t { done, waits, recycles };

  /// Thread `t` presents its next operation to its L1; a fence asks the L1 when it is over.
  Verdict issue(State& state, unsigned t);
  /// `packets[index]` is presented to its receiver.
  Verdict receive(State& state, unsigned index);
  Verdict replay(State& state, unsigned node);
  Verdict memory_data(State& state, unsigned line);
  Verdict replace(State& state, unsigned node, unsigned line);
  Verdict replace_listing(State& state, unsigned node, unsigned line);
  Verdict fire(State& state, unsigned timer);

  bool may_issue(const State& state, unsigned t) const;
  bool is_l1(unsigned node) const { return node < max_l1s; }
  unsigned home_of(unsigned line) const { return max_l1s + line % options_.homes; }
  /// All threads are done and nothing is under way.
  bool finished(const State& state) const;
  Outcome outcome(const State& state) const;
  /// Empty, or what is wrong at rest: a copy that a load would hit differs from what the home holds.
  std::string stale_copy(const State& state);

  const Program& program() const { return program_; }
  const CoherencePolicy& policy() const { return policy_; }
  const Machine& machine(unsigned node) const { return is_l1(node) ? *l1_ : *home_; }
  /// Where the transitions that are performed are written to, if anywhere.
  std::string* log = nullptr;

 private:
  struct Presented {
    Stimulus stimulus;
    Packet* packet = nullptr;
    const Bytes* incoming = nullptr;
    bool kept = false;  ///< parked, sent on or answered: its owner forgets it
  };
  Verdict present(State& state, unsigned node, unsigned line, Presented& presented);
  bool room(const State& state, unsigned node, const Transition& transition) const;
  void perform(State& state, unsigned node, unsigned line, Presented& presented, const Transition& transition);
  void execute(State& state, unsigned node, unsigned line, Presented& presented, const Action& action);
  void send(State& state, Packet packet) const;
  Packet message(unsigned node, unsigned line, const Presented& presented, const Action& action) const;
  void answer_home(State& state, unsigned node, unsigned line, Presented& presented, const Action& action) const;
  void write(State& state, unsigned node, unsigned line, Presented& presented, const Action& action) const;
  void complete(State& state, const Packet& access, const Bytes& bytes) const;
  Stimulus stimulus_of(const Packet& packet) const;
  const Op& op_of(const Packet& packet) const { return program_.threads[packet.thread].ops[packet.operation]; }
  Machine& machine_of(unsigned node) { return is_l1(node) ? *l1_ : *home_; }

  const CoherencePolicy& policy_;
  const Program& program_;
  std::uint64_t tick_ps_;
  WorldOptions options_;
  std::uint8_t all_words_;
  std::unique_ptr<Machine> l1_, home_;
};

}  // namespace syncline::protocols::explore
