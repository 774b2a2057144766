#include "consistency/candidates.h"

#include <algorithm>

#include "consistency/meetings.h"
#include "consistency/paths.h"
#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

constexpr std::uint64_t max_candidates = 2'000'000;

/// Chooses a path for each thread, then a write for each read, then who meets at barriers.
class Candidates {
 public:
  Candidates(const Program& program, const CandidateOptions& options, const CandidateVisitor& visit)
      : program_(program), options_(options), visit_(visit) {
    for (unsigned t = 0; t < program.threads.size(); ++t) {
      paths_.push_back(paths_of(program, t, options.unroll));
      limits_.bounded = limits_.bounded || paths_.back().are_bounded;
    }
  }

  CandidateLimits run() {
    chosen_.assign(paths_.size(), nullptr);
    choose_path(0);
    return limits_;
  }

 private:
  void choose_path(std::size_t thread) {
    if (thread == paths_.size()) return assemble();
    for (const Path& path : paths_[thread].all) {
      chosen_[thread] = &path;
      choose_path(thread + 1);
    }
  }

  struct Read {
    unsigned event;
    std::vector<unsigned> sources;
  };

  void assemble() {
    if (!fits()) return;
    Execution execution;
    steps_.clear();
    first_.clear();
    for (unsigned l = 0; l < program_.locations.size(); ++l) {
      Event initial;
      initial.kind = Event::Kind::write;
      initial.location = l;
      initial.value = program_.locations[l].initial;
      execution.add(initial);
      steps_.push_back(nullptr);
    }
    for (unsigned t = 0; t < chosen_.size(); ++t) {
      execution.places.push_back({program_.threads[t].cta, program_.threads[t].gpu});
      first_.push_back(static_cast<unsigned>(execution.events.size()));
      for (const Path::Step& step : chosen_[t]->steps) {
        const unsigned event = execution.add(step.event);
        steps_.push_back(&step);
        if (step.completes_atomic) execution.rmw.add(event - 1, event);
        for_each_event(step.depends_on, [&](unsigned read) { execution.dep.add(first_.back() + read, event); });
      }
    }
    frame_ = std::make_shared<const Ptx75Frame>(execution);
    source_.assign(execution.events.size(), std::nullopt);
    reads_.clear();
    for_each_event(execution.of(Event::Kind::read), [&](unsigned read) {
      std::vector<unsigned> sources;
      for_each_event(execution.of(Event::Kind::write), [&](unsigned write) {
        if (execution.events[read].location == execution.events[write].location && !execution.rmw.at(read, write))
          sources.push_back(write);
      });
      reads_.push_back({read, std::move(sources)});
    });
    if (conditions_may_hold(execution)) choose_source(0, execution);
  }

  bool fits() {
    std::size_t events = program_.locations.size();
    for (const Path* path : chosen_) events += path->steps.size();
    if (events <= Relation::capacity) return true;
    if (!program_.has_loop())
      refuse("an execution of the test has more than " + std::to_string(Relation::capacity) +
             " events, initial writes included");
    limits_.bounded = true;
    return false;
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw Refusal({program_.file}, message + "; expected a smaller test", "too large");
  }

  void choose_source(std::size_t read, Execution& execution) {
    if (++steps_done_ > options_.max_steps)
      refuse("the judgement of the test takes more than " + std::to_string(options_.max_steps) + " steps");
    if (read == reads_.size()) return finish(execution);
    const unsigned event = reads_[read].event;
    for (const unsigned write : reads_[read].sources) {
      execution.rf.add(write, event);
      source_[event] = write;
      if (conditions_may_hold(execution) && !(options_.only_plausible && breaks_ptx75(execution, frame_)))
        choose_source(read + 1, execution);
      execution.rf.remove(write, event);
      source_[event].reset();
    }
  }

  /// A term of a thread, as far as the sources chosen so far decide it. Nothing, too, for a value that comes from
  /// itself: `asking_` holds the reads that wait for it.
  std::optional<Value> value(unsigned thread, Terms::Id term, const Execution& execution) {
    return chosen_[thread]->terms.value(term,
                                        [&](unsigned step) { return value_of_read(first_[thread] + step, execution); });
  }

  std::optional<Value> value_of_read(unsigned event, const Execution& execution) {
    if (!source_[event] || (asking_ & event_bit(event)) != 0) return std::nullopt;
    const unsigned write = *source_[event];
    const Event& e = execution.events[write];
    if (e.thread == no_thread) return e.value;
    asking_ |= event_bit(event);
    const auto result = value(e.thread, steps_[write]->value, execution);
    asking_ &= ~event_bit(event);
    return result;
  }

