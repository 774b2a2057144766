#include "platform/timed/watchdog.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace syncline::platform {
namespace {
constexpr std::size_t max_lines = 40;
}

Watchdog::Watchdog(const models::PlatformContext& context, const Limits& limits, std::function<bool()> busy, Tell tell,
                   SpinJudge* judge)
    : context_(context), limits_(limits), busy_(std::move(busy)), tell_(std::move(tell)), judge_(judge) {}

base::Cycle Watchdog::tick(base::Cycle now) {
  if (context_.tiles.effects() != effects_ || !busy_()) {
    effects_ = context_.tiles.effects();
    effect_ = now;
  }
  if (sleeps_ && !busy_()) return base::never;
  if (limits_.cycles != 0 && now - begun_ >= limits_.cycles)
    throw base::ProgramFault(fmt::format("the run reached its limit of {} cycles (limits.cycles); {}{}", limits_.cycles,
                                         spins(now) ? spinning() : "an infinite loop?", who_waits(context_)));
  if (context_.tiles.progress() != progress_ || now < context_.tiles.asleep_until() || !busy_()) {
    progress_ = context_.tiles.progress();
    since_ = now;
  } else if (now - since_ >= limits_.window) {
    throw base::ModelError(fmt::format("no progress since cycle {} (limits.progress_window is {} cycles){}", since_,
                                       limits_.window, who_waits(context_)));
  }
  if (spins(now) && !told_) {
    told_ = true;
    tell_(fmt::format("{} (cycle {}; limits.spin_window is {} cycles)", spinning(), now, limits_.spin_window),
          who_waits(context_));
  }
  if (judge_ != nullptr) judge(now);
  base::Cycle next = now + std::max<base::Cycle>(1, limits_.window / 4);
  if (limits_.spin_window != 0) next = std::min(next, now + std::max<base::Cycle>(1, limits_.spin_window / 4));
  return limits_.cycles == 0 ? next : std::min(next, std::max(now + 1, begun_ + limits_.cycles));
}

void Watchdog::work_begins(base::Cycle now) {
  begun_ = since_ = effect_ = now;
  told_ = false;
  wake(now + 1);
}

void Watchdog::judge(base::Cycle now) {
  if (const bool looked = std::exchange(looks_, spins(now)); looked != looks_) return judge_->look(looks_);
  if (!looks_) return;
  const std::string verdict = judge_->verdict();
  if (verdict.empty()) return;
  throw base::ProgramFault(fmt::format(
      "{}: since cycle {} nothing that any warp does has changed memory, so that these lanes go round for ever (under "
      "`sm.reconvergence: its` lanes of a warp take turns)",
      verdict, effect_));
}

std::string Watchdog::spinning() const {
  return fmt::format(
      "warps run, but none has changed memory, reached a barrier or ended since cycle {}: do they wait for what never "
      "comes?",
      effect_);
}

std::string Watchdog::who_waits(const models::PlatformContext& context) {
  // Blocks stand in the order of their construction; the message must not depend on it.
  std::vector<const models::Block*> blocks(context.blocks.begin(), context.blocks.end());
  std::sort(blocks.begin(), blocks.end(), [](const models::Block* a, const models::Block* b) {
    return std::string_view(a->name()) < std::string_view(b->name());
  });
  std::string text;
  std::size_t lines = 0;
  for (const models::Block* block : blocks) {
    for (const std::string& line : block->describe_waiting()) {
      if (++lines <= max_lines) text += fmt::format("\n  {}: {}", block->name(), line);
    }
  }
  if (lines > max_lines) text += fmt::format("\n  ... and {} more", lines - max_lines);
  return text;
}

}  // namespace syncline::platform
