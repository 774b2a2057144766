// Statistics: counters, distributions and gauges, each with name, unit and description, in the hierarchy of the
// blocks that own them. Plain C++ (the SystemC blocks hold them, the platform writes them out).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
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

/// One registered statistic. `gauge` statistics are computed when read (occupancy, queue depth, a ratio). Its texts are
/// the registry's.
struct Statistic {
  std::string_view block;  ///< hierarchical name of the owner, for example "gpu.sm3.l1"
  std::string_view name;   ///< within the block, snake_case
  std::string_view unit;   ///< "cycles", "bytes", "accesses", ...
  std::string_view description;
  const Counter* counter = nullptr;
  const Distribution* distribution = nullptr;
  std::function<double()> gauge;
  std::string full_name() const { return std::string(block) + "." + std::string(name); }
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
  /// Throws ModelError on a duplicate full name.
  Statistic& insert(std::string_view block, std::string_view name, std::string_view unit, std::string_view description);
  std::string_view kept(std::string_view text);

  /// By its texts, as they are kept.
  struct Place {
    const char* block;
    const char* name;
    friend bool operator==(const Place& a, const Place& b) { return a.block == b.block && a.name == b.name; }
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  // A machine of hundreds of SMs has a hundred thousand, of which most say the same as many others.
  std::deque<Statistic> statistics_;
  std::unordered_set<Place, PlaceHash> places_;
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> known_;  ///< of `texts_`
};

}  // namespace syncline::base
