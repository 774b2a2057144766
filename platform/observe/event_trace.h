// The event trace of a run, for Perfetto: what warps, messages and lines do, and why.
#pragma once

#include <memory>
#include <string>

#include "models/sm/seams/warp_events.h"
#include "models/transport/message_listener.h"
#include "platform/observe/message_trace.h"
#include "platform/observe/output_file.h"
#include "platform/observe/warp_trace.h"

namespace syncline::platform {

class Simulation;

/// Of one GPU. Written while the program runs; memory is bounded by what is under way. The same run gives the same
/// bytes.
class EventTrace final : public models::MessageListener, public models::WarpEvents, public models::Ticked {
 public:
  /// Before the GPU is made, which is to have this among its listeners of both kinds (GpuOptions). UserError for
  /// questions that contradict themselves.
  explicit EventTrace(const TraceQuestions& questions);
  ~EventTrace() override;
  /// When the GPU is made. UserError where it lacks what is asked for, or the file cannot be written.
  void attach(Simulation& simulation, Outputs& outputs);
  /// The run has ended. UserError where nothing is what was asked for.
  void finish();

  base::Cycle tick(base::Cycle now) override;

  // MessageListener
  void requested(const models::Message& request, const models::LineAccess& access) override;
  void made(const models::Message& message, const models::CacheController& by, const models::Message* cause) override {
    attached_->messages.made(message, by, cause);
  }
  void sent(const models::Message& message, const models::Block& to, std::uint64_t arrival_ps) override {
    attached_->messages.sent(message, to, arrival_ps);
  }
  void step(const models::Message& message, models::CacheStep step, const models::CacheController&,
            const models::Message* cause) override {
    attached_->messages.step(message, step, cause);
  }
  void memory_read(base::LineAddress line, models::MemoryStep step, const models::CacheController& home) override {
    attached_->messages.memory_read(line, step, home);
  }
  void state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const models::CacheController& at,
                     const models::Message* cause) override {
    attached_->messages.state_changed(line, from, to, at, cause);
  }
  void ended(const models::Message& message) override { attached_->messages.ended(message); }

  // WarpEvents
  void cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId grid, base::Dim3 cta, unsigned) override {
    attached_->warps.cta_launched(sm, slot, grid, cta);
  }
  void cta_ended(base::SmId sm, base::CtaSlot slot, base::GridId grid, base::Dim3) override {
    attached_->warps.cta_ended(sm, slot, grid);
  }
  void warp_started(const models::WarpIdentity& warp) override { attached_->warps.warp_started(warp); }
  void exited(const models::WarpIdentity& warp) override { attached_->warps.exited(warp); }

 private:
  struct Attached {
    Attached(TraceFilter& filter, Simulation& simulation, Outputs& outputs, const std::string& path);
    Simulation& simulation;
    OutputFile file;
    TraceWriter writer;
    TraceTracks tracks;
    MessageTrace messages;
    WarpTrace warps;
  };
  const std::string path_;
  TraceFilter filter_;
  std::unique_ptr<Attached> attached_;
};

}  // namespace syncline::platform
