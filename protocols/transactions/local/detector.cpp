#include "protocols/transactions/local/detector.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::protocols::local {

Detector::Detector(const LocalTmSpec& spec, WordMachine& machine, unsigned wavefronts, unsigned lanes, Word words)
    : spec_(&spec),
      machine_(&machine),
      wavefronts_(wavefronts),
      lanes_(lanes),
      bits_(spec.has_signatures() ? spec.signature_bits : 0),
      columns_(std::size_t{spec.banks} * bits_ * wavefronts),
      helpers_(std::size_t{wavefronts} * spec.helpers()),
      written_(spec.helpers()),
      shadows_(words),
      owned_(std::size_t{wavefronts} * lanes) {}

// Words of a bank that follow each other have different bits: nothing spreads a dense working set better (choice: the
// published text says only that there are 8 bits).
std::size_t Detector::column_of(Word word) const {
  return column(bank_of(word), word / spec_->banks % bits_);
}

// Words of a row of banks have different bits, and so have those of a bank that follow each other.
std::uint32_t Detector::helper_bit(Word word) const {
  return std::uint32_t{1} << (word + word / spec_->banks) % spec_->helper_bits;
}

Opponents Detector::by_signature(WorkItem who, std::size_t column) const {
  Opponents all;
  base::LaneMask elsewhere = 0;
  for (unsigned w = 0; w < wavefronts_; ++w) elsewhere |= w != wavefront_of(who) ? columns_[column + w] : 0;
  all.elsewhere = elsewhere != 0;
  all.own = columns_[column + wavefront_of(who)] & ~base::lane_bit(lane_of(who));
  return all;
}

Opponents Detector::by_owner(WorkItem who, const Shadow& shadow) const {
  Opponents all;
  all.unknown = shadow.shared;
  if (shadow.owner == nobody || shadow.owner == who) return all;
  if (wavefront_of(shadow.owner) == wavefront_of(who))
    all.own = base::lane_bit(lane_of(shadow.owner));
  else
    all.elsewhere = true;
  return all;
}

Detector::Answer Detector::access(WorkItem who, Word word, Access access) {
  Shadow& shadow = shadows_[word];
  Opponents opponents;
  WordMachine::Stimulus stimulus{access == Access::load ? Event::Load : Event::Store, who, word, false,
                                 is_written(word)};
  Answer answer;
  if (spec_->has_signatures()) {
    const std::size_t column = column_of(word);
    opponents = by_signature(who, column);
    stimulus.others = opponents.own != 0 || opponents.elsewhere;
    answer.looks_up = !stimulus.others && base::has_lane(columns_[column + wavefront_of(who)], lane_of(who));
  } else {
    opponents = by_owner(who, shadow);
    answer.looks_up = true;
  }
  const bool owned = shadow.owner == who;
  const Effect effect = machine_->perform(stimulus, shadow);
  if (effect.accesses == effect.conflicts) throw base::ModelError("an access of a transaction must happen or conflict");
  answer.accesses = effect.accesses;
  answer.backs_up = effect.backs_up;
  if (effect.conflicts) answer.lost_to = opponents;
  if (effect.inserts) columns_[column_of(word) + wavefront_of(who)] |= base::lane_bit(lane_of(who));
  if (effect.notes_write) {
    helpers_[wavefront_of(who) * written_.size() + helper_of(word)] |= helper_bit(word);
    written_[helper_of(word)] |= helper_bit(word);
  }
  if (!owned && shadow.owner == who) owned_[who].push_back(word);
  return answer;
}

void Detector::forget(WorkItem who, unsigned bank) {
  for (unsigned bit = 0; bit < bits_; ++bit)
    columns_[column(bank, bit) + wavefront_of(who)] &= ~base::lane_bit(lane_of(who));
}

bool Detector::knows(WorkItem who, unsigned bank) const {
  for (unsigned bit = 0; bit < bits_; ++bit) {
    if (base::has_lane(columns_[column(bank, bit) + wavefront_of(who)], lane_of(who))) return true;
  }
  const std::vector<Word>& own = owned_[who];
  return std::any_of(own.begin(), own.end(), [&](Word word) { return bank_of(word) == bank; });
}

void Detector::ended(unsigned wavefront, bool alone) {
  const std::size_t places = written_.size();
  for (std::size_t place = 0; place < places; ++place) {
    if (std::exchange(helpers_[wavefront * places + place], 0) == 0) continue;
    written_[place] = 0;
    for (unsigned w = 0; w < wavefronts_; ++w) written_[place] |= helpers_[w * places + place];
  }
  if (!alone) return;
  for (const Word word : shared_) machine_->perform({Event::Clean_Up, nobody, word, false, false}, shadows_[word]);
  shared_.clear();
}

void Detector::encode(Encoder& to) const {
  for (const base::LaneMask lanes : columns_) to.put(lanes);
  for (const std::uint32_t helper : helpers_) to.put(helper);
  for (const Shadow& shadow : shadows_) {
    to.put(shadow.owner);
    to.put((shadow.shared ? 1U : 0U) + (shadow.modified ? 2U : 0U));
  }
}

}  // namespace syncline::protocols::local
