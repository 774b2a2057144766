#include "protocols/transactions/explore/suite.h"

#include <string>
#include <string_view>

namespace syncline::protocols::transactions {
namespace {

constexpr std::string_view programs[] = {
    "add x 1 | add x 2",                                            // a lost update
    "ld x; st y 1 | ld y; st x 1",                                  // write skew
    "ld x; ld y; st x 1 | ld x; ld y; st y 1",                      // double-read skew
    "st x 1; st y 1 | st x 2; st y 2",                              // both writes of one, or of the other
    "st x 1; st y 1 | ld x; ld y",                                  // both or none are seen
    "add x 1; add y 1 | add y 2; add x 2",                          // that would wait for each other
    "st x 1; ld x; st x 2 | ld x; st y 1; ld x",                    // reads of one's own
    "st x 1; st x1 1 | ld x; ld x1 | ld x1; st x 2",                // two words of a granule
    "add x 1 | add x 2 | add x 3",                                  // three of one
    "ld x; st y 1 | ld y; st x1 1 | ld x1; st x 1",                 // a ring of two granules
    "ld x; st y 1 | ld y; st x 1 | ld x; ld y",                     // with somebody who looks
    "add x 1; fence; add x 2 | add x 4",                            // one behind the other
    "st x 1; fence; st x 2; fence; st x 3 | st x 4",                // until time is used up
    "st x 1; fence; ld y | st y 1; fence; ld x",                    // no promise between them
    "add x 1; fence; add y 1 | add y 2; fence; add x 2",            // crossing
    "st x 1 @0 | st x1 1 @0 | ld x; ld x1 @1",                      // lanes that share a granule
    "st x 1; ld y @0 | st x1 1 @0 | st y 1 @1",                     // of which one may abort
    "st x 1; ld y @0 | ld x1; st y 1 @0 | add x 2 @1",              // lanes that conflict
    "add x 1; add y 1 @0 | add y 2; add x 2 @0 | ld x; ld y @1",    // and with another warp
    "st x 1; ld y @0 | st x1 1; st y1 1 @0 | add y 1; add x1 2 @1"  // one commits, one cleans up
};

constexpr std::string_view more[] = {
    "add x 1; fence; st x 0 | ld x; st y 1",           // memory is again what it was
    "add x 1; fence; st x 0 | ld x; ld y; st y 1",     // and so is what a hazard is about
    "st x 1; st y 1 | ld x; st x1 1 | ld y; ld x1",    // half of a commit, seen through another
    "ld x; st y 1 | ld y; ld x | st x 1",              // between two that commit
    "ld x; st y 1; fence; ld x | add x 1; st y 2",     // validated, and then silent
    "st x 1; st x1 1; st y 1 | st y 2; st x1 2",       // words of one line, of two partitions
    "ld x; st y 1 @0 | ld y; st x 1 @0 | ld x; ld y",  // skew within a warp
    "st x 1 @0 | ld x; st y 1 @0 | add y 2"            // one that reads what a lower lane writes
};

constexpr std::string_view in_shared_memory[] = {
    "add x 1 @0 | add x 2 @0 | add x 4 @0",                             // three lanes of one word
    "add x 1; add y 1 @0 | add y 2; add x 2 @0",                        // lanes that are in each other's way
    "add x 1; add y 1 @0 | add y 2; add x 2 @1",                        // wavefronts that are
    "add x 1 @0 | add x 2 @0 | add y 1 @0 | add y 2 @0",                // two pairs
    "ld x; st y 1 @0 | ld x; st y1 1 @0 | ld x; st x1 1 @0",            // readers of one word
    "ld x; st x 1 @0 | ld x; st x 2 @0 | ld x; ld y @0",                // that want to write it
    "ld x; ld y @0 | ld x; st y 1 @1",                                  // in two wavefronts
    "ld x; st x 1 @0 | ld x; st x 2 @1",                                // which want to write it
    "ld x; ld y1 @0 | ld y1; st x 1; st y1 1 @1",                       // a reader that may be forgotten too early
    "ld x; st y 1 @0 | ld y; st x 1 @0 | ld x; ld y @1",                // skew within a wavefront
    "st x 1; st y 1; ld x @0 | st y 2; st x 2; ld y @0 | add x1 1 @1",  // both written by turns
    "add x 1; fence; add y 1 @0 | add y 2; fence; add x 2 @0 | ld x; ld y @1",
    "st x 1; st x 2; ld x @0 | ld x; add x 1 @1",                         // the oldest value is kept
    "add x 1 @0 | add x1 2 @0 | add x 4 @1",                              // words that may look alike
    "add x 1; add y 1 @0 | add y 2; add x1 2 @0 | add x1 4; add x 4 @0",  // a ring of lanes
    "add x 1; add y 1; add x1 1 @0 | add y 2; add x1 2; add x 2 @0 | add x1 4; add x 4; add y 4 @0 | add y1 1 @1",
    "add x 1; add y 1 @0 | add y 2; add x 2 @0 | add x1 1; add y1 1 @0 | add y1 2; add x1 2 @0",  // two pairs of them
    "ld x; ld y; ld x @0 | ld x; ld y; ld x @1",                        // readers that come back
    "ld x; ld y; st y1 1; ld y1 @0 | ld x; ld x; st x1 1; st x1 2 @0",  // of one wavefront, with words of their own
    "ld x; fence; st x 1 @0 | ld y; ld y1; ld y @1",  // one behind the other, beside another wavefront
    "st x 1; fence; st x 2 @0 | ld y; ld y1; ld y @1",
    "ld x; ld x; st x 1; st y 1 @0 | ld x; ld y @1",  // an owner that reads again, and then writes
    "st x 1; fence; ld x; ld x1 @0 | ld y; st y1 1; ld y @1",
    "ld x; ld x1; st y 1 @0 | st x 1 @1 | st x1 1 @2",  // three wavefronts
};

}  // namespace

std::vector<explore::Program> all_pairs() {
  constexpr std::string_view operations[] = {"ld x", "ld y", "st x 1", "st y 1"};
  std::vector<std::string> transactions;
  for (const unsigned length : {2U, 3U}) {
    for (unsigned code = 0; code >> 2 * length == 0; ++code) {
      std::string& text = transactions.emplace_back();
      for (unsigned i = 0; i < length; ++i) {
        if (i != 0) text += "; ";
        text += operations[code >> 2 * i & 3U];
      }
    }
  }
  std::vector<explore::Program> pairs;
  for (std::size_t a = 0; a < transactions.size(); ++a) {
    for (std::size_t b = a; b < transactions.size(); ++b)
      pairs.push_back(explore::parse_program(transactions[a] + " | " + transactions[b]));
  }
  return pairs;
}

std::vector<explore::Program> shapes() {
  std::vector<explore::Program> all;
  for (const std::string_view text : programs) all.push_back(explore::parse_program(text));
  return all;
}

getm::GetmSpec roomy(getm::TieRule rule) {
  getm::GetmSpec spec;
  spec.tie_rule = rule;
  spec.begins_at = getm::BeginsAt::warp;  // as warps of different SMs, whose times differ more than those of one
  spec.precise_entries = 8;
  spec.approximate_entries = 4;
  return spec;
}

getm::GetmSpec cramped(getm::TieRule rule, unsigned partitions) {
  getm::GetmSpec spec;
  spec.tie_rule = rule;
  spec.begins_at = getm::BeginsAt::warp;
  spec.precise_entries = spec.approximate_entries = partitions;
  spec.precise_ways = spec.approximate_ways = spec.insertion_probes = spec.stash_entries = 1;
  spec.stall_addresses = spec.stall_requests = 1;
  return spec;
}

std::vector<WorldOptions> worlds(getm::TieRule rule) {
  const auto with = [rule](unsigned partitions, unsigned max_aborts) {
    WorldOptions options;
    options.spec = cramped(rule, partitions);
    options.partitions = partitions;
    options.max_aborts = max_aborts;
    return options;
  };
  std::vector<WorldOptions> all;
  all.push_back(with(1, 2));
  all.push_back(with(2, 2));
  all.push_back(with(2, 2));
  all.back().spec.begins_at = getm::BeginsAt::sm;
  all.push_back(with(1, 2));  // what the table has no room for is in memory, and nothing may wait
  all.back().spec.stash_entries = 0;
  all.back().spec.stall_addresses = 0;
  all.push_back(with(2, 0));
  all.back().spec.timestamp_bits = 2;
  all.back().spec.coalescing = false;
  all.push_back(with(2, 1));  // attempts that overlap their own commits
  all.back().spec.attempt_tags = 2;
  all.back().spec.coalescing = false;
  all.push_back(with(2, 1));
  all.back().spec.coalescing = false;
  all.back().pipelined = true;
  return all;
}

std::vector<explore::Program> value_shapes() {
  std::vector<explore::Program> all = shapes();
  for (const std::string_view text : more) all.push_back(explore::parse_program(text));
  return all;
}

warptm::WarptmSpec roomy(warptm::Design design) {
  warptm::WarptmSpec spec = warptm::WarptmSpec::of(design);
  spec.history_sets = spec.history_ways = spec.history_filter_entries = spec.history_filter_ways = 2;
  spec.tcd_entries = spec.tcd_granularity = 4;
  spec.conflict_entries = 8;
  spec.ring_entries = 64;
  return spec;
}

warptm::WarptmSpec cramped(warptm::Design design) {
  warptm::WarptmSpec spec = warptm::WarptmSpec::of(design);
  spec.history_sets = spec.history_ways = spec.history_filter_entries = spec.history_filter_ways = 1;
  spec.tcd_entries = spec.tcd_ways = spec.conflict_entries = spec.ownership_entries = 1;
  spec.ring_entries = spec.intra_warp == warptm::IntraWarp::none ? 2 : 1;
  return spec;
}

std::vector<WarptmCase> warptm_worlds() {
  using warptm::Design;
  std::vector<WarptmCase> all;
  const auto add = [&all](const char* name, Design design, bool has_room, unsigned partitions) -> WarptmWorldOptions& {
    WarptmWorldOptions options;
    options.spec = has_room ? roomy(design) : cramped(design);
    options.partitions = partitions;
    return all.emplace_back(WarptmCase{name, design, options}).world;
  };
  add("kilotm", Design::kilotm, true, 1);
  add("kilotm, cramped", Design::kilotm, false, 2);
  add("warptm", Design::warptm, true, 1);
  add("warptm, two partitions", Design::warptm, true, 2);
  add("warptm, cramped", Design::warptm, false, 2).spec.intra_warp = warptm::IntraWarp::serial;
  add("warptm, answers late", Design::warptm, true, 1).late_answers = true;
  WarptmWorldOptions& parts = add("warptm, not coalesced", Design::warptm, false, 1);
  parts.spec.coalescing = false;
  parts.spec.ring_entries = 2;
  add("warptm, perfect", Design::warptm, true, 1).spec.intra_warp = warptm::IntraWarp::perfect;
  add("warptm, an ID for each lane", Design::warptm, true, 2).spec.intra_warp = warptm::IntraWarp::none;
  add("warptm_el", Design::warptm_el, true, 1);
  add("warptm_el, cramped", Design::warptm_el, false, 2);
  add("eapg", Design::eapg, true, 1);
  add("eapg, cramped", Design::eapg, false, 2);
  WarptmWorldOptions& early = add("eapg, broadcasts late, no pauses", Design::eapg, true, 1);
  early.spec.pause_and_go = false;
  early.late_broadcasts = true;
  return all;
}

std::vector<explore::Program> local_shapes() {
  std::vector<explore::Program> all = shapes();
  for (const std::string_view text : in_shared_memory) all.push_back(explore::parse_program(text));
  return all;
}

std::vector<LocalCase> local_worlds() {
  std::vector<LocalCase> all;
  for (const auto& [detection_name, detection] : local::detections()) {
    for (const auto& [selection_name, selection] : local::selections()) {
      LocalCase& one = all.emplace_back();
      one.name = std::string(detection_name) + ", " + std::string(selection_name);
      one.world.spec.detection = detection;
      one.world.spec.selection = selection;
      one.world.spec.banks = local_banks;
      if (!one.world.spec.has_signatures()) continue;
      all.push_back(one);
      all.back().name += ", aliases";
      all.back().world.spec.signature_bits = all.back().world.spec.helper_bits = 1;
      all.back().world.spec.helper_per = local::HelperPer::bank;
    }
  }
  return all;
}

}  // namespace syncline::protocols::transactions
