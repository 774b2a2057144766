#include "protocols/transactions/warptm/log.h"

#include <algorithm>
#include <iterator>

namespace syncline::protocols::warptm {

const char* name(AbortCause cause) {
  static constexpr const char* names[] = {"none", "validation", "intra-warp", "early", "eager"};
  static_assert(std::size(names) == static_cast<std::size_t>(AbortCause::eager) + 1);
  return names[static_cast<std::size_t>(cause)];
}

Encoder::Encoder(std::string& to, Ticket oldest, std::vector<Time> began)
    : transactions::Encoder(to), oldest_(oldest), began_(std::move(began)) {
  std::sort(began_.begin(), began_.end());
}

void Encoder::time(Time time) {
  put(static_cast<std::uint64_t>(std::upper_bound(began_.begin(), began_.end(), time) - began_.begin()));
}

void Encoder::word(const LoggedWord& word) {
  put(word.word);
  put(word.value);
  put(word.lane * 16U + word.bytes);
}

void Encoder::words(const std::vector<LoggedWord>& words) {
  put(words.size());
  for (const LoggedWord& one : words) word(one);
}

void encode(const Packet& packet, Encoder& to) {
  to.ticket(packet.ticket);
  to.put(packet.warp * 4U + (packet.last ? 2U : 0U) + (packet.skip ? 1U : 0U));
  to.words(packet.reads);
  to.words(packet.writes);
}

}  // namespace syncline::protocols::warptm
