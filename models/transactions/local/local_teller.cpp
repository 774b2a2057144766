#include "models/transactions/local/local_teller.h"

#include <algorithm>
#include <cstring>

namespace syncline::models {
namespace {

/// The last word of a shared memory may not be whole.
std::uint32_t held(const LocalTeller::Bytes& bytes, std::uint64_t word) {
  const std::size_t at = word * word_bytes;
  std::uint32_t value = 0;
  std::memcpy(&value, &bytes[at], std::min<std::size_t>(word_bytes, bytes.size() - at));
  return value;
}

}  // namespace

void LocalTeller::begun(const WarpIdentity& warp, base::LaneMask lanes) {
  if (listener_ == nullptr) return;
  base::for_each_lane(lanes, [&](unsigned lane) { told(warp, lane) = {listener_->begun(warp, lane), {}}; });
}

void LocalTeller::tell(const WarpIdentity& warp, unsigned lane, isa::AccessKind kind, const LaneWords& words,
                       const Bytes& bytes) {
  Told& own = told(warp, lane);
  for (const LaneWord& one : words) {
    const auto word = static_cast<std::uint32_t>(one.word);
    const bool is_own = std::find(own.written.begin(), own.written.end(), word) != own.written.end();
    if (kind != isa::AccessKind::store && !is_own) {
      const TransactionListener::Word shared = listener_->shared_word(warp, word);
      listener_->read(own.attempt, shared);
      listener_->value(own.attempt, shared, held(bytes, word), one.bytes);
    }
    if (kind != isa::AccessKind::load && !is_own) own.written.push_back(word);
  }
}

void LocalTeller::aborted(const WarpIdentity& warp, base::LaneMask lanes) {
  if (listener_ == nullptr) return;
  base::for_each_lane(lanes, [&](unsigned lane) { listener_->aborted(told(warp, lane).attempt); });
}

void LocalTeller::committed(const WarpIdentity& warp, base::LaneMask lanes, const Bytes& bytes) {
  if (listener_ == nullptr) return;
  base::for_each_lane(lanes, [&](unsigned lane) {
    const Told& own = told(warp, lane);
    for (const std::uint32_t word : own.written)
      listener_->wrote(own.attempt, listener_->shared_word(warp, word), held(bytes, word));
    listener_->committed(own.attempt);
    listener_->ended(own.attempt);
  });
}

}  // namespace syncline::models
