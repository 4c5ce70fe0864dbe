#include "mcp/json_schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace stator::mcp {
namespace {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonNumber;
using tasks::JsonObject;

// A schema that refers to itself without going deeper into the value would never end.
constexpr int kDepthMax = 200;

// Parts of a schema have the type that they should have or count as absent: schemas are written by
// the author of the tool, not by its caller.
const JsonObject* ObjectIn(const Json& schema, std::string_view name) {
  const Json* const part = schema.Find(name);
  return part == nullptr ? nullptr : part->If<JsonObject>();
}

const JsonArray* ArrayIn(const Json& schema, std::string_view name) {
  const Json* const part = schema.Find(name);
  return part == nullptr ? nullptr : part->If<JsonArray>();
}

std::optional<double> NumberIn(const Json& schema, std::string_view name) {
  const Json* const part = schema.Find(name);
  return part == nullptr ? std::nullopt : part->ToDouble();
}

bool IsWhole(const Json& value) {
  const std::optional<double> number = value.ToDouble();
  return value.ToInt64().has_value() || (number && std::floor(*number) == *number);
}

bool IsOfType(const Json& value, std::string_view type) {
  if (type == "integer") {
    return value.Is<JsonNumber>() && IsWhole(value);
  }
  return (type == "object" && value.Is<JsonObject>()) ||
         (type == "array" && value.Is<JsonArray>()) ||
         (type == "string" && value.Is<std::string>()) ||
         (type == "number" && value.Is<JsonNumber>()) || (type == "boolean" && value.Is<bool>()) ||
         (type == "null" && value.is_null());
}

// 1 and 1.0 are the same number.
bool AreEqual(const Json& left, const Json& right) {
  const bool are_numbers = left.Is<JsonNumber>() && right.Is<JsonNumber>();
  return are_numbers ? left.ToDouble() == right.ToDouble() : left == right;
}

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string Quoted(const Json& value) {
  constexpr std::size_t kLongest = 100;
  const std::string text = value.ToText();
  return text.size() <= kLongest ? text : "…";
}

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  // NOLINTNEXTLINE(misc-no-recursion): schemas nest like the values that they describe.
  std::string Check(const Json& value, const Json& schema, const std::string& name, int depth) {
    if (const bool* const all = schema.If<bool>()) {
      return *all ? "" : name + " is not allowed";
    }
    if (!schema.Is<JsonObject>() || depth > kDepthMax) {
      return {};
    }
    std::string problem = CheckType(value, schema, name);
    if (problem.empty()) {
      problem = CheckNumber(value, schema, name);
    }
    if (problem.empty()) {
      problem = CheckText(value, schema, name);
    }
    if (problem.empty()) {
      problem = CheckObject(value, schema, name, depth);
    }
    if (problem.empty()) {
      problem = CheckArray(value, schema, name, depth);
    }
    return problem.empty() ? CheckCombined(value, schema, name, depth) : problem;
  }

 private:
  static std::string CheckType(const Json& value, const Json& schema, const std::string& name) {
    const Json* const type = schema.Find("type");
    if (type != nullptr && type->Is<std::string>() && !IsOfType(value, *type->If<std::string>())) {
      const std::string& wanted = *type->If<std::string>();
      const bool has_vowel = std::string_view("aeiou").contains(wanted.front());
      return name + " must be " + (wanted == "null" ? "" : has_vowel ? "an " : "a ") + wanted;
    }
    if (const JsonArray* const types = ArrayIn(schema, "type");
        types != nullptr && std::ranges::none_of(*types, [&](const Json& each) {
          return each.Is<std::string>() && IsOfType(value, *each.If<std::string>());
        })) {
      return name + " must be of one of the types " + Quoted(*type);
    }
    if (const JsonArray* const values = ArrayIn(schema, "enum");
        values != nullptr &&
        std::ranges::none_of(*values, [&](const Json& each) { return AreEqual(each, value); })) {
      return name + " must be one of " + Quoted(*schema.Find("enum"));
    }
    if (const Json* const only = schema.Find("const"); only != nullptr && !AreEqual(*only, value)) {
      return name + " must be " + Quoted(*only);
    }
    return {};
  }

