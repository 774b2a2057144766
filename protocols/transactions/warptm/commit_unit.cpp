#include "protocols/transactions/warptm/commit_unit.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::warptm {
namespace {

constexpr std::uint64_t sector_words = 8;  ///< that are written at once: 32 bytes

void add_lanes(Entry& entry, const std::vector<LoggedWord>& words) {
  for (const LoggedWord& word : words) entry.lanes |= base::lane_bit(word.lane);
}

}  // namespace

Entry& CommitUnit::known(Ticket ticket) {
  if (ticket < retired_ || at(ticket) == nullptr)
    throw base::ModelError("a commit unit hears of a commit ID that it does not hold");
  return *at(ticket);
}

void CommitUnit::receive(const Packet& packet) {
  if (packet.ticket < retired_ || packet.ticket >= retired_ + capacity_)
    throw base::ModelError("a commit unit has no room for the commit ID of a packet");
  while (at(packet.ticket) == nullptr) ring_.emplace_back();
  Entry& entry = *at(packet.ticket);
  entry.warp = packet.warp;
  if (packet.skip) {
    machine_->perform(stimulus(Event::Skip, packet.ticket), entry);
    return;
  }
  const Effect effect = machine_->perform(stimulus(Event::Log, packet.ticket), entry);
  if (effect.samples) entry.retired = retired_;
  if (effect.takes) {
    entry.reads.insert(entry.reads.end(), packet.reads.begin(), packet.reads.end());
    entry.writes.insert(entry.writes.end(), packet.writes.begin(), packet.writes.end());
    add_lanes(entry, packet.reads);
    add_lanes(entry, packet.writes);
    entry.reading += static_cast<std::uint32_t>(packet.reads.size());
    ask(packet.ticket, packet.reads);
  }
  if (packet.last) machine_->perform(stimulus(Event::Done, packet.ticket), entry);
}

void CommitUnit::ask(Ticket ticket, const std::vector<LoggedWord>& reads) {
  for (const LoggedWord& read : reads) to_read_.push_back({ticket, read});
}

CommitUnit::Read CommitUnit::next_read() {
  if (to_read_.empty()) throw base::ModelError("a commit unit has nothing to read");
  const Read read = to_read_.front();
  to_read_.pop_front();
  return read;
}

bool CommitUnit::answer(const Read& read, std::uint32_t value) {
  Entry& entry = known(read.ticket);
  const Effect effect = machine_->perform(stimulus(Event::Answer, read.ticket), entry);
  if (entry.reading == 0) throw base::ModelError("a commit unit is answered what it has not asked");
  --entry.reading;
  const bool same = ((value ^ read.expected.value) & transactions::bits_of(read.expected.bytes)) == 0;
  if (effect.compares && !same) entry.failed |= base::lane_bit(read.expected.lane);
  return same;
}

std::optional<CommitUnit::Detected> CommitUnit::detect() {
  while (at(to_detect_) != nullptr && at(to_detect_)->state == State::retired) ++to_detect_;
  Entry* const entry = at(to_detect_);
  if (entry == nullptr || entry->state != State::filled) return std::nullopt;
  const Effect effect = machine_->perform(stimulus(Event::Detect, to_detect_), *entry);
  if (effect.looks_up) look_up(to_detect_, *entry);
  if (effect.notes) {
    for (const LoggedWord& write : entry->writes) history_.note(write.word, to_detect_);
  }
  ++to_detect_;
  return Detected{static_cast<std::uint32_t>(entry->reads.size()), static_cast<std::uint32_t>(entry->writes.size()),
                  entry->writer != 0};
}

void CommitUnit::look_up(Ticket ticket, Entry& entry) {
  for (const LoggedWord& read : entry.reads) {
    const Ticket writer = history_.last(read.word);
    if (writer >= ticket) throw base::ModelError("a commit ID is to write before one behind it has been looked at");
    if (writer >= entry.retired) entry.writer = std::max(entry.writer, writer);
  }
}

