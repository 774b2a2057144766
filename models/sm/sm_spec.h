// Parameters of a streaming multiprocessor. Every parameter of GPUDet table 5.2, RCC table 3.3 and GETM table 4.2 that
// concerns the SM itself is a key here; the L1 and what lies behind it have Specs of their own.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/line_data.h"
#include "isa/exec/reconvergence.h"
#include "models/sm/bank_conflicts.h"
#include "models/sm/coalescer.h"
#include "models/sm/functional_units.h"
#include "models/sm/occupancy.h"
#include "models/sm/schedulers/warp_scheduler.h"

namespace syncline::models {

struct SharedMemorySpec {
  std::uint64_t bytes = 48 * 1024;
  std::uint64_t allocation_unit = 128;
  std::uint32_t banks = 32;
  std::uint32_t bank_width = 4;
  std::uint32_t latency = 26;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field(
        "bytes", bytes,
        param::bytes("shared memory of an SM", "RCC T3.3: 48 KB; GPUDet T5.2 and GETM T4.2: 16 KB").at_most(1 << 24));
    v.field("allocation_unit", allocation_unit,
            param::bytes("a CTA's share is rounded up to a multiple", "CUDA occupancy calculator, 2.x")
                .between(1, 1 << 16));
    v.field("banks", banks, param::count("banks", "CUDA C Programming Guide 4.2, F.5.3").between(1, 64).power_of_two());
    v.field("bank_width", bank_width,
            param::bytes("width of a bank", "CUDA C Programming Guide 4.2, F.5.3").between(4, 8).power_of_two());
    v.field("latency", latency,
            param::latency("core", "load-to-use latency without conflicts", "choice: after GPU microbenchmarks")
                .at_least(1));
  }
  BankGeometry geometry() const { return {banks, bank_width}; }
};

struct ConstantCacheSpec {
  std::uint64_t bytes = 8 * 1024;
  std::uint32_t ways = 2;
  std::uint32_t latency = 18;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("bytes", bytes,
            param::bytes("constant cache of an SM", "GPUDet T5.2: 8 KB").power_of_two().between(128, 1 << 24));
    v.field("ways", ways,
            param::count("associativity", "choice: as GPGPU-Sim's GTX 480 model").between(1, 64).power_of_two());
    v.field("latency", latency,
            param::latency("core", "load-to-use latency of a hit", "choice: as a register").at_least(1));
  }
};

struct SmMemorySpec {
  std::uint32_t instructions = 64;
  std::uint32_t queue = 16;
  std::uint32_t address_latency = 4;
  std::uint32_t return_latency = 2;
  bool barrier_drains_stores = true;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("instructions", instructions,
            param::count("memory instructions of an SM that can be under way", "choice: enough not to limit")
                .between(1, 4096));
    v.field("queue", queue,
            param::count("memory instructions that wait for their turn at the L1", "choice").between(1, 4096));
    v.field(
        "address_latency", address_latency,
        param::latency("core", "from issue until the first line access reaches the L1", "choice: address generation"));
    v.field("return_latency", return_latency,
            param::latency("core", "from the last reply until its registers can be used", "choice: write-back")
                .at_least(1));
    v.field(
        "barrier_drains_stores", barrier_drains_stores,
        param::flag(
            "a warp arrives at a CTA barrier when its stores are performed; false: unsound under rcc, rcc_wo, gpu_vi "
            "and gpu_vi_ni, where others then read what was there before them",
            "PTX ISA, bar: orders the accesses of the participating threads"));
  }
};

