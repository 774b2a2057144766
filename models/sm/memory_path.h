// The way from the load/store unit to the L1 and back: a table of memory instructions under way, a queue of those whose
// line accesses still have to leave, the chain of stages, the link. One line access leaves in a cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/growing_ring.h"
#include "base/ids.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/scope_reach.h"
#include "models/sm/seams/memory_stage.h"
#include "models/sm/sm_spec.h"
#include "models/transport/message_pool.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// What the owner of a memory path hears.
class MemoryPathOwner {
 public:
  virtual ~MemoryPathOwner() = default;
  /// All parts of `instruction` are answered; its values are in access.data. The entry is free afterwards.
  virtual void performed(MemoryInstruction& instruction, base::Cycle now) = 0;
  /// The L1 answered a control message with `tag`.
  virtual void control_answered(L1Kind kind, std::uint32_t tag, base::Cycle now) = 0;
  /// A line for the constant cache, of an access that was issued in cycle `issued`.
  virtual void constant_line(base::LineAddress line, const base::LineData& data, base::Cycle issued) = 0;
  /// All parts of an instruction that is `staged` are answered.
  virtual void parts_answered(MemoryInstruction& instruction, base::Cycle now) = 0;
  /// A reply with the tag of a request of a lane stage; false: no stage has sent one.
  virtual bool stage_answered(Message& reply, base::Cycle now) = 0;
  /// A line access of the instruction begins its way, and its answer has come: told after MemoryPath::follow.
  virtual void requested(const Message& request, const MemoryInstruction& instruction) = 0;
  virtual void completed(const Message& reply, const MemoryInstruction& instruction) = 0;
  /// There is something to do at `cycle`, said outside of `deliver` and `advance`.
  virtual void path_wakes(base::Cycle cycle) = 0;
};

class MemoryPath final : public MemoryChain {
 public:
  MemoryPath(const SmMemorySpec& spec, base::SmId sm, const ScopeReach& scopes, unsigned max_controls,
             MessagePool& pool, MessageInitiator& l1, std::vector<std::shared_ptr<MemoryStage>> stages,
             MemoryPathOwner& owner);

  /// An instruction can start: an entry of the table is free and the queue has room.
  bool has_room() const { return (free_ != nullptr || table_.size() < spec_.instructions) && queue_has_room(); }
  bool queue_has_room() const { return queued_instructions_ < spec_.queue; }
  /// The entry that the next instruction takes; the caller fills it in and either takes it or forgets it.
  MemoryInstruction& next_entry() {
    if (free_ == nullptr) add_entry();
    return *free_->instruction;
  }
  /// The instruction in the next entry is under way, until `finish`.
  void take(base::Cycle now);
  /// The parts of an instruction that is under way go their way; it is finished with the last of them, unless `staged`.
  void start(MemoryInstruction& instruction, base::Cycle now);
  void finish(MemoryInstruction& instruction, base::Cycle now);
  /// A control message takes its place behind everything that has started.
  void send_control(L1Kind kind, std::uint32_t tag, unsigned slot, isa::Semantics semantics, isa::Scope scope,
                    base::Cycle now);

  /// A reply arrives at `cycle` (L1 link).
  void reply_arrived(Message& reply, base::Cycle cycle) { add_reply(reply, stages_.size(), cycle); }
  void deliver(base::Cycle now);  ///< replies that are due
  void advance(base::Cycle now);  ///< one line access further
  /// Next cycle after `now` with something to do, or base::never.
  base::Cycle next_wake(base::Cycle now) const;

  /// The owner wants to hear of line accesses.
  void follow() { followed_ = true; }

  std::size_t under_way() const { return under_way_; }
  /// Calls `visit(instruction)` for each that has started and is not performed.
  template <class Visit>
  void for_each_under_way(Visit&& visit) {
    std::size_t left = under_way_;
    for (auto entry = table_.begin(); left != 0 && entry != table_.end(); ++entry) {
      if (!entry->instruction->under_way) continue;
      visit(*entry->instruction);
      --left;
    }
  }
  /// Instructions and control messages that have started so far: MemoryInstruction::order of the last one.
  std::uint64_t started() const { return started_; }
  /// Whether a store or atomic to global memory is under way among the first `order` that started.
  bool writes_up_to(std::uint64_t order) const;
  std::size_t queued() const { return queue_.size(); }
  std::vector<std::string> left_over() const;

  /// Tags of requests that lane stages send have this bit; no tag of an instruction has.
  static constexpr std::uint32_t stage_tag = 1U << 30;
  /// `request` of a lane stage goes before what waits in the queue.
  void send(Message& request);

  // MemoryChain
  Message& make_request(MessageClass message_class, L1Kind kind) override;
  void forward(const MemoryStage& stage, Message& request) override;
  void answer(const MemoryStage& stage, Message& reply, base::Cycle cycle) override;
  void remind(const MemoryStage& stage, Message& message, base::Cycle cycle) override {
    add_reply(message, index_of(stage) + 1, cycle);
  }
  void retry() override;

 private:
  struct Entry {
    std::unique_ptr<MemoryInstruction> instruction;
    Entry* next_free = nullptr;
  };
  struct Queued {
    MemoryInstruction* instruction = nullptr;  ///< or
    Message* control = nullptr;
    base::Cycle ready_at = 0;
  };
  struct Reply {
    base::Cycle cycle = 0;
    std::uint64_t order = 0;
    std::size_t stage = 0;  ///< it comes from below this stage
    Message* message = nullptr;
    friend bool operator<(const Reply& a, const Reply& b) {  // std::push_heap puts the greatest first
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order;
    }
  };
  struct Moving {
    Message* message = nullptr;
    std::size_t stage = 0;  ///< to be offered to; the number of stages: the link
    bool stuck = false;     ///< was refused there
    /// Nobody answers a prefetch: it is over when the last of its accesses, which is this one, has left.
    MemoryInstruction* prefetch = nullptr;
  };

  void add_entry();
  Message& message_of_part(MemoryInstruction& instruction, std::size_t part);
  void add_reply(Message& reply, std::size_t stage, base::Cycle cycle);
  void prefetch_asker(const Message& reply) const;
  bool can_try(const Moving& moving) const;
  bool move(Moving& moving, base::Cycle now);  ///< as far as it gets; false: stuck
  void moved(base::Cycle now);                 ///< what was moving has left
  void complete(Message& reply, base::Cycle now);
  std::size_t index_of(const MemoryStage& stage) const;

  SmMemorySpec spec_;
  base::SmId sm_;
  const ScopeReach scopes_;
  MessagePool& pool_;
  MessageInitiator& l1_;
  std::vector<std::shared_ptr<MemoryStage>> stages_;
  MemoryPathOwner& owner_;

  std::vector<Entry> table_;  ///< those that have been in use; few of a large table ever are
  Entry* free_ = nullptr;
  std::size_t under_way_ = 0;
  base::GrowingRing<Queued> queue_;
  std::size_t queued_instructions_ = 0;
  std::vector<Moving> injected_;  ///< from stages; first in, first out
  Moving moving_;                 ///< the access that the queue let go last, while it is stuck
  bool may_retry_ = false;
  bool followed_ = false;
  std::vector<Reply> replies_;  ///< a heap, earliest first
  std::uint64_t reply_order_ = 0;
  std::uint64_t started_ = 0;  ///< instructions and control messages
};

}  // namespace syncline::models
