// The committed deviations of measurements from predictions, and the shapes that curves must keep.
//
// The ledger is exact within its tolerance: a deviation that vanishes is as much a failure as one that grows, so that
// the file always says what the machine does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace syncline::platform {

/// The ratio of two points: how steep a curve is, or how far it lies from another one.
struct CurveShape {
  std::string curve;
  std::string against;  ///< curve of `from`; as a rule the same
  std::uint64_t from = 0, to = 0;
  double at_least = 0;  ///< of curve(to) / against(from)
  std::optional<double> at_most;
  std::string reason;
  std::vector<std::string> platforms;  ///< empty: all
};

struct CurveRemark {
  std::string reason;               ///< why measurements deviate from the prediction
  std::string hardware;             ///< what real machines do, or empty
  std::optional<double> tolerance;  ///< percentage points, where it is not the ledger's
};

struct Ledger {
  double tolerance = 0;  ///< percentage points
  std::map<std::string, CurveRemark> curves;
  std::vector<CurveShape> shapes;
  /// Per cent of the prediction, by platform and point (curve, at).
  std::map<std::string, std::map<std::pair<std::string, std::uint64_t>, double>> deviations;
};

/// Reads a ledger strictly: unknown keys, curves that nothing predicts, numbers that are none are a UserError with
/// place.
Ledger load_ledger(const std::filesystem::path& file);
Ledger parse_ledger(const std::string& text, const std::string& name);

}  // namespace syncline::platform
