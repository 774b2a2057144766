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
  Told& told = told_[node.slot];
  told = {};  // `access` is nobody's in here
  told.kind = kind;
  told.access = access;
  return node;
}

/// A node that was split, and what was split off from it, as far as it is remembered.
template <class Visit>
void OnlineChecker::for_each_part(Node node, Visit&& visit) {
  while (order_.knows(node)) {
    const Node next = told_[node.slot].next_part;
    visit(node);
    node = next;
  }
}

/// Between all parts of two nodes that share some of the bytes.
void OnlineChecker::insert(Node from, Node to, OrderReason reason, const base::ByteMask& bytes) {
  for_each_part(from, [&](Node a) {
    for_each_part(to, [&](Node b) {
      if (!violation_) insert_part(a, b, reason, bytes);
    });
  });
}

void OnlineChecker::insert_part(Node from, Node to, OrderReason reason, const base::ByteMask& bytes) {
  base::ByteMask common;
  if (is_of_bytes(reason)) {
    common = bytes & told_[from.slot].access.bytes & told_[to.slot].access.bytes;
    if (common.empty()) return;
  }
  if (order_.insert(from, to, reason, common) != DynamicOrder::Insertion::cycle) return;
  const DynamicOrder::Cut cut = order_.cut();
  if (!order_.knows(cut.node)) return blame(order_.cycle());
  split(cut);
  insert(from, to, reason, common);
}

/// The node keeps the bytes by which it was reached; a new one stands for the others.
void OnlineChecker::split(const DynamicOrder::Cut& cut) {
  const Node other = order_.split(cut.node, cut.reached);
  if (told_.size() < order_.capacity()) told_.resize(order_.capacity());
  Told& kept = told_[cut.node.slot];
  Told& split_off = told_[other.slot] = kept;
  split_off.access.bytes -= cut.reached;
  kept.access.bytes = kept.access.bytes & cut.reached;
  kept.next_part = other;
}

void OnlineChecker::blame(const std::vector<DynamicOrder::Hop>& cycle) {
  if (violation_) return;
  violation_.emplace();
  for (const DynamicOrder::Hop& hop : cycle) {
    const Told& told = told_[hop.from.slot];
    if (told.kind != OnlineKind::join) violation_->steps.push_back({told.kind, told.access, told.version, hop.reason});
  }
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
  if (options_.model == OnlineModel::sc) {
    order_at_barriers(thread, node, access.step);
    insert(thread.before, node, OrderReason::program_order);
    told_[node.slot].fence = thread.before;
  } else {
    told_[node.slot].fence = order_at_fences(thread, node, access.step);
  }
  thread.open.push_back(node);
}

/// wo: the last fence before the access, which comes behind it, and before the next one if that has been told.
OnlineChecker::Node OnlineChecker::order_at_fences(const Thread& thread, Node node, std::uint64_t step) {
  Node before = thread.fences.empty() ? thread.before : thread.fences.back().second;
  auto next = thread.fences.end();
  while (next != thread.fences.begin() && (next - 1)->first > step) --next;
  if (next != thread.fences.end()) {
    before = next == thread.fences.begin() ? start_ : (next - 1)->second;
    insert(node, next->second, OrderReason::fence);
  }
  insert(before, node, OrderReason::fence);
  return before;
}

/// sc: an access that may be told after its thread has come to barriers, and left them. Steps do not descend.
void OnlineChecker::order_at_barriers(Thread& thread, Node node, std::uint64_t step) {
  std::vector<std::pair<std::uint64_t, Node>>&arrived = thread.arrived, &left = thread.left;
  arrived.erase(arrived.begin(), std::find_if(arrived.begin(), arrived.end(),
                                              [step](const auto& barrier) { return barrier.first >= step; }));
  for (const auto& [behind, barrier] : arrived) insert(node, barrier, OrderReason::synchronization);
  const auto next =
      std::find_if(left.begin(), left.end(), [step](const auto& barrier) { return barrier.first >= step; });
  if (next == left.begin()) return;
  left.erase(left.begin(), next - 1);
  insert(left.front().second, node, OrderReason::synchronization);
}

