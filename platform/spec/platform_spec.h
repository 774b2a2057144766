// Everything that can be configured: the root of all keys. docs/configuration.md is generated from it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "models/crossbar/crossbar_spec.h"
#include "models/dram/dram_spec.h"
#include "models/l1_cache/l1_spec.h"
#include "models/l2_slice/l2_spec.h"
#include "models/modules/modules_spec.h"
#include "models/partition/address_map.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/sm/sm_spec.h"
#include "models/work_distributor/work_distributor_spec.h"
#include "models/z_unit/z_unit_spec.h"
#include "platform/config/configuration.h"
#include "platform/packages/family_spec.h"
#include "platform/spec/observe_spec.h"
#include "protocols/coherence/registry.h"

namespace syncline::platform {

/// Clocks, in hertz; the DRAM's is `dram.clock`.
struct ClocksSpec {
  std::uint64_t core = 1'400'000'000;
  std::uint64_t interconnect = 700'000'000;
  std::uint64_t l2 = 700'000'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("core", core,
            param::hertz("SMs, L1 caches and the work distributor", "GPUDet T5.2, RCC T3.3, GETM T4.2: 1400 MHz"));
    v.field("interconnect", interconnect,
            param::hertz("crossbars", "GPUDet T5.2, RCC T3.3: 700 MHz; GETM T4.2: 1400 MHz"));
    v.field("l2", l2, param::hertz("L2 slices and atomic units", "choice: with the interconnect"));
  }
};

/// The CPU side and what lies between it and the GPU.
/// `text` is a value of `host.threads`.
bool are_threads(const std::string& text);

struct HostSpec {
  std::uint64_t memory = 1536ULL << 20;
  std::uint64_t heap = 8ULL << 20;
  std::uint64_t local_memory = 64ULL << 10;
  double copy_bandwidth = 5.2e9;
  double copy_latency = 8e-6;
  std::string threads = "1";

  /// What a copy between host and device takes.
  double copy_seconds(std::uint64_t bytes) const { return copy_latency + static_cast<double>(bytes) / copy_bandwidth; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("memory", memory,
            param::bytes("device memory that can be allocated", "GTX 480: 1536 MB").between(1 << 20, 1ULL << 40));
    v.field("heap", heap,
            param::bytes("device heap of malloc; a block takes whole units of 16 bytes, and one more",
                         "CUDA: cudaLimitMallocHeapSize is 8 MB")
                .between(4096, 1ULL << 40));
    v.field("local_memory", local_memory,
            param::bytes("local memory of a thread: PTX .local variables and call frames",
                         "choice; Fermi's limit is 512 KiB")
                .between(1024, 16 << 20)
                .power_of_two());
    v.field("copy_bandwidth", copy_bandwidth,
            param::bytes_per_second("rate of copies between host and device", "choice: measured rate of PCIe 2.0 x16")
                .between(1e6, 1e15));
    v.field("copy_latency", copy_latency,
            param::seconds("fixed time of a copy", "choice: driver and DMA set-up").between(0, 0.1));
    v.field("threads", threads,
            param::text("threads of this computer that simulate the machine, 1 to 64, or `auto`: as many as it offers "
                        "and the machine has use for. Changes no result",
                        "choice: sweeps have a core for each run"));
    v.require(are_threads(threads), "threads", "must be a whole number from 1 to 64, or `auto`");
  }
};

/// What ends a run that would not end.
struct LimitsSpec {
  base::Cycle cycles = 1'000'000'000;
  base::Cycle progress_window = 1'000'000;
  base::Cycle spin_window = 10'000'000;
  std::uint64_t instructions = 20'000'000'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("cycles", cycles,
            param::cycles("core",
                          "a timed run that gets here is taken for an infinite loop; 0: no limit; a functional "
                          "launch ends at as many warp instructions as the GPU could execute in them",
                          "choice: minutes of the host's time"));
    v.field("progress_window", progress_window,
            param::cycles("core",
                          "without any progress for so long the machine is taken for hung; a warp that sleeps makes "
                          "progress",
                          "choice: several times the longest latency that a part can be given")
                .at_least(10'000));
    v.field("spin_window", spin_window,
            param::cycles(
                "core",
                "when no warp has changed global or shared memory, reached a barrier or ended for so long, "
                "though instructions issue, a notice says what the warps are at: a lock that nobody releases, "
                "a flag that nobody sets; the run goes on, unless lanes wait for lanes of their own warp and no warp "
                "can ever change that; 0: no notice",
                "choice: longer than programs compute between two stores"));
    v.field("instructions", instructions,
            param::count(
                "a functional launch that executes more warp instructions is taken for an infinite loop; 0: no limit",
                "choice: minutes of the host's time"));
  }
};

