// Conditions over signals, as --wave-trigger has them:
//
//   gpu.sm0.barrier_warps > 3 && gpu.part*_l2.stall_cause != 0     signals against numbers, joined by && || ! ( )
//   gpu.sm0.warp05_state == barrier                                a value of an enumeration by its name
//   gpu.sm0.resident_ctas                                          a signal alone: it is not 0
//   changed(gpu.sm0.resident_ctas)                                 an event: the value is another one than before
//
// The comparisons are == != < <= > >=. A name may be a glob (* and ?): one of the signals that match is enough.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/block/traced_signal.h"
#include "platform/observe/wave_sink.h"

namespace syncline::platform {

class WaveCondition {
 public:
  /// UserError that names `option` and the column where `text` is no condition, or names a signal (of `signals`) or a
  /// value that does not exist.
  WaveCondition(const std::string& option, const std::string& text, const std::vector<models::TracedSignal>& signals);
  WaveCondition(const WaveCondition&) = delete;
  WaveCondition& operator=(const WaveCondition&) = delete;
  ~WaveCondition();

  /// What it looks at; a signal may come several times.
  std::vector<const models::TracedSignal*> signals() const;
  /// Where the values of a signal will be. Before `holds`.
  void place(const std::function<std::uint32_t(const models::TracedSignal*)>& place_of);
  /// `changes`: since the last time, in the order of places.
  bool holds(const std::vector<std::uint64_t>& values, const std::vector<WaveSink::Change>& changes) const;

  struct Node;

 private:
  std::unique_ptr<Node> root_;
};

}  // namespace syncline::platform
