#include "model/condition.h"

#include <algorithm>

namespace stator::model {
namespace {

bool BeginsWith(const Value& value, const Value& start) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* begin = std::get_if<std::string>(&start);
  return text != nullptr && begin != nullptr && text->starts_with(*begin);
}

bool Contains(const Value& value, const Value& part) {
  const auto* wanted = std::get_if<std::string>(&part);
  if (wanted == nullptr) {
    return false;
  }
  if (const auto* members = std::get_if<std::set<std::string>>(&value)) {
    return members->contains(*wanted);
  }
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && text->find(*wanted) != std::string::npos;
}

bool Compare(Comparison::Kind kind, const Value& present, const Value& value) {
  switch (kind) {
    case Comparison::Kind::kExists:
      return true;
    case Comparison::Kind::kMissing:
      return false;
    case Comparison::Kind::kEqual:
      return present == value;
    case Comparison::Kind::kUnequal:
      return present != value;
    case Comparison::Kind::kLess:
      return IsLess(present, value);
    case Comparison::Kind::kAtLeast:
      return IsLess(value, present) || present == value;
    case Comparison::Kind::kBeginsWith:
      return BeginsWith(present, value);
    case Comparison::Kind::kContains:
      return Contains(present, value);
  }
  return false;
}

std::string TextOf(const Comparison& comparison, const std::string& placeholder) {
  const std::string& name = comparison.attribute;
  switch (comparison.kind) {
    case Comparison::Kind::kExists:
      return "attribute_exists(" + name + ")";
    case Comparison::Kind::kMissing:
      return "attribute_not_exists(" + name + ")";
    case Comparison::Kind::kEqual:
      return name + " = " + placeholder;
    case Comparison::Kind::kUnequal:
      return name + " <> " + placeholder;
    case Comparison::Kind::kLess:
      return name + " < " + placeholder;
    case Comparison::Kind::kAtLeast:
      return name + " >= " + placeholder;
    case Comparison::Kind::kBeginsWith:
      return "begins_with(" + name + ", " + placeholder + ")";
    case Comparison::Kind::kContains:
      return "contains(" + name + ", " + placeholder + ")";
  }
  return "";
}

}  // namespace

bool Comparison::Holds(const Attributes* item) const {
  const auto found = item == nullptr ? Attributes::const_iterator() : item->find(attribute);
  const bool present = item != nullptr && found != item->end();
  // What is not there is unequal to everything, and nothing else.
  const bool holds = present ? Compare(kind, found->second, value)
                             : kind == Kind::kMissing || kind == Kind::kUnequal;
  return holds != negated;
}

bool Condition::Holds(const Attributes* item) const {
  const auto holds = [&](const Comparison& comparison) { return comparison.Holds(item); };
  if (any && !empty()) {
    return std::any_of(comparisons.begin(), comparisons.end(), holds);
  }
  return std::all_of(comparisons.begin(), comparisons.end(), holds);
}

std::string TextOf(const Condition& condition, const std::string& prefix, Map& values) {
  std::string text;
  for (std::size_t at = 0; at < condition.comparisons.size(); ++at) {
    const Comparison& comparison = condition.comparisons[at];
    const std::string placeholder = ":" + prefix + std::to_string(at);
    if (at > 0) {
      text += condition.any ? " OR " : " AND ";
    }
    text += (comparison.negated ? "NOT " : "") + TextOf(comparison, placeholder);
    if (comparison.kind != Comparison::Kind::kExists &&
        comparison.kind != Comparison::Kind::kMissing) {
      values.Set(placeholder, ToValue(comparison.value));
    }
  }
  return text;
}

}  // namespace stator::model
