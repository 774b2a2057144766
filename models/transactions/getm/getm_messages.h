// What cores and units of GETM say to each other: bodies of messages of transaction_family.
#pragma once

#include <array>
#include <cstdint>

#include "models/families/transaction_family.h"
#include "protocols/transactions/getm/request.h"

namespace syncline::models {

/// Of `load` and `store`: one granule, in the line and mask of the message.
struct GetmRequestBody {
  std::uint64_t at = 0;       ///< protocols::getm::Request::at, and
  std::uint64_t granule = 0;  ///< so on
  std::uint32_t who = 0;
  std::uint32_t label = 0;
  std::uint16_t count = 0;
};
/// Of `loaded`, `stored`, `refused`.
struct GetmAnswerBody {
  std::uint64_t seen = 0;  ///< protocols::getm::Answer::seen
  protocols::getm::AbortCause cause{};
  bool rolls_over = false;  ///< the unit has no timestamps left
};
/// Of `log`: what an attempt has done to a line. Of `region`: to one granule of it.
struct GetmLogBody {
  static constexpr unsigned granules = 8;  ///< of the smallest size in the largest line
  std::uint32_t who = 0;
  /// By granule of the line: stores of lanes that commit, and of lanes that have aborted.
  std::array<std::uint16_t, granules> commits{}, cleans{};
  bool last = false;  ///< of the attempt, for this partition
};

/// What TransactionListener knows reads and writes by.
inline std::uint64_t getm_read_ticket(std::uint32_t who, std::uint32_t label) {
  return std::uint64_t{who} << 32U | label;
}
inline std::uint64_t getm_write_ticket(std::uint32_t who, std::uint64_t granule) {
  return std::uint64_t{1} << 63U | std::uint64_t{who} << 43U | granule;
}

}  // namespace syncline::models
