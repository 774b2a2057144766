// Waves: the traced signals of the blocks in a VCD or FST file for GTKWave.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "platform/observe/outputs.h"
#include "platform/observe/wave_condition.h"
#include "platform/observe/wave_sampler.h"
#include "platform/observe/wave_sink.h"
#include "platform/observe/wave_spec.h"
#include "platform/observe/wave_view.h"
#include "platform/observe/wave_window.h"

namespace syncline::platform {

/// Samples the chosen signals at the edges of the SM clock and hands what has changed to a file, between the points of
/// time that the spec says. Made before simulation starts, and only when somebody asked for waves; ticked in the SM
/// clock behind all blocks.
class WaveWriter : public models::Ticked {
 public:
  /// `clock`: of the SMs. UserError for what in `spec` is wrong, with the nearest name where a name is.
  WaveWriter(Outputs& outputs, const WaveSpec& spec, const std::vector<models::TracedSignal>& signals,
             const models::ClockDomain& clock);
  WaveWriter(const WaveWriter&) = delete;
  WaveWriter& operator=(const WaveWriter&) = delete;
  ~WaveWriter() override;

  /// Kernels, counted from 1 in the order in which the host launched them, on their way to the SMs and completed.
  void kernel_begins(std::uint64_t number);
  void kernel_ends(std::uint64_t number);
  /// Closes the file, which appears with the other outputs; UserError when the disk is full. What the user has to know
  /// of it is added to `notes`.
  void finish(std::vector<std::string>& notes);
  base::Cycle tick(base::Cycle now) override;
  /// Those that are written, in the order of the file.
  const std::vector<const models::TracedSignal*>& signals() const { return written_; }

 private:
  enum class State : std::uint8_t { waiting, armed, writing, over };
  /// A cycle of the past in which something changed, and the values until then.
  struct Past {
    base::Cycle cycle;
    std::vector<WaveSink::Change> before, after;
  };

  void start(base::Cycle now);
  void follow(base::Cycle now);
  void look_for_trigger(base::Cycle now, const std::vector<WaveSink::Change>& changes);
  void begin_at(base::Cycle cycle, const std::vector<std::uint64_t>& values);
  void write(base::Cycle cycle, const std::vector<WaveSink::Change>& changes);
  void end(base::Cycle now);
  std::string why_nothing() const;

  const WaveSpec spec_;
  WaveWindow window_;
  std::optional<WaveCondition> trigger_;
  std::vector<const models::TracedSignal*> written_;
  std::vector<std::uint32_t> places_;  ///< of what the sampler looks at, in the file; `nowhere`: it is not written
  std::unique_ptr<WaveSampler> sampler_;
  std::unique_ptr<WaveSink> sink_;
  std::unique_ptr<WaveView> view_;    ///< null: none was asked for
  bool has_sms_ = false;              ///< signals of SMs are written; the view opens at what happens there
  std::optional<base::Cycle> opens_;  ///< the first cycle of a kernel in which something happens
  State state_ = State::waiting;
  bool was_armed_ = false, has_begun_ = false, is_full_ = false;
  std::vector<std::uint64_t> last_;  ///< values as of the last cycle, while it waits for the trigger
  std::deque<Past> past_;            ///< of `spec_.before` cycles
  base::Cycle started_ = 0;          ///< cycle from which on signals are looked at
  std::uint64_t first_ps_ = 0;       ///< at which the file begins
  std::uint64_t end_ps_ = 0;         ///< State::over
  std::uint64_t launches_ = 0;
  std::vector<WaveSink::Change> of_file_;  ///< changes by their numbers in the file, while they are written
};

}  // namespace syncline::platform
