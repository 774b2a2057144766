// The home of `rcc`: Ren, figure 3.5 (b). Write-back, write-allocate, not inclusive: a line that leaves is covered by
// mnow, the time that all evicted lines of the partition share.
//
// The figure answers what waits for a line in the step in which memory delivers it; here the line becomes V in that
// step, and what waits is presented again, which comes to the same times: readers get the lease that lastrd gave, and
// an atomic the version that was set (`awaited`). A store that misses is acknowledged at once, except when a load of
// the same SM waits for the line (`own_read`): it must not be served with a later store of its warp.
#include <algorithm>
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/rcc/rcc.h"

namespace syncline::protocols::rcc {
namespace {

using S = HomeState;
using E = HomeEvent;

enum class G : std::uint8_t { renewable, own_read, awaited, dirty, own, outranked, at_work, last_ack };
enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  send_DATA,
  send_RENEW,
  send_ACK,
  send_ATOMIC_DATA,
  write_back,
  drop,
  predict_first,
  grow_lease,
  shrink_lease,
  extend_lease,
  set_version,
  note_reader,
  note_waiting,
  note_writer,
  await,
  end_wait,
  restore_times,
  lease_readers,
  forget_waiting,
  cover,
  lead,
  follow,
  begin_epoch,
  flush_lines,
  forget_times,
  send_STALL,
  pass_STALL,
  send_FLUSH,
  expect_acks,
  count_ack,
  send_RESUME,
  pass_RESUME,
  work
};

constexpr StateName states[] = {{"I", true, "not present"},
                                {"V", true, "present, with ver and exp"},
                                {"IV", false, "being fetched; stores are merged and acknowledged"},
                                {"IAV", false, "being fetched for an atomic"}};
constexpr EventName events[] = {{"Load", on::message(Message::GETS), "GETS"},
                                {"Load_Private", on::refined, "GETS for a thread's own memory"},
                                {"Store", on::message(Message::WRITE), "WRITE"},
                                {"Store_Private", on::refined, "WRITE to a thread's own memory"},
                                {"Atomic", on::message(Message::ATOMIC), "ATOMIC"},
                                {"Overflow", on::refined, "a request whose time would exceed what a timestamp can say"},
                                {"Held", on::refined, "a request during a rollover"},
                                {"Replacement", on::replacement, "the frame is wanted for another line"},
                                {"Mem_Data", on::memory_data, "memory has delivered"},
                                {"Flush", on::flush, "an epoch begins"},
                                {"Stall", on::message(Message::STALL), "STALL came around the ring"},
                                {"Flush_Ack", on::message(Message::FLUSH_ACK), "an L1 has dropped its copies"},
                                {"Resume", on::message(Message::RESUME), "RESUME came around the ring"}};
constexpr GuardName guards[] = {
    {"renewable", "M.exp > D.ver: the copy of the L1 is current"},
    {"own_read", "a load of the same SM waits for the line"},
    {"awaited", "requests wait for the line; in V: it is here, and they are presented again"},
    {"dirty", "memory lacks bytes of the line"},
    {"own", "this home sent it"},
    {"outranked", "this home leads, and its number is lower than the sender's"},
    {"at_work", "this home is in no rollover"},
    {"last_ack", "all other L1s have answered"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line"),
    act::fetch(),
    act::fill("put memory's bytes where the line has none"),
    act::replay("present the requests that waited, in order"),
    act::write(),
    act::reply("send_DATA", Message::DATA, "the line, with ver and exp").completed(),
    act::reply("send_RENEW", Message::RENEW, "the new exp").completed(),
    act::reply("send_ACK", Message::ACK, "the store took effect at ver").completed(),
    act::reply("send_ATOMIC_DATA", Message::ATOMIC_DATA, "the atomic took effect at ver; old values").completed(),
    act::write_back(),
    act::drop(),
    act::update("predict_first", "the next lease has the first length, in general the maximal one"),
    act::update("grow_lease", "the next lease is twice as long"),
    act::update("shrink_lease", "the next lease has the minimal length"),
    act::update("extend_lease", "D.exp = max(D.exp, D.ver + lease, M.now + lease)"),
    act::update("set_version", "D.ver = max(M.now, D.ver, D.exp + 1)"),
    act::update("note_reader", "lastrd = max(lastrd, M.now)"),
    act::update("note_waiting", "a load of this SM waits for the line"),
    act::update("note_writer", "lastwr = max(lastwr, M.now)"),
    act::update("await", "one more request waits for the line"),
    act::update("end_wait", "one less, if any wait: what waited comes before what is new"),
    act::update("restore_times", "D.exp = mnow; D.ver = max(lastwr, mnow)"),
    act::update("lease_readers", "if any read waits: D.exp = max(D.ver, lastrd) + lease"),
    act::update("forget_waiting", "lastrd and lastwr are not needed any more"),
    act::update("cover", "mnow = max(mnow, D.exp + 1, D.ver); without the 1 under mnow_rule: thesis"),
    act::update("lead", "this home leads a rollover"),
    act::update("follow", "another home leads a rollover"),
    act::update("begin_epoch", "mnow = 0; times of messages that are under way count as 0 from now on"),
    act::ask("flush_lines", ActionKind::flush_lines, Needs::nothing, "present Flush to every line"),
    act::update("forget_times", "D.ver = D.exp = lastrd = lastwr = 0"),
    act::ask("send_STALL", ActionKind::pass_on, Needs::nothing, Message::STALL, "round the ring").completed(),
    act::ask("pass_STALL", ActionKind::pass_on, Needs::nothing, Message::STALL, "on along the ring").completed(),
    act::send("send_FLUSH", Message::FLUSH, "to all L1s").completed(),
    act::update("expect_acks", "each L1 answers"),
    act::update("count_ack", "one less to come"),
    act::ask("send_RESUME", ActionKind::pass_on, Needs::nothing, Message::RESUME, "round the ring").completed(),
    act::ask("pass_RESUME", ActionKind::pass_on, Needs::nothing, Message::RESUME, "on along the ring").completed(),
    act::update("work", "the rollover is over")};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"rcc", "home", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::I,
     E::Load,
     {A::allocate, A::predict_first, A::note_reader, A::note_waiting, A::await, A::park, A::fetch},
     S::IV,
     "miss; the longest lease for what nobody is known to write"},
    {S::I,
     E::Load_Private,
     {A::allocate, A::note_waiting, A::await, A::park, A::fetch},
     S::IV,
     "miss; nobody shares the line"},
    {S::I,
     E::Store,
     {A::allocate, A::shrink_lease, A::note_writer, A::write, A::fetch, A::send_ACK},
     S::IV,
     "its time is known, so it need not wait for the line"},
    {S::I, E::Store_Private, {A::allocate, A::write, A::fetch, A::send_ACK}, S::IV, "nobody shares the line"},
    {S::I,
     E::Atomic,
     {A::allocate, A::shrink_lease, A::note_writer, A::await, A::park, A::fetch},
     S::IAV,
     "the old value is in memory"},

