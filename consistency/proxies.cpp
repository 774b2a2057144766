#include "consistency/proxies.h"

namespace syncline::consistency {
namespace {

/// All accesses are generic, and those of one location by one address.
bool is_plain(const Execution& execution, const Relation& same_location) {
  EventSet own = 0;  // all but the initial writes, which are there by every path
  for (unsigned i = 0; i < execution.events.size(); ++i) {
    if (execution.events[i].is_memory() && execution.events[i].thread != no_thread) own |= event_bit(i);
  }
  bool plain = true;
  for_each_event(own, [&](unsigned i) {
    const Event &a = execution.events[i],
                &first = execution.events[static_cast<unsigned>(__builtin_ctzll(same_location.successors(i) & own))];
    plain = plain && a.proxy == Proxy::generic && a.address == first.address;
  });
  return plain;
}

class Preserved {
 public:
  Preserved(const Execution& execution, const Relation& base)
      : execution_(execution), base_(base), fences_(execution.of(Event::Kind::proxy_fence)) {}

  bool holds(unsigned first, unsigned second) const {
    const Event &x = execution_.events[first], &y = execution_.events[second];
    const bool one_address = x.address == y.address;
    if (one_address && x.proxy == y.proxy && (x.proxy == Proxy::generic || same_cta(x, y))) return true;
    // From where on the first is seen by all, and up to where the second sees all.
    const EventSet sources = x.proxy == Proxy::generic ? event_bit(first) : fences_of(x, true, first);
    const EventSet targets = y.proxy == Proxy::generic ? event_bit(second) : fences_of(y, false, second);
    if (one_address) return ordered(sources, targets);
    bool found = false;
    for_each_event(fences_, [&](unsigned fence) {
      found = found || (execution_.events[fence].proxy == Proxy::alias && ordered(sources, event_bit(fence)) &&
                        ordered(event_bit(fence), targets));
    });
    return found;
  }

 private:
  bool same_cta(const Event& a, const Event& b) const {
    const Place &at = execution_.places[a.thread], &bt = execution_.places[b.thread];
    return at.gpu == bt.gpu && at.cta == bt.cta;
  }

  /// The fences of an access's proxy and CTA that come behind it, or before it.
  EventSet fences_of(const Event& access, bool behind, unsigned event) const {
    EventSet found = 0;
    for_each_event(fences_, [&](unsigned fence) {
      const Event& f = execution_.events[fence];
      const bool in_order = behind ? base_.at(event, fence) : base_.at(fence, event);
      if (f.proxy == access.proxy && in_order && same_cta(f, access)) found |= event_bit(fence);
    });
    return found;
  }

  bool ordered(EventSet from, EventSet to) const { return !base_.restricted(from, to).empty(); }

  const Execution& execution_;
  const Relation& base_;
  const EventSet fences_;
};

}  // namespace

Relation proxy_preserved(const Execution& execution, const Relation& base, const Relation& same_location) {
  Relation result = base & same_location;
  if (is_plain(execution, same_location)) return result;
  const Preserved preserved(execution, base);
  for (unsigned x = 0; x < result.size(); ++x) {
    for_each_event(result.successors(x), [&](unsigned y) {
      if (!preserved.holds(x, y)) result.remove(x, y);
    });
  }
  return result;
}

}  // namespace syncline::consistency
