// Hosts for which no proxy is asked, as curl reads them.

#pragma once

#include <string_view>

namespace stator::transport {

// Whether `host` is this machine. Hosts are as a URL has them: an address of IPv6 in brackets.
bool IsLoopback(std::string_view host);

// Whether `list`, the value of no_proxy, names the host. Its words stand between commas and spaces; each
// is a domain, which means its hosts too, an address, or a network such as 10.0.0.0/8. "*" alone is
// every host.
bool NamesHost(std::string_view list, std::string_view host);

}  // namespace stator::transport
