// Members: the members of an object in a file that people write. Notes the first thing that is
// wrong, so that a reader asks for one member after the other and looks for a problem once.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/stores/tasks/json.h"

namespace stator::hosting {

class Members {
 public:
  explicit Members(const tasks::JsonObject& object) : object_(object) {}

  // Nothing when the member is missing or wrong.
  std::optional<std::string> Text(std::string_view name);
  std::optional<bool> Flag(std::string_view name);
  std::optional<double> Number(std::string_view name, double least, double most);
  std::optional<std::int64_t> Whole(std::string_view name, std::int64_t least, std::int64_t most);
  const tasks::JsonObject* Object(std::string_view name);
  // A list of texts; empty when it is missing or wrong.
  std::vector<std::string> Texts(std::string_view name);
  // An object whose members are texts.
  std::vector<std::pair<std::string, std::string>> TextMembers(std::string_view name);

  // A member that the caller reads on its own.
  void Know(std::string_view name) { known_.emplace_back(name); }
  [[nodiscard]] bool Has(std::string_view name) const { return object_.Find(name) != nullptr; }
  void Note(std::string problem);
  // What is wrong: what was noted first, or a member that nobody asked for. Empty: nothing.
  [[nodiscard]] std::string Problem() const;

 private:
  const tasks::Json* Take(std::string_view name);

  const tasks::JsonObject& object_;
  std::vector<std::string> known_;
  std::string problem_;
};

}  // namespace stator::hosting
