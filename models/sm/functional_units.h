// The pipelines of an SM: how many there are, how wide, and for how long an instruction of each kind occupies them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "isa/exec/op.h"

namespace syncline::models {

/// Kinds of pipelines. Each has a number of equal instances; any scheduler may use any of them.
enum class Pipe : std::uint8_t { sp, sfu, dp, ldst, control, count_ };
inline constexpr unsigned pipe_kinds = static_cast<unsigned>(Pipe::count_);
std::string_view name(Pipe pipe);
const base::ChoiceTable<Pipe>& pipe_names();

struct PipeSpec {
  std::uint32_t count = 1;   ///< instances
  std::uint32_t lanes = 16;  ///< threads that one instance takes in one cycle (SIMD width)

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("count", count,
            param::count("pipelines of this kind",
                         "GETM T4.2: 2 x 16-wide SIMD for sp; the others: choice, after Fermi's SM")
                .between(1, 16));
    v.field("lanes", lanes,
            param::count("threads that enter one pipeline in one cycle",
                         "GPUDet T5.2: SIMD pipeline width 16 for sp; the others: choice, after Fermi's SM")
                .between(1, 64)
                .power_of_two());
  }
};

/// An instruction of one kind: its pipeline, when its result can be used, and how much longer than the lanes need it
/// keeps the pipeline.
struct OperationSpec {
  Pipe pipe = Pipe::sp;
  std::uint32_t latency = 18;
  std::uint32_t interval = 1;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("pipe", pipe, pipe_names(), param::text("pipeline that executes it"));
    v.field(
        "latency", latency,
        param::latency("core", "from issue to the first instruction that can use the result",
                       "CUDA C Programming Guide 4.2, 5.2.3: about 22 cycles on compute capability 2.x, of which the "
                       "pipeline itself is taken to be 18; long sequences as in GPGPU-Sim's GTX 480 model")
            .between(1, 4096));
    v.field("interval", interval,
            param::count("times that the warp passes through the pipeline (initiation interval in passes)",
                         "choice: after GPGPU-Sim's GTX 480 model")
                .between(1, 1024));
  }
};

/// All pipelines and all kinds of instructions (isa::FunctionalUnit) of an SM.
struct UnitsSpec {
  PipeSpec sp{2, 16}, sfu{1, 4}, dp{1, 16}, ldst{1, 16}, control{2, 64};
  OperationSpec integer{Pipe::sp, 18, 1}, integer_mul{Pipe::sp, 18, 1}, integer_div{Pipe::sp, 145, 8};
  OperationSpec single{Pipe::sp, 18, 1}, float_div{Pipe::sfu, 60, 2};
  OperationSpec double_{Pipe::dp, 22, 1}, double_div{Pipe::dp, 330, 16};
  OperationSpec special{Pipe::sfu, 24, 1}, load_store{Pipe::ldst, 18, 1};
  OperationSpec control_flow{Pipe::control, 4, 1}, synchronise{Pipe::control, 4, 1};

  template <class V>
  void fields(V& v) {
    v.group("sp", sp, "pipelines for integer and single-precision arithmetic");
    v.group("sfu", sfu, "special function units");
    v.group("dp", dp, "double-precision pipelines");
    v.group("ldst", ldst, "load/store unit: address generation, shared memory, shuffles");
    v.group("control", control, "branches, votes, barriers");
    v.group("integer", integer, "add, logic, shift, compare, move, select");
    v.group("integer_mul", integer_mul, "multiplications, dot products, bit fields");
    v.group("integer_div", integer_div, "integer division and remainder (a sequence on hardware)");
    v.group("single", single, "f32 and f16 arithmetic");
    v.group("float_div", float_div, "f32 division and square root with IEEE rounding (a sequence)");
    v.group("double", double_, "f64 arithmetic");
    v.group("double_div", double_div, "f64 division and square root");
    v.group("special", special, "rcp, rsqrt, sin, cos, lg2, ex2, tanh");
    v.group("load_store", load_store, "what the load/store unit does without memory: shuffles, parameters");
    v.group("control_flow", control_flow, "branches, calls, votes; latency until the next instruction of the warp");
    v.group("synchronise", synchronise, "barriers and fences, beside what they wait for");
  }
};

/// State of the pipelines of one SM.
class FunctionalUnits {
 public:
  struct Timing {
    Pipe pipe = Pipe::sp;
    std::uint32_t latency = 1;
    std::uint32_t occupied = 1;  ///< cycles
  };
  FunctionalUnits(const UnitsSpec& spec, unsigned warp_size);

  const Timing& timing(isa::FunctionalUnit unit) const { return timing_[static_cast<std::size_t>(unit)]; }
  /// First cycle at which an instance of `pipe` is free.
  base::Cycle free_at(Pipe pipe) const { return free_at_[static_cast<std::size_t>(pipe)]; }
  /// Takes the instance of `pipe` that is free longest, for `cycles`.
  void occupy(Pipe pipe, base::Cycle now, base::Cycle cycles);
  /// Cycles in which an instance of `pipe` was occupied, so far booked.
  std::uint64_t busy_cycles(Pipe pipe) const { return busy_cycles_[static_cast<std::size_t>(pipe)]; }

 private:
  std::array<Timing, static_cast<std::size_t>(isa::FunctionalUnit::count_)> timing_{};
  std::array<std::vector<base::Cycle>, pipe_kinds> instances_;
  std::array<base::Cycle, pipe_kinds> free_at_{};  ///< minimum over the instances
  std::array<std::uint64_t, pipe_kinds> busy_cycles_{};
};

}  // namespace syncline::models
