// The home of GPU-VI (VI_wt, L2 machine): a full map of sharers beside each line. The set may hold L1s that have let
// their copies go, never the other way round. A write that others share waits in SM or SMA, and is looked up again when
// the last acknowledgement has come; a miss waits the same way for memory. Meanwhile the line serves nobody, and who
// asks for it stalls the queue of requests.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/gpu_vi/gpu_vi.h"

namespace syncline::protocols::gpu_vi {
namespace {

using S = HomeState;
using E = HomeEvent;
using G = HomeGuard;
using A = HomeAction;

constexpr StateName states[] = {{"NP", true, "not present, here or in any L1"},
                                {"S", true, "here; no L1 has a copy"},
                                {"SS", true, "here; the sharers may have copies"},
                                {"ISS", false, "being fetched for loads"},
                                {"IM", false, "being fetched for a store"},
                                {"IMA", false, "being fetched for an atomic"},
                                {"SM", false, "a store waits until the other sharers have given up their copies"},
                                {"SMA", false, "an atomic waits until the other sharers have given up their copies"},
                                {"MI", false, "being recalled from all sharers; memory lacks bytes of it"},
                                {"II", false, "being recalled from all sharers; memory has it"}};
constexpr EventName events[] = {{"Load", on::message(Message::GETS, Message::GETU), "GETS or GETU"},
                                {"Store", on::message(Message::WB_Data), "WB_Data"},
                                {"Atomic", on::message(Message::ATOMIC), "ATOMIC"},
                                {"Inv_Ack", on::message(Message::Inv_Ack), "a sharer has given up its copy"},
                                {"Inv_Ack_All", on::refined, "the last of them has"},
                                {"Replacement", on::replacement, "the frame is wanted for another line"},
                                {"Mem_Data", on::memory_data, "memory has delivered"}};
constexpr GuardName guards[] = {{"others_share", "an L1 other than the requester may have a copy"},
                                {"dirty", "memory lacks bytes of the line"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line, or for the acknowledgements"),
    act::fetch(),
    act::fill("put the line into its frame"),
    act::replay("present what waited again, before anything newer"),
    act::write(),
    act::update("add_sharer", "the requester may keep a copy"),
    act::update("keep_writer", "remember whose store waits"),
    act::update("only_writer", "the writer is the only sharer"),
    act::update("clear_sharers", "nobody has a copy"),
    act::update("expect_others", "one acknowledgement from each sharer but the requester"),
    act::update("expect_all", "one acknowledgement from each sharer"),
    act::update("count_ack", "one acknowledgement less to come"),
    act::reply("send_DATA", Message::DATA, "DATA for GETS, DATA_U for GETU").completed(),
    act::reply("send_ACK", Message::ACK, "the store is performed"),
    act::reply("send_DATA_ATOMIC", Message::DATA_ATOMIC, "the atomic is performed; the old values"),
    act::send("invalidate_others", Message::Inv, "to each sharer but the requester").completed(),
    act::send("recall", Message::Inv, "to each sharer").completed(),
    act::write_back(),
    act::drop()};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"gpu_vi", "home", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::NP, E::Load, {A::allocate, A::park, A::add_sharer, A::fetch}, S::ISS, "miss"},
    {S::NP, E::Store, {A::allocate, A::park, A::fetch}, S::IM, "miss; nobody has a copy"},
    {S::NP, E::Atomic, {A::allocate, A::park, A::fetch}, S::IMA, "miss; nobody has a copy"},

    {S::S, E::Load, {A::add_sharer, A::send_DATA}, S::SS, "the first sharer; GETU adds one too, as a GETS would"},
    {S::S, E::Store, {A::write, A::send_ACK}, S::S, "nobody has a copy, the writer included: no write-allocate"},
    {S::S, E::Atomic, {A::write, A::send_DATA_ATOMIC}, S::S, "nobody has a copy"},
    {S::S, E::Replacement, G::dirty, {A::write_back, A::drop}, S::NP, "write-back"},
    {S::S, E::Replacement, {A::drop}, S::NP, "memory has it"},

    {S::SS, E::Load, {A::add_sharer, A::send_DATA}, S::SS, "one more sharer"},
    {S::SS,
     E::Store,
     G::others_share,
     {A::park, A::keep_writer, A::expect_others, A::invalidate_others},
     S::SM,
     "the old copies go first"},
    {S::SS, E::Store, {A::write, A::send_ACK}, S::SS, "only the writer has a copy, which it has updated"},
    {S::SS,
     E::Atomic,
     G::others_share,
     {A::park, A::expect_others, A::invalidate_others},
     S::SMA,
     "the old copies go first"},
    {S::SS,
     E::Atomic,
     {A::write, A::clear_sharers, A::send_DATA_ATOMIC},
     S::S,
     "the requester gave up its copy when it sent the atomic"},
    {S::SS,
     E::Replacement,
     G::dirty,
     {A::expect_all, A::recall, A::drop},
     S::MI,
     "inclusive: recalled before it is written back"},
    {S::SS, E::Replacement, {A::expect_all, A::recall, A::drop}, S::II, "inclusive: recalled"},

    {S::ISS, E::Load, {A::park, A::add_sharer}, S::ISS, "merged with the read of memory"},
    {S::ISS, E::Store, {A::stall}, S::ISS, "behind the loads that wait"},
    {S::ISS, E::Atomic, {A::stall}, S::ISS, "behind the loads that wait"},
    {S::ISS, E::Replacement, {A::stall}, S::ISS, "the frame is reserved for the line on its way"},
    {S::ISS, E::Mem_Data, {A::fill, A::replay}, S::SS, "the loads find it"},

