// Calls of the client with nothing behind it: from its input to the bytes that would be sent, and from
// the bytes of an answer to its output, without sockets.

#pragma once

#include <memory>
#include <string>

#include "stator/api/database.h"

namespace stator::bench {

// A client whose every request is answered with `json`. It has no clock and no chance.
std::unique_ptr<Database> MakeAnsweredClient(const std::string& json);

}  // namespace stator::bench
