#include "models/rtl/verilated_pins.h"

#include <cstring>

#include "base/error.h"

namespace syncline::rtl {
namespace {

std::uint64_t read(const void* at, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

/// Bytes that Verilator keeps a value of so many bits in.
unsigned bytes_of(unsigned bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

}  // namespace

std::vector<models::RtlSignal> signals_of(const std::string& module) {
  std::vector<models::RtlSignal> signals;
  const std::string below = module + '.';
  for (const auto& [name, scope] : *Verilated::scopeNameMap()) {
    if (std::string(name).compare(0, below.size(), below) != 0 || scope->varsp() == nullptr) continue;
    for (const auto& [variable, properties] : *scope->varsp()) {
      const int bits = properties.packed().elements();
      if (properties.udims() != 0 || bits > 64) continue;
      const auto width = static_cast<unsigned>(bits);
      const void* const at = properties.datap();
      signals.push_back({std::string(name).substr(below.size()) + '.' + variable, width,
                         [at, bytes = bytes_of(width)] { return read(at, bytes); }});
    }
  }
  return signals;
}

}  // namespace syncline::rtl

// An assertion that fails, or `$fatal`, ends the run as what is wrong with any other block does.
void vl_stop(const char* file, int line, const char* hierarchy) {
  throw syncline::base::ModelError(std::string(hierarchy) + " stops at " + file + ':' + std::to_string(line));
}
void vl_fatal(const char* file, int line, const char* hierarchy, const char* message) {
  throw syncline::base::ModelError(std::string(hierarchy) + ": " + message + " (" + file + ':' + std::to_string(line) +
                                   ')');
}
