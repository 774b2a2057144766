// What cores and partitions say to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "protocols/transactions/access.h"
#include "protocols/transactions/getm/metadata.h"

namespace syncline::protocols::getm {

using transactions::Access;
using transactions::LoggedWord;

/// One granule that lanes of a warp load from or store to, before anything happens there.
struct Request {
  Access access = Access::load;
  Granule granule = 0;
  Requester who = 0;
  Timestamp at = 0;         ///< warpts of the attempt
  std::uint16_t count = 1;  ///< store: lanes that it stands for, so many writes are to come
  std::uint32_t label = 0;  ///< the core's: which of its requests is answered
};

/// Why an attempt of a lane aborts (figure 4.6; section 4.5).
enum class AbortCause : std::uint8_t {
  none,
  war,         ///< loads what a later transaction has written
  waw,         ///< stores to what a later transaction has written
  raw,         ///< stores to what a later transaction has read
  tie,         ///< stores to what another warp has read at the same time
  no_room,     ///< would wait, and the stall buffer is full
  rollover,    ///< timestamps are used up
  intra_warp,  ///< another lane of the warp has the word, or one that shares its entry of the ownership table
};
const char* name(AbortCause cause);

enum class Verdict : std::uint8_t {
  done,     ///< the access has happened
  refused,  ///< the lanes abort
  queued    ///< no answer yet: it waits in the stall buffer
};

/// Accesses to tables that a decision took; what each takes is the host's affair.
struct TableCost {
  std::uint16_t probes = 0;    ///< entries that moved in the cuckoo table
  std::uint16_t overflow = 0;  ///< accesses to the list in memory
  std::uint16_t evicted = 0;   ///< entries of which bounds are left
};

struct Answer {
  Request request;
  Verdict verdict = Verdict::done;
  AbortCause cause = AbortCause::none;
  /// The latest time that stood in the granule's metadata: after it the warp executes its next attempt.
  Timestamp seen = 0;
  TableCost cost;
};

/// Of one lane and one granule, or of several lanes when coalesced.
struct LogEntry {
  Granule granule = 0;
  Requester who = 0;
  std::uint32_t writes = 0;  ///< that the validation unit has counted for it
  bool commits = false;      ///< some lane does; the words are those of lanes that do
  std::vector<LoggedWord> words;
};

}  // namespace syncline::protocols::getm