    {S::IM, E::Load, {A::stall}, S::IM, "behind the store"},
    {S::IM, E::Store, {A::stall}, S::IM, "behind the store"},
    {S::IM, E::Atomic, {A::stall}, S::IM, "behind the store"},
    {S::IM, E::Replacement, {A::stall}, S::IM, "the frame is reserved for the line on its way"},
    {S::IM, E::Mem_Data, {A::fill, A::replay}, S::S, "the store finds it"},

    {S::IMA, E::Load, {A::stall}, S::IMA, "behind the atomic"},
    {S::IMA, E::Store, {A::stall}, S::IMA, "behind the atomic"},
    {S::IMA, E::Atomic, {A::stall}, S::IMA, "behind the atomic"},
    {S::IMA, E::Replacement, {A::stall}, S::IMA, "the frame is reserved for the line on its way"},
    {S::IMA, E::Mem_Data, {A::fill, A::replay}, S::S, "the atomic finds it"},

    {S::SM, E::Load, {A::stall}, S::SM, "old bytes may not go out any more, new ones not yet"},
    {S::SM, E::Store, {A::stall}, S::SM, "behind the store that waits"},
    {S::SM, E::Atomic, {A::stall}, S::SM, "behind the store that waits"},
    {S::SM, E::Replacement, {A::stall}, S::SM, "the store will need the line"},
    {S::SM, E::Inv_Ack, {A::count_ack}, S::SM, "more to come"},
    {S::SM, E::Inv_Ack_All, {A::count_ack, A::only_writer, A::replay}, S::SS, "the store finds no other sharer"},

    {S::SMA, E::Load, {A::stall}, S::SMA, "old bytes may not go out any more, new ones not yet"},
    {S::SMA, E::Store, {A::stall}, S::SMA, "behind the atomic that waits"},
    {S::SMA, E::Atomic, {A::stall}, S::SMA, "behind the atomic that waits"},
    {S::SMA, E::Replacement, {A::stall}, S::SMA, "the atomic will need the line"},
    {S::SMA, E::Inv_Ack, {A::count_ack}, S::SMA, "more to come"},
    {S::SMA, E::Inv_Ack_All, {A::count_ack, A::clear_sharers, A::replay}, S::S, "the atomic finds no sharer"},

    {S::MI, E::Load, {A::stall}, S::MI, "until it has left"},
    {S::MI, E::Store, {A::stall}, S::MI, "until it has left"},
    {S::MI, E::Atomic, {A::stall}, S::MI, "until it has left"},
    {S::MI, E::Inv_Ack, {A::count_ack}, S::MI, "more to come"},
    {S::MI, E::Inv_Ack_All, {A::count_ack, A::write_back}, S::NP, "from the miss register: the frame is gone"},

    {S::II, E::Load, {A::stall}, S::II, "until it has left"},
    {S::II, E::Store, {A::stall}, S::II, "until it has left"},
    {S::II, E::Atomic, {A::stall}, S::II, "until it has left"},
    {S::II, E::Inv_Ack, {A::count_ack}, S::II, "more to come"},
    {S::II, E::Inv_Ack_All, {A::count_ack}, S::NP, "memory has it"},
};

class GpuViHome final : public Machine {
 public:
  using Machine::Machine;

  std::string_view broken(const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    const auto state = static_cast<S>(line.state);
    if (state == S::S && !line.sharers.empty()) return "somebody has a copy";
    const bool collects = state == S::SM || state == S::SMA || state == S::MI || state == S::II;
    if (collects && line.acks <= 0) return "no acknowledgement is to come";
    return {};
  }

 protected:
  void refine(Situation& at, const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    if (at.event == static_cast<Code>(E::Inv_Ack) && line.acks == 1) at.event = static_cast<Code>(E::Inv_Ack_All);
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<G>(guard)) {
      case G::others_share:
        return !line.sharers.without(stimulus.requester).empty();
      case G::dirty:
        return stimulus.dirty;
    }
    return false;
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta&) override {
    switch (static_cast<A>(action)) {
      case A::add_sharer:
        line.sharers.insert(stimulus.requester);
        break;
      case A::keep_writer:
        line.owner = stimulus.requester;
        break;
      case A::only_writer:
        line.sharers.clear();
        line.sharers.insert(line.owner);
        break;
      case A::clear_sharers:
        line.sharers.clear();
        break;
      case A::expect_others:
        line.acks = static_cast<std::int16_t>(line.sharers.without(stimulus.requester).size());
        break;
      case A::expect_all:
        line.acks = static_cast<std::int16_t>(line.sharers.size());
        break;
      case A::count_ack:
        --line.acks;
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&,
                Action& action) const override {
    switch (static_cast<A>(code)) {
      case A::send_DATA:
        if (static_cast<Message>(stimulus.message) == Message::GETU)
          action.message = static_cast<std::uint8_t>(Message::DATA_U);
        break;
      case A::invalidate_others:
        action.nodes = line.sharers.without(stimulus.requester);
        break;
      case A::recall:
        action.nodes = line.sharers;
        break;
      default:
        unknown_action(code);
    }
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  return make_table(vocabulary(), rows);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<GpuViHome>(std::move(table));
}

}  // namespace syncline::protocols::gpu_vi
