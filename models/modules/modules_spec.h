// Modules (GPMs) of a device: how many there are in how many GPUs, and what joins them.
#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "models/copy_engine/copy_engine_spec.h"
#include "models/crossbar/crossbar_spec.h"
#include "models/nvlink/link_spec.h"
#include "models/sm/scope_reach.h"

namespace syncline::models {

/// How GPUs are joined: by switches, each GPU with a link to one of them; each GPU with a link to each other one; each
/// with a link to the next and to the one before, all of them a ring; or not at all: all that they share is the host.
enum class Topology : std::uint8_t { switched, all_to_all, ring, none };

const base::ChoiceTable<Topology>& topologies();

/// A network between modules, or a switch between GPUs: a crossbar whose numbers are its own.
struct JunctionSpec {
  std::uint32_t bandwidth = 0;
  base::Cycle latency = 0;
  std::uint32_t queue = 64;
  Arbitration arbitration = Arbitration::round_robin;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("bandwidth", bandwidth,
            param::bytes_per_cycle("bytes that each port moves in an interconnect cycle",
                                   "Ren 2018, T5.2: 2 TB/s between the GPMs of a GPU; a switch is as fast as its links")
                .between(1, 1 << 20));
    v.field("latency", latency,
            param::latency("interconnect", "from the arbitration of a message to the arrival of its first flit",
                           "choice: MCM-GPU adds 32 ns for a hop between modules")
                .at_least(1));
    v.field("queue", queue,
            param::count("flits of 32 bytes that wait at an input and at an output, per virtual network", "choice")
                .between(1, 65536));
    v.choice("arbitration", arbitration, arbitrations(),
             param::text("which of the messages that wait for an output goes first (`crossbar.arbitration`)"));
  }

  /// As a crossbar with so many virtual networks.
  CrossbarSpec crossbar(unsigned virtual_networks) const {
    CrossbarSpec spec;
    spec.bandwidth = bandwidth;
    spec.latency = latency;
    spec.virtual_networks = virtual_networks;
    spec.input_queue = spec.output_queue = queue;
    spec.arbitration = arbitration;
    return spec;
  }
};

/// In which module a page lies: that of the SM that first asks for a line of it; pages one after the other, or by a
/// hash of their number; all in one.
enum class PagePlacement : std::uint8_t { first_touch, interleaved, hash, fixed };

const base::ChoiceTable<PagePlacement>& page_placements();

struct PagesSpec {
  PagePlacement placement = PagePlacement::first_touch;
  std::uint64_t bytes = 2ULL << 20;
  std::uint32_t module = 0;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice(
        "placement", placement, page_placements(),
        param::text("in which module a page lies: that of the SM that first accesses it, the modules in turn, by a "
                    "hash of its number, or always the same",
                    "Ren 2018, 5.6: first touch"));
    v.field("bytes", bytes,
            param::bytes("size of a page", "Ren 2018, T5.2: 2 MB").between(4096, 1ULL << 40).power_of_two());
    v.field("module", module, param::count("that has all pages under `fixed`", "choice: the first one").at_most(4095));
  }
};

/// On which module a CTA runs: the grid is cut into as many equal parts of neighbouring CTAs as there are modules; or
/// as `work_distributor.placement` says, which knows nothing of modules.
enum class CtaParts : std::uint8_t { contiguous, none };

const base::ChoiceTable<CtaParts>& cta_parts();

struct ModulesSpec {
  std::uint32_t gpus = 1;
  std::uint32_t gpms = 1;
  JunctionSpec network{720, 22};
  Topology topology = Topology::switched;
  std::uint32_t gpus_of_switch = 16;
  JunctionSpec nvlink_switch{288, 70};
  JunctionSpec spine{1152, 70};
  LinkSpec link;
  PagesSpec pages;
  std::uint64_t memory = 0;
  CtaParts ctas = CtaParts::contiguous;
  GpuScope gpu_scope = GpuScope::device;
  CopyEngineSpec copy_engine;

  /// Modules of all GPUs.
  unsigned count() const { return gpus * gpms; }
  /// There is a way from each module to each other one.
  bool linked() const { return gpus == 1 || topology != Topology::none; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("gpus", gpus,
            param::count("GPUs that are one device to the program, or a device each to one that tells them apart; SMs "
                         "and partitions are dealt to the modules of all of them, in the order of their numbers",
                         "Ren 2018, T5.2: 4")
                .between(1, 64));
    v.field("gpms", gpms,
            param::count("modules (GPMs) of each GPU, each with its SMs, partitions and crossbars", "Ren 2018, T5.2: 4")
                .between(1, 64));
    v.group("network", network, "network between the modules of a GPU");
    v.choice(
        "topology", topology, topologies(),
        param::text("how GPUs are joined: `switch`: each by a link to a switch; `all_to_all`: each by a link to each "
                    "other; `ring`: each by links to its neighbours, and messages go the shorter way round, "
                    "clockwise where both are as long; `none`: not at all, so that they are no one device, have no "
                    "access to each other's memory, and copies between them go over the host"));
    v.field("gpus_of_switch", gpus_of_switch,
            param::count("GPUs at one switch; where there are more, the switches are joined by a spine", "choice")
                .between(1, 64));
    v.group("switch", nvlink_switch, "NVLink switch");
    v.group("spine", spine, "switch between switches");
    v.group("link", link, "each direction of a link of a GPU");
    v.group("pages", pages, "placement of pages");
    v.field(
        "memory", memory,
        param::bytes("what each module has room for of the memory that programs can allocate, in whole pages; 0: for "
                     "all of it. Pages that a module has no room for go to the next one of its GPU, and then to other "
                     "GPUs, except under `fixed` and those of a device that a program tells apart",
                     "choice: capacity is no subject of Ren 2018")
            .between(0, 1ULL << 40));
    v.choice(
        "ctas", ctas, cta_parts(),
        param::text("which CTAs run on which module: `contiguous` cuts a grid into equal parts of neighbours, and SMs "
                    "of a module take theirs in turn; `none` leaves all to `work_distributor.placement`",
                    "Ren 2018, 5.6: contiguous"));
    v.choice(
        "gpu_scope", gpu_scope, gpu_scopes(),
        param::text("what the scope `.gpu` of a program covers, and that of an atomic without a scope: `device`, all "
                    "GPUs of this device, as PTX says of the device that a program sees; `gpu`, the one that executes "
                    "it, for programs that know of several",
                    "PTX ISA, memory consistency model, scope"));
    v.group("copy_engine", copy_engine,
            "copies between the memories of GPUs, one engine a GPU where there are several");
    v.require(pages.module < count(), "pages.module", "must be the number of a module");
    v.require(memory == 0 || pages.bytes <= memory, "pages.bytes",
              "must fit into a module (`modules.memory`, " + std::to_string(memory) + " bytes)");
    v.require(memory % pages.bytes == 0, "memory", "must be a whole number of pages (`modules.pages.bytes`)");
  }
};

}  // namespace syncline::models
