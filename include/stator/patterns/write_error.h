// What the errors of writes of one item carry beside their code.
//
//   kNotFound       there is no such item
//   kExpired        there was one; it has expired and was not swept yet
//   kAlreadyExists  an insert found an item; `current` is it
//   kConflict       somebody else wrote in between; `current` is what they left
//   kRefused        the caller's own condition failed, or its change function said no: `cause`
//   kValidation     the request is wrong and will stay wrong
//   kTooLarge       the item would be larger than DynamoDB allows; `bytes`, where it was at hand
//   kAmbiguous      the write may have happened, or not
//
// and what the database said where that needs no other words: too much at once, also after
// repeating (IsThrottled), not set up (IsConfiguration), away.

#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "stator/base/result.h"
#include "stator/patterns/versioning.h"

namespace stator::patterns {

struct WriteFacts {
  std::optional<VersionedItem> current = std::nullopt;
  std::size_t bytes = 0;
  std::optional<Error> cause = std::nullopt;
};

struct WriteDetail final : ErrorDetail, WriteFacts {
  explicit WriteDetail(WriteFacts facts) : WriteFacts(std::move(facts)) {}
};

// Of any error; without a WriteDetail they are empty.
const WriteFacts& FactsOf(const Error& error);

// From what the database said about a write that was not sent again: a write without an answer is
// kAmbiguous, one that met another kConflict.
Error ToWriteError(Error error);

// From what it said about a read, which has done nothing even if it got no answer.
Error ToReadError(Error error);

}  // namespace stator::patterns
