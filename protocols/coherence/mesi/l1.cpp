// The L1 of `mesi` (RCC's released MESI_CMP_directory_wt; protocols-reference of the thesis' baselines, section 2.1).
//
// A line in I has a frame without bytes; without a frame it is in NP. Acknowledgements are counted in LineMeta::acks:
// the reply says how many to wait for and adds them, each that comes takes one off, so the count is 0 again when all is
// there, in whichever order it came.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/mesi/mesi.h"

namespace syncline::protocols::mesi {
namespace {

using S = L1State;
using E = L1Event;

enum class G : std::uint8_t { asked_before_flush, no_acks };

enum class A : std::uint8_t {
  recycle,
  allocate,
  park,
  send_GETS,
  send_GET_INSTR,
  forward_GETX,
  forward_GETX_ATOMIC,
  send_ACK,
  send_UNBLOCK,
  send_EXCLUSIVE_UNBLOCK,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  deliver,
  deliver_parked,
  expect_acks,
  count_ack,
  note_flush,
  forget_flush
};

constexpr StateName states[] = {
    {"NP", true, "not present"},
    {"I", true, "a frame without bytes"},
    {"S", true, "shared"},
    {"E", true, "the only copy, not written here"},
    {"M", true, "the only copy, last written here; the L2 has the same bytes"},
    {"IS", false, "GETS on its way"},
    {"II", false, "store or atomic on its way; the line will not be here"},
    {"SM", false, "store from S on its way"},
    {"IS_I", false, "IS, then invalidated: the data answers the loads that wait and is not kept"},
    {"MM", false, "store from E or M on its way"},
    {"MMI", false, "MM, then invalidated"},
    {"SINK", false, "MM, then downgraded: a reader was served before the store"},
    {"IS_A", false, "data here, the old owner's ACK missing"},
    {"IS_D", false, "the old owner's ACK here, data missing"},
    {"IS_I_A", false, "IS_A, and the line will not be kept"},
    {"IS_I_D", false, "IS_D, and the line will not be kept"}};
constexpr EventName events[] = {
    {"Load", on::load, "a load; copies are current, so that no load need go around the L1"},
    {"Ifetch", on::refined, "a load of a line that the program promises not to write"},
    {"Store", on::store, "a store"},
    {"Atomic", on::atomic, "a read-modify-write at the L2"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Flush", on::flush, "begin of a grid: the host may have written memory"},
    {"Inv", on::message(Message::INV), "another L1 writes, or the home wants its frame"},
    {"Fwd_GETX", on::message(Message::FWD_GETX), "another L1 writes what the home thinks we own"},
    {"Fwd_GETS", on::message(Message::FWD_GETS), "another L1 reads what the home thinks we own"},
    {"Fwd_GET_INSTR", on::message(Message::FWD_GET_INSTR), "as Fwd_GETS"},
    {"Data", on::message(Message::DATA), "the line; the old owner's ACK is missing"},
    {"Data_all_Acks", on::refined, "the line, and nothing is missing"},
    {"Data_Exclusive", on::message(Message::DATA_EXCLUSIVE), "the only copy"},
    {"Ack", on::message(Message::ACK), "something is still missing"},
    {"Ack_all", on::refined, "the last acknowledgement, after the reply"},
    {"WBorAtomic", on::message(Message::WB, Message::ATOMIC), "performed at the L2; acknowledgements are missing"},
    {"WBorAtomic_Done", on::refined, "performed at the L2, and nothing is missing"}};
constexpr GuardName guards[] = {{"asked_before_flush", "GETS was sent before a flush: even the only copy may be old"},
                                {"no_acks", "no copy had to be invalidated, so the home is not blocked"}};
constexpr ActionName actions[] = {
    act::recycle(),
    act::allocate(),
    act::park(),
    act::send("send_GETS", Message::GETS, "ask the home for the line"),
    act::send("send_GET_INSTR", Message::GET_INSTR, "ask the home for a shared copy"),
    act::forward("forward_GETX", Message::GETX, "the store goes to the home"),
    act::forward("forward_GETX_ATOMIC", Message::GETX_ATOMIC, "the atomic goes to the home"),
    act::send("send_ACK", Message::ACK, "to the L1 that asked the home, or to the home itself").completed(),
    act::send("send_UNBLOCK", Message::UNBLOCK, "the home may go on: the line is shared"),
    act::send("send_EXCLUSIVE_UNBLOCK", Message::EXCLUSIVE_UNBLOCK, "the home may go on: we were the last"),
    act::hit(),
    act::merge(),
    act::drop(),
    act::fill(),
    act::answer_parked(),
    act::deliver(),
    act::deliver_parked(),
    act::update("expect_acks", "add the acknowledgements that the reply tells of"),
    act::update("count_ack", "one acknowledgement less to come"),
    act::update("note_flush", "remember that GETS was sent before a flush (LineMeta::unkept)"),
    act::update("forget_flush", "that GETS has been answered")};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"mesi", "L1", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::NP, E::Load, {A::allocate, A::park, A::send_GETS}, S::IS, "miss"},
    {S::NP, E::Ifetch, {A::allocate, A::park, A::send_GET_INSTR}, S::IS, "miss; nobody writes it, so it is shared"},
    {S::NP, E::Store, {A::forward_GETX}, S::II, "write-through, no write-allocate"},
    {S::NP, E::Atomic, {A::forward_GETX_ATOMIC}, S::II, "atomics are done at the L2"},
    {S::NP, E::Inv, {A::send_ACK}, S::NP, "replaced silently"},
    {S::NP, E::Fwd_GETX, {A::send_ACK}, S::NP, "replaced silently"},
    {S::NP, E::Fwd_GETS, {A::send_ACK}, S::NP, "replaced silently"},
    {S::NP, E::Fwd_GET_INSTR, {A::send_ACK}, S::NP, "replaced silently"},

