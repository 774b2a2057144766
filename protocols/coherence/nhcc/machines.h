// The machines of NHCC. States, events and messages are public: tests and the policies that differ from this one name
// them.
#pragma once

#include <optional>
#include <utility>

#include "protocols/coherence/nhcc/nhcc.h"
#include "protocols/coherence/none/none.h"

namespace syncline::protocols {

namespace nhcc {

/// Those of none::Message and, behind them, what only modules say to each other.
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
  ASK_ACK
};

/// Those of none::L1Event and, behind them, fences.
enum class L1Event : std::uint8_t {
  Load,
  Load_Around,
  Store,
  Store_Private,
  Atomic,
  Replacement,
  Flush,
  Data,
  Reply,
  Fence,
  Fenced
};

/// Those of none::L1Action without what only write-back has, and behind them those of fences.
enum class L1Action : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  deliver,
  begin,
  end,
  forward_FENCE
};

/// From which scope on a fence asks the L2 about what it releases, and what it acquires; none: it never does.
struct FenceAsks {
  std::optional<Scope> releases = Scope::gpu, acquires;
};

class L1Machine : public none::L1Machine {
 public:
  L1Machine(std::shared_ptr<const TransitionTable> table, const FenceAsks& asks)
      : none::L1Machine(std::move(table), {}), asks_(asks) {}
  FenceOutcome fence(const Stimulus& stimulus, NodeMeta& node) override;

 protected:
  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override;

 private:
  FenceAsks asks_;
};

enum class GpmState : std::uint8_t { I, V, IV };
enum class GpmEvent : std::uint8_t {
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
  Inv
};
enum class GpmAction : std::uint8_t {
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
  drop
};

class GpmMachine : public Machine {
 public:
  using Machine::Machine;

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override;
};

/// Those of none::HomeEvent, of L1s of the home's own module, and behind them what other modules want.
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
  Answer_Last
};

/// Those of none::HomeAction, and behind them those for other modules.
enum class HomeAction : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  send_DATA,
  send_ACK,
  send_ATOMIC_DATA,
  write_back,
  drop,
  list,
  unlist,
  add_sharer,
  only_sender,
  clear_sharers,
  invalidate_others,
  invalidate_sharers,
  begin,
  join,
  next_turn,
  end,
  count_answer,
  send_ASK,
  send_FENCED,
  note_asker,
  note_later,
  next_askers,
  forget_askers,
  mark,
  count_mark,
  send_MARK,
  send_MARK_ACK,
  send_ASK_ACK,
  answer_askers
};
enum class HomeGuard : std::uint8_t {
  covered,
  completes,
  dirty,
  asks,
  others_wait,
  marks_all,
  marks,
  unmarked,
  others_ask
};

class HomeMachine : public none::HomeMachine {
 public:
  HomeMachine(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid)
      : none::HomeMachine(std::move(table)), grid_(grid) {}

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override;
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override;

  /// Which of NodeMeta::fences the stimulus is about.
  virtual unsigned track(const Stimulus&) const { return 0; }
  /// Which of NodeMeta::markings it is about.
  virtual unsigned marking(const Stimulus&) const { return 0; }
  /// The homes that a release of this module asks, this one among them.
  virtual NodeSet asked(const Stimulus& stimulus) const;
  /// These modules are sent an invalidation, bit n: module n.
  virtual void note_told(std::uint64_t told, const Stimulus& stimulus, NodeMeta& node) const;
  ModuleGrid grid_;
};

/// What all policies of several modules have in common, with the messages of this one.
CoherencePolicy of_modules(std::string_view name, const NhccSpec& spec, const CoherenceContext& context);
/// `none`, with nothing written back.
NoneSpec written_through();
std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table();
/// The GPM's table without invalidations: a cache whose copies somebody else keeps.
std::shared_ptr<const TransitionTable> gpm_cache_table();
std::shared_ptr<const TransitionTable> gpm_table();
std::shared_ptr<const TransitionTable> home_table();

}  // namespace nhcc

}  // namespace syncline::protocols
