// By which names a server that asks nobody for credentials may be called, and from which pages.
//
// Any web site can make a browser on this machine send requests to this machine: by calling it
// outright, which the Origin of the request tells, or by making a name of its own resolve to
// 127.0.0.1 (DNS rebinding), which its Host tells. Both are refused unless the name is this
// machine's or was given to the server.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::server {

// The host of "host", "host:8000", "[::1]:8000": without its port and a final dot.
std::string_view HostOf(std::string_view authority);

// The host of "http://host:8000"; empty for "null" and what is no origin.
std::string_view HostOfOrigin(std::string_view origin);

// localhost, an address of 127.0.0.0/8, [::1]; in any letter case.
bool IsLocalName(std::string_view host);

// Whether the host is local or one of `names`, of which "*" is any.
bool IsAllowedName(std::string_view host, const std::vector<std::string>& names);

}  // namespace stator::server
