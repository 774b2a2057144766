#include "protocols/coherence/explore/suite.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace syncline::protocols::explore {
namespace {

constexpr std::string_view classic[] = {
    "st x 1; st y 1 | ld y; ld x",                   // MP
    "st x 1; ld y | st y 1; ld x",                   // SB
    "ld x; st y 1 | ld y; st x 1",                   // LB
    "st x 1; st y 2 | st y 1; ld x",                 // R
    "st x 2; st y 1 | ld y; st x 1",                 // S
    "st x 1; st y 2 | st y 1; st x 2",               // 2+2W
    "st x 1 | ld x; ld x",                           // CoRR
    "st x 1; ld x | st x 2; ld x",                   // CoWR
    "st x 1; st x 2 | ld x; ld x",                   // CoWW
    "ld x; st x 1 | st x 2; ld x",                   // CoRW
    "add x 1; ld y | add y 1; ld x",                 // SB by atomics
    "add x 1; add y 1 | ld y; ld x",                 // MP by atomics
    "add x 1; ld x | add x 2; ld x",                 // two counters in one line
    "ld x; add x 1; ld x | st x 8; ld x",            // an atomic between loads of the same line
    "ld x; st x 1; ld x | ld x; st x 2; ld x",       // read, write, read
    "st x 1; ld x1 | st x1 1; ld x",                 // false sharing
    "ld x; st x1 2 | ld x1; st x 1; ld x1",          // false sharing of cached lines
    "ld x @0 | st x 1; ld x @0 | st x 2 @1",         // two warps on one L1
    "ld y; ld x | ld x; st x 1; st y 1",             // MP into a cached copy
    "ld x; ld x @0 | add x 1 @0 | st x 8; ld x @1",  // an atomic beside loads of the same L1
    "st x 1 @0 | ld x; add x 2 @0 | ld x @1",        // a store, an atomic and a load of one L1
    "ld x; ld x | st x 1 | ld x",                    // two copies to invalidate
    "ld x | ld x | add x 1",                         // as before, by an atomic
    "ld x; st x 1 | ld x | ld x",                    // a store to a copy that two others have
    "st x 1; st y 1 | ld x; ld y; ld x",             // MP beside an old copy
    "ld y; st x 1; ld y | ld x; st y 1; ld x",       // SB beside old copies
    "ld x; ld y; ld x | add x 1; add y 1",           // MP by atomics beside an old copy
    "ld x @0 | ld y; ld x @0 | st x 1; st y 1 @1",   // a load that joins an older one of its L1
    "ld x @0 | flush; ld x @0 | st x 1 @1",          // a grid begins while a load is on its way
    "ld x; st x 1 @0 | flush @0 | ld x @1",          // a load and a store
    "ld x; add x 1 @0 | flush; ld x @0",             // a load and an atomic
    "ld x; st x 1; ld x @0 | flush @0 | st x 2 @1",  // beside another SM's store
    "ldp x; stp x 1; ldp x | ld y; st y 1",          // a thread's own memory
    "stp x 1; ldp x; stp x 2 | st y 1",              // written first
    "stp x 1; ldp x @0 | flush @0",                  // and flushed
    "stp x 1; stp x 2 | st y 1",                     // written again while the line is fetched
    "ld x; ldv x | st x 1",                          // a load that asks for a copy beyond the L1
    "ldv x; st x 1 @0 | ldv x @0 | st x 2 @1",       // beside a store of its SM
    "ldr x; ld x | ldr x",                           // data that nobody is to write
    "ldr x; ldr x @0 | ldr x @0 | ld x @1",          // with several warps
    "ld x; st x 1 | ldr x",                          // read by one that owns it
    "ld x | ldr x | st x 1",                         // and written after all
    "ld x; add x 1 | ldr x",                         // read after an atomic of its owner
    "ld x; st x 1; ldr x; st x 2",                   // hits of its owner
    "ld x; st x 1; st x 2 | ld x; ld x",             // stores of an owner that was asked to share
    "ld x; ldr x | ldr x",                           // replaced and asked for again
    "ld x; ld x @0 | flush @0 | ld x @1",            // flushed and asked for again
    "ld x; ld x @0 | flush @0 | ldr x @1",           // the same, read elsewhere
    "ld x; ld x @0 | st x 1 @0 | flush @0",          // with a store on its way
    "ld x; st x 1 @0 | st x 2; ld x @0",             // stores of two warps to their copy
    "ld x; st x 1 @0 | ld x @0 | st x 2 @0",         // and a load between
    "ld x @0 | ld y; st y 1; ld x @0",               // a load that joins behind the lease that comes
    "ld x; ld x; flush; st x 1",                     // such a load, a flush, and a store of its own warp
    "ld x; ld x; flush; add x 1",                    // and an atomic
    // A flush while a lease is renewed.
    "ld x; ld y; ld x @0 | flush @0 | ld y; st y 1 @1",
};

/// Minutes rather than seconds each.
constexpr std::string_view wide[] = {
    "ld x; ld y; st x 1 | ld y; ld x; st y 1",  // both lines cached before
    "st x 1 | ld x; st y 1 | ld y; ld x",       // WRC
    "st x 1; st y 1 | ld y; st x 2 | ld x",     // ISA2-like
    "st x 1 | st x 2 | ld x; ld x",             // CoRR with two writers
    "add x 1 | add x 2 | add x 4",              // three counters
    "ld x; st x 1 | ld x; ld x | ld x",         // readers and a writer
    "ld x; ld x | st x 1 | ld x; add x 2",      // readers, a writer, an atomic
    "st x 1 | st y 1 | ld x; ld y",             // half of IRIW
    // A mate's store that is read before it is performed, and a fence behind it.
    "ld x; st x 1 @0 | ld x; fence; st y 1 @0 | ld x; ld y; fence; ld x @1",
    // A flush and a store while a lease is renewed.
    "ld x; ld y; ld x @0 | flush; st x 1 @0 | ld y; st y 1 @1",
};

constexpr std::string_view ordered[] = {
    // Atomics before fences.
    "add x 1; fence; ld y | add y 1; fence; ld x",                  // SB
    "exch x 1; fence; ld y | exch y 1; fence; ld x",                // by exchanges
    "cas x 0 1; fence; ld y | cas y 0 1; fence; ld x",              // by compare and swap
    "add x 1; fence; ld y | st y 1; fence; ld x",                   // on one side
    "add x 1; fence.sys; ld y | add y 1; fence; ld x",              // fences of different scopes
    "exch x 1; fence.cta; ld y @0 | exch y 1; fence.cta; ld x @0",  // of a CTA
    "add x 1; fence; st y 1 | ld y; fence; ld x",                   // MP
    "add x 1; fence; add y 1 | ld y; fence.acq_rel; ld x",          // by two atomics
    "add x 1; fence.acq_rel; st y 1 | ld.acquire y; ld x",          // into an acquire
    "add x 1; fence; st y 2 | st y 1; fence; ld x",                 // R
    "st x 2; fence; add y 1 | ld y; fence; exch x 1",               // S
    // Acquires and releases.
    "st x 1; st.release y 1 | ld.acquire y; ld x",                                // MP
    "st x 1; st.release y 1 | ld x; ld.acquire y; ld x",                          // into an old copy
    "st x 1; st.release.sys y 1 | ld.acquire y; ld x",                            // of different scopes
    "st x 1; st.release.cta y 1 @0 | ld.acquire.cta y; ld x @0",                  // of a CTA
    "st x 1; add.release y 1 | add.acquire y 0; ld x",                            // by atomics
    "st x 1; exch.release y 1 | cas.acquire y 1 2; ld x",                         // by those that do not add
    "add x 1; exch.acq_rel y 1 | exch.acq_rel y 2; ld x",                         // that do both
    "add x 1; st.release y 1 | ld.acquire y; ld x",                               // of an atomic
    "st x 1; st.release y 1; st y 2 | ld.acquire y; ld x",                        // a store behind the release
    "cas.acquire y 0 1; ld x; st x 1; st.release y 0 | cas.acquire y 0 2; ld x",  // a lock
    // Releases behind loads.
    "ld x; st.release y 1 | ld.acquire y; st x 1",                // LB
    "ld x; add.release y 1 | ld.acquire y; st x 1",               // by an atomic
    "ld x; st.release y 1 | cas.acquire y 1 2; exch x 1",         // into atomics
    "add x 2; st.release y 1 | ld.acquire y; st x 1",             // of an atomic
    "ld x; fence.acq_rel; st y 1 | ld y; fence.acq_rel; st x 1",  // by fences
    "ld x; st.release.cta y 1 @0 | ld.acquire.cta y; st x 1 @0",  // of a CTA
};

constexpr std::string_view early[] = {
    "st x 1 @0 | ld x; ld y @0 | st y 1; ld x",         // RWC
    "st x 1 @0 | ld x; st y 1 @0 | ld y; ld x",         // WRC
    "ld x; st x 1 @0 | ld x @0 | ld x; ld x",           // seen early, then not by another
    "ld x; add x 1 @0 | ld x; ld y @0 | st y 1; ld x",  // with a copy at an atomic
};

/// Programs whose costs tell whether copies are kept, requests merged and leases renewed as they should be.
constexpr std::string_view costly[] = {
    "ld x; ld x",                                     // hit
    "ld x @0 | ld x @0",                              // merged, or a hit
    "ld x | ld x",                                    // two copies
    "ld x; st x 1; ld x",                             // a store to a copy
    "st x 1; st x 2; ld x; ld x",                     // stores without a copy
    "ld x; add x 1; ld x; ld x",                      // an atomic on a copy
    "add x 1; add x 2; st x 4",                       // no copy at all
    "ld x; ld x | st x 1",                            // a copy that another SM's store ends
    "ld x; ld x | add x 1",                           // by an atomic
    "ld x | st x 1; ld x; st x 2",                    // stores beside another copy
    "ld x; ld x @0 | st x 1; ld x @0",                // two warps on one L1, one stores
    "ld x; ld x @0 | add x 1; ld x @0",               // one is atomic
    "ld x; ld y; st y 1; ld x",                       // a lease that ends and is renewed
    "ld x; ld y; st y 1; ld x; st y 2; ld x",         // leases that are renewed again
    "st x 1; ld x; ld y; st y 1; ld x; ld x",         // a lease on what was written
    "add x 1; ld x; ld y; add y 1; ld x; ld x",       // by an atomic
    "ld x; ld y; st y 1; ld x | st x 1",              // a lease that ends, or a store
    "ld x | st x 1 | ld x",                           // two copies and a store
    "ld x | ld x | add x 1",                          // and an atomic
    "ld x; ld x | ld x; ld x",                        // two copies, read again
    "ld x; st x 1; ld x | ld x",                      // a store to a copy that another has
    "ldr x; ldr x; ld x | ldr x",                     // data that nobody is to write
    "ld x; st x 1 @0 | ld x @0 | st x 2 @0",          // a load between two stores
    "ld x; ld x @0 | ld x; ld x @0",                  // two warps share a copy
    "ld x; st x 1; ld x @0 | ld x @0",                // one warp stores to it
    "ld x; st x 1; ld x @0 | ld x; st x 2; ld x @0",  // both do
    "ld x @0 | ld y; ld x @0 | st x 1; st y 1 @1",    // a load that joins an older one of its L1
    "ld x @0 | st x 1; ld x @0 | st x 2 @1",          // a load, and stores of its L1 and of another
};

Program with_fences(const Program& program) {
  Program fenced = program;
  for (Thread& thread : fenced.threads) {
    std::vector<Op> ops;
    if (std::any_of(thread.ops.begin(), thread.ops.end(), [](const Op& op) { return op.kind == OpKind::flush; }))
      continue;
    for (const Op& op : thread.ops) {
      if (!ops.empty()) ops.push_back({OpKind::fence, 0, 0, 0});
      ops.push_back(op);
    }
    if (ops.size() <= max_operations) thread.ops = ops;
  }
  fenced.text = text_of(fenced);
  return fenced;
}

void add_parsed(std::vector<Program>& programs, std::string_view text, bool fences) {
  const Program program = parse_program(text);
  programs.push_back(program);
  if (!fences) return;
  Program fenced = with_fences(program);
  if (fenced.has_fences()) programs.push_back(std::move(fenced));
}

/// The text of the program with threads and locations renamed, least of all renamings.
std::string canonical(const Program& program) {
  std::string least;
  for (unsigned swap_threads = 0; swap_threads < 2; ++swap_threads) {
    for (unsigned swap_lines = 0; swap_lines < 2; ++swap_lines) {
      Program renamed = program;
      if (swap_threads != 0) std::swap(renamed.threads[0].ops, renamed.threads[1].ops);
      std::uint8_t value = 1;
      for (Thread& thread : renamed.threads) {
        for (Op& op : thread.ops) {
          if (swap_lines != 0) op.line ^= 1U;
          if (op.kind != OpKind::load) op.value = value;
          if (op.kind != OpKind::load) value = static_cast<std::uint8_t>(value * 2);
        }
      }
      const std::string text = text_of(renamed);
      if (least.empty() || text < least) least = text;
    }
  }
  return least;
}

}  // namespace

