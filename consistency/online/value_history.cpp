#include "consistency/online/value_history.h"

#include <algorithm>
#include <cstring>

namespace syncline::consistency {

ValueVerdict compare(const base::ByteMask& mask, const base::LineData& expected, const base::LineData& found) {
  if (std::memcmp(expected.data(), found.data(), expected.size()) == 0) return {};
  for (unsigned byte = 0; byte < base::max_line_bytes; ++byte) {
    if (mask.test(byte) && expected[byte] != found[byte])
      return {ValueVerdict::Kind::differs, byte, expected[byte], found[byte]};
  }
  return {};
}

ValueVerdict ValueHistory::check_or_learn(const base::ByteMask& mask, const base::LineData& found,
                                          base::ByteMask& known, base::LineData& bytes) {
  const base::ByteMask fresh = mask - known;
  fresh.merge(bytes, found);
  known |= fresh;
  return compare(mask - fresh, bytes, found);
}

void ValueHistory::forget(Line& line) const {
  line.writes.erase(line.writes.begin(), std::lower_bound(line.writes.begin(), line.writes.end(), first_));
  line.tidy = std::max<std::size_t>(16, line.writes.size() * 2);
}

LineVersion ValueHistory::write(std::uint64_t line, const base::ByteMask& mask, const base::LineData& bytes) {
  Line& at = lines_[line];
  if (at.writes.size() >= at.tidy) forget(at);
  at.writes.push_back(first_ + overwritten_.size());
  overwritten_.push_back({mask, at.known & mask, at.bytes});
  if (overwritten_.size() > window_) {
    overwritten_.pop_front();
    ++first_;
  }
  mask.merge(at.bytes, bytes);
  at.known |= mask;
  return ++at.version;
}

ValueVerdict ValueHistory::check(std::uint64_t line, LineVersion version, const base::ByteMask& mask,
                                 const base::LineData& bytes) {
  Line& at = lines_[line];
  const LineVersion behind = at.version - version;  // writes that came later
  const auto end = at.writes.end();
  if (behind > at.writes.size()) return {ValueVerdict::Kind::forgotten};
  const auto next = end - static_cast<std::ptrdiff_t>(behind);
  if (next != end && *next < first_) return {ValueVerdict::Kind::forgotten};
  ValueVerdict verdict;
  const auto look = [&](const base::ByteMask& here, base::ByteMask& known, base::LineData& expected) {
    const ValueVerdict part = check_or_learn(here, bytes, known, expected);
    if (part.kind == ValueVerdict::Kind::differs && (verdict.kind != part.kind || part.byte < verdict.byte))
      verdict = part;
  };
  // A byte was what the first later write to it has overwritten. If nobody knew that, nobody had written it before.
  base::ByteMask left = mask;
  for (auto write = next; write != end && !left.empty(); ++write) {
    Overwritten& old = overwritten_[*write - first_];
    if (!left.overlaps(old.mask)) continue;
    look(left & old.mask, old.known, old.bytes);
    left -= old.mask;
  }
  look(left, at.known, at.bytes);
  return verdict;
}

LineVersion ValueHistory::version_of(std::uint64_t line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? 0 : found->second.version;
}

}  // namespace syncline::consistency
