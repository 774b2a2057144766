// Who sends what to whom through the crossbars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tlm>
#include <vector>

#include "models/crossbar/crossbar.h"

namespace syncline::platform {

/// Adds up the messages of the crossbars that it is bound to, by sender, receiver and traffic class.
class Traffic : public tlm::tlm_analysis_if<models::CrossingEvent> {
 public:
  struct Sum {
    std::uint64_t messages = 0, flits = 0, bytes = 0;
  };
  struct Way {
    std::string source, destination;  ///< models::name
    std::size_t traffic;              ///< number of the class in MessageFamilies::traffic_names()
    Sum sum;
  };

  void write(const models::CrossingEvent& event) override;
  /// Senders and receivers in the order of their kinds and numbers.
  std::vector<Way> ways() const;

 private:
  struct Before {
    bool operator()(const models::NodeId& a, const models::NodeId& b) const;
  };
  std::map<models::NodeId, std::map<models::NodeId, std::map<std::size_t, Sum>, Before>, Before> sums_;
};

}  // namespace syncline::platform
