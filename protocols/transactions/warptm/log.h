// What cores and commit units say to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lane_mask.h"
#include "protocols/transactions/access.h"
#include "protocols/transactions/encoder.h"

namespace syncline::protocols::warptm {

using transactions::Access;
using transactions::LoggedWord;

/// A commit ID: the place of one or more lanes of a warp, of which no two conflict, in the order of all commits.
using Ticket = std::uint64_t;
constexpr Ticket first_ticket = 1;  ///< 0 is before all

/// A warp of the GPU.
using Warp = std::uint32_t;

/// A cycle of the whole GPU.
using Time = std::uint64_t;

/// Core to commit unit, of one ticket. Those of one ticket arrive in the order in which they were sent.
struct Packet {
  Ticket ticket = 0;
  Warp warp = 0;
  std::vector<LoggedWord> reads;   ///< with the values that were read
  std::vector<LoggedWord> writes;  ///< with those that are to be written
  bool last = false;               ///< the log is complete
  bool skip = false;               ///< there is none for this partition
};

/// Commit unit to core: what validation has found.
struct Reply {
  Ticket ticket = 0;
  Warp warp = 0;
  base::LaneMask failed = 0;  ///< lanes that have read what memory does not hold any more
};

/// Core to the commit units that have replied, when all of them have.
struct Outcome {
  Ticket ticket = 0;
  base::LaneMask commits = 0;  ///< lanes whose writes are to be performed
};

/// Why an attempt of a lane aborts.
enum class AbortCause : std::uint8_t {
  none,
  validation,  ///< memory holds another value than it has read
  intra_warp,  ///< another lane of the warp that goes on has the word, or one that shares its entry
  early,       ///< what it has accessed is in validation for another warp (EAPG)
  eager        ///< another transaction that runs has accessed the word (WarpTM-EL)
};
const char* name(AbortCause cause);

/// Tells states apart as far as they can behave otherwise: tickets from the oldest that matters to anybody on, times by
/// how many of the loads with which transactions that run have begun they are not before.
class Encoder : public transactions::Encoder {
 public:
  Encoder(std::string& to, Ticket oldest, std::vector<Time> began);
  bool is_past(Ticket ticket) const { return ticket < oldest_; }
  void ticket(Ticket ticket) { put(is_past(ticket) ? 0 : ticket - oldest_ + 1); }
  void time(Time time);
  void word(const LoggedWord& word);
  void words(const std::vector<LoggedWord>& words);

 private:
  Ticket oldest_;
  std::vector<Time> began_;  ///< sorted
};

void encode(const Packet& packet, Encoder& to);

}  // namespace syncline::protocols::warptm