    {S::I, E::Load, {A::allocate, A::park, A::send_GETS}, S::IS, "miss"},
    {S::I, E::Ifetch, {A::allocate, A::park, A::send_GET_INSTR}, S::IS, "miss; nobody writes it, so it is shared"},
    {S::I, E::Store, {A::forward_GETX}, S::II, "write-through, no write-allocate"},
    {S::I, E::Atomic, {A::forward_GETX_ATOMIC}, S::II, "atomics are done at the L2"},
    {S::I, E::Inv, {A::send_ACK}, S::I, "the home has us as a sharer still"},
    {S::I, E::Fwd_GETX, {A::send_ACK}, S::I, "an atomic of ours left us the owner of nothing"},
    {S::I, E::Fwd_GETS, {A::send_ACK}, S::I, "an atomic of ours left us the owner of nothing"},
    {S::I, E::Fwd_GET_INSTR, {A::send_ACK}, S::I, "an atomic of ours left us the owner of nothing"},
    {S::I, E::Replacement, {A::drop}, S::NP, "an empty frame"},
    {S::I, E::Flush, {A::drop}, S::NP, "an empty frame"},

    {S::S, E::Load, {A::hit}, S::S, "hit"},
    {S::S, E::Ifetch, {A::hit}, S::S, "hit"},
    {S::S, E::Store, {A::write, A::forward_GETX}, S::SM, "the home invalidates the other copies"},
    {S::S, E::Atomic, {A::forward_GETX_ATOMIC}, S::II, "the L1 will not know the new value"},
    {S::S, E::Inv, {A::send_ACK}, S::I, "another L1 writes"},
    {S::S, E::Replacement, {A::drop}, S::NP, "silent: write-through, nothing to save"},
    {S::S, E::Flush, {A::drop}, S::NP, "the host may have written it"},

    {S::E, E::Load, {A::hit}, S::E, "hit"},
    {S::E, E::Ifetch, {A::hit}, S::E, "hit"},
    {S::E, E::Store, {A::write, A::forward_GETX}, S::MM, "complete only when the L2 has it"},
    {S::E, E::Atomic, {A::forward_GETX_ATOMIC}, S::II, "the L1 will not know the new value"},
    {S::E, E::Inv, {A::send_ACK}, S::I, "the home wants its frame"},
    {S::E, E::Fwd_GETX, {A::send_ACK}, S::I, "another L1 writes"},
    {S::E, E::Fwd_GETS, {A::send_ACK}, S::S, "another L1 reads; the L2 has the bytes"},
    {S::E, E::Fwd_GET_INSTR, {A::send_ACK}, S::S, "another L1 reads; the L2 has the bytes"},
    {S::E, E::Replacement, {A::drop}, S::NP, "silent: write-through, nothing to save"},
    {S::E, E::Flush, {A::drop}, S::NP, "the host may have written it"},

