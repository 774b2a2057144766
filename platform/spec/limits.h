// What a platform's specification means for the host API.
#pragma once

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
  limits.transactions = conduct_of(spec).transactions;
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

}  // namespace syncline::platform
