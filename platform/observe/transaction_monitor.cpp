#include "platform/observe/transaction_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "models/transactions/lane_words.h"
#include "platform/observe/warp_name.h"

namespace syncline::platform {
namespace {

constexpr unsigned word_bytes = 4;

std::uint32_t bits_of(std::uint8_t bytes) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < word_bytes; ++i) bits |= (bytes >> i & 1U) != 0 ? 0xffU << (8 * i) : 0U;
  return bits;
}

/// Words of shared memory have this bit, the number of a CTA of the run, and their place there.
constexpr std::uint64_t is_shared = std::uint64_t{1} << 63;
constexpr unsigned place_bits = 24;

std::string place_of(std::uint64_t word) {
  if ((word & is_shared) == 0) return fmt::format("{:#x}", word * word_bytes);
  return fmt::format("{:#x} of the shared memory of the run's CTA {}", word % (1U << place_bits) * word_bytes,
                     (word & ~is_shared) >> place_bits);
}

}  // namespace

std::size_t TransactionMonitor::Strangers::place(Word word) {
  return base::mix64(word) % (words * 64);
}

TransactionMonitor::TransactionMonitor(const ObserveSpec& spec)
    : window_(spec.transactions_window), order_({spec.transactions_window}) {}

void TransactionMonitor::attach(Gpu& gpu, base::StatisticsRegistry& statistics, const std::string& block, Where where) {
  where_ = std::move(where);
  sms_ = gpu.sms();
  for (unsigned i = 0; i < gpu.partitions(); ++i) gpu.l2(i).line_events.bind(*this);
  const auto gauge = [&](const char* name, const char* unit, const char* description, std::function<double()> value) {
    statistics.add_gauge(block, name, unit, description, std::move(value));
  };
  gauge("committed", "transactions", "held against the order of the others",
        [this] { return static_cast<double>(order_.counts().committed); });
  gauge("aborted", "transactions", "attempts of which memory must hold nothing",
        [this] { return static_cast<double>(order_.counts().aborted); });
  gauge("not_judged", "reads",
        "of committed transactions, of which a writer was forgotten, or of versions that no transaction wrote",
        [this] { return static_cast<double>(order_.counts().not_judged + of_nobody_); });
  gauge("peak", "transactions", "remembered at once, at the most",
        [this] { return static_cast<double>(order_.counts().peak); });
  gauge("values_compared", "reads", "of words whose bytes were held against what memory held",
        [this] { return static_cast<double>(compared_); });
  gauge("values_not_compared", "reads", "of words of which nobody has told the value",
        [this] { return static_cast<double>(not_compared_); });
}

std::string TransactionMonitor::summary() const {
  const Order::Counts& counts = order_.counts();
  return fmt::format("{} committed, {} aborted; at most {} remembered; values of {} reads compared, of {} not",
                     counts.committed, counts.aborted, counts.peak, compared_, not_compared_);
}

std::vector<std::string> TransactionMonitor::left_over() const {
  std::vector<Attempt> attempts;
  attempts.reserve(running_.size());
  for (const auto& [attempt, running] : running_) attempts.push_back(attempt);
  std::sort(attempts.begin(), attempts.end());
  std::vector<std::string> lines;
  lines.reserve(attempts.size());
  for (const Attempt attempt : attempts)
    lines.push_back(describe(attempt) + (running_.at(attempt).committed ? " has committed, and its writes are not over"
                                                                        : " has neither committed nor aborted"));
  return lines;
}

TransactionMonitor::Running& TransactionMonitor::running(Attempt attempt, const char* does) {
  const auto found = running_.find(attempt);
  if (found == running_.end())
    throw base::ModelError(fmt::format("transactions: attempt {} {} and does not run", attempt, does));
  return found->second;
}

TransactionMonitor::Word TransactionMonitor::shared_word(const models::WarpIdentity& warp, std::uint32_t word) const {
  const auto found = newest_.find({warp.sm.value(), warp.cta_slot.value()});
  return is_shared | (found == newest_.end() ? 0 : found->second) << place_bits | word;
}

