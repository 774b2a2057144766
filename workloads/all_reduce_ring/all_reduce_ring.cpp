// All-reduce over ranks with memory of their own: each ends with the sum of all ranks' words. Ranks are dealt to the
// devices of the machine; where there is one, they share it.
#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using platform::Device;
using platform::EventHandle;
using platform::StreamHandle;

constexpr std::uint32_t cta_threads = 128;
constexpr std::uint32_t word = sizeof(std::uint32_t);
constexpr std::uint32_t line_words = 32;  // so that no two transfers meet in a line

/// Words of one rank that go to another one, which adds them to its own or takes them in place of these.
struct Transfer {
  unsigned from, to;
  std::uint32_t first, count;
  bool adds;
};
/// What happens at once, and one after another.
using Round = std::vector<Transfer>;

/// Each rank passes a part of the words on to the next one, first summing up, then handing the sums round.
std::vector<Round> ring(unsigned ranks, std::uint32_t words) {
  const std::uint32_t part = words / ranks;
  std::vector<Round> rounds;
  for (const bool adds : {true, false}) {
    for (unsigned step = 0; step + 1 < ranks; ++step) {
      Round& round = rounds.emplace_back();
      for (unsigned rank = 0; rank < ranks; ++rank) {
        const unsigned number = (rank + ranks - step + (adds ? 0 : 1)) % ranks;
        round.push_back({rank, (rank + 1) % ranks, number * part, part, adds});
      }
    }
  }
  return rounds;
}

/// Ranks sum up in pairs, pairs of pairs and so on, and the sums go back the same way.
std::vector<Round> tree(unsigned ranks, std::uint32_t words) {
  std::vector<Round> up, down;
  for (unsigned distance = 1; distance < ranks; distance *= 2) {
    Round in, out;
    for (unsigned rank = 0; rank + distance < ranks; rank += 2 * distance) {
      in.push_back({rank + distance, rank, 0, words, true});
      out.push_back({rank, rank + distance, 0, words, false});
    }
    up.push_back(in);
    down.insert(down.begin(), out);
  }
  up.insert(up.end(), down.begin(), down.end());
  return up;
}

struct Rank {
  Device* device = nullptr;
  StreamHandle stream{};
  platform::KernelHandle add{}, push{}, pull{};
  DevicePointer data{}, inbox{}, flags{};
  std::uint32_t inbox_used = 0, flags_used = 0;

  DevicePointer at(const Transfer& transfer) const { return data + std::uint64_t{transfer.first} * word; }
  /// Where the words of a transfer to it go: what it adds comes into a place that nothing else has.
  DevicePointer place_for(const Transfer& transfer) {
    if (!transfer.adds) return at(transfer);
    const DevicePointer place = inbox + std::uint64_t{inbox_used} * word;
    inbox_used += transfer.count;
    return place;
  }
  template <class... Args>
  void launch(platform::KernelHandle kernel, std::uint32_t ctas, const Args&... args) const {
    device->launch_kernel(kernel, {{ctas, 1, 1}, {cta_threads, 1, 1}, 0, stream}, platform::arguments(args...));
  }
};

Rank make_rank(Device& device, const std::string& ptx, const std::vector<std::uint32_t>& values,
               const std::vector<Round>& rounds, unsigned number) {
  Rank rank;
  rank.device = &device;
  rank.stream = device.stream_create();
  const platform::ModuleHandle module = device.module_load(ptx);
  rank.add = device.module_get_function(module, "add");
  rank.push = device.module_get_function(module, "push");
  rank.pull = device.module_get_function(module, "pull");
  rank.data = device.upload(values);
  std::uint64_t inbox = 0, flags = 0;
  for (const Round& round : rounds) {
    for (const Transfer& transfer : round) {
      if (transfer.to != number) continue;
      ++flags;
      if (transfer.adds) inbox += transfer.count;
    }
  }
  rank.inbox = device.mem_alloc(std::max<std::uint64_t>(inbox, 1) * word);
  rank.flags = device.mem_alloc(std::max<std::uint64_t>(flags, 1) * line_words * word);
  return rank;
}

