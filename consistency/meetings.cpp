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
  Meetings(const Execution& execution, const base::SourceLocation& where, const MeetingVisitor& visitor)
      : execution_(execution), visitor_(visitor), po_(execution.po()), barriers_(execution.of(Event::Kind::barrier)) {
    gather(where);
    completers_.resize(meetings_.size());
  }

  void run() { choose(0); }

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
        throw Refusal(
            where, "threads come several times to a barrier of the test that counts, and not just as many as it counts",
            "a counted barrier that is not always complete");
      meetings_.push_back(meeting);
    }
  }

  /// Who completes each meeting; nobody one at which too few meet.
  void choose(std::size_t next) {
    if (next == meetings_.size()) return go();
    const Meeting& meeting = meetings_[next];
    const auto with = [&](EventSet completers) {
      completers_[next] = completers;
      choose(next + 1);
    };
    if (meeting.is_exact()) {
      with(meeting.events);
    } else if (*meeting.count > static_cast<Value>(meeting.size())) {
      with(0);
    } else {
      subsets(meeting, meeting.events, 0, with);
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

  /// Lets the threads go as far as they can.
  void go() {
    EventSet come = 0, passed = 0;
    for (bool goes_on = true; goes_on;) {
      const EventSet had_come = come, had_passed = passed;
      for (std::size_t m = 0; m < meetings_.size(); ++m) {
        const EventSet completers = completers_[m];
        for_each_event(meetings_[m].events, [&](unsigned b) {
          if (has_come_to(b, passed)) come |= event_bit(b);
          const bool complete = completers != 0 && (completers & ~come) == 0;
          if ((come & event_bit(b)) != 0 && (complete || execution_.events[b].arrives_only)) passed |= event_bit(b);
        });
      }
      goes_on = come != had_come || passed != had_passed;
    }
    Relation meets(po_.size());
    for (std::size_t m = 0; m < meetings_.size(); ++m) {
      // As many as it counts have come, and others than those: these would have completed it.
      const auto there = static_cast<unsigned>(__builtin_popcountll(meetings_[m].events & come));
      const auto needed = static_cast<unsigned>(__builtin_popcountll(completers_[m]));
      if ((completers_[m] & ~come) != 0 && there >= needed) return;
      for_each_event(completers_[m], [&](unsigned b) {
        for_each_event(meetings_[m].events & passed, [&](unsigned other) {
          if (other != b && !execution_.events[other].arrives_only) meets.add(b, other);
        });
      });
    }
    if (passed == barriers_) return visitor_.done(meets);
    EventSet undone = barriers_ & ~come;
    for_each_event(barriers_ & ~passed, [&](unsigned b) { undone |= po_.successors(b); });
    visitor_.stuck(meets, undone);
  }

  bool has_come_to(unsigned barrier, EventSet passed) const {
    bool all = true;
    for_each_event(barriers_ & ~passed, [&](unsigned other) { all = all && !po_.at(other, barrier); });
    return all;
  }

  const Execution& execution_;
  const MeetingVisitor& visitor_;
  const Relation po_;
  const EventSet barriers_;
  std::vector<Meeting> meetings_;
  std::vector<EventSet> completers_;  ///< by meeting
};

}  // namespace

void for_each_meeting(const Execution& execution, const base::SourceLocation& where, const MeetingVisitor& visitor) {
  Meetings(execution, where, visitor).run();
}

}  // namespace syncline::consistency
