// The policies `none`: packages that override nothing.
#include "platform/packages/package.h"

namespace syncline::platform {
namespace {

class None final : public Package {
 public:
  explicit None(std::string_view summary) : summary_(summary) {}
  std::string_view name() const override { return "none"; }
  std::string_view summary() const override { return summary_; }

 private:
  std::string_view summary_;
};

}  // namespace

const Package& transactions_none() {
  static const None none("no transactional memory");
  return none;
}

const Package& local_transactions_none() {
  static const None none("no transactional memory in shared memory");
  return none;
}

const Package& determinism_none() {
  static const None none("the machine decides who is first, as real GPUs do");
  return none;
}

const Package& composition_none() {
  static const None none("one GPU draws the whole image");
  return none;
}

}  // namespace syncline::platform