  static std::string CheckNumber(const Json& value, const Json& schema, const std::string& name) {
    const std::optional<double> number =
        value.Is<JsonNumber>() ? value.ToDouble() : std::optional<double>();
    if (!number) {
      return {};
    }
    const auto broken = [&](std::string_view keyword, const auto& holds) {
      const std::optional<double> limit = NumberIn(schema, keyword);
      return limit && !holds(*number, *limit);
    };
    const auto limit = [&](std::string_view keyword) { return Quoted(*schema.Find(keyword)); };
    if (broken("minimum", std::greater_equal<>())) {
      return name + " must not be less than " + limit("minimum");
    }
    if (broken("maximum", std::less_equal<>())) {
      return name + " must not be more than " + limit("maximum");
    }
    if (broken("exclusiveMinimum", std::greater<>())) {
      return name + " must be more than " + limit("exclusiveMinimum");
    }
    if (broken("exclusiveMaximum", std::less<>())) {
      return name + " must be less than " + limit("exclusiveMaximum");
    }
    if (broken("multipleOf", [](double it, double step) {
          return step <= 0 || std::floor(it / step) == it / step;
        })) {
      return name + " must be a multiple of " + limit("multipleOf");
    }
    return {};
  }

  static std::string CheckText(const Json& value, const Json& schema, const std::string& name) {
    const auto* const text = value.If<std::string>();
    return text == nullptr ? ""
                           : CheckCount(static_cast<double>(CountCharacters(*text)), schema, name,
                                        "Length", "characters");
  }

  static std::string CheckCount(double count, const Json& schema, const std::string& name,
                                const std::string& keyword, std::string_view what) {
    if (const auto min = NumberIn(schema, "min" + keyword); min && count < *min) {
      return name + " must have at least " + Quoted(*schema.Find("min" + keyword)) + " " +
             std::string(what);
    }
    if (const auto max = NumberIn(schema, "max" + keyword); max && count > *max) {
      return name + " must have at most " + Quoted(*schema.Find("max" + keyword)) + " " +
             std::string(what);
    }
    return {};
  }

