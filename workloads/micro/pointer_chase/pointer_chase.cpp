#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {
namespace {

constexpr std::uint32_t line = 128;

/// A ring through all lines of a buffer in random order, as offsets: element i holds where line i points.
std::vector<std::uint32_t> random_ring(std::uint64_t seed, std::uint32_t lines) {
  const std::vector<std::uint32_t> order = random_permutation(seed, "pointer_chase.ring", lines);
  std::vector<std::uint32_t> next(lines);
  for (std::uint32_t i = 0; i < lines; ++i) next[order[i]] = order[(i + 1) % lines];
  return next;
}

struct Chase {
  const char* kernel;
  const char* name;
  bool warm;
};

class Chaser {
 public:
  Chaser(const Context& context, Program& program, std::uint32_t lines)
      : program_(program), ring_(random_ring(context.seed, lines)), buffer_(program.allocate<std::uint8_t>(bytes())) {
    std::vector<std::uint64_t> words(bytes() / sizeof(std::uint64_t));
    for (std::size_t i = 0; i < ring_.size(); ++i)
      words[i * line / sizeof(std::uint64_t)] = address(buffer_) + std::uint64_t{ring_[i]} * line;
    context.device.memcpy_htod(buffer_, words.data(), bytes());
  }
  std::size_t bytes() const { return ring_.size() * line; }

  /// Cycles per load over `count` loads, after once around the ring when `warm`.
  double latency(const Chase& chase, std::uint32_t count, Verdict& verdict) {
    const std::uint32_t warm = chase.warm ? static_cast<std::uint32_t>(ring_.size()) : 0;
    const DevicePointer result = program_.allocate<std::uint64_t>(2);
    program_.launch(chase.kernel, {{1, 1, 1}, {1, 1, 1}, 0}, buffer_, warm, count, result);
    const std::vector<std::uint64_t> got = program_.download<std::uint64_t>(result, 2);
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < warm + count; ++i) at = ring_[at];
    require(verdict, compare_exact<std::uint64_t>(std::string(chase.name) + ": end of the chase", {got[1]},
                                                  {address(buffer_) + std::uint64_t{at} * line}));
    return static_cast<double>(got[0]) / count;
  }

 private:
  Program& program_;
  std::vector<std::uint32_t> ring_;
  DevicePointer buffer_;
};

}  // namespace

Result run_pointer_chase(const Context& context) {
  Program program(context);
  Result result{{true, "every chase ended where its ring leads"}, {}};

  const DevicePointer shared = program.allocate<std::uint64_t>(2);
  constexpr std::uint32_t shared_loads = 512;
  program.launch("chase_shared", {{1, 1, 1}, {1, 1, 1}, 0}, shared_loads, shared);
  const std::vector<std::uint64_t> got = program.download<std::uint64_t>(shared, 2);
  require(result.verdict, compare_exact<std::uint64_t>("shared: end of the chase", {got[1]},
                                                       {std::uint64_t{17} * shared_loads % 256 * 4}));
  result.measurements.push_back({"latency.shared", 1024, "B", static_cast<double>(got[0]) / shared_loads, "cycle"});

  // Warm chases show the level that holds the working set; a cold one, on lines that nothing has read, the memory.
  const std::uint32_t largest = by_size(context.size, 2048U, 4096U, 8192U) << 10;
  for (std::uint32_t bytes = 4 << 10; bytes <= largest; bytes *= 2) {
    Chaser chaser(context, program, bytes / line);
    const std::uint32_t count = std::min<std::uint32_t>(bytes / line, 512);
    for (const Chase& chase : {Chase{"chase_cg", "latency.cold", false}, Chase{"chase_ca", "latency.ca", true},
                               Chase{"chase_cg", "latency.cg", true}})
      result.measurements.push_back({chase.name, bytes, "B", chaser.latency(chase, count, result.verdict), "cycle"});
  }
  return result;
}

}  // namespace syncline::workloads::micro