/// A copy engine moves the words, and an event tells the receiver's stream of it.
void by_copies(std::vector<Rank>& ranks, const Round& round) {
  struct Arrival {
    const Transfer* transfer;
    DevicePointer at;
    EventHandle event;
  };
  std::vector<Arrival> arrivals;
  for (const Transfer& transfer : round) {
    const Rank& from = ranks[transfer.from];
    const DevicePointer at = ranks[transfer.to].place_for(transfer);
    from.device->memcpy_peer_async(at, from.at(transfer), std::uint64_t{transfer.count} * word, from.stream);
    const EventHandle event = from.device->event_create();
    from.device->event_record(event, from.stream);
    arrivals.push_back({&transfer, at, event});
  }
  for (const Arrival& arrival : arrivals) {
    const Transfer& transfer = *arrival.transfer;
    const Rank& to = ranks[transfer.to];
    to.device->stream_wait_event(to.stream, arrival.event);
    if (transfer.adds)
      to.launch(to.add, cta_count(transfer.count, cta_threads), to.at(transfer), arrival.at, transfer.count);
  }
}

/// Kernels store into the receiver's memory, and a flag there tells its kernel of it.
void by_flags(std::vector<Rank>& ranks, const Round& round) {
  struct Arrival {
    const Transfer* transfer;
    DevicePointer at, flag;
  };
  std::vector<Arrival> arrivals;
  for (const Transfer& transfer : round) {
    const Rank& from = ranks[transfer.from];
    Rank& to = ranks[transfer.to];
    const DevicePointer at = to.place_for(transfer);
    const DevicePointer flag = to.flags + std::uint64_t{to.flags_used++} * line_words * word;
    from.launch(from.push, 1, from.at(transfer), at, transfer.count, flag);
    arrivals.push_back({&transfer, at, flag});
  }
  for (const auto& [transfer, at, flag] : arrivals) {
    const Rank& to = ranks[transfer->to];
    to.launch(to.pull, 1, to.at(*transfer), at, transfer->adds ? transfer->count : 0, flag);
  }
}

Verdict all_reduce(const Context& context, std::vector<Round> (*rounds_of)(unsigned, std::uint32_t)) {
  const unsigned devices = context.device.device_count(), count = std::max(devices, 4U);
  const std::uint32_t part = by_size(context.size, 256U, 16'384U, 262'144U);
  const std::uint32_t words = part * count;
  const std::vector<Round> rounds = rounds_of(count, words);

  std::vector<Rank> ranks;
  std::vector<std::uint32_t> expected(words);
  for (unsigned i = 0; i < count; ++i) {
    const auto values = random_integers<std::uint32_t>(context.seed, "all_reduce.rank" + std::to_string(i), words);
    for (std::uint32_t n = 0; n < words; ++n) expected[n] += values[n];
    ranks.push_back(make_rank(context.device.device(i % devices), context.ptx, values, rounds, i));
  }
  const bool flags = context.choice("by") == "flags";
  if (flags) {
    for (unsigned one = 0; one < devices; ++one) {
      for (unsigned other = 0; other < devices; ++other) {
        if (one != other) context.device.device(one).enable_peer_access(other);
      }
    }
  }
  for (const Round& round : rounds) (flags ? by_flags : by_copies)(ranks, round);
  context.device.synchronize();

  std::vector<std::uint32_t> found, wanted;
  for (const Rank& rank : ranks) {
    const auto its = rank.device->download<std::uint32_t>(rank.data, words);
    found.insert(found.end(), its.begin(), its.end());
    wanted.insert(wanted.end(), expected.begin(), expected.end());
  }
  return compare_exact("the words of all ranks", found, wanted);
}

}  // namespace

Verdict run_all_reduce_ring(const Context& context) {
  return all_reduce(context, ring);
}

Verdict run_all_reduce_tree(const Context& context) {
  return all_reduce(context, tree);
}

}  // namespace syncline::workloads
