// What a module asks for and does not get here: instructions, forms and declarations that are not there or not yet.
// They are told together, so that one run shows all of a file; any other mistake ends the reading.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/ptx/errors.h"

namespace syncline::isa {

class Refusals {
 public:
  bool empty() const { return total_ == 0; }

  /// True when `what` was refused before: it is counted, and its reason need not be found again.
  bool again(std::string_view what);

  /// True when so many kinds were refused that another one is counted only; the reason of another need not be found.
  bool full() const;

  /// The first of its kind: `what` as the text writes it; the whole message; and what of the message is worth telling
  /// beside `what` in a list.
  void add(std::string_view what, TextPlace place, std::string message, std::string note);

  /// So many kinds were refused that the rest of the text need not be read.
  bool enough() const;

  /// Throws base::UserError at the first one, with a list of all kinds when there are more. `ended` is the mistake that
  /// ended the reading, if one did.
  [[noreturn]] void fail(const std::string& source, const base::UserError* ended = nullptr) const;

 private:
  struct Kind {
    std::string what, message, note;
    TextPlace place;
    std::uint64_t count = 1;
  };
  std::vector<Kind> kinds_;
  std::unordered_map<std::string, std::size_t> index_;  ///< what -> kinds_
  std::uint64_t total_ = 0, untold_ = 0;
};

}  // namespace syncline::isa
