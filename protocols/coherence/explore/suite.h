// The programs that `syncline check` explores.
#pragma once

#include <vector>

#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {

enum class SuiteSize {
  small,  ///< the classic shapes and one-line contention: what continuous integration has time for
  large   ///< also every pair of threads of two operations on two lines, and three threads
};

/// The classic litmus shapes; with `fences`, one between the operations of each thread that has several.
std::vector<Program> classic_programs(bool fences);
/// Shapes of what is between accesses rather than of accesses: atomics before fences, acquires and releases, releases
/// behind loads. For weak ordering; of those with two lines most shows only when each line has a home of its own, for
/// the network keeps the order of what an SM sends to one home.
std::vector<Program> ordered_programs();
/// A warp on the SM of a store reads it before it is performed. For sequential consistency; fences would hide it.
std::vector<Program> early_programs();
/// Small programs of which costs.h counts the messages. `of_modules`: those for policies of several modules.
std::vector<Program> cost_programs(bool of_modules);
/// Every program of two threads with `length` operations each from load, store and atomic on one or two locations,
/// without those that differ from another one only in the names of threads or locations.
std::vector<Program> all_programs(unsigned length);
std::vector<Program> suite(SuiteSize size, bool fences);
/// Of policies of several modules.
std::vector<Program> module_programs(SuiteSize size);
/// `cost_programs` of these, with places.
std::vector<Program> module_cost_programs();

}  // namespace syncline::protocols::explore