    {S::M, E::Load, {A::hit}, S::M, "hit"},
    {S::M, E::Ifetch, {A::hit}, S::M, "hit"},
    {S::M, E::Store, {A::write, A::forward_GETX}, S::MM, "complete only when the L2 has it"},
    {S::M, E::Atomic, {A::forward_GETX_ATOMIC}, S::II, "the L1 will not know the new value"},
    {S::M, E::Inv, {A::send_ACK}, S::I, "the home wants its frame"},
    {S::M, E::Fwd_GETX, {A::send_ACK}, S::I, "another L1 writes"},
    {S::M, E::Fwd_GETS, {A::send_ACK}, S::S, "another L1 reads; the L2 has the bytes"},
    {S::M, E::Fwd_GET_INSTR, {A::send_ACK}, S::S, "another L1 reads; the L2 has the bytes"},
    {S::M, E::Replacement, {A::drop}, S::NP, "silent: write-through, nothing to save"},
    {S::M, E::Flush, {A::drop}, S::NP, "the host may have written it"},

    {S::IS, E::Load, {A::park}, S::IS, "merged"},
    {S::IS, E::Ifetch, {A::park}, S::IS, "merged"},
    {S::IS, E::Store, {A::recycle}, S::IS, "after the loads that came before it"},
    {S::IS, E::Atomic, {A::recycle}, S::IS, "after the loads that came before it"},
    {S::IS, E::Replacement, {A::recycle}, S::IS, "the frame is reserved for the line on its way"},
    {S::IS, E::Flush, {A::note_flush}, S::IS_I, "GETS may have been served before the host wrote"},
    {S::IS, E::Inv, {A::send_ACK}, S::IS_I, "the data may have been sent before; an older write must not wait for it"},
    {S::IS, E::Fwd_GETX, {A::send_ACK}, S::IS, "of the copy that was replaced; GETS is served later"},
    {S::IS, E::Fwd_GETS, {A::send_ACK}, S::IS, "of the copy that was replaced; GETS is served later"},
    {S::IS, E::Fwd_GET_INSTR, {A::send_ACK}, S::IS, "of the copy that was replaced; GETS is served later"},
    {S::IS, E::Data, {A::fill, A::answer_parked, A::expect_acks}, S::IS_A, "the L2's bytes are current"},
    {S::IS, E::Data_all_Acks, {A::fill, A::answer_parked}, S::S, "the home was not blocked"},
    {S::IS, E::Data_Exclusive, {A::fill, A::answer_parked, A::send_EXCLUSIVE_UNBLOCK}, S::E, "nobody else has it"},
    {S::IS, E::Ack, {A::count_ack}, S::IS_D, "the old owner was faster than the home"},

    {S::IS_I, E::Load, {A::recycle}, S::IS_I, "must not read what was invalidated"},
    {S::IS_I, E::Ifetch, {A::recycle}, S::IS_I, "must not read what was invalidated"},
    {S::IS_I, E::Store, {A::recycle}, S::IS_I, "after the loads that came before it"},
    {S::IS_I, E::Atomic, {A::recycle}, S::IS_I, "after the loads that came before it"},
    {S::IS_I, E::Replacement, {A::recycle}, S::IS_I, "the frame is reserved until the data has passed"},
    {S::IS_I, E::Flush, {A::note_flush}, S::IS_I, "GETS may have been served before the host wrote"},
    {S::IS_I, E::Inv, {A::send_ACK}, S::IS_I, "once for the replaced copy, once for the one on its way"},
    {S::IS_I, E::Fwd_GETX, {A::send_ACK}, S::IS_I, "a flush led here, so the home may think that we own it"},
    {S::IS_I, E::Fwd_GETS, {A::send_ACK}, S::IS_I, "a flush led here, so the home may think that we own it"},
    {S::IS_I, E::Fwd_GET_INSTR, {A::send_ACK}, S::IS_I, "a flush led here, so the home may think that we own it"},
    {S::IS_I,
     E::Data,
     {A::answer_parked, A::expect_acks, A::forget_flush},
     S::IS_I_A,
     "the loads came before the write"},
    {S::IS_I, E::Data_all_Acks, {A::answer_parked, A::forget_flush}, S::I, "the loads came before the write"},
    {S::IS_I,
     E::Data_Exclusive,
     G::asked_before_flush,
     {A::answer_parked, A::send_EXCLUSIVE_UNBLOCK, A::forget_flush},
     S::I,
     "the loads came before the flush"},
    {S::IS_I,
     E::Data_Exclusive,
     {A::fill, A::answer_parked, A::send_EXCLUSIVE_UNBLOCK},
     S::E,
     "the only copy: sent after the write for which the replaced one was invalidated"},
    {S::IS_I, E::Ack, {A::count_ack, A::forget_flush}, S::IS_I_D, "the old owner was faster than the home"},

