// Base64 (RFC 4648, with padding), strictly: the decoder accepts exactly what the encoder writes.
// OpenSSL's decoder takes stray padding, newlines and spare bits, so it is not used.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stator::base {

// How long the encoding of so many bytes is.
constexpr std::size_t Base64Bytes(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

// Writes the encoding to `to` and returns its end. REQUIRES: room for Base64Bytes.
char* WriteBase64(std::string_view bytes, char* to);

void AppendBase64(std::string_view bytes, std::string& out);
std::string EncodeBase64(std::string_view bytes);

// Nothing when `text` is not the encoding of some bytes.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace stator::base
