// Where in an event trace a block's events stand: a process for each block, in the order of their names, and tracks in
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/block/block.h"
#include "platform/observe/trace_writer.h"

namespace syncline::platform {

/// Names processes and threads when something stands there first, so that a viewer shows no empty ones.
class TraceTracks {
 public:
  /// Numbers the blocks that there are.
  TraceTracks(TraceWriter& writer, const std::vector<models::Block*>& blocks);

  /// Of events that are of no block: kernels.
  static constexpr unsigned no_block = 1;
  unsigned process_of(const models::Block& block) const { return numbers_.at(&block); }
  /// A track of this number and name; of one process numbers give the order.
  TraceWriter::Track track(unsigned process, unsigned number, const std::string& name);

  /// A track for a slice that begins at `from_ps`, beside those of its kind that it overlaps. Tracks of a kind are
  /// numbered from `first` on.
  TraceWriter::Track lane(unsigned process, unsigned first, const std::string& name, std::uint64_t from_ps);
  /// The slice that was given the track is written, and ends then.
  void free(const TraceWriter::Track& track, std::uint64_t until_ps);

 private:
  struct Lane {
    bool taken = false;
    std::uint64_t free_ps = 0;
  };
  TraceWriter& writer_;
  std::map<const models::Block*, unsigned> numbers_;  ///< never iterated
  std::vector<std::string> names_;                    ///< of processes, by number
  std::vector<bool> named_;
  std::map<std::pair<unsigned, unsigned>, Lane> lanes_;  ///< by process and thread
  std::set<std::pair<unsigned, unsigned>> threads_;      ///< that have names
};

/// Whether a name stands before another one where numbers in names count as numbers: sm2 before sm10.
bool stands_before(std::string_view a, std::string_view b);

}  // namespace syncline::platform
