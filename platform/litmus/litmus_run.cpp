#include "platform/litmus/litmus_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "platform/litmus/litmus_kernel.h"
#include "platform/litmus/litmus_layout.h"

namespace syncline::platform {
namespace {

using consistency::Program;
using consistency::State;
using consistency::Value;

constexpr std::uint64_t max_rounds = 64;
/// From one round's start to the next: longer than a round takes, and free, for sleeping warps cost the simulator
/// nothing. A round that takes longer delays the next ones, which changes no result.
constexpr std::uint32_t period_ns = 8000;
/// Where threads fetch what they are to do over links: else those who have them near are rounds ahead of the others.
constexpr std::uint32_t period_between_gpus_ns = 32000;
/// How long before the start of a round its lines are warmed, at the least and, times two each, at the most. A load
/// that misses takes some 250 ns on the machines here, and leases in physical time last from some hundred nanoseconds
/// to several microseconds: copies are there that last through the round, end in its midst, or have just ended.
constexpr std::uint32_t least_warm_ns = 250, warm_doublings = 4;
/// A round draws its largest distance between starts from these: weak outcomes need accesses that overlap, others need
/// one thread to be through when the next begins.
constexpr std::uint32_t skews_ns[] = {1, 20, 100, 400, 1500};

template <class T>
void shuffle(std::vector<T>& values, base::Random& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

/// Memory that is freed when it is no longer needed.
class Allocation {
 public:
  Allocation(Device& device, std::uint64_t bytes) : device_(device), at_(device.mem_alloc(bytes)) {}
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation() { device_.mem_free(at_); }
  operator DevicePointer() const { return at_; }  // NOLINT(google-explicit-constructor): it is the pointer

 private:
  Device& device_;
  DevicePointer at_;
};

/// All launches of one test.
class TestRun {
 public:
  TestRun(Device& device, const LitmusMachine& machine, const Program& program, std::uint64_t seed,
          std::uint64_t iterations)
      : device_(device),
        machine_(machine),
        program_(program),
        layout_(program, machine.sms),
        sizes_(litmus_sizes(program)),
        random_(seed, "litmus." + program.name),
        roles_(layout_.copies() * sizes_.threads),
        rounds_(static_cast<unsigned>(
            std::clamp<std::uint64_t>((iterations + layout_.copies() - 1) / layout_.copies(), 1, max_rounds))),
        words_per_line_(machine.line_bytes / sizeof(Value)),
        memory_(std::size_t{rounds_} * layout_.copies() * std::max(1U, sizes_.locations) * words_per_line_),
        homes_(std::size_t{rounds_} * layout_.copies() * sizes_.locations),
        plans_(std::size_t{rounds_} * roles_ * sizes_.plan_bytes()),
        results_(std::size_t{rounds_} * roles_ * std::max(1U, sizes_.registers)),
        device_memory_(device, memory_.size() * sizeof(Value)),
        device_plans_(device, plans_.size()),
        device_results_(device, results_.size() * sizeof(Value)),
        device_roles_(device, std::uint64_t{layout_.ctas()} * layout_.warps_per_cta() * 8),
        device_places_(device, std::uint64_t{roles_} * 4),
        device_scratch_(device, std::uint64_t{machine.set_stride} * (litmus_max_touches + 1)),
        device_start_(device, 16) {
    const ModuleHandle module = device.module_load_text(litmus_kernel(program), program.name + ".ptx");
    kernel_ = device.module_get_function(module, litmus_kernel_name);
    cast();
  }

  LitmusCounts run(std::uint64_t iterations) {
    LitmusCounts counts;
    counts.copies = layout_.copies();
    counts.sms_per_copy = layout_.sms_per_copy();
    while (counts.iterations < iterations) {
      plan_launch();
      launch();
      check_places();
      count(counts);
      counts.iterations += std::uint64_t{rounds_} * layout_.copies();
    }
    return counts;
  }

 private:
  struct Cast {
    std::uint32_t role = ~0U, thread = 0;
  };

  /// Tells each warp of the grid who it is.
  void cast() {
    std::vector<Cast> cast;
    for (unsigned cta = 0; cta < layout_.ctas(); ++cta) {
      for (unsigned warp = 0; warp < layout_.warps_per_cta(); ++warp) {
        const auto actor = layout_.actor(cta, warp);
        cast.push_back(actor ? Cast{actor->copy * sizes_.threads + actor->thread, actor->thread} : Cast{});
      }
    }
    device_.memcpy_htod(device_roles_, cast.data(), cast.size() * sizeof(Cast));
  }

  std::uint64_t address_of(std::size_t word) const {
    return address(device_memory_) + static_cast<std::uint64_t>(word) * sizeof(Value);
  }

  void plan_launch() {
    std::fill(memory_.begin(), memory_.end(), 0);
    std::vector<std::uint32_t> lines(homes_.size());
    std::iota(lines.begin(), lines.end(), 0U);
    shuffle(lines, random_);
    for (unsigned round = 0; round < rounds_; ++round) {
      for (unsigned copy = 0; copy < layout_.copies(); ++copy) plan_iteration(round, copy, lines);
    }
  }

  void plan_iteration(unsigned round, unsigned copy, const std::vector<std::uint32_t>& lines) {
    const std::size_t first = (std::size_t{round} * layout_.copies() + copy) * sizes_.locations;
    const bool share_a_line = sizes_.locations <= words_per_line_ && random_.below(4) == 0;
    std::vector<unsigned> words(words_per_line_);
    std::iota(words.begin(), words.end(), 0U);
    shuffle(words, random_);
    for (unsigned l = 0; l < sizes_.locations; ++l) {
      const std::size_t line = lines[share_a_line ? first : first + l];
      homes_[first + l] = line * words_per_line_ + words[l % words_per_line_];
      memory_[homes_[first + l]] = program_.locations[l].initial;
    }
    const std::uint32_t skew = skews_ns[random_.below(std::size(skews_ns))];
    const bool warms = random_.below(3) != 0, touches = random_.below(3) == 0;
    const std::uint32_t doubled = least_warm_ns << random_.below(warm_doublings);
    const std::uint32_t warm_ns = doubled + random_.below(doubled);
    for (unsigned thread = 0; thread < sizes_.threads; ++thread) {
      LitmusPlan plan;
      plan.delay_ns = random_.below(skew);
      plan.warm_ns = warm_ns;
      for (unsigned l = 0; warms && l < sizes_.locations; ++l) plan.warm |= random_.below(2) << l;
      if (touches && sizes_.locations != 0) {
        plan.touches = random_.below(litmus_max_touches + 1);
        const std::uint64_t rival = address_of(homes_[first + random_.below(sizes_.locations)]);
        const std::uint64_t offset = (rival - address(device_scratch_)) % machine_.set_stride;
        plan.touch_at = static_cast<std::uint32_t>(offset / machine_.line_bytes * machine_.line_bytes);
      }
      const std::size_t role = std::size_t{round} * roles_ + copy * sizes_.threads + thread;
      std::uint8_t* const at = plans_.data() + role * sizes_.plan_bytes();
      std::memcpy(at, &plan, sizeof plan);
      for (unsigned l = 0; l < sizes_.locations; ++l) {
        const std::uint64_t home = address_of(homes_[first + l]);
        std::memcpy(at + sizeof plan + l * sizeof home, &home, sizeof home);
      }
    }
  }

  void launch() {
    const std::uint64_t start[2] = {0, roles_};
    device_.memcpy_htod(device_start_, start, sizeof start);
    device_.memcpy_htod(device_memory_, memory_.data(), memory_.size() * sizeof(Value));
    device_.memcpy_htod(device_plans_, plans_.data(), plans_.size());
    LaunchConfig config;
    config.grid = {layout_.ctas(), 1, 1};
    config.block = {32 * layout_.warps_per_cta(), 1, 1};
    const auto pointer = [](const Allocation& a) { return DevicePointer(a); };
    device_.launch_kernel(
        kernel_, config,
        arguments(pointer(device_roles_), pointer(device_plans_), pointer(device_results_), pointer(device_places_),
                  pointer(device_scratch_), pointer(device_start_), std::uint32_t{rounds_},
                  machine_.sms.gpus > 1 ? period_between_gpus_ns : period_ns, std::uint32_t{machine_.set_stride}));
    device_.synchronize();
    before_ = memory_;
    device_.memcpy_dtoh(memory_.data(), device_memory_, memory_.size() * sizeof(Value));
    device_.memcpy_dtoh(results_.data(), device_results_, results_.size() * sizeof(Value));
  }

  /// Threads that shall share an SM or a GPU did, and others did not.
  void check_places() {
    const auto sm = device_.download<std::uint32_t>(device_places_, roles_);
    for (unsigned copy = 0; copy < layout_.copies(); ++copy) {
      for (unsigned a = 0; a < sizes_.threads; ++a) {
        for (unsigned b = 0; b < a; ++b) {
          const unsigned of_a = sm[copy * sizes_.threads + a], of_b = sm[copy * sizes_.threads + b];
          const LitmusRole &role_a = layout_.roles()[a], &role_b = layout_.roles()[b];
          const unsigned per_gpu = machine_.sms.per_gpu();
          const bool same_gpu = role_a.gpu == role_b.gpu, same_sm = same_gpu && role_a.sm == role_b.sm;
          if ((of_a == of_b) != same_sm || (of_a / per_gpu == of_b / per_gpu) != same_gpu)
            throw base::ModelError(
                fmt::format("litmus test {}: P{} ran on SM {} and P{} on SM {}; the CTAs were not dealt in turn",
                            program_.name, b, of_b, a, of_a));
        }
      }
    }
  }

  bool gave_up(unsigned round, unsigned copy) const {
    if (!program_.has_loop()) return false;
    for (unsigned thread = 0; thread < sizes_.threads; ++thread) {
      const std::size_t role = std::size_t{round} * roles_ + copy * sizes_.threads + thread;
      const Value tries = results_[role * sizes_.registers + sizes_.tries()];
      if (static_cast<std::uint32_t>(tries) > litmus_max_tries) return true;
    }
    return false;
  }

  void count(LitmusCounts& counts) {
    State state(program_.observables.size());
    for (unsigned round = 0; round < rounds_; ++round) {
      for (unsigned copy = 0; copy < layout_.copies(); ++copy) {
        const std::size_t first = (std::size_t{round} * layout_.copies() + copy) * sizes_.locations;
        for (std::size_t o = 0; o < state.size(); ++o) {
          const consistency::Observable& observable = program_.observables[o];
          if (observable.thread) {
            const std::size_t role = std::size_t{round} * roles_ + copy * sizes_.threads + *observable.thread;
            state[o] = results_[role * sizes_.registers + observable.index];
          } else {
            state[o] = memory_[homes_[first + observable.index]];
          }
        }
        if (gave_up(round, copy)) {
          ++counts.unfinished;
        } else {
          ++counts.states[state];
        }
        for (unsigned l = 0; l < sizes_.locations; ++l) memory_[homes_[first + l]] = before_[homes_[first + l]];
      }
    }
    // What no thread writes stays as it was.
    if (memory_ != before_)
      throw base::ModelError(fmt::format("litmus test {}: memory changed beside the test's locations", program_.name));
  }

  Device& device_;
  const LitmusMachine machine_;
  const Program& program_;
  LitmusLayout layout_;
  LitmusSizes sizes_;
  base::Random random_;
  unsigned roles_;  ///< of one round
  unsigned rounds_;
  unsigned words_per_line_;
  std::vector<Value> memory_, before_;
  std::vector<std::size_t> homes_;  ///< by round, copy and location: the word in `memory_`
  std::vector<std::uint8_t> plans_;
  std::vector<Value> results_;
  Allocation device_memory_, device_plans_, device_results_, device_roles_, device_places_, device_scratch_,
      device_start_;
  KernelHandle kernel_{};
};

}  // namespace

LitmusCounts LitmusRunner::run(const Program& program, std::uint64_t iterations) {
  return TestRun(device_, machine_, program, seed_, iterations).run(iterations);
}

}  // namespace syncline::platform