TransactionMonitor::Attempt TransactionMonitor::running(unsigned sm, unsigned slot, unsigned lane) const {
  const bool known = sm < slots_.size() && slot < slots_[sm].size();
  const Attempt attempt = known ? slots_[sm][slot].attempts.at(lane) : 0;
  if (attempt == 0)
    throw base::ModelError(fmt::format("transactions: lane {} of SM {}, warp slot {}, is in none", lane, sm, slot));
  return attempt;
}

TransactionMonitor::Running& TransactionMonitor::undecided(Attempt attempt, const char* does) {
  Running& one = running(attempt, does);
  if (one.committed)
    throw base::ModelError(fmt::format("transactions: {} {} and has committed", describe(attempt), does));
  return one;
}

TransactionMonitor::SlotState& TransactionMonitor::slot_of(const models::WarpIdentity& warp) {
  if (slots_.size() <= warp.sm.value()) slots_.resize(warp.sm.value() + std::size_t{1});
  std::vector<SlotState>& slots = slots_[warp.sm.value()];
  if (slots.size() <= warp.slot) slots.resize(warp.slot + std::size_t{1});
  return slots[warp.slot];
}

TransactionMonitor::Attempt TransactionMonitor::begun(const models::WarpIdentity& warp, unsigned lane) {
  SlotState& slot = slot_of(warp);
  if (slot.attempts.at(lane) != 0)
    throw base::ModelError(fmt::format("transactions: {} begins again and runs", describe(slot.attempts[lane])));
  const Attempt attempt = ++attempts_;
  slot.attempts[lane] = attempt;
  running_[attempt] = {warp, lane, false, {}, {}};
  names_.push_back({warp, lane, slot.begins[lane]});
  if (names_.size() > window_) names_.pop_front();
  order_.begin(attempt);
  return attempt;
}

TransactionMonitor::Content TransactionMonitor::content_of(Word word) const {
  const auto found = words_.find(word);
  if (found == words_.end() || found->second.phase != phase_) return {};
  return found->second;
}

void TransactionMonitor::note(Running& running, Word word) {
  running.reads.push_back({word, order_.version(word), content_of(word)});
}

void TransactionMonitor::read(Attempt attempt, Word word) {
  note(undecided(attempt, "reads"), word);
}

void TransactionMonitor::asked(Ticket ticket, Attempt attempt, Word word) {
  undecided(attempt, "asks for a word");
  tickets_[ticket].push_back({attempt, word});
}

void TransactionMonitor::will_write(Ticket ticket, Attempt attempt, Word word, std::uint32_t value,
                                    std::uint8_t bytes) {
  running(attempt, "is going to write");
  tickets_[ticket].push_back({attempt, word, value, bytes});
}

/// Of those that have aborted meanwhile nobody gets anything.
void TransactionMonitor::performed(Ticket ticket) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const auto all = std::move(found->second);
  tickets_.erase(found);
  for (const Asked& asked : all) {
    if (asked.bytes != 0) {
      wrote(asked.attempt, asked.word, asked.value, asked.bytes);
      continue;
    }
    const auto reader = running_.find(asked.attempt);
    if (reader != running_.end()) note(reader->second, asked.word);
  }
}

void TransactionMonitor::dropped(Ticket ticket) {
  tickets_.erase(ticket);
}

