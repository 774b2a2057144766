#include "workloads/common/serial_order.h"

#include <fmt/format.h>

namespace syncline::workloads {
namespace {

constexpr std::uint32_t nobody = ~0U;

}  // namespace

SerialOrder serial_order(std::uint32_t objects, const std::vector<std::vector<Sight>>& sights) {
  const auto count = static_cast<std::uint32_t>(sights.size());
  // The operation that found an object at a version and wrote it.
  std::vector<std::vector<std::uint32_t>> writers(objects);
  for (const std::vector<Sight>& of_one : sights)
    for (const Sight& sight : of_one) {
      if (sight.object >= objects) return {{}, fmt::format("there is no object {}", sight.object)};
      if (sight.writes) writers[sight.object].push_back(nobody);
    }
  for (std::uint32_t i = 0; i < count; ++i)
    for (const Sight& sight : sights[i]) {
      std::vector<std::uint32_t>& of_object = writers[sight.object];
      if (sight.version >= of_object.size() + (sight.writes ? 0 : 1))
        return {{},
                fmt::format("operation {} saw version {} of object {}, which was written {} times", i, sight.version,
                            sight.object, of_object.size())};
      if (!sight.writes) continue;
      std::uint32_t& writer = of_object[sight.version];
      if (writer != nobody)
        return {{},
                fmt::format("operations {} and {} both wrote object {} when it had version {}", writer, i, sight.object,
                            sight.version)};
      writer = i;
    }

  std::vector<std::vector<std::uint32_t>> later(count);
  std::vector<std::uint32_t> waits_for(count);
  const auto comes_before = [&](std::uint32_t first, std::uint32_t second) {
    later[first].push_back(second);
    ++waits_for[second];
  };
  for (std::uint32_t i = 0; i < count; ++i)
    for (const Sight& sight : sights[i]) {
      const std::vector<std::uint32_t>& of_object = writers[sight.object];
      if (sight.version > 0) comes_before(of_object[sight.version - 1], i);
      if (!sight.writes && sight.version < of_object.size()) comes_before(i, of_object[sight.version]);
    }

  SerialOrder order;
  for (std::uint32_t i = 0; i < count; ++i)
    if (waits_for[i] == 0) order.operations.push_back(i);
  for (std::size_t next = 0; next < order.operations.size(); ++next)
    for (const std::uint32_t i : later[order.operations[next]])
      if (--waits_for[i] == 0) order.operations.push_back(i);
  if (order.operations.size() != count)
    return {{},
            fmt::format("no order agrees with what they saw: {} of {} operations wait for each other",
                        count - order.operations.size(), count)};
  return order;
}

}  // namespace syncline::workloads
