// The masks of a wavefront in a transaction, and when it is serialised ([LocalTM] section 2.1, "Transactional SIMT
// execution model", table 1, and section 3).
#pragma once

#include <optional>

#include "base/lane_mask.h"
#include "protocols/transactions/encoder.h"
#include "protocols/transactions/local/detector.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::protocols::local {

enum class Mode : std::uint8_t {
  none,              ///< no transaction
  transactional,     ///< all lanes that have not committed run
  wavefront_serial,  ///< some of them
  group_serial       ///< some of them, and nothing of other wavefronts
};

class Wavefront {
 public:
  explicit Wavefront(const LocalTmSpec& spec) : spec_(&spec) {}

  /// Lanes that are to execute a transaction, none of which does now. They wait for `begin`. `mode`: group_serial where
  /// nothing looks for conflicts, so that no two of them may ever run together.
  void enter(base::LaneMask lanes, Mode mode = Mode::transactional);
  /// TX_Begin, the first time or again. Returns the lanes that run: EXEC without TCM.
  base::LaneMask begin();
  /// A lane that runs has lost.
  void conflict(unsigned lane, const Opponents& to);
  /// TX_Commit: all lanes that run have come to their end, or have lost. Returns those that commit.
  base::LaneMask commit();
  /// Another wavefront wants to be alone: what runs is given up. Returns these lanes; all begin again.
  base::LaneMask quiesce();

  bool waits() const { return exec_ != 0 && !running_; }  ///< at TX_Begin
  bool running() const { return running_; }
  /// It may go on only when no other wavefront is in a transaction.
  bool wants_group() const { return mode_ == Mode::group_serial; }
  Mode mode() const { return mode_; }
  base::LaneMask exec() const { return exec_; }
  base::LaneMask tcm() const { return tcm_; }
  /// Empty before the first retry.
  std::optional<base::LaneMask> tcm_old() const { return tcm_old_; }
  base::LaneMask mcm() const { return mcm_; }
  base::LaneMask live() const { return running_ ? exec_ & ~tcm_ : 0; }

  void encode(Encoder& to) const;

 private:
  base::LaneMask selected() const;

  const LocalTmSpec* spec_;
  Mode mode_ = Mode::none;
  bool running_ = false;
  bool keeps_mcm_ = false;  ///< no lane has committed since work-group serialisation began
  base::LaneMask exec_ = 0, tcm_ = 0;
  base::LaneMask ran_ = 0;  ///< lanes of the attempt
  base::LaneMask mcm_ = ~base::LaneMask{0};
  std::optional<base::LaneMask> tcm_old_;
};

}  // namespace syncline::protocols::local
