// Whether what the threads of a CTA do at one location agrees with the order of the writes there across barriers of the
// whole CTA, where accesses are performed in any order.
//
// Such a barrier makes all that its threads did before come before all that they do behind it (PTX ISA, causality
// order). For one location that asks, of an access in an earlier phase and one in a later phase:
//
//   write, then read    the read sees the write or a newer one
//   write, then write   they are in that order
//   read, then write    the read did not see the write
//   read, then any      where the read is strong and saw a strong write, that write is an earlier access as well
//
// Between locations, and for threads of other CTAs, a barrier orders nothing by itself; so it is no edge of an order of
// all accesses, as a fence is.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/functional/hash.hpp>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/line_data.h"
#include "consistency/online/dynamic_order.h"
#include "consistency/online/line_record.h"

namespace syncline::consistency {

/// Where an access stands among the barriers of its CTA.
struct BarrierPhase {
  std::uint32_t group = 0;  ///< threads that met at all barriers between its phases, each of them; 0: not known
  std::uint32_t phase = 0;  ///< ascends by one with each
  friend bool operator==(const BarrierPhase& a, const BarrierPhase& b) {
    return a.group == b.group && a.phase == b.phase;
  }
};

class PhaseCoherence {
 public:
  using Node = DynamicOrder::Node;

  /// Bytes that an access wrote as `version`, or read as they were then.
  struct Mark {
    base::ByteMask bytes;
    LineVersion version;
    bool is_write;
    Node node;
    Node source{};  ///< of what a strong read saw of a strong write: the write, which made `version`
  };

  /// Holds the access against the group's others to the line in other phases, and remembers it; `sources` as Mark has
  /// them. That a read saw a write of a later phase is for the caller to find, who knows the writer. The edges of a
  /// cycle that it closes; empty: none.
  std::vector<DynamicOrder::Hop> add(BarrierPhase when, std::uint64_t line, const Mark& access,
                                     const std::vector<Mark>& sources, const DynamicOrder& order);
  /// Lets go of what the order has forgotten.
  void forget(const DynamicOrder& order);
  /// Marks that are remembered.
  std::size_t size() const;

 private:
  using Marks = boost::container::small_vector<Mark, 1>;
  static constexpr std::size_t apart = 4;  ///< phases of a line; what was before them counts as the first of them
  /// What was done to the line in a phase. In both lists the bytes are disjoint.
  struct Phase {
    std::uint32_t number = 0;
    Marks newest;  ///< of each byte the newest version that was written, or that a strong read has shown
    Marks oldest;  ///< of each byte the oldest version that was written or read; of the phase alone
  };
  using Phases = boost::container::small_vector<Phase, 1>;  ///< ascending
  using Key = std::pair<std::uint32_t, std::uint64_t>;      ///< group and line

  static Phase& phase_of(Phases& phases, std::uint32_t number);
  static void put(Marks& marks, Mark mark, bool newest);
  static void forget(Marks& marks, const DynamicOrder& order);

  std::unordered_map<Key, Phases, boost::hash<Key>> lines_;
};

}  // namespace syncline::consistency
