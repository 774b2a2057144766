// The requests that a module in RTL has, by the tag that they go in and come out with.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/transport/message.h"

namespace syncline::models {

class TaggedRequests {
 public:
  struct Entry {
    Message* message = nullptr;
    base::Cycle accepted = 0;
  };

  /// `owner`: for errors.
  explicit TaggedRequests(std::string owner) : owner_(std::move(owner)) {}

  std::size_t size() const { return size_; }
  bool full() const { return size_ == entries_.size(); }
  /// Its tag. There is room.
  std::uint8_t enter(Message& request, base::Cycle accepted) {
    const auto free =
        std::find_if(entries_.begin(), entries_.end(), [](const Entry& one) { return one.message == nullptr; });
    *free = {&request, accepted};
    ++size_;
    return static_cast<std::uint8_t>(free - entries_.begin());
  }
  /// ModelError where the module names a tag that it has given back.
  Message& at(std::uint64_t tag) const {
    const Entry& entry = entries_[tag];
    if (entry.message == nullptr)
      throw base::ModelError(fmt::format("{}: there is no request {} any more", owner_, tag));
    return *entry.message;
  }
  /// ModelError as `at`.
  Entry leave(std::uint64_t tag) {
    at(tag);
    --size_;
    return std::exchange(entries_[tag], {});
  }

 private:
  static constexpr std::size_t tags = 256;
  std::string owner_;
  std::vector<Entry> entries_ = std::vector<Entry>(tags);
  std::size_t size_ = 0;
};

}  // namespace syncline::models
