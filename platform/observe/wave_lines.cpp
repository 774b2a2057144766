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

models::SharedValueNames state_names(const models::CacheController& cache, StateNames& known) {
  const protocols::TransitionTable& table = cache.lines().machine().table();
  models::SharedValueNames& names = known[&table];
  if (names == nullptr) {
    const protocols::Vocabulary& words = table.vocabulary();
    models::ValueNames made{fmt::format("{}_state", words.machine), {}};
    for (std::size_t state = 0; state < words.states.size(); ++state)
      made.values.emplace_back(state, words.states[state].name);
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
        if (cache->node().kind == models::NodeKind::home && !(cache->home_of(line) == cache->node())) continue;
        signal.value = [cache, line] { return std::uint64_t{cache->lines().state_of(line)}; };
        signal.as = {models::Changes::with_block, state_names(*cache, known)};
      } else if (const auto* const crossbar = dynamic_cast<const models::Crossbar*>(block)) {
        signal.width = 16;
        signal.value = [crossbar, line] { return crossbar->message_about(line); };
        signal.as = {models::Changes::until_zero, context.message_names};
      } else {
        continue;
      }
      context.signals.push_back(std::move(signal));
    }
  }
}

}  // namespace syncline::platform
