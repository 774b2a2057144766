// A machine whose SMs have lane stages that tests say in a few lines.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/sm/seams/lane_stage.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {

/// Does with an offer what the test says.
class ScriptedStage : public models::LaneStage {
 public:
  using Script = std::function<void(ScriptedStage&, models::LaneOffer&, base::Cycle)>;
  ScriptedStage(std::string name, Script script) : name_(std::move(name)), script_(std::move(script)) {}

  std::string_view name() const override { return name_; }
  void attach(models::LaneChain& to_chain, models::LaneControl& to_control) override {
    chain = &to_chain;
    control = &to_control;
  }
  void offer(models::LaneOffer& offer, base::Cycle now) override {
    ++offers;
    script_(*this, offer, now);
  }
  void replied(std::uint32_t token, const models::Message& reply, base::Cycle now) override {
    on_reply(token, reply, now);
  }
  void aborted(unsigned slot, base::LaneMask lanes) override { aborts.emplace_back(slot, lanes); }
  std::vector<std::string> left_over() const override { return left; }

  models::LaneChain* chain = nullptr;
  models::LaneControl* control = nullptr;
  std::function<void(std::uint32_t, const models::Message&, base::Cycle)> on_reply;
  unsigned offers = 0;
  std::vector<std::pair<unsigned, base::LaneMask>> aborts;
  std::vector<std::string> left;

 private:
  std::string name_;
  Script script_;
};

inline void pass_all(models::LaneOffer& offer) {
  offer.pass(offer.access().lanes);
}

class LaneMachine : public SmMachine {
 protected:
  static constexpr base::LaneMask even = 0x5555'5555, odd = 0xAAAA'AAAA;
  using Stages = std::vector<std::shared_ptr<models::LaneStage>>;

  static std::shared_ptr<ScriptedStage> stage(std::string name, ScriptedStage::Script script) {
    return std::make_shared<ScriptedStage>(std::move(name), std::move(script));
  }
  /// One SM with these stages, and an L1 that answers after 400 ns.
  void build_with(Stages stages) {
    sm_count = 1;
    l1 = {400, 400, 0};
    seams = [stages](unsigned) {
      models::SmSeams policies;
      policies.lane_stages = stages;
      return policies;
    };
    build();
  }
  /// A kernel with one parameter: %rd1 is what it points to, %rd3 the thread's word there, %r1 the thread in its CTA,
  /// %r4 the thread in the grid; `words` is shared.
  static std::string kernel(const std::string& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n"
           ".const .align 4 .b32 table[4] = {100, 101, 102, 103};\n"
           ".visible .entry k(.param .u64 p) {\n"
           ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<12>;\n"
           ".local .align 4 .b8 mine[64]; .shared .align 4 .b8 words[1024];\n"
           "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
           "mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
           "shl.b32 %r10, %r1, 2; mov.u32 %r11, words; add.u32 %r11, %r11, %r10;\n" +
           body + "\nret;\n}\n";
  }
  std::vector<std::uint32_t> words(std::uint64_t address, std::size_t count) {
    const auto* const first = at<std::uint32_t>(address);
    return {first, first + count};
  }
};

}  // namespace syncline::tests
