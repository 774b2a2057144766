// What somebody knows of the threads: of each, up to which step its accesses come before what he does.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace syncline::consistency {

class VectorClock;
/// Shared by all who know the same; null: nothing is known.
using Clock = std::shared_ptr<const VectorClock>;

class VectorClock {
 public:
  /// Whether the thread's access of that step is known.
  bool covers(std::uint32_t thread, std::uint64_t step) const;

  /// What both know together; one of the two where the other knows no more.
  static Clock join(const Clock& a, const Clock& b);
  /// `clock`, and the thread up to that step.
  static Clock with(const Clock& clock, std::uint32_t thread, std::uint64_t step);

 private:
  using Entry = std::pair<std::uint32_t, std::uint64_t>;  ///< thread and step
  bool contains(const VectorClock& other) const;

  std::vector<Entry> entries_;  ///< by ascending thread
};

inline bool covers(const Clock& clock, std::uint32_t thread, std::uint64_t step) {
  return clock != nullptr && clock->covers(thread, step);
}

}  // namespace syncline::consistency
