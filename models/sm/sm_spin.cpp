// Warps whose lanes wait for lanes that go round for ever: only looked for while nothing happens on the whole machine.
#include <algorithm>

#include "models/sm/sm.h"

namespace syncline::models {

void Sm::look_for_spins(bool looks) {
  // What loads have got is compared with the memory of all.
  if (looks && !looks_) context().scheduler.hold_order();
  if (looks_ && !looks) context().scheduler.release_order();
  looks_ = looks;
  spins_.assign(looks ? spec_.max_warps : 0, {});
}

/// While accesses are under way their registers are not what they will be.
void Sm::look(unsigned slot) {
  spins_[slot].repeats(warps_[slot].warp, warps_[slot].accesses == 0);
}

/// A load that an L1 answers with old bytes may be answered otherwise later.
void Sm::look_at(const MemoryInstruction& instruction) {
  const isa::MemoryAccess& access = instruction.access;
  if (instruction.kind != L1Kind::global || access.space == isa::Space::shared || access.kind != isa::AccessKind::load)
    return;
  bool is_new = true;
  std::array<std::uint8_t, isa::max_access_bytes> held;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    is_new = is_new && read_memory(access.address[lane], held.data(), access.stride) &&
             std::equal(held.begin(), held.begin() + access.stride, access.data.begin() + lane * access.stride);
  });
  if (!is_new) spins_[instruction.slot].restart();
}

bool Sm::only_waits() const {
  for (unsigned slot = 0; slot < spec_.max_warps; ++slot)
    if (warps_[slot].live && states_.of(slot) != WarpState::barrier && !(looks_ && spins_[slot].repeats()))
      return false;
  return true;
}

std::string Sm::spin() const {
  for (unsigned slot = 0; slot < spec_.max_warps; ++slot)
    if (looks_ && warps_[slot].live && spins_[slot].repeats() && isa::lanes_wait_below(warps_[slot].warp))
      return isa::describe_spin(warps_[slot].warp);
  return {};
}

}  // namespace syncline::models