  static std::string CheckRequired(const JsonObject& object, const JsonArray* names,
                                   const std::string& name) {
    for (const Json& each : names == nullptr ? JsonArray() : *names) {
      const auto* const required = each.If<std::string>();
      if (required != nullptr && object.Find(*required) == nullptr) {
        return name + "." + *required + " is missing";
      }
    }
    return {};
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::string CheckObject(const Json& value, const Json& schema, const std::string& name,
                          int depth) {
    const auto* const object = value.If<JsonObject>();
    if (object == nullptr) {
      return {};
    }
    std::string problem = CheckRequired(*object, ArrayIn(schema, "required"), name);
    if (problem.empty()) {
      problem =
          CheckCount(static_cast<double>(object->size()), schema, name, "Properties", "members");
    }
    if (const JsonObject* const dependent = ObjectIn(schema, "dependentRequired")) {
      for (const auto& [when, names] : *dependent) {
        if (problem.empty() && object->Find(when) != nullptr) {
          problem = CheckRequired(*object, names.If<JsonArray>(), name);
        }
      }
    }
    const JsonObject* const properties = ObjectIn(schema, "properties");
    const Json* const names = schema.Find("propertyNames");
    // A name that a pattern may allow is not refused.
    const Json* const others =
        schema.Find("patternProperties") == nullptr ? schema.Find("additionalProperties") : nullptr;
    for (const auto& [member, part] : *object) {
      const Json* const known = properties == nullptr ? nullptr : properties->Find(member);
      const Json* const wanted = known == nullptr ? others : known;
      if (problem.empty() && names != nullptr) {
        problem = Check(Json(member), *names, "the name " + Quoted(member), depth + 1);
      }
      if (problem.empty() && wanted != nullptr) {
        problem = Check(part, *wanted, name + "." + member, depth + 1);
      }
    }
    return problem;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::string CheckArray(const Json& value, const Json& schema, const std::string& name,
                         int depth) {
    const auto* const array = value.If<JsonArray>();
    if (array == nullptr) {
      return {};
    }
    std::string problem =
        CheckCount(static_cast<double>(array->size()), schema, name, "Items", "elements");
    const Json* const unique = schema.Find("uniqueItems");
    const bool wants_unique =
        unique != nullptr && unique->If<bool>() != nullptr && *unique->If<bool>();
    const JsonArray* const first = ArrayIn(schema, "prefixItems");
    const Json* const rest = schema.Find("items");
    for (std::size_t at = 0; at < array->size() && problem.empty(); ++at) {
      const Json& part = (*array)[at];
      const std::string part_name = name + "[" + std::to_string(at) + "]";
      if (first != nullptr && at < first->size()) {
        problem = Check(part, (*first)[at], part_name, depth + 1);
      } else if (rest != nullptr) {
        problem = Check(part, *rest, part_name, depth + 1);
      }
      if (problem.empty() && wants_unique &&
          std::any_of(array->begin(), array->begin() + static_cast<std::ptrdiff_t>(at),
                      [&](const Json& other) { return AreEqual(other, part); })) {
        problem = part_name + " is there twice";
      }
    }
    if (const Json* const wanted = schema.Find("contains");
        wanted != nullptr && problem.empty() &&
        CountFits(*array, [&](const Json& part) { return Fits(part, *wanted, depth); }) == 0) {
      problem = name + " lacks an element that it must have";
    }
    return problem;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  std::string CheckCombined(const Json& value, const Json& schema, const std::string& name,
                            int depth) {
    if (const Json* const reference = schema.Find("$ref");
        reference != nullptr && reference->Is<std::string>()) {
      const Json* const target = Resolve(*reference->If<std::string>());
      std::string problem =
          target == nullptr ? std::string() : Check(value, *target, name, depth + 1);
      if (!problem.empty()) {
        return problem;
      }
    }
    const JsonArray* const all = ArrayIn(schema, "allOf");
    for (const Json& each : all == nullptr ? JsonArray() : *all) {
      if (std::string problem = Check(value, each, name, depth + 1); !problem.empty()) {
        return problem;
      }
    }
    const auto fits = [&](const Json& each) { return Fits(value, each, depth); };
    if (const JsonArray* const any = ArrayIn(schema, "anyOf");
        any != nullptr && CountFits(*any, fits) == 0) {
      return name + " fits none of its forms";
    }
    if (const JsonArray* const one = ArrayIn(schema, "oneOf");
        one != nullptr && CountFits(*one, fits) != 1) {
      return name + " must fit exactly one of its forms";
    }
    if (const Json* const forbidden = schema.Find("not");
        forbidden != nullptr && fits(*forbidden)) {
      return name + " has a form that is not allowed";
    }
    if (const Json* const condition = schema.Find("if")) {
      const Json* const then = schema.Find(fits(*condition) ? "then" : "else");
      return then == nullptr ? "" : Check(value, *then, name, depth + 1);
    }
    return {};
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  bool Fits(const Json& value, const Json& schema, int depth) {
    return Check(value, schema, "", depth + 1).empty();
  }

  static std::ptrdiff_t CountFits(const JsonArray& parts, const auto& fits) {
    return std::ranges::count_if(parts, fits);
  }

  // "#" or "#/$defs/name"; null for anything else.
  [[nodiscard]] const Json* Resolve(std::string_view reference) const {
    if (!reference.starts_with('#')) {
      return nullptr;
    }
    const Json* part = &root_;
    reference.remove_prefix(1);
    while (part != nullptr && reference.starts_with('/')) {
      reference.remove_prefix(1);
      const std::string_view step = reference.substr(0, reference.find('/'));
      reference.remove_prefix(step.size());
      part = part->Find(step);
    }
    return reference.empty() ? part : nullptr;
  }

  const Json& root_;
};

}  // namespace

std::string ProblemWith(const Json& value, const Json& schema, const std::string& name) {
  return Validator(schema).Check(value, schema, name, 0);
}

}  // namespace stator::mcp