    {S::V,
     E::Load,
     G::renewable,
     {A::end_wait, A::grow_lease, A::extend_lease, A::send_RENEW},
     S::V,
     "not written since its lease"},
    {S::V, E::Load, {A::end_wait, A::extend_lease, A::send_DATA}, S::V, "the L1 has no copy, or an older one"},
    {S::V, E::Load_Private, {A::end_wait, A::send_DATA}, S::V, "no lease: nobody else writes the line"},
    {S::V,
     E::Store,
     {A::end_wait, A::set_version, A::shrink_lease, A::write, A::send_ACK},
     S::V,
     "behind all leases of the line"},
    {S::V, E::Store_Private, {A::end_wait, A::write, A::send_ACK}, S::V, "nobody has a lease"},
    {S::V,
     E::Atomic,
     G::awaited,
     {A::end_wait, A::write, A::send_ATOMIC_DATA},
     S::V,
     "its version was set when the line came"},
    {S::V, E::Atomic, {A::set_version, A::shrink_lease, A::write, A::send_ATOMIC_DATA}, S::V, "as a store"},
    {S::V, E::Replacement, G::awaited, {A::stall}, S::V, "what waits must not miss again, and so lose its place"},
    {S::V, E::Replacement, G::dirty, {A::cover, A::write_back, A::drop}, S::I, "copies in L1s live on: not inclusive"},
    {S::V, E::Replacement, {A::cover, A::drop}, S::I, "memory has it; copies in L1s live on"},

    {S::IV, E::Load, {A::note_reader, A::note_waiting, A::await, A::park}, S::IV, "merged"},
    {S::IV, E::Load_Private, {A::note_waiting, A::await, A::park}, S::IV, "merged"},
    {S::IV, E::Store, G::own_read, {A::await, A::park}, S::IV, "behind the load, which may be of the same warp"},
    {S::IV,
     E::Store,
     {A::shrink_lease, A::note_writer, A::write, A::send_ACK},
     S::IV,
     "merged into the bytes that wait"},
    {S::IV,
     E::Store_Private,
     G::own_read,
     {A::await, A::park},
     S::IV,
     "behind the load, which may be of the same warp"},
    {S::IV, E::Store_Private, {A::write, A::send_ACK}, S::IV, "merged into the bytes that wait"},
    {S::IV, E::Atomic, {A::stall}, S::IV, "one kind of miss at a time"},
    {S::IV, E::Replacement, {A::stall}, S::IV, "the frame is reserved for the line on its way"},
    {S::IV,
     E::Mem_Data,
     {A::fill, A::restore_times, A::lease_readers, A::forget_waiting, A::replay},
     S::V,
     "bytes written here stay"},

