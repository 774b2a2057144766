#include "platform/observe/event_trace.h"

#include "platform/timed/simulation.h"

namespace syncline::platform {

EventTrace::EventTrace(const TraceQuestions& questions) : path_(questions.path), filter_(questions) {}

EventTrace::~EventTrace() = default;

EventTrace::Attached::Attached(TraceFilter& filter, Simulation& run, Outputs& outputs, const std::string& path)
    : simulation(run),
      file(outputs, path, "--trace"),
      writer(file.stream()),
      tracks(writer, run.context().blocks),
      messages(filter, writer, tracks, run.gpu().coherence()),
      warps(filter, writer, tracks, run.gpu().compute_side(),
            [&run](base::GridId grid) { return run.device().grid(grid); }) {}

void EventTrace::attach(Simulation& simulation, Outputs& outputs) {
  filter_.attach({simulation.gpu().sms(), simulation.gpu().line_bytes(), simulation.core_clock()});
  attached_ = std::make_unique<Attached>(filter_, simulation, outputs, path_);
  simulation.observe(*this, "event_trace");
}

base::Cycle EventTrace::tick(base::Cycle now) {
  attached_->warps.tick(now);
  return now + 1;
}

void EventTrace::requested(const models::Message& request, const models::LineAccess& access) {
  Simulation& simulation = attached_->simulation;
  attached_->messages.requested(request, simulation.gpu().sm(access.warp.sm.value()), access,
                                attached_->warps.instruction_of(access),
                                [&] { return simulation.where(access.warp.grid, access.pc); });
}

void EventTrace::finish() {
  const base::Cycle end = attached_->simulation.core_clock().now();
  attached_->messages.finish();
  attached_->warps.finish(end);
  filter_.check_answers(end, attached_->writer.events());
  attached_->writer.finish();
  attached_->file.finish();
}

}  // namespace syncline::platform