/// SMs with other values of keys of `sm` and `l1` than the specification has.
struct SmGroup {
  std::uint32_t first = 0, last = 0;  ///< SMs, both included
  models::SmSpec sm;
  models::L1Spec l1;
};

/// Both families of transactional memories.
struct TransactionsGroup {
  FamilySpec& global;
  FamilySpec& local;

  template <class V>
  void fields(V& v) {
    global.fields(v);
    v.group("local", local, "transactional memory in shared memory");
  }
};

struct PlatformSpec;
/// The rules over keys of several groups: `require(ok, key, message)` for each.
void check_platform(const PlatformSpec& spec,
                    const std::function<void(bool ok, std::string_view key, const std::string& message)>& require);

/// The root.
struct PlatformSpec {
  std::string name;
  std::string description;
  std::uint32_t sms = 15;
  std::vector<SmGroup> sm_groups;  ///< no SM is in two; made by `sms: {0-3: {l1.size: 64 KiB}}`
  ClocksSpec clocks;
  models::SmSpec sm;
  models::L1Spec l1;
  models::CrossbarSpec crossbar;
  models::ModulesSpec modules;
  models::InterleavingSpec memory;
  models::L2Spec l2;
  models::ZUnitSpec z_unit;
  models::DramSpec dram;
  models::WorkDistributorSpec work_distributor;
  models::PerturbationSpec perturbation;
  protocols::CoherenceSpec coherence;
  FamilySpec transactions{"transactions"};
  FamilySpec local_transactions{"local_transactions"};
  FamilySpec determinism{"determinism"};
  FamilySpec composition{"composition"};
  HostSpec host;
  LimitsSpec limits;
  ObserveSpec observe;

  /// The families beside coherence, in the order of policy_families().
  std::array<const FamilySpec*, 4> families() const {
    return {&transactions, &local_transactions, &determinism, &composition};
  }

  /// Of one SM.
  const models::SmSpec& sm_of(unsigned index) const;
  const models::L1Spec& l1_of(unsigned index) const;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("name", name, param::text("of the platform; default: the name of its file"));
    v.field("description", description, param::text("one line, for `syncline list platforms`"));
    v.field(
        "sms", sms,
        param::count("streaming multiprocessors; `{count: 15, 0-3: {l1.size: 64 KiB}}` gives some of them other values "
                     "(how-to-platform.md)",
                     "GPUDet T5.2, GETM T4.2: 15; RCC T3.3: 16")
            .between(1, 1024));
    v.group("clocks", clocks, "clock domains");
    v.group("sm", sm, "streaming multiprocessor");
    v.group("l1", l1, "L1 data cache of each SM");
    v.group("crossbar", crossbar, "interconnect, one crossbar per direction");
    v.group("modules", modules, "modules (GPMs) of the device, in one GPU or several");
    v.group("memory", memory, "memory partitions and how addresses are dealt to them");
    v.group("l2", l2, "L2 slice of each partition");
    v.group("z_unit", z_unit, "orders writes by depth before each L2, where a policy wants it");
    v.group("dram", dram, "DRAM channel of each partition");
    v.group("work_distributor", work_distributor, "placement of CTAs");
    v.group("perturbation", perturbation, "chance, injected on purpose and drawn from the seed");
    v.group("coherence", coherence, "coherence and consistency inside the GPU");
    TransactionsGroup all{transactions, local_transactions};
    v.group("transactions", all, "transactional memory");
    v.group("determinism", determinism, "deterministic execution");
    v.group("composition", composition, "split-frame rendering");
    v.group("host", host, "CPU side");
    v.group("limits", limits, "when to give up");
    v.group("observe", observe, "what watches over a run");
    check_platform(*this,
                   [&v](bool ok, std::string_view key, const std::string& message) { v.require(ok, key, message); });
  }
};

// The visits to all these keys are much code: it is compiled once; and it reads what only some SMs have.
template <>
Configuration<PlatformSpec> read_configuration<PlatformSpec>(const ConfigurationInput&);

/// The same for a run that is given a seed. Who gives one wants one of many runs, as the GPU would have them: where no
/// key says what is left to chance, `input` gets an override behind the others that does, for all seeds would give the
/// same run.
Configuration<PlatformSpec> read_with_seed(ConfigurationInput& input);

/// Threads of this computer that a simulation of the machine is to run on (`host.threads`): of `auto`, one for each
/// sixteen SMs, as far as there are cores.
unsigned host_threads(const PlatformSpec& spec);

extern template std::string configuration_reference<PlatformSpec>();

}  // namespace syncline::platform
