// From the untyped part to values of T.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/mapping/mapping_error.h"
#include "stator/stores/entities/repo_error.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities::detail {

// The fields of an entity, with room for the key and the bookkeeping beside them.
template <Entity T>
Result<Item> ToFields(const T& entity) {
  return ToItem(entity, 8);
}

// And back. What stands beside them in the item is nothing that a value of T keeps.
template <Entity T>
Result<void> FieldsTo(const Item& fields, T& entity) {
  Result<void> read = FromItem(fields, entity);
  mapping::StructCodec<T>::ForgetUnknown(kReservedNames<T>, entity);
  return read;
}

template <Entity T>
RepoError<T> IsCorrupt(Error error) {
  const auto* detail = dynamic_cast<const MappingErrorDetail*>(error.detail.get());
  return Corrupt{.path = detail == nullptr ? "" : detail->path, .why = std::move(error.message)};
}

template <Entity T>
RepoResult<Versioned<T>, T> ToVersioned(EntityState&& state) {
  // Read in place: values may be large, and every answer passes here.
  RepoResult<Versioned<T>, T> read(std::in_place);
  read->state = std::move(state);
  if (Result<void> done = FieldsTo(read->state.Fields(), read->data); !done) {
    read = std::unexpected(IsCorrupt<T>(std::move(done).error()));
  }
  return read;
}

template <Entity T>
RepoError<T> ToError(Failure failure) {
  std::optional<Versioned<T>> current;
  if (failure.current) {
    if (RepoResult<Versioned<T>, T> read = ToVersioned<T>(*std::move(failure.current))) {
      current = *std::move(read);
    }
  }
  switch (failure.kind) {
    case FailureKind::kNotFound:
      return NotFound{};
    case FailureKind::kAlreadyExists:
      return AlreadyExists<T>{std::move(current)};
    case FailureKind::kConflict:
      return Conflict<T>{failure.seen_rev, std::move(current), std::move(failure.fields)};
    case FailureKind::kGone:
      return Gone{};
    case FailureKind::kFutureVersion:
      return FutureVersion{failure.version, failure.supported};
    case FailureKind::kMissingMigration:
      return MissingMigration{failure.version};
    case FailureKind::kCorrupt:
      return Corrupt{std::move(failure.path), std::move(failure.error.message)};
    case FailureKind::kTooLarge:
      return TooLarge{failure.bytes};
    case FailureKind::kThrottled:
      return Throttled{std::move(failure.error.message), failure.retry_after};
    case FailureKind::kInvalidRequest:
      return InvalidRequest{std::move(failure.error.message)};
    case FailureKind::kRefused:
      return Refused<T>{std::move(failure.error.message), std::move(current)};
    case FailureKind::kNotUnique:
      return NotUnique{failure.fields.empty() ? "" : std::move(failure.fields.front())};
    case FailureKind::kTransport:
      break;
  }
  return Transport{std::move(failure.error), failure.ambiguous};
}

template <Entity T>
RepoResult<Versioned<T>, T> ToVersioned(Outcome<EntityState>&& outcome) {
  if (!outcome) {
    return std::unexpected(ToError<T>(std::move(outcome).error()));
  }
  return ToVersioned<T>(*std::move(outcome));
}

template <Entity T>
RepoResult<std::vector<std::optional<Versioned<T>>>, T> ToAll(
    Outcome<std::vector<std::optional<EntityState>>> outcome) {
  if (!outcome) {
    return std::unexpected(ToError<T>(std::move(outcome).error()));
  }
  std::vector<std::optional<Versioned<T>>> all;
  all.reserve(outcome->size());
  for (std::optional<EntityState>& state : *outcome) {
    all.emplace_back();
    if (state) {
      Versioned<T>& entity = all.back().emplace();
      entity.state = *std::move(state);
      if (Result<void> done = FieldsTo(entity.state.Fields(), entity.data); !done) {
        return std::unexpected(IsCorrupt<T>(std::move(done).error()));
      }
    }
  }
  return all;
}

template <Entity T, class V>
RepoResult<V, T> ToResult(Outcome<V> outcome) {
  if (!outcome) {
    return std::unexpected(ToError<T>(std::move(outcome).error()));
  }
  if constexpr (std::is_void_v<V>) {
    return {};
  } else {
    return *std::move(outcome);
  }
}

}  // namespace stator::entities::detail
