// Who does what an online check watches: each warp is a thread, and what is none of an SM's is one each time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "models/sm/seams/warp_events.h"
#include "models/transport/message.h"

namespace syncline::platform {

class WatchedThreads {
 public:
  static constexpr std::uint32_t nobody = ~0U;  ///< thread of a warp slot in which no warp has run
  /// Stand for an SM's number in what the host does, and in what an L2 asks of the homes of other modules.
  static const base::SmId host, other_module;

  /// What runs in a warp slot.
  struct Running {
    std::uint32_t thread = nobody, cta = 0, gpu = 0;  ///< CTAs and GPUs from 1
    std::uint64_t order = 0;                          ///< of its last memory instruction
  };

  /// The next SM, which is one of that GPU's.
  void add_sm(unsigned gpu) {
    running_.emplace_back();
    gpus_.push_back(gpu + 1);
  }
  std::size_t sms() const { return running_.size(); }

  /// Warps that start from here on are of another CTA.
  void cta_launched() { ++ctas_; }
  /// Returns the thread that ran in the slot before.
  std::uint32_t started(const models::WarpIdentity& warp);
  /// Another one, of somebody who is no warp.
  std::uint32_t outsider(base::SmId who);

  /// Of a warp that has started.
  Running& of(const models::WarpIdentity& warp) { return running_[warp.sm.value()][warp.slot]; }
  /// Of the warp whose access a message belongs to; null: of no warp of these SMs.
  const Running* of(const models::Message& message) const;
  /// Of the warp slot that a message names, though it need not say which access it belongs to; null: no warp has run
  /// there.
  const Running* in_slot_of(const models::Message& message) const;

  /// Who that was; null: a warp that ended long ago.
  const models::WarpIdentity* who(std::uint32_t thread) const;

 private:
  std::uint32_t next(const models::WarpIdentity& who);

  std::vector<std::vector<Running>> running_;  ///< by SM and warp slot
  std::vector<std::uint32_t> gpus_;            ///< by SM, from 1
  std::vector<models::WarpIdentity> who_;      ///< by thread number less `first_`
  std::uint32_t next_ = 0, first_ = 0, ctas_ = 0;
};

}  // namespace syncline::platform
