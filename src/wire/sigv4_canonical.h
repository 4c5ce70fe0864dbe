// The text of a request that an AWS signature is computed over: the canonical request of Signature
// Version 4. Both ends must produce the same bytes from what travels between them.
//
// FORMAT, each part on a line of its own:
//
//   method
//   path, normalised and percent-encoded (once more: an encoded path is encoded again)
//   query, each name and value encoded anew, sorted by name and value, joined by '&'
//   each signed header as name:value, in the order of the signed headers; several values of one
//     name joined by commas; runs of spaces inside a value are one space
//   (an empty line)
//   names of the signed headers, sorted, joined by ';'
//   SHA-256 of the body in hexadecimal, or a literal like UNSIGNED-PAYLOAD

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/http_message.h"

namespace stator::wire {

// Amazon S3 signs paths as they are; every other service normalises and encodes them.
enum class PathRule : std::uint8_t { kNormalized, kVerbatim };

inline constexpr std::string_view kSignatureParameter = "X-Amz-Signature";

// `signed_headers` is in its final form: lower case, sorted, joined by ';'. A header that is named
// there but missing from the message counts as empty. The query parameter X-Amz-Signature is left
// out, being the result.
std::string CanonicalRequest(const HttpMessage& message, std::string_view signed_headers,
                             std::string_view payload_hash, PathRule rule = PathRule::kNormalized);

}  // namespace stator::wire