std::optional<CommitUnit::Passed> CommitUnit::pass() {
  while (to_pass_ < to_detect_ && at(to_pass_)->state == State::retired) ++to_pass_;
  if (to_pass_ >= to_detect_) return std::nullopt;
  Entry& entry = *at(to_pass_);
  const Effect effect = machine_->perform(stimulus(Event::Pass, to_pass_), entry);
  if (effect.waits) return std::nullopt;
  if (effect.reads) {
    entry.writer = 0;
    entry.reading = static_cast<std::uint32_t>(entry.reads.size());
    ask(to_pass_, entry.reads);
  }
  if (!effect.replies) return Passed{};
  return Passed{Reply{to_pass_++, entry.warp, entry.failed}};
}

void CommitUnit::decide(const Outcome& outcome) {
  Entry& entry = known(outcome.ticket);
  EntryMachine::Stimulus stimulus = this->stimulus(Event::Outcome, outcome.ticket);
  stimulus.commits = outcome.commits;
  if (!machine_->perform(stimulus, entry).keeps) return;
  const auto gone = std::remove_if(entry.writes.begin(), entry.writes.end(), [&outcome](const LoggedWord& word) {
    return !base::has_lane(outcome.commits, word.lane);
  });
  entry.writes.erase(gone, entry.writes.end());
}

Ticket CommitUnit::writer() const {
  for (Ticket ticket = to_write_; ticket < to_pass_; ++ticket) {
    const Entry& entry = this->entry(ticket);
    if (entry.state == State::commit_ready) return ticket;
    const bool is_over = entry.state == State::commit_sent || entry.state == State::retired;
    if (!is_over && turn_ == Turn::by_ticket) break;
  }
  return 0;
}

CommitUnit::Write CommitUnit::next_write() {
  const Ticket ticket = writer();
  if (ticket == 0) throw base::ModelError("a commit unit has nothing to write");
  if (turn_ == Turn::by_ticket) to_write_ = ticket;
  Entry& entry = *at(ticket);
  if (entry.written >= entry.writes.size()) throw base::ModelError("a commit ID is to write more than it has");
  Write write{ticket, entry.warp, {}};
  if (entry.written == 0 && coalesces_) {
    std::stable_sort(entry.writes.begin(), entry.writes.end(),
                     [](const LoggedWord& a, const LoggedWord& b) { return a.word < b.word; });
  }
  const auto first = entry.writes.begin() + entry.written;
  auto last = first + 1;
  while (coalesces_ && last != entry.writes.end() && last->word / sector_words == first->word / sector_words) ++last;
  EntryMachine::Stimulus stimulus = this->stimulus(Event::Write, ticket);
  stimulus.words = static_cast<std::uint32_t>(last - first);
  const Effect effect = machine_->perform(stimulus, entry);
  if (effect.writes) write.words.assign(first, last);
  entry.written += stimulus.words;
  entry.to_answer += stimulus.words;
  return write;
}

bool CommitUnit::acknowledge(const Write& write) {
  Entry& entry = known(write.ticket);
  EntryMachine::Stimulus stimulus = this->stimulus(Event::Ack, write.ticket);
  stimulus.words = static_cast<std::uint32_t>(write.words.size());
  const Effect effect = machine_->perform(stimulus, entry);
  if (stimulus.words > entry.to_answer) throw base::ModelError("memory has written what it was not told");
  if (effect.counts) entry.to_answer -= stimulus.words;
  return effect.completes;
}

bool CommitUnit::retire() {
  if (ring_.empty() || ring_.front().state != State::retired) return false;
  ring_.pop_front();
  ++retired_;
  to_detect_ = std::max(to_detect_, retired_);
  to_pass_ = std::max(to_pass_, retired_);
  to_write_ = std::max(to_write_, retired_);
  return true;
}

Ticket CommitUnit::oldest_that_matters() const {
  Ticket oldest = retired_;
  for (const Entry& entry : ring_) {
    if (entry.state == State::fill || entry.state == State::filled) oldest = std::min(oldest, entry.retired);
  }
  return oldest;
}

void CommitUnit::encode(Encoder& to) const {
  history_.encode(to);
  to.put(ring_.size());
  for (const Entry& entry : ring_) entry.encode(to);
  for (const Ticket pointer : {retired_, to_detect_, to_pass_, to_write_}) to.ticket(pointer);
  to.put(to_read_.size());
  for (const Read& read : to_read_) {
    to.ticket(read.ticket);
    to.word(read.expected);
  }
}

}  // namespace syncline::protocols::warptm
