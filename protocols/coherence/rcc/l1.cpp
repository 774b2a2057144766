// The L1 of `rcc`: Ren, figure 3.5 (a). Requests of one L1 to one line reach the home in the order in which they were
// sent, and its replies come back in the order of the home.
//
// The figure is about an SM whose warps have one access in flight. Here a warp may have several, so a load must not be
// served with a copy that is older than the warp's own store: `behind` sends it to the home, or lets it wait. A
// thread's own memory (Store_Private, Ack_Private) has no logical time: nobody else sees it.
//
// The figure merges each load with a GETS that is on its way. When the SM's clock passes the lease that comes back
// before the load joins, the load would see the line as it was before something that its warp has already seen; with
// two homes that breaks message passing. Such a load asks again (Read_Late).
#include <algorithm>
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/rcc/rcc.h"

namespace syncline::protocols::rcc {
namespace {

using S = L1State;
using E = L1Event;

enum class G : std::uint8_t { behind, own_store, late_joined, reading, writing, around, unkept, unkept_last, last };
enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_WRITE,
  forward_ATOMIC,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  answer_first,
  replay,
  deliver,
  begin_read,
  join_read,
  end_read,
  begin_write,
  end_write,
  see_read,
  see_write,
  take_lease,
  forget_lease,
  do_not_keep,
  begin_epoch,
  flush_lines,
  send_FLUSH_ACK
};

constexpr StateName states[] = {{"I", true, "not cached"},
                                {"V", true, "valid while the lease lasts"},
                                {"IV", false, "GETS on its way"},
                                {"II", false, "store or atomic on its way; no copy that may be read"},
                                {"VI", false, "store on its way; the copy of before may still be read"}};
constexpr EventName events[] = {
    {"Load", on::load, "a load"},
    {"Load_Expired", on::refined, "a load that finds the copy's lease ended"},
    {"Store", on::store, "a store"},
    {"Store_Private", on::refined, "a store to the thread's own memory"},
    {"Atomic", on::atomic, "a read-modify-write at the home"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Flush", on::flush, "begin of a grid, when the host may have written the line; begin of an epoch"},
    {"Data", on::message(Message::DATA), "the line, with ver and exp"},
    {"Renew", on::message(Message::RENEW), "the copy is current; a new exp"},
    {"Read_Late", on::refined, "Data or Renew with a lease that ended before the last load joined"},
    {"Ack", on::message(Message::ACK), "the store took effect at ver"},
    {"Ack_Private", on::refined, "the store to a thread's own memory is done"},
    {"Atomic_Data", on::message(Message::ATOMIC_DATA), "the atomic took effect at ver; old values"},
    {"Rollover", on::message(Message::FLUSH), "a home begins logical time anew, while all homes wait"}};
constexpr GuardName guards[] = {
    {"behind", "what is on its way may be older than a store of the same warp, than a flush, or than now"},
    {"own_store", "a store of the same warp is on its way"},
    {"late_joined", "a load joined at a time that the lease on its way may not reach"},
    {"reading", "GETS is on its way"},
    {"writing", "stores or atomics are on their way"},
    {"around", "the program asks for a copy beyond the L1"},
    {"unkept", "a flush came after GETS was sent, or a store to the thread's own memory"},
    {"unkept_last", "the same, and no store is on its way"},
    {"last", "nothing else is on its way"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line"),
    act::send("send_GETS", Message::GETS, "ask for the line, with now and the end of the lease that the L1 has")
        .completed(),
    act::forward("forward_WRITE", Message::WRITE, "the store goes to the home, with now").completed(),
    act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home, with now").completed(),
    act::hit(),
    act::merge(),
    act::drop(),
    act::fill("put the line into its frame"),
    act::answer_parked(),
    act::answer_first("answer the load that GETS was sent for, which is within the lease"),
    act::replay("present the loads that waited again"),
    act::deliver(),
    act::update("begin_read", "GETS is on its way; it will see all stores sent so far"),
    act::update("join_read", "the lease must reach this now"),
    act::update("end_read", "GETS is answered"),
    act::update("begin_write", "one more store or atomic on its way, of this warp"),
    act::update("end_write", "one less on its way"),
    act::update("see_read", "now = max(now, M.ver)"),
    act::update("see_write", "now = max(now, M.ver)"),
    act::update("take_lease", "D.exp = M.exp"),
    act::update("forget_lease", "D.exp = 0: there is no copy to renew"),
    act::update("do_not_keep", "the copy on its way may be older than the flush"),
    act::update("begin_epoch", "now = 0"),
    act::ask("flush_lines", ActionKind::flush_lines, Needs::nothing, "present Flush to every line"),
    act::send("send_FLUSH_ACK", Message::FLUSH_ACK, "no copy of the old epoch is left")};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"rcc", "L1", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::I, E::Load, {A::allocate, A::park, A::begin_read, A::send_GETS}, S::IV, "a miss"},
    {S::I, E::Store, {A::begin_write, A::forward_WRITE}, S::II, "write-through, no write-allocate"},
    {S::I, E::Store_Private, {A::forward_WRITE}, S::I, "nobody else has a copy of a thread's own memory"},
    {S::I, E::Atomic, {A::begin_write, A::forward_ATOMIC}, S::II, "atomics are done at the home"},
    {S::I, E::Rollover, {A::begin_epoch, A::flush_lines, A::send_FLUSH_ACK}, S::I, "concerns the node, not a line"},
    {S::I, E::Ack_Private, {A::deliver}, S::I, "of a store that was sent without a copy, or whose copy has left"},

    {S::V, E::Load, G::around, {A::park, A::begin_read, A::send_GETS}, S::IV, "only the home knows what is newest"},
    {S::V, E::Load, {A::hit}, S::V, "the lease lasts"},
    {S::V, E::Load_Expired, {A::park, A::begin_read, A::send_GETS}, S::IV, "the home may renew what is here"},
    {S::V, E::Store, {A::begin_write, A::forward_WRITE}, S::VI, "others may read the copy until the store has a time"},
    {S::V, E::Store_Private, {A::write, A::forward_WRITE}, S::V, "nobody else has a copy"},
    {S::V, E::Atomic, {A::begin_write, A::forward_ATOMIC}, S::VI, "as a store"},
    {S::V, E::Replacement, {A::drop}, S::I, "write-through: nothing to save"},
    {S::V, E::Flush, {A::drop}, S::I, "the host may have written the line"},
    {S::V, E::Ack_Private, {A::deliver}, S::V, "the copy has these bytes"},

    {S::IV, E::Load, G::behind, {A::stall}, S::IV, "what is on its way is older"},
    {S::IV, E::Load, {A::join_read, A::park}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Store, G::late_joined, {A::stall}, S::IV, "the loads may have to ask again, and not behind this store"},
    {S::IV, E::Store, {A::begin_write, A::forward_WRITE}, S::II, "ordered behind GETS"},
    {S::IV,
     E::Store_Private,
     {A::do_not_keep, A::forward_WRITE},
     S::IV,
     "GETS was sent before and lacks the store's bytes"},
    {S::IV, E::Atomic, G::late_joined, {A::stall}, S::IV, "as a store"},
    {S::IV, E::Atomic, {A::begin_write, A::forward_ATOMIC}, S::II, "ordered behind GETS"},
    {S::IV, E::Replacement, {A::stall}, S::IV, "the frame is reserved for the line on its way"},
    {S::IV, E::Flush, {A::do_not_keep, A::forget_lease}, S::IV, "GETS may have been served before"},
    {S::IV, E::Data, G::unkept, {A::see_read, A::answer_parked, A::drop}, S::I, "the loads that wait came before"},
    {S::IV, E::Data, {A::end_read, A::see_read, A::take_lease, A::fill, A::answer_parked}, S::V, "the miss is done"},
    {S::IV, E::Renew, G::unkept, {A::see_read, A::answer_parked, A::drop}, S::I, "the loads that wait came before"},
    {S::IV, E::Renew, {A::end_read, A::see_read, A::take_lease, A::answer_parked}, S::V, "the bytes are here"},
    {S::IV,
     E::Read_Late,
     {A::see_read, A::answer_first, A::replay, A::drop},
     S::I,
     "a load that joined behind the lease's end must not see the line as it was"},
    {S::IV, E::Ack_Private, {A::deliver}, S::IV, "sent before the line was asked for, or behind it"},

    {S::II, E::Load, G::behind, {A::stall}, S::II, "what is on its way is older"},
    {S::II, E::Load, G::reading, {A::join_read, A::park}, S::II, "merged with the request that is on its way"},
    {S::II, E::Load, {A::allocate, A::park, A::begin_read, A::send_GETS}, S::II, "ordered behind the stores"},
    {S::II, E::Store, {A::begin_write, A::forward_WRITE}, S::II, "stores never merge"},
    {S::II, E::Atomic, {A::begin_write, A::forward_ATOMIC}, S::II, "atomics never merge"},
    {S::II, E::Replacement, {A::stall}, S::II, "the frame is reserved"},
    {S::II, E::Flush, {A::do_not_keep, A::forget_lease}, S::II, "a copy on its way may be older than the flush"},
    {S::II, E::Data, G::unkept_last, {A::see_read, A::answer_parked, A::drop}, S::I, "the loads came before the flush"},
    {S::II, E::Data, G::unkept, {A::end_read, A::see_read, A::answer_parked}, S::II, "a store is still on its way"},
    {S::II,
     E::Data,
     G::writing,
     {A::end_read, A::see_read, A::take_lease, A::fill, A::answer_parked},
     S::VI,
     "the line as it is before the stores that are on their way"},
    {S::II,
     E::Data,
     {A::end_read, A::see_read, A::take_lease, A::fill, A::answer_parked},
     S::V,
     "all stores were before"},
    {S::II, E::Renew, G::unkept, {A::end_read, A::see_read, A::answer_parked}, S::II, "a store is still on its way"},
    {S::II,
     E::Renew,
     {A::end_read, A::see_read, A::take_lease, A::answer_parked},
     S::VI,
     "the bytes are here; renewed before the stores that are on their way, which would have made the home send DATA"},
    {S::II, E::Ack, G::last, {A::end_write, A::see_write, A::deliver, A::drop}, S::I, "no copy outlives the store"},
    {S::II, E::Ack, {A::end_write, A::see_write, A::deliver}, S::II, "more is on its way"},
    {S::II, E::Atomic_Data, G::last, {A::end_write, A::see_write, A::deliver, A::drop}, S::I, "as an Ack"},
    {S::II, E::Atomic_Data, {A::end_write, A::see_write, A::deliver}, S::II, "more is on its way"},

    {S::VI,
     E::Load,
     G::own_store,
     {A::park, A::begin_read, A::send_GETS},
     S::II,
     "the copy lacks the warp's own store"},
    {S::VI, E::Load, G::around, {A::park, A::begin_read, A::send_GETS}, S::II, "only the home knows what is newest"},
    {S::VI, E::Load, {A::hit}, S::VI, "the store has no time yet: other warps may read what was before"},
    {S::VI, E::Store, {A::begin_write, A::forward_WRITE}, S::VI, "stores never merge"},
    {S::VI, E::Atomic, {A::begin_write, A::forward_ATOMIC}, S::VI, "atomics never merge"},
    {S::VI, E::Replacement, {A::stall}, S::VI, "the frame is reserved"},
    {S::VI, E::Flush, {A::forget_lease}, S::II, "the copy may be older than the flush"},
    {S::VI, E::Ack, G::last, {A::end_write, A::see_write, A::deliver, A::drop}, S::I, "now is behind the lease"},
    {S::VI, E::Ack, {A::end_write, A::see_write, A::deliver}, S::II, "now is behind the lease"},
    {S::VI, E::Atomic_Data, G::last, {A::end_write, A::see_write, A::deliver, A::drop}, S::I, "as an Ack"},
    {S::VI, E::Atomic_Data, {A::end_write, A::see_write, A::deliver}, S::II, "as an Ack"},
};

/// LineMeta as the L1 uses it: exp (0: nothing to renew), pending_reads (at most one GETS), pending_writes, unkept, in
/// `sharers` the warps that sent a store after the copy that is here, or on its way, was asked for, and while GETS is
/// on its way last_write and last_read: now when it was sent, and when the last load joined.
class RccL1Machine final : public Machine {
 public:
  RccL1Machine(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, Clocks clocks, std::uint64_t tick_ps)
      : Machine(std::move(table)), spec_(spec), clocks_(clocks), period_ps_(spec.tick * tick_ps) {}

