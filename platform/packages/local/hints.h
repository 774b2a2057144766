// What a kernel says of its transactions, for whoever executes them ([LocalTM] section 7):
//
//   .pragma "local_tm variables=heads,nodes";   transactions access these .shared variables, and write no other
//   .pragma "local_tm read_only";               some of them only read
//   .pragma "local_tm large";                   they access many words
//
// Words may stand together in one pragma. Pragmas that begin otherwise are not ours.
#pragma once

#include <vector>

#include "isa/exec/program.h"

namespace syncline::platform::local {

struct Hints {
  std::vector<isa::SharedVariable> variables;  ///< empty: any
  bool read_only = false, large = false;
};

/// UserError, with the place of the pragma, for a word or a variable that there is not.
Hints hints_of(const isa::Program& program);

}  // namespace syncline::platform::local
