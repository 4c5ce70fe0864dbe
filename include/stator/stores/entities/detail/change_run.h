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
#include "stator/patterns/retry.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/options.h"
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
  using Answer = Result<Versioned<T>>;

  ChangeRun(const EntityCore& core, const EntityChange<T>& change, const ChangeOptions& options)
      : core_(&core), change_(&change), options_(options) {}

  // `initial` is what to start from where there is nothing; may be null.
  Answer Run(const EntityKey<T>& key, const T* initial) {
    if (!key.attributes()) {
      return std::unexpected(key.attributes().error());
    }
    const Item& item_key = *key.attributes();
    if (initial != nullptr) {
      const Result<Item> initial_key = EntityKey<T>::Of(*initial).attributes();
      if (!initial_key || *initial_key != item_key) {
        return Invalid("the initial value has another key");
      }
    }
    initial_ = initial;
    return patterns::ReadModifyWrite(
        options_.retry, core_->environment(),
        [&](const Error* overtaken) { return Read(item_key, overtaken); },
        [&](Round& round) { return Apply(round); }, [&](Round& round) { return Write(round); });
  }

 private:
  struct Round {
    std::optional<Versioned<T>> seen = std::nullopt;
    T next = {};
  };

  [[nodiscard]] Result<Round> Read(const Item& key, const Error* overtaken) const {
    Result<std::optional<EntityState>> state = ReadState(key, overtaken);
    if (!state) {
      return std::unexpected(std::move(state).error());
    }
    Result<Round> round(std::in_place);
    if (*state) {
      Versioned<T>& seen = round->seen.emplace();
      seen.state = **std::move(state);
      if (const Result<void> done = FieldsTo(seen.state.Fields(), seen.data); !done) {
        return std::unexpected(IsCorrupt(done.error()));
      }
    } else if (initial_ == nullptr) {
      return Fail(ErrorCode::kNotFound, "there is no such entity");
    }
    return round;
  }

  [[nodiscard]] Result<std::optional<EntityState>> ReadState(const Item& key,
                                                             const Error* overtaken) const {
    if (overtaken != nullptr) {
      // Most failures bring what was in their way.
      if (overtaken->code == ErrorCode::kNotFound || overtaken->code == ErrorCode::kExpired) {
        return std::nullopt;
      }
      if (const std::optional<EntityState>& current = FactsOf(*overtaken).current; current) {
        return current;
      }
      return core_->Read(key, true);
    }
    Result<std::optional<EntityState>> read = core_->Read(key, options_.consistent_read);
    if (read && !*read && !options_.consistent_read && initial_ == nullptr) {
      read = core_->Read(key, true);  // not found is a final answer
    }
    return read;
  }

  Result<std::optional<Versioned<T>>> Apply(Round& round) const {
    if (round.seen && core_->WasDone(round.seen->state, options_.idempotency)) {
      return std::move(round.seen);
    }
    round.next = round.seen ? round.seen->data : *initial_;
    const Result<Verdict> verdict = Change(round.next);
    if (!verdict) {
      EntityFacts facts{.cause = verdict.error()};
      if (round.seen) {
        facts.current = round.seen->state;
      }
      return std::unexpected(
          MakeError(ErrorCode::kRefused, verdict.error().message, std::move(facts)));
    }
    if (!round.seen) {
      if (*verdict == Verdict::kLeave) {
        return Fail(ErrorCode::kNotFound, "there is no such entity");
      }
      return std::nullopt;
    }
    if (*verdict == Verdict::kLeave || SameValue(round.next, round.seen->data)) {
      return std::move(round.seen);
    }
    return std::nullopt;
  }

  Answer Write(const Round& round) const {
    Result<Item> fields = ToFields(round.next);
    if (!fields) {
      return std::unexpected(std::move(fields).error());
    }
    return ToVersioned<T>(
        round.seen
            ? core_->WriteOnce(round.seen->state, *std::move(fields), {}, options_.idempotency)
            : core_->Insert(*std::move(fields), {.idempotency = options_.idempotency}));
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
  const T* initial_ = nullptr;
  ChangeOptions options_;
};

}  // namespace detail

}  // namespace stator::entities
