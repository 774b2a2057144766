#include "isa/exec/barrier_deadlock.h"

#include <fmt/format.h>

namespace syncline::isa {

std::string describe_deadlock(const CtaBarriers& barriers, const std::vector<const Warp*>& warps) {
  if (warps.empty()) return "barrier deadlock";
  const Program& program = warps.front()->program();
  const base::Dim3 cta = warps.front()->cta();
  std::string text =
      fmt::format("barrier deadlock in CTA ({}, {}, {}) of kernel `{}`:", cta.x, cta.y, cta.z, program.kernel().name);
  std::vector<WaitingPath> paths;
  for (const Warp* warp : warps) {
    const BarrierWaiter* at = nullptr;
    unsigned id = 0;
    for (unsigned n = 0; n < barriers_per_cta; ++n)
      for (const BarrierWaiter& w : barriers.waiting(n))
        if (w.warp == warp->index()) {
          at = &w;
          id = n;
        }
    if (at == nullptr) {
      if (warp->finished())
        text += fmt::format("\n  warp {}: ended", warp->index());
      else
        text += fmt::format("\n  warp {}: [PC {}] {} lanes {:#x}", warp->index(), warp->pc(),
                            program.where(*warp->next()), warp->active());
      continue;
    }
    text += fmt::format("\n  warp {}: waits at barrier {} ({} have come): [PC {}] {} lanes {:#x}", warp->index(), id,
                        barriers.progress(id), program.pc_of(at->op), program.where(*at->op), at->lanes);
    paths.clear();
    warp->reconvergence().waiting(paths);
    for (const WaitingPath& p : paths)
      text += fmt::format("\n    behind it: [PC {}] {} lanes {:#x}", p.pc, program.where(program.op(p.pc)), p.lanes);
  }
  return text;
}

}  // namespace syncline::isa
