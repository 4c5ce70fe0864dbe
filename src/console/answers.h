// The console's answers as JSON text. docs/console.md describes them.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "console/console.h"
#include "server/request_inspector.h"
#include "wire/exchange.h"

namespace stator::console {

// {"error": {"code": ..., "message": ...}}
std::string ErrorText(std::string_view code, std::string_view message);

// `tells_versions`: of items.
std::string HomeText(const Home& home, bool tells_versions, const wire::Caller& caller);

std::string RequestsText(std::span<const server::SeenRequest> requests);

std::string BodiesText(const server::SeenBodies& bodies);

}  // namespace stator::console
