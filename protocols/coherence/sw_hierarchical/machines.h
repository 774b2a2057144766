// The machines of SW with homes in GPUs.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/sw/machines.h"
#include "protocols/coherence/sw_hierarchical/sw_hierarchical.h"

namespace syncline::protocols::sw_hierarchical {

/// Those of none::Message and, behind them, what L1s and modules ask each other.
enum class Message : std::uint8_t {
  GETS,
  GETU,
  WRITE,
  ATOMIC,
  DATA,
  DATA_U,
  ACK,
  ATOMIC_DATA,
  FENCE,
  FENCED,
  RELEASE,
  ACQUIRE,
  EMPTY,
  EMPTIED,
  ASK_STORED,
  STORED
};

/// Places in NodeMeta::fences, and the stamp by which messages say which of them they are about.
inline constexpr unsigned of_acquires = 0, of_releases = 1, track_stamp = 0;

/// Bit in NodeMeta::asked_by of a module of the GPU that asks on behalf of that track.
constexpr std::uint64_t asker(const ModuleGrid& grid, unsigned module, std::uint64_t track) {
  return std::uint64_t{1} << (2 * (module % grid.modules_of_gpu) + track);
}

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> l1_table();
std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table);
std::shared_ptr<const TransitionTable> gpu_home_table();
std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid);
std::shared_ptr<const TransitionTable> home_table();
std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid);

}  // namespace syncline::protocols::sw_hierarchical