OnlineChecker::Arrival OnlineChecker::arrive(const Synchronization::Place& place) {
  if (violation_ || options_.model != OnlineModel::sc) return {place};
  Thread& thread = thread_of(place.thread);
  const Node node = add(OnlineKind::join, {});
  for (const Node open : thread.open) insert(open, node, OrderReason::synchronization);
  insert(thread.before, node, OrderReason::synchronization);
  if (!thread.left.empty()) insert(thread.left.back().second, node, OrderReason::synchronization);
  thread.arrived.emplace_back(place.step, node);
  slide();
  return {place, node};
}

OnlineChecker::Meeting OnlineChecker::meet(const std::vector<Arrival>& arrived) {
  if (violation_) return {};
  if (options_.model == OnlineModel::wo) {
    std::vector<Synchronization::Place> places;
    places.reserve(arrived.size());
    for (const Arrival& arrival : arrived) places.push_back(arrival.place);
    return {threads_know_.meet(places)};
  }
  const Node node = add(OnlineKind::join, {});
  for (const Arrival& arrival : arrived) insert(arrival.node, node, OrderReason::synchronization);
  return {{}, node};
}

LineVersion OnlineChecker::perform(OnlineKind kind, const OnlineAccess& access, std::uint64_t early) {
  if (violation_) return 0;
  ++(kind == OnlineKind::write ? counts_.writes : counts_.atomics);
  const Node node = add(kind, access);
  order_in_thread(node, access);

  LineRecord& line = lines_[access.line];
  const LineVersion version = line.write(access.bytes, node, order_, predecessors_);
  told_[node.slot].version = version;
  const OrderReason reason = kind == OnlineKind::write ? OrderReason::coherence_order : OrderReason::reads_from;
  for (const auto& [write, bytes] : predecessors_.writes) insert(write, node, reason, bytes);
  for (const auto& [reader, bytes] : predecessors_.readers) insert(reader, node, OrderReason::from_reads, bytes);
  if (options_.model == OnlineModel::wo) judge_write(node, access, version);
  if (early != 0) announced_.erase(early);
  if (const auto found = early == 0 ? early_.end() : early_.find(early); found != early_.end()) {
    const std::vector<EarlyReader> readers = std::move(found->second);
    early_.erase(found);
    for (const EarlyReader& reader : readers) read_early(reader, node, version);
  }
  slide();
  return version;
}

/// The write that a read has seen before it was performed is performed now.
void OnlineChecker::read_early(const EarlyReader& reader, Node write, LineVersion version) {
  if (violation_) return;
  if (!order_.knows(reader.node)) {
    ++counts_.not_judged;
    return;
  }
  const OnlineAccess& access = reader.access;
  told_[reader.node.slot].version = std::max(told_[reader.node.slot].version, version);
  read_from(write, reader.node, access.bytes);
  lines_[access.line].add_reader(access.thread, access.step, access.bytes, reader.node, order_);
  if (options_.model == OnlineModel::wo)
    judge_read(reader.node, access, access.bytes, version, {{write, access.bytes}});
}

void OnlineChecker::read(const OnlineAccess& access, const std::vector<ReadPart>& parts) {
  if (violation_) return;
  ++counts_.reads;
  const Node node = add(OnlineKind::read, access);
  order_in_thread(node, access);
  bool judged = true;
  for (const ReadPart& part : parts) {
    if (part.early != 0) {
      early_[part.early].push_back({access, node});
      early_[part.early].back().access.bytes = part.bytes;
      if (options_.model == OnlineModel::wo) acquire(access, part.bytes, observed_early(access, part.early));
      continue;
    }
    LineRecord& line = lines_[access.line];
    told_[node.slot].version = std::max(told_[node.slot].version, part.version);
    line.find(part.bytes, part.version, order_, neighbours_);
    judged = judged && neighbours_.complete;
    for (const auto& [source, bytes] : neighbours_.sources) read_from(source, node, bytes);
    for (const auto& [next, bytes] : neighbours_.next) insert(node, next, OrderReason::from_reads, bytes);
    if (!neighbours_.newest.empty()) line.add_reader(access.thread, access.step, neighbours_.newest, node, order_);
    if (options_.model == OnlineModel::wo) judge_read(node, access, part.bytes, part.version, neighbours_.sources);
  }
  if (!judged) ++counts_.not_judged;
  slide();
}