void TransactionMonitor::value(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes) {
  Running& reader = undecided(attempt, "gets a value");
  const auto unsaid = [&](const Read& one) { return one.word == word && !one.has_value; };
  const auto differs_from = [&](const Content& content) {
    return (value ^ content.value) & bits_of(bytes & content.known);
  };
  const auto first = std::find_if(reader.reads.begin(), reader.reads.end(), unsaid);
  if (first == reader.reads.end())
    throw base::ModelError(fmt::format("transactions: {} gets a value of {}, which was not read for it",
                                       describe(attempt), place_of(word)));
  auto read = std::find_if(first, reader.reads.end(),
                           [&](const Read& one) { return unsaid(one) && differs_from(one.content) == 0; });
  if (read == reader.reads.end()) read = first;
  read->has_value = true;
  const Content& content = read->content;
  const std::uint32_t differs = differs_from(content);
  if (strangers_.has(word)) {
    read->of_nobody = differs != 0;
    ++not_compared_;
    return;
  }
  if (differs != 0) {
    const std::uint32_t shown = bits_of(bytes & content.known);
    throw base::ModelError(fmt::format(
        "the run breaks the values of transactions: {} gets {:#x} for the word at {}, which held {:#x} when it was "
        "read{}",
        describe(attempt), value & shown, place_of(word), content.value & shown,
        content.writer == 0 ? "" : ", written by " + describe(content.writer)));
  }
  ++((bytes & ~content.known) == 0 ? compared_ : not_compared_);
  learn(*read, value, bytes);
}

void TransactionMonitor::again(Attempt attempt, Word word) {
  std::vector<Read>& reads = undecided(attempt, "reads again").reads;
  const auto gone = std::remove_if(reads.begin(), reads.end(),
                                   [word](const Read& read) { return read.word == word && read.has_value; });
  reads.erase(gone, reads.end());
}

/// What was read is what the word holds still, if nobody has written to it since.
void TransactionMonitor::learn(const Read& read, std::uint32_t value, std::uint8_t bytes) {
  if (order_.version(read.word) != read.version) return;
  WordState& state = words_[read.word];
  if (state.phase != phase_) state = {};
  state.phase = phase_;
  const std::uint32_t fresh = bits_of(bytes & static_cast<std::uint8_t>(~state.known));
  state.value = (state.value & ~fresh) | (value & fresh);
  state.known |= bytes;
}

void TransactionMonitor::wrote(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes) {
  running(attempt, "writes");
  order_.write(attempt, word);
  const std::uint32_t bits = bits_of(bytes);
  Content content = content_of(word);
  content.value = (content.value & ~bits) | (value & bits);
  content.known |= bytes;
  content.writer = attempt;
  words_[word] = {content, phase_};
  judge();
}

void TransactionMonitor::changed(Attempt attempt, Word word) {
  running(attempt, "writes");
  order_.write(attempt, word);
  words_[word] = {{0, 0, attempt}, phase_};
  judge();
}

void TransactionMonitor::leave(const Running& running) {
  slot_of(running.warp).attempts[running.lane] = 0;
  for (const Word word : running.touched) touched_.erase(touched_.find(word));
}

void TransactionMonitor::committed(Attempt attempt) {
  Running& one = undecided(attempt, "commits");
  one.committed = true;
  leave(one);
  for (const Read& read : one.reads) {
    if (read.of_nobody)
      ++of_nobody_;
    else
      order_.read(attempt, read.word, read.version);
  }
  one.reads = {};
}

void TransactionMonitor::ended(Attempt attempt) {
  if (!running(attempt, "ends").committed)
    throw base::ModelError(fmt::format("transactions: {} ends and has not committed", describe(attempt)));
  order_.commit(attempt);
  running_.erase(attempt);
  judge();
}

void TransactionMonitor::aborted(Attempt attempt) {
  leave(undecided(attempt, "aborts"));
  order_.abort(attempt);
  running_.erase(attempt);
  judge();
}

/// When the machine has been empty the host may have written, and L1s begin anew.
void TransactionMonitor::cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId, base::Dim3, unsigned) {
  newest_[{sm.value(), slot.value()}] = ++launched_;
  if (ctas_++ != 0) return;
  ++phase_;
  strangers_.clear();
}

void TransactionMonitor::issued(const models::WarpIdentity& warp, const isa::Op& op, base::LaneMask) {
  if (op.kind == isa::OpKind::transaction_begin) slot_of(warp).newest_begin = &op;
}

