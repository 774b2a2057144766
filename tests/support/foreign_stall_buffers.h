// Stall buffers of somebody else's, which share nothing with the library's but the contract of its socket.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <list>
#include <systemc>
#include <tlm>

#include "models/transactions/getm/stall_work.h"

namespace syncline::tests {

/// One list of all that waits, in the order in which it came. Answers in the call, by BEGIN_RESP, or is loosely timed
/// and waits for `time` before each answer, as a transactor does whose clock runs meanwhile.
class SortedStallBuffer : public sc_core::sc_module {
 public:
  SortedStallBuffer(const sc_core::sc_module_name& name, const protocols::getm::GetmSpec& spec,
                    sc_core::sc_time time = sc_core::SC_ZERO_TIME)
      : sc_core::sc_module(name), socket("socket"), spec_(spec), time_(time) {
    if (time_ == sc_core::SC_ZERO_TIME)
      socket.register_nb_transport_fw(this, &SortedStallBuffer::nb_transport_fw);
    else
      socket.register_b_transport(this, &SortedStallBuffer::b_transport);
  }
  tlm_utils::simple_target_socket<SortedStallBuffer, 32, models::StallProtocol> socket;

 protected:
  virtual bool room(std::uint32_t waiting, std::uint32_t granules) const {
    return waiting != 0 ? waiting < spec_.stall_requests : granules < spec_.stall_addresses && spec_.stall_requests > 0;
  }

 private:
  struct Entry {
    protocols::getm::Request request;
    std::uint64_t line = 0;  ///< when the granule's line was opened
    bool awake = false;
  };
  void perform(tlm::tlm_generic_payload& payload) {
    models::StallWork& work = models::stall_work_of(payload);
    work.taken = false;
    if (work.command == models::StallCommand::park) park(work);
    if (work.command == models::StallCommand::changed) change(work.metadata);
    if (work.command == models::StallCommand::release) {
      for (Entry& entry : entries_) entry.awake = true;
    }
    if (work.command == models::StallCommand::take) take(work);
    work.may_one_go = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.awake; });
    work.addresses = granules();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    perform(payload);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    wait(time_);
    perform(payload);
  }

  std::uint32_t waiting_for(protocols::getm::Granule granule) const {
    return static_cast<std::uint32_t>(std::count_if(
        entries_.begin(), entries_.end(), [granule](const Entry& entry) { return entry.request.granule == granule; }));
  }
  std::uint32_t granules() const {
    std::uint32_t n = 0;
    for (auto i = entries_.begin(); i != entries_.end(); ++i)
      n += std::none_of(entries_.begin(), i, [&](const Entry& e) { return e.line == i->line; }) ? 1 : 0;
    return n;
  }
  void park(models::StallWork& work) {
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& e) { return e.request.granule == work.request.granule; });
    work.taken = room(waiting_for(work.request.granule), granules());
    if (work.taken) entries_.push_back({work.request, same != entries_.end() ? same->line : ++lines_, false});
    work.waiting = waiting_for(work.request.granule);
  }
  void change(const protocols::getm::Metadata& now) {
    for (Entry& entry : entries_) {
      const protocols::getm::Request& r = entry.request;
      if (r.granule != now.granule) continue;
      const bool is_load = r.access == protocols::getm::Access::load;
      const bool too_early = now.wts > r.at || (!is_load && now.rts > r.at);
      entry.awake = !now.reserved || now.owner == r.who || too_early;
    }
  }
  void take(models::StallWork& work) {
    auto first = entries_.end();
    for (auto i = entries_.begin(); i != entries_.end(); ++i) {
      if (!i->awake) continue;
      if (first == entries_.end() || i->request.at < first->request.at ||
          (i->request.at == first->request.at && i->line < first->line))
        first = i;
    }
    if (first == entries_.end()) return;
    work.request = first->request;
    work.taken = true;
    entries_.erase(first);
  }

  const protocols::getm::GetmSpec spec_;
  const sc_core::sc_time time_;
  std::list<Entry> entries_;
  std::uint64_t lines_ = 0;
};

/// Takes nothing.
class FullStallBuffer : public SortedStallBuffer {
 public:
  using SortedStallBuffer::SortedStallBuffer;

 protected:
  bool room(std::uint32_t, std::uint32_t) const override { return false; }
};

}  // namespace syncline::tests