  FenceOutcome fence(const Stimulus& stimulus, NodeMeta& node) override {
    const std::uint64_t both = std::max(read_view(stimulus, node), write_view(stimulus, node));
    advance(clocks_.read, both, stimulus, node);
    advance(clocks_.write, both, stimulus, node);
    return {};
  }

  std::string_view broken(const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::IV && (line.pending_reads != 1 || line.pending_writes != 0))
      return "not the one GETS is on its way";
    if (state == S::II && line.pending_reads + line.pending_writes == 0) return "nothing is on its way";
    if (state == S::VI && (line.pending_writes == 0 || line.pending_reads != 0))
      return "not only stores are on their way";
    if (s.source != Stimulus::Source::message || s.stamps[stamp_alone] != 0) return {};
    const auto message = static_cast<Message>(s.message);
    const bool reads = message == Message::DATA || message == Message::RENEW;
    const bool writes = message == Message::ACK || message == Message::ATOMIC_DATA;
    if (reads && (state == S::V || state == S::VI) && line.exp != s.stamps[stamp_exp])
      return "the copy has not the lease that came with it";
    if (reads && read_view(s, node) < version(s, node)) return "the SM has read a version that is ahead of its clock";
    if (writes && write_view(s, node) < version(s, node)) return "the SM has written ahead of its clock";
    return {};
  }

