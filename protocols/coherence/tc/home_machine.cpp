// The home machine of Temporal Coherence: what its words mean and do. E is not written when a lease ends: a line in S
// or SS whose leases are all over reads as E.
#include <algorithm>
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/tc/lease_predictor.h"
#include "protocols/coherence/tc/tc.h"

namespace syncline::protocols::tc {
namespace {

using S = HomeState;
using E = HomeEvent;
using A = HomeAction;

class TcHome final : public Machine {
 public:
  TcHome(std::shared_ptr<const TransitionTable> table, const TcSpec& spec, std::uint64_t tick_ps)
      : Machine(std::move(table)),
        predictor_(spec),
        cumulative_(spec.fence == TcFence::cumulative),
        tick_ps_(tick_ps) {}

  std::uint64_t wait_ends(const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    return line.exp < now(stimulus) ? never : after(line.exp);
  }

  std::string_view broken(const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::E && line.exp >= now(stimulus)) return "a lease on the line lasts";
    if (stimulus.source != Stimulus::Source::message || (state != S::S && state != S::SS)) return {};
    const bool grants = static_cast<Message>(stimulus.message) == Message::GETS && !line.awaited;
    const std::uint64_t lease = grants ? predictor_.lease(node, static_cast<unsigned>(line.lease)) : 0;
    return line.exp < now(stimulus) + lease ? "the lease that is granted is too short" : "";
  }

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    bool valid = at.state == static_cast<Code>(S::S) || at.state == static_cast<Code>(S::SS);
    if (valid && line.exp < now(stimulus)) {
      at.state = static_cast<Code>(S::E);
      valid = false;
    }
    // Every write changes `exp`, so a lease with the same end is one on the newest bytes.
    if (at.event == static_cast<Code>(E::Upgrade_NT) && valid && stimulus.stamps[stamp::lease] == line.exp)
      at.event = static_cast<Code>(E::Upgrade_T);
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<HomeGuard>(guard)) {
      case HomeGuard::dirty:
        return stimulus.dirty;
      case HomeGuard::awaited:
        return line.awaited;
      case HomeGuard::leased:
        return line.exp >= now(stimulus);
      case HomeGuard::older_leases:
        return line.last_write >= now(stimulus);
    }
    return false;
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    const auto learned = static_cast<unsigned>(line.lease);
    switch (static_cast<A>(action)) {
      case A::learn_load:
        if (stimulus.stamps[stamp::lease] != 0) predictor_.load_found_expired(node, predictor_.index(stimulus));
        break;
      case A::learn_store:
        if (stimulus.arrived / tick_ps_ <= line.exp) predictor_.store_met_lease(node, learned);
        break;
      case A::learn_eviction:
        predictor_.evicted_with_lease(node, learned);
        line.awaited = false;
        break;
      case A::await_leases:
        line.awaited = true;
        break;
      case A::grant_lease:
        line.lease = predictor_.index(stimulus);
        line.exp = std::max(now(stimulus) + predictor_.lease(node, static_cast<unsigned>(line.lease)), line.exp);
        break;
      case A::outdate_leases:
        line.exp = after_write(stimulus, line);
        line.awaited = false;
        break;
      case A::cover_leases:
        line.last_write = line.exp;
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&,
                Action& action) const override {
    switch (static_cast<A>(code)) {
      case A::send_DATA:
        action.stamps[stamp::lease] = line.exp;
        if (cumulative_) action.stamps[stamp::gwct] = line.last_write;
        break;
      case A::send_ACK:
      case A::send_ACK_GLOBAL:
      case A::send_DATA_GLOBAL:
      case A::send_DATA_ATOMIC:
        action.stamps[stamp::lease] = after_write(stimulus, line);
        action.stamps[stamp::gwct] = line.last_write;
        break;
      case A::wake_when_over:
        action.time = after(line.exp);
        break;
      default:
        unknown_action(code);
    }
  }