struct SmSpec {
  std::uint32_t warp_size = 32;
  std::uint32_t ptx_warp_size = 32;
  std::uint32_t max_warps = 48;
  std::uint32_t max_threads = 1536;
  std::uint32_t max_ctas = 8;
  std::uint32_t registers = 32768;
  std::uint32_t register_allocation_unit = 64;
  std::uint32_t schedulers = 2;
  std::uint32_t issue_width = 1;
  std::uint32_t launch_latency = 20;
  std::uint32_t barrier_latency = 4;
  std::uint32_t system_call_latency = 1000;
  isa::ReconvergenceSpec reconvergence;
  SchedulerSpec scheduler;
  UnitsSpec units;
  SharedMemorySpec shared;
  CoalescerSpec coalescer;
  ConstantCacheSpec constant;
  SmMemorySpec memory;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("warp_size", warp_size,
            param::count("threads of a warp", "GPUDet T5.2: 32; GPU-LocalTM T3: 64").between(2, 64).power_of_two());
    v.field("ptx_warp_size", ptx_warp_size,
            param::count("WARP_SZ of PTX. Where it is 32 and warps have 64 threads, each half of one is a warp of the "
                         "program's, in lockstep; where it is 64, kernels with masks of 32 lanes are refused",
                         "PTX ISA, WARP_SZ: 32 on all NVIDIA GPUs; GPU-LocalTM T3: 64")
                .between(32, 64)
                .power_of_two());
    v.field("max_warps", max_warps, param::count("warps resident at once", "RCC T3.3: 48").between(1, max_warp_slots));
    v.field("max_threads", max_threads, param::count("threads resident at once", "GPUDet T5.2: 1536").at_least(1));
    v.field("max_ctas", max_ctas,
            param::count("CTAs resident at once", "CUDA C Programming Guide 4.2, F.1: 8").between(1, max_warp_slots));
    v.field("registers", registers,
            param::count("32-bit registers", "GPUDet T5.2, RCC T3.3, GETM T4.2: 32768").between(1, 1 << 24));
    v.field("register_allocation_unit", register_allocation_unit,
            param::count("a warp's registers are rounded up to a multiple", "CUDA occupancy calculator, 2.x")
                .between(1, 1 << 16));
    v.field("schedulers", schedulers, param::count("warp schedulers", "Fermi: 2").between(1, 16));
    v.field("issue_width", issue_width,
            param::count("instructions that a scheduler issues in a cycle", "Fermi: 1").between(1, 4));
    v.field("launch_latency", launch_latency,
            param::latency("core", "from the arrival of a CTA until its warps can issue", "choice"));
    v.field(
        "barrier_latency", barrier_latency,
        param::latency("core", "from the last arrival at a barrier until its warps can issue", "choice").at_least(1));
    v.field("system_call_latency", system_call_latency,
            param::latency("core", "vprintf, malloc, free", "choice: hardware calls the driver's code").at_least(1));
    v.choice("reconvergence", reconvergence.mechanism, isa::reconvergence_mechanisms(),
             param::text("mechanism by which diverged lanes meet again", "GPUDet T5.2: PDOM"));
    v.field(
        "its_patience", reconvergence.patience,
        param::count("branches back of other paths of a warp, until lanes go on that wait at a post-dominator under "
                     "`its`; 16 times as many in PTX for targets below sm_70",
                     "choice: most loops meet, a spin lock changes hands")
            .at_least(1));
    v.group("scheduler", scheduler, "order in which ready warps issue");
    v.group("units", units, "pipelines and instruction timing");
    v.group("shared", shared, "shared memory");
    v.group("coalescer", coalescer, "from lane addresses to line accesses");
    v.group("constant", constant, "constant cache");
    v.group("memory", memory, "path from the load/store unit to the L1");
    v.require(ptx_warp_size <= std::max(warp_size, 32U), "ptx_warp_size", "must not exceed warp_size");
    v.require(max_threads <= max_warps * warp_size, "max_threads", "must not exceed max_warps * warp_size");
    v.require(schedulers <= max_warps, "schedulers", "must not exceed max_warps");
  }

  SmResources resources() const {
    return {warp_size,    max_warps,
            max_threads,  max_ctas,
            registers,    register_allocation_unit,
            shared.bytes, shared.allocation_unit};
  }
};

}  // namespace syncline::models
