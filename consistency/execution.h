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
  enum class Kind : std::uint8_t { read, write, fence, proxy_fence, barrier };
  Kind kind = Kind::read;
  unsigned thread = no_thread;
  unsigned location = 0;         ///< of a read or write
  unsigned address = 0;          ///< of a read or write: the generic address by which it goes to the location
  Proxy proxy = Proxy::generic;  ///< of a read or write, and what a proxy fence is about
  Value value = 0;
  Semantics semantics = Semantics::weak;  ///< of a barrier and a proxy fence: weak
  Scope scope = Scope::sys;
  bool is_reduction = false;  ///< the read of a `red`: it makes no acquire pattern
  // Of a barrier:
  Value barrier = 0;
  unsigned instance = 0;
  std::optional<Value> count;  ///< threads that complete it; none: all that come
  bool arrives_only = false;   ///< bar.arrive: it does not wait
  unsigned instruction = 0;    ///< of its thread

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
  /// Barrier that completes to one that waits for that (consistency/meetings.h); not known: any.
  std::optional<Relation> meets;

  /// Adds an event behind those of its thread; the relations grow with it.
  unsigned add(const Event& event);

  Relation po() const;
  Relation known_meets() const { return meets.value_or(Relation(static_cast<unsigned>(events.size()))); }
  Relation same_location() const;  ///< reads and writes of one location, of an event with itself too
  /// The same for those that take one path to it: one generic address and one proxy.
  Relation same_path() const;
  EventSet of(Event::Kind kind) const;
};

}  // namespace syncline::consistency
