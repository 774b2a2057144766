#include "models/gpudet/log_commit.h"

#include <algorithm>

#include "models/sm/warp_mask.h"

namespace syncline::models {
namespace {

/// A token is the number of the cursor and, above it, that of an entry's slot counted from the log's begin, or this.
constexpr unsigned cursor_bits = 7;
constexpr std::uint32_t cursor_mask = (1U << cursor_bits) - 1;
constexpr std::uint32_t header = ~std::uint32_t{0} >> cursor_bits;
static_assert(max_warp_slots <= cursor_mask + 1);

}  // namespace

void LogCommit::begin(const std::vector<unsigned>& logs, Depth depth) {
  depth_ = std::move(depth);
  cursors_.clear();
  turn_ = 0;
  for (const unsigned log : logs) {
    if (logs_[log].count != 0) cursors_.push_back({log, 0, false, 0, {}});
  }
  for (const unsigned log : logs) {
    if (logs_[log].count == 0) owner_.log_committed(log);
  }
  pump();
}

/// The warps take turns.
void LogCommit::pump() {
  std::size_t refused = 0;
  while (under_way_ < window_ && refused < cursors_.size()) {
    turn_ = turn_ + 1 < cursors_.size() ? turn_ + 1 : 0;
    refused = step(turn_) ? 0 : refused + 1;
  }
}

bool LogCommit::step(std::size_t number) {
  Cursor& cursor = cursors_[number];
  const WriteLog& log = logs_[cursor.log];
  for (std::size_t i = 0; i < cursor.slots.size(); ++i) {
    Slot& slot = cursor.slots[i];
    if (slot.sent) continue;
    if (!slot.read) break;  // in the order of the log
    if (!send(cursor, i)) break;
    return true;
  }
  for (std::size_t i = 0; i < cursor.slots.size(); ++i) {
    Slot& slot = cursor.slots[i];
    if (slot.asked) continue;
    slot.asked = true;
    ++under_way_;
    const auto entry = static_cast<std::uint32_t>(cursor.first + i);
    port_.read(base::LineAddress(log.layout.data_line(entry)), slot.write.mask, *this,
               entry << cursor_bits | static_cast<std::uint32_t>(number));
    return true;
  }
  if (cursor.header_under_way || cursor.decoded() == log.count) return false;
  cursor.header_under_way = true;
  ++under_way_;
  statistics_.header_lines.add();
  port_.read(base::LineAddress(log.layout.header_line(cursor.next_header)), base::ByteMask::all(logs_.line_bytes()),
             *this, header << cursor_bits | static_cast<std::uint32_t>(number));
  return true;
}

bool LogCommit::waits_for_earlier(const Cursor& cursor, std::size_t slot) const {
  if (path_->keeps_order()) return false;
  const base::LineAddress line = cursor.slots[slot].write.line;
  return std::any_of(cursor.slots.begin(), cursor.slots.begin() + static_cast<std::ptrdiff_t>(slot),
                     [line](const Slot& earlier) { return !earlier.done && earlier.write.line == line; });
}

bool LogCommit::send(Cursor& cursor, std::size_t slot) {
  if (waits_for_earlier(cursor, slot)) return false;
  cursor.slots[slot].sent = true;
  ++under_way_;
  statistics_.chunks.add();
  path_->start(cursor.slots[slot].write);
  return true;
}

bool LogCommit::answered(std::uint32_t token, Message& reply, base::Cycle) {
  const std::uint32_t number = token & cursor_mask, entry = token >> cursor_bits;
  Cursor& cursor = cursors_[number];
  const WriteLog& log = logs_[cursor.log];
  --under_way_;
  if (entry != header) {
    Slot& slot = cursor.slots[entry - cursor.first];
    slot.write.data = reply.data;
    slot.read = true;
  } else {
    cursor.header_under_way = false;
    ++cursor.next_header;
    const std::uint32_t end = std::min(log.count, cursor.next_header * log.layout.headers_per_line());
    for (std::uint32_t next = cursor.decoded(); next < end; ++next) {
      const protocols::gpudet::LogHeader described = log.layout.decode(reply.data, next);
      Slot slot;
      slot.write.line = logs_.line(described.chunk);
      slot.write.mask = described.mask;
      slot.write.depth = depth_(cursor.log, described.epoch);
      slot.write.token = next << cursor_bits | number;
      cursor.slots.push_back(slot);
    }
  }
  pump();
  return false;
}

void LogCommit::committed(std::uint32_t token) {
  if (token == CommitPath::clear_token) return owner_.depths_cleared();
  --under_way_;
  const std::uint32_t number = token & cursor_mask, entry = token >> cursor_bits;
  Cursor& cursor = cursors_[number];
  cursor.slots[entry - cursor.first].done = true;
  retire(number);
  pump();
}

void LogCommit::retire(std::size_t number) {
  Cursor& cursor = cursors_[number];
  while (!cursor.slots.empty() && cursor.slots.front().done) {
    cursor.slots.pop_front();
    ++cursor.first;
  }
  if (cursor.first == logs_[cursor.log].count) owner_.log_committed(cursor.log);
}

}  // namespace syncline::models
