#include "consistency/meetings.h"

#include <map>
#include <tuple>
#include <vector>

#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

struct Meeting {
  EventSet events = 0;
  std::optional<Value> count;
  bool repeats = false;  ///< some thread is not there for the first time

  unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(events)); }
  bool is_exact() const { return !count || *count == static_cast<Value>(size()); }
};

class Meetings {
 public:
  Meetings(const Execution& execution, const base::SourceLocation& where,
           const std::function<void(const Relation&)>& visit)
      : execution_(execution), visit_(visit), barriers_(execution.of(Event::Kind::barrier)) {
    gather(where);
  }

  bool run() {
    const Relation none(static_cast<unsigned>(execution_.events.size()));
    choose(0, none, none);
    return !stuck_;
  }

 private:
  void gather(const base::SourceLocation& where) {
    using Place4 = std::tuple<unsigned, unsigned, Value, unsigned>;  // GPU, CTA, barrier, instance
    std::map<std::pair<Place4, unsigned>, Meeting> meetings;         // and which time
    std::map<std::pair<Place4, unsigned>, unsigned> times;           // by thread
    for_each_event(barriers_, [&](unsigned b) {
      const Event& e = execution_.events[b];
      const Place& at = execution_.places[e.thread];
      const Place4 place{at.gpu, at.cta, e.barrier, e.instance};
      const unsigned time = times[{place, e.thread}]++;
      Meeting& meeting = meetings[{place, time}];
      if (meeting.events == 0) {
        meeting.count = e.count;
      } else if (meeting.count != e.count) {
        throw Refusal(where, "the threads that meet at a barrier of the test name different counts",
                      "a barrier with two counts");
      }
      meeting.events |= event_bit(b);
      meeting.repeats = time != 0;
    });
    for (const auto& [key, meeting] : meetings) {
      const auto next = meetings.find({key.first, key.second + 1});
      const bool again = meeting.repeats || next != meetings.end();
      if (again && !meeting.is_exact())
        throw Refusal(where,
                      "threads come several times to a barrier of the test that counts, and not just as many as it counts",
                      "a counted barrier that is not always complete");
      meetings_.push_back(meeting);
    }
  }

  /// `first`: who comes before whom because that one finds the barrier complete.
  void choose(std::size_t next, const Relation& meets, const Relation& first) {
    if (next == meetings_.size()) {
      finish(meets, first);
      return;
    }
    const Meeting& meeting = meetings_[next];
    if (meeting.is_exact()) {
      choose(next + 1, completed(meets, meeting.events, meeting.events), first);
    } else if (*meeting.count > static_cast<Value>(meeting.size())) {
      bool somebody_waits = false;
      for_each_event(meeting.events, [&](unsigned b) {
        somebody_waits = somebody_waits || !execution_.events[b].arrives_only;
      });
      if (somebody_waits) {
        stuck_ = true;
      } else {
        choose(next + 1, meets, first);
      }
    } else {
      subsets(meeting, meeting.events, 0, [&](EventSet chosen) {
        Relation later = first;
        for_each_event(chosen, [&](unsigned b) {
          for_each_event(meeting.events & ~chosen, [&](unsigned late) { later.add(b, late); });
        });
        choose(next + 1, completed(meets, chosen, meeting.events), later);
      });
    }
  }

  /// The subsets of `count` events, of which `chosen` is a part and the rest comes from `left`.
  template <class Body>
  void subsets(const Meeting& meeting, EventSet left, EventSet chosen, const Body& body) {
    const auto missing = *meeting.count - __builtin_popcountll(chosen);
    if (missing == 0) return body(chosen);
    if (__builtin_popcountll(left) < missing) return;
    const EventSet first = left & (~left + 1);
    subsets(meeting, left & ~first, chosen | first, body);
    subsets(meeting, left & ~first, chosen, body);
  }

  Relation completed(const Relation& meets, EventSet by, EventSet all) const {
    Relation result = meets;
    for_each_event(by, [&](unsigned b) {
      for_each_event(all, [&](unsigned other) {
        if (other != b && !execution_.events[other].arrives_only) result.add(b, other);
      });
    });
    return result;
  }

  /// Nobody comes to a barrier who waits at one for himself.
  void finish(const Relation& meets, const Relation& first) {
    const Relation po = execution_.po().restricted(barriers_, barriers_);
    if ((po | meets.then(po) | first).acyclic()) {
      visit_(meets);
    } else {
      stuck_ = true;
    }
  }

  const Execution& execution_;
  const std::function<void(const Relation&)>& visit_;
  const EventSet barriers_;
  std::vector<Meeting> meetings_;
  bool stuck_ = false;
};

}  // namespace

bool for_each_meeting(const Execution& execution, const base::SourceLocation& where,
                      const std::function<void(const Relation&)>& visit) {
  return Meetings(execution, where, visit).run();
}

}  // namespace syncline::consistency