  std::uint64_t logical_time(const NodeMeta& node, std::uint64_t time) const override {
    Stimulus at;
    at.time = time;
    return (node.epoch << spec_.timestamp_bits) + read_view(at, node);
  }

 protected:
  void refine(Situation& at, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    const auto event = static_cast<E>(at.event);
    if ((event == E::Data || event == E::Renew) && static_cast<S>(at.state) == S::IV &&
        line.last_read > s.stamps[stamp_exp]) {
      at.event = static_cast<Code>(E::Read_Late);
      return;
    }
    if (event == E::Ack) {
      if (s.stamps[stamp_alone] != 0) at.event = static_cast<Code>(E::Ack_Private);
      return;
    }
    if (s.access.is_private) {
      if (event == E::Store) at.event = static_cast<Code>(E::Store_Private);
      return;
    }
    if (line.exp >= read_view(s, node)) return;
    // F3.5: a copy whose lease has ended is as good as none.
    if (static_cast<S>(at.state) == S::VI) at.state = static_cast<Code>(S::II);
    if (static_cast<S>(at.state) != S::V) return;
    if (event == E::Load) at.event = static_cast<Code>(E::Load_Expired);
    if (event == E::Store || event == E::Atomic) at.state = static_cast<Code>(S::I);
  }

  bool holds(Code guard, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    switch (static_cast<G>(guard)) {
      case G::behind:
        return line.pending_reads != 0 &&
               (line.unkept || line.sharers.contains(s.warp) ||
                (static_cast<S>(line.state) == S::II && read_view(s, node) > sure_lease(line)));
      case G::late_joined:
        return line.last_read > sure_lease(line);
      case G::own_store:
        return line.sharers.contains(s.warp);
      case G::reading:
        return line.pending_reads != 0;
      case G::writing:
        return line.pending_writes != 0;
      case G::around:
        return s.access.around_l1 && !s.access.is_private && spec_.around_l1 == RccAroundL1::home;
      case G::unkept:
        return line.unkept;
      case G::unkept_last:
        return line.unkept && line.pending_writes == 0;
      case G::last:
        return line.pending_writes == 1 && line.pending_reads == 0;
    }
    return false;
  }

