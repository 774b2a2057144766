// What tc_strong and tc_weak share: words, and the machines that give them a meaning. Each enumeration begins with what
// the strong form has; what only the weak form has stands at the end, as an overlay's vocabulary wants it.
//
// One clock for all caches; its tick is a core cycle. A copy in an L1 is valid while the tick is not beyond the end of
// its lease, LineMeta::exp. The home's `exp` of a line is not before the end of any lease of it.
#pragma once

#include <memory>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/tc/tc_spec.h"

namespace syncline::protocols::tc {

enum class Message : std::uint8_t {
  GETS,
  WRITE,
  UPGRADE,
  ATOMIC,
  DATA,
  ACK,
  DATA_ATOMIC,
  ACK_GLOBAL,  // weak, from here
  DATA_GLOBAL
};

/// Message::stamps of these messages, ticks.
namespace stamp {
inline constexpr unsigned lease = 0;  ///< UPGRADE, replies: end of the L1's lease. GETS: of one that is over; 0: none
inline constexpr unsigned gwct = 1;   ///< replies of the weak form: the write is seen by all after this tick
}  // namespace stamp

enum class L1State : std::uint8_t { I, S, I_S, I_I, SM };
enum class L1Event : std::uint8_t {
  Load,
  Store,
  Atomic,
  Replacement,
  Flush,
  Data,
  Data_Done,
  Ack,
  Ack_Done,
  AtomData,
  AtomData_Done,
  Ack_Global,  // weak, from here
  Ack_Global_Done,
  Data_Global,
  Data_Global_Done
};
enum class L1Guard : std::uint8_t { no_read, read_is_newest, loads_may_be_late };
enum class L1Action : std::uint8_t {
  stall,
  allocate,
  park,
  count_read,
  join_read,
  count_write,
  uncount_read,
  uncount_write,
  outdate_read,
  send_GETS,
  forward_WRITE,
  forward_UPGRADE,
  forward_ATOMIC,
  hit,
  write,
  drop,
  fill,
  take_lease,
  answer_covered,
  replay,
  deliver,
  note_gwct  // weak, from here
};

enum class HomeState : std::uint8_t { NP, E, S, SS, IS, IM, IMA, MI };
enum class HomeEvent : std::uint8_t { GETS, Write, Upgrade_T, Upgrade_NT, Atomic, Replacement, Mem_Data, Expire };
enum class HomeGuard : std::uint8_t { dirty, awaited, leased, older_leases };  ///< the last two: weak
enum class HomeAction : std::uint8_t {
  stall,
  recycle,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  learn_load,
  learn_store,
  learn_eviction,
  await_leases,
  grant_lease,
  outdate_leases,
  send_DATA,
  send_ACK,
  send_DATA_ATOMIC,
  write_back,
  drop,
  wake_when_over,
  send_ACK_GLOBAL,  // weak, from here
  send_DATA_GLOBAL,
  cover_leases
};

/// Messages of the strong form; the weak one has two more.
std::vector<MessageKind> messages(bool weak);
/// Words of both machines under the name of the form.
Vocabulary l1_vocabulary(bool weak);
Vocabulary home_vocabulary(bool weak);

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const TcSpec& spec,
                                 const CoherenceContext& context);
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const TcSpec& spec,
                                   const CoherenceContext& context);

}  // namespace syncline::protocols::tc