    {S::IS_A, E::Load, {A::recycle}, S::IS_A, "the line is busy"},
    {S::IS_A, E::Ifetch, {A::recycle}, S::IS_A, "the line is busy"},
    {S::IS_A, E::Store, {A::recycle}, S::IS_A, "the line is busy"},
    {S::IS_A, E::Atomic, {A::recycle}, S::IS_A, "the line is busy"},
    {S::IS_A, E::Replacement, {A::recycle}, S::IS_A, "the line is busy"},
    {S::IS_A, E::Flush, {}, S::IS_I_A, "the host may have written it"},
    {S::IS_A, E::Ack_all, {A::count_ack, A::send_UNBLOCK}, S::S, "two copies, none exclusive"},

    {S::IS_D, E::Load, {A::recycle}, S::IS_D, "the line is busy"},
    {S::IS_D, E::Ifetch, {A::recycle}, S::IS_D, "the line is busy"},
    {S::IS_D, E::Store, {A::recycle}, S::IS_D, "after the loads that came before it"},
    {S::IS_D, E::Atomic, {A::recycle}, S::IS_D, "after the loads that came before it"},
    {S::IS_D, E::Replacement, {A::recycle}, S::IS_D, "the frame is reserved for the line on its way"},
    {S::IS_D, E::Flush, {}, S::IS_I_D, "GETS was served before the host wrote"},
    {S::IS_D,
     E::Data_all_Acks,
     {A::fill, A::answer_parked, A::expect_acks, A::send_UNBLOCK},
     S::S,
     "two copies, none exclusive"},

    {S::IS_I_A, E::Load, {A::recycle}, S::IS_I_A, "the line is busy"},
    {S::IS_I_A, E::Ifetch, {A::recycle}, S::IS_I_A, "the line is busy"},
    {S::IS_I_A, E::Store, {A::recycle}, S::IS_I_A, "the line is busy"},
    {S::IS_I_A, E::Atomic, {A::recycle}, S::IS_I_A, "the line is busy"},
    {S::IS_I_A, E::Replacement, {A::recycle}, S::IS_I_A, "the line is busy"},
    {S::IS_I_A, E::Flush, {}, S::IS_I_A, "will not be kept anyhow"},
    {S::IS_I_A, E::Ack_all, {A::count_ack, A::send_UNBLOCK}, S::I, "the home may go on"},

    {S::IS_I_D, E::Load, {A::recycle}, S::IS_I_D, "the line is busy"},
    {S::IS_I_D, E::Ifetch, {A::recycle}, S::IS_I_D, "the line is busy"},
    {S::IS_I_D, E::Store, {A::recycle}, S::IS_I_D, "after the loads that came before it"},
    {S::IS_I_D, E::Atomic, {A::recycle}, S::IS_I_D, "after the loads that came before it"},
    {S::IS_I_D, E::Replacement, {A::recycle}, S::IS_I_D, "the frame is reserved until the data has passed"},
    {S::IS_I_D, E::Flush, {}, S::IS_I_D, "will not be kept anyhow"},
    {S::IS_I_D, E::Data_all_Acks, {A::answer_parked, A::expect_acks, A::send_UNBLOCK}, S::I, "the home may go on"},

