#include "protocols/transactions/serializability.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::protocols::transactions {

Serializability::Written* Serializability::Record::find(Version version) {
  const Version first = versions.front().version;
  return version < first ? nullptr : &versions[version - first];
}

Serializability::Slot Serializability::slot_of(Id id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) throw base::ModelError(fmt::format("transaction {} does something and does not run", id));
  return found->second;
}

void Serializability::begin(Id id) {
  if (by_id_.count(id) != 0) throw base::ModelError(fmt::format("transaction {} begins and runs already", id));
  if (free_.empty()) {
    free_.push_back(static_cast<Slot>(nodes_.size()));
    nodes_.emplace_back();
  }
  const Slot slot = free_.back();
  free_.pop_back();
  Node& node = nodes_[slot];
  node.id = id;
  node.begun = ++now_;
  by_id_[id] = slot;
  running_[now_] = slot;
  counts_.peak = std::max(counts_.peak, remembered());
  if (remembered() > options_.window) make_room();
}

/// A quarter of those that have ended, the oldest.
void Serializability::make_room() {
  std::vector<std::pair<std::uint64_t, Slot>> ended;
  for (Slot slot = 0; slot < nodes_.size(); ++slot) {
    if (nodes_[slot].committed) ended.emplace_back(nodes_[slot].ended, slot);
  }
  std::sort(ended.begin(), ended.end());
  ended.resize((ended.size() + 3) / 4);
  for (const auto& [when, slot] : ended) {
    if (nodes_[slot].committed && nodes_[slot].ended == when) forget(slot);
  }
}

Serializability::Version Serializability::version(Word word) const {
  const auto found = words_.find(word);
  return found == words_.end() ? 0 : found->second.versions.back().version;
}

void Serializability::read(Id id, Word word, Version version) {
  if (version > this->version(word)) throw base::ModelError(fmt::format("transaction {} reads what nobody wrote", id));
  nodes_[slot_of(id)].reads.push_back({word, version});
}

Serializability::Version Serializability::write(Id id, Word word) {
  const Slot slot = slot_of(id);
  Record& record = words_[word];
  const Written before = record.versions.back();
  record.versions.push_back({before.version + 1, slot, {}});
  nodes_[slot].writes.push_back({word, before.version + 1});
  connect(before.writer, slot, Reason::overwrites, word);
  for (const Slot reader : before.readers) connect(reader, slot, Reason::read_before, word);
  search(slot);
  return before.version + 1;
}

void Serializability::connect(Slot from, Slot to, Reason reason, Word word) {
  if (from == nobody || to == nobody || from == to) return;
  nodes_[from].out.push_back({to, nodes_[to].life, reason, word});
  ++nodes_[to].in;
}

void Serializability::commit(Id id) {
  const Slot slot = slot_of(id);
  const std::vector<Touch> reads = nodes_[slot].reads;
  for (const Touch& read : reads) note_read(slot, read);
  search(slot);
  Node& node = nodes_[slot];
  node.committed = true;
  node.ended = ++now_;
  running_.erase(node.begun);
  by_id_.erase(id);
  ended_.emplace_back(slot, node.life);
  ++counts_.committed;
  close();
}

void Serializability::note_read(Slot reader, const Touch& read) {
  Record& record = words_[read.word];
  if (Written* const read_version = record.find(read.version)) {
    connect(read_version->writer, reader, Reason::reads_from, read.word);
    if (read_version->readers.empty() || read_version->readers.back() != reader)
      read_version->readers.push_back(reader);
  }
  if (read.version == record.versions.back().version) return;
  // Of a version before the oldest that is remembered the next one is older, too.
  const Written* const next = record.find(read.version + 1);
  const Slot writer = next != nullptr ? next->writer : nobody;
  if (writer != nobody) connect(reader, writer, Reason::read_before, read.word);
  const bool is_gone = writer == nobody;
  if (is_gone && read.version < record.lost) {
    ++counts_.not_judged;
  } else if (is_gone || (nodes_[writer].committed && nodes_[writer].ended < nodes_[reader].begun)) {
    const Id id = nodes_[reader].id;
    report(Fault::stale_read, {{id, id, Reason::read_before, read.word}});
  }
}

void Serializability::abort(Id id) {
  const Slot slot = slot_of(id);
  Node& node = nodes_[slot];
  if (!node.writes.empty()) report(Fault::aborted_writes, {{id, id, Reason::overwrites, node.writes.front().word}});
  running_.erase(node.begun);
  by_id_.erase(id);
  node.reads.clear();  // no record has heard of them
  ++counts_.aborted;
  forget(slot);
  close();
}

