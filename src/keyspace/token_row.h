// Idempotency tokens as rows: until when a token is valid, and of which request it is. Stored as
// items; docs/format.md, "Tokens", names their attributes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::keyspace {

inline constexpr std::size_t kTokenDigestBytes = 32;

struct TokenRow {
  std::int64_t until = 0;  // epoch seconds
  std::string digest;      // of the request, kTokenDigestBytes
};

void AppendTokenRow(const TokenRow& row, std::string& bytes);
// A digest of another length is corruption.
Result<TokenRow> DecodeTokenRow(std::string_view bytes);

}  // namespace stator::keyspace
