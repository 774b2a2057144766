// What a network or a link counts of the messages that it moves, by the name of their traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/stats.h"
#include "models/transport/message_family.h"

namespace syncline::models {

/// How many of the units in which a network or a link moves messages one of `bytes` is; at least one.
constexpr unsigned flits_of(unsigned bytes, unsigned flit) {
  return bytes <= flit ? 1 : (bytes + flit - 1) / flit;
}

class TrafficCounters {
 public:
  /// All families are there when it is made; `families` outlives it.
  explicit TrafficCounters(const MessageFamilies& families);

  /// As statistics of the block: messages_..., flits_... and bytes_... of each name.
  void add_to(base::StatisticsRegistry& statistics, const std::string& block) const;

  /// A message has been moved in so many flits. Gives MessageFamilies::traffic_of.
  std::size_t count(const Message& message, unsigned flits) {
    const std::size_t number = count_ideal(message);
    counters_[number].flits.add(flits);
    counters_[number].bytes.add(message.bytes);
    return number;
  }
  /// One that has taken no bandwidth (Message::ideal).
  std::size_t count_ideal(const Message& message) {
    const std::size_t number = families_.traffic_of(message);
    counters_[number].messages.add();
    return number;
  }

  std::size_t classes() const { return counters_.size(); }
  std::uint64_t flits(std::size_t number) const { return counters_[number].flits.value(); }

 private:
  struct OfClass {
    base::Counter messages, flits, bytes;
  };
  const MessageFamilies& families_;
  std::vector<OfClass> counters_;  ///< by MessageFamilies::traffic_of
};

}  // namespace syncline::models
