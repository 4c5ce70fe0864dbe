#include "server/local_names.h"

#include <algorithm>

#include "wire/http_message.h"

namespace stator::server {

std::string_view HostOf(std::string_view authority) {
  std::string_view host = authority;
  if (host.starts_with('[')) {
    return host.substr(0, host.find(']') + 1);  // Empty without an end.
  }
  host = host.substr(0, host.find(':'));
  if (host.ends_with('.')) {
    host.remove_suffix(1);
  }
  return host;
}

std::string_view HostOfOrigin(std::string_view origin) {
  constexpr std::string_view kSeparator = "://";
  const std::size_t at = origin.find(kSeparator);
  return at == std::string_view::npos ? "" : HostOf(origin.substr(at + kSeparator.size()));
}

bool IsLocalName(std::string_view host) {
  if (wire::EqualIgnoringCase(host, "localhost") || host == "[::1]") {
    return true;
  }
  // No name that anybody could register ends in digits, so digits and dots are an address.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos;
}

bool IsAllowedName(std::string_view host, const std::vector<std::string>& names) {
  return IsLocalName(host) || std::ranges::any_of(names, [&](const std::string& name) {
           return name == "*" || wire::LowerCase(name) == wire::LowerCase(host);
         });
}

}  // namespace stator::server
