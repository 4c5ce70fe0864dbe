// Percent-encoding as AWS's signatures want it, which is stricter than what browsers do: everything
// but letters, digits and "-._~" is encoded, hexadecimal digits are upper case.

#pragma once

#include <string>
#include <string_view>

namespace stator::wire {

// `kept` are further characters that stay as they are.
void AppendPercentEncoded(std::string_view text, std::string_view kept, std::string& out);

// The reverse. A percent sign without two hexadecimal digits stands for itself.
std::string PercentDecoded(std::string_view text);

// The path without "." and ".." segments and empty ones; a slash at the end stays.
std::string NormalizedPath(std::string_view path);

}  // namespace stator::wire
