// Requests that wait until their granule is no longer reserved (section 4.5.2, figure 4.9): a few granules, a few
// requests each. The one of the earliest time goes first.
//
// It knows nothing but what it is told: who is to wait, and what has become of a granule's metadata since.
#pragma once

#include <optional>
#include <vector>

#include "protocols/transactions/getm/granule_machine.h"
#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

class StallBuffer {
 public:
  /// `machine` outlives it and may be shared: it says what lets a request wait.
  StallBuffer(const GetmSpec& spec, const GranuleMachine& machine)
      : machine_(&machine), addresses_(spec.stall_addresses), requests_(spec.stall_requests) {}

  /// From now on the request waits. False: there is no room for it.
  bool park(const Request& request);
  /// The metadata of a granule may have changed. Its requests may go that need not wait any more, because they can
  /// have the granule now or can only be refused; those that could have gone and can no more wait again.
  void changed(const Metadata& metadata);
  /// All may go.
  void release_all();
  bool may_one_go() const { return next().request != nullptr; }
  /// Of the requests that may go the one of the earliest time leaves, of equal ones that which came first to a granule.
  std::optional<Request> take();

  bool empty() const { return lines_.empty(); }
  std::size_t addresses() const { return lines_.size(); }
  std::size_t size() const;
  std::size_t waiting_for(Granule granule) const;
  /// Who may go follows from the metadata of the granules, and is left out.
  void encode(TimeEncoder& to) const;

 private:
  struct Waiting {
    Request request;
    bool may_go = false;
  };
  struct Line {
    Granule granule;
    std::vector<Waiting> requests;  ///< in the order in which they came
  };
  struct Place {
    std::size_t line = 0;
    const Waiting* request = nullptr;  ///< null: there is none
  };
  Place next() const;

  const GranuleMachine* machine_;
  std::uint32_t addresses_, requests_;
  std::vector<Line> lines_;
};

/// Appends all that later steps depend on.
void encode(const Request& request, TimeEncoder& to);

}  // namespace syncline::protocols::getm
