#include "sc_main/sweep/measures.h"

#include <unordered_map>

#include "models/families/registry.h"

namespace syncline::sweep {
namespace {

/// Sums over the blocks, by the name within the block.
class Sums {
 public:
  explicit Sums(const std::vector<Total>& statistics) {
    for (const Total& one : statistics) {
      const std::size_t dot = one.name.rfind('.');
      const std::string name = one.name.substr(dot == std::string::npos ? 0 : dot + 1);
      const std::string block = one.name.substr(0, dot == std::string::npos ? 0 : dot);
      add(block, name, one.value);
      if (one.count) add(block, name + "/count", *one.count);
    }
  }
  double of(const std::string& name) const {
    const auto found = sums_.find(name);
    return found == sums_.end() ? 0.0 : found->second;
  }
  double mean(const std::string& name) const {
    const double count = of(name + "/count");
    return count == 0 ? 0.0 : of(name) / count;
  }

 private:
  void add(const std::string& block, const std::string& name, double value) {
    sums_[name] += value;
    sums_[name + "/blocks"] += 1;
    // L1s and L2 slices share some names.
    if (block.size() > 3 && block.compare(block.size() - 3, 3, "_l1") == 0) sums_["l1/" + name] += value;
    if (block.size() > 3 && block.compare(block.size() - 3, 3, "_l2") == 0) sums_["l2/" + name] += value;
  }
  std::unordered_map<std::string, double> sums_;
};

double ratio(double part, double whole) {
  return whole == 0 ? 0.0 : part / whole;
}

/// What each measure of traffic adds up, by its name: the traffic names of all families of messages that say so.
const std::map<std::string, std::vector<std::string>>& traffic_classes() {
  static const auto classes = [] {
    std::map<std::string, std::vector<std::string>> by_measure;
    for (const models::MessageFamily* const family : models::message_families()) {
      for (const models::TrafficName& traffic : family->traffic) {
        if (!traffic.measure.empty()) by_measure["traffic_" + std::string(traffic.measure)].emplace_back(traffic.name);
      }
    }
    return by_measure;
  }();
  return classes;
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"speedup", "x", "cycles of the baseline over cycles", Measure::Shown::baseline_over_this, "cycles"},
      {"cycles", "core cycles", "length of all launches"},
      {"sc_stalls", "issue slots", "slots lost because an older access of the warp was under way",
       Measure::Shown::over_baseline},
      {"sc_stalled", "ratio", "memory instructions that had to wait for an older access of their warp"},
      {"sc_behind_store", "ratio", "share of the time of these waits behind an older store or atomic"},
      {"sc_wait_load", "core cycles", "time of these waits behind an older load, summed over the warps",
       Measure::Shown::over_baseline},
      {"sc_wait_store", "core cycles", "behind an older store", Measure::Shown::over_baseline},
      {"sc_wait_atomic", "core cycles", "behind an older atomic", Measure::Shown::over_baseline},
      {"sc_resolve", "core cycles", "mean time from the first cycle of such a wait until the instruction issued",
       Measure::Shown::over_baseline},
      {"store_held", "core cycles",
       "in which an access waited in its L1 until a store or an atomic to its line was acknowledged, summed over the "
       "SMs",
       Measure::Shown::over_baseline},
      {"load_latency", "core cycles", "mean, from the L1's lookup to the departure of the data"},
      {"store_latency", "core cycles", "mean, from the L1's lookup to the acknowledgement"},
      {"store_over_load", "x", "store latency over load latency"},
      {"l1_miss_rate", "ratio", "loads of the L1s that were not answered at once"},
      {"expired_loads", "ratio", "loads of the L1s that found their line, but its lease was over (RCC)"},
      {"renewable", "ratio",
       "loads that found their lease over and whose line the L2 still holds as it was, of all these (RCC)"},
      {"renewed", "ratio",
       "renewed leases over loads of the L1s; a load that asks for the L2's copy may renew one that lasts (RCC)"},
      {"cycles_per_time", "core cycles", "in which logical time advances by one, mean over the L1s (RCC)"},
      {"traffic", "flits", "flits through the crossbars, of all classes", Measure::Shown::over_baseline},
      {"traffic_load", "flits", "of load requests and data"},
      {"traffic_store", "flits", "of stores and their acknowledgements"},
      {"traffic_atomic", "flits", "of atomics and their replies"},
      {"traffic_invalidate", "flits", "of invalidations, forwards, acknowledgements and unblocks"},
      {"traffic_renew", "flits", "of renewed leases"},
      {"traffic_control", "flits", "of flushes and rollover"},
      {"traffic_depth", "flits", "of writes that are ordered by depth (GPUDet)"},
      {"energy", "nJ", "energy of the crossbars", Measure::Shown::over_baseline},
      {"energy_router_dynamic", "nJ", "of the flits in queues and switches"},
      {"energy_link_dynamic", "nJ", "of the flits on the links"},
      {"energy_router_static", "nJ", "leakage of the queues"},
      {"energy_link_static", "nJ", "leakage of the links"}};
  return all;
}

std::map<std::string, double> measure(const nlohmann::json& result, const std::vector<Total>& statistics) {
  const Sums sums(statistics);
  std::map<std::string, double> values;
  values["cycles"] = result.at("cycles").get<double>();
  values["sc_stalls"] = sums.of("stall_gate_sc_order");
  double waited = 0, waits = 0;
  for (const char* behind : {"load", "store", "atomic"}) {
    const std::string name = std::string("held_behind_") + behind;
    values[std::string("sc_wait_") + behind] = sums.of(name);
    waited += sums.of(name);
    waits += sums.of(name + "/count");
  }
  values["sc_stalled"] = ratio(waits, sums.of("memory_instructions"));
  values["sc_behind_store"] = ratio(waited - values["sc_wait_load"], waited);
  values["sc_resolve"] = ratio(waited, waits);
  values["store_held"] = sums.of("held_by_stores");
  values["load_latency"] = sums.mean("l1/load_latency");
  values["store_latency"] = sums.mean("l1/store_latency");
  values["store_over_load"] = ratio(values["store_latency"], values["load_latency"]);
  values["l1_miss_rate"] = 1 - ratio(sums.of("l1/load_hits"), sums.of("l1/loads"));
  const double expired = sums.of("row_V_Load_Expired");
  values["expired_loads"] = ratio(expired, sums.of("l1/loads"));
  values["renewable"] = ratio(sums.of("renewable_copies"), sums.of("expired_copies"));
  values["renewed"] = ratio(sums.of("sent_RENEW"), sums.of("l1/loads"));
  values["cycles_per_time"] = ratio(values["cycles"], ratio(sums.of("logical_time"), sums.of("logical_time/blocks")));
  double traffic = 0;
  for (const auto& [measure, members] : traffic_classes()) {
    double flits = 0;
    for (const std::string& member : members) flits += sums.of("flits_" + member);
    values[measure] = flits;
    traffic += flits;
  }
  values["traffic"] = traffic;
  for (const char* part :
       {"energy_router_dynamic", "energy_link_dynamic", "energy_router_static", "energy_link_static"})
    values["energy"] += values[part] = sums.of(part);
  return values;
}

}  // namespace syncline::sweep
