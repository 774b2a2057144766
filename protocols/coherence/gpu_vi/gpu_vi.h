// The policy `gpu_vi`: GPU-VI, a write-through invalidation protocol without write-allocation. A store or an atomic is
// performed at the home, which first invalidates the copies of all other L1s and collects their acknowledgements, so
// every write is seen by all at once. The home is inclusive: what leaves it is recalled.
//
// Sources: Singh et al., "Cache Coherence for GPU Architectures", HPCA 2013 (GPU-VI); RCC, chapter 3 (as a baseline);
// the tables are those of the simulator that the RCC authors released (VI_wt), in this project's words.
#pragma once

#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

/// States, events and messages are public: tests and the non-inclusive variant name them.
namespace gpu_vi {

enum class Message : std::uint8_t { GETS, GETU, WB_Data, ATOMIC, DATA, DATA_U, ACK, DATA_ATOMIC, Inv, Inv_Ack };

enum class L1State : std::uint8_t { I, S, I_S, S_M, I_I };
enum class L1Event : std::uint8_t {
  Load,
  Store,
  Atomic,
  Inv,
  Replacement,
  Flush,
  Data,
  Data_Done,
  Data_U,
  Data_U_Done,
  Ack,
  Ack_Done
};

enum class HomeState : std::uint8_t { NP, S, SS, ISS, IM, IMA, SM, SMA, MI, II };
enum class HomeEvent : std::uint8_t { Load, Store, Atomic, Inv_Ack, Inv_Ack_All, Replacement, Mem_Data };
enum class HomeGuard : std::uint8_t { others_share, dirty };
enum class HomeAction : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  add_sharer,
  keep_writer,
  only_writer,
  clear_sharers,
  expect_others,
  expect_all,
  count_ack,
  send_DATA,
  send_ACK,
  send_DATA_ATOMIC,
  invalidate_others,
  recall,
  write_back,
  drop
};

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table();
std::shared_ptr<const TransitionTable> home_table();
std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table);
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table);

}  // namespace gpu_vi

CoherencePolicy make_gpu_vi();

}  // namespace syncline::protocols
