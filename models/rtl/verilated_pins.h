// Modules that Verilator has made, as transactors want them. Included behind the header of the module.
#pragma once

#include <verilated.h>
#include <verilated_syms.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/transactor/pins.h"

namespace syncline::rtl {

/// All signals of a module that are marked `verilator public_flat_rd` and have at most 64 bits, under the names that
/// they have below it.
std::vector<models::RtlSignal> signals_of(const std::string& module);

namespace detail {

/// Clock, reset and `busy`: what all modules have.
template <class Of, class Model>
class VerilatedPins : public Of {
 public:
  template <class Configure>
  VerilatedPins(const std::string& name, Configure&& configure) : name_(name), model_(name.c_str()) {
    configure(model_);
    model_.reset = 1;
    model_.clk = 0;
    model_.eval();
    model_.clk = 1;
    model_.eval();
    model_.reset = 0;
  }
  ~VerilatedPins() override { model_.final(); }
  VerilatedPins(const VerilatedPins&) = delete;
  VerilatedPins& operator=(const VerilatedPins&) = delete;

  void edge() override {
    model_.clk = 1;
    model_.eval();
  }
  bool busy() const override { return model_.busy != 0; }
  std::vector<models::RtlSignal> signals() const override { return signals_of(name_); }

 protected:
  void settle_clock() {
    model_.clk = 0;
    model_.eval();
  }
  template <class Valid, class Payload>
  static void drive(const models::InChannel& from, Valid& valid, Payload& payload) {
    valid = from.valid ? 1 : 0;
    if (from.valid) from.payload.drive(payload);
  }
  template <class Valid, class Payload>
  static void sample(models::OutChannel& to, const Valid& valid, const Payload& payload) {
    to.valid = valid != 0;
    if (to.valid) to.payload.sample(payload);
  }

  const std::string name_;
  mutable Model model_;
};

template <class Model>
class Server final : public VerilatedPins<models::ServerPins, Model> {
 public:
  using VerilatedPins<models::ServerPins, Model>::VerilatedPins;
  void settle() override {
    Model& m = this->model_;
    this->drive(this->request, m.request_valid, m.request);
    m.response_ready = this->response.ready ? 1 : 0;
    this->settle_clock();
    this->request.ready = m.request_ready != 0;
    this->sample(this->response, m.response_valid, m.response);
  }
};

template <class Model>
class Partition final : public VerilatedPins<models::PartitionPins, Model> {
 public:
  using VerilatedPins<models::PartitionPins, Model>::VerilatedPins;
  void settle() override {
    Model& m = this->model_;
    this->drive(this->request, m.request_valid, m.request);
    this->drive(this->told, m.told_valid, m.told);
    m.ask_ready = this->ask.ready ? 1 : 0;
    m.answer_ready = this->answer.ready ? 1 : 0;
    this->settle_clock();
    this->request.ready = m.request_ready != 0;
    this->told.ready = m.told_ready != 0;
    this->sample(this->ask, m.ask_valid, m.ask);
    this->sample(this->answer, m.answer_valid, m.answer);
  }
};

}  // namespace detail

/// Makes `Model`s with the pins of a server or of a unit of a partition. `configure(Model&)` drives what is constant.
template <class Model, class Configure>
models::MakePins<models::ServerPins> server_pins(Configure configure) {
  return [configure](const std::string& name) { return std::make_unique<detail::Server<Model>>(name, configure); };
}
template <class Model, class Configure>
models::MakePins<models::PartitionPins> partition_pins(Configure configure) {
  return [configure](const std::string& name) { return std::make_unique<detail::Partition<Model>>(name, configure); };
}

}  // namespace syncline::rtl
