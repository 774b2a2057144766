#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/cuda_cuts/reference.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using cuda_cuts::Grid;

constexpr std::uint32_t far = 0x4000'0000;  ///< the distance of a pixel without a way to the sink

/// As the kernels take it.
struct Extents {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// Bright discs on a dark ground, with noise that makes pixels look like the other side's.
std::vector<std::int32_t> noisy_discs(std::uint64_t seed, const Extents& size) {
  struct Disc {
    double x, y, radius;
  };
  base::Random random(seed, "cuda_cuts.image");
  std::vector<Disc> discs;
  for (unsigned i = 0; i < 6; ++i)
    discs.push_back({random.unit() * size.width, random.unit() * size.height,
                     (0.08 + 0.12 * random.unit()) * (size.width + size.height) / 2});
  std::vector<std::int32_t> image;
  for (std::uint32_t y = 0; y < size.height; ++y)
    for (std::uint32_t x = 0; x < size.width; ++x) {
      const bool inside = std::any_of(discs.begin(), discs.end(), [&](const Disc& disc) {
        return std::hypot(x - disc.x, y - disc.y) < disc.radius;
      });
      const double noise = random.unit() + random.unit() + random.unit() - 1.5;
      image.push_back(static_cast<std::int32_t>((inside ? 160 : 96) + 96 * noise));
    }
  return image;
}

/// Brightness decides between source and sink; neighbours hold together, and the more so the more alike they are.
Grid graph_of(const std::vector<std::int32_t>& image, const Extents& size) {
  Grid grid{size.width, size.height, {}, {}, {}};
  for (const std::int32_t brightness : image) {
    grid.from_source.push_back(std::max(0, brightness - 128));
    grid.to_sink.push_back(std::max(0, 128 - brightness));
  }
  for (unsigned direction = 0; direction < cuda_cuts::directions; ++direction)
    for (std::uint32_t pixel = 0; pixel < grid.pixels(); ++pixel) {
      if (!grid.has(pixel, direction)) {
        grid.room.push_back(0);
        continue;
      }
      const std::int32_t contrast = image[pixel] - image[grid.neighbour(pixel, direction)];
      grid.room.push_back(4 + 44 * 1024 / (1024 + contrast * contrast));
    }
  return grid;
}

std::int64_t sum(const std::vector<std::int32_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{});
}

/// What pushes left behind.
struct Flow {
  std::vector<std::int32_t> excess;
  std::vector<std::int32_t> room;
  std::vector<std::int32_t> to_sink;
};

/// Nothing is lost and no edge is overcharged, in whatever order pushes took place.
Verdict check_conservation(const Grid& before, const Flow& after) {
  std::vector<std::int64_t> both_ways, both_ways_before, balance, negative;
  for (std::uint32_t pixel = 0; pixel < before.pixels(); ++pixel) {
    std::int64_t arrived = std::int64_t{before.from_source[pixel]} - before.to_sink[pixel] + after.to_sink[pixel];
    for (unsigned direction = 0; direction < cuda_cuts::directions; ++direction) {
      const std::size_t edge = before.edge(pixel, direction);
      arrived += after.room[edge] - before.room[edge];
      if (!before.has(pixel, direction)) continue;
      const std::size_t back = before.edge(before.neighbour(pixel, direction), direction ^ 1U);
      both_ways.push_back(std::int64_t{after.room[edge]} + after.room[back]);
      both_ways_before.push_back(std::int64_t{before.room[edge]} + before.room[back]);
    }
    balance.push_back(arrived);
  }
  for (const auto* values : {&after.excess, &after.room, &after.to_sink})
    negative.push_back(std::count_if(values->begin(), values->end(), [](std::int32_t value) { return value < 0; }));
  return all_of({compare_exact("edges in both directions", both_ways, both_ways_before),
                 compare_exact("excess", {after.excess.begin(), after.excess.end()}, balance),
                 compare_exact("negative values", negative, {0, 0, 0})});
}

}  // namespace

Verdict run_cuda_cuts(const Context& context) {
  const auto size = by_size(context.size, Extents{32, 12}, Extents{64, 48}, Extents{200, 150}, Extents{200, 150});
  const bool transactional = context.choice("sync") == "tx";
  const Grid grid = graph_of(noisy_discs(context.seed, size), size);
  const std::uint32_t n = grid.pixels();

  Program program(context);
  const DevicePointer excess = program.upload(grid.from_source);
  const DevicePointer to_sink = program.upload(grid.to_sink);
  const DevicePointer room = program.upload(grid.room);
  const DevicePointer directions = program.allocate<std::uint32_t>(n);
  const DevicePointer flag = program.allocate<std::uint32_t>(1);
  const DevicePointer locks = program.allocate<std::uint32_t>(n);
  DevicePointer distance = program.allocate<std::uint32_t>(n);
  DevicePointer farther = program.allocate<std::uint32_t>(n);
  const Launch launch{{cta_count(size.width, 32), cta_count(size.height, 4), 1}, {32, 4, 1}, 0};
  const auto raises_flag = [&](std::string_view kernel, const auto&... args) {
    program.write(flag, std::uint32_t{0});
    program.launch(kernel, launch, args..., flag, size);
    return program.read<std::uint32_t>(flag) != 0;
  };

  std::uint32_t phases = 0;
  std::uint32_t rounds = 0;
  for (bool moving = true; moving && rounds < n; ++phases) {
    context.device.memcpy_htod(distance, std::vector<std::uint32_t>(n, far).data(), n * sizeof(std::uint32_t));
    for (std::uint32_t step = 0; step <= n; ++step) {
      const bool found = raises_flag("measure", room, to_sink, distance, farther);
      std::swap(distance, farther);
      if (!found) break;
    }
    moving = false;
    for (; rounds < n && raises_flag("choose", excess, room, to_sink, distance, directions); ++rounds) {
      moving = true;
      if (transactional)
        program.launch("push_transactional", launch, excess, room, to_sink, directions, size);
      else
        program.launch("push", launch, excess, room, to_sink, directions, locks, size);
    }
  }

  const Flow left{program.download<std::int32_t>(excess, n), program.download<std::int32_t>(room, grid.room.size()),
                  program.download<std::int32_t>(to_sink, n)};
  std::vector<std::uint32_t> object = program.download<std::uint32_t>(distance, n);
  for (std::uint32_t& pixel : object) pixel = pixel == far ? 1 : 0;
  const cuda_cuts::Cut expected = minimum_cut(grid);
  return all_of({check_conservation(grid, left),
                 compare_exact<std::int64_t>("flow", {sum(grid.to_sink) - sum(left.to_sink)}, {expected.flow}),
                 compare_exact("object", object, expected.object),
                 compare_exact("locks", program.download<std::uint32_t>(locks, n), std::vector<std::uint32_t>(n)),
                 {true, fmt::format("{} rounds of pushes in {} phases", rounds, phases)}});
}

}  // namespace syncline::workloads