    {S::II, E::Load, {A::recycle}, S::II, "must read what our store wrote"},
    {S::II, E::Ifetch, {A::recycle}, S::II, "the line is busy"},
    {S::II, E::Store, {A::recycle}, S::II, "one store to a line at a time"},
    {S::II, E::Atomic, {A::recycle}, S::II, "one store to a line at a time"},
    {S::II, E::Replacement, {A::recycle}, S::II, "the line is busy"},
    {S::II, E::Flush, {}, S::II, "nothing is kept"},
    {S::II, E::Inv, {A::send_ACK}, S::II, "another write is served first"},
    {S::II, E::Fwd_GETX, {A::send_ACK}, S::II, "of a copy that was replaced or given up"},
    {S::II, E::Fwd_GETS, {A::send_ACK}, S::II, "of a copy that was replaced or given up"},
    {S::II, E::Fwd_GET_INSTR, {A::send_ACK}, S::II, "of a copy that was replaced or given up"},
    {S::II, E::Ack, {A::count_ack}, S::II, "more is to come"},
    {S::II, E::Ack_all, {A::count_ack, A::deliver_parked, A::send_EXCLUSIVE_UNBLOCK}, S::I, "all copies are gone"},
    {S::II, E::WBorAtomic, {A::expect_acks, A::park}, S::II, "not complete before all copies are gone"},
    {S::II, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::I, "complete"},

