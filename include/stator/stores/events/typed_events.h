// Events as C++ structs, decisions as functions of what they add up to.
//
//   struct CourseDefined {
//     std::string course;
//     int capacity = 0;
//     std::vector<std::string> Tags() const { return {"course:" + course}; }
//   };
//   BOOST_DESCRIBE_STRUCT(CourseDefined, (), (course, capacity))
//
//   struct Course {                       // a model: what a decision is about
//     int capacity = 0;
//     int taken = 0;
//     void Apply(const CourseDefined& fact) { capacity = fact.capacity; }
//     void Apply(const Subscribed&) { ++taken; }
//   };
//
//   using Types = EventTypes<CourseDefined, Subscribed>;
//   const Types types;
//   const auto done = Decide(store, types, std::tuple(Ask<Course>("course:c1")),
//                            [](const Course& course) -> Types::Decision {
//     if (course.taken >= course.capacity) { return Fail(ErrorCode::kRefused, "full"); }
//     return std::vector<Types::Fact>{Subscribed{.course = "c1", .student = "s7"}};
//   });
//
// The type of an event is what the struct is called (kName of Mapping<T>), its payload the struct
// as JSON. What a model does not Apply it does not ask for, and so it is not disturbed by it.
//
// VERSIONS: kDataVersion of Mapping<T>, 1 if it is not said, is in the payload ("_version", from 2 on).
// What was written at an earlier one is brought to the present one by steps, one version at a time,
// when it is read; events never change. What a newer program wrote is an error, kFutureVersion, and
// a step that is missing is kMissingMigration.
//
// PERSONAL DATA: a struct with a method Subject, which returns text, is sealed for it (erasure.h). A
// model that applies it says what is left of it when the subject was erased, because such an event may
// count all the same: void Apply(const Erased<Subscribed>&).
//
// Payloads are plain JSON, which has neither sets nor bytes: vectors and text do instead.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/stores/events/decide.h"
#include "stator/stores/events/detail/event_shapes.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

// What an event struct is about; an empty list for nothing. Having to say it is on purpose: an event
// whose tags were forgotten is found by nobody.
template <class T>
concept Tagged = requires(const T& fact) {
  { fact.Tags() } -> std::convertible_to<std::vector<std::string>>;
};

// Whose an event struct is; see PERSONAL DATA.
template <class T>
concept OfSubject = requires(const T& fact) {
  { fact.Subject() } -> std::convertible_to<std::string>;
};

// An event of type T whose payload was erased.
template <class T>
struct Erased {
  const Event& event;
};

template <class Model, class T>
concept AppliesFact = requires(Model& model, const T& fact) { model.Apply(fact); };

// What a model is about: the events that have all of these tags, of the types that it applies.
template <class Model>
struct Ask {
  template <std::convertible_to<std::string>... Texts>
  explicit Ask(Texts&&... texts) : tags{std::string(std::forward<Texts>(texts))...} {}

  std::vector<std::string> tags;
  Model initial = {};
};

// The types that a program knows. THREADS: as a const object, many.
template <class... Facts>
class EventTypes {
  static_assert(sizeof...(Facts) > 0, "stator: which types of events?");
  static_assert((mapping::Described<Facts> && ...),
                "stator: an event is a described struct (BOOST_DESCRIBE_STRUCT)");
  static_assert((Tagged<Facts> && ...),
                "stator: an event says what it is about: std::vector<std::string> Tags() const");

 public:
  using Fact = std::variant<Facts...>;
  using Decision = Result<std::vector<Fact>>;

  EventTypes() { (AddShape<Facts>(), ...); }

  // How the payload of a T of version `from` becomes one of the next; the step takes Item& and
  // returns nothing or Result<void>.
  template <class T, class Step>
  EventTypes& Upcast(std::uint16_t from, Step step) {
    shapes_.AddStep(mapping::TypeNameOf<T>(), from,
                    [step = std::move(step)](Item& payload) -> Result<void> {
                      if constexpr (std::is_void_v<std::invoke_result_t<const Step&, Item&>>) {
                        step(payload);
                        return {};
                      } else {
                        return step(payload);
                      }
                    });
    return *this;
  }

