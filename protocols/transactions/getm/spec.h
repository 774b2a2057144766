// The policy `getm`: transactions with eager conflict detection. Each warp executes at a logical time, each granule of
// memory remembers when it was last read and written, and a store reserves its granule until the warp's log has been
// committed.
//
// Source: X. Ren, "Efficient synchronization mechanisms for scalable GPU architectures", PhD thesis, 2020, chapter 4,
// and the simulator that its authors released.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::protocols::getm {

/// What a store does when its granule was last read at the very time of its warp. All warps begin at the same time and
/// retry at times that they learn from each other, so that this happens all the time.
enum class TieRule : std::uint8_t {
  thesis,       ///< succeeds (figure 4.6). Not serializable: two warps of one time may each write what the other read
  last_reader,  ///< is refused unless the one who moved the granule's read time is the warp itself (released
                ///< simulator). Not serializable either: a later reader of the same time leaves no trace
  reader_set    ///< is refused unless nobody but the warp itself has read at that time
};
const base::ChoiceTable<TieRule>& tie_rules();

/// At which time an attempt begins.
enum class BeginsAt : std::uint8_t {
  warp,  ///< at its warp's own (section 4.4.1)
  sm     ///< at the latest that any warp of its SM has come to (released simulator; with it aborts are about as many
         ///< as in the thesis): a warp that has waited for its turn begins behind what others have done meanwhile
};
const base::ChoiceTable<BeginsAt>& begin_times();

/// The keys `transactions.getm.*` that conflicts depend on. Sizes "of the GPU" are shared evenly by the partitions.
struct GetmSpec {
  TieRule tie_rule = TieRule::reader_set;
  BeginsAt begins_at = BeginsAt::sm;
  std::uint32_t granularity = 32;
  std::uint32_t timestamp_bits = 32;
  std::uint32_t attempt_tags = 1;
  std::uint32_t ownership_entries = 4096;

  std::uint32_t precise_entries = 4096;
  std::uint32_t precise_ways = 4;
  std::uint32_t insertion_probes = 32;
  std::uint32_t stash_entries = 4;
  std::uint32_t approximate_entries = 1024;
  std::uint32_t approximate_ways = 4;

  std::uint32_t stall_addresses = 4;
  std::uint32_t stall_requests = 4;

  bool coalescing = true;
  std::uint32_t commit_regions = 512;

  /// The last timestamp that there is.
  std::uint64_t last_timestamp() const { return (std::uint64_t{1} << timestamp_bits) - 1; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice(
        "tie_rule", tie_rule, tie_rules(),
        param::text("a store to a granule that was last read at the very time of its warp succeeds (thesis), fails "
                    "if another warp moved the read time (last_reader), or fails if any other warp read at that "
                    "time (reader_set). Only reader_set is serializable",
                    "choice; thesis 4.4.1, figure 4.6; simulator of GETM"));
    v.choice("begins_at", begins_at, begin_times(),
             param::text("an attempt begins at the logical time of its warp, or at the latest of any warp of its SM",
                         "simulator of GETM, with which aborts are about those of the thesis; its text, 4.4.1: warp"));
    v.field(
        "granularity", granularity,
        param::bytes("that share one set of metadata", "thesis 4.7.2; simulator: 4").between(16, 128).power_of_two());
    v.field("timestamp_bits", timestamp_bits,
            param::bits("of a logical timestamp; when they are used up all units and cores start from 0 again",
                        "thesis 4.5.2: 32 or 48")
                .between(2, 63));
    v.field("attempt_tags", attempt_tags,
            param::count("1: granules are reserved for a warp, whose next transaction waits until all partitions have "
                         "acknowledged the log of its last one; n: for an attempt of a warp, of which n may be under "
                         "way, all but one of them in the commit units",
                         "choice; thesis 4.4.1: reserved for a warp, and nothing waits")
                .between(1, 16));
    v.field("ownership_entries", ownership_entries,
            param::entries("of the table of readers and writers within a warp, of 4-byte words; 0: one for each word",
                           "table 4.2: 4 KB of one byte each")
                .between(0, 1U << 20U));
    v.field("precise_entries", precise_entries,
            param::entries("with exact metadata, of the GPU", "table 4.2").between(1, 1U << 24U));
    v.field("precise_ways", precise_ways, param::count("ways of the cuckoo table", "table 4.2").between(1, 16));
    v.field(
        "insertion_probes", insertion_probes,
        param::count("entries that may move in the cuckoo table when one comes in", "simulator of GETM").at_most(1024));
    v.field("stash_entries", stash_entries,
            param::entries("of a partition for what the cuckoo table has no place for; what does not fit there either "
                           "goes to a list in memory",
                           "table 4.2; simulator: 48")
                .between(0, 1024));
    v.field("approximate_entries", approximate_entries,
            param::entries("with upper bounds for granules that left the exact table, of the GPU", "table 4.2")
                .between(1, 1U << 24U));
    v.field("approximate_ways", approximate_ways,
            param::count("ways of the recency Bloom filter", "table 4.2").between(1, 16));
    v.field(
        "stall_addresses", stall_addresses,
        param::count("granules of a partition for which requests may wait", "table 4.2; simulator: 16").at_most(1024));
    v.field("stall_requests", stall_requests,
            param::count("requests that may wait for one granule; where there is no room the transaction aborts",
                         "table 4.2")
                .at_most(1024));
    v.field("coalescing", coalescing,
            param::flag("entries of a warp's log for one granule are committed as one", "thesis 4.5.3"));
    v.field("commit_regions", commit_regions,
            param::entries("granules that wait in a partition's commit unit",
                           "table 4.5: 16 KB of write buffers, of regions of 32 bytes")
                .between(1, 1U << 20U));
  }
};

}  // namespace syncline::protocols::getm
