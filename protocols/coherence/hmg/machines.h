// The machines of HMG. States, events and messages are public: tests name them.
#pragma once

#include "protocols/coherence/hmg/hmg.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::hmg {

/// Those of nhcc::Message and, behind them, what modules of a GPU are asked.
enum class Message : std::uint8_t {
  GETS,
  GETU,
  WRITE,
  ATOMIC,
  DATA,
  DATA_U,
  ACK,
  ATOMIC_DATA,
  FENCE,
  FENCED,
  INV,
  ASK,
  MARK,
  MARK_ACK,
  ASK_ACK,
  ASK_STORED,
  STORED
};

/// Those of nhcc::HomeEvent and, behind them, the steps of releases by scope.
enum class HomeEvent : std::uint8_t {
  Load,
  Store,
  Atomic,
  Replacement,
  Mem_Data,
  Remote_Load,
  Remote_Store,
  Remote_Atomic,
  Dir_Replacement,
  Fence,
  Ask,
  Mark,
  Mark_Ack,
  Mark_Ack_Last,
  Answer,
  Answer_Last,
  Fence_System,
  Mark_System,
  Ask_Stored,
  Stored,
  Stored_Last,
  Answer_Last_System
};

/// Those of nhcc::GpmEvent, of L1s of the module itself, and behind them what only the home of a GPU meets.
enum class GpuHomeEvent : std::uint8_t {
  Gets,
  Getu,
  Getu_Wide,
  Write,
  Atomic,
  Replacement,
  Data,
  Data_U,
  Ack,
  Atomic_Data,
  Inv,
  Remote_Gets,
  Remote_Write,
  Remote_Atomic,
  Atomic_Wide,
  Dir_Replacement,
  Ack_Last
};

/// Those of nhcc::GpmAction, and behind them those of a home.
enum class GpuHomeAction : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  send_DATA,
  relay_DATA_U,
  relay_ACK,
  relay_ATOMIC_DATA,
  write,
  fill,
  replay,
  drop,
  list,
  unlist,
  add_sharer,
  only_sender,
  clear_sharers,
  invalidate_others,
  invalidate_sharers,
  send_ACK,
  send_ATOMIC_DATA,
  pass_WRITE,
  count_store,
  count_stored,
  send_STORED,
  forget_askers
};

class GpuHomeMachine : public nhcc::GpmMachine {
 public:
  using GpmMachine::GpmMachine;

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override;
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override;
};

/// Places in NodeMeta::fences and its markings, and the stamp by which messages say which of them they are about.
inline constexpr unsigned of_gpu = 0, of_system = 1, release_stamp = 0;

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> gpu_home_table();
std::shared_ptr<const TransitionTable> home_table();
std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table);
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid);

}  // namespace syncline::protocols::hmg
