// Statistics: counters, distributions and gauges, each with name, unit and description, in the hierarchy of the
// blocks that own them. Plain C++ (the SystemC blocks hold them, the platform writes them out).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace syncline::base {

/// A number that only grows.
class Counter {
 public:
  void add(std::uint64_t n = 1) { value_ += n; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// Samples of a quantity: count, sum, minimum, maximum and a histogram in powers of two (bucket 0 holds 0, bucket n
/// holds 2^(n-1) .. 2^n - 1).
class Distribution {
 public:
  void sample(std::uint64_t value, std::uint64_t times = 1);
  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  std::uint64_t max() const { return max_; }
  double mean() const { return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  const std::array<std::uint64_t, 65>& buckets() const { return buckets_; }
  /// The greatest value that bucket `bucket` holds.
  static constexpr std::uint64_t upper_bound(unsigned bucket) {
    return bucket >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bucket) - 1;
  }

 private:
  std::uint64_t count_ = 0, sum_ = 0, min_ = ~std::uint64_t{0}, max_ = 0;
  std::array<std::uint64_t, 65> buckets_{};
};

/// One registered statistic. `gauge` statistics are computed when read (occupancy, queue depth, a ratio).
struct Statistic {
  std::string block;  ///< hierarchical name of the owner, for example "gpu.sm3.l1"
  std::string name;   ///< within the block, snake_case
  std::string unit;   ///< "cycles", "bytes", "accesses", ...
  std::string description;
  const Counter* counter = nullptr;
  const Distribution* distribution = nullptr;
  std::function<double()> gauge;
  std::string full_name() const { return block + "." + name; }
};

/// All statistics of one platform. Blocks register in their constructors; references must outlive the registry.
class StatisticsRegistry {
 public:
  void add(std::string_view block, std::string_view name, std::string_view unit, std::string_view description,
           const Counter& counter);
  void add(std::string_view block, std::string_view name, std::string_view unit, std::string_view description,
           const Distribution& distribution);
  void add_gauge(std::string_view block, std::string_view name, std::string_view unit, std::string_view description,
                 std::function<double()> gauge);
  /// Sorted by full name, so that the order in which blocks were built never shows.
  std::vector<const Statistic*> sorted() const;

 private:
  void insert(Statistic statistic);  ///< throws ModelError on a duplicate full name
  std::vector<Statistic> statistics_;
  std::unordered_set<std::string> names_;
};

}  // namespace syncline::base