    {S::SM, E::Load, {A::recycle}, S::SM, "others may still have the old value"},
    {S::SM, E::Ifetch, {A::recycle}, S::SM, "the line is busy"},
    {S::SM, E::Store, {A::recycle}, S::SM, "one store to a line at a time"},
    {S::SM, E::Atomic, {A::recycle}, S::SM, "one store to a line at a time"},
    {S::SM, E::Replacement, {A::recycle}, S::SM, "the line is busy"},
    {S::SM, E::Flush, {}, S::II, "the host may have written it"},
    {S::SM, E::Inv, {A::send_ACK}, S::II, "another write is served first: our copy lacks it"},
    {S::SM, E::Ack, {A::count_ack}, S::SM, "more is to come"},
    {S::SM, E::Ack_all, {A::count_ack, A::deliver_parked, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy"},
    {S::SM, E::WBorAtomic, {A::expect_acks, A::park}, S::SM, "not complete before the other copies are gone"},
    {S::SM, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy"},

    {S::MM, E::Load, {A::recycle}, S::MM, "a reader elsewhere may still be served with the old value"},
    {S::MM, E::Ifetch, {A::recycle}, S::MM, "the line is busy"},
    {S::MM, E::Store, {A::recycle}, S::MM, "one store to a line at a time"},
    {S::MM, E::Atomic, {A::recycle}, S::MM, "one store to a line at a time"},
    {S::MM, E::Replacement, {A::recycle}, S::MM, "the line is busy"},
    {S::MM, E::Flush, {}, S::II, "the host may have written it"},
    {S::MM, E::Inv, {A::send_ACK}, S::MMI, "the home wants its frame; our store is behind"},
    {S::MM, E::Fwd_GETX, {A::send_ACK}, S::MMI, "another write is served first: our copy lacks it"},
    {S::MM, E::Fwd_GETS, {A::send_ACK}, S::SINK, "a reader is served first; our store is behind"},
    {S::MM, E::Fwd_GET_INSTR, {A::send_ACK}, S::SINK, "a reader is served first; our store is behind"},
    {S::MM, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::M, "still the only copy"},

    {S::MMI, E::Load, {A::recycle}, S::MMI, "must read what our store wrote"},
    {S::MMI, E::Ifetch, {A::recycle}, S::MMI, "the line is busy"},
    {S::MMI, E::Store, {A::recycle}, S::MMI, "one store to a line at a time"},
    {S::MMI, E::Atomic, {A::recycle}, S::MMI, "one store to a line at a time"},
    {S::MMI, E::Replacement, {A::recycle}, S::MMI, "the line is busy"},
    {S::MMI, E::Flush, {}, S::MMI, "nothing is kept"},
    {S::MMI, E::Inv, {A::send_ACK}, S::MMI, "as the paper has it; the home has no reason to ask twice"},
    {S::MMI, E::Ack, {A::count_ack}, S::MMI, "more is to come"},
    {S::MMI, E::Ack_all, {A::count_ack, A::deliver_parked, A::send_EXCLUSIVE_UNBLOCK}, S::I, "all copies are gone"},
    {S::MMI, E::WBorAtomic, {A::expect_acks, A::park}, S::MMI, "not complete before all copies are gone"},
    {S::MMI, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::I, "complete"},

    {S::SINK, E::Load, {A::recycle}, S::SINK, "others may still have the old value"},
    {S::SINK, E::Ifetch, {A::recycle}, S::SINK, "the line is busy"},
    {S::SINK, E::Store, {A::recycle}, S::SINK, "one store to a line at a time"},
    {S::SINK, E::Atomic, {A::recycle}, S::SINK, "one store to a line at a time"},
    {S::SINK, E::Replacement, {A::recycle}, S::SINK, "the line is busy"},
    {S::SINK, E::Flush, {}, S::II, "the host may have written it"},
    {S::SINK, E::Inv, {A::send_ACK}, S::MMI, "another write is served first: our copy lacks it"},
    {S::SINK, E::Ack, {A::count_ack}, S::SINK, "more is to come"},
    {S::SINK, E::Ack_all, {A::count_ack, A::deliver_parked, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy again"},
    {S::SINK, E::WBorAtomic, {A::expect_acks, A::park}, S::SINK, "not complete before the readers' copies are gone"},
    {S::SINK, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy again"},
};

/// coherence.mesi.unblock_on_zero_ack = off: the home goes on at once when it had nothing to invalidate. So a forward
/// may overtake the reply: whoever was read or written after our store learns of it before the store's completion.
constexpr Row without_unblock[] = {
    {S::II, E::WBorAtomic_Done, G::no_acks, {A::deliver}, S::I, "the home has gone on"},
    {S::II, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::I, "complete"},
    {S::SM, E::Fwd_GETX, {A::send_ACK}, S::II, "our store is performed, and another one after it"},
    {S::SM, E::Fwd_GETS, {A::send_ACK}, S::SINK, "our store is performed, and read"},
    {S::SM, E::Fwd_GET_INSTR, {A::send_ACK}, S::SINK, "our store is performed, and read"},
    {S::SM, E::WBorAtomic_Done, G::no_acks, {A::deliver}, S::M, "the home has gone on"},
    {S::SM, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy"},
    {S::MM, E::WBorAtomic_Done, {A::deliver}, S::M, "the home has gone on"},
    {S::MMI, E::WBorAtomic_Done, G::no_acks, {A::deliver}, S::I, "the home has gone on"},
    {S::MMI, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::I, "complete"},
    {S::SINK, E::WBorAtomic_Done, G::no_acks, {A::deliver}, S::S, "the reader came after our store: both have a copy"},
    {S::SINK, E::WBorAtomic_Done, {A::expect_acks, A::deliver, A::send_EXCLUSIVE_UNBLOCK}, S::M, "the only copy again"},
};

class MesiL1Machine final : public Machine {
 public:
  using Machine::Machine;

  std::string_view broken(const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<S>(line.state)) {
      case S::IS:
      case S::IS_I:
      case S::MM:
        return line.acks == 0 ? "" : "an acknowledgement has been forgotten";
      case S::IS_A:
      case S::IS_I_A:
        return line.acks == 1 ? "" : "the old owner's acknowledgement is not what is missing";
      case S::IS_D:
      case S::IS_I_D:
        return line.acks == -1 ? "" : "the old owner's acknowledgement has not come";
      default:
        return {};
    }
  }

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<E>(at.event)) {
      case E::Load:
        if (stimulus.access.is_read_only) at.event = static_cast<Code>(E::Ifetch);
        break;
      case E::Data:
        if (line.acks + stimulus.acks == 0) at.event = static_cast<Code>(E::Data_all_Acks);
        break;
      case E::WBorAtomic:
        if (line.acks + stimulus.acks == 0) at.event = static_cast<Code>(E::WBorAtomic_Done);
        break;
      case E::Ack:
        if (line.acks == 1) at.event = static_cast<Code>(E::Ack_all);
        break;
      default:
        break;
    }
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    if (static_cast<G>(guard) == G::asked_before_flush) return line.unkept;
    return stimulus.acks == 0;
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta&) override {
    switch (static_cast<A>(action)) {
      case A::expect_acks:
        line.acks = static_cast<std::int16_t>(line.acks + stimulus.acks);
        break;
      case A::count_ack:
        --line.acks;
        break;
      case A::note_flush:
        line.unkept = true;
        break;
      case A::forget_flush:
        line.unkept = false;
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code, const Stimulus& stimulus, const LineMeta&, const NodeMeta&, Action& action) const override {
    if (stimulus.requester != home_itself) action.nodes.insert(stimulus.requester);
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table(const MesiSpec& spec) {
  auto base = make_table(vocabulary(), rows);
  if (spec.unblock_on_zero_ack) return base;
  return make_overlay(*base, vocabulary(), without_unblock);
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<MesiL1Machine>(std::move(table));
}

}  // namespace syncline::protocols::mesi
