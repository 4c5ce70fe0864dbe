// From the untyped part to values of T.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

namespace detail {

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

// Of an item that cannot be read as a T, for what the mapping said.
Error IsCorrupt(const Error& error);

template <Entity T>
Result<Versioned<T>> ToVersioned(EntityState&& state) {
  // Read in place: values may be large, and every answer passes here.
  Result<Versioned<T>> read(std::in_place);
  read->state = std::move(state);
  if (const Result<void> done = FieldsTo(read->state.Fields(), read->data); !done) {
    read = std::unexpected(IsCorrupt(done.error()));
  }
  return read;
}

template <Entity T>
Result<Versioned<T>> ToVersioned(Result<EntityState>&& state) {
  if (!state) {
    return std::unexpected(std::move(state).error());
  }
  return ToVersioned<T>(*std::move(state));
}

template <Entity T>
Result<std::vector<std::optional<Versioned<T>>>> ToAll(
    Result<std::vector<std::optional<EntityState>>> states) {
  if (!states) {
    return std::unexpected(std::move(states).error());
  }
  std::vector<std::optional<Versioned<T>>> all;
  all.reserve(states->size());
  for (std::optional<EntityState>& state : *states) {
    all.emplace_back();
    if (state) {
      Versioned<T>& entity = all.back().emplace();
      entity.state = *std::move(state);
      if (const Result<void> done = FieldsTo(entity.state.Fields(), entity.data); !done) {
        return std::unexpected(IsCorrupt(done.error()));
      }
    }
  }
  return all;
}

}  // namespace detail

// Of an error of a repository of T: the entity that was in the way. Nothing when none was, or when
// this program cannot read it.
template <Entity T>
std::optional<Versioned<T>> FindCurrent(const Error& error) {
  std::optional<EntityState> state = FactsOf(error).current;
  if (!state) {
    return std::nullopt;
  }
  Result<Versioned<T>> current = detail::ToVersioned<T>(*std::move(state));
  return current ? std::optional(*std::move(current)) : std::nullopt;
}

template <Entity T>
struct Conflict {
  std::uint64_t seen_rev = 0;
  std::optional<Versioned<T>> current = std::nullopt;
  std::vector<std::string> fields = {};
};

// What somebody else did in between; nothing when that is not what happened.
template <Entity T>
std::optional<Conflict<T>> FindConflict(const Error& error) {
  if (error.code != ErrorCode::kConflict) {
    return std::nullopt;
  }
  const EntityFacts& facts = FactsOf(error);
  return Conflict<T>{
      .seen_rev = facts.seen_rev, .current = FindCurrent<T>(error), .fields = facts.fields};
}

}  // namespace stator::entities
