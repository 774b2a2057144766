#include "models/gpudet/log_commit.h"

#include <algorithm>

namespace syncline::models {
namespace {

/// A token names what was read: the cursor in its low bits; above, an entry of the log or, with the bit `header`, a
/// line of headers.
constexpr unsigned cursor_bits = 7;
constexpr std::uint32_t cursor_mask = (1U << cursor_bits) - 1;
constexpr std::uint32_t header = 1U << 31;
static_assert(max_warp_slots <= cursor_mask + 1);
/// Tokens of accesses for entries that were left for later.
constexpr std::uint32_t left_read = header - 1, left_written = header - 2;

}  // namespace

void LogCommit::begin(const std::vector<unsigned>& logs, Depth depth, const Chunks& later) {
  depth_ = std::move(depth);
  later_ = &later;
  cursors_.clear();
  turn_ = 0;
  for (const unsigned log : logs) {
    if (logs_[log].count != 0) cursors_.emplace_back().log = log;
  }
  for (const unsigned log : logs) {
    if (logs_[log].count == 0) owner_.log_committed(log);
  }
  may_step_ = all_warps(static_cast<unsigned>(cursors_.size()));
  pump();
}

/// The warps take turns.
void LogCommit::pump() {
  while (under_way_ < window_ && may_step_ != 0) {
    const unsigned next = next_warp(may_step_, turn_ + 1);
    if (step(next)) {
      turn_ = next;
    } else {
      may_step_ &= ~warp_bit(next);
    }
  }
}

bool LogCommit::step(std::size_t number) {
  Cursor& cursor = cursors_[number];
  const WriteLog& log = logs_[cursor.log];
  if (cursor.first == log.cells) return false;
  cursor.next_write = std::max(cursor.next_write, cursor.first);
  while (cursor.holds(cursor.next_write) && cursor.slot(cursor.next_write).sent) ++cursor.next_write;  // or left
  if (cursor.holds(cursor.next_write) && cursor.slot(cursor.next_write).read &&
      send(number, cursor.next_write - cursor.first))
    return true;
  if (read_data(number)) return true;
  if (cursor.first + cursor.slots.size() == log.cells) return false;
  const std::uint32_t line = cursor.next_header++;
  cursor.reach(std::min(log.cells, cursor.next_header * log.layout.cells_per_line()));
  ++under_way_;
  statistics_.header_lines.add();
  port_.read(base::LineAddress(log.layout.header_line(line)), log.layout.headers(line, log.cells), *this,
             header | line << cursor_bits | static_cast<std::uint32_t>(number), isa::CacheOp::lu);
  return true;
}

/// Reads a line of data once the headers of all entries with bytes in it are known, so that it is read only once (and
/// again later only for entries that were left).
bool LogCommit::read_data(std::size_t number) {
  Cursor& cursor = cursors_[number];
  const WriteLog& log = logs_[cursor.log];
  const auto described = [&](std::uint32_t entry) { return cursor.holds(entry) && cursor.slot(entry).described; };
  const auto line_of = [&](std::uint32_t entry) { return log.layout.data_line(cursor.slot(entry).header); };
  cursor.next_data = std::max(cursor.next_data, cursor.first);
  while (described(cursor.next_data) && cursor.slot(cursor.next_data).sent)  // left for later
    ++cursor.next_data;
  if (!described(cursor.next_data)) return false;
  const std::uint64_t line = line_of(cursor.next_data);
  std::uint32_t end = cursor.next_data + 1;
  while (described(end) && line_of(end) == line) ++end;
  if (!described(end) && end < log.cells) return false;
  const base::ByteMask bytes = log.layout.stored_so_far(cursor.slot(end - 1).header);
  const auto left = left_lines_.find(line);
  if (left != left_lines_.end()) left->second.bytes |= bytes;
  ++under_way_;
  statistics_.data_lines.add();
  port_.read(base::LineAddress(line), bytes, *this,
             cursor.next_data << cursor_bits | static_cast<std::uint32_t>(number),
             left == left_lines_.end() ? isa::CacheOp::lu : isa::CacheOp::none);
  cursor.next_data = end;
  return true;
}

bool LogCommit::waits_for_earlier(const Cursor& cursor, std::size_t slot) const {
  if (path_->keeps_order()) return false;
  const std::uint64_t chunk = cursor.slots[slot].header.chunk;
  return std::any_of(cursor.slots.begin(), cursor.slots.begin() + static_cast<std::ptrdiff_t>(slot),
                     [chunk](const Slot& earlier) { return !earlier.done && earlier.header.chunk == chunk; });
}

bool LogCommit::send(std::size_t number, std::size_t slot) {
  Cursor& cursor = cursors_[number];
  if (waits_for_earlier(cursor, slot)) return false;
  const protocols::gpudet::LogHeader& entry = cursor.slots[slot].header;
  const protocols::gpudet::LogLayout& layout = logs_[cursor.log].layout;
  const std::uint64_t address = layout.data_line(entry);
  const auto passed = [address](const DataLine& line) { return line.address < address; };  // entries go in order
  cursor.lines.erase(std::remove_if(cursor.lines.begin(), cursor.lines.end(), passed), cursor.lines.end());
  const auto line = std::find_if(cursor.lines.begin(), cursor.lines.end(),
                                 [address](const DataLine& one) { return one.address == address; });
  CommitWrite write;
  write.line = logs_.line(entry.chunk);
  write.mask = entry.mask;
  write.depth = depth_(cursor.log, entry.epoch);
  write.token = static_cast<std::uint32_t>((cursor.first + slot) << cursor_bits | number);
  layout.unpack(entry, entry.mask, line->data, write.data);
  cursor.slots[slot].sent = true;
  ++under_way_;
  statistics_.chunks.add();
  path_->start(write);
  return true;
}

void LogCommit::describe(std::uint32_t number, std::uint32_t header_line, const base::LineData& line) {
  Cursor& cursor = cursors_[number];
  const WriteLog& log = logs_[cursor.log];
  std::uint32_t next = header_line * log.layout.cells_per_line();  // cell
  const std::uint32_t end = std::min(log.cells, next + log.layout.cells_per_line());
  const auto pass_to = [&](std::uint32_t entry) {  // cells behind the first of an entry go with it
    for (; next < entry; ++next) {
      Slot& slot = cursor.slot(next);
      slot.header = cursor.slot(next - 1).header;
      slot.described = slot.read = slot.sent = slot.done = true;
    }
  };
  log.layout.decode(line, header_line, log.cells,
                    [&](std::uint32_t entry, const protocols::gpudet::LogHeader& described) {
                      pass_to(entry);
                      ++next;
                      Slot& slot = cursor.slot(entry);
                      slot.header = described;
                      slot.described = true;
                      if (later_->count(described.chunk) == 0) return;
                      statistics_.left.add();
                      left_.insert({{described.epoch, cursor.log}, entry, described});
                      LeftLine& rest = left_lines_[log.layout.data_line(described)];
                      ++rest.entries;
                      rest.bytes |= log.layout.stored_so_far(described);
                      slot.sent = slot.done = true;
                    });
  pass_to(end);
  retire(number);
}

/// Of `entry` and those behind it in the line.
void LogCommit::data_arrived(std::uint32_t number, std::uint32_t entry, const base::LineData& line) {
  Cursor& cursor = cursors_[number];
  const protocols::gpudet::LogLayout& layout = logs_[cursor.log].layout;
  const std::uint64_t address = layout.data_line(cursor.slot(entry).header);
  cursor.lines.push_back({address, line});
  for (; cursor.holds(entry) && cursor.slot(entry).described; ++entry) {
    Slot& slot = cursor.slot(entry);
    if (layout.data_line(slot.header) != address) break;
    slot.read = true;
  }
}

std::vector<LogCommit::Left> LogCommit::left() const {
  std::vector<Left> all;
  for (const LeftEntry& entry : left_) {
    if (all.empty() || all.back() < entry.what) all.push_back(entry.what);
  }
  return all;
}

void LogCommit::write_left(const Left& what) {
  writing_ = what;
  write_next();
}

void LogCommit::write_next() {
  const auto next = next_left();
  if (next == left_.end() || writing_ < next->what) return owner_.left_written();
  const protocols::gpudet::LogLayout& layout = logs_[writing_.log].layout;
  const auto line = left_lines_.find(layout.data_line(next->header));
  const bool last = --line->second.entries == 0;
  const base::ByteMask bytes = last ? line->second.bytes : layout.stored(next->header, next->header.mask);
  if (last) left_lines_.erase(line);
  port_.read(base::LineAddress(layout.data_line(next->header)), bytes, *this, left_read,
             last ? isa::CacheOp::lu : isa::CacheOp::none);
}

bool LogCommit::answered(std::uint32_t token, Message& reply, base::Cycle) {
  if (token == left_read) {
    const auto entry = next_left();
    const base::ByteMask& mask = entry->header.mask;
    Message& write = port_.make(MessageClass::store_request, logs_.line(entry->header.chunk), mask);
    logs_[entry->what.log].layout.unpack(entry->header, mask, reply.data, write.data);
    port_.send(write, *this, left_written);
    return false;
  }
  if (token == left_written) {
    left_.erase(next_left());
    write_next();
    return false;
  }
  const std::uint32_t number = token & cursor_mask, place = (token & ~header) >> cursor_bits;
  --under_way_;
  may_step_ |= warp_bit(number);
  if ((token & header) == 0) {
    data_arrived(number, place, reply.data);
  } else {
    describe(number, place, reply.data);
  }
  pump();
  return false;
}

void LogCommit::committed(std::uint32_t token) {
  if (token == CommitPath::clear_token) return owner_.depths_cleared();
  --under_way_;
  const std::uint32_t number = token & cursor_mask, entry = token >> cursor_bits;
  Cursor& cursor = cursors_[number];
  cursor.slot(entry).done = true;
  may_step_ |= warp_bit(number);
  retire(number);
  pump();
}

void LogCommit::retire(std::size_t number) {
  Cursor& cursor = cursors_[number];
  while (!cursor.slots.empty() && cursor.slots.front().done) {
    cursor.slots.pop_front();
    ++cursor.first;
  }
  if (cursor.first == logs_[cursor.log].cells) owner_.log_committed(cursor.log);
}

}  // namespace syncline::models
