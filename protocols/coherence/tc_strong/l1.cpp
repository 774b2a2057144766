// The L1 of TC-Strong (HPCA 2013, section 4; cachelease2, L1 machine). A line with a store under way serves no load
// from its copy, or the SM would see the store before all others do.
#include "protocols/coherence/tc_strong/tc_strong.h"

namespace syncline::protocols::tc_strong {
namespace {

using S = tc::L1State;
using E = tc::L1Event;
using G = tc::L1Guard;
using A = tc::L1Action;

constexpr Row rows[] = {
    {S::I, E::Load, {A::allocate, A::park, A::send_GETS, A::count_read}, S::I_S, "a miss fetches the line and a lease"},
    {S::I, E::Store, {A::count_write, A::forward_WRITE}, S::I_I, "write-through, no write-allocate"},
    {S::I, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "atomics are performed at the home"},
    {S::I, E::Replacement, {A::drop}, S::I, "a copy whose lease is over"},
    {S::I, E::Flush, {A::drop}, S::I, "a copy whose lease is over"},

    {S::S, E::Load, {A::hit}, S::S, "nobody's store is performed while the lease lasts"},
    {S::S, E::Store, {A::write, A::count_write, A::forward_UPGRADE}, S::SM, "current again once the home has it"},
    {S::S, E::Atomic, {A::count_write, A::forward_ATOMIC}, S::I_I, "the new value exists at the home only"},
    {S::S, E::Replacement, {A::drop}, S::I, "write-through: nothing to save; the lease ends by itself"},
    {S::S, E::Flush, {A::drop}, S::I, "may lack what the host wrote between grids"},

    {S::I_S, E::Load, {A::park, A::join_read}, S::I_S, "merged with the GETS that is on its way"},
    {S::I_S, E::Store, G::loads_may_be_late, {A::stall}, S::I_S, "a load that came before may have to ask again"},
    {S::I_S, E::Store, {A::count_write, A::outdate_read, A::forward_WRITE}, S::I_I, "the line on its way lacks it"},
    {S::I_S, E::Atomic, G::loads_may_be_late, {A::stall}, S::I_S, "a load that came before may have to ask again"},
    {S::I_S, E::Atomic, {A::count_write, A::outdate_read, A::forward_ATOMIC}, S::I_I, "the line on its way lacks it"},
    {S::I_S, E::Replacement, {A::stall}, S::I_S, "the frame is reserved for the line on its way"},
    {S::I_S, E::Flush, {A::outdate_read}, S::I_I, "a prefetch may have read memory before the host wrote it"},
    {S::I_S,
     E::Data_Done,
     {A::uncount_read, A::fill, A::take_lease, A::answer_covered, A::replay},
     S::S,
     "the miss is done"},

    {S::I_I, E::Load, G::no_read, {A::park, A::send_GETS, A::count_read}, S::I_I, "ordered behind the writes"},
    {S::I_I, E::Load, G::read_is_newest, {A::park, A::join_read}, S::I_I, "merged with the GETS that is on its way"},
    {S::I_I, E::Load, {A::stall}, S::I_I, "a write of this L1 is newer than what the GETS brings (read, write, read)"},
    {S::I_I, E::Store, G::loads_may_be_late, {A::stall}, S::I_I, "a load that came before may have to ask again"},
    {S::I_I, E::Store, {A::count_write, A::outdate_read, A::forward_WRITE}, S::I_I, "ordered behind what was sent"},
    {S::I_I, E::Atomic, G::loads_may_be_late, {A::stall}, S::I_I, "a load that came before may have to ask again"},
    {S::I_I, E::Atomic, {A::count_write, A::outdate_read, A::forward_ATOMIC}, S::I_I, "ordered behind what was sent"},
    {S::I_I, E::Replacement, {A::stall}, S::I_I, "until nothing is on its way"},
    {S::I_I, E::Flush, {A::outdate_read}, S::I_I, "nothing will be kept"},
    {S::I_I, E::Data, {A::uncount_read, A::answer_covered, A::replay}, S::I_I, "serves its loads, and is not kept"},
    {S::I_I,
     E::Data_Done,
     {A::uncount_read, A::answer_covered, A::replay, A::drop},
     S::I,
     "serves its loads, and is not kept"},
    {S::I_I, E::Ack, {A::uncount_write, A::deliver}, S::I_I, "more is on its way"},
    {S::I_I, E::Ack_Done, {A::uncount_write, A::deliver, A::drop}, S::I, "nothing is on its way any more"},
    {S::I_I, E::AtomData, {A::uncount_write, A::deliver}, S::I_I, "more is on its way"},
    {S::I_I, E::AtomData_Done, {A::uncount_write, A::deliver, A::drop}, S::I, "nothing is on its way any more"},

    {S::SM, E::Load, G::no_read, {A::park, A::send_GETS, A::count_read}, S::SM, "others must see the store first"},
    {S::SM, E::Load, G::read_is_newest, {A::park, A::join_read}, S::SM, "merged with the GETS that is on its way"},
    {S::SM, E::Load, {A::stall}, S::SM, "a store of this L1 is newer than what the GETS brings (read, write, read)"},
    {S::SM, E::Store, G::loads_may_be_late, {A::stall}, S::SM, "a load that came before may have to ask again"},
    {S::SM,
     E::Store,
     {A::write, A::count_write, A::outdate_read, A::forward_UPGRADE},
     S::SM,
     "the home keeps the order of the stores"},
    {S::SM, E::Atomic, G::loads_may_be_late, {A::stall}, S::SM, "a load that came before may have to ask again"},
    {S::SM,
     E::Atomic,
     {A::count_write, A::outdate_read, A::forward_ATOMIC},
     S::I_I,
     "the new value is at the home only"},
    {S::SM, E::Replacement, {A::stall}, S::SM, "will be valid again"},
    {S::SM, E::Flush, {A::outdate_read}, S::I_I, "may lack what the host wrote between grids"},
    {S::SM,
     E::Data,
     {A::uncount_read, A::answer_covered, A::replay},
     S::SM,
     "serves its loads; stores are on their way"},
    {S::SM,
     E::Data_Done,
     {A::uncount_read, A::fill, A::take_lease, A::answer_covered, A::replay},
     S::S,
     "behind all stores: has them all"},
    {S::SM, E::Ack, {A::uncount_write, A::take_lease, A::deliver}, S::SM, "the copy is as current as the home's lease"},
    {S::SM, E::Ack_Done, {A::uncount_write, A::take_lease, A::deliver}, S::S, "the copy has all stores"},
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table() {
  return make_table(tc::l1_vocabulary(false), rows);
}

}  // namespace syncline::protocols::tc_strong
