#include "platform/gpu/determinism.h"

#include "base/round_up.h"
#include "models/gpudet/z_commit.h"

namespace syncline::platform {

Determinism::Determinism(models::PlatformContext& context, models::ClockDomain& core, const PlatformSpec& spec,
                         const models::AddressMap& map, std::uint64_t memory_end)
    : spec_(spec),
      logs_(base::round_up(memory_end, spec.l1.line)),
      log_bytes_(models::WriteLogs::bytes(spec.determinism.gpudet.store_buffer, spec.sm.max_warps, spec.l1.line)),
      controller_("quanta", context, core, spec.determinism.gpudet, spec.sms, spec.sm.max_warps,
                  spec.work_distributor.placement) {
  for (unsigned i = 0; i < map.partitions(); ++i)
    partitions_.emplace_back(map.global(base::PartitionId(static_cast<std::uint16_t>(i)), 0));
  memory_end_ = logs_ + spec.sms * log_bytes_;
  if (spec.determinism.gpudet.commit != models::CommitKind::lock) return;
  locks_.locks = memory_end_;
  locks_.depths = base::round_up(locks_.locks + logs_ / spec.l1.line * sizeof(std::uint32_t), spec.l1.line);
  memory_end_ = locks_.depths + logs_;
}

void Determinism::add_to(models::SmSeams& seams, unsigned sm) {
  const unsigned granule =
      spec_.determinism.gpudet.commit == models::CommitKind::lock ? models::LockCommit::granule : spec_.z_unit.granule;
  const models::SmQuantaSpec place{base::SmId(static_cast<std::uint16_t>(sm)),
                                   spec_.sm.max_warps,
                                   spec_.sm.max_ctas,
                                   spec_.l1.line,
                                   granule,
                                   logs_ + sm * log_bytes_};
  sms_.push_back(std::make_shared<models::SmQuanta>(controller_, place));
  models::SmQuanta& quanta = *sms_.back();
  models::StoreBuffer& buffer = *quanta.store_buffer();
  if (spec_.determinism.gpudet.commit == models::CommitKind::lock) {
    buffer.commit().use(std::make_unique<models::LockCommit>(buffer.port(), buffer.commit(), locks_, spec_.l1.line));
  } else {
    // One SM clears the depths of all partitions.
    buffer.commit().use(std::make_unique<models::ZCommit>(buffer.port(), buffer.commit(),
                                                          sm == 0 ? partitions_ : std::vector<base::LineAddress>{}));
  }
  controller_.add(place.sm, quanta);
  seams.gate = sms_.back();
  seams.stages.push_back(quanta.store_buffer());
  seams.listeners.push_back(sms_.back());
  seams.places = sms_.back();
  seams.fences = std::make_shared<models::NoFence>();  // the end of a quantum is the fence
}

}  // namespace syncline::platform
