#include "console/json_page.h"

#include <utility>

#include "console/answers.h"

namespace stator::console {
namespace {

// Scripts and styles come from the files alone, and what is in a table can become neither.
constexpr std::string_view kGuards =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n";

}  // namespace

std::string Fields(std::string_view cache_control) {
  return std::string(kGuards).append("Cache-Control: ").append(cache_control).append("\r\n");
}

server::Page Json(std::string body, int status, std::string_view outcome) {
  return {.status = status,
          .body = std::move(body),
          .content_type = "application/json",
          .fields = Fields("no-store"),
          .outcome = outcome};
}

server::Page Failure(int status, std::string_view code, std::string_view message) {
  return Json(ErrorText(code, message), status, code);
}

}  // namespace stator::console
