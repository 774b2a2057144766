#include "platform/litmus/litmus_layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace syncline::platform {

LitmusLayout::LitmusLayout(const consistency::Program& program, unsigned sms) : sms_(sms) {
  using CtaName = std::pair<unsigned, unsigned>;  // GPU and CTA
  std::map<unsigned, unsigned> named_sms;         // the numbers that the test uses, to ours
  std::map<CtaName, LitmusRole> ctas;
  std::map<CtaName, unsigned> warps;
  std::vector<unsigned> ctas_on(program.threads.size(), 0);
  unsigned used = 0;
  for (const consistency::Thread& thread : program.threads) {
    const CtaName name{thread.gpu, thread.cta};
    if (ctas.count(name) == 0) {
      LitmusRole role;
      if (!thread.sm) {
        role.sm = used++;
      } else {
        const auto [at, is_new] = named_sms.emplace(*thread.sm, used);
        if (is_new) ++used;
        role.sm = at->second;
      }
      role.sm %= sms;
      role.layer = ctas_on[role.sm]++;
      ctas.emplace(name, role);
    }
    LitmusRole role = ctas.at(name);
    role.warp = warps[name]++;
    roles_.push_back(role);
  }
  for (const LitmusRole& role : roles_) {
    sms_per_copy_ = std::max(sms_per_copy_, role.sm + 1);
    layers_ = std::max(layers_, role.layer + 1);
    warps_ = std::max(warps_, role.warp + 1);
  }
  copies_ = sms_ / sms_per_copy_;
}

std::optional<LitmusLayout::Actor> LitmusLayout::actor(unsigned cta, unsigned warp) const {
  const unsigned sm = cta % sms_, layer = cta / sms_;
  const unsigned copy = sm / sms_per_copy_;
  if (copy >= copies_) return std::nullopt;
  for (unsigned thread = 0; thread < roles_.size(); ++thread) {
    const LitmusRole& role = roles_[thread];
    if (role.sm == sm % sms_per_copy_ && role.layer == layer && role.warp == warp) return Actor{copy, thread};
  }
  return std::nullopt;
}

}  // namespace syncline::platform
