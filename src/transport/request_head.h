// The head of a request, as it is written on a connection.

#pragma once

#include <string>

#include "stator/base/result.h"
#include "transport/http.h"
#include "transport/route.h"

namespace stator::transport {

// Fails with kValidation when the request cannot be sent by anybody: a field that would be two, or one
// that says how long the body is or how it is coded.
Result<void> CheckRequest(const HttpRequest& request);

// Whether the request says how long its body is. Where bodies are not expected, an empty one is none.
bool HasBody(const HttpRequest& request);

// Up to the empty line, which is part of it. A "host" among the fields takes the place of the URL's.
// REQUIRES: CheckRequest(request) succeeds.
void AppendHead(const HttpRequest& request, const Route& route, std::string& out);

}  // namespace stator::transport