  void update(Code action, const Stimulus& s, LineMeta& line, NodeMeta& node) override {
    switch (static_cast<A>(action)) {
      case A::begin_read:
        line.pending_reads = 1;
        line.sharers.clear();
        line.last_write = line.last_read = s.access.is_private ? 0 : read_view(s, node);
        break;
      case A::join_read:
        if (!s.access.is_private) line.last_read = read_view(s, node);
        break;
      case A::end_read:
        line.pending_reads = 0;
        line.unkept = false;
        break;
      case A::begin_write:
        ++line.pending_writes;
        line.sharers.insert(s.warp);
        break;
      case A::end_write:
        --line.pending_writes;
        break;
      case A::see_read:
        advance(clocks_.read, version(s, node), s, node);
        break;
      case A::see_write:
        advance(clocks_.write, version(s, node), s, node);
        break;
      case A::take_lease:
        line.exp = s.stamps[stamp_exp];
        break;
      case A::forget_lease:
        line.exp = 0;
        break;
      case A::do_not_keep:
        line.unkept = line.pending_reads != 0;
        break;
      case A::begin_epoch:
        ++node.epoch;
        node.*clocks_.read = node.*clocks_.write = -ticks(s);
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code action, const Stimulus& s, const LineMeta& line, const NodeMeta& node,
                Action& asked) const override {
    asked.stamps[stamp_alone] = s.access.is_private ? 1 : 0;
    if (static_cast<A>(action) == A::send_GETS) {
      asked.stamps[stamp_time] = read_view(s, node);
      asked.stamps[stamp_exp] = line.exp;
    } else {
      asked.stamps[stamp_time] = write_view(s, node);
    }
    asked.stamps[stamp_epoch] = node.epoch;
  }

 private:
  /// M.ver; a time of an epoch that is over counts as 0, as it does at the home.
  static std::uint64_t version(const Stimulus& s, const NodeMeta& node) {
    return s.stamps[stamp_epoch] == node.epoch ? s.stamps[stamp_time] : 0;
  }
  /// The lease on its way lasts at least so long.
  std::uint64_t sure_lease(const LineMeta& line) const { return line.last_write + spec_.shortest(); }
  // NodeMeta holds a clock less the ticks of the livelock guard up to now (modulo 2^64), so that they need no timer:
  // logical time advances by one a period, whatever else happens.
  std::uint64_t ticks(const Stimulus& s) const { return period_ps_ == 0 ? 0 : s.time / period_ps_; }
  std::uint64_t read_view(const Stimulus& s, const NodeMeta& node) const { return node.*clocks_.read + ticks(s); }
  std::uint64_t write_view(const Stimulus& s, const NodeMeta& node) const { return node.*clocks_.write + ticks(s); }
  void advance(std::uint64_t NodeMeta::*clock, std::uint64_t to, const Stimulus& s, NodeMeta& node) const {
    if (node.*clock + ticks(s) < to) node.*clock = to - ticks(s);
  }

  RccSpec spec_;
  Clocks clocks_;
  std::uint64_t period_ps_;
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table(const RccSpec&) {
  return make_table(vocabulary(), rows);
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, Clocks clocks,
                                 std::uint64_t tick_ps) {
  return std::make_unique<RccL1Machine>(std::move(table), spec, clocks, tick_ps);
}

}  // namespace syncline::protocols::rcc
