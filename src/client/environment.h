// The environment as the client sees it; tests bring their own.

#pragma once

#include <functional>
#include <optional>
#include <string>

namespace stator::client {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Variables of the process. An empty variable counts as absent, as in the AWS SDKs.
std::optional<std::string> ProcessEnvironment(const std::string& name);

}  // namespace stator::client
