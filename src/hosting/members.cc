#include "hosting/members.h"

#include <algorithm>

namespace stator::hosting {
namespace {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

std::string Quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

// The system's interfaces end texts with it.
bool HasNul(std::string_view text) {
  return text.contains('\0');
}

std::string Plain(double number) {
  return Json(number).ToText();
}

}  // namespace

const Json* Members::Take(std::string_view name) {
  known_.emplace_back(name);
  return object_.Find(name);
}

void Members::Note(std::string problem) {
  if (problem_.empty()) {
    problem_ = std::move(problem);
  }
}

std::string Members::Problem() const {
  if (!problem_.empty()) {
    return problem_;
  }
  for (const auto& [name, value] : object_) {
    if (std::ranges::find(known_, name) == known_.end()) {
      std::string all;
      for (const std::string& known : known_) {
        all += (all.empty() ? "" : ", ") + known;
      }
      return "unknown key " + Quoted(name) + "; there are " + all;
    }
  }
  return "";
}

std::optional<std::string> Members::Text(std::string_view name) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::string* const text = value->If<std::string>();
  if (text == nullptr || HasNul(*text)) {
    Note(Quoted(name) + " must be a text");
    return std::nullopt;
  }
  return *text;
}

std::optional<bool> Members::Flag(std::string_view name) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->Is<bool>()) {
    Note(Quoted(name) + " must be true or false");
    return std::nullopt;
  }
  return *value->If<bool>();
}

std::optional<double> Members::Number(std::string_view name, double least, double most) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::optional<double> number = value->ToDouble();
  if (!number || *number < least || *number > most) {
    Note(Quoted(name) + " must be a number from " + Plain(least) + " to " + Plain(most));
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> Members::Whole(std::string_view name, std::int64_t least,
                                           std::int64_t most) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> number = value->ToInt64();
  if (!number || *number < least || *number > most) {
    Note(Quoted(name) + " must be a whole number from " + std::to_string(least) + " to " +
         std::to_string(most));
    return std::nullopt;
  }
  return number;
}

const JsonObject* Members::Object(std::string_view name) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return nullptr;
  }
  if (!value->Is<JsonObject>()) {
    Note(Quoted(name) + " must be an object");
  }
  return value->If<JsonObject>();
}

std::vector<std::string> Members::Texts(std::string_view name) {
  const Json* const value = Take(name);
  if (value == nullptr) {
    return {};
  }
  std::vector<std::string> texts;
  const auto* const elements = value->If<JsonArray>();
  for (const Json& element : elements == nullptr ? JsonArray() : *elements) {
    const std::string* const text = element.If<std::string>();
    if (text == nullptr || HasNul(*text)) {
      texts.clear();
      break;
    }
    texts.push_back(*text);
  }
  if (texts.empty()) {
    Note(Quoted(name) + " must be a list of texts, at least one");
  }
  return texts;
}

std::vector<std::pair<std::string, std::string>> Members::TextMembers(std::string_view name) {
  std::vector<std::pair<std::string, std::string>> texts;
  const JsonObject* const object = Object(name);
  if (object == nullptr) {
    return texts;
  }
  for (const auto& [key, value] : *object) {
    const std::string* const text = value.If<std::string>();
    if (text == nullptr || HasNul(*text) || HasNul(key)) {
      Note(Quoted(key) + " in " + Quoted(name) + " must be a text");
      return {};
    }
    texts.emplace_back(key, *text);
  }
  return texts;
}

}  // namespace stator::hosting
