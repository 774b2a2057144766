#include "consistency/online/online_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace syncline::consistency {

const char* name(OnlineKind kind) {
  static constexpr const char* names[] = {"read", "write", "atomic", "fence", "end of a step"};
  static_assert(std::size(names) == static_cast<std::size_t>(OnlineKind::join) + 1);
  return names[static_cast<std::size_t>(kind)];
}

OnlineChecker::Node OnlineChecker::add(OnlineKind kind, const OnlineAccess& access) {
  const Node node = order_.add();
  if (told_.size() < order_.capacity()) told_.resize(order_.capacity());
  told_[node.slot] = {kind, access, 0, false};
  return node;
}

bool OnlineChecker::insert(Node from, Node to, OrderReason reason) {
  if (violation_) return false;
  switch (order_.insert(from, to, reason)) {
    case DynamicOrder::Insertion::done:
      return true;
    case DynamicOrder::Insertion::forgotten:
      return false;
    case DynamicOrder::Insertion::cycle:
      break;
  }
  blame(order_.cycle());
  return false;
}

void OnlineChecker::blame(const std::vector<DynamicOrder::Hop>& cycle) {
  violation_.emplace();
  for (const DynamicOrder::Hop& hop : cycle) {
    const Told& told = told_[hop.from.slot];
    if (told.kind != OnlineKind::join) violation_->steps.push_back({told.kind, told.access, told.version, hop.reason});
  }
}

/// sc need not ask: its program order is an order of all accesses of a thread.
void OnlineChecker::check_location(const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version,
                                   Node node) {
  if (options_.model == OnlineModel::sc || violation_) return;
  const bool is_write = told_[node.slot].kind != OnlineKind::read;
  const auto cycle =
      coherence_.add(access.thread, access.line, {access.step, bytes, version, is_write, access.strong, node},
                     lines_[access.line], order_);
  if (!cycle.empty()) blame(cycle);
}

/// `sources`: the writes of which a read saw some of the bytes. What its CTA writes behind a barrier it cannot see.
void OnlineChecker::check_phases(const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version,
                                 Node node, const std::vector<Node>& sources) {
  if (options_.model == OnlineModel::sc || violation_ || access.when.group == 0) return;
  const bool is_write = told_[node.slot].kind != OnlineKind::read;
  marks_.clear();
  for (const Node source : sources) {
    const OnlineAccess& write = told_[source.slot].access;
    if (write.when.group == access.when.group && write.when.phase > access.when.phase)
      return blame({{node, OrderReason::barrier}, {source, OrderReason::reads_from}});
    if (access.strong) marks_.push_back({write.bytes, told_[source.slot].version, false, node, source});
  }
  // Of each byte the newest of them was read.
  std::sort(marks_.begin(), marks_.end(), [](const auto& a, const auto& b) { return a.version > b.version; });
  base::ByteMask left = bytes;
  for (PhaseCoherence::Mark& mark : marks_) {
    const base::ByteMask mine = mark.bytes & left;
    left -= mine;
    mark.bytes = told_[mark.source.slot].access.strong ? mine : base::ByteMask();
  }
  const auto cycle = phases_.add(access.when, access.line, {bytes, version, is_write, node}, marks_, order_);
  if (!cycle.empty()) blame(cycle);
}

OnlineChecker::Thread& OnlineChecker::thread_of(std::uint32_t thread) {
  const auto [found, is_new] = threads_.try_emplace(thread);
  if (is_new) found->second.before = start_;
  return found->second;
}

void OnlineChecker::collect(Thread& thread, std::vector<Node>& nodes) {
  for (const Node node : thread.open) {
    if (order_.knows(node)) nodes.push_back(node);
  }
  if (order_.knows(thread.before)) nodes.push_back(thread.before);
}

/// A node behind everything that the thread has done since `before`.
OnlineChecker::Node OnlineChecker::close(Thread& thread, OnlineKind kind, const OnlineAccess& access) {
  const Node node = add(kind, access);
  const OrderReason reason = kind == OnlineKind::fence ? OrderReason::fence : OrderReason::program_order;
  for (const Node earlier : thread.open) insert(earlier, node, reason);
  insert(thread.before, node, reason);
  thread.open.clear();
  return node;
}

void OnlineChecker::order_in_thread(Node node, const OnlineAccess& access) {
  Thread& thread = thread_of(access.thread);
  if (options_.model == OnlineModel::sc) {
    if (access.step < thread.step)
      throw base::ModelError(
          fmt::format("thread {} performs step {} behind step {}, which sequential consistency "
                      "does not let happen",
                      access.thread, access.step, thread.step));
    if (access.step > thread.step && !thread.open.empty()) {
      if (thread.open.size() == 1) {
        thread.before = thread.open.front();
        thread.open.clear();
      } else {
        thread.before = close(thread, OnlineKind::join, access);
      }
    }
  } else if (thread.open.size() >= thread.tidy) {
    thread.open.erase(
        std::remove_if(thread.open.begin(), thread.open.end(), [this](Node open) { return !order_.knows(open); }),
        thread.open.end());
    thread.tidy = std::max<std::size_t>(64, thread.open.size() * 2);
  }
  thread.step = std::max(thread.step, access.step);
  insert(thread.before, node, options_.model == OnlineModel::sc ? OrderReason::program_order : OrderReason::fence);
  thread.open.push_back(node);
}