  /// False when a branch would have gone the other way, or a register ends with another value than asked for.
  bool conditions_may_hold(const Execution& execution) {
    for (unsigned t = 0; t < chosen_.size(); ++t) {
      for (const Path::Condition& condition : chosen_[t]->conditions) {
        const auto left = value(t, condition.left, execution);
        if (!left) continue;
        const auto right = value(t, condition.right, execution);
        if (right && holds(condition.comparison, *left, *right) != condition.holds) return false;
      }
      if (!options_.registers) continue;
      for (std::size_t r = 0; r < chosen_[t]->registers.size(); ++r) {
        const auto end = value(t, chosen_[t]->registers[r], execution);
        if (end && *end != (*options_.registers)[t][r]) return false;
      }
    }
    return true;
  }

  void finish(Execution& execution) {
    for (unsigned i = 0; i < execution.events.size(); ++i) {
      if (steps_[i] == nullptr) continue;
      Event& e = execution.events[i];
      std::optional<Value> result = 0;
      if (e.kind == Event::Kind::read) result = value_of_read(i, execution);
      if (e.kind == Event::Kind::write || e.kind == Event::Kind::barrier)
        result = value(e.thread, steps_[i]->value, execution);
      if (!result) return;  // it comes from itself
      (e.kind == Event::Kind::barrier ? e.barrier : e.value) = *result;
      if (steps_[i]->count) {
        e.count = value(e.thread, *steps_[i]->count, execution);
        if (!e.count) return;
      }
    }
    registers_.clear();
    for (unsigned t = 0; t < chosen_.size(); ++t) {
      registers_.emplace_back();
      for (const Terms::Id term : chosen_[t]->registers) registers_.back().push_back(*value(t, term, execution));
    }
    MeetingVisitor visitor;
    visitor.done = [&](const Relation& meets) {
      if (++count_ > max_candidates)
        refuse("the test has more than " + std::to_string(max_candidates) + " candidate executions");
      Execution whole = execution;
      whole.meets = meets;
      visit_({whole, frame_, registers_});
    };
    visitor.stuck = [&](const Relation& meets, EventSet undone) {
      limits_.stuck = limits_.stuck || may_get_stuck(execution, meets, undone);
    };
    for_each_meeting(execution, {program_.file}, visitor);
  }

  /// Whether the part of an execution that happens can.
  static bool may_get_stuck(const Execution& execution, const Relation& meets, EventSet undone) {
    Execution part;
    part.places = execution.places;
    std::vector<std::optional<unsigned>> number(execution.events.size());
    for (unsigned i = 0; i < execution.events.size(); ++i) {
      if ((undone & event_bit(i)) == 0) number[i] = part.add(execution.events[i]);
    }
    bool possible = true;
    part.meets.emplace(static_cast<unsigned>(part.events.size()));
    const auto copy = [&](const Relation& from, Relation& to, bool needs_source) {
      for (unsigned i = 0; i < from.size(); ++i) {
        for_each_event(from.successors(i), [&](unsigned j) {
          if (number[i] && number[j]) to.add(*number[i], *number[j]);
          possible = possible && (number[i] || !number[j] || !needs_source);
        });
      }
    };
    copy(execution.rf, part.rf, true);
    copy(execution.rmw, part.rmw, false);
    copy(execution.dep, part.dep, false);
    copy(meets, *part.meets, false);
    return possible && !breaks_ptx75(part, std::make_shared<const Ptx75Frame>(part));
  }

  const Program& program_;
  const CandidateOptions& options_;
  const CandidateVisitor& visit_;
  CandidateLimits limits_;
  std::vector<Paths> paths_;
  std::vector<const Path*> chosen_;
  std::shared_ptr<const Ptx75Frame> frame_;
  std::vector<const Path::Step*> steps_;  ///< by event; none for initial writes
  std::vector<unsigned> first_;           ///< by thread: its first event
  std::vector<Read> reads_;
  std::vector<std::optional<unsigned>> source_;  ///< by event: the write that a read has
  EventSet asking_ = 0;
  std::vector<std::vector<Value>> registers_;
  std::uint64_t count_ = 0, steps_done_ = 0;
};

}  // namespace

CandidateLimits for_each_candidate(const Program& program, const CandidateOptions& options,
                                   const CandidateVisitor& visit) {
  return Candidates(program, options, visit).run();
}

}  // namespace syncline::consistency
