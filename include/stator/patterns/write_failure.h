// Why a write of one item did not happen, in the terms in which a program answers for it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "stator/base/result.h"
#include "stator/patterns/versioning.h"

namespace stator::patterns {

enum class WriteFailureKind : std::uint8_t {
  kNotFound,       // there is no such item
  kExpired,        // there was one; it has expired and was not swept yet
  kAlreadyExists,  // an insert found an item; `current` is it
  kConflict,       // somebody else wrote in between; `current` is what they left
  kRefused,        // the change function said no, or the caller's own condition failed
  kInvalid,        // the request is wrong and will stay wrong
  kTooLarge,       // the item would be larger than DynamoDB allows
  kThrottled,      // too much at once, also after repeating
  kAmbiguous,      // the write may have happened, or not
  kUnavailable,    // the home of the data fails
};

struct WriteFailure {
  WriteFailureKind kind;
  Error error;
  std::optional<VersionedItem> current = std::nullopt;
  std::size_t bytes = 0;  // of the item, where that may be the reason and it was at hand
};

template <class T>
using WriteResult = std::expected<T, WriteFailure>;

// "NotFound", for logs and test output.
std::string_view NameOf(WriteFailureKind kind);

// What an HTTP handler answers: 404, 410, 409, 409, 422, 400, 413, 429, 503, 503.
int HttpStatus(WriteFailureKind kind);

// For an error without a story of its own.
WriteFailure MakeWriteFailure(Error error);

}  // namespace stator::patterns
