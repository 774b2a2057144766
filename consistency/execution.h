// One execution of a litmus test: its events, what each read read, and, where it is known, the order of the writes.
#pragma once

#include <optional>
#include <vector>

#include "consistency/relation.h"
#include "consistency/vocabulary.h"

namespace syncline::consistency {

/// Number of an event's thread when it has none: the initial writes.
inline constexpr unsigned no_thread = ~0U;

struct Event {
  enum class Kind : std::uint8_t { read, write, fence, barrier };
  Kind kind = Kind::read;
  unsigned thread = no_thread;
  unsigned location = 0;  ///< of a read or write
  Value value = 0;
  Semantics semantics = Semantics::weak;  ///< of a barrier: weak
  Scope scope = Scope::sys;
  bool is_reduction = false;  ///< the read of a `red`: it makes no acquire pattern
  unsigned barrier = 0, instance = 0;

  bool is_memory() const { return kind == Kind::read || kind == Kind::write; }
  bool is_strong() const { return semantics != Semantics::weak; }
};

/// Where a thread runs; scopes are about this.
struct Place {
  unsigned cta = 0, gpu = 0;
};

/// The relations that an execution is given by. Events stand in program order of each thread; the initial writes are
/// events without a thread. An atomic is a read and a write, neighbours in program order.
struct Execution {
  std::vector<Event> events;
  std::vector<Place> places;   ///< by thread
  Relation rf;                 ///< reads-from: write to read
  Relation rmw;                ///< read to write of an atomic
  Relation dep;                ///< read to the event whose value or execution it decides
  std::optional<Relation> co;  ///< coherence order of the writes to each location; not known: any may be found

  /// Adds an event behind those of its thread; the relations grow with it.
  unsigned add(const Event& event);

  Relation po() const;
  Relation same_location() const;  ///< reads and writes of one location, of an event with itself too
  EventSet of(Event::Kind kind) const;
};

}  // namespace syncline::consistency
