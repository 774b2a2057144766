// The memory consistency model of the PTX ISA, versions 7.5 to 9, without vectors and mixed sizes.
//
// Where the sources differ (PTX ISA; Lustig, Sahasrabuddhe and Giroux, ASPLOS 2019, figures 4 and 7; NVlabs' ptx.als of
// 6.0 and 7.5; Dartagnan's ptx-v7.5.cat) this is the text of the ISA:
//  - base causality order contains program order, and is transitive through it;
//  - SC-per-Location is an axiom of its own, which ptx.als of 7.5 and the .cat leave out;
//  - the causality axiom speaks of reads-from and from-reads, not of coherence order;
//  - observation order passes through any number of atomics, one step of morally strong reads-from each time.
// Fence-SC is held against base causality order: fences have no address, so the causality order of 7.5 and later, which
// relates operations on one address, would say nothing about them. Proxies are in consistency/proxies.h.
#pragma once

#include <functional>
#include <memory>

#include "consistency/model.h"

namespace syncline::consistency {

/// The relations of the model that the events alone decide: the same for all executions of these events.
struct Ptx75Frame {
  explicit Ptx75Frame(const Execution& execution);

  Relation po, same_location;
  Relation morally_strong;
  Relation po_path;  ///< program order of operations that take one path to one location
  Relation release_patterns, acquire_patterns;
};

/// The relations of the model that do not depend on co or on the order of fences. Public for tests.
struct Ptx75Relations {
  explicit Ptx75Relations(const Execution& execution);
  Ptx75Relations(const Execution& execution, std::shared_ptr<const Ptx75Frame> frame);

  std::shared_ptr<const Ptx75Frame> frame;
  Relation observation;   ///< write to read, through a chain of atomics
  Relation synchronizes;  ///< release to acquire patterns, and barriers that meet
  Relation base_causality() const { return (frame->po | synchronizes).closure(); }
  /// Causality order for a base causality order.
  Relation causality(const Execution& execution, const Relation& base) const;
};

/// for_each_completion of Model::ptx75, or only of what breaks nothing; `frame` is that of the execution's events.
void complete_ptx75(const Execution& execution, const std::shared_ptr<const Ptx75Frame>& frame, bool only_allowed,
                    const std::function<bool(const Completion&)>& visit);

/// True when an execution of which some reads have no source yet breaks an axiom whatever these will be.
bool breaks_ptx75(const Execution& unfinished, const std::shared_ptr<const Ptx75Frame>& frame);

}  // namespace syncline::consistency