void TransactionMonitor::transaction_begun(const models::WarpIdentity& warp, base::LaneMask lanes) {
  SlotState& slot = slot_of(warp);
  base::for_each_lane(lanes, [&](unsigned lane) { slot.begins[lane] = slot.newest_begin; });
}

void TransactionMonitor::memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  const isa::MemoryAccess& access = memory.access;
  if (access.space != isa::Space::global) return;
  if (access.kind == isa::AccessKind::load || access.kind == isa::AccessKind::prefetch) return;
  const SlotState& slot = slot_of(warp);
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    if (slot.attempts[lane] != 0) return;
    const Word first = access.address[lane] / word_bytes,
               last = (access.address[lane] + access.stride - 1) / word_bytes;
    for (Word word = first; word <= last; ++word) strangers_.add(word);
  });
}

void TransactionMonitor::touch(Running& running, Word word) {
  if (running.touched.insert(word).second) touched_.insert(word);
}

/// Shared memory has no strangers: who stores outside of transactions does so at once, and tells. Whether that stays
/// where a transaction has been before, which may take its word back, nobody tells.
void TransactionMonitor::shared_access(const models::WarpIdentity& warp, const isa::Op&,
                                       const isa::MemoryAccess& access) {
  const SlotState& slot = slot_of(warp);
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    const Attempt attempt = slot.attempts[lane];
    if (attempt == 0 && access.kind == isa::AccessKind::load) return;
    for (const models::LaneWord& one : models::words_of(access, lane)) {
      const Word word = shared_word(warp, static_cast<std::uint32_t>(one.word));
      if (attempt != 0) {
        touch(running_.at(attempt), word);
        continue;
      }
      const auto found = words_.find(word);
      if (found == words_.end()) continue;
      if (touched_.count(word) != 0) {
        static_cast<Content&>(found->second) = {};
        continue;
      }
      Content& content = found->second;
      const std::uint32_t bits = bits_of(one.bytes);
      content.value = (content.value & ~bits) | (one.value & bits);
      content.writer = 0;
      if (access.kind == isa::AccessKind::store)
        content.known |= one.bytes;
      else
        content.known &= static_cast<std::uint8_t>(~one.bytes);
    }
  });
}

/// Of what comes from elsewhere than the SMs no warp tells.
void TransactionMonitor::write(const models::LineEvent& event) {
  using Kind = models::LineEvent::Kind;
  const bool foreign = event.kind == Kind::performed && event.message->requester.kind == models::NodeKind::l1 &&
                       event.message->requester.index >= sms_;
  if (!foreign && event.kind != Kind::host_wrote) return;
  for (unsigned byte = 0; byte < base::max_line_bytes; ++byte)
    if (event.bytes.test(byte)) strangers_.add((event.line.value() + byte) / word_bytes);
}

void TransactionMonitor::judge() const {
  if (!order_.violation()) return;
  std::vector<Attempt> met;
  for (const Order::Step& step : order_.violation()->steps) met.push_back(step.from);
  const auto name = [&](Attempt attempt) {
    return fmt::format("T{}", std::find(met.begin(), met.end(), attempt) - met.begin() + 1);
  };
  std::string text = "the run breaks transactions: " + text_of(*order_.violation(), name, place_of);
  for (std::size_t i = 0; i < met.size(); ++i) text += fmt::format("\n  T{}: {}", i + 1, describe(met[i]));
  throw base::ModelError(text);
}

std::string TransactionMonitor::describe(Attempt attempt) const {
  if (attempt > attempts_ || attempts_ - attempt >= names_.size()) return "a transaction that began long ago";
  const Who& who = names_[names_.size() - 1 - (attempts_ - attempt)];
  std::string text = fmt::format("{}, lane {}", name_of(who.warp), who.lane);
  const std::string where = where_ && who.begin != nullptr ? where_(who.warp.grid, *who.begin) : std::string();
  if (!where.empty()) text += ", in the transaction of " + where;
  return text;
}

}  // namespace syncline::platform
