// Blocks of a user's for the compute side, which derive from none of the library's: an L1 that keeps nothing, an SM
// that executes nothing, and a work distributor that has one CTA run at a time.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "models/cache/translate.h"
#include "models/l1_cache/l1_ports.h"
#include "models/sm/l1_interface.h"
#include "models/sm/sm_ports.h"
#include "models/transport/message_port.h"
#include "models/work_distributor/distributor_ports.h"
#include "protocols/coherence/none/none.h"

namespace syncline::tests {

/// Passes each access on to the home of its line, for the policy `none`.
class PassingL1 : public sc_core::sc_module, private models::MessageReceiver, private models::MessageSender {
 public:
  PassingL1(const sc_core::sc_module_name& name, const models::L1Site& site)
      : sc_core::sc_module(name),
        from_sm("from_sm", *this, sm_port),
        to_sm("to_sm", *this, sm_port),
        to_network("to_network", *this, network_port),
        from_network("from_network", *this, network_port),
        pool_(site.context.messages),
        policy_(site.policy),
        homes_(site.homes),
        node_(models::l1_node(site.sm, site.place)),
        line_bytes_(site.spec.line) {}
  models::MessageTarget from_sm;
  models::MessageInitiator to_sm, to_network;
  models::MessageTarget from_network;
  unsigned passed = 0;

  models::L1Ports ports() {
    return {&from_sm.socket, &to_sm.socket, {&to_network.socket, &from_network.socket, nullptr}, nullptr};
  }

 private:
  enum Port : unsigned { sm_port, network_port };
  using Kind = protocols::none::Message;

  bool receive(models::Message& message, const sc_core::sc_time&, unsigned port) override {
    if (port == network_port)
      answer(message);
    else if (models::l1_kind(message) == models::L1Kind::prefetch)
      message.payload()->release();
    else if (message.message_class == models::MessageClass::control)
      to_sm.send(message);
    else
      pass(message);
    return true;
  }
  void pass(models::Message& access) {
    models::Message& m = pool_.get();
    static_cast<models::MessageFields&>(m) = access;
    m.data = access.data;
    m.atomics = access.atomics;
    m.source = node_;
    m.destination = homes_.home(access.line, access.scope, node_);
    m.tag = next_++;
    const bool load = access.message_class == models::MessageClass::load_request;
    const bool store = access.message_class == models::MessageClass::store_request;
    models::dress(m, policy_,
                  static_cast<std::uint8_t>(load    ? Kind::GETU
                                            : store ? Kind::WRITE
                                                    : Kind::ATOMIC),
                  line_bytes_);
    accesses_[m.tag] = &access;
    leaving_.push_back(&m);
    drain();
  }
  void answer(models::Message& reply) {
    models::Message& access = *accesses_.at(reply.tag);
    accesses_.erase(reply.tag);
    access.message_class = reply.message_class;
    access.data = reply.data;
    access.atomics = reply.atomics;
    reply.payload()->release();
    ++passed;
    if (access.posted)
      access.payload()->release();
    else
      to_sm.send(access);
  }
  void on_ready(models::VirtualNetwork, unsigned port) override {
    if (port == network_port) drain();
  }
  void drain() {
    while (!leaving_.empty() && to_network.ready(leaving_.front()->network)) {
      models::Message& m = *leaving_.front();
      leaving_.pop_front();
      to_network.send(m);
    }
  }

  models::MessagePool& pool_;
  const protocols::CoherencePolicy& policy_;
  const models::HomeMap& homes_;
  const models::NodeId node_;
  const unsigned line_bytes_;
  std::uint32_t next_ = 0;
  std::map<std::uint32_t, models::Message*> accesses_;  ///< under way, by tag
  std::deque<models::Message*> leaving_;
};

/// Each CTA has ended a little later.
class InstantSm : public sc_core::sc_module,
                  public models::CtaSink,
                  private models::MessageReceiver,
                  private models::MessageSender {
 public:
  SC_HAS_PROCESS(InstantSm);
  InstantSm(const sc_core::sc_module_name& name, base::SmId id, const models::SmResources& resources)
      : sc_core::sc_module(name),
        to_l1("to_l1", *this),
        from_l1("from_l1", *this),
        done("done"),
        id_(id),
        resources_(resources) {
    SC_METHOD(end);
    sensitive << ends_;
    dont_initialize();
  }
  models::MessageInitiator to_l1;
  models::MessageTarget from_l1;
  sc_core::sc_port<models::CtaListener> done;
  unsigned ctas = 0;

  models::SmPorts ports() {
    models::SmPorts ports;
    ports.to_l1 = &to_l1.socket;
    ports.from_l1 = &from_l1.socket;
    ports.ctas = this;
    ports.done = &done;
    return ports;
  }

  // CtaSink
  bool has_room(const models::GridLaunch&) const override { return grid_ == nullptr; }
  void take(const models::GridLaunch& grid, base::Dim3 cta) override {
    grid_ = &grid;
    cta_ = cta;
    ends_.notify(sc_core::sc_time(10, sc_core::SC_NS));
  }
  unsigned resident_ctas() const override { return grid_ != nullptr ? 1 : 0; }
  models::SmResources resources() const override { return resources_; }

 private:
  void end() {
    ++ctas;
    const models::GridLaunch& ended = *grid_;
    grid_ = nullptr;
    done->cta_ended(id_, ended, cta_);
  }
  bool receive(models::Message&, const sc_core::sc_time&, unsigned) override { return false; }
  void on_ready(models::VirtualNetwork, unsigned) override {}

  const base::SmId id_;
  const models::SmResources resources_;
  const models::GridLaunch* grid_ = nullptr;
  base::Dim3 cta_;
  sc_core::sc_event ends_;
};

/// One CTA of one grid at a time, on one SM after the other.
class OneByOne : public sc_core::sc_module, public models::CtaListener, public models::GridSink {
 public:
  SC_HAS_PROCESS(OneByOne);
  explicit OneByOne(const sc_core::sc_module_name& name) : sc_core::sc_module(name), sms("sms") {
    SC_METHOD(go_on);
    sensitive << changed_;
    dont_initialize();
  }
  sc_core::sc_port<models::CtaSink, 0> sms;

  models::DistributorPorts ports() { return {&sms, this, this}; }

  // GridSink
  void launch(std::shared_ptr<const models::GridLaunch> grid, Completion completed) override {
    grids_.push_back({std::move(grid), std::move(completed)});
    changed_.notify(sc_core::SC_ZERO_TIME);
  }
  std::uint64_t ctas_ended() const override { return ended_; }
  // CtaListener
  void cta_ended(base::SmId, const models::GridLaunch&, base::Dim3) override {
    ++ended_;
    running_ = false;
    changed_.notify(sc_core::sc_time(1, sc_core::SC_NS));
  }

 private:
  struct Grid {
    std::shared_ptr<const models::GridLaunch> launch;
    Completion completed;
    std::uint32_t placed = 0;
  };
  void go_on() {
    if (running_ || grids_.empty()) return;
    Grid& grid = grids_.front();
    if (grid.placed == grid.launch->context.grid.count()) {
      const Grid done = std::move(grid);
      grids_.pop_front();
      done.completed(done.launch->id);
      if (!grids_.empty()) changed_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    running_ = true;
    sms[static_cast<int>(ended_ % static_cast<unsigned>(sms.size()))]->take(*grid.launch, {grid.placed++, 0, 0});
  }

  std::deque<Grid> grids_;
  bool running_ = false;
  std::uint64_t ended_ = 0;
  sc_core::sc_event changed_;
};

}  // namespace syncline::tests
