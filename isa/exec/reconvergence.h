// How the lanes of a warp that took different ways meet again. One object per warp holds the paths that wait; the
// path that runs is the warp's cursor. Mechanisms:
//
//   ipdom     a stack of paths that meet at immediate post-dominators: ipdom_stack.h
//   tf_stack  paths in the order of their blocks, the first of which runs: thread_frontiers.h
//   its       paths take turns, so that lanes may wait for lanes of their own warp: independent_threads.h
//
// A policy may push entries of its own (`checkpoint`): what SIMT stacks of transactional memories call a retry entry
// and a transaction entry (KiloTM: Fung et al., MICRO 2011, section 4.1; protocols differ in who pushes them when).
// Lanes that enter such a region can be brought back to its beginning from outside, wherever their paths have led them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/lane_mask.h"
#include "isa/exec/op.h"

namespace syncline::isa {

class Program;

/// The path that runs. `watch` is the pc at which the mechanism wants to be asked (`reached`): between branches the
/// warp compares one number per instruction and makes no virtual call.
struct Cursor {
  std::uint32_t pc = no_pc;  ///< next instruction; no_pc when no path is left
  std::uint32_t watch = no_pc;
  std::uint32_t frame = 0;   ///< call frame (index kept by the warp)
  bool blocked = false;      ///< no path can run: the warp waits at a barrier of its CTA, or for a policy
  bool jumps = false;        ///< the mechanism wants to hear of branches that all lanes take (`jumped`)
  base::LaneMask lanes = 0;  ///< lanes on this path, all alive
};

/// A path that waits, for messages and traces.
struct WaitingPath {
  std::uint32_t pc = no_pc;
  std::uint32_t frame = 0;
  base::LaneMask lanes = 0;
  bool is_blocked = false;  ///< at a barrier of the CTA, or for a policy: nobody of the warp lets it go on
};

/// One group of lanes that go the same way from a branch.
struct BranchSide {
  std::uint32_t pc = no_pc;
  base::LaneMask lanes = 0;
};

/// Lanes of the cursor that have come to an instruction for which they wait for each other (`bar.warp.sync`,
/// `shfl.sync`, ...), and whom they wait for.
struct Gathering {
  base::LaneMask lanes = 0;    ///< those that have come; once complete all that take part
  base::LaneMask members = 0;  ///< as the member mask says
  bool complete = false;
};

class Reconvergence {
 public:
  virtual ~Reconvergence() = default;
  virtual std::string_view name() const = 0;
  /// Whether a path that waits, at a barrier or for its turn, lets others run. Where none does, calls nest like the
  /// paths, and instructions in which lanes wait for each other take the lanes that are there.
  virtual bool takes_turns() const = 0;
  /// Whether every path comes to its turn, so that lanes may spin until others of their warp have done something.
  virtual bool is_fair() const { return false; }

