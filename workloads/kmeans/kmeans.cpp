#include <limits>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t features = 8;
constexpr std::uint32_t clusters = 12;

/// One round over whole numbers: the nearest centroid of every point, and what the points of each cluster sum up to.
struct Round {
  std::vector<std::uint32_t> membership;
  std::vector<std::int64_t> sums = std::vector<std::int64_t>(clusters * features);
  std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(clusters);
};

Round assign(const std::vector<float>& points, const std::vector<float>& centroids, std::uint32_t n) {
  Round round;
  for (std::uint32_t point = 0; point < n; ++point) {
    std::uint32_t nearest = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
      std::int64_t distance = 0;
      for (std::uint32_t f = 0; f < features; ++f) {
        const auto difference = static_cast<std::int64_t>(points[f * n + point]) -
                                static_cast<std::int64_t>(centroids[cluster * features + f]);
        distance += difference * difference;
      }
      if (distance < least) least = distance, nearest = cluster;
    }
    round.membership.push_back(nearest);
    ++round.counts[nearest];
    for (std::uint32_t f = 0; f < features; ++f)
      round.sums[nearest * features + f] += static_cast<std::int64_t>(points[f * n + point]);
  }
  return round;
}

/// Means rounded down to whole numbers; a cluster without points keeps its centroid.
template <class Sum>
void move_centroids(std::vector<float>& centroids, const std::vector<Sum>& sums,
                    const std::vector<std::uint32_t>& counts) {
  for (std::uint32_t i = 0; i < clusters * features; ++i)
    if (const std::uint32_t count = counts[i / features]; count != 0) {
      const std::int64_t mean = static_cast<std::int64_t>(sums[i]) / count;
      centroids[i] = static_cast<float>(mean);
    }
}

std::vector<float> random_points(std::uint64_t seed, std::uint32_t n) {
  const std::vector<std::uint32_t> coordinates =
      random_integers<std::uint32_t>(seed, "kmeans.points", std::size_t{n} * features, 64);
  return {coordinates.begin(), coordinates.end()};
}

/// The first points.
std::vector<float> first_centroids(const std::vector<float>& points, std::uint32_t n) {
  std::vector<float> centroids;
  for (std::uint32_t cluster = 0; cluster < clusters; ++cluster)
    for (std::uint32_t f = 0; f < features; ++f) centroids.push_back(points[f * n + cluster]);
  return centroids;
}

/// As Rodinia divides the work: the GPU assigns, the host adds up. As many points as the larger of Rodinia's inputs.
Verdict run_rodinia(const Context& context) {
  constexpr std::uint32_t n = 494'020, rounds = 3;
  const std::vector<float> points = random_points(context.seed, n);
  std::vector<float> centroids = first_centroids(points, n);
  Program program(context);
  const DevicePointer device_points = program.upload(points);
  const DevicePointer device_membership = program.upload(std::vector<std::uint32_t>(n, clusters));
  Verdict same;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    program.set_symbol("centroids", centroids);
    program.launch("kmeans_label", covering(n, 128), device_points, device_membership, n);
    const Round expected = assign(points, centroids, n);
    same = compare_exact("membership", program.download<std::uint32_t>(device_membership, n), expected.membership);
    if (!same.verified) return same;
    move_centroids(centroids, expected.sums, expected.counts);
  }
  return same;
}

}  // namespace

Verdict run_kmeans(const Context& context) {
  if (context.size == Size::paper) return run_rodinia(context);
  const std::uint32_t n = by_size(context.size, 1'000U, 20'000U, 250'000U);  // sums below 2^24: exact in f32
  const std::uint32_t rounds = by_size(context.size, 4U, 6U, 6U);
  const std::vector<float> points = random_points(context.seed, n);
  std::vector<float> centroids = first_centroids(points, n);

  Program program(context);
  const DevicePointer device_points = program.upload(points);
  const DevicePointer membership = program.upload(std::vector<std::uint32_t>(n, clusters));
  const DevicePointer sums = program.allocate<float>(clusters * features);
  const DevicePointer counts = program.allocate<std::uint32_t>(clusters);
  const DevicePointer moved = program.allocate<std::uint32_t>(1);
  Round expected;
  std::vector<float> expected_centroids = centroids;
  std::vector<std::uint32_t> previous(n, clusters);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    context.device.memcpy_htod(sums, std::vector<float>(clusters * features).data(),
                               sizeof(float) * clusters * features);
    context.device.memset_d8(counts, 0, sizeof(std::uint32_t) * clusters);
    program.write(moved, 0U);
    program.set_symbol("centroids", centroids);
    program.launch("kmeans_assign", covering(n, 128), device_points, membership, sums, counts, moved, n);
    move_centroids(centroids, program.download<float>(sums, clusters * features),
                   program.download<std::uint32_t>(counts, clusters));

    expected = assign(points, expected_centroids, n);
    move_centroids(expected_centroids, expected.sums, expected.counts);
    std::uint32_t expected_moved = 0;
    for (std::uint32_t point = 0; point < n; ++point) expected_moved += expected.membership[point] != previous[point];
    previous = expected.membership;
    Verdict same = compare_exact<std::uint32_t>("points moved in round " + std::to_string(round),
                                                {program.read<std::uint32_t>(moved)}, {expected_moved});
    if (!same.verified) return same;
  }
  return all_of({compare_exact("membership", program.download<std::uint32_t>(membership, n), expected.membership),
                 compare_exact("counts", program.download<std::uint32_t>(counts, clusters), expected.counts),
                 compare_exact("centroids", centroids, expected_centroids)});
}

}  // namespace syncline::workloads
