// Memory instructions of transactions that are answered piece by piece: each lane when the last of what it waits for
// has come.
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "base/line_data.h"
#include "isa/exec/memory_access.h"
#include "models/sm/numbered.h"
#include "models/sm/seams/lane_stage.h"

namespace syncline::models {

class KeptAccesses {
 public:
  using Number = std::uint32_t;

  explicit KeptAccesses(const LaneStage& stage) : stage_(stage) {}
  void attach(LaneChain& chain) { chain_ = &chain; }

  /// An instruction of which the stage keeps `lanes`. It stays until `awaited` pieces have come for it, whatever
  /// becomes of its lanes.
  Number keep(const LaneOffer& offer, base::LaneMask lanes);
  /// Bytes of a lane that do not come from memory: bit n of `bytes`, byte n of its access.
  void put(Number number, unsigned lane, const std::uint8_t* values, std::uint32_t bytes);
  /// One more piece is to come, and these lanes wait for it.
  void await(Number number, base::LaneMask lanes);
  /// A piece has come: the bytes of `mask` of the line at `line`, if it brings any. Lanes that wait for nothing more
  /// are answered at `now`.
  void arrived(Number number, base::LaneMask lanes, base::Cycle now);
  void arrived(Number number, base::LaneMask lanes, base::LineAddress line, const base::ByteMask& mask,
               const base::LineData& data, base::Cycle now);
  /// Calls `word(lane, place of the word in the line, its bytes)` for the words of `lanes` of which bytes come with
  /// these.
  template <class Word>
  void each_word(Number number, base::LaneMask lanes, base::LineAddress line, const base::ByteMask& mask, Word&& word) {
    const Kept& kept = kept_[number];
    base::for_each_lane(lanes, [&](unsigned lane) {
      std::array<std::uint8_t, base::max_line_bytes / 4> words{};
      for (unsigned byte = 0; byte < kept.stride; ++byte) {
        const std::uint64_t at = kept.address[lane] + byte - line.value();
        const bool comes = at < base::max_line_bytes && mask.test(static_cast<unsigned>(at));
        if (comes && (kept.known[lane] >> byte & 1U) == 0)
          words[at / 4] = static_cast<std::uint8_t>(words[at / 4] | 1U << at % 4);
      }
      for (unsigned n = 0; n < words.size(); ++n) {
        if (words[n] != 0) word(lane, n * 4, words[n]);
      }
    });
  }
  /// Nothing more is answered for these lanes.
  void aborted(unsigned slot, base::LaneMask lanes);
  std::size_t in_use() const { return kept_.in_use(); }

 private:
  struct Kept {
    LaneTicket ticket = 0;
    unsigned slot = 0;
    bool loads = false;
    std::uint8_t stride = 0;
    unsigned pieces = 0;       ///< to come
    base::LaneMask lanes = 0;  ///< not answered
    std::array<std::uint8_t, base::max_lanes> waits{};
    std::array<std::uint32_t, base::max_lanes> known{};  ///< bytes that do not come from memory
    std::array<std::uint64_t, base::max_lanes> address{};
    std::array<std::uint8_t, base::max_lanes * isa::max_access_bytes> values{};
  };

  const LaneStage& stage_;
  LaneChain* chain_ = nullptr;
  Numbered<Kept> kept_;
  std::uint32_t numbers_ = 0;  ///< that have ever been taken
};

}  // namespace syncline::models
