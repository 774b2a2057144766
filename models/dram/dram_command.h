// What a channel says to its DRAM chips, for whoever watches.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace syncline::models {

enum class DramCommandKind : std::uint8_t {
  activate,
  precharge,       ///< one bank
  auto_precharge,  ///< a bank closes itself after a column command; takes no slot on the command bus
  precharge_all,
  read,
  write,
  refresh  ///< all banks
};

struct DramCommand {
  base::Cycle cycle = 0;
  DramCommandKind kind = DramCommandKind::activate;
  std::uint32_t bank = 0;    ///< not for precharge_all and refresh
  std::uint32_t row = 0;     ///< activate, read, write
  std::uint32_t column = 0;  ///< read, write
};

/// Hears each command; in the order of cycles except that automatic precharges are told with their column command.
class DramCommandListener {
 public:
  virtual ~DramCommandListener() = default;
  virtual void on_command(const DramCommand& command) = 0;
};

}  // namespace syncline::models
