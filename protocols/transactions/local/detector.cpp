#include "protocols/transactions/local/detector.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::local {

Detector::Detector(const LocalTmSpec& spec, WordMachine& machine, unsigned wavefronts, unsigned lanes, Word words)
    : spec_(&spec),
      machine_(&machine),
      wavefronts_(wavefronts),
      lanes_(lanes),
      shadows_(words),
      owned_(std::size_t{wavefronts} * lanes) {
  if (spec.has_signatures()) columns_.resize(std::size_t{spec.banks} * spec.signature_bits, Lanes(wavefronts));
  if (spec.detection == Detection::swo_sig)
    helpers_.resize(std::size_t{wavefronts} * (spec.helper_per == HelperPer::bank ? spec.banks : 1));
}

// Words of a bank that follow each other have different bits: nothing spreads a dense working set better (choice: the
// published text says only that there are 8 bits).
std::size_t Detector::column_of(Word word) const {
  return std::size_t{bank_of(word)} * spec_->signature_bits + word / spec_->banks % spec_->signature_bits;
}

// Words of a row of banks have different bits, and so have those of a bank that follow each other.
std::uint32_t Detector::helper_bit(Word word) const {
  return std::uint32_t{1} << (word + word / spec_->banks) % spec_->helper_bits;
}

std::size_t Detector::helper_of(unsigned wavefront, unsigned bank) const {
  return spec_->helper_per == HelperPer::bank ? std::size_t{wavefront} * spec_->banks + bank : wavefront;
}

bool Detector::is_written(Word word) const {
  if (helpers_.empty()) return false;
  for (unsigned w = 0; w < wavefronts_; ++w) {
    if ((helpers_[helper_of(w, bank_of(word))] & helper_bit(word)) != 0) return true;
  }
  return false;
}

Opponents Detector::opponents(WorkItem who, Word word, bool by_signature) const {
  Opponents all;
  const unsigned own = wavefront_of(who);
  if (by_signature) {
    const Lanes& column = columns_[column_of(word)];
    for (unsigned w = 0; w < wavefronts_; ++w) {
      if (w != own && column[w] != 0) all.elsewhere = true;
    }
    all.own = column[own] & ~base::lane_bit(lane_of(who));
    return all;
  }
  const Shadow& shadow = shadows_[word];
  all.unknown = shadow.shared;
  if (shadow.owner == nobody || shadow.owner == who) return all;
  if (wavefront_of(shadow.owner) == own)
    all.own = base::lane_bit(lane_of(shadow.owner));
  else
    all.elsewhere = true;
  return all;
}

Detector::Answer Detector::access(WorkItem who, Word word, Access access) {
  const bool by_signature = spec_->has_signatures();
  bool others = false, own = true;
  if (by_signature) {
    const Opponents seen = opponents(who, word, true);
    others = seen.own != 0 || seen.elsewhere;
    own = base::has_lane(columns_[column_of(word)][wavefront_of(who)], lane_of(who));
  }
  Shadow& shadow = shadows_[word];
  const bool owned = shadow.owner == who;
  const Event event = access == Access::load ? Event::Load : Event::Store;
  Answer answer;
  answer.looks_up = own && !others;
  const Opponents lost_to = opponents(who, word, by_signature);
  const Effect effect = machine_->perform({event, who, word, others, is_written(word)}, shadow);
  if (effect.accesses == effect.conflicts) throw base::ModelError("an access of a transaction must happen or conflict");
  answer.accesses = effect.accesses;
  answer.backs_up = effect.backs_up;
  if (effect.conflicts) answer.lost_to = lost_to;
  if (effect.inserts) columns_[column_of(word)][wavefront_of(who)] |= base::lane_bit(lane_of(who));
  if (effect.notes_write) helpers_[helper_of(wavefront_of(who), bank_of(word))] |= helper_bit(word);
  if (!owned && shadow.owner == who) owned_[who].push_back(word);
  return answer;
}

void Detector::forget(WorkItem who, unsigned bank) {
  if (columns_.empty()) return;
  const std::size_t first = std::size_t{bank} * spec_->signature_bits;
  for (std::size_t c = first; c < first + spec_->signature_bits; ++c)
    columns_[c][wavefront_of(who)] &= ~base::lane_bit(lane_of(who));
}

bool Detector::knows(WorkItem who, unsigned bank) const {
  const std::vector<Word>& own = owned_[who];
  if (std::any_of(own.begin(), own.end(), [&](Word word) { return bank_of(word) == bank; })) return true;
  if (columns_.empty()) return false;
  const std::size_t first = std::size_t{bank} * spec_->signature_bits;
  return std::any_of(columns_.begin() + static_cast<std::ptrdiff_t>(first),
                     columns_.begin() + static_cast<std::ptrdiff_t>(first + spec_->signature_bits),
                     [&](const Lanes& column) { return base::has_lane(column[wavefront_of(who)], lane_of(who)); });
}

void Detector::ended(unsigned wavefront, bool alone) {
  if (!helpers_.empty()) {
    const std::size_t each = spec_->helper_per == HelperPer::bank ? spec_->banks : 1;
    std::fill_n(helpers_.begin() + static_cast<std::ptrdiff_t>(wavefront * each), each, 0);
  }
  if (!alone) return;
  for (const Word word : shared_) machine_->perform({Event::Clean_Up, nobody, word, false, false}, shadows_[word]);
  shared_.clear();
}

void Detector::encode(Encoder& to) const {
  for (const Lanes& column : columns_) {
    for (const base::LaneMask lanes : column) to.put(lanes);
  }
  for (const std::uint32_t helper : helpers_) to.put(helper);
  for (const Shadow& shadow : shadows_) {
    to.put(shadow.owner);
    to.put((shadow.shared ? 1U : 0U) + (shadow.modified ? 2U : 0U));
  }
}

}  // namespace syncline::protocols::local
