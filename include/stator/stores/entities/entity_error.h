// Why a repository did not do what it was asked for: what its errors carry beside their code. Those
// that lost to somebody else bring what they lost to.
//
//   kNotFound          there is none
//   kAlreadyExists     an insert found one; current
//   kConflict          somebody else wrote in between; seen_rev, current, fields
//   kExpired           there was one
//   kRefused           the caller's own condition failed, or its change function said no; current
//   kNotUnique         another entity has the value; fields: of which field
//   kValidation        the request is wrong and will stay wrong
//   kTooLarge          bytes
//   kFutureVersion     written by a newer program than this one can read, or may overwrite;
//                      version, supported
//   kMissingMigration  older than anything that this program can read; version
//   kCorruption        a stored item that is not what the entity says; path, in stored names
//   kAmbiguous         the write may have been done, or not
//
// and those of the home of the data: too much at once after all attempts (IsThrottled;
// retry_after), not set up (IsConfiguration), away.
//
//   const Result<Versioned<Account>> changed = accounts.Update(account);
//   if (!changed) {
//     if (const auto conflict = FindConflict<Account>(changed.error())) {
//       Show(conflict->current);
//     }
//     return HttpStatus(changed.error().code);
//   }

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

struct EntityFacts {
  // Absent when it cannot be read by this program. FindCurrent has it as a value of T.
  std::optional<EntityState> current = std::nullopt;
  std::uint64_t seen_rev = 0;
  // With MergePolicy::kDisjointFields those that both sides changed; the one that is not unique.
  std::vector<std::string> fields = {};
  std::uint16_t version = 0;
  std::uint16_t supported = 0;
  std::string path = {};
  std::size_t bytes = 0;
  Duration retry_after = Duration::zero();
  std::optional<Error> cause = std::nullopt;  // what the change function said
};

struct EntityDetail final : ErrorDetail, EntityFacts {
  explicit EntityDetail(EntityFacts facts) : EntityFacts(std::move(facts)) {}
};

// Of any error; without an EntityDetail they are empty.
const EntityFacts& FactsOf(const Error& error);

namespace detail {

Error MakeError(ErrorCode code, std::string message, EntityFacts facts);

}  // namespace detail

}  // namespace stator::entities
