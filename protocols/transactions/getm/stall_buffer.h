// Requests that wait until their granule is no longer reserved (section 4.5.2, figure 4.9): a few granules, a few
// requests each. The one of the earliest time goes first.
#pragma once

#include <optional>
#include <vector>

#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

class StallBuffer {
 public:
  explicit StallBuffer(const GetmSpec& spec) : addresses_(spec.stall_addresses), requests_(spec.stall_requests) {}

  bool has_room(Granule granule) const;
  /// ModelError where there is no room.
  void park(const Request& request);
  /// Of the requests that `ready` accepts the one of the earliest time, of equal ones that which came first to a
  /// granule; null: there is none.
  template <class Ready>
  const Request* oldest(Ready&& ready) const {
    const Request* first = nullptr;
    for (const Line& line : lines_) {
      for (const Request& request : line.requests) {
        if ((first == nullptr || request.at < first->at) && ready(request)) first = &request;
      }
    }
    return first;
  }
  /// One that `oldest` returned leaves.
  Request take(const Request* request);

  bool empty() const { return lines_.empty(); }
  std::size_t addresses() const { return lines_.size(); }
  std::size_t size() const;
  std::size_t waiting_for(Granule granule) const;
  void encode(TimeEncoder& to) const;

 private:
  struct Line {
    Granule granule;
    std::vector<Request> requests;  ///< in the order in which they came
  };
  std::uint32_t addresses_, requests_;
  std::vector<Line> lines_;
};

/// Appends all that later steps depend on.
void encode(const Request& request, TimeEncoder& to);

}  // namespace syncline::protocols::getm
