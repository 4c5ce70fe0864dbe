// Base64 (RFC 4648, with padding), strictly: the decoder accepts exactly what the encoder writes.
// OpenSSL's decoder takes stray padding, newlines and spare bits, so it is not used.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stator::base {

void AppendBase64(std::string_view bytes, std::string& out);
std::string EncodeBase64(std::string_view bytes);

// Nothing when `text` is not the encoding of some bytes.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace stator::base
