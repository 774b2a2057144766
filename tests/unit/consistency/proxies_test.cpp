// Proxy-preserved base causality order, against a datum that wanders.
#include "consistency/proxies.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <tuple>

namespace syncline::consistency {
namespace {

/// RapidCheck's own ranges are narrow at first; programs this small need no such care.
template <class T>
T between(T least, T end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end));
}

/// Where the datum of a write can be read: in the caches of a proxy and a CTA, or in memory at a generic address.
struct Whereabouts {
  Proxy proxy;
  unsigned cta, address;
  friend bool operator<(const Whereabouts& a, const Whereabouts& b) {
    return std::tie(a.proxy, a.cta, a.address) < std::tie(b.proxy, b.cta, b.address);
  }
};

/// Follows a datum from one access along base causality order: a proxy fence moves it between the caches of its proxy
/// and CTA and memory, an alias fence to all addresses of its location.
class Wanderer {
 public:
  Wanderer(const Execution& execution, const Relation& base) : execution_(execution), base_(base) {}

  bool reaches(unsigned from, unsigned to) {
    target_ = to;
    seen_.clear();
    return base_.at(from, to) && follow(from, place_of(from));
  }

 private:
  Whereabouts place_of(unsigned event) const {
    const Event& e = execution_.events[event];
    const bool generic = e.proxy == Proxy::generic;
    return {e.proxy, generic ? 0 : execution_.places[e.thread].cta, e.address};
  }

  bool follow(unsigned at, const Whereabouts& where) {
    if (!seen_.insert({at, where}).second) return false;
    if (at != target_ && base_.at(at, target_)) {
      const Whereabouts wanted = place_of(target_);
      if (!(where < wanted) && !(wanted < where)) return true;
    }
    bool found = false;
    for_each_event(base_.successors(at) & execution_.of(Event::Kind::proxy_fence), [&](unsigned fence) {
      if (found) return;
      found = follow(fence, where);  // it may pass without an effect
      const Event& f = execution_.events[fence];
      const unsigned cta = execution_.places[f.thread].cta;
      if (f.proxy == Proxy::alias) {
        for (unsigned address = 0; where.proxy == Proxy::generic && address < 2; ++address)
          found = found || follow(fence, {Proxy::generic, 0, address});
      } else if (where.proxy == Proxy::generic) {
        found = found || follow(fence, {f.proxy, cta, where.address});
      } else if (where.proxy == f.proxy && where.cta == cta) {
        found = found || follow(fence, {Proxy::generic, 0, where.address});
      }
    });
    return found;
  }

  const Execution& execution_;
  const Relation& base_;
  unsigned target_ = 0;
  std::set<std::pair<unsigned, Whereabouts>> seen_;
};

TEST(Proxies, PreservedIsWhereADatumCanWander) {
  unsigned kept = 0, dropped = 0;
  EXPECT_TRUE(rc::check([&] {
    Execution execution;
    const unsigned size = between(6U, 14U);
    for (unsigned i = 0; i < size; ++i) {
      execution.places.push_back({between(0U, 2U), 0});
      Event e;
      e.thread = i;
      const bool is_fence = *rc::gen::arbitrary<bool>();
      e.kind = is_fence ? Event::Kind::proxy_fence : *rc::gen::element(Event::Kind::read, Event::Kind::write);
      e.proxy = is_fence ? *rc::gen::element(Proxy::texture, Proxy::surface, Proxy::alias)
                         : *rc::gen::element(Proxy::generic, Proxy::texture, Proxy::surface);
      e.address = between(0U, 2U);
      execution.add(e);
    }
    Relation base(size);
    for (unsigned i = 0; i < size; ++i) {
      for (unsigned j = i + 1; j < size; ++j) {
        if (*rc::gen::arbitrary<bool>()) base.add(i, j);
      }
    }
    base = base.closure();
    const Relation preserved = proxy_preserved(execution, base, execution.same_location());
    Wanderer wanderer(execution, base);
    for (unsigned i = 0; i < size; ++i) {
      for (unsigned j = 0; j < size; ++j) {
        if (!execution.events[i].is_memory() || !execution.events[j].is_memory() || !base.at(i, j)) {
          RC_ASSERT(!preserved.at(i, j));
          continue;
        }
        RC_ASSERT(preserved.at(i, j) == wanderer.reaches(i, j));
        ++(preserved.at(i, j) ? kept : dropped);
      }
    }
  }));
  EXPECT_GT(kept, 30U);
  EXPECT_GT(dropped, 30U);
}

}  // namespace
}  // namespace syncline::consistency
