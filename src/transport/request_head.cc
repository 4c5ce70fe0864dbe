#include "transport/request_head.h"

#include <algorithm>
#include <string_view>

#include "base/lower_case.h"
#include "transport/line_breaks.h"

namespace stator::transport {
namespace {

bool IsNamed(const HeaderFields::value_type& field, std::string_view lower_case_name) {
  return field.first.size() == lower_case_name.size() &&
         std::ranges::equal(field.first, lower_case_name, {}, base::LowerCaseOf);
}

bool Has(const HttpRequest& request, std::string_view lower_case_name) {
  return std::ranges::any_of(request.fields,
                             [&](const auto& field) { return IsNamed(field, lower_case_name); });
}

void AppendField(std::string_view name, std::string_view value, std::string& out) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

Result<void> CheckRequest(const HttpRequest& request) {
  for (const auto& field : request.fields) {
    // It would be two, the second made by whoever chose the value.
    if (BreaksLine(field.first) || BreaksLine(field.second)) {
      return Invalid("HTTP request failed: a header field contains a line break");
    }
    // The other end would look for the next request at another place.
    if (IsNamed(field, "content-length") || IsNamed(field, "transfer-encoding")) {
      return Invalid("HTTP request failed: " + field.first + " follows from the body");
    }
  }
  return {};
}

bool HasBody(const HttpRequest& request) {
  return request.method == "POST" || request.method == "PUT" || !request.body.empty();
}

void AppendHead(const HttpRequest& request, const Route& route, std::string& out) {
  out.append(request.method).append(" ").append(route.target).append(" HTTP/1.1\r\n");
  if (!Has(request, "host")) {
    AppendField("host", route.host, out);
  }
  if (!route.authorization.empty() && !Has(request, "authorization")) {
    AppendField("authorization", route.authorization, out);
  }
  if (!route.proxy_authorization.empty()) {
    AppendField("proxy-authorization", route.proxy_authorization, out);
  }
  for (const auto& [name, value] : request.fields) {
    AppendField(name, value, out);
  }
  if (HasBody(request)) {
    AppendField("content-length", std::to_string(request.body.size()), out);
  }
  out.append("\r\n");
}

}  // namespace stator::transport
