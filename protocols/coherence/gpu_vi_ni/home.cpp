// The home of GPU-VIni (VI_wt_ni, L2 machine) as a difference to that of GPU-VI: the states with an entry in the
// directory and no data (_D), what leads there, and the directory's own replacements. The actions and guards are those
// of GPU-VI, so its machine performs them.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/gpu_vi_ni/gpu_vi_ni.h"

namespace syncline::protocols::gpu_vi_ni {
namespace {

using S = HomeState;
using E = HomeEvent;
using G = gpu_vi::HomeGuard;
using A = gpu_vi::HomeAction;

static_assert(static_cast<Code>(S::II) == static_cast<Code>(gpu_vi::HomeState::II));
static_assert(static_cast<Code>(E::Mem_Data) == static_cast<Code>(gpu_vi::HomeEvent::Mem_Data));

/// Behind those of GPU-VI.
constexpr StateName more_states[] = {{"S_D", true, "no L1 has a copy; the data is in memory"},
                                     {"SS_D", true, "the sharers may have copies; the data is in memory"},
                                     {"SDM", false, "a store waits for the other sharers and for memory"},
                                     {"SDMA", false, "an atomic waits for the other sharers and for memory"},
                                     {"IDM", false, "a store waits for memory; only the writer may have a copy"}};
constexpr EventName more_events[] = {
    {"Dir_Replacement", on::directory_replacement, "the entry in the directory is wanted for another line"}};
static_assert(names_from<S, static_cast<std::size_t>(S::II) + 1>(more_states) &&
              names_from<E, static_cast<std::size_t>(E::Mem_Data) + 1>(more_events));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "gpu_vi_ni";
  append(words.states, more_states);
  EventName& replacement = words.events[static_cast<Code>(E::L2_Replacement)];
  replacement = {enumerator<E::L2_Replacement>(), replacement.trigger, "the frame is wanted for another line"};
  append(words.events, more_events);
  words.actions.push_back(act::list());
  words.actions.push_back(act::unlist());
  return words;
}

constexpr Code list = static_cast<Code>(A::drop) + 1, unlist = list + 1;

constexpr Row rows[] = {
    {S::NP, E::Load, {list, A::allocate, A::park, A::add_sharer, A::fetch}, S::ISS, "miss"},
    {S::NP, E::Store, {list, A::allocate, A::park, A::fetch}, S::IM, "miss; nobody has a copy"},
    {S::NP, E::Atomic, {list, A::allocate, A::park, A::fetch}, S::IMA, "miss; nobody has a copy"},

    {S::S, E::L2_Replacement, G::dirty, {A::write_back, A::drop}, S::S_D, "write-back; the directory still knows it"},
    {S::S, E::L2_Replacement, {A::drop}, S::S_D, "memory has it; the directory still knows it"},
    {S::S, E::Dir_Replacement, G::dirty, {A::write_back, A::drop, unlist}, S::NP, "no data without an entry"},
    {S::S, E::Dir_Replacement, {A::drop, unlist}, S::NP, "no data without an entry; memory has it"},

    {S::SS, E::L2_Replacement, G::dirty, {A::write_back, A::drop}, S::SS_D, "not inclusive: the copies may stay"},
    {S::SS, E::L2_Replacement, {A::drop}, S::SS_D, "not inclusive: the copies may stay"},
    {S::SS,
     E::Dir_Replacement,
     G::dirty,
     {A::expect_all, A::recall, A::drop, unlist},
     S::MI,
     "nobody would know of the copies any more: recalled"},
    {S::SS,
     E::Dir_Replacement,
     {A::expect_all, A::recall, A::drop, unlist},
     S::II,
     "nobody would know of the copies any more: recalled"},

    {S::S_D, E::Load, {A::allocate, A::park, A::add_sharer, A::fetch}, S::ISS, "the data is in memory"},
    {S::S_D, E::Store, {A::allocate, A::park, A::fetch}, S::IM, "the data is in memory"},
    {S::S_D, E::Atomic, {A::allocate, A::park, A::fetch}, S::IMA, "the data is in memory"},
    {S::S_D, E::Dir_Replacement, {unlist}, S::NP, "nobody has a copy"},

    {S::SS_D,
     E::Load,
     {A::allocate, A::park, A::add_sharer, A::fetch},
     S::ISS,
     "the data is in memory; those who have copies keep them"},
    {S::SS_D,
     E::Store,
     G::others_share,
     {A::allocate, A::park, A::keep_writer, A::expect_others, A::invalidate_others, A::fetch},
     S::SDM,
     "the old copies go while memory is read"},
    {S::SS_D, E::Store, {A::allocate, A::park, A::fetch}, S::IDM, "only the writer has a copy, which it has updated"},
    {S::SS_D,
     E::Atomic,
     G::others_share,
     {A::allocate, A::park, A::expect_others, A::invalidate_others, A::fetch},
     S::SDMA,
     "the old copies go while memory is read"},
    {S::SS_D,
     E::Atomic,
     {A::allocate, A::park, A::clear_sharers, A::fetch},
     S::IMA,
     "the requester gave up its copy when it sent the atomic"},
    {S::SS_D, E::Dir_Replacement, {A::expect_all, A::recall, unlist}, S::II, "recalled; memory has it"},

    {S::SDM, E::Load, {A::stall}, S::SDM, "behind the store"},
    {S::SDM, E::Store, {A::stall}, S::SDM, "behind the store"},
    {S::SDM, E::Atomic, {A::stall}, S::SDM, "behind the store"},
    {S::SDM, E::L2_Replacement, {A::stall}, S::SDM, "the frame is reserved for the line on its way"},
    {S::SDM, E::Dir_Replacement, {A::stall}, S::SDM, "the store needs the entry"},
    {S::SDM, E::Inv_Ack, {A::count_ack}, S::SDM, "more to come"},
    {S::SDM, E::Inv_Ack_All, {A::count_ack, A::only_writer}, S::IDM, "memory is still to come"},
    {S::SDM, E::Mem_Data, {A::fill}, S::SM, "acknowledgements are still to come"},

    {S::SDMA, E::Load, {A::stall}, S::SDMA, "behind the atomic"},
    {S::SDMA, E::Store, {A::stall}, S::SDMA, "behind the atomic"},
    {S::SDMA, E::Atomic, {A::stall}, S::SDMA, "behind the atomic"},
    {S::SDMA, E::L2_Replacement, {A::stall}, S::SDMA, "the frame is reserved for the line on its way"},
    {S::SDMA, E::Dir_Replacement, {A::stall}, S::SDMA, "the atomic needs the entry"},
    {S::SDMA, E::Inv_Ack, {A::count_ack}, S::SDMA, "more to come"},
    {S::SDMA, E::Inv_Ack_All, {A::count_ack, A::clear_sharers}, S::IMA, "memory is still to come"},
    {S::SDMA, E::Mem_Data, {A::fill}, S::SMA, "acknowledgements are still to come"},

    {S::IDM, E::Load, {A::stall}, S::IDM, "behind the store"},
    {S::IDM, E::Store, {A::stall}, S::IDM, "behind the store"},
    {S::IDM, E::Atomic, {A::stall}, S::IDM, "behind the store"},
    {S::IDM, E::L2_Replacement, {A::stall}, S::IDM, "the frame is reserved for the line on its way"},
    {S::IDM, E::Dir_Replacement, {A::stall}, S::IDM, "the store needs the entry"},
    {S::IDM, E::Mem_Data, {A::fill, A::replay}, S::SS, "the store finds it, and no other sharer"},

    {S::ISS, E::Dir_Replacement, {A::stall}, S::ISS, "loads wait for the line"},
    {S::IM, E::Dir_Replacement, {A::stall}, S::IM, "a store waits for the line"},
    {S::IMA, E::Dir_Replacement, {A::stall}, S::IMA, "an atomic waits for the line"},
    {S::SM, E::Dir_Replacement, {A::stall}, S::SM, "the store needs the entry"},
    {S::SMA, E::Dir_Replacement, {A::stall}, S::SMA, "the atomic needs the entry"},
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  const auto base = gpu_vi::home_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

}  // namespace syncline::protocols::gpu_vi_ni
