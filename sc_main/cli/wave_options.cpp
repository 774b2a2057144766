#include "sc_main/cli/wave_options.h"

#include <limits>

namespace syncline::cli {

void add_wave_options(CLI::App& command, platform::WaveSpec& wave) {
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  // What is kept of them until the trigger comes, is kept in memory.
  constexpr std::uint64_t most_before = 1'000'000;
  CLI::Option* const file =
      command.add_option("--wave", wave.path, "write waves as VCD or FST, by the ending of the name, for GTKWave")
          ->check(some_name());
  command
      .add_option(
          "--wave-groups", wave.groups,
          "which waves (`syncline list wave-groups`); default: `default`, what is not only when asked for; `all`")
      ->delimiter(',')
      ->check(some_name())
      ->needs(file);
  command
      .add_option("--wave-blocks", wave.blocks,
                  "of these the ones whose block or name is, or matches, one of these: 'gpu.sm0*,gpu.part1*'")
      ->delimiter(',')
      ->check(some_name())
      ->needs(file);
  command
      .add_option("--watch-line", wave.lines,
                  "also what each cache has of the line at this address (0x...), and the messages about it; several")
      ->delimiter(',')
      ->transform(number())
      ->needs(file);
  command.add_option("--wave-view", wave.view, "also a view of them for GTKWave (.gtkw), and files of names beside it")
      ->check(some_name())
      ->needs(file);
  command.add_option("--wave-from", wave.from, "begin at a cycle of the SM clock (12000) or a time (35us)")
      ->check(some_name())
      ->needs(file);
  command.add_option("--wave-to", wave.to, "end there")->check(some_name())->needs(file);
  command.add_option("--wave-kernel", wave.kernel, "only while the N-th kernel launched is in flight, from 1")
      ->transform(number(1))
      ->needs(file);
  command.add_option("--wave-limit", wave.limit, "bytes that the file may have; it ends where it would have more")
      ->transform(number(1, any, base::Unit::bytes))
      ->needs(file);
  CLI::Option* const trigger =
      command
          .add_option("--wave-trigger", wave.trigger,
                      "begin when this holds first: 'gpu.sm0.barrier_warps > 3 && changed(gpu.sm0.resident_ctas)'")
          ->check(some_name())
          ->needs(file);
  command.add_option("--wave-before", wave.before, "with so many cycles of the SM clock before")
      ->transform(number(1, most_before, base::Unit::cycles))
      ->needs(trigger);
}

}  // namespace syncline::cli
