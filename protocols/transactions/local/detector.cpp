#include "protocols/transactions/local/detector.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::local {

Detector::Detector(const LocalTmSpec& spec, WordMachine& machine, unsigned wavefronts, unsigned lanes, Word words)
    : spec_(&spec),
      machine_(&machine),
      wavefronts_(wavefronts),
      lanes_(lanes),
      columns_(spec.banks, std::vector<Lanes>(spec.has_signatures() ? spec.signature_bits : 0, Lanes(wavefronts))),
      helpers_(wavefronts, std::vector<std::uint32_t>(spec.helpers())),
      shadows_(words),
      owned_(std::size_t{wavefronts} * lanes) {}

// Words of a bank that follow each other have different bits: nothing spreads a dense working set better (choice: the
// published text says only that there are 8 bits).
Detector::Lanes& Detector::column_of(Word word) {
  return columns_[bank_of(word)][word / spec_->banks % spec_->signature_bits];
}

// Words of a row of banks have different bits, and so have those of a bank that follow each other.
std::uint32_t Detector::helper_bit(Word word) const {
  return std::uint32_t{1} << (word + word / spec_->banks) % spec_->helper_bits;
}

bool Detector::is_written(Word word) const {
  return spec_->helpers() != 0 && std::any_of(helpers_.begin(), helpers_.end(), [&](const auto& helpers) {
           return (helpers[helper_of(word)] & helper_bit(word)) != 0;
         });
}

Opponents Detector::by_signature(WorkItem who, const Lanes& column) const {
  Opponents all;
  for (unsigned w = 0; w < wavefronts_; ++w) {
    if (w != wavefront_of(who) && column[w] != 0) all.elsewhere = true;
  }
  all.own = column[wavefront_of(who)] & ~base::lane_bit(lane_of(who));
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
    const Lanes& column = column_of(word);
    opponents = by_signature(who, column);
    stimulus.others = opponents.own != 0 || opponents.elsewhere;
    answer.looks_up = !stimulus.others && base::has_lane(column[wavefront_of(who)], lane_of(who));
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
  if (effect.inserts) column_of(word)[wavefront_of(who)] |= base::lane_bit(lane_of(who));
  if (effect.notes_write) helpers_[wavefront_of(who)][helper_of(word)] |= helper_bit(word);
  if (!owned && shadow.owner == who) owned_[who].push_back(word);
  return answer;
}

void Detector::forget(WorkItem who, unsigned bank) {
  for (Lanes& column : columns_[bank]) column[wavefront_of(who)] &= ~base::lane_bit(lane_of(who));
}

bool Detector::knows(WorkItem who, unsigned bank) const {
  const std::vector<Word>& own = owned_[who];
  const std::vector<Lanes>& columns = columns_[bank];
  return std::any_of(own.begin(), own.end(), [&](Word word) { return bank_of(word) == bank; }) ||
         std::any_of(columns.begin(), columns.end(),
                     [&](const Lanes& column) { return base::has_lane(column[wavefront_of(who)], lane_of(who)); });
}

void Detector::ended(unsigned wavefront, bool alone) {
  std::fill(helpers_[wavefront].begin(), helpers_[wavefront].end(), 0);
  if (!alone) return;
  for (const Word word : shared_) machine_->perform({Event::Clean_Up, nobody, word, false, false}, shadows_[word]);
  shared_.clear();
}

void Detector::encode(Encoder& to) const {
  for (const std::vector<Lanes>& columns : columns_) {
    for (const Lanes& column : columns) {
      for (const base::LaneMask lanes : column) to.put(lanes);
    }
  }
  for (const std::vector<std::uint32_t>& helpers : helpers_) {
    for (const std::uint32_t helper : helpers) to.put(helper);
  }
  for (const Shadow& shadow : shadows_) {
    to.put(shadow.owner);
    to.put((shadow.shared ? 1U : 0U) + (shadow.modified ? 2U : 0U));
  }
}

}  // namespace syncline::protocols::local
