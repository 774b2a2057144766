// On which SM a CTA starts: the choice behind CTAs that are dealt in order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/fields.h"
#include "models/sm/cta_sink.h"

namespace syncline::models {

enum class PlacementPolicy : std::uint8_t { first_free, pack, contiguous };

/// The registry: every policy by its name in the configuration.
const base::ChoiceTable<PlacementPolicy>& placement_policies();

/// The SMs as a placement sees them.
class SmList {
 public:
  virtual ~SmList() = default;
  virtual unsigned count() const = 0;
  virtual bool has_room(unsigned sm, const GridLaunch& grid) const = 0;
  /// Of each of them.
  virtual SmResources resources() const = 0;
};

class Placement {
 public:
  virtual ~Placement() = default;
  /// The SM for CTA number `cta` (x fastest) of the grid; nothing when it has to wait until some CTA ends.
  virtual std::optional<unsigned> choose(const GridLaunch& grid, std::uint64_t cta, const SmList& sms) = 0;
};

/// The first SM with room, counted from the one behind the SM that got the last CTA: CTAs spread over all SMs.
class FirstFree final : public Placement {
 public:
  /// The first CTA goes to SM `start`, modulo their number, if it has room.
  explicit FirstFree(unsigned start = 0) : next_(start) {}
  std::optional<unsigned> choose(const GridLaunch& grid, std::uint64_t cta, const SmList& sms) override;

 private:
  unsigned next_;
};

/// The lowest-numbered SM with room: as few SMs as possible work.
class Pack final : public Placement {
 public:
  std::optional<unsigned> choose(const GridLaunch& grid, std::uint64_t cta, const SmList& sms) override;
};

/// Neighbouring CTAs on the same SM: the grid is cut into as many equal parts as there are SMs (Ren 2018, 5.1).
class Contiguous final : public Placement {
 public:
  std::optional<unsigned> choose(const GridLaunch& grid, std::uint64_t cta, const SmList& sms) override;
};

/// `start`: where a policy that takes turns begins.
std::unique_ptr<Placement> make_placement(PlacementPolicy policy, unsigned start = 0);

}  // namespace syncline::models
