#include "isa/lanes/lane_kernel.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/error.h"
#include "isa/lanes/form.h"
#include "isa/lanes/kernel_table.h"

namespace syncline::isa {

// One function per build; the build system says which of them this program contains.
namespace portable {
void fill(KernelTable& table);
}
#ifdef SYNCLINE_LANES_X86
namespace avx2 {
void fill(KernelTable& table);
}
namespace avx512 {
void fill(KernelTable& table);
}
#endif

namespace {

KernelTable filled(void (*fill)(KernelTable&)) {
  KernelTable table;
  fill(table);
  return table;
}

LaneIsa best_lane_isa() {
  for (const LaneIsa isa : {LaneIsa::avx512, LaneIsa::avx2}) {
    if (lane_isa_available(isa)) return isa;
  }
  return LaneIsa::portable;
}

const char* isa_name(LaneIsa isa) {
  switch (isa) {
    case LaneIsa::automatic:
      return "automatic";
    case LaneIsa::portable:
      return "portable";
    case LaneIsa::avx2:
      return "avx2";
    case LaneIsa::avx512:
      return "avx512";
  }
  return "unknown";
}

/// The one choice that holds for the whole process; kernels of all builds have the same bits, so it changes speed only.
std::atomic<LaneIsa>& selection() {
  static std::atomic<LaneIsa> selected{best_lane_isa()};
  return selected;
}

}  // namespace

void KernelTable::add(const LaneForm& form, LaneKernel kernel) {
  if (!kernels_.emplace(form.key(), kernel).second) {
    throw base::ModelError("two lane kernels for the form with key " + std::to_string(form.key()));
  }
}

LaneKernel KernelTable::find(const LaneForm& form) const {
  const auto found = kernels_.find(form.key());
  return found == kernels_.end() ? nullptr : found->second;
}

std::vector<std::pair<std::uint64_t, LaneKernel>> KernelTable::entries() const {
  std::vector<std::pair<std::uint64_t, LaneKernel>> all(kernels_.begin(), kernels_.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

bool lane_isa_available(LaneIsa isa) {
  switch (isa) {
    case LaneIsa::automatic:
    case LaneIsa::portable:
      return true;
#ifdef SYNCLINE_LANES_X86
    // The builds are made for the levels x86-64-v3 and x86-64-v4.
    case LaneIsa::avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
             __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
             __builtin_cpu_supports("popcnt") != 0;
    case LaneIsa::avx512:
      return lane_isa_available(LaneIsa::avx2) && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#else
    case LaneIsa::avx2:
    case LaneIsa::avx512:
      return false;
#endif
  }
  return false;
}

const KernelTable* kernel_table(LaneIsa isa) {
  switch (isa) {
    case LaneIsa::automatic:
      return kernel_table(selected_lane_isa());
    case LaneIsa::portable: {
      static const KernelTable table = filled(portable::fill);
      return &table;
    }
#ifdef SYNCLINE_LANES_X86
    case LaneIsa::avx2: {
      static const KernelTable table = filled(avx2::fill);
      return &table;
    }
    case LaneIsa::avx512: {
      static const KernelTable table = filled(avx512::fill);
      return &table;
    }
#else
    case LaneIsa::avx2:
    case LaneIsa::avx512:
      break;
#endif
  }
  return nullptr;
}

void select_lane_isa(LaneIsa isa) {
  if (isa == LaneIsa::automatic) isa = best_lane_isa();
  if (!lane_isa_available(isa)) {
    throw base::UserError(std::string("this CPU cannot run the ") + isa_name(isa) + " lane kernels");
  }
  selection() = isa;
}

LaneIsa selected_lane_isa() {
  return selection();
}

LaneKernel find_lane_kernel(Opcode opcode, const Modifiers& modifiers, unsigned sources) {
  return kernel_table(LaneIsa::automatic)->find(form_of(opcode, modifiers, sources));
}

}  // namespace syncline::isa