LineVersion OnlineChecker::perform(OnlineKind kind, const OnlineAccess& access, std::uint64_t early) {
  if (violation_) return 0;
  ++(kind == OnlineKind::write ? counts_.writes : counts_.atomics);
  Node node;
  std::vector<Early::Reader> readers;
  if (const auto found = early == 0 ? early_.end() : early_.find(early); found != early_.end()) {
    node = found->second.node;
    readers = std::move(found->second.readers);
    early_.erase(found);
    if (order_.knows(node))
      told_[node.slot] = {kind, access, 0, false};
    else
      counts_.not_judged += readers.size();
  }
  if (!order_.knows(node)) node = add(kind, access);
  order_in_thread(node, access);

  LineRecord& line = lines_[access.line];
  const LineVersion version = line.write(access.bytes, node, access.strong, order_, predecessors_);
  told_[node.slot].version = version;
  const OrderReason reason = kind == OnlineKind::write ? OrderReason::coherence_order : OrderReason::reads_from;
  for (const Node write : predecessors_.writes) insert(write, node, reason);
  for (const Node reader : predecessors_.readers) insert(reader, node, OrderReason::from_reads);
  check_location(access, access.bytes, version, node);
  check_phases(access, access.bytes, version, node, {});
  for (const Early::Reader& reader : readers) {
    line.add_reader(reader.access.thread, reader.access.step, reader.access.bytes & access.bytes, reader.node, order_);
    if (order_.knows(reader.node))
      check_phases(reader.access, reader.access.bytes & access.bytes, version, reader.node, {node});
  }
  slide();
  return version;
}

void OnlineChecker::read(const OnlineAccess& access, const std::vector<ReadPart>& parts) {
  if (violation_) return;
  ++counts_.reads;
  const Node node = add(OnlineKind::read, access);
  order_in_thread(node, access);
  bool judged = true;
  for (const ReadPart& part : parts) {
    if (part.early != 0) {
      Early& early = early_[part.early];
      if (!order_.knows(early.node)) {
        counts_.not_judged += early.readers.size();  // their write was forgotten before it was performed
        early.node = add(OnlineKind::write, {0, 0, access.line, part.bytes, 0});
        told_[early.node.slot].early = true;
      }
      insert(early.node, node, OrderReason::reads_from);
      OnlineAccess of_part = access;
      of_part.bytes = part.bytes;
      early.readers.push_back({of_part, node});
      continue;
    }
    LineRecord& line = lines_[access.line];
    told_[node.slot].version = std::max(told_[node.slot].version, part.version);
    line.find(part.bytes, part.version, order_, neighbours_);
    judged = judged && neighbours_.complete;
    for (const Node source : neighbours_.sources) insert(source, node, OrderReason::reads_from);
    for (const Node next : neighbours_.next) insert(node, next, OrderReason::from_reads);
    if (!neighbours_.newest.empty()) line.add_reader(access.thread, access.step, neighbours_.newest, node, order_);
    check_location(access, part.bytes, part.version, node);
    check_phases(access, part.bytes, part.version, node, neighbours_.sources);
  }
  if (!judged) ++counts_.not_judged;
  slide();
}

void OnlineChecker::fence(const OnlineAccess& access) {
  if (violation_ || options_.model == OnlineModel::sc) return;
  ++counts_.fences;
  Thread& thread = thread_of(access.thread);
  thread.before = close(thread, OnlineKind::fence, access);
  thread.step = std::max(thread.step, access.step);
  slide();
}

void OnlineChecker::end_thread(std::uint32_t thread) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  collect(found->second, ended_);
  threads_.erase(found);
  if (ended_.size() < tidy_ended_) return;
  ended_.erase(std::remove_if(ended_.begin(), ended_.end(), [this](Node node) { return !order_.knows(node); }),
               ended_.end());
  tidy_ended_ = std::max<std::size_t>(1024, ended_.size() * 2);
}

void OnlineChecker::boundary() {
  if (violation_) return;
  for (auto& [number, thread] : threads_) collect(thread, ended_);
  threads_.clear();
  const Node node = add(OnlineKind::join, {});
  for (const Node last : ended_) insert(last, node, OrderReason::program_order);
  insert(start_, node, OrderReason::program_order);
  ended_.clear();
  start_ = node;
}

/// Forgets what no longer fits into the window, and now and then the lines that nothing is known about.
void OnlineChecker::slide() {
  counts_.peak_accesses = std::max(counts_.peak_accesses, order_.size());
  while (order_.size() > options_.window) {
    const Node first = order_.first();
    // Who names a write before it is performed means to tell of it; but nobody waits for ever.
    if (told_[first.slot].early && order_.size() <= 2 * options_.window) break;
    order_.forget_first();
  }
  if (++since_sweep_ < options_.window) return;
  since_sweep_ = 0;
  counts_.peak_lines = std::max(counts_.peak_lines, lines_.size());
  coherence_.forget(order_);
  phases_.forget(order_);
  for (auto line = lines_.begin(); line != lines_.end();)
    line = line->second.forget(order_) ? lines_.erase(line) : std::next(line);
}

}  // namespace syncline::consistency
