// The home of TC-Weak (HPCA 2013, section 5; cachelease3, L2 machine), as a difference from TC-Strong's: no request
// waits for a lease. The reply to a write tells when the leases on older bytes are over, and so does the miss register
// of a line that was evicted under a lease.
//
// A writer whose copy is current gets the plain ACK only when no older lease lasts. The published table gives it always
// in S: the leases that the first store of an L1 met would then be unknown to another warp of that L1 which stores
// while they last.
#include "protocols/coherence/tc_strong/tc_strong.h"
#include "protocols/coherence/tc_weak/tc_weak.h"

namespace syncline::protocols::tc_weak {
namespace {

using S = tc::HomeState;
using E = tc::HomeEvent;
using G = tc::HomeGuard;
using A = tc::HomeAction;

constexpr Row rows[] = {
    {S::S,
     E::Write,
     {A::learn_store, A::cover_leases, A::write, A::send_ACK_GLOBAL, A::outdate_leases},
     S::S,
     "the holder of the lease may read older bytes until it is over"},
    {S::S,
     E::Upgrade_T,
     G::older_leases,
     {A::write, A::send_ACK_GLOBAL, A::outdate_leases},
     S::S,
     "the writer's copy is current; leases from before an earlier store last"},
    {S::S,
     E::Upgrade_T,
     {A::write, A::send_ACK, A::outdate_leases},
     S::S,
     "the only lease is the writer's own, which goes on a little longer"},
    {S::S,
     E::Upgrade_NT,
     {A::learn_store, A::cover_leases, A::write, A::send_DATA_GLOBAL, A::outdate_leases},
     S::S,
     "the writer's copy lacks what others wrote"},
    {S::S,
     E::Atomic,
     {A::learn_store, A::cover_leases, A::write, A::send_DATA_ATOMIC, A::outdate_leases},
     S::S,
     "the holder of the lease may read older bytes until it is over"},

    {S::SS,
     E::Write,
     {A::learn_store, A::cover_leases, A::write, A::send_ACK_GLOBAL, A::outdate_leases},
     S::S,
     "all leases are on older bytes now"},
    {S::SS,
     E::Upgrade_T,
     {A::learn_store, A::cover_leases, A::write, A::send_ACK_GLOBAL, A::outdate_leases},
     S::S,
     "the writer's copy is the only current one"},
    {S::SS,
     E::Upgrade_NT,
     {A::learn_store, A::cover_leases, A::write, A::send_DATA_GLOBAL, A::outdate_leases},
     S::S,
     "only the writer gets a current copy"},
    {S::SS,
     E::Atomic,
     {A::learn_store, A::cover_leases, A::write, A::send_DATA_ATOMIC, A::outdate_leases},
     S::S,
     "all leases are on older bytes now"},

    {S::IS, E::Mem_Data, {A::fill, A::replay}, S::SS, "leases from before an eviction may last"},
    {S::IM, E::Mem_Data, {A::fill, A::replay}, S::SS, "leases from before an eviction may last"},
    {S::IMA, E::Mem_Data, {A::fill, A::replay}, S::SS, "leases from before an eviction may last"},

    {S::MI, E::GETS, {A::allocate, A::park, A::fetch}, S::IS, "back from memory, with the end of its leases"},
    {S::MI, E::Write, {A::allocate, A::park, A::fetch}, S::IM, "back from memory, with the end of its leases"},
    {S::MI, E::Upgrade_NT, {A::allocate, A::park, A::fetch}, S::IM, "back from memory, with the end of its leases"},
    {S::MI, E::Atomic, {A::allocate, A::park, A::fetch}, S::IMA, "back from memory, with the end of its leases"},
    {S::MI, E::Expire, G::leased, {}, S::MI, "of an earlier eviction: the leases of this one last"},
    {S::MI, E::Expire, {}, S::NP, "nothing has to be remembered any more"},

    {S::NP, E::Expire, {}, S::NP, "of an eviction that was undone: the line has come and gone since"},
    {S::E, E::Expire, {}, S::E, "of an eviction that was undone"},
    {S::S, E::Expire, {}, S::S, "of an eviction that was undone"},
    {S::SS, E::Expire, {}, S::SS, "of an eviction that was undone"},
    {S::IS, E::Expire, {}, S::IS, "of an eviction that was undone"},
    {S::IM, E::Expire, {}, S::IM, "of an eviction that was undone"},
    {S::IMA, E::Expire, {}, S::IMA, "of an eviction that was undone"},
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  return make_overlay(*tc_strong::home_table(), tc::home_vocabulary(true), rows);
}

}  // namespace syncline::protocols::tc_weak