    {S::IAV, E::Load, {A::stall}, S::IAV, "behind the atomic"},
    {S::IAV, E::Store, {A::stall}, S::IAV, "behind the atomic"},
    {S::IAV, E::Atomic, {A::stall}, S::IAV, "behind the atomic"},
    {S::IAV, E::Replacement, {A::stall}, S::IAV, "the frame is reserved for the line on its way"},
    {S::IAV, E::Mem_Data, {A::fill, A::restore_times, A::forget_waiting, A::replay}, S::V, "the atomic is done first"},

    // Rollover, 3.4.4. The home whose timestamp would overflow stalls the others by the ring; each sets its timestamps
    // to 0 as it stalls. Of several that begin, the lowest number wins. When STALL is back the L1s are flushed, and
    // when they have answered RESUME goes round.
    {S::I, E::Overflow, {A::lead, A::begin_epoch, A::flush_lines, A::send_STALL, A::stall}, S::I, "it must begin anew"},
    {S::V, E::Overflow, {A::lead, A::begin_epoch, A::flush_lines, A::send_STALL, A::stall}, S::V, "it must begin anew"},
    {S::IV, E::Overflow, {A::lead, A::begin_epoch, A::flush_lines, A::send_STALL, A::stall}, S::IV, "begins anew"},
    {S::I, E::Held, {A::stall}, S::I, "until all L1s are flushed"},
    {S::V, E::Held, {A::stall}, S::V, "until all L1s are flushed"},
    {S::IV, E::Held, {A::stall}, S::IV, "until all L1s are flushed"},
    {S::IAV, E::Held, {A::stall}, S::IAV, "until all L1s are flushed"},
    {S::V, E::Flush, {A::forget_times}, S::V, "flash-cleared"},
    {S::IV, E::Flush, {A::forget_times}, S::IV, "flash-cleared; what waits is kept"},
    {S::IAV, E::Flush, {A::forget_times}, S::IAV, "flash-cleared; what waits is kept"},
    {S::I, E::Stall, G::own, {A::send_FLUSH, A::expect_acks}, S::I, "all homes wait: now the L1s"},
    {S::I, E::Stall, G::outranked, {}, S::I, "that home will be told by the STALL of this one"},
    {S::I, E::Stall, G::at_work, {A::follow, A::begin_epoch, A::flush_lines, A::pass_STALL}, S::I, "waits from now on"},
    {S::I, E::Stall, {A::follow, A::pass_STALL}, S::I, "waits already; a lower number leads"},
    {S::I, E::Flush_Ack, G::last_ack, {A::count_ack, A::work, A::send_RESUME}, S::I, "nobody has an old copy"},
    {S::I, E::Flush_Ack, {A::count_ack}, S::I, "others are to come"},
    {S::I, E::Resume, G::own, {}, S::I, "all work again"},
    {S::I, E::Resume, {A::work, A::pass_RESUME}, S::I, "nobody has an old copy"},
};

/// The released simulator's predictor.
constexpr Row grow_on_every_hit[] = {
    {S::V,
     E::Load,
     G::renewable,
     {A::end_wait, A::grow_lease, A::extend_lease, A::send_RENEW},
     S::V,
     "not written since its lease"},
    {S::V, E::Load, {A::end_wait, A::grow_lease, A::extend_lease, A::send_DATA}, S::V, "each hit lengthens the lease"},
};
/// coherence.rcc.renew = false: the same leases, but the bytes always travel.
constexpr Row never_renew[] = {
    {S::V,
     E::Load,
     G::renewable,
     {A::end_wait, A::grow_lease, A::extend_lease, A::send_DATA},
     S::V,
     "a RENEW would have done"},
    {S::V, E::Load, {A::end_wait, A::extend_lease, A::send_DATA}, S::V, "the L1 has no copy, or an older one"},
};
constexpr Row grow_and_never_renew[] = {
    {S::V,
     E::Load,
     G::renewable,
     {A::end_wait, A::grow_lease, A::extend_lease, A::send_DATA},
     S::V,
     "a RENEW would have done"},
    {S::V, E::Load, {A::end_wait, A::grow_lease, A::extend_lease, A::send_DATA}, S::V, "each hit lengthens the lease"},
};

