#include "consistency/online/line_record.h"

#include <algorithm>

namespace syncline::consistency {

void LineRecord::find(const base::ByteMask& bytes, LineVersion version, const DynamicOrder& order,
                      Neighbours& found) const {
  found.sources.clear();
  found.next.clear();
  found.complete = true;
  base::ByteMask old;
  for (const Write& last : latest_) {
    if (!last.bytes.overlaps(bytes)) continue;
    const base::ByteMask common = last.bytes & bytes;
    if (last.version > version)
      old |= common;
    else if (order.knows(last.node))
      found.sources.push_back({last.node, common});
  }
  found.newest = bytes - old;
  if (old.empty()) return;

  const auto first_unseen = std::upper_bound(writes_.begin(), writes_.end(), version,
                                             [](LineVersion v, const Write& write) { return v < write.version; });
  found.complete = version >= lost_;
  base::ByteMask left = old;
  for (auto write = first_unseen; write != writes_.end() && !left.empty(); ++write) {
    if (!write->bytes.overlaps(left)) continue;
    if (!order.knows(write->node)) {
      found.complete = false;
      continue;
    }
    found.next.push_back({write->node, write->bytes & left});
    left -= write->bytes;
  }
  left = old;
  for (auto write = first_unseen; write != writes_.begin() && !left.empty();) {
    --write;
    if (!write->bytes.overlaps(left)) continue;
    if (order.knows(write->node)) found.sources.push_back({write->node, write->bytes & left});
    left -= write->bytes;
  }
}

void LineRecord::add_reader(std::uint32_t thread, std::uint64_t step, const base::ByteMask& bytes, Node node,
                            const DynamicOrder& order) {
  // A later read of the same thread stands for its earlier ones: what comes behind it comes behind them.
  constexpr std::size_t worth_a_look = 64;
  if (readers_.size() <= worth_a_look) {
    for (Reader& reader : readers_) {
      if (reader.thread == thread && reader.step < step) reader.bytes -= bytes;
    }
  }
  if (readers_.size() >= tidy_readers_) {
    readers_.erase(
        std::remove_if(readers_.begin(), readers_.end(),
                       [&](const Reader& reader) { return reader.bytes.empty() || !order.knows(reader.node); }),
        readers_.end());
    tidy_readers_ = std::max<std::size_t>(16, readers_.size() * 2);
  }
  readers_.push_back({bytes, thread, step, node});
}

LineVersion LineRecord::write(const base::ByteMask& bytes, Node node, const DynamicOrder& order, Predecessors& found) {
  found.writes.clear();
  found.readers.clear();
  for (Write& last : latest_) {
    if (!last.bytes.overlaps(bytes)) continue;
    if (order.knows(last.node)) found.writes.push_back({last.node, last.bytes & bytes});
    last.bytes -= bytes;
  }
  latest_.erase(std::remove_if(latest_.begin(), latest_.end(), [](const Write& last) { return last.bytes.empty(); }),
                latest_.end());
  for (Reader& reader : readers_) {
    if (!reader.bytes.overlaps(bytes)) continue;
    if (order.knows(reader.node)) found.readers.push_back({reader.node, reader.bytes & bytes});
    reader.bytes -= bytes;
  }
  readers_.erase(
      std::remove_if(readers_.begin(), readers_.end(), [](const Reader& reader) { return reader.bytes.empty(); }),
      readers_.end());
  if (writes_.size() >= tidy_writes_) forget_writes(order);
  ++version_;
  latest_.push_back({bytes, version_, node});
  writes_.push_back({bytes, version_, node});
  return version_;
}

void LineRecord::forget_writes(const DynamicOrder& order) {
  for (const Write& write : writes_) {
    if (!order.knows(write.node)) lost_ = std::max(lost_, write.version);
  }
  writes_.erase(
      std::remove_if(writes_.begin(), writes_.end(), [&](const Write& write) { return !order.knows(write.node); }),
      writes_.end());
  tidy_writes_ = std::max<std::size_t>(16, writes_.size() * 2);
}

bool LineRecord::forget(const DynamicOrder& order) {
  forget_writes(order);
  readers_.erase(
      std::remove_if(readers_.begin(), readers_.end(), [&](const Reader& reader) { return !order.knows(reader.node); }),
      readers_.end());
  latest_.shrink_to_fit();
  writes_.shrink_to_fit();
  readers_.shrink_to_fit();
  tidy_readers_ = std::max<std::size_t>(16, readers_.size() * 2);
  return version_ == 0 && readers_.empty();
}

}  // namespace syncline::consistency
