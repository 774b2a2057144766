// Which program this is, down to its code.
#pragma once

#include <string>

namespace syncline::sweep {

/// What the linker has put into the program (its build ID, a hash of its contents) in hexadecimal; empty: it has none.
std::string build_id();

}  // namespace syncline::sweep
