// The policy `mesi`: a directory protocol as the baseline of the RCC evaluation has it (Ren, thesis ch. 3, tables 3.3
// and 3.5: "MESI", 16 and 15 states, 5 virtual networks). It is the two-level MESI protocol with a directory in the
// tags of an inclusive L2, changed to a GPU's L1: writes go through and allocate nothing, atomics are done at the L2.
// The L1 that writes collects the acknowledgements of the copies itself and tells the home when it is done; until then
// the home serves nobody else that line.
//
// Differences from the published tables, with the reasons:
// - A store is complete when the L2 has performed it, also one from E or M. The released simulator completes it at
// once;
//   but the owner's bytes are then still on their way while a reader is served by the L2, and two processors can each
//   miss the other's store (store buffering), which sequential consistency forbids.
// - An atomic gives up the L1's copy (it ends in I, through II). The reply has the old values only, and an L1 cannot
//   compute the new ones.
// - Loads that find their line on its way are merged (the L1's front end does that in the released simulator).
// - GET_INSTR asks for lines that the program promises not to write: constants and ld.global.nc.
// - A request that waited for memory is presented again once the line is there, so the home passes through M (SS) for a
//   moment where the tables go from ISS and IM (IS) to the next state at once.
#pragma once

#include "base/fields.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

/// The keys `coherence.mesi.*`.
struct MesiSpec {
  bool unblock_on_zero_ack = true;
  std::uint32_t recycle_cycles = 10;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field(
        "unblock_on_zero_ack", unblock_on_zero_ack,
        param::flag("a store for which no copy was invalidated blocks its line at the home until the writer has the "
                    "reply, as all others do",
                    "RCC's released MESI_CMP_directory_wt; off: its variant wt2"));
    v.field("recycle_cycles", recycle_cycles,
            param::latency("core",
                           "penalty of a request that finds its line busy and goes to the back of its queue; 0: it "
                           "waits at the head",
                           "RCC's released simulator"));
  }
};

/// States, events and messages are public: tests name them.
namespace mesi {

enum class Message : std::uint8_t {
  GETS,
  GET_INSTR,
  GETX,
  GETX_ATOMIC,
  INV,
  FWD_GETS,
  FWD_GET_INSTR,
  FWD_GETX,
  DATA,
  DATA_EXCLUSIVE,
  WB,
  ATOMIC,
  ACK,
  UNBLOCK,
  EXCLUSIVE_UNBLOCK
};

enum class L1State : std::uint8_t { NP, I, S, E, M, IS, II, SM, IS_I, MM, MMI, SINK, IS_A, IS_D, IS_I_A, IS_I_D };
enum class L1Event : std::uint8_t {
  Load,
  Ifetch,
  Store,
  Atomic,
  Replacement,
  Flush,
  Inv,
  Fwd_GETX,
  Fwd_GETS,
  Fwd_GET_INSTR,
  Data,
  Data_all_Acks,
  Data_Exclusive,
  Ack,
  Ack_all,
  WBorAtomic,
  WBorAtomic_Done
};

enum class HomeState : std::uint8_t { NP, SS, M, MT, ISS, IS, IM, SS_MB, MT_MB, M_MB, MT_SB, MT_I, MCT_I, I_I, S_I };
enum class HomeEvent : std::uint8_t {
  GETS,
  GET_INSTR,
  GETX_L1,
  GETX_NL1,
  Replacement,
  Replacement_clean,
  Mem_Data,
  Ack,
  Ack_all,
  Unblock,
  Exclusive_Unblock
};

/// The requester of an invalidation that the home needs for itself: its acknowledgement goes to the home.
inline constexpr std::uint16_t home_itself = 0xffff;

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table(const MesiSpec& spec);
std::shared_ptr<const TransitionTable> home_table(const MesiSpec& spec);
std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table);
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table);
/// Makes of `mesi` the policy `name`: the same rows over the same messages, which `messages` idealises.
void idealise(CoherencePolicy& policy, std::string_view name, std::vector<MessageKind> messages);

}  // namespace mesi

CoherencePolicy make_mesi(const MesiSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