  // T's events were of this type before. They are found and read as T.
  template <class T>
  EventTypes& Formerly(std::string type) {
    shapes_.AddFormer(mapping::TypeNameOf<T>(), std::move(type));
    return *this;
  }

  // Fails with kValidation for what JSON cannot hold.
  [[nodiscard]] Result<NewEvent> Make(const Fact& fact, EventMetadata metadata = {}) const {
    return std::visit(
        [&]<class T>(const T& value) -> Result<NewEvent> {
          Result<Item> item = ToItem(value);
          if (!item) {
            return std::unexpected(std::move(item).error());
          }
          Result<std::string> payload = shapes_.Write(mapping::TypeNameOf<T>(), *std::move(item));
          if (!payload) {
            return std::unexpected(std::move(payload).error());
          }
          NewEvent event{.type = std::string(mapping::TypeNameOf<T>()),
                         .payload = *std::move(payload),
                         .tags = value.Tags(),
                         .metadata = std::move(metadata)};
          if constexpr (OfSubject<T>) {
            event.subject = value.Subject();
          }
          return event;
        },
        fact);
  }

  // Nothing for an event of a type that is not one of these. Fails with kExpired for one that was
  // erased.
  [[nodiscard]] Result<std::optional<Fact>> Read(const Event& event) const {
    Result<std::optional<detail::ShapedPayload>> shaped = shapes_.Read(event);
    if (!shaped) {
      return std::unexpected(std::move(shaped).error());
    }
    Result<std::optional<Fact>> fact = std::optional<Fact>();
    if (*shaped) {
      static_cast<void>(((mapping::TypeNameOf<Facts>() == (*shaped)->type &&
                          Decode<Facts>(event, std::move((*shaped)->payload), fact)) ||
                         ...));
    }
    return fact;
  }

  // What `ask` is about.
  template <class Model>
  [[nodiscard]] EventQuery QueryOf(const Ask<Model>& ask) const {
    static_assert((AppliesFact<Model, Facts> || ...),
                  "stator: the model has no Apply for any of these events");
    QueryItem item{.types = {}, .tags = ask.tags};
    static_cast<void>((AddTypes<Model, Facts>(item.types), ...));
    return EventQuery{std::vector<QueryItem>{std::move(item)}};
  }

  // Whether there was something to apply. What the model's Apply returns, if that is a Result, can
  // end it.
  template <class Model>
  Result<bool> ApplyTo(Model& model, const Event& event) const {
    if (event.erased) {
      std::optional<Result<bool>> applied;
      static_cast<void>((ApplyErased<Facts>(model, event, applied) || ...));
      if (applied) {
        return *std::move(applied);
      }
    }
    Result<std::optional<Fact>> fact = Read(event);
    if (!fact) {
      return std::unexpected(std::move(fact).error());
    }
    if (!*fact) {
      return false;
    }
    return std::visit([&](const auto& value) { return ApplyOne(model, value); }, **fact);
  }

 private:
  template <class Model, class T>
  static Result<bool> ApplyOne(Model& model, const T& value) {
    if constexpr (!AppliesFact<Model, T>) {
      return false;
    } else if constexpr (std::is_void_v<decltype(model.Apply(value))>) {
      model.Apply(value);
      return true;
    } else {
      Result<void> applied = model.Apply(value);
      return applied ? Result<bool>(true) : std::unexpected(std::move(applied).error());
    }
  }

  // Whether the event was a T. One of a struct without a subject is left to Read, which refuses it.
  template <class T, class Model>
  bool ApplyErased(Model& model, const Event& event, std::optional<Result<bool>>& applied) const {
    if constexpr (OfSubject<T> && AppliesFact<Model, T>) {
      static_assert(AppliesFact<Model, Erased<T>>,
                    "stator: the model applies an event of a subject, so it says what is left of "
                    "it when that was erased: void Apply(const Erased<T>&)");
      if (shapes_.NameOf(event.type) == mapping::TypeNameOf<T>()) {
        applied = ApplyOne(model, Erased<T>{event});
      }
    }
    return applied.has_value();
  }

