// A model of typed_events.h as a projection, kept up to date by a ProjectionRunner.
//
//   const Projector seats = MakeProjector<Seats>("seats", "1", types, Ask<Seats>());
//   auto runner = ProjectionRunner::Open(store, checkpoints, seats);
//   (*runner)->Read([](const Projection& state, bool) { ModelOf<Seats>(state).free; });
//
// The model is a described struct; its state is saved as plain JSON.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/stores/events/detail/event_shapes.h"
#include "stator/stores/events/projection.h"
#include "stator/stores/events/typed_events.h"

namespace stator::events {

// A projection that has a model.
template <class Model>
class HasModel : public Projection {
 public:
  [[nodiscard]] virtual const Model& model() const = 0;
};

template <class Model, class Types>
class ModelProjection final : public HasModel<Model> {
  static_assert(mapping::Described<Model>, "stator: a model that is saved is a described struct");

 public:
  ModelProjection(std::shared_ptr<const Types> types, Model initial)
      : types_(std::move(types)), model_(std::move(initial)) {}

  Result<void> Apply(const Event& event) override {
    const Result<bool> applied = types_->ApplyTo(model_, event);
    return applied ? Result<void>() : std::unexpected(applied.error());
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<ModelProjection>(types_, model_);
  }
  [[nodiscard]] Result<std::string> Save() const override {
    const Result<Item> item = ToItem(model_);
    return item ? detail::ItemToJson(*item) : std::unexpected(item.error());
  }
  Result<void> Load(std::string_view bytes) override {
    Result<Item> item = detail::ItemFromJson(bytes);
    if (!item) {
      return std::unexpected(std::move(item).error());
    }
    Result<Model> model = FromItem<Model>(*std::move(item));
    if (!model) {
      return std::unexpected(std::move(model).error());
    }
    model_ = *std::move(model);
    return {};
  }
  [[nodiscard]] const Model& model() const override { return model_; }

 private:
  std::shared_ptr<const Types> types_;
  Model model_;
};

template <class Model, class... Facts>
Projector MakeProjector(std::string name, std::string version, EventTypes<Facts...> types,
                        const Ask<Model>& ask) {
  auto shared = std::make_shared<const EventTypes<Facts...>>(std::move(types));
  EventQuery query = shared->QueryOf(ask);
  return Projector{.name = std::move(name),
                   .version = std::move(version),
                   .query = std::move(query),
                   .make = [shared, initial = ask.initial]() -> std::unique_ptr<Projection> {
                     return std::make_unique<ModelProjection<Model, EventTypes<Facts...>>>(shared,
                                                                                           initial);
                   }};
}

// REQUIRES: the projection was made by MakeProjector<Model>.
template <class Model>
const Model& ModelOf(const Projection& projection) {
  return dynamic_cast<const HasModel<Model>&>(projection).model();
}

}  // namespace stator::events
