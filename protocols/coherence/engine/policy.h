// A coherence policy: a machine for each role of a cache, their messages, and the parts that it puts at the seams of a
// platform.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/machine.h"
#include "protocols/coherence/engine/message_kind.h"
#include "protocols/coherence/engine/role.h"

namespace syncline::protocols {

/// A part that a policy puts at one of the platform's seams (docs/architecture.md, "Seams").
struct SeamPart {
  std::string_view seam;
  std::string_view part;
};

/// How strongly one warp's accesses are ordered (RCC, chapter 3).
enum class Consistency : std::uint8_t {
  wo,  ///< weak ordering: fences order
  sc   ///< sequential consistency: one global access of a warp in flight, fences do nothing
};

/// How a system of several modules is built: GPUs of as many modules each, and every module an L2 slice and some L1s.
/// Module m is the m % modules_of_gpu-th of GPU m / modules_of_gpu.
struct ModuleGrid {
  unsigned gpus = 1, modules_of_gpu = 1;
  unsigned modules() const { return gpus * modules_of_gpu; }
  unsigned gpu_of(unsigned module) const { return module / modules_of_gpu; }
  /// Calls `body` with each module of the GPU in which `module` is, itself among them.
  template <class Body>
  void each_beside(unsigned module, Body&& body) const {
    const unsigned first = gpu_of(module) * modules_of_gpu;
    for (unsigned m = first; m < first + modules_of_gpu; ++m) body(m);
  }
};

/// What networks between modules keep of the order of messages on one virtual network.
enum class MessageOrder : std::uint8_t {
  pair,  ///< from one module to another they are first in, first out
  line,  ///< those of one line are, and those of none
  none   ///< any may pass any
};

/// The machine that a policy is made for.
struct CoherenceContext {
  std::uint64_t tick_ps = 714;  ///< length of a tick of the clock that all caches share (a core cycle), picoseconds
  unsigned l1s = 16;
  unsigned homes = 8;
  unsigned warps = 48;  ///< warp slots of an SM
  ModuleGrid grid;
  /// Homes that share the lines of a module among themselves; each module has as many.
  unsigned homes_of_module() const { return homes < grid.modules() ? 1 : homes / grid.modules(); }
};

/// A directory of a cache's own: tags and metadata of the lines that it knows, whether or not it has their data.
/// An entry may be of several lines, a region of the address space (docs/architecture.md, "Directories").
struct DirectoryGeometry {
  std::uint32_t sets, ways;  ///< of each cache
  std::uint32_t lines = 1;   ///< of an entry; a power of two
  /// The directory has only who has copies (LineMeta::sharers, `owner`); the rest is kept beside the data. So a line
  /// may be here without an entry, and have an entry without being here: in the first state, with sharers.
  bool of_sharers = false;
  /// That one may know: more than any L2 holds, and what the simulator's computer has memory for.
  static constexpr std::uint64_t most_lines = 1 << 24;
  /// ModelError for what is no geometry.
  void check() const;
};

/// What a policy has for a role.
struct RoleMachine {
  /// A machine that runs on a table: the policy's own, or one that a test has changed.
  using MakeMachine = std::function<std::unique_ptr<Machine>(std::shared_ptr<const TransitionTable>)>;
  Role role;
  std::shared_ptr<const TransitionTable> table;
  MakeMachine make;
  /// None: the metadata of a line is kept beside its data.
  std::optional<DirectoryGeometry> directory = std::nullopt;
  /// What one message about a directory entry becomes (ActionName::of_entry).
  std::uint32_t lines_of_entry() const { return directory ? directory->lines : 1; }
};

/// A number for each row of each table: by place in CoherencePolicy::roles, then by Transition::index.
using RowCounts = std::vector<std::vector<std::uint64_t>>;

/// The kinds by which a unit beside the home reads and writes bytes of lines without being known to the machines.
struct PlainAccess {
  Code load, load_reply, store, store_ack;
};

struct CoherencePolicy {
  std::string name;
  std::string description;
  std::vector<std::string_view> networks;  ///< what each virtual network carries
  std::vector<MessageKind> messages;       ///< by the policy's message kind
  std::vector<SeamPart> seams;
  std::vector<RoleMachine> roles;  ///< in the order in which people read of them
  bool has(const Role& role) const { return find(role) < roles.size(); }
  /// `at`, `table`, `make`: ModelError with the roles that there are for one that the policy lacks.
  const RoleMachine& at(const Role& role) const { return roles[place_of(role)]; }
  RoleMachine& at(const Role& role) { return roles[place_of(role)]; }
  std::size_t place_of(const Role& role) const;
  const std::shared_ptr<const TransitionTable>& table(const Role& role) const { return at(role).table; }
  /// One machine per cache: each has its own coverage.
  std::unique_ptr<Machine> make(const Role& role) const;
  /// As many as there are rows, all 0.
  RowCounts no_rows() const;
  /// None: the home must know each reader and writer.
  std::optional<PlainAccess> plain;
  unsigned l1s = CoherenceContext{}.l1s;  ///< of the machine that it was made for: a transition may send to each
  bool coherent = true;  ///< false: excluded from consistency tests; only data-race-free grids read what was written
  /// LineMeta::exp and NodeMeta::gwct are ticks of the clock that all caches share, and so time alone changes states.
  bool physical_leases = false;
  std::uint64_t least_lease = 0;  ///< physical_leases: none is shorter, ticks
  bool logical_time = false;      ///< order is by clocks that messages carry, not by time
  std::uint64_t horizon = 0;      ///< logical_time: the largest timestamp
  /// A line that a load hits holds what the home holds once nothing is under way. Not so where leases outlive a store.
  bool copies_are_current = true;
  Consistency consistency = Consistency::sc;  ///< the model that a run keeps
  /// wo: what a warp has read before a fence is seen by all before what it does behind the fence (PTX asks that of
  /// fence.sc; not so where a fence waits for the warp's own writes only).
  bool cumulative_fences = true;
  /// A load may return what another warp of its SM stores before that store is performed. A fence of the GPU or the
  /// system that tells others what its warp has seen then waits for all stores of the SM that came before it.
  bool shows_stores_early = false;
  /// The warps of an SM see each other's accesses in the order in which its L1 takes them, and an acknowledged access
  /// is performed: a fence of CTA scope has nothing to do.
  bool sm_order = false;
  std::uint16_t header_bytes = 8;
  bool home_ring = false;  ///< homes are joined in a ring, in the order of their numbers (ActionKind::pass_on)
  /// home_ring: what is passed on takes so long to the next home, picoseconds, and at least a cycle.
  std::uint64_t ring_ps = 0;
  bool peer_messages = false;  ///< L1s send to each other: the network towards them has an input port for each
  /// Keeps L2s of several modules coherent. An L2 has then a role for each line: `home` of its module's memory, `gpm`
  /// or `gpu_home` of others'; L1s ask the L2 of their module, which asks on.
  bool of_modules = false;
  ModuleGrid grid;  ///< of_modules: of the machine that it was made for
  MessageOrder order = MessageOrder::pair;
  /// of_modules: how far a message goes. To answer one that has come from afar may need room for one to somewhere
  /// nearer, and the other way round for what is asked; never for one as far. So messages of one network that go
  /// differently far must not wait for each other.
  enum Span : std::uint8_t { within_module, within_gpu, between_gpus };
  static constexpr unsigned spans = 3;
  /// of_modules: so many networks, the first ones, carry what is sent on because of messages of the same network.
  static constexpr unsigned chained_networks = 2;
  /// Virtual networks that links and crossbars need: `networks`, each chained one once for each span.
  unsigned virtual_networks() const {
    const auto all = static_cast<unsigned>(networks.size());
    return of_modules ? all + std::min(all, chained_networks) * (spans - 1) : all;
  }
  /// The virtual network of a message of `network` that goes so far.
  unsigned virtual_network(unsigned network, Span span) const {
    if (!of_modules) return network;
    return network < chained_networks ? network * spans + span : network + chained_networks * (spans - 1);
  }
  /// How long a recycled request rests behind its queue (act::recycle), picoseconds; 0: it waits at the head instead.
  std::uint64_t recycle_ps = 0;

 private:
  std::size_t find(const Role& role) const;
};

}  // namespace syncline::protocols