 private:
  std::uint64_t now(const Stimulus& stimulus) const { return stimulus.time / tick_ps_; }
  /// The first picosecond at which a lease that ends with `tick` is over.
  std::uint64_t after(std::uint64_t tick) const { return (tick + 1) * tick_ps_; }
  /// End of the leases on the line after a write: the writer's, if it has a copy, and no other one.
  std::uint64_t after_write(const Stimulus& stimulus, const LineMeta& line) const {
    return std::max(now(stimulus), line.exp + 1);
  }

  LeasePredictor predictor_;
  bool cumulative_;
  std::uint64_t tick_ps_;
};

}  // namespace

namespace {

constexpr StateName states[] = {{"NP", true, "not present, and no lease on it lasts"},
                                {"E", true, "here; all leases on it are over"},
                                {"S", true, "here; at most one L1 has a lease on these bytes"},
                                {"SS", true, "here; L1s have leases on it"},
                                {"IS", false, "being fetched for loads"},
                                {"IM", false, "being fetched for a store"},
                                {"IMA", false, "being fetched for an atomic"},
                                {"MI", false, "gone to memory, but leases on it last"}};
constexpr EventName events[] = {
    {"GETS", on::message(Message::GETS), "GETS"},
    {"Write", on::message(Message::WRITE), "a store to a line of which the L1 has no copy"},
    {"Upgrade_T", on::refined, "a store to a current copy: the lease in the message ends as the home knows"},
    {"Upgrade_NT", on::message(Message::UPGRADE), "a store to a copy that need not be current"},
    {"Atomic", on::message(Message::ATOMIC), "ATOMIC"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Mem_Data", on::memory_data, "memory has delivered"},
    {"Expire", on::timer, "the time at which the leases of an evicted line were to end"}};
constexpr GuardName guards[] = {{"dirty", "memory lacks bytes of the line"},
                                {"awaited", "a write waits for the end of the leases"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::recycle(),
    act::allocate(),
    act::park("wait for the line"),
    act::fetch(),
    act::fill("put the line into its frame"),
    act::replay("present what waited again, before anything newer"),
    act::write(),
    act::update("learn_load", "an ended lease was too short"),
    act::update("learn_store", "a lease that the store met alive was too long"),
    act::update("learn_eviction", "a lease that outlives its line in the L2 is too long"),
    act::update("await_leases", "leases grow no longer, until a write is performed or the line leaves"),
    act::update("grant_lease", "leases on the line end no earlier than the requester's"),
    act::update("outdate_leases", "no lease on older bytes ends like one on these"),
    act::reply("send_DATA", Message::DATA, "the line and the end of its leases").completed(),
    act::reply("send_ACK", Message::ACK, "the store is performed; the end of the writer's lease").completed(),
    act::reply("send_DATA_ATOMIC", Message::DATA_ATOMIC, "the atomic is performed; the old values").completed(),
    act::write_back(),
    act::drop(),
    act::wake_at("wake_when_over", "when the leases of the line are over")};

/// Of the weak form, behind the others.
constexpr GuardName weak_guards[] = {{"leased", "leases on the line last"},
                                     {"older_leases", "leases on older bytes of the line last"}};
constexpr ActionName weak_actions[] = {
    act::reply("send_ACK_GLOBAL", Message::ACK_GLOBAL, "performed; seen by all after the GWCT").completed(),
    act::reply("send_DATA_GLOBAL", Message::DATA_GLOBAL, "as ACK_GLOBAL, with the line").completed(),
    act::update("cover_leases", "older bytes may be read until the last of the present leases is over")};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<HomeGuard>(guards, weak_guards) &&
              names_all<A>(actions, weak_actions));

}  // namespace

Vocabulary home_vocabulary(bool weak) {
  Vocabulary words{weak ? "tc_weak" : "tc_strong",
                   "home",
                   messages(weak),
                   list_of(states),
                   list_of(events),
                   list_of(guards),
                   list_of(actions)};
  words.states[static_cast<Code>(S::E)].derived = weak;
  if (weak) {
    append(words.guards, weak_guards);
    append(words.actions, weak_actions);
  }
  return words;
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const TcSpec& spec,
                                   const CoherenceContext& context) {
  return std::make_unique<TcHome>(std::move(table), spec, context.tick_ps);
}

}  // namespace syncline::protocols::tc
