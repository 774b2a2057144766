// The registry of message families: every family of the library, a line each.
#pragma once

#include <vector>

#include "models/transport/message_family.h"

namespace syncline::models {

const std::vector<const MessageFamily*>& message_families();

}  // namespace syncline::models
