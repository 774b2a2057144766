#include "platform/packages/gpudet/parts.h"

#include "models/gpudet/z_commit.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform::gpudet {

std::uint64_t log_bytes(const PlatformSpec& spec) {
  return models::WriteLogs::bytes(spec.determinism.keys<models::GpudetSpec>().store_buffer, spec.sm.max_warps,
                                  spec.l1.line);
}

Parts::Parts(const GpuSite& site)
    : spec_(site.spec),
      keys_(spec_.determinism.keys<models::GpudetSpec>()),
      logs_(site.memory.at(logs_region).base),
      log_bytes_(log_bytes(spec_)),
      controller_("quanta", site.context, site.core, keys_, spec_.sms, spec_.sm.max_warps,
                  spec_.work_distributor.placement) {
  for (unsigned i = 0; i < site.homes.homes(); ++i) {
    const models::NodeId home = models::home_node(base::PartitionId(static_cast<std::uint16_t>(i)), site.place);
    partitions_.emplace_back(site.homes.global(home, 0));
  }
  if (locks()) locks_ = {site.memory.at(locks_region).base, site.memory.at(depths_region).base};
}

void Parts::add_to(models::SmSeams& seams, unsigned sm) {
  const unsigned granule = locks() ? models::LockCommit::granule : spec_.z_unit.granule;
  const models::SmQuantaSpec place{base::SmId(static_cast<std::uint16_t>(sm)),
                                   spec_.sm.max_warps,
                                   spec_.sm.max_ctas,
                                   spec_.l1.line,
                                   granule,
                                   logs_ + sm * log_bytes_};
  sms_.push_back(std::make_shared<models::SmQuanta>(controller_, place));
  models::SmQuanta& quanta = *sms_.back();
  models::StoreBuffer& buffer = *quanta.store_buffer();
  if (locks()) {
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

}  // namespace syncline::platform::gpudet
