// The console's answers with their guards: what a browser may do with them.

#pragma once

#include <string>
#include <string_view>

#include "server/pages.h"

namespace stator::console {

// The header lines of every answer below /_stator.
std::string Fields(std::string_view cache_control);

server::Page Json(std::string body, int status = 200, std::string_view outcome = "ok");

// `code` must outlive the process.
server::Page Failure(int status, std::string_view code, std::string_view message);

}  // namespace stator::console
