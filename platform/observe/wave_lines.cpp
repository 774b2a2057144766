#include "platform/observe/wave_lines.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/crossbar/crossbar.h"

namespace syncline::platform {
namespace {

using StateNames = std::map<const protocols::TransitionTable*, models::SharedValueNames>;

/// What a cache of several roles is to a line may be known when the line is asked for first only: its value is the
/// place of the role, times this, and the state.
constexpr unsigned states_of_role = 64;

std::uint64_t state_value(const models::CacheController& cache, base::LineAddress line) {
  const std::uint64_t state = cache.lines().state_of(line);
  return cache.places() == nullptr ? state : cache.lines().locate(line).role * states_of_role + state;
}

/// Where a line of that home may be: there or, in modules, at the slices with its number.
bool may_have(const models::CacheController& cache, base::LineAddress line) {
  if (cache.node().kind != models::NodeKind::home) return true;
  const models::ModulePlaces* const places = cache.places();
  const models::NodeId below = cache.home_of(line);
  return places == nullptr ? below == cache.node() : places->slice_number(below) == places->slice_number(cache.node());
}

models::SharedValueNames state_names(const models::CacheController& cache, StateNames& known) {
  const auto& machines = cache.lines().machines();
  models::SharedValueNames& names = known[&machines.front()->table()];
  if (names == nullptr) {
    models::ValueNames made{fmt::format("{}_state", machines.front()->table().vocabulary().machine), {}};
    for (std::size_t role = 0; role < machines.size(); ++role) {
      const protocols::Vocabulary& words = machines[role]->table().vocabulary();
      for (std::size_t state = 0; state < words.states.size(); ++state)
        made.values.emplace_back(role * states_of_role + state,
                                 role == 0 ? std::string(words.states[state].name)
                                           : fmt::format("{} {}", words.machine, words.states[state].name));
    }
    names = std::make_shared<models::ValueNames>(std::move(made));
  }
  return names;
}

}  // namespace

void add_line_signals(models::PlatformContext& context, const std::vector<std::uint64_t>& addresses,
                      unsigned line_bytes, std::uint64_t memory_end) {
  std::set<std::uint64_t> lines;
  for (const std::uint64_t address : addresses) {
    if (address >= memory_end)
      throw base::UserError(fmt::format("--watch-line {:#x}: device memory ends before {:#x}", address, memory_end));
    lines.insert(address & ~std::uint64_t{line_bytes - 1});
  }
  StateNames known;
  for (models::Block* const block : context.blocks) {
    for (const std::uint64_t at : lines) {
      const base::LineAddress line(at);
      models::TracedSignal signal{block->name(), "lines", fmt::format("line_{:x}", at), 8, {}, {}, block};
      if (const auto* const cache = dynamic_cast<const models::CacheController*>(block)) {
        if (!may_have(*cache, line)) continue;
        signal.value = [cache, line] { return state_value(*cache, line); };
        signal.as = {models::Changes::with_block, state_names(*cache, known)};
      } else if (const auto* const crossbar = dynamic_cast<const models::Crossbar*>(block)) {
        signal.width = 16;
        signal.value = [crossbar, line] { return crossbar->message_about(line); };
        signal.as = {models::Changes::until_zero, context.message_names};
      } else {
        continue;
      }
      context.signals.add(std::move(signal));
    }
  }
}

}  // namespace syncline::platform
