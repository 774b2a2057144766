// The hierarchy of scopes in a file of waves, from the names of its signals.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/block/traced_signal.h"

namespace syncline::platform {

/// A scope with its signals, in their order, and the scopes in it, by name.
class WaveScopes {
 public:
  explicit WaveScopes(const std::vector<const models::TracedSignal*>& signals) {
    for (std::uint32_t i = 0; i < signals.size(); ++i) add(signals[i]->full_name(), i);
  }

  /// `enter(name)` and `leave()` for every scope, `variable(name, signal)` for every signal, as a file has them.
  template <class Enter, class Variable, class Leave>
  void walk(const Enter& enter, const Variable& variable, const Leave& leave) const {
    walk(root_, enter, variable, leave);
  }

 private:
  struct Scope {
    std::vector<std::pair<std::string, std::uint32_t>> signals;
    std::map<std::string, Scope> scopes;
  };

  void add(const std::string& name, std::uint32_t signal) {
    Scope* scope = &root_;
    std::size_t from = 0;
    for (std::size_t dot; (dot = name.find('.', from)) != std::string::npos; from = dot + 1)
      scope = &scope->scopes[name.substr(from, dot - from)];
    scope->signals.emplace_back(name.substr(from), signal);
  }
  template <class Enter, class Variable, class Leave>
  static void walk(const Scope& scope, const Enter& enter, const Variable& variable, const Leave& leave) {
    for (const auto& [name, signal] : scope.signals) variable(name, signal);
    for (const auto& [name, inner] : scope.scopes) {
      enter(name);
      walk(inner, enter, variable, leave);
      leave();
    }
  }

  Scope root_;
};

/// The scope around all others: that of SystemC's own files of waves.
inline constexpr const char* wave_root_scope = "SystemC";

}  // namespace syncline::platform