std::vector<Program> classic_programs(bool fences) {
  std::vector<Program> programs;
  for (const std::string_view text : classic) add_parsed(programs, text, fences);
  return programs;
}

std::vector<Program> ordered_programs() {
  std::vector<Program> programs;
  for (const std::string_view text : ordered) add_parsed(programs, text, false);
  return programs;
}

std::vector<Program> early_programs() {
  std::vector<Program> programs;
  for (const std::string_view text : early) add_parsed(programs, text, false);
  return programs;
}

std::vector<Program> cost_programs(bool of_modules) {
  if (of_modules) return module_cost_programs();
  std::vector<Program> programs;
  for (const std::string_view text : costly) add_parsed(programs, text, false);
  return programs;
}

std::vector<Program> all_programs(unsigned length) {
  constexpr unsigned choices = 6;  // load, store, atomic on x or y
  unsigned count = 1;
  for (unsigned i = 0; i < 2 * length; ++i) count *= choices;
  std::set<std::string> seen;
  std::vector<Program> programs;
  for (unsigned number = 0; number < count; ++number) {
    Program program;
    program.threads.resize(2);
    program.threads[1].l1 = 1;
    unsigned rest = number;
    for (Thread& thread : program.threads) {
      for (unsigned i = 0; i < length; ++i, rest /= choices)
        thread.ops.push_back(
            {static_cast<OpKind>(rest % choices / 2), static_cast<std::uint8_t>(rest % choices % 2), 0, 1});
    }
    std::string text = canonical(program);
    if (seen.insert(text).second) programs.push_back(parse_program(text));
  }
  return programs;
}

std::vector<Program> suite(SuiteSize size, bool fences) {
  std::vector<Program> programs = classic_programs(fences);
  if (size == SuiteSize::small) return programs;
  for (const Program& program : all_programs(2)) add_parsed(programs, program.text, fences);
  for (const std::string_view text : wide) add_parsed(programs, text, fences);
  return programs;
}

}  // namespace syncline::protocols::explore
