// What a Z-unit sends to the L2 and to the SMs, and what the L2 answers.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/translate.h"
#include "models/clock/turn.h"
#include "models/z_unit/z_unit.h"

namespace syncline::models {

Message& ZUnit::to_l2(Purpose purpose, Index index, base::LineAddress line, const Message& cause) {
  Message& m = ask(line, cause);
  m.tag = index << 8U | static_cast<std::uint32_t>(purpose);
  out_.push_back(&m);
  return m;
}

bool ZUnit::send_request() {
  if (out_.empty() || !can_forward(out_.front()->network)) return false;
  Message& m = *out_.front();
  out_.pop_front();
  sent_.note(m, now_ps());
  forward(m, time_now());
  return true;
}

bool ZUnit::send_answer() {
  if (answers_.empty() || answers_.front().ready_at > clock()->now()) return false;
  Message& m = *requests_[answers_.front().request].message;
  const VirtualNetwork network = policy_.messages[plain_.store_ack].network;
  if (!can_reply(network)) return false;
  release(answers_.front().request);
  answers_.pop_front();
  turn(m);
  m.coherence = {};
  dress(m, policy_, plain_.store_ack, depths_.line_bytes());
  sent_.note(m, now_ps());
  reply(m, time_now());
  ++tile().progress;
  return true;
}

/// A link that is shared goes by turns, so that neither side starves.
void ZUnit::on_can_forward(VirtualNetwork network) {
  if (own_request_next_ || !request_in.waiting(network)) send_request();
  own_request_next_ = !own_request_next_;
  wake(clock()->now());
}

void ZUnit::on_can_reply(VirtualNetwork network) {
  if (own_answer_next_ || !reply_in.waiting(network)) send_answer();
  own_answer_next_ = !own_answer_next_;
  wake(clock()->now());
}

bool ZUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  const Index index = reply.tag >> 8;
  switch (static_cast<Purpose>(reply.tag & 0xffU)) {
    case Purpose::depths: {
      const auto waiting = std::find_if(comparisons_.begin(), comparisons_.end(),
                                        [index](const Comparison& one) { return one.block == index; });
      if (waiting == comparisons_.end() || waiting->ready_at != base::never)
        throw base::ModelError(
            fmt::format("{}: depths {:#x} arrive that nobody waits for", name(), reply.line.value()));
      cache_.data(index) = reply.data;
      waiting->ready_at = at;
      break;
    }
    case Purpose::colour:
      --requests_[index].acks;
      answer_when_done(index, at);
      break;
    case Purpose::write_back:
      --write_backs_in_flight_;
      break;
  }
  reply.payload()->release();
  wake(at);
  return true;
}

}  // namespace syncline::models
