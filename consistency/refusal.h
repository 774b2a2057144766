// A litmus test that is told to be wrong for what it uses, by the name of that.
#pragma once

#include <string>

#include "base/error.h"

namespace syncline::consistency {

/// Thrown for a construct that the reader or the models do not have, and for a test that is too large. Tests of a
/// folder are counted by `construct`.
class Refusal : public base::UserError {
 public:
  /// `construct`: "`fence.proxy.async`", "more than 64 events".
  Refusal(const base::SourceLocation& where, const std::string& message, std::string construct)
      : base::UserError(where, message), construct_(std::move(construct)) {}
  const std::string& construct() const { return construct_; }

 private:
  std::string construct_;
};

}  // namespace syncline::consistency