/// LineMeta as the home uses it: ver, exp, lease, last_read and last_write while the line is fetched, pending_reads
/// (loads that wait for a lease), pending_writes (requests of any kind that wait), sharers (SMs whose loads wait).
class RccHomeMachine final : public Machine {
 public:
  RccHomeMachine(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, unsigned l1s)
      : Machine(std::move(table),
                {{"expired_copies", "requests", "loads whose L1 has the line, but with its lease over"},
                 {"renewable_copies", "requests", "of these, loads whose copy is still what the L2 holds"}}),
        spec_(spec),
        l1s_(l1s) {}

  std::string_view broken(const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::V && (line.pending_reads != 0 || line.last_read != 0 || line.last_write != 0))
      return "what waited for the line has not been forgotten";
    if (state == S::V && line.lease != 0 && (line.lease < spec_.shortest() || line.lease > spec_.longest()))
      return "the predicted lease is out of bounds";
    if (phase(node) != Phase::working) return {};  // the request waits
    const auto message = static_cast<Message>(s.message);
    const bool shared = s.source == Stimulus::Source::message && s.stamps[stamp_alone] == 0;
    if (state == S::V && shared && message == Message::GETS) {
      if (line.exp < std::max(line.ver, stamp(stamp_time, s, node)) + spec_.shortest())
        return "the lease that is granted is too short";
      const bool grows = spec_.predictor != RccPredictor::fixed && spec_.longest() > spec_.shortest();
      if (grows && stamp(stamp_exp, s, node) > line.ver && line.lease == spec_.shortest())
        return "a renewal does not lengthen the next lease";
    }
    const bool writes = message == Message::WRITE || message == Message::ATOMIC;
    const bool waits = state == S::IV && line.sharers.contains(s.requester);
    if (state != S::I && shared && writes && !waits && line.lease != spec_.shortest())
      return "the next lease of what is written is not the shortest";
    if (state == S::IAV && !s.access.is_private && line.pending_writes == 0) return "no atomic waits";
    return {};
  }

 protected:
  void refine(Situation& at, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    const auto event = static_cast<E>(at.event);
    if (event != E::Load && event != E::Store && event != E::Atomic) return;
    if (phase(node) != Phase::working) {
      at.event = static_cast<Code>(E::Held);
    } else if (s.stamps[stamp_alone] != 0) {
      at.event = static_cast<Code>(event == E::Load ? E::Load_Private : E::Store_Private);
    } else if (static_cast<S>(at.state) != S::IAV && overflows(event, s, line, node)) {
      at.event = static_cast<Code>(E::Overflow);
    }
  }

  bool holds(Code guard, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    switch (static_cast<G>(guard)) {
      case G::renewable:
        return stamp(stamp_exp, s, node) > line.ver;
      case G::own_read:
        return line.sharers.contains(s.requester);
      case G::awaited:
        return line.pending_writes != 0;
      case G::dirty:
        return s.dirty;
      case G::own:
        return s.requester == s.node;
      case G::outranked:
        return phase(node) == Phase::leading && s.node < s.requester;
      case G::at_work:
        return phase(node) == Phase::working;
      case G::last_ack:
        return node.acks == 1;
    }
    return false;
  }

  void update(Code action, const Stimulus& s, LineMeta& line, NodeMeta& node) override {
    const std::uint64_t now = stamp(stamp_time, s, node);
    switch (static_cast<A>(action)) {
      case A::predict_first:
        line.lease = spec_.first();
        break;
      case A::grow_lease:
        line.lease = std::min(line.lease * 2, spec_.longest());
        break;
      case A::shrink_lease:
        line.lease = spec_.shortest();
        break;
      case A::extend_lease:
        count_expired(stamp(stamp_exp, s, node), now, line);
        line.exp = std::max(line.exp, std::max(line.ver, now) + line.lease);
        break;
      case A::set_version:
        line.ver = std::max({now, line.ver, line.exp + 1});
        break;
      case A::note_reader:
        line.last_read = std::max(line.last_read, now);
        ++line.pending_reads;
        break;
      case A::note_waiting:
        line.sharers.insert(s.requester);
        break;
      case A::note_writer:
        line.last_write = std::max(line.last_write, now);
        break;
      case A::await:
        ++line.pending_writes;
        break;
      case A::end_wait:
        if (line.pending_writes != 0) --line.pending_writes;
        break;
      case A::restore_times:
        line.exp = node.mnow;
        line.ver = std::max(line.last_write, node.mnow);
        break;
      case A::lease_readers:
        // A lease that does not fit is left to the loads themselves, which will find that it overflows.
        if (const std::uint64_t exp = std::max(line.ver, line.last_read) + line.lease;
            line.pending_reads != 0 && exp < spec_.horizon())
          line.exp = exp;
        break;
      case A::forget_waiting:
        line.pending_reads = 0;
        line.last_read = line.last_write = 0;
        line.sharers.clear();
        break;
      case A::cover:
        node.mnow = std::max({node.mnow, line.exp + (spec_.mnow_rule == RccMnowRule::plus1 ? 1 : 0), line.ver});
        node.mnow = std::min(node.mnow, spec_.horizon());  // a lease ends before, so it covers
        break;
      case A::lead:
        node.phase = static_cast<std::uint8_t>(Phase::leading);
        break;
      case A::follow:
        node.phase = static_cast<std::uint8_t>(Phase::stalled);
        break;
      case A::work:
        node.phase = static_cast<std::uint8_t>(Phase::working);
        break;
      case A::begin_epoch:
        ++node.epoch;
        node.mnow = 0;
        break;
      case A::forget_times:
        line.ver = line.exp = line.last_read = line.last_write = 0;
        break;
      case A::expect_acks:
        node.acks = static_cast<std::uint16_t>(l1s_);
        break;
      case A::count_ack:
        --node.acks;
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code action, const Stimulus& s, const LineMeta& line, const NodeMeta& node,
                Action& asked) const override {
    switch (static_cast<A>(action)) {
      case A::send_STALL:
      case A::send_RESUME:
        asked.requester = s.node;
        return;
      case A::pass_STALL:
      case A::pass_RESUME:
        return;
      case A::send_FLUSH:
        for (unsigned l1 = 0; l1 < l1s_; ++l1) asked.nodes.insert(l1);
        return;
      default:
        break;
    }
    asked.stamps[stamp_epoch] = node.epoch;
    if (s.stamps[stamp_alone] != 0) {
      asked.stamps[stamp_alone] = 1;
      return;
    }
    asked.stamps[stamp_exp] = line.exp;
    // While the line is on its way its version is not known, but a store's time is.
    const bool fetching = static_cast<S>(line.state) == S::I || static_cast<S>(line.state) == S::IV;
    asked.stamps[stamp_time] = fetching ? std::max(line.last_write, node.mnow) : line.ver;
  }

 private:
  enum Tallies : std::size_t { expired_copies, renewable_copies };

  /// F3.6: `lease` is the end of the lease of the reader's copy, 0 without one. A load that asks for a copy beyond the
  /// L1 may have one that lasts.
  void count_expired(std::uint64_t lease, std::uint64_t now, const LineMeta& line) {
    if (lease == 0 || lease >= now) return;
    count(expired_copies);
    if (lease > line.ver) count(renewable_copies);
  }
  static Phase phase(const NodeMeta& node) { return static_cast<Phase>(node.phase); }
  /// A time of a request; one of an epoch that is over counts as 0.
  static std::uint64_t stamp(Stamp place, const Stimulus& s, const NodeMeta& node) {
    return s.stamps[stamp_epoch] == node.epoch ? s.stamps[place] : 0;
  }
  /// A lease ends before the horizon, so that a write behind it still has a time.
  bool overflows(E event, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const {
    const std::uint64_t now = stamp(stamp_time, s, node);
    if (event == E::Load) {
      if (static_cast<S>(line.state) != S::V) return false;  // it will be presented again when the line is here
      const std::uint64_t lease = std::min(line.lease * 2, spec_.longest());
      return std::max(line.ver, now) + lease >= spec_.horizon();
    }
    return std::max(now, static_cast<S>(line.state) == S::V ? line.exp + 1 : 0) > spec_.horizon();
  }

  RccSpec spec_;
  unsigned l1s_;
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table(const RccSpec& spec) {
  const auto base = make_table(vocabulary(), rows);
  const auto with = [&base](const auto& changes) { return make_overlay(*base, vocabulary(), changes); };
  const bool every_hit = spec.predictor == RccPredictor::released;
  if (every_hit) return spec.renew ? with(grow_on_every_hit) : with(grow_and_never_renew);
  return spec.renew ? base : with(never_renew);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const RccSpec& spec, unsigned l1s) {
  return std::make_unique<RccHomeMachine>(std::move(table), spec, l1s);
}

}  // namespace syncline::protocols::rcc
