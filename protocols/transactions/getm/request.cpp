#include "protocols/transactions/getm/request.h"

#include <iterator>

namespace syncline::protocols::getm {

const char* name(AbortCause cause) {
  static constexpr const char* names[] = {"none", "WAR", "WAW", "RAW", "tie", "no room", "rollover", "intra-warp"};
  static_assert(std::size(names) == static_cast<std::size_t>(AbortCause::intra_warp) + 1);
  return names[static_cast<std::size_t>(cause)];
}

}  // namespace syncline::protocols::getm
