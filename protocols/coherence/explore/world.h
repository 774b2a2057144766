// The caches of the model checker: they do for the machines what models/cache does in the timed platform, without time,
// sizes or replacement policy. What a machine cannot tell apart is the same here and there. Threads present their
// accesses as warps of an SM do: sm_rules.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/explore/sm_rules.h"
#include "protocols/coherence/explore/state.h"

namespace syncline::protocols::explore {

struct WorldOptions {
  unsigned network_capacity = 2;  ///< messages of a node under way on one virtual network
  unsigned homes = 1;
  bool replacements = true;  ///< caches may replace any line at any time
  /// How often homes may replace a line in one run. Where time is logical each replacement advances it, so that without
  /// a limit there would be no end; elsewhere there is none.
  unsigned home_evictions = 2;
  /// Where time is logical: not 0 for a run that begins so long before the largest timestamp, all caches at one time.
  std::uint64_t time_left = 0;
  bool invariants = true;  ///< check World::broken_invariant in every state
  bool spending = false;   ///< count what a run sends (State::spent)
  SmRules sm;
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
  Verdict replace_directory_entry(State& state, unsigned node, unsigned first);
  Verdict fire(State& state, unsigned timer);

  bool may_issue(const State& state, unsigned t) const;
  /// Whether the next operation of the thread is a release that waits at the L1 for time to pass.
  bool release_waits(const State& state, unsigned t) const;
  bool is_l1(unsigned node) const { return node < max_l1s; }
  /// Between homes (CoherencePolicy::home_ring).
  bool is_on_ring(const Packet& packet) const {
    return !policy_.of_modules && !is_l1(packet.source) && !is_l1(packet.destination);
  }
  unsigned home_of(unsigned line) const { return places_.home_of(line); }
  const Places& places() const { return places_; }
  unsigned span(const Packet& packet) const { return places_.span(packet.source, packet.destination); }
  /// A queue of its own for each virtual network and how far it reaches.
  unsigned lane(const Packet& packet) const { return lane(packet.network, span(packet)); }
  /// Whether the packet is one that is received as soon as it may be (MessageKind::at_once).
  bool is_at_once(const State& state, const Packet& packet) const;
  /// Between modules, by CoherencePolicy::order.
  bool may_pass(const Packet& older, const Packet& younger) const;
  /// The lines that an entry of the home's directory is of, as far as the program has them: `first_of_entry` and
  /// behind.
  unsigned entry_lines() const { return entry_lines_; }
  unsigned first_of_entry(unsigned line) const { return line - line % entry_lines_; }
  /// All threads are done and nothing is under way.
  bool finished(const State& state) const;
  Outcome outcome(const State& state) const;
  /// Empty, or what is wrong at rest: a node waits for others, or a copy that a load would hit differs from what the
  /// home holds.
  std::string broken_rest(const State& state) const;
  /// Empty, or the invariant of coherence that does not hold between the nodes of this state.
  std::string broken_invariant(const State& state) const;

  const Program& program() const { return program_; }
  const CoherencePolicy& policy() const { return policy_; }
  const Machine& machine(unsigned node, unsigned line = 0) const { return *machines_[places_.role(node, line)]; }
  const WorldOptions& options() const { return options_; }
  /// "L1 0", "home 1", "L2 1.0"
  std::string node_name(unsigned node) const;
  /// Numbers in State::spent: one for each message kind, then reads and writes of memory; 0 when they are not counted.
  unsigned spending() const { return options_.spending ? static_cast<unsigned>(policy_.messages.size()) + 2 : 0; }
  /// How often a row applied, whether it was performed or only waited.
  const RowCounts& met() const { return met_; }
  /// How often it was performed.
  RowCounts taken() const;
  /// Where the transitions that are performed are written to, if anywhere.
  std::string* log = nullptr;

