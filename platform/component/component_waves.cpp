#include "platform/component/component_waves.h"

#include "base/error.h"
#include "platform/observe/wave_lines.h"

namespace syncline::platform {
namespace {

WaveSpec spec_of_path(const std::string& path) {
  WaveSpec spec;
  spec.path = path;
  return spec;
}

}  // namespace

ComponentWaves::ComponentWaves(const std::string& path, const std::vector<GpuComponent*>& gpus)
    : ComponentWaves(spec_of_path(path), gpus) {}

ComponentWaves::ComponentWaves(const WaveSpec& spec, const std::vector<GpuComponent*>& gpus) {
  if (gpus.empty()) throw base::UserError("waves of no component: there is nothing to write to `" + spec.path + "`");
  for (GpuComponent* const gpu : gpus) {
    models::PlatformContext& context = gpu->simulation().context();
    add_line_signals(context, spec.lines, gpu->gpu().line_bytes(), gpu->gpu().local_memory_base());
    const std::vector<models::TracedSignal>& all = context.signals.all();
    signals_.insert(signals_.end(), all.begin(), all.end());
  }
  Simulation& first = gpus.front()->simulation();
  wave_ = std::make_unique<WaveWriter>(outputs_, spec, signals_, first.core_clock());
  first.observe(*wave_, "wave");
  first.device().watch_launches(*this);
}

std::vector<std::string> ComponentWaves::finish() {
  std::vector<std::string> notes;
  wave_->finish(notes);
  outputs_.commit();
  return notes;
}

void ComponentWaves::launch_began(const models::GridLaunch& grid) {
  wave_->kernel_begins(base::kernel_number(grid.id));
}

void ComponentWaves::launch_ended(const models::GridLaunch& grid) {
  wave_->kernel_ends(base::kernel_number(grid.id));
}

}  // namespace syncline::platform