  /// A warp starts: `cursor` holds its first pc and lanes.
  virtual void start(Cursor& cursor, const Program& program) = 0;
  /// The lanes of the cursor part: two or more sides, none empty, together the cursor's lanes. `reconverge` is where
  /// they meet (no_pc: not before they end). On return the cursor is the side that runs first.
  virtual void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) = 0;
  /// The cursor came to cursor.watch: by falling through or by a branch of all its lanes.
  virtual void reached(Cursor& cursor) = 0;
  /// All lanes of the path took a branch from `from` to `to`, behind which the cursor stands or, having reached its
  /// watch, another path. Only where cursor.jumps asked for it.
  virtual void jumped(Cursor& cursor, std::uint32_t from, std::uint32_t to) = 0;
  /// `lanes` of the cursor ended. The cursor changes to another path when none is left on its own.
  virtual void exit(Cursor& cursor, base::LaneMask lanes) = 0;
  /// `callers` (a subset of the cursor's lanes) enter `pc` with a new frame; they go on at `return_pc` afterwards.
  /// The rest of the cursor's lanes, if any, goes on at `rest_pc` and meets the callers at `return_pc`.
  virtual void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame,
                    std::uint32_t return_pc, std::uint32_t rest_pc) = 0;
  /// The lanes of the cursor return from a call to `pc` of `frame`. Unless paths take turns, all of the call do.
  virtual void ret(Cursor& cursor, std::uint32_t pc, std::uint32_t frame) = 0;

  /// The cursor stands at a barrier of the CTA. Asked only where paths take turns. False: its lanes wait for others of
  /// the warp first, and the cursor is another path. True: they come to the barrier, with those that have waited here.
  virtual bool comes_to_barrier(Cursor&) { return true; }
  /// `lanes` of the cursor, which stands at a barrier of the CTA, wait there. False: the warp waits as a whole, once
  /// its lanes are behind the barrier. True: they have left the cursor, which is others at the same pc, another path,
  /// or, when nobody can run, blocked.
  virtual bool wait_at_barrier(Cursor& cursor, base::LaneMask lanes) = 0;
  /// Their barrier has opened.
  virtual void barrier_opened(Cursor& cursor, base::LaneMask lanes) = 0;
  /// Lanes of the cursor ask whether all that they wait for have come to the same instruction (`anywhere`: to any
  /// that waits for the same lanes). Asked only where paths take turns. True: the cursor goes on behind it, and the
  /// parts that are complete execute it; all others wait. False: the cursor is another path now, or blocked.
  virtual bool gather(Cursor& cursor, Gathering* parts, std::size_t count, bool anywhere) = 0;

  /// Entries of a policy. The cursor's lanes enter a region, to whose beginning, the cursor's pc, they can be brought
  /// back. Regions nest; no lane may leave one but by `abort` and `commit`. In it they meet nobody from outside, and
  /// what they were to meet they meet behind it.
  virtual void checkpoint(Cursor& cursor) = 0;
  /// `lanes` leave their paths within their innermost region, and wait at its beginning for `restore`. The cursor
  /// changes to another path when none is left on its own, and is blocked when none of the region can run.
  virtual void abort(Cursor& cursor, base::LaneMask lanes) = 0;
  /// Lanes that wait at the beginning of a region.
  virtual base::LaneMask aborted(const Cursor& cursor) const = 0;
  /// They begin again, those of a region together. Only when all other lanes of the region have left it
  /// (base::ModelError).
  virtual void restore(Cursor& cursor) = 0;
  /// `lanes` of the cursor have come to the end of their innermost region, behind which is the cursor's pc, and wait
  /// there for `commit` or `abort`. The cursor, if it has lanes left, does not ask for its watch: the caller does.
  virtual void arrive(Cursor& cursor, base::LaneMask lanes) = 0;
  /// Lanes that wait at the ends of regions in which nobody runs any more: the others were aborted.
  virtual base::LaneMask arrived(const Cursor& cursor) const = 0;
  /// `lanes` leave their innermost region, at whose end they wait, or to which they have come together. They go on
  /// behind it, where they are; under a stack when all others have left it too. The cursor changes as by `abort`.
  virtual void commit(Cursor& cursor, base::LaneMask lanes) = 0;

  /// All lanes that are alive, over all paths.
  virtual base::LaneMask alive(const Cursor& cursor) const = 0;
  virtual unsigned depth() const = 0;                               ///< paths that wait
  virtual void waiting(std::vector<WaitingPath>& paths) const = 0;  ///< innermost first
};

struct ReconvergenceSpec {
  std::string mechanism = "ipdom";  ///< a name of reconvergence_mechanisms()
  unsigned patience = 64;           ///< `its`: see independent_threads.h
};

/// Makes the mechanism of that name; throws base::UserError for a name that does not exist.
std::unique_ptr<Reconvergence> make_reconvergence(const ReconvergenceSpec& spec);
/// The mechanisms by name.
const base::ChoiceTable<std::string>& reconvergence_mechanisms();

}  // namespace syncline::isa