 private:
  struct Request {
    Stimulus stimulus;
    Packet* packet = nullptr;
    const Bytes* incoming = nullptr;
    bool kept = false;     ///< parked, sent on or answered: its owner forgets it
    bool of_node = false;  ///< MessageKind::of_node
    std::size_t role = 0;  ///< what the node is to the line, by place in CoherencePolicy::roles
  };
  Verdict present(State& state, unsigned node, unsigned line, Request& request);
  bool room(const State& state, unsigned node, const Transition& transition) const;
  /// As `room`, where networks are apart by how far they reach.
  bool room_in_modules(const State& state, unsigned node, unsigned line, const Request& request,
                       const Transition& transition) const;
  bool has_room(const State& state, unsigned node, unsigned network, unsigned span) const;
  unsigned lane(unsigned network, unsigned span) const {
    return span * static_cast<unsigned>(policy_.networks.size()) + network;
  }
  bool begin_drain(State& state, unsigned t) const;
  bool waits_for_mates(const Op& op) const;
  /// Which earlier operations of thread `t` have to be answered before its operation `i` is presented: bit n.
  std::uint8_t awaited_by(unsigned t, std::size_t i) const;
  Verdict issue_fence(State& state, unsigned t, const Op& op);
  /// The L1 of thread `t` asks others on behalf of the thread's operation.
  Verdict ask(State& state, unsigned t, unsigned operation, Asking then);
  /// Whether the operation waits for that.
  bool asks_before(State& state, unsigned t, const Op& op);
  void answered(State& state, unsigned l1);
  /// Whether an access may pass its L1, as far as it releases.
  bool may_pass(Node& node, const Stimulus& access) const;
  /// What the caches take for granted about a line whose transition has been performed.
  void check_line(unsigned node, unsigned line, const Copy& copy, const Request& request, const NodeMeta& meta) const;
  /// Where a line's metadata lives: beside its frame, or in the home's own directory.
  bool has_place(unsigned node, unsigned line, const Copy& copy) const {
    const DirectoryGeometry* const directory = directory_of(node, line);
    return directory != nullptr && !directory->of_sharers ? copy.has_directory_entry : copy.has_frame;
  }
  /// Null: the metadata of a line is beside its data.
  const DirectoryGeometry* directory_of(unsigned node, unsigned line) const {
    const auto& directory = policy_.roles[places_.role(node, line)].directory;
    return directory ? &*directory : nullptr;
  }
  bool lists_sharers(unsigned node, unsigned line) const {
    const DirectoryGeometry* const directory = directory_of(node, line);
    return directory != nullptr && directory->of_sharers;
  }
  void forget(State& state, unsigned node, unsigned line) const;
  std::string stale_copy(const State& state) const;
  std::string stale_module(const State& state, unsigned line) const;
  bool would_hit(const State& state, unsigned node, unsigned line) const;
  /// The bytes that the home would answer with, or memory's when it has none.
  std::uint8_t truth(const State& state, unsigned line, unsigned word) const;
  std::string broken_copy(const State& state, unsigned node, unsigned line) const;
  std::string broken_modules(const State& state, unsigned line) const;
  bool is_quiet(const State& state, unsigned line) const;
  std::string broken_lease(const State& state, unsigned node, unsigned line) const;
  std::string broken_logical_lease(const State& state, unsigned node, unsigned line) const;
  std::string broken_waiting(const State& state, unsigned line) const;
  void spend(State& state, unsigned what) const {
    if (options_.spending && state.spent[what] != 0xff) ++state.spent[what];
  }
  void perform(State& state, unsigned node, unsigned line, Request& request, Copy& copy, const Transition& transition);
  void execute(State& state, unsigned node, unsigned line, Request& request, Copy& copy, const Action& action);
  /// Calls `body` with each copy of the lines that share an entry of the node's directory with `line`.
  template <class Body>
  void each_of_entry(State& state, unsigned node, unsigned line, Body&& body) const {
    const unsigned count = is_l1(node) ? 1 : entry_lines_;
    const unsigned first = is_l1(node) ? line : first_of_entry(line);
    for (unsigned i = first; i < first + count; ++i) body(state.nodes[node].lines[i]);
  }
  Copy& copy_of(State& state, unsigned node, unsigned line) const;
  void list(State& state, unsigned node, unsigned line) const;
  void unlist(State& state, unsigned node, unsigned line, Copy& copy) const;
  void share(State& state, unsigned node, unsigned line, const Copy& changed, bool is_stable) const;
  void send(State& state, Packet packet) const;
  bool asks_below(unsigned node, const Action& action) const;
  void relay(State& state, unsigned node, unsigned line, Packet packet, const Action& action) const;
  Packet message(unsigned node, unsigned line, const Request& request, const Action& action) const;
  void answer_home(State& state, unsigned node, unsigned line, Request& request, const Action& action) const;
  void write(State& state, unsigned node, unsigned line, Request& request, const Action& action) const;
  void complete(State& state, const Packet& access, const Bytes& bytes);
  void acquire(State& state, const Op& op, unsigned t);
  Stimulus stimulus_of(const Packet& packet) const;
  /// Adds what only an L2 of a module is told.
  Stimulus of_modules(Stimulus stimulus, const Packet& packet) const;
  /// The same for an access at its L1, which is told more of it.
  Stimulus access_of(const Packet& packet) const;
  /// Presents a flush to each line that the node has or waits for; with a `role`, to those to which it is that.
  void flush(State& state, unsigned node, const Role* role = nullptr);
  const Op& op_of(const Packet& packet) const { return program_.threads[packet.thread].ops[packet.operation]; }

  const CoherencePolicy& policy_;
  const Program& program_;
  std::uint64_t tick_ps_;
  WorldOptions options_;
  std::uint8_t all_words_;
  std::vector<std::unique_ptr<Machine>> machines_;  ///< by place in CoherencePolicy::roles
  Machine* l1_ = nullptr;
  std::size_t home_place_;  ///< in CoherencePolicy::roles
  unsigned entry_lines_;
  Places places_;
  RowCounts met_;
  std::vector<bool> serves_;  ///< by L1 state: whether a load is answered from the copy
  std::array<std::array<std::uint8_t, max_operations>, max_threads> awaited_{};  ///< awaited_by
  bool flush_after_ = false;  ///< an acquire was answered: the L1 drops what it has when the transition is over
};

}  // namespace syncline::protocols::explore
