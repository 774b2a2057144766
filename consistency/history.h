// Long executions of racing threads, judged by what their accesses returned.
//
// Where every write to a location brings another value, the values say which write each read read. The order of the
// writes is not recorded: it is inferred as far as the model forces it, edge by edge, until nothing follows any more.
// A contradiction is a violation; each step of the inference holds in every order that the model allows, so nothing
// that is allowed is reported. Orders that several choices together exclude are not tried: that is NP-hard (Gibbons and
// Korach, "Testing Shared Memories", 1997), and no single run of a machine needs it to be wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consistency/vocabulary.h"

namespace syncline::consistency {

/// One access of a thread, or its fence.sc. All scopes cover all threads.
struct Access {
  enum class Kind : std::uint8_t { read, write, update, fence };
  Kind kind = Kind::read;
  unsigned thread = 0;
  unsigned location = 0;
  std::uint32_t returned = 0;  ///< by a read or an update
  std::uint32_t written = 0;   ///< by a write or an update
  Semantics semantics = Semantics::relaxed;

  bool reads() const { return kind == Kind::read || kind == Kind::update; }
  bool writes() const { return kind == Kind::write || kind == Kind::update; }
};

struct History {
  std::vector<Access> accesses;  ///< each thread's in program order
  struct Location {
    std::uint32_t initial = 0;
    std::optional<std::uint32_t> final;  ///< value in the end, where it is known
  };
  std::vector<Location> locations;
};

/// What a history breaks: a sentence, and the accesses that contradict each other, in the order of the contradiction.
struct Contradiction {
  std::string what;
  std::vector<unsigned> accesses;  ///< by their place in History::accesses
};

/// Sequential consistency: program order, reads-from, coherence order and from-reads have no cycle.
std::optional<Contradiction> contradicts_sc(const History& history);

/// The PTX model of ptx75.h for one scope: Coherence, Fence-SC, Atomicity, SC-per-Location and Causality. Writes are
/// strong; reads may be weak.
std::optional<Contradiction> contradicts_ptx75(const History& history);

}  // namespace syncline::consistency