/// All cycles that there are now and were not before lead through `start`.
void Serializability::search(Slot start) {
  if (violation_ || nodes_[start].out.empty() || nodes_[start].in == 0) return;
  ++search_;
  std::vector<Slot> work{start};
  while (!work.empty()) {
    const Slot at = work.back();
    work.pop_back();
    for (std::size_t e = 0; e < nodes_[at].out.size(); ++e) {
      const Edge& edge = nodes_[at].out[e];
      Node& to = nodes_[edge.to];
      if (to.life != edge.life || to.seen == search_) continue;
      to.seen = search_;
      to.from = at;
      to.edge = e;
      work.push_back(edge.to);
      if (edge.to != start) continue;
      std::vector<Step> steps;
      Slot back = start;
      do {
        const Node& node = nodes_[back];
        const Edge& by = nodes_[node.from].out[node.edge];
        steps.push_back({nodes_[node.from].id, node.id, by.reason, by.word});
        back = node.from;
      } while (back != start);
      std::reverse(steps.begin(), steps.end());
      return report(Fault::cycle, std::move(steps));
    }
  }
}

void Serializability::report(Fault fault, std::vector<Step> steps) {
  if (!violation_) violation_ = Violation{fault, std::move(steps)};
}

/// Transactions that have outlived all those that ran beside them get no new predecessors; those of them that have none
/// are forgotten, and so are those then that had no others.
void Serializability::close() {
  const std::uint64_t first = running_.empty() ? now_ + 1 : running_.begin()->first;
  while (!ended_.empty()) {
    const auto [slot, life] = ended_.front();
    Node& node = nodes_[slot];
    if (node.life == life) {
      if (node.ended > first) return;
      node.closed = true;
      if (node.in == 0) forget(slot);
    }
    ended_.pop_front();
  }
}

void Serializability::forget(Slot slot) {
  std::vector<Slot> work{slot};
  while (!work.empty()) {
    const Slot at = work.back();
    work.pop_back();
    for (const Edge& edge : nodes_[at].out) {
      Node& to = nodes_[edge.to];
      if (to.life == edge.life && --to.in == 0 && to.closed) work.push_back(edge.to);
    }
    forget_in_records(at);
    release(at);
  }
}

void Serializability::forget_in_records(Slot slot) {
  const Node& node = nodes_[slot];
  for (const Touch& write : node.writes) {
    Record& record = words_[write.word];
    record.find(write.version)->writer = nobody;
    if (!node.closed) record.lost = std::max(record.lost, write.version);
    prune(write.word);
  }
  for (const Touch& read : node.reads) {
    const auto record = words_.find(read.word);
    if (record == words_.end()) continue;
    if (Written* const version = record->second.find(read.version)) {
      auto& readers = version->readers;
      readers.erase(std::remove(readers.begin(), readers.end(), slot), readers.end());
    }
    prune(read.word);
  }
}

/// Versions that no edge can come from any more, in front, and words that nobody has written.
void Serializability::prune(Word word) {
  auto& versions = words_[word].versions;
  auto left = versions.begin();
  while (left + 1 != versions.end() && left->writer == nobody && left->readers.empty() && (left + 1)->writer == nobody)
    ++left;
  versions.erase(versions.begin(), left);
  const Written& last = versions.back();
  if (last.version == 0 && last.readers.empty()) words_.erase(word);
}

void Serializability::release(Slot slot) {
  Node& node = nodes_[slot];
  const std::uint32_t life = node.life + 1;
  node = Node{};
  node.life = life;
  free_.push_back(slot);
}

std::string text_of(const Serializability::Violation& violation,
                    const std::function<std::string(Serializability::Id)>& transaction,
                    const std::function<std::string(Serializability::Word)>& word) {
  using Fault = Serializability::Fault;
  using Reason = Serializability::Reason;
  const Serializability::Step& first = violation.steps.front();
  if (violation.fault == Fault::stale_read)
    return fmt::format("{} reads {} as it was before it began", transaction(first.from), word(first.word));
  if (violation.fault == Fault::aborted_writes)
    return fmt::format("{} aborts, and {} holds what it has written", transaction(first.from), word(first.word));
  std::string text("not serializable: ");
  for (const Serializability::Step& step : violation.steps) {
    const std::string name = word(step.word);
    const char* const before = step.reason == Reason::read_before ? "reads" : "writes";
    const char* const after = step.reason == Reason::reads_from ? "reads it" : "overwrites it";
    text += fmt::format("{}{} {} {}, {} {}", &step == &first ? "" : "; ", transaction(step.from), before, name,
                        transaction(step.to), after);
  }
  return text;
}

}  // namespace syncline::protocols::transactions
