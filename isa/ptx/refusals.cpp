#include "isa/ptx/refusals.h"

#include <fmt/format.h>

namespace syncline::isa {
namespace {

constexpr std::size_t most_kinds = 40;       // that are told
constexpr std::uint64_t most_untold = 1000;  // that are counted beside them

std::string_view without_location(const base::UserError& error) {
  const std::string_view text = error.what();
  const std::string prefix = error.where().str() + ": error: ";
  return text.substr(0, prefix.size()) == prefix ? text.substr(prefix.size()) : text;
}

}  // namespace

bool Refusals::again(std::string_view what) {
  const auto known = index_.find(std::string(what));
  if (known == index_.end()) return false;
  ++kinds_[known->second].count;
  ++total_;
  return true;
}

bool Refusals::full() const {
  return kinds_.size() == most_kinds;
}

bool Refusals::enough() const {
  return untold_ >= most_untold;
}

void Refusals::add(std::string_view what, TextPlace place, std::string message, std::string note) {
  ++total_;
  if (full()) {
    ++untold_;
    return;
  }
  index_.emplace(what, kinds_.size());
  kinds_.push_back({quoted(what), std::move(message), std::move(note), place, 1});
}

void Refusals::fail(const std::string& source, const base::UserError* ended) const {
  const Kind& first = kinds_.front();
  std::string text = first.message;
  if (total_ > 1) {
    text += fmt::format("\n  {} statements of this file do not run here:", total_);
    for (const Kind& kind : kinds_) {
      text += fmt::format("\n  line {}: {}", kind.place.line, kind.what);
      if (kind.count > 1) text += fmt::format(" ({} times)", kind.count);
      if (&kind != &first) text += ": " + kind.note;
    }
    if (untold_ != 0) text += fmt::format("\n  ... and {} more{}", untold_, enough() ? "; the rest was not read" : "");
  }
  if (ended != nullptr)
    text += fmt::format("\n  the text was read up to line {}: {}", ended->where().line, without_location(*ended));
  fail_at(source, first.place, text);
}

}  // namespace syncline::isa
