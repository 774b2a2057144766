// The L1 of GPU-VI (VI_wt, L1 machine). A line with a write of this L1 under way serves no load from its copy, for the
// write is not performed before the home says so: loads then go to the home one by one, behind the write. Only a line
// whose single outstanding request is a GETS (I_S) will be kept. Every Inv is acknowledged, in every state, because
// copies leave silently and the home counts acknowledgements.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/gpu_vi/gpu_vi.h"

namespace syncline::protocols::gpu_vi {
namespace {

using S = L1State;
using E = L1Event;

enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  count_read,
  count_write,
  uncount_read,
  uncount_write,
  send_GETS,
  forward_GETU,
  forward_WB_Data,
  forward_ATOMIC,
  send_Inv_Ack,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  deliver
};

constexpr StateName states[] = {
    {"I", true, "not cached"},
    {"S", true, "valid"},
    {"I_S", false, "GETS on its way, nothing else; its line will be kept"},
    {"S_M", false, "valid with stores of this L1 that are not performed yet: serves no load"},
    {"I_I", false, "not cached; requests on their way, whose lines will not be kept"}};
constexpr EventName events[] = {
    {"Load", on::load, "a load, wherever the program asks to be served"},
    {"Store", on::store, "a store"},
    {"Atomic", on::atomic, "a read-modify-write at the home"},
    {"Inv", on::message(Message::Inv), "another L1 writes the line, or it leaves the home"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Flush", on::flush, "begin of a grid: the host may have written memory behind the caches"},
    {"Data", on::message(Message::DATA), "the line of a GETS"},
    {"Data_Done", on::refined, "Data, and nothing else of the line is on its way"},
    {"Data_U", on::message(Message::DATA_U), "the line of a GETU"},
    {"Data_U_Done", on::refined, "Data_U, and nothing else of the line is on its way"},
    {"Ack", on::message(Message::ACK, Message::DATA_ATOMIC), "a store or an atomic is performed"},
    {"Ack_Done", on::refined, "Ack, and nothing else of the line is on its way"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line"),
    act::update("count_read", "one more read of the line is on its way"),
    act::update("count_write", "one more store or atomic of the line is on its way"),
    act::update("uncount_read", "a read is back"),
    act::update("uncount_write", "a store or an atomic is back"),
    act::send("send_GETS", Message::GETS, "ask the home for the line"),
    act::forward("forward_GETU", Message::GETU, "the load goes to the home"),
    act::forward("forward_WB_Data", Message::WB_Data, "the store goes to the home"),
    act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home"),
    act::send("send_Inv_Ack", Message::Inv_Ack, "no load will see the old bytes any more"),
    act::hit(),
    act::merge(),
    act::drop(),
    act::fill("put the line into its frame"),
    act::answer_parked(),
    act::deliver()};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"gpu_vi", "L1", messages(), list_of(states), list_of(events), {}, list_of(actions)};
}

constexpr Row rows[] = {
    {S::I, E::Load, {A::allocate, A::park, A::count_read, A::send_GETS}, S::I_S, "a miss fetches the whole line"},
    {S::I, E::Store, {A::count_write, A::forward_WB_Data}, S::I_I, "write-through, no write-allocate"},
    {S::I, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "atomics are performed at the home"},
    {S::I, E::Inv, {A::send_Inv_Ack}, S::I, "the copy had left silently"},

    {S::S, E::Load, {A::hit}, S::S, "current: a write elsewhere would have invalidated it first"},
    {S::S,
     E::Store,
     {A::write, A::count_write, A::forward_WB_Data},
     S::S_M,
     "the copy is current once it is performed"},
    {S::S, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "the new value exists at the home only"},
    {S::S, E::Inv, {A::drop, A::send_Inv_Ack}, S::I, "another L1 is about to write"},
    {S::S, E::Replacement, {A::drop}, S::I, "write-through: nothing to save; the home is not told"},
    {S::S, E::Flush, {A::drop}, S::I, "may lack what the host wrote between grids"},

    {S::I_S, E::Load, {A::park}, S::I_S, "no invalidation has come since GETS was sent: its line is new enough"},
    {S::I_S, E::Store, {A::count_write, A::forward_WB_Data}, S::I_I, "GETS was sent before and lacks the store"},
    {S::I_S, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "GETS was sent before and lacks the new value"},
    {S::I_S, E::Inv, {A::send_Inv_Ack}, S::I_I, "DATA may have been sent before; it serves the loads that wait, once"},
    {S::I_S, E::Replacement, {A::stall}, S::I_S, "the frame is reserved for the line on its way"},
    {S::I_S, E::Flush, {}, S::I_I, "a prefetch may have read memory before the host wrote it"},
    {S::I_S, E::Data_Done, {A::uncount_read, A::fill, A::answer_parked}, S::S, "the miss is done"},

    {S::S_M, E::Load, {A::count_read, A::forward_GETU}, S::S_M, "other L1s may still read the old bytes: no hit"},
    {S::S_M,
     E::Store,
     {A::write, A::count_write, A::forward_WB_Data},
     S::S_M,
     "the home keeps the order of the stores"},
    {S::S_M, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "the new value exists at the home only"},
    {S::S_M,
     E::Inv,
     {A::send_Inv_Ack},
     S::I_I,
     "another L1's write comes before or after the store: no copy either way"},
    {S::S_M, E::Replacement, {A::stall}, S::S_M, "will be valid again"},
    {S::S_M, E::Flush, {}, S::I_I, "may lack what the host wrote between grids"},
    {S::S_M, E::Data_U, {A::uncount_read, A::deliver}, S::S_M, "serves its load"},
    {S::S_M, E::Data_U_Done, {A::uncount_read, A::deliver}, S::S, "all stores are performed, and nobody wrote since"},
    {S::S_M, E::Ack, {A::uncount_write, A::deliver}, S::S_M, "more is on its way"},
    {S::S_M, E::Ack_Done, {A::uncount_write, A::deliver}, S::S, "all stores are performed, and nobody wrote since"},

    {S::I_I, E::Load, {A::count_read, A::forward_GETU}, S::I_I, "must see what was sent before: ordered at the home"},
    {S::I_I, E::Store, {A::count_write, A::forward_WB_Data}, S::I_I, "ordered behind what was sent before"},
    {S::I_I, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "ordered behind what was sent before"},
    {S::I_I, E::Inv, {A::send_Inv_Ack}, S::I_I, "there is no copy, and none will come"},
    {S::I_I, E::Replacement, {A::drop}, S::I_I, "the frame holds nothing that will be used"},
    {S::I_I, E::Flush, {}, S::I_I, "nothing will be kept"},
    {S::I_I, E::Data, {A::uncount_read, A::answer_parked}, S::I_I, "serves the loads that waited before it became old"},
    {S::I_I, E::Data_Done, {A::uncount_read, A::answer_parked, A::drop}, S::I, "served, not kept"},
    {S::I_I, E::Data_U, {A::uncount_read, A::deliver}, S::I_I, "serves its load"},
    {S::I_I, E::Data_U_Done, {A::uncount_read, A::deliver, A::drop}, S::I, "nothing is on its way any more"},
    {S::I_I, E::Ack, {A::uncount_write, A::deliver}, S::I_I, "more is on its way"},
    {S::I_I, E::Ack_Done, {A::uncount_write, A::deliver, A::drop}, S::I, "nothing is on its way any more"},
};

class GpuViL1 final : public Machine {
 public:
  using Machine::Machine;

  std::string_view broken(const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::I_S && (line.pending_reads != 1 || line.pending_writes != 0))
      return "not the one GETS alone is on its way";
    if ((state == S::S_M || state == S::I_I) && line.pending_reads + line.pending_writes == 0)
      return "nothing is on its way";
    return {};
  }

 protected:
  /// The last of all replies is another event, the paper's `_Done`.
  void refine(Situation& at, const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    if (line.pending_reads + line.pending_writes != 1) return;
    switch (static_cast<E>(at.event)) {
      case E::Data:
        at.event = static_cast<Code>(E::Data_Done);
        break;
      case E::Data_U:
        at.event = static_cast<Code>(E::Data_U_Done);
        break;
      case E::Ack:
        at.event = static_cast<Code>(E::Ack_Done);
        break;
      default:
        break;
    }
  }

  void update(Code action, const Stimulus&, LineMeta& line, NodeMeta&) override {
    switch (static_cast<A>(action)) {
      case A::count_read:
        ++line.pending_reads;
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
      default:
        unknown_action(action);
    }
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table() {
  return make_table(vocabulary(), rows);
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<GpuViL1>(std::move(table));
}

}  // namespace syncline::protocols::gpu_vi
