#include "protocols/determinism/explore/suite.h"

#include <string_view>

#include "protocols/coherence/explore/suite.h"

namespace syncline::protocols::determinism {
namespace {

// Threads of one `@N` are a CTA; there is room for two CTAs at a time.
constexpr std::string_view programs[] = {
    "st x 1; bar; ld y @0 | st y 1; bar; ld x @0",                // exchange by a barrier
    "st x 1; bar; ld x @0 | bar; st x 2; ld x @0",                // a store overwritten behind a barrier
    "bar; st x 1; ld x @0 | st x 2; bar; ld x @0",                // the same by the warp with less to say
    "st x 1; bar; bar; ld y @0 | bar; ld x; st y 2; bar @0",      // there and back
    "st x 1; bar; ld x; bar; ld x @0 | bar; bar; st x 2 @0",      // a store that comes too late
    "st x 1; bar; add x 1 @0 | bar; ld x; add x 2 @0",            // atomics behind a barrier
    "add x 1; bar; ld x @0 | add x 2; bar; ld x @0",              // and in front of one
    "st x 1; fence; bar; ld y @0 | st y 1; fence; bar; ld x @0",  // fences in front of a barrier
    "bar @0 | st x 1; bar; ld x @0 | st x 2; ld x @1",            // a warp that ends behind a barrier
    "st x 1; ld x | st x 2; ld x | st x 3; ld x",                 // a CTA that waits for a place
    "st x 1; ld y | st y 1; ld x | ld x; st y 2 | ld y; st x 2",  // two
    "add x 1; ld x | add x 2 | add x 3; ld x | add x 4",          // with atomics
    "st x 1; bar; ld x @0 | st x 2; bar; ld x @0 | st x 3; ld x @1 | ld x; ld y @2",  // one behind a barrier
    "st x 1; ld y @0 | st y 1; ld x @0 | add x 3; ld y @1 | add y 2; ld x @1",        // atomics of two SMs
    "add x 1; add y 1 @0 | add y 2; add x 2 @0 | add x 4; add y 4 @1",                // that cross
    "st x 1; st x 2; st x 3; ld x | st x 4; st x 5; st x 6; ld x",                    // over several quanta
    "st x 1; st x1 2 | st x1 3; st x 4 | ld x; ld x1",                                // one line
    "st x 1; ld y; ld x; ld y1; ld x1 | st y1 2; ld x1; ld y; st x1 3; ld x",         // loads behind loads
    "st x 1; bar; ld x; ld y @0 | st y 1; bar; ld y; ld x @0 | ld x; ld y; st x 3",   // behind a barrier
};

}  // namespace

std::vector<explore::Program> suite() {
  std::vector<explore::Program> all = explore::classic_programs(true);
  for (const std::string_view text : programs) all.push_back(explore::parse_program(text));
  return all;
}

}  // namespace syncline::protocols::determinism