  template <class T>
  void AddShape() {
    static_assert(!HasAttribute<T>(detail::kVersionName),
                  "stator: _version is the name of the payload's version");
    std::uint16_t version = 1;
    if constexpr (requires { Mapping<T>::kDataVersion; }) {
      version = Mapping<T>::kDataVersion;
    }
    shapes_.Add(mapping::TypeNameOf<T>(), version);
  }

  template <class Model, class T>
  void AddTypes(std::vector<std::string>& types) const {
    if constexpr (AppliesFact<Model, T>) {
      for (std::string& type : shapes_.TypesOf(mapping::TypeNameOf<T>())) {
        types.push_back(std::move(type));
      }
    }
  }

  template <class T>
  static bool Decode(const Event& event, Item payload, Result<std::optional<Fact>>& fact) {
    Result<T> value = FromItem<T>(std::move(payload));
    if (value) {
      fact = std::optional<Fact>(*std::move(value));
    } else {
      fact = std::unexpected(detail::AboutEvent(event, std::move(value).error()));
    }
    return true;
  }

  detail::EventShapes shapes_;
};

// What the events add up to: all of them, or those up to a sortable id.
template <class... Facts, class Model>
Result<Model> ReadModel(EventStore& store, const EventTypes<Facts...>& types, const Ask<Model>& ask,
                        const std::optional<SortableId>& until = std::nullopt) {
  Result<EventStream> stream = store.Read({.query = types.QueryOf(ask), .until = until});
  if (!stream) {
    return std::unexpected(std::move(stream).error());
  }
  Model model = ask.initial;
  while (true) {
    const Result<std::optional<Event>> event = stream->Next();
    if (!event) {
      return std::unexpected(event.error());
    }
    if (!*event) {
      return model;
    }
    if (Result<bool> applied = types.ApplyTo(model, **event); !applied) {
      return std::unexpected(std::move(applied).error());
    }
  }
}

// Decides on models; as Decide of decide.h does on events. `decide` takes the models and gives the
// facts that are to be appended, perhaps none, or why not: EventTypes<...>::Decision.
template <class... Facts, class... Models, class Function>
Result<Appended> Decide(EventStore& store, const EventTypes<Facts...>& types,
                        const std::tuple<Ask<Models>...>& asks, const Function& decide,
                        const DecideOptions& options = {}) {
  static_assert(sizeof...(Models) > 0, "stator: what is the decision about?");
  const std::vector<EventQuery> queries = std::apply(
      [&](const auto&... ask) { return std::vector<EventQuery>{types.QueryOf(ask)...}; }, asks);
  const auto fold = [&](const Seen& seen) -> events::Decision {
    std::tuple<Models...> models =
        std::apply([](const auto&... ask) { return std::tuple<Models...>(ask.initial...); }, asks);
    std::optional<Error> failure;
    const auto fold_one = [&](const std::vector<Event>& events, auto& model) {
      for (const Event& event : events) {
        if (Result<bool> applied = types.ApplyTo(model, event); !applied) {
          failure = std::move(applied).error();
          return false;
        }
      }
      return true;
    };
    std::size_t index = 0;
    static_cast<void>(std::apply(
        [&](auto&... model) { return (fold_one(seen[index++], model) && ...); }, models));
    if (failure) {
      return std::unexpected(*std::move(failure));
    }
    typename EventTypes<Facts...>::Decision facts = std::apply(decide, std::as_const(models));
    if (!facts) {
      return std::unexpected(std::move(facts).error());
    }
    std::vector<NewEvent> made;
    for (const auto& fact : *facts) {
      Result<NewEvent> event = types.Make(fact);
      if (!event) {
        return std::unexpected(std::move(event).error());
      }
      made.push_back(*std::move(event));
    }
    return made;
  };
  return Decide(store, queries, fold, options);
}

}  // namespace stator::events
