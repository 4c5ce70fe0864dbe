// Why a repository did not do what it was asked for, in the terms in which a program answers for
// it. Those that lost to somebody else bring what they lost to.
//
//   const auto changed = accounts.Update(account);
//   if (!changed) {
//     if (const auto* conflict = std::get_if<Conflict<Account>>(&changed.error())) {
//       Show(conflict->current);
//     }
//     return HttpStatus(changed.error());
//   }

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

struct NotFound {};

// `current` is absent when it cannot be read by this program.
template <Entity T>
struct AlreadyExists {
  std::optional<Versioned<T>> current;
};

// Somebody else wrote in between.
template <Entity T>
struct Conflict {
  std::uint64_t seen_rev = 0;
  std::optional<Versioned<T>> current = std::nullopt;
  // With MergePolicy::kDisjointFields: the fields that both sides changed.
  std::vector<std::string> fields = {};
};

// It has expired.
struct Gone {};

// Written by a newer program than this one can read, or may overwrite.
struct FutureVersion {
  std::uint16_t stored = 0;
  std::uint16_t supported = 0;
};

// Older than anything that this program can read.
struct MissingMigration {
  std::uint16_t from = 0;
};

// A stored item that is not what the entity says. `path` in stored names.
struct Corrupt {
  std::string path;
  std::string why;
};

struct TooLarge {
  std::size_t bytes = 0;
};

// After all attempts.
struct Throttled {
  std::string reason;
  Duration retry_after = Duration::zero();
};

// The request is wrong and will stay wrong.
struct InvalidRequest {
  std::string message;
};

// The caller's own condition failed, or its change function said no.
template <Entity T>
struct Refused {
  std::string message;
  std::optional<Versioned<T>> current = std::nullopt;
};

// Another entity has the value.
struct NotUnique {
  std::string field;
};

// The home of the data fails, or its answer got lost. `ambiguous`: the write may have been done.
struct Transport {
  Error error;
  bool ambiguous = false;
};

template <Entity T>
using RepoError =
    std::variant<NotFound, AlreadyExists<T>, Conflict<T>, Gone, FutureVersion, MissingMigration,
                 Corrupt, TooLarge, Throttled, InvalidRequest, Refused<T>, NotUnique, Transport>;

template <class V, Entity T>
using RepoResult = std::expected<V, RepoError<T>>;

namespace detail {

// The same before it is known what T is.
enum class FailureKind : std::uint8_t {
  kNotFound,
  kAlreadyExists,
  kConflict,
  kGone,
  kFutureVersion,
  kMissingMigration,
  kCorrupt,
  kTooLarge,
  kThrottled,
  kInvalidRequest,
  kRefused,
  kNotUnique,
  kTransport,
};

struct Failure {
  FailureKind kind;
  Error error = {ErrorCode::kInternal, ""};
  std::optional<EntityState> current = std::nullopt;
  std::uint64_t seen_rev = 0;
  std::vector<std::string> fields = {};  // in conflict, or the one that is not unique
  std::uint16_t version = 0;
  std::uint16_t supported = 0;
  std::string path = {};
  std::size_t bytes = 0;
  Duration retry_after = Duration::zero();
  bool ambiguous = false;
};

template <class V>
using Outcome = std::expected<V, Failure>;

// 404, 409, 409, 410, 500, 500, 500, 413, 429, 400, 422, 409, 503.
int HttpStatus(FailureKind kind);
std::string Describe(FailureKind kind, const std::string& more);

template <Entity T>
FailureKind KindOf(const RepoError<T>& error) {
  static constexpr FailureKind kKinds[] = {
      FailureKind::kNotFound,       FailureKind::kAlreadyExists, FailureKind::kConflict,
      FailureKind::kGone,           FailureKind::kFutureVersion, FailureKind::kMissingMigration,
      FailureKind::kCorrupt,        FailureKind::kTooLarge,      FailureKind::kThrottled,
      FailureKind::kInvalidRequest, FailureKind::kRefused,       FailureKind::kNotUnique,
      FailureKind::kTransport,
  };
  static_assert(std::size(kKinds) == std::variant_size_v<RepoError<T>>);
  return kKinds[error.index()];
}

// What the alternatives say beside their name.
struct MoreAbout {
  template <Entity T>
  std::string operator()(const Conflict<T>& conflict) const {
    std::string text = "seen revision " + std::to_string(conflict.seen_rev);
    for (const std::string& field : conflict.fields) {
      text += ", " + field;
    }
    return text;
  }
  template <Entity T>
  std::string operator()(const Refused<T>& refused) const {
    return refused.message;
  }
  std::string operator()(const FutureVersion& future) const {
    return "stored as " + std::to_string(future.stored) + ", known up to " +
           std::to_string(future.supported);
  }
  std::string operator()(const MissingMigration& missing) const {
    return "from version " + std::to_string(missing.from);
  }
  std::string operator()(const Corrupt& corrupt) const { return corrupt.why; }
  std::string operator()(const TooLarge& large) const { return std::to_string(large.bytes); }
  std::string operator()(const Throttled& throttled) const { return throttled.reason; }
  std::string operator()(const InvalidRequest& invalid) const { return invalid.message; }
  std::string operator()(const NotUnique& taken) const { return taken.field; }
  std::string operator()(const Transport& transport) const { return transport.error.message; }
  template <class Other>
  std::string operator()(const Other& /*nothing*/) const {
    return "";
  }
};

}  // namespace detail

// What an HTTP handler answers.
template <Entity T>
int HttpStatus(const RepoError<T>& error) {
  return detail::HttpStatus(detail::KindOf<T>(error));
}

// "Conflict: seen revision 7", for logs.
template <Entity T>
std::string Describe(const RepoError<T>& error) {
  return detail::Describe(detail::KindOf<T>(error), std::visit(detail::MoreAbout(), error));
}

}  // namespace stator::entities
