#include "platform/observe/trace_tracks.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace syncline::platform {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The digits that a text begins with, without leading zeros; they leave it.
std::string_view take_number(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool stands_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() && !b.empty();
}

TraceTracks::TraceTracks(TraceWriter& writer, const std::vector<models::Block*>& blocks) : writer_(writer) {
  std::vector<models::Block*> sorted = blocks;
  std::sort(sorted.begin(), sorted.end(),
            [](const models::Block* a, const models::Block* b) { return stands_before(a->name(), b->name()); });
  names_ = {"", "kernels"};
  for (const models::Block* const block : sorted) {
    numbers_[block] = static_cast<unsigned>(names_.size());
    names_.emplace_back(block->name());
  }
  named_.resize(names_.size());
}

TraceWriter::Track TraceTracks::track(unsigned process, unsigned number, const std::string& name) {
  const TraceWriter::Track track{process, number};
  if (!threads_.emplace(process, number).second) return track;
  if (!named_[process]) writer_.name_process(process, names_[process]);
  named_[process] = true;
  writer_.name_thread(track, name);
  return track;
}

TraceWriter::Track TraceTracks::lane(unsigned process, unsigned first, const std::string& name, std::uint64_t from_ps) {
  for (unsigned number = first;; ++number) {
    Lane& lane = lanes_[{process, number}];
    if (lane.taken || lane.free_ps > from_ps) continue;
    lane.taken = true;
    return track(process, number, name);
  }
}

void TraceTracks::free(const TraceWriter::Track& track, std::uint64_t until_ps) {
  lanes_[{track.process, track.thread}] = {false, until_ps};
}

}  // namespace syncline::platform
