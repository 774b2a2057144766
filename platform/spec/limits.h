// What a platform's specification means for the host API.
#pragma once

#include "platform/host/device_base.h"
#include "platform/host/launch_check.h"
#include "platform/host/page_room.h"
#include "platform/packages/composition.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// Limits of one CTA. CUDA's limit of 1024 threads holds where the SM has room for more.
inline DeviceLimits limits_of(const PlatformSpec& spec) {
  DeviceLimits limits;
  limits.max_threads_per_cta = std::min<std::uint32_t>(1024, spec.sm.max_threads);
  limits.shared_bytes_per_cta = spec.sm.shared.bytes;
  const Conduct conduct = conduct_of(spec);
  limits.transactions = conduct.transactions;
  limits.transactions_in_shared_memory = conduct.transactions_in_shared_memory;
  return limits;
}

/// Pages of the modules, without who has them.
inline ModuleRoom room_of(const PlatformSpec& spec) {
  const models::ModulesSpec& modules = spec.modules;
  ModuleRoom room;
  room.gpus = modules.gpus;
  room.gpms = modules.gpms;
  room.pages = modules.memory / modules.pages.bytes;
  room.page_bytes = modules.pages.bytes;
  if (modules.pages.placement == models::PagePlacement::fixed) room.fixed = modules.pages.module;
  return room;
}

/// What a device of the platform has to know of it, with time and without.
inline DeviceConfig device_config(const PlatformSpec& spec) {
  DeviceConfig config;
  config.limits = limits_of(spec);
  config.memory_bytes = spec.host.memory;
  config.heap_bytes = spec.host.heap;
  config.warp_sz = spec.sm.ptx_warp_size;
  config.gpus = spec.modules.gpus;
  config.linked = spec.modules.linked();
  config.page_bytes = spec.modules.pages.bytes;
  config.modules = room_of(spec);
  return config;
}

}  // namespace syncline::platform
