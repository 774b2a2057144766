// The L1 machine of Temporal Coherence: what its words mean and do.
//
// DATA may arrive when the lease that it brings is over already. A load that came before the end of the lease read at a
// time when the bytes were current; one that came later asks again, or it could miss a write that its warp knows to be
// performed. The published tables answer all merged loads, which is right only while leases outlast the way of DATA.
// A write waits while such a load may be among those that wait for the line, or the load would find it when it asks
// again, although it came first. That holds whether or not the line will be kept: what `outdate_read` keeps away is
// loads that come later.
#include <algorithm>
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/tc/tc.h"

namespace syncline::protocols::tc {
namespace {

using S = L1State;
using E = L1Event;
using A = L1Action;

class TcL1 final : public Machine {
 public:
  TcL1(std::shared_ptr<const TransitionTable> table, const TcSpec& spec, std::uint64_t tick_ps)
      : Machine(std::move(table)),
        cumulative_(spec.fence == TcFence::cumulative),
        least_lease_(spec.least_lease()),
        tick_ps_(tick_ps) {}

  /// TC-Weak: over when the last lease on an older copy is over. A copy can be read in the tick in which its lease
  /// ends, so the fence takes one more.
  FenceOutcome fence(const Stimulus& stimulus, NodeMeta& node) override {
    if (stimulus.access.scope == Scope::cta) return {};  // all warps of a CTA share this L1
    const std::uint64_t gwct = cumulative_ ? node.write_view : node.gwct[stimulus.warp];
    return {gwct == 0 ? 0 : (gwct + 1) * tick_ps_, false};
  }

  std::string_view broken(const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::I_S && (line.pending_reads != 1 || line.pending_writes != 0 || line.unkept))
      return "not the one GETS alone is on its way";
    if ((state == S::SM || state == S::I_I) && line.pending_reads + line.pending_writes == 0)
      return "nothing is on its way";
    if (line.pending_reads > 1) return "two GETS are on their way";
    if (stimulus.source != Stimulus::Source::message) return {};
    const auto message = static_cast<Message>(stimulus.message);
    const bool acknowledges = message == Message::ACK || message == Message::ACK_GLOBAL;
    const bool brings = message == Message::DATA || message == Message::DATA_GLOBAL;
    const bool takes = state == S::S ? acknowledges || brings : state == S::SM && acknowledges;
    if (takes && line.exp != stimulus.stamps[stamp::lease]) return "the copy has not the lease that came for it";
    return {};
  }

 protected:
  /// A lease that is over leaves no copy, and the last of all replies is another event (`_Done`).
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    if (line.exp < now(stimulus)) {
      if (at.state == static_cast<Code>(S::S)) at.state = static_cast<Code>(S::I);
      if (at.state == static_cast<Code>(S::SM)) at.state = static_cast<Code>(S::I_I);
    }
    if (line.pending_reads + line.pending_writes != 1) return;
    switch (static_cast<E>(at.event)) {
      case E::Data:
      case E::Ack:
      case E::AtomData:
      case E::Ack_Global:
      case E::Data_Global:
        ++at.event;  // each of these stands before its `_Done`
        break;
      default:
        break;
    }
  }

  bool holds(Code guard, const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<L1Guard>(guard)) {
      case L1Guard::no_read:
        return line.pending_reads == 0;
      case L1Guard::read_is_newest:
        return !line.unkept;
      case L1Guard::loads_may_be_late:  // the lease begins after the GETS was sent
        return line.pending_reads != 0 && line.last_read > line.ver + least_lease_;
    }
    return false;
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    switch (static_cast<A>(action)) {
      case A::count_read:
        ++line.pending_reads;
        line.unkept = false;
        line.ver = line.last_read = now(stimulus);
        break;
      case A::join_read:
        line.last_read = now(stimulus);
        break;
      case A::count_write:
        ++line.pending_writes;
        break;
      case A::uncount_read:
        --line.pending_reads;
        break;
      case A::uncount_write:
        --line.pending_writes;
        break;
      case A::outdate_read:
        line.unkept = true;
        break;
      case A::take_lease:
        line.exp = stimulus.stamps[stamp::lease];
        break;
      case A::note_gwct: {
        const std::uint64_t gwct = stimulus.stamps[stamp::gwct];
        node.gwct[stimulus.warp] = std::max(node.gwct[stimulus.warp], gwct);
        node.write_view = std::max(node.write_view, gwct);
        break;
      }
      default:
        unknown_action(action);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&,
                Action& action) const override {
    switch (static_cast<A>(code)) {
      case A::send_GETS:
        action.stamps[stamp::lease] = line.exp < now(stimulus) ? line.exp : 0;
        break;
      case A::forward_UPGRADE:
        action.stamps[stamp::lease] = line.exp;
        break;
      case A::answer_covered:
        action.time = (stimulus.stamps[stamp::lease] + 1) * tick_ps_ - 1;
        break;
      default:
        unknown_action(code);
    }
  }

