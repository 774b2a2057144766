#include "sc_main/cli/check_random.h"

#include <fmt/format.h>

#include "protocols/coherence/explore/random_programs.h"
#include "protocols/coherence/explore/shrink.h"

namespace syncline::cli {
namespace {

namespace explore = protocols::explore;
using explore::Violation;

/// The command that explores what was found again.
std::string command(const RandomCheck& random, const CheckTask& task, unsigned homes, const explore::Program& program) {
  std::string text = "syncline check " + random.policy;
  for (const std::string& setting : random.overrides) text += fmt::format(" --set '{}'", setting);
  if (homes != 1) text += fmt::format(" --homes {}", homes);
  const explore::ExploreOptions defaults;
  if (task.explore.world.network_capacity != defaults.world.network_capacity)
    text += fmt::format(" --network {}", task.explore.world.network_capacity);
  if (task.explore.world.time_left != 0) text += fmt::format(" --time-left {}", task.explore.world.time_left);
  if (!task.explore.world.invariants) text += " --no-invariants";
  return text + fmt::format(" --program '{}'", program.text);
}

}  // namespace

base::ExitStatus check_random(const RandomCheck& random, const CheckTask& task, Survey& survey) {
  const explore::RandomPrograms programs(random.seed, task.weak, task.policy().of_modules);
  for (std::uint64_t number = 0; number < random.programs; ++number) {
    const explore::Program program = task.on_places(programs.at(number));
    const bool by_turns = !random.homes_given && program.lines() > 1 && number % 2 != 0;
    const unsigned homes = by_turns ? 2 : task.explore.world.homes;
    std::optional<Violation> violation = survey.explore(program, homes, false);
    if (!violation) continue;
    Survey trials(task);
    const explore::Program least = explore::shrunk(program, [&](const explore::Program& less) {
      std::optional<Violation> found = trials.explore(less, homes, false);
      const bool fails = found.has_value();
      if (fails) violation = std::move(found);
      return fails;
    });
    fmt::print("program {} of seed {}: {}\nwithout what it does not need: {}\n", number, random.seed, program.text,
               command(random, task, homes, least));
    fmt::print("VIOLATION: {}\n{}", violation->what, violation->trace);
    return base::ExitStatus::not_verified;
  }
  return base::ExitStatus::done;
}

}  // namespace syncline::cli
