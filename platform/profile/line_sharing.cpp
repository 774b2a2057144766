#include "platform/profile/line_sharing.h"

#include <algorithm>

namespace syncline::platform {

void SharedLine::touch(std::uint64_t cta, LineUse use, const base::ByteMask& bytes) {
  if (first_ == nobody) first_ = cta;
  if (cta != first_) join(cta);
  if (owners_ != nullptr) share_bytes(cta, bytes);
  if (use != LineUse::store) {
    read_ |= bytes;
    inherited_ |= bytes - written_;
  }
  if (use != LineUse::load) {
    written_ |= bytes;
    if (writer_ == nobody) writer_ = cta;
    several_writers_ = several_writers_ || writer_ != cta;
  }
  ++accesses_[static_cast<std::size_t>(use)];
}

void SharedLine::join(std::uint64_t cta) {
  // CTAs start in ascending order, so a new one mostly comes last.
  if (others_.empty() || others_.back() < cta) {
    others_.push_back(cta);
  } else {
    const auto at = std::lower_bound(others_.begin(), others_.end(), cta);
    if (*at != cta) others_.insert(at, cta);
  }
  if (owners_ != nullptr) return;
  owners_ = std::make_unique<Owners>();
  const base::ByteMask touched = read_ | written_;
  for (unsigned byte = 0; byte < base::max_line_bytes; ++byte) (*owners_)[byte] = touched.test(byte) ? first_ : nobody;
}

void SharedLine::share_bytes(std::uint64_t cta, const base::ByteMask& bytes) {
  if (shared_bytes_.contains(bytes)) return;
  for (unsigned word = 0; word < 2; ++word) {
    for (std::uint64_t rest = bytes.word(word); rest != 0; rest &= rest - 1) {
      const unsigned byte = word * 64 + static_cast<unsigned>(__builtin_ctzll(rest));
      std::uint64_t& owner = (*owners_)[byte];
      if (owner == nobody)
        owner = cta;
      else if (owner != cta)
        shared_bytes_.set(byte, 1);
    }
  }
}

void LineTotals::add(std::uint64_t line, const SharedLine& use, bool handed_on) {
  Line& total = lines_[line];
  total.read |= use.read();
  total.written |= use.written();
  total.sharing = std::max(total.sharing, use.sharing());
  total.shares_bytes = total.shares_bytes || use.shares_bytes();
  total.several_writers = total.several_writers || use.several_writers();
  total.handed_on = total.handed_on || handed_on;
  Accesses& accesses = accesses_[static_cast<std::size_t>(use.sharing())];
  for (std::size_t n = 0; n < line_uses; ++n) accesses.by_use[n] += use.accesses(static_cast<LineUse>(n));
  touches_ += use.ctas();
  if (use.sharing() == LineSharing::private_) return;
  ++shared_uses_;
  sharers_ += use.ctas();
  most_sharers_ = std::max(most_sharers_, use.ctas());
}

template <class Condition>
std::uint64_t LineTotals::count(Condition condition) const {
  return static_cast<std::uint64_t>(
      std::count_if(lines_.begin(), lines_.end(), [&](const auto& entry) { return condition(entry.second); }));
}

LineTotals::Counts LineTotals::lines() const {
  const auto read = [](const Line& line) { return !line.read.empty(); };
  const auto written = [](const Line& line) { return !line.written.empty(); };
  return {lines_.size(), count(read), count(written),
          count([&](const Line& line) { return read(line) && written(line); })};
}

LineTotals::Counts LineTotals::bytes() const {
  Counts counts;
  for (const auto& [address, line] : lines_) {
    counts.all += (line.read | line.written).count();
    counts.read += line.read.count();
    counts.written += line.written.count();
    counts.both += (line.read & line.written).count();
  }
  return counts;
}

std::uint64_t LineTotals::lines(LineSharing sharing) const {
  return count([&](const Line& line) { return line.sharing == sharing; });
}

LineTotals::Accesses LineTotals::accesses() const {
  Accesses sum;
  for (const Accesses& part : accesses_)
    for (std::size_t n = 0; n < line_uses; ++n) sum.by_use[n] += part.by_use[n];
  return sum;
}

std::uint64_t LineTotals::lines_with_shared_bytes() const {
  return count([](const Line& line) { return line.shares_bytes; });
}

std::uint64_t LineTotals::lines_of_several_writers() const {
  return count([](const Line& line) { return line.several_writers; });
}

std::uint64_t LineTotals::lines_handed_on() const {
  return count([](const Line& line) { return line.handed_on; });
}

base::ByteMask LineTotals::written(std::uint64_t line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? base::ByteMask() : found->second.written;
}

}  // namespace syncline::platform
