// The message with which a call fails.
#pragma once

#include <string>

#include "base/error.h"

namespace syncline::test {

/// what() of the UserError that `call` throws; "no error" when it returns.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const base::UserError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace syncline::test