/// Under wo a read that is not morally strong with the write knows that the write has been issued, and no more: it
/// comes behind what its thread did before the last fence, but not behind the write's place among those to the
/// location. So it is ordered behind a stand-in of the write that only the fence comes before.
void OnlineChecker::read_from(Node write, Node reader, const base::ByteMask& bytes) {
  if (options_.model == OnlineModel::sc || is_observed(told_[write.slot].access, told_[reader.slot].access))
    return insert(write, reader, OrderReason::reads_from, bytes);
  if (!order_.knows(told_[write.slot].fence)) return;
  if (!order_.knows(told_[write.slot].stand_in)) {
    OnlineAccess access = told_[write.slot].access;
    access.bytes = base::ByteMask::all(base::max_line_bytes);
    const Node stand_in = add(told_[write.slot].kind, access);
    told_[stand_in.slot].version = told_[write.slot].version;
    told_[write.slot].stand_in = stand_in;
    insert(told_[write.slot].fence, stand_in, OrderReason::fence);
  }
  insert(told_[write.slot].stand_in, reader, OrderReason::reads_from, bytes);
}

void OnlineChecker::fence(const OnlineAccess& access, bool orders_all) {
  if (violation_ || options_.model == OnlineModel::sc) return;
  ++counts_.fences;
  threads_know_.fence({access.thread, access.step}, access.manner);
  if (!orders_all) return;
  Thread& thread = thread_of(access.thread);
  thread.before = close(thread, OnlineKind::fence, access);
  thread.step = std::max(thread.step, access.step);
  constexpr std::size_t fences_remembered = 8;
  if (thread.fences.size() == fences_remembered) thread.fences.erase(thread.fences.begin());
  thread.fences.emplace_back(access.step, thread.before);
  slide();
}

void OnlineChecker::leave(const Synchronization::Place& place, const Meeting& meeting) {
  if (options_.model == OnlineModel::wo) return threads_know_.leave(place, meeting.known);
  if (!violation_) thread_of(place.thread).left.emplace_back(place.step, meeting.node);
}

void OnlineChecker::end_thread(std::uint32_t thread) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  collect(found->second, ended_);
  threads_.erase(found);
  threads_know_.end_thread(thread);
  if (ended_.size() < tidy_ended_) return;
  ended_.erase(std::remove_if(ended_.begin(), ended_.end(), [this](Node node) { return !order_.knows(node); }),
               ended_.end());
  tidy_ended_ = std::max<std::size_t>(1024, ended_.size() * 2);
}

void OnlineChecker::boundary() {
  if (violation_) return;
  for (auto& [number, thread] : threads_) collect(thread, ended_);
  threads_.clear();
  threads_know_.clear();
  coherence_.clear();
  const Node node = add(OnlineKind::join, {});
  for (const Node last : ended_) insert(last, node, OrderReason::program_order);
  insert(start_, node, OrderReason::program_order);
  ended_.clear();
  start_ = node;
}

/// Forgets what no longer fits into the window, and now and then the lines that nothing is known about.
void OnlineChecker::slide() {
  counts_.peak_accesses = std::max(counts_.peak_accesses, order_.size());
  while (order_.size() > options_.window) order_.forget_first();
  if (++since_sweep_ < options_.window) return;
  since_sweep_ = 0;
  counts_.peak_lines = std::max(counts_.peak_lines, lines_.size());
  coherence_.forget(order_);
  for (auto line = lines_.begin(); line != lines_.end();)
    line = line->second.forget(order_) ? lines_.erase(line) : std::next(line);
  for (auto early = early_.begin(); early != early_.end();) {
    const std::vector<EarlyReader>& readers = early->second;
    if (std::any_of(readers.begin(), readers.end(), [this](const auto& reader) { return order_.knows(reader.node); })) {
      ++early;
      continue;
    }
    counts_.not_judged += readers.size();
    early = early_.erase(early);
  }
}

}  // namespace syncline::consistency
