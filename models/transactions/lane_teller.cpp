#include "models/transactions/lane_teller.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/taps.h"

namespace syncline::models {

void LaneTeller::begun(const WarpIdentity& warp, unsigned lane) {
  if (!base::has_taps || listener_ == nullptr) return;
  attempt_ = listener_->begun(warp, lane);
  lane_ = lane;
}

void LaneTeller::started(const WarpMemory& memory) {
  const isa::MemoryAccess& access = memory.access;
  if (listener_ == nullptr || access.space != isa::Space::global || access.kind == isa::AccessKind::prefetch) return;
  if (access.non_coherent) return;  // of memory that nobody writes
  accesses_.push_back({memory.order, access.kind, false, words_of(access, lane_)});
}

void LaneTeller::answered(const WarpMemory& memory) {
  const auto found = std::find_if(accesses_.begin(), accesses_.end(),
                                  [&](const Access& access) { return access.order == memory.order; });
  if (found == accesses_.end()) return;
  found->answered = true;
  if (memory.access.kind == isa::AccessKind::load || memory.access.kind == isa::AccessKind::atomic)
    found->words = words_of(memory.access, lane_);
  for (; !accesses_.empty() && accesses_.front().answered; accesses_.pop_front()) tell(accesses_.front());
}

void LaneTeller::tell(const Access& access) {
  for (const LaneWord& word : access.words) {
    if (access.kind == isa::AccessKind::store) {
      listener_->wrote(attempt_, word.word, word.value, word.bytes);
      continue;
    }
    listener_->read(attempt_, word.word);
    if (access.kind != isa::AccessKind::reduction) listener_->value(attempt_, word.word, word.value, word.bytes);
    if (access.kind != isa::AccessKind::load) listener_->changed(attempt_, word.word);
  }
}

void LaneTeller::committed() {
  if (!base::has_taps || listener_ == nullptr) return;
  if (!accesses_.empty()) throw base::ModelError("a lane commits, and its accesses are under way");
  const TransactionListener::Attempt attempt = std::exchange(attempt_, 0);
  listener_->committed(attempt);
  listener_->ended(attempt);
}

}  // namespace syncline::models
