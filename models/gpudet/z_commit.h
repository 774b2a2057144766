// Commits through the Z-units of the memory partitions (GPUDet, section 4.4.2).
#pragma once

#include <vector>

#include "models/gpudet/commit_path.h"
#include "models/gpudet/log_port.h"
#include "models/z_unit/depth_family.h"

namespace syncline::models {

class ZCommit final : public CommitPath, private LogClient {
 public:
  /// `partitions`: a line of each memory partition whose depths it clears.
  ZCommit(LogPort& port, CommitListener& listener, std::vector<base::LineAddress> partitions)
      : port_(port), listener_(listener), partitions_(std::move(partitions)) {}

  /// From an SM to a partition messages keep their order, and a Z-unit keeps it for a line.
  bool keeps_order() const override { return true; }

  void start(const CommitWrite& write) override {
    Message& message = port_.make(MessageClass::store_request, write.line, write.mask);
    message.data = write.data;
    order_by_depth(message, DepthKind::write, write.depth);
    port_.send(message, *this, write.token);
  }

  void clear() override {
    clearing_ = partitions_.size();
    if (clearing_ == 0) return listener_.committed(clear_token);
    for (const base::LineAddress line : partitions_) {
      Message& message = port_.make(MessageClass::store_request, line, {});
      order_by_depth(message, DepthKind::clear);
      port_.send(message, *this, clear_token);
    }
  }

 private:
  bool answered(std::uint32_t token, Message&, base::Cycle) override {
    if (token != clear_token || --clearing_ == 0) listener_.committed(token);
    return false;
  }

  LogPort& port_;
  CommitListener& listener_;
  std::vector<base::LineAddress> partitions_;
  std::size_t clearing_ = 0;
};

}  // namespace syncline::models
