// What the host says to a work distributor: a SystemC interface.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>

#include "models/sm/cta_sink.h"

namespace syncline::models {

/// A work distributor, for who launches grids.
class GridSink : public virtual sc_core::sc_interface {
 public:
  /// Called when all CTAs of a grid have ended; it may launch further grids.
  using Completion = std::function<void(base::GridId)>;

  /// A grid starts behind all that were launched before. Throws base::UserError when one of its CTAs never fits an SM.
  virtual void launch(std::shared_ptr<const GridLaunch> grid, Completion completed) = 0;
  /// Of all grids so far.
  virtual std::uint64_t ctas_ended() const = 0;
  /// No CTA of the grids that are there starts any more, and those that run end where they are (CtaSink::end_all); then
  /// the grids complete. False: this machine cannot do that.
  virtual bool end_all() { return false; }
};

}  // namespace syncline::models
