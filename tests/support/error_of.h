// The message with which a call fails.
#pragma once

#include <string>

#include "base/error.h"

namespace syncline::test {

/// what() of the `Error` that `call` throws; "no error" when it returns.
template <class Error = base::UserError, class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace syncline::test
