#include "platform/litmus/litmus_layout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"

namespace syncline::platform {

LitmusLayout::LitmusLayout(const consistency::Program& program, const LitmusSms& machine) : machine_(machine) {
  using Name = std::pair<unsigned, unsigned>;  // of a CTA or an SM, behind its GPU
  std::map<unsigned, unsigned> gpus;           // the numbers that the test uses, to ours
  std::map<Name, unsigned> named_sms;
  std::map<Name, LitmusRole> ctas;
  std::map<Name, unsigned> warps, ctas_on;
  std::map<unsigned, unsigned> used;  // SMs, by GPU
  for (const consistency::Thread& thread : program.threads) {
    const unsigned gpu = gpus.emplace(thread.gpu, static_cast<unsigned>(gpus.size())).first->second;
    const Name name{gpu, thread.cta};
    if (ctas.count(name) == 0) {
      LitmusRole role;
      role.gpu = gpu;
      if (!thread.sm) {
        role.sm = used[gpu]++;
      } else {
        const auto [at, is_new] = named_sms.emplace(Name{gpu, *thread.sm}, used[gpu]);
        if (is_new) ++used[gpu];
        role.sm = at->second;
      }
      role.sm %= machine.per_gpu();
      role.layer = ctas_on[{gpu, role.sm}]++;
      ctas.emplace(name, role);
    }
    LitmusRole role = ctas.at(name);
    role.warp = warps[name]++;
    roles_.push_back(role);
  }
  for (const LitmusRole& role : roles_) {
    width_ = std::max(width_, role.sm + 1);
    layers_ = std::max(layers_, role.layer + 1);
    warps_ = std::max(warps_, role.warp + 1);
  }
  gpus_of_copy_ = static_cast<unsigned>(gpus.size());
  if (gpus_of_copy_ > machine.gpus) throw base::ModelError("a litmus test on more GPUs than there are");
  columns_ = machine.per_gpu() / width_;
}

std::optional<LitmusLayout::Actor> LitmusLayout::actor(unsigned cta, unsigned warp) const {
  const unsigned sms = machine_.sms / machine_.modules, part = ctas() / machine_.modules;
  const unsigned sm = cta / part * sms + cta % part % sms, layer = cta % part / sms;
  const unsigned gpu = sm / machine_.per_gpu(), on_gpu = sm % machine_.per_gpu();
  const unsigned column = on_gpu / width_, group = gpu / gpus_of_copy_;
  if (column >= columns_ || group >= machine_.gpus / gpus_of_copy_) return std::nullopt;
  for (unsigned thread = 0; thread < roles_.size(); ++thread) {
    const LitmusRole& role = roles_[thread];
    if (role.gpu == gpu % gpus_of_copy_ && role.sm == on_gpu % width_ && role.layer == layer && role.warp == warp)
      return Actor{group * columns_ + column, thread};
  }
  return std::nullopt;
}

}  // namespace syncline::platform
