// The home of TC-Strong (HPCA 2013, section 4; cachelease2, L2 machine). Who must wait for a lease waits at the head of
// the queue of requests, with all behind it: the price of leases that later protocols attack. A line that is evicted
// under a lease holds a miss register (MI) until the lease is over.
//
// The form whose writes are recycled (cachelease2oo, the baseline of the RCC thesis) is a difference: such a write goes
// to the back of the queue, and from then on leases on its line end no later than those that it waits for.
#include "protocols/coherence/tc_strong/tc_strong.h"

namespace syncline::protocols::tc_strong {
namespace {

using S = tc::HomeState;
using E = tc::HomeEvent;
using G = tc::HomeGuard;
using A = tc::HomeAction;

constexpr Row rows[] = {
    {S::NP, E::GETS, {A::allocate, A::park, A::fetch}, S::IS, "miss"},
    {S::NP, E::Write, {A::allocate, A::park, A::fetch}, S::IM, "write-allocate"},
    {S::NP, E::Upgrade_NT, {A::allocate, A::park, A::fetch}, S::IM, "its lease is over: only then a line leaves"},
    {S::NP, E::Atomic, {A::allocate, A::park, A::fetch}, S::IMA, "the old value is needed"},

    {S::E, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::S, "the first lease"},
    {S::E, E::Write, {A::learn_store, A::write, A::send_ACK, A::outdate_leases}, S::S, "nobody can read older bytes"},
    {S::E,
     E::Upgrade_NT,
     {A::learn_store, A::write, A::send_ACK, A::outdate_leases},
     S::S,
     "nobody can read older bytes, nor does the writer's copy last"},
    {S::E,
     E::Atomic,
     {A::learn_store, A::write, A::send_DATA_ATOMIC, A::outdate_leases},
     S::S,
     "nobody can read older bytes"},
    {S::E, E::Replacement, G::dirty, {A::write_back, A::drop}, S::NP, "write-back"},
    {S::E, E::Replacement, {A::drop}, S::NP, "memory has it"},

    {S::S, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::SS, "another lease"},
    {S::S, E::Write, {A::stall}, S::S, "until the lease is over"},
    {S::S,
     E::Upgrade_T,
     {A::write, A::send_ACK, A::outdate_leases},
     S::S,
     "the only lease is the writer's own, which goes on a little longer"},
    {S::S, E::Upgrade_NT, {A::stall}, S::S, "until the lease is over"},
    {S::S, E::Atomic, {A::stall}, S::S, "until the lease is over"},
    {S::S,
     E::Replacement,
     G::dirty,
     {A::learn_eviction, A::write_back, A::drop, A::wake_when_over},
     S::MI,
     "the lease must not be forgotten"},
    {S::S, E::Replacement, {A::learn_eviction, A::drop, A::wake_when_over}, S::MI, "the lease must not be forgotten"},

    {S::SS, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::SS, "another lease"},
    {S::SS, E::Write, {A::stall}, S::SS, "until all leases are over"},
    {S::SS, E::Upgrade_T, {A::stall}, S::SS, "until all leases are over: other L1s have some"},
    {S::SS, E::Upgrade_NT, {A::stall}, S::SS, "until all leases are over"},
    {S::SS, E::Atomic, {A::stall}, S::SS, "until all leases are over"},
    {S::SS,
     E::Replacement,
     G::dirty,
     {A::learn_eviction, A::write_back, A::drop, A::wake_when_over},
     S::MI,
     "the leases must not be forgotten"},
    {S::SS, E::Replacement, {A::learn_eviction, A::drop, A::wake_when_over}, S::MI, "the leases must not be forgotten"},

    {S::IS, E::GETS, {A::park}, S::IS, "merged"},
    {S::IS, E::Write, {A::stall}, S::IS, "behind the loads that wait"},
    {S::IS, E::Upgrade_NT, {A::stall}, S::IS, "behind the loads that wait"},
    {S::IS, E::Atomic, {A::stall}, S::IS, "behind the loads that wait"},
    {S::IS, E::Replacement, {A::stall}, S::IS, "the frame is reserved for the line on its way"},
    {S::IS, E::Mem_Data, {A::fill, A::replay}, S::E, "the loads find it, and are granted leases as they come"},

    {S::IM, E::GETS, {A::stall}, S::IM, "behind the store that waits"},
    {S::IM, E::Write, {A::stall}, S::IM, "behind the store that waits"},
    {S::IM, E::Upgrade_NT, {A::stall}, S::IM, "behind the store that waits"},
    {S::IM, E::Atomic, {A::stall}, S::IM, "behind the store that waits"},
    {S::IM, E::Replacement, {A::stall}, S::IM, "the frame is reserved for the line on its way"},
    {S::IM, E::Mem_Data, {A::fill, A::replay}, S::E, "the store finds it without leases"},

    {S::IMA, E::GETS, {A::stall}, S::IMA, "behind the atomic that waits"},
    {S::IMA, E::Write, {A::stall}, S::IMA, "behind the atomic that waits"},
    {S::IMA, E::Upgrade_NT, {A::stall}, S::IMA, "behind the atomic that waits"},
    {S::IMA, E::Atomic, {A::stall}, S::IMA, "behind the atomic that waits"},
    {S::IMA, E::Replacement, {A::stall}, S::IMA, "the frame is reserved for the line on its way"},
    {S::IMA, E::Mem_Data, {A::fill, A::replay}, S::E, "the atomic finds it without leases"},

    {S::MI, E::GETS, {A::stall}, S::MI, "until the leases are over"},
    {S::MI, E::Write, {A::stall}, S::MI, "until the leases are over"},
    {S::MI, E::Upgrade_NT, {A::stall}, S::MI, "until the leases are over"},
    {S::MI, E::Atomic, {A::stall}, S::MI, "until the leases are over"},
    {S::MI, E::Expire, {}, S::NP, "nothing has to be remembered any more"},
};

constexpr Row recycling_rows[] = {
    {S::E, E::GETS, G::awaited, {A::recycle}, S::E, "the write that waited for the leases comes first"},
    {S::E, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::S, "the first lease"},

    {S::S, E::GETS, G::awaited, {A::learn_load, A::send_DATA}, S::SS, "a lease that ends with the one before"},
    {S::S, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::SS, "another lease"},
    {S::S, E::Write, {A::await_leases, A::recycle}, S::S, "until the lease is over"},
    {S::S, E::Upgrade_NT, {A::await_leases, A::recycle}, S::S, "until the lease is over"},
    {S::S, E::Atomic, {A::await_leases, A::recycle}, S::S, "until the lease is over"},

    {S::SS, E::GETS, G::awaited, {A::learn_load, A::send_DATA}, S::SS, "a lease that ends with those before"},
    {S::SS, E::GETS, {A::learn_load, A::grant_lease, A::send_DATA}, S::SS, "another lease"},
    {S::SS, E::Write, {A::await_leases, A::recycle}, S::SS, "until all leases are over"},
    {S::SS, E::Upgrade_T, {A::await_leases, A::recycle}, S::SS, "until all leases are over: other L1s have some"},
    {S::SS, E::Upgrade_NT, {A::await_leases, A::recycle}, S::SS, "until all leases are over"},
    {S::SS, E::Atomic, {A::await_leases, A::recycle}, S::SS, "until all leases are over"},
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table(bool recycles) {
  auto table = make_table(tc::home_vocabulary(false), rows);
  return recycles ? make_overlay(*table, tc::home_vocabulary(false), recycling_rows) : table;
}

}  // namespace syncline::protocols::tc_strong
