// Programs for policies of several modules: who stands where, and how far each operation asks to be seen, is part of
// them. The home of x is module 0.0, that of y is beside it or in 1.1 (Places).
#include <iterator>
#include <string_view>

#include "protocols/coherence/explore/suite.h"

namespace syncline::protocols::explore {
namespace {

constexpr std::string_view modular[] = {
    // Copies of one line.
    "ld.weak x; ld.weak x @0.1",                            // a miss, and a hit
    "ld.weak x; ld.weak x @1.1",                            // of another GPU
    "st.weak x 1; ld.weak x @0.0",                          // at home
    "st.weak x 1; ld.weak x @1.1",                          // and not
    "add.sys x 1; ld.weak x @1.0",                          // an atomic of the system
    "add x 1; ld x @1.1",                                   // of the GPU
    "st.weak x 1 @0.0 | ld.weak x @0.1",                    // a copy to invalidate
    "st.weak x 1 @0.1 | ld.weak x @0.0",                    // a reader at home
    "st.weak x 1 @0.1 | ld.weak x @1.0",                    // another GPU's copy
    "st.weak x 1 @1.1 | ld.weak x @0.1",                    // the other way
    "ld.weak x; st.weak x 1 @1.0 | ld.weak x @1.1",         // two of a GPU
    "st x 1 @1.1 | ld x @1.0",                              // by the GPU's scope
    "st.sys x 1 @1.1 | ld.sys x @0.1",                      // by the system's
    "ld.weak x; add.sys x 1 @1.0 | ld.weak x @1.1",         // an atomic ends copies
    "ld.weak x; add x 1 @1.1 | ld.weak x @1.0",             // one of the GPU does
    "add x 1 @1.0 | add x 2 @1.1",                          // counters of a GPU
    "add.sys x 1 @0.1 | add.sys x 2 @1.1",                  // of the system
    "add x 1 @1.0 | add.sys x 2 @1.1",                      // of both scopes
    "ld.weak x @0.1 | ld.weak x @0.1.1",                    // requests that merge
    "ld.weak x; st.weak x 1; ld.weak x @0.1",               // a store to a copy
    "ld.weak x @0.1 | st.weak x 1; ld.weak x @0.1.1",       // a store while the line is on its way
    "ld.weak x @1.1 | add.sys x 1; ld.weak x @1.1.1",       // an atomic, too
    "ld.weak x @0.1 | ld.cta x; ld.sys x @0.1.1",           // loads that go around L1s
    "ld.weak x1 @0.1 | st.weak x 1; ld.weak x1 @0.0",       // words of one line
    "st.weak x 1; st.weak x1 2 @0.1",                       // the whole line, in two stores
    "st.weak x 1; ld.weak x1 @0.0",                         // half of it, and the other half
    "add x1 1; st.weak x 1 @1.0",                           // an atomic of what is in memory
    "st.weak x 1; ld.sys x; st.weak x 2; ld.weak x1 @0.0",  // part of a line at its home
    "st.weak x 1; st.weak x1 2; add.sys x 4 @0.0", "st.weak x 1; add.sys x 1; add.sys x1 1 @0.0",
    "st.weak x 1; st.weak x 2; add.sys x 1; add.sys x1 1 @0.1",
    "st.weak x 1; st.weak x 2; ld.weak x1 @0.0",  // and the part that was not written
    "st.weak x 1; add.sys x 1; ld.weak x1 @0.0", "st.weak x 1; st.weak x 2; ld.sys x1 @0.1",
    "ld.weak x; add.sys x 1; ld.weak x; add.sys x 2 @0.0",
    "ldp x; stp x 1; ldp x @0.1",  // a thread's own memory
    "stp x 1; ldp x; stp x 2 @1.0",
    "ld.weak x; st.weak x 1; st.weak x 2; ld x @0.1",  // behind a line that is on its way
    "ld.weak x; st.weak x 1; add x 1; ld.acquire y @0.1",
    "ld.weak x; st.weak x 1; st.weak x 2; ld.weak x @0.1",  // and what its own SM reads behind it
    "ld.weak x; st.weak x 1; add x 1; ld.weak x @0.1", "ldp x; stp x 1; stp x 2; ldp x @1.1",
    "ld.weak x; ld.sys x; ld.weak x @1.0",  // the system's scope beside the GPU's copy
    "ld.sys x; ld.weak x @1.0", "ld.weak x; st.weak x 1; fence.sys @1.0",
    "st.weak x 1; fence.sys @1.0 | ld.weak x @1.0.1",
    // Part of a line at its home, and the other part, which is not zero, in memory.
    "st.weak x1 2; st.weak x 1; st.weak x 3; ld.weak x1 @0.0",
    "st.weak x1 2; st.weak x 1; add.sys x 1; ld.weak x1 @0.0", "st.weak x1 2; st.weak x 1; ld.weak x; ld.weak x1 @0.0",
    "st.weak x1 2; st.weak x 1; st.weak x 3; ld.sys x1 @0.1", "st.weak x1 2; st.weak x 1; add.sys x 1; ld.sys x1 @0.1",
    "st.weak x1 2; st.weak x 1; ld.sys x; ld.weak x1 @0.0",
    "ld.weak x; st.weak x 1; ld x; ld.weak x @0.0",  // an L1's own store behind a line on its way
    "st.weak x 1; ld.weak x; st.weak x 2; ld.weak x @0.0",
    "add.sys x 1 @1.0 | ld.weak x @0.1",  // an atomic of another GPU, and a copy
    "add.sys x 1 @0.1 | ld.weak x @1.0",
    "ld.weak x @1.1 | ld.weak x @1.0",  // copies of which the home of the GPU alone knows
    // A line that may be old when it comes: a mate acquires meanwhile.
    "ld.weak x @0.1 | fence; ld.weak x @0.1.1", "ld.weak x @1.0 | fence.sys; ld.weak x @1.0.1",
    "ld.weak x @0.1 | ld.weak x @0.1.1 | fence @0.1.2", "ld.weak x @0.1 | fence; ld.cta x @0.1.1",
    "ld.weak x @0.1 | ld.cta x @0.1.1 | fence; ld.cta x @0.1.2",
    "ld.weak x; st.weak x 1 @0.1 | fence; st.weak x 2 @0.1.1", "ld.weak x; add x 1 @0.1 | fence; add.sys x 2 @0.1.1",
    "ld.weak x; ld.sys x @0.1 | fence; ld x @0.1.1", "ld.sys x; ld.weak x @0.1 | fence; fence @0.1.1",
    "st.weak x 1; ld.weak x @0.1 | fence @0.1.1", "add x 1; ld.weak x @0.1 | fence @0.1.1",
    "ld.weak x @1.0 | st.weak x 1; fence.sys @1.0.1", "ld.weak x; add.sys x 1 @1.0 | fence.sys @1.0.1",
    "ld.weak x; add x 1 @1.1 | fence.sys @1.1.1", "ld.weak x; flush; ld.weak x; ld.weak x @0.1 | fence @0.1.1",
    "ld.weak x; ld.sys x @1.0 | fence.sys @1.0.1", "ld.weak x @1.0 | fence.sys; ld.sys x; st.weak x 1 @1.0.1",
    "ld.weak x @1.0 | fence.sys; add x 1 @1.0.1", "ld.weak x; ld x @1.1 | fence.sys @1.1.1",
    "ld.weak x @1.0 | ld x @1.1 | fence.sys @1.1.1", "ld.sys x; ld.weak x @1.0 | fence.sys; fence.sys @1.0.1",
    "st.weak x 1; ld.weak x @1.0 | fence.sys; fence.sys @1.0.1", "add.sys x 1; ld.weak x @1.0 | fence.sys @1.0.1",
    "st.weak x 1; ld.weak x; st.weak x 2 @1.0 | fence.sys @1.0.1",
    "st.release.sys x 1 @1.0 | st.release.sys x 2 @1.0.1",
    "ld.acquire.sys x; ld.weak x @1.0 | ld.acquire.sys x; ld.weak x @1.0.1",
    "ld.acquire.sys x; ld.weak x @1.0 | fence.sys @1.0.1",
    // Releases.
    "st.weak x 1; fence.sys @0.1",                                              // alone
    "st.weak x 1; fence @1.1",                                                  // of the GPU
    "st.weak x 1; fence.cta; ld.weak x @0.1",                                   // of the CTA: nobody is asked
    "fence.sys @0.0 | fence.sys @0.0.1",                                        // two of a module
    "fence @1.0 | fence @1.0.1",                                                // two of the GPU's scope
    "fence.sys @0.1 | fence @0.1",                                              // of one SM, of both scopes
    "st.weak x 1; st.release y 1 @0.0 | ld.acquire y; ld.weak x @0.1",          // MP in a GPU
    "st.weak x 1; st.release.sys y 1 @0.1 | ld.acquire.sys y; ld.weak x @1.0",  // MP between GPUs
    "st.weak x 1; st.release y 1 @0.1 | ld.acquire y; ld.weak x @1.0",          // with too small a scope
    "ld.weak x; ld.acquire.sys y; ld.weak x @0.1 | st.weak x 1; st.release.sys y 1 @1.0",  // into an old copy
    "ld.weak x @1.1 | st.weak x 1; fence @1.0 | st.weak x 2; fence.sys @0.0",  // a home that is asked by two
};

/// Minutes rather than seconds each.
constexpr std::string_view wide_modular[] = {
    "ld.weak x; ld.acquire y; ld.weak x @1.0 | st.weak x 1; st.release y 1 @1.1",  // into an old copy of a GPU
    "st x 1; fence.sys; ld.weak y @0.1 | st y 1; fence.sys; ld.weak x @1.0",       // SB
    "st.sys x 1 @1.0 | ld.sys x; st.release.sys y 1 @1.1 | ld.acquire.sys y; ld.weak x @0.1",  // WRC
    "st x 1 @1.0 | ld x; st.release.sys y 1 @1.1 | ld.acquire.sys y; ld.weak x @0.1",          // WRC by both scopes
    "st.weak x 1; st.release y 1 @1.0 | ld.acquire y; st.release.sys y1 1 @1.1 | ld.acquire.sys y1; ld.weak x @0.1",
    // A mate has asked for the line before it is written, and for another one who acquires it is old when it comes.
    "ld.weak x @0.1 | ld.acquire.sys y; ld.weak x @0.1.1 | st.weak x 1; st.release.sys y 1 @0.0",
    "ld.weak x; flush; ld.weak x @0.1 | ld.acquire.sys y; ld.weak x @0.1.1 | st.weak x 1; st.release.sys y 1 @0.0",
};

/// What copies in L1s and L2s save, and what is asked of homes in vain: weak accesses, which may hit.
constexpr std::string_view costly[] = {
    "ld.weak x; ld.weak x @0.0",                     // at home
    "ld.weak x; ld.weak x @0.1",                     // and not
    "ld.weak x; ld.weak x; ld.weak x1 @1.0",         // of another GPU
    "ld.weak x; flush; ld.weak x @0.1",              // an L2 still has it
    "ld.weak x; fence.cta; ld.weak x @0.1",          // nobody acquires
    "ld.weak x @0.1 | ld.weak x @0.1.1",             // requests that merge
    "ld.weak x @1.1 | ld.weak x @1.0",               // of the modules of a GPU
    "ld.weak x; ld.weak x @0.1 | ld.weak x @0.1.1",  // and a hit
    "ld.weak x @0.1 | ld.weak x @0.1.1 | ld.weak x @0.1.2",
    "ld.sys x; ld.weak x; ld.weak x @1.0",  // behind what goes around copies
    "ld.weak x; ld.sys x; ld.weak x @1.0",
    "ld x; ld.weak x; ld.weak x @1.1",
    "st.weak x 1; ld.weak x; ld.weak x @0.1",  // behind its own store
    "ld.weak x; st.weak x 1; ld.weak x @0.1",
    "st.weak x 1; ld.weak x; ld.weak x @0.0",
    "ld.weak x; st.weak x 1; ld.weak x; ld.weak x @1.0",
    "add.sys x 1; ld.weak x; ld.weak x @1.0",  // or atomic
    "ld.weak x; add.sys x 1; ld.weak x @0.1",
    "ld.weak x; add x 1; ld.weak x; ld.weak x @1.1",
    "ldp x; ldp x @0.1",
    "ldp x; stp x 1; ldp x @1.0",                   // a thread's own memory
    "ld.weak x @0.1 | ld.cta x; ld.weak x @0.1.1",  // a mate goes around L1s
    "ld.weak x @0.1 | ld.sys x; ld.weak x @0.1.1",
    "ld.weak x @0.1 | st.weak x 1; ld.weak x @0.1.1",  // or writes
    "ld.weak x @1.0 | add.sys x 1; ld.weak x @1.0.1",
    "ld.weak x; ld.weak y; ld.weak x @0.1",  // two lines
    "fence.sys @0.1",
    "st.weak x 1; fence.sys @1.0",
    "ld.weak x; fence.sys; ld.weak x @0.1",  // releases and acquires
    "ld.weak x; fence; ld.weak x @1.0",
};

void add_all(std::vector<Program>& programs, const std::string_view* begin, const std::string_view* end) {
  for (const std::string_view* text = begin; text != end; ++text) programs.push_back(parse_program(*text));
}

}  // namespace

std::vector<Program> module_programs(SuiteSize size) {
  std::vector<Program> programs;
  add_all(programs, std::begin(modular), std::end(modular));
  if (size == SuiteSize::large) add_all(programs, std::begin(wide_modular), std::end(wide_modular));
  return programs;
}

std::vector<Program> module_cost_programs() {
  std::vector<Program> programs;
  add_all(programs, std::begin(costly), std::end(costly));
  return programs;
}

}  // namespace syncline::protocols::explore
