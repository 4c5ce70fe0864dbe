// One Modify: read, change, write, and again.

#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/repo_error.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

using patterns::Verdict;

// What to do with an entity: changes it in place. Returns nothing, a Verdict, or Result<Verdict>.
template <Entity T>
class EntityChange {
 public:
  template <class Function>
    requires std::invocable<Function&, T&>
  // NOLINTNEXTLINE(google-explicit-constructor): lambdas are passed as they are.
  EntityChange(Function function)
      : function_([change = std::move(function)](T& entity) mutable -> Result<Verdict> {
          if constexpr (std::is_void_v<std::invoke_result_t<Function&, T&>>) {
            change(entity);
            return Verdict::kWrite;
          } else {
            return change(entity);
          }
        }) {}

  Result<Verdict> operator()(T& entity) const { return function_(entity); }

 private:
  std::function<Result<Verdict>(T&)> function_;
};

namespace detail {

template <Entity T>
inline constexpr EntityCodec kCodecOf = {
    .normalize = [](const Item& fields) -> Result<Item> {
      T value = {};
      const Result<void> read = FieldsTo(fields, value);
      return read ? ToItem(value) : std::unexpected(read.error());
    },
    .carry_unknown =
        [](const Item& from, Item& to) {
          mapping::StructCodec<T>::CarryUnknownInMap(from, to, kNamesNotCarried<T>);
        },
};

// Whether two values are stored as the same.
template <Entity T>
bool SameValue(const T& left, const T& right) {
  if constexpr (std::equality_comparable<T>) {
    return left == right;
  } else {
    const Result<Item> left_item = ToItem(left);
    const Result<Item> right_item = ToItem(right);
    return left_item && right_item && *left_item == *right_item;
  }
}

template <Entity T>
class ChangeRun {
 public:
  using Answer = RepoResult<Versioned<T>, T>;

  ChangeRun(const EntityCore& core, const EntityChange<T>& change, const ChangeOptions& options)
      : core_(&core), change_(&change), options_(options) {}

  // `initial` is what to start from where there is nothing; may be null.
  Answer Run(const EntityKey<T>& key, const T* initial) {
    if (!key.attributes()) {
      return Wrong(key.attributes().error().message);
    }
    const Item& item_key = *key.attributes();
    if (initial != nullptr) {
      const Result<Item> initial_key = EntityKey<T>::Of(*initial).attributes();
      if (!initial_key || *initial_key != item_key) {
        return Wrong("the initial value has another key");
      }
    }
    Outcome<std::optional<EntityState>> state = FirstRead(item_key, initial != nullptr);
    Duration waited = Duration::zero();
    for (int attempt = 1;; ++attempt) {
      if (!state) {
        return std::unexpected(ToError<T>(std::move(state).error()));
      }
      std::optional<Failure> failure;
      Answer answer = Attempt(*std::move(state), initial, failure);
      if (!failure || attempt >= options_.attempts) {
        return answer;
      }
      core_->Pause(attempt, options_, waited);
      state = Next(item_key, *std::move(failure));
    }
  }

 private:
  static Answer Wrong(std::string message) {
    return std::unexpected(RepoError<T>(InvalidRequest{std::move(message)}));
  }

  [[nodiscard]] Outcome<std::optional<EntityState>> FirstRead(const Item& key,
                                                              bool may_be_missing) const {
    Outcome<std::optional<EntityState>> read = core_->Read(key, options_.consistent_read);
    if (read && !*read && !options_.consistent_read && !may_be_missing) {
      read = core_->Read(key, true);  // not found is a final answer
    }
    return read;
  }

  // One round. `failure` is set when others interfered, and another round may help.
  Answer Attempt(std::optional<EntityState> state, const T* initial,
                 std::optional<Failure>& failure) const {
    if (!state && initial == nullptr) {
      return std::unexpected(RepoError<T>(NotFound{}));
    }
    std::optional<Versioned<T>> seen;
    if (state) {
      seen.emplace().state = *std::move(state);
      if (Result<void> done = FieldsTo(seen->state.Fields(), seen->data); !done) {
        return std::unexpected(IsCorrupt<T>(std::move(done).error()));
      }
    }
    T next = seen ? seen->data : *initial;
    const Result<Verdict> verdict = Change(next);
    if (!verdict) {
      return std::unexpected(
          RepoError<T>(Refused<T>{.message = verdict.error().message, .current = seen}));
    }
    if (*verdict == Verdict::kLeave && !seen) {
      return std::unexpected(RepoError<T>(NotFound{}));
    }
    if (seen && (*verdict == Verdict::kLeave || SameValue(next, seen->data))) {
      return *std::move(seen);
    }
    return Write(seen, next, failure);
  }

  Answer Write(const std::optional<Versioned<T>>& seen, const T& next,
               std::optional<Failure>& failure) const {
    Result<Item> fields = ToFields(next);
    if (!fields) {
      return Wrong(fields.error().message);
    }
    Outcome<EntityState> written = seen ? core_->WriteOnce(seen->state, *std::move(fields))
                                        : core_->Insert(*std::move(fields), {});
    if (!written) {
      const FailureKind kind = written.error().kind;
      if (kind == FailureKind::kConflict || kind == FailureKind::kAlreadyExists ||
          kind == FailureKind::kGone || (kind == FailureKind::kNotFound && seen)) {
        failure = written.error();
      }
    }
    return ToVersioned<T>(std::move(written));
  }

  // What the next round starts from.
  [[nodiscard]] Outcome<std::optional<EntityState>> Next(const Item& key, Failure failure) const {
    if (failure.kind == FailureKind::kNotFound || failure.kind == FailureKind::kGone) {
      return std::nullopt;
    }
    if (failure.current) {
      return std::move(failure.current);
    }
    return core_->Read(key, true);
  }

  Result<Verdict> Change(T& next) const {
    if (!core_->options().run_changes_twice) {
      return (*change_)(next);
    }
    T again = next;
    const Result<Verdict> verdict = (*change_)(next);
    const Result<Verdict> repeated = (*change_)(again);
    const bool same = verdict.has_value() == repeated.has_value() &&
                      (!verdict || *verdict == *repeated) && SameValue(next, again);
    if (!same) {
      return Invalid("the change function has different results for the same entity");
    }
    return verdict;
  }

  const EntityCore* core_;
  const EntityChange<T>* change_;
  ChangeOptions options_;
};

}  // namespace detail

}  // namespace stator::entities
