// What EventTypes knows of payloads that does not depend on C++ types: their versions, the steps
// between them, and the names that a type had.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/value/attribute_value.h"

namespace stator::events::detail {

inline constexpr std::string_view kVersionName = "_version";

using UpcastStep = std::function<Result<void>(Item&)>;

struct ShapedPayload {
  std::string type;  // as it is called now
  Item payload;      // of the present version
};

class EventShapes {
 public:
  void Add(std::string_view type, std::uint16_t version);
  void AddStep(std::string_view type, std::uint16_t from, UpcastStep step);
  void AddFormer(std::string_view type, std::string former);

  // The present name and the former ones.
  [[nodiscard]] std::vector<std::string> TypesOf(std::string_view type) const;

  // The present name of a type, or nothing of one that is not known.
  [[nodiscard]] std::string_view NameOf(std::string_view type) const;

  [[nodiscard]] Result<std::string> Write(std::string_view type, Item payload) const;
  // Nothing for an event of another type. Fails with kExpired for one that was erased.
  [[nodiscard]] Result<std::optional<ShapedPayload>> Read(const Event& event) const;

 private:
  struct Shape {
    std::uint16_t version = 1;
    std::map<std::uint16_t, UpcastStep> steps;
    std::vector<std::string> former;
  };
  std::map<std::string, Shape, std::less<>> shapes_;       // by present name
  std::map<std::string, std::string, std::less<>> names_;  // the present one of every name
};

// Plain JSON. Fails with kValidation for what that cannot hold, naming it.
Result<std::string> ItemToJson(const Item& item);
Result<Item> ItemFromJson(std::string_view text);

// The error, saying which event it is about.
Error AboutEvent(const Event& event, Error error);

}  // namespace stator::events::detail
