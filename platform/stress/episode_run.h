// Runs an episode on real caches and records what every access returned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "platform/stress/core.h"
#include "platform/stress/episode.h"
#include "platform/stress/memory_system.h"

namespace syncline::stress {

using LineWords = std::array<std::uint32_t, words_per_line>;

/// What an operation returned. `completed` counts completions of the whole episode, from 1; 0: it did not end.
struct OpResult {
  std::uint64_t completed = 0;
  std::uint32_t first = 0;  ///< place in Record::values: one for each word of a load or of an add that returns values
};

struct Record {
  bool finished = false;
  std::vector<std::string> faults;             ///< replies of the wrong kind, and who waits when it did not finish
  std::vector<LineWords> initial, final;       ///< by line: what the homes hold before and after
  std::vector<std::vector<OpResult>> results;  ///< by thread and operation
  std::vector<std::uint32_t> values;
};

/// The cores in front of a memory system. Only one may exist for it.
class EpisodeRunner : public sc_core::sc_module {
 public:
  EpisodeRunner(const sc_core::sc_module_name& name, models::PlatformContext& context, MemorySystem& system);

  /// Every L1 is told that a grid begins, then the threads run. A model's error is thrown as what it was.
  Record run(const Episode& episode);

 private:
  struct Warp {
    std::size_t next = 0;
    unsigned in_flight = 0;
    bool holds_back = false;      ///< an acquire, a fence or a lock has not ended
    std::uint64_t issued_ps = 0;  ///< the last one, counted from the episode's start, as is the next
    std::uint64_t retry_ps = 0;   ///< a lock that was held is tried again
  };

  bool wait_until_idle();  ///< false: nothing completes any more
  void begin_grid(Core& core);
  void end_grid();
  isa::Scope widest_scope() const;
  void issue();
  bool may_issue(unsigned thread) const;
  void issue_next(unsigned thread);
  void send_load(unsigned thread, std::size_t op);
  void send_store(unsigned thread, std::size_t op);
  void send_add(unsigned thread, std::size_t op);
  void send_fence(unsigned thread, std::size_t op);
  void try_lock(unsigned thread, std::size_t op);
  models::Message& request(unsigned thread, const Op& op, models::MessageClass message_class);
  void send(unsigned thread, std::size_t op, models::Message& message);
  void complete(unsigned thread, std::size_t op, models::Message& reply);
  std::uint64_t address(unsigned line) const { return episode_->lines[line] * 128; }
  const Op& op(unsigned thread, std::size_t i) const { return episode_->threads[thread].ops[i]; }
  Core& core(unsigned thread) { return *cores_[episode_->threads[thread].l1]; }
  std::vector<LineWords> memory();

  models::PlatformContext& context_;
  MemorySystem& system_;
  std::vector<std::unique_ptr<Core>> cores_;
  const Episode* episode_ = nullptr;
  isa::Scope scope_ = isa::Scope::gpu;  ///< of what the threads of the episode tell each other
  Record record_;
  std::vector<Warp> warps_;
  std::uint64_t begin_ps_ = 0, completed_ = 0;
  sc_core::sc_event issue_event_{"next_access"};
};

}  // namespace syncline::stress
