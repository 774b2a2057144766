// The family of transactions' messages: logs, validation and commit, under one traffic name.
#pragma once

#include "models/transport/message_family.h"

namespace syncline::models {

/// Networks have counted it since before there was a transaction policy, whose kinds will stand here.
inline const MessageFamily transaction_family{
    "transaction", "logs, validation and commit of transactions", {}, {{"transaction", ""}}, {}};

}  // namespace syncline::models