 private:
  std::uint64_t now(const Stimulus& stimulus) const { return stimulus.time / tick_ps_; }

  bool cumulative_;
  std::uint64_t least_lease_;
  std::uint64_t tick_ps_;
};

}  // namespace

namespace {

constexpr StateName states[] = {{"I", true, "not cached, or its lease is over"},
                                {"S", true, "valid while its lease lasts"},
                                {"I_S", false, "GETS on its way, nothing else; its line will be kept"},
                                {"I_I", false, "not cached; requests on their way, whose lines will not be kept"},
                                {"SM", false, "valid while its lease lasts, with stores of this L1 on their way"}};
constexpr EventName events[] = {
    {"Load", on::load, "a load, wherever the program asks to be served"},
    {"Store", on::store, "a store"},
    {"Atomic", on::atomic, "a read-modify-write at the home"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Flush", on::flush, "begin of a grid: the host may have written memory behind the caches"},
    {"Data", on::message(Message::DATA), "the line of a GETS"},
    {"Data_Done", on::refined, "Data, and nothing else of the line is on its way"},
    {"Ack", on::message(Message::ACK), "a store is performed"},
    {"Ack_Done", on::refined, "Ack, and nothing else of the line is on its way"},
    {"AtomData", on::message(Message::DATA_ATOMIC), "an atomic is performed"},
    {"AtomData_Done", on::refined, "AtomData, and nothing else of the line is on its way"}};
constexpr GuardName guards[] = {
    {"no_read", "no GETS of the line is on its way"},
    {"read_is_newest", "no write of this L1 was sent after the GETS that is on its way"},
    {"loads_may_be_late", "a load that waits may have come after the end of the lease on its way"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line"),
    act::update("count_read", "a GETS of the line is on its way, newer than the writes"),
    act::update("join_read", "the load came later than the one that sent the GETS"),
    act::update("count_write", "one more store or atomic of the line is on its way"),
    act::update("uncount_read", "the GETS is back"),
    act::update("uncount_write", "a store or an atomic is back"),
    act::update("outdate_read", "a GETS that is on its way lacks this write: later loads do not join it"),
    act::send("send_GETS", Message::GETS, "ask for the line; says whether a copy with an ended lease is here")
        .completed(),
    act::forward("forward_WRITE", Message::WRITE, "the store goes to the home"),
    act::forward("forward_UPGRADE", Message::UPGRADE, "the store goes to the home with the end of the lease")
        .completed(),
    act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home"),
    act::hit(),
    act::merge(),
    act::drop(),
    act::fill("put the line into its frame"),
    act::update("take_lease", "the lease ends as the message says"),
    act::ask("answer_covered", ActionKind::answer_parked, Needs::nothing,
             "answer the loads that came before the end of the lease")
        .completed(),
    act::replay("the loads that came later look the line up again"),
    act::deliver()};

/// Of the weak form, behind the others.
constexpr EventName weak_events[] = {
    {"Ack_Global", on::message(Message::ACK_GLOBAL), "a store is performed, but not for all"},
    {"Ack_Global_Done", on::refined, "Ack_Global, and nothing else of the line is on its way"},
    {"Data_Global", on::message(Message::DATA_GLOBAL), "as Ack_Global; brings the line"},
    {"Data_Global_Done", on::refined, "Data_Global, and nothing else of the line is on its way"}};
constexpr ActionName weak_actions[] = {act::update("note_gwct", "fences wait until the write is seen by all")};
static_assert(names_all<S>(states) && names_all<E>(events, weak_events) && names_all<L1Guard>(guards) &&
              names_all<A>(actions, weak_actions));

}  // namespace

Vocabulary l1_vocabulary(bool weak) {
  Vocabulary words{weak ? "tc_weak" : "tc_strong",
                   "L1",
                   messages(weak),
                   list_of(states),
                   list_of(events),
                   list_of(guards),
                   list_of(actions)};
  if (weak) {
    append(words.events, weak_events);
    append(words.actions, weak_actions);
  }
  return words;
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const TcSpec& spec,
                                 const CoherenceContext& context) {
  return std::make_unique<TcL1>(std::move(table), spec, context.tick_ps);
}

}  // namespace syncline::protocols::tc
