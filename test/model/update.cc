#include "model/update.h"

#include <algorithm>
#include <array>

namespace stator::model {
namespace {

using Kind = Action::Kind;
using Members = std::set<std::string>;

const Value* Find(const Attributes& item, const std::string& name) {
  const auto found = item.find(name);
  return found == item.end() ? nullptr : &found->second;
}

bool Count(const Action& action, const Value* present, Attributes& after) {
  const auto* number = present == nullptr ? nullptr : std::get_if<std::int64_t>(present);
  if (present != nullptr && number == nullptr) {
    return false;
  }
  const std::int64_t start = number == nullptr ? 0 : *number;
  after[action.attribute] = start + std::get<std::int64_t>(action.value);
  return true;
}

bool Join(const Action& action, const Value* present, Attributes& after) {
  const auto* members = present == nullptr ? nullptr : std::get_if<Members>(present);
  if (present != nullptr && members == nullptr) {
    return false;
  }
  Members joined = members == nullptr ? Members() : *members;
  const auto& added = std::get<Members>(action.value);
  joined.insert(added.begin(), added.end());
  after[action.attribute] = joined;
  return true;
}

bool Discard(const Action& action, const Value* present, Attributes& after) {
  if (present == nullptr) {
    return true;
  }
  const auto* members = std::get_if<Members>(present);
  if (members == nullptr) {
    return false;
  }
  Members rest;
  const auto& removed = std::get<Members>(action.value);
  std::set_difference(members->begin(), members->end(), removed.begin(), removed.end(),
                      std::inserter(rest, rest.end()));
  if (rest.empty()) {
    after.erase(action.attribute);
  } else {
    after[action.attribute] = rest;
  }
  return true;
}

bool ApplyOne(const Action& action, const Attributes& before, Attributes& after) {
  const Value* present = Find(before, action.attribute);
  switch (action.kind) {
    case Kind::kSet:
      after[action.attribute] = action.value;
      return true;
    case Kind::kCopy: {
      const Value* other = Find(before, action.other);
      if (other != nullptr) {
        after[action.attribute] = *other;
      }
      return other != nullptr;
    }
    case Kind::kCount:
      return Count(action, present, after);
    case Kind::kRemove:
      after.erase(action.attribute);
      return true;
    case Kind::kAdd:
      return std::holds_alternative<Members>(action.value) ? Join(action, present, after)
                                                           : Count(action, present, after);
    case Kind::kDiscard:
      return Discard(action, present, after);
  }
  return false;
}

std::string TextOf(const Action& action, const std::string& placeholder) {
  switch (action.kind) {
    case Kind::kSet:
      return action.attribute + " = " + placeholder;
    case Kind::kCopy:
      return action.attribute + " = " + action.other;
    case Kind::kCount:
      return action.attribute + " = if_not_exists(" + action.attribute + ", :zero) + " +
             placeholder;
    case Kind::kRemove:
      return action.attribute;
    case Kind::kAdd:
    case Kind::kDiscard:
      return action.attribute + " " + placeholder;
  }
  return "";
}

const char* ClauseOf(Kind kind) {
  switch (kind) {
    case Kind::kRemove:
      return "REMOVE";
    case Kind::kAdd:
      return "ADD";
    case Kind::kDiscard:
      return "DELETE";
    default:
      return "SET";
  }
}

}  // namespace

bool Apply(const Update& update, const Attributes* before, const Attributes& key,
           std::optional<Attributes>& after) {
  const auto makes_nothing = [](const Action& action) {
    return action.kind == Kind::kRemove || action.kind == Kind::kDiscard;
  };
  after.reset();
  if (before == nullptr && !update.empty() &&
      std::all_of(update.begin(), update.end(), makes_nothing)) {
    return true;
  }
  const Attributes start = before == nullptr ? key : *before;
  Attributes result = start;
  for (const Action& action : update) {
    if (!ApplyOne(action, start, result)) {
      return false;
    }
  }
  after = std::move(result);
  return true;
}

Attributes NamedBy(const Update& update, const Attributes& item) {
  Attributes named;
  for (const Action& action : update) {
    if (const Value* value = Find(item, action.attribute)) {
      named[action.attribute] = *value;
    }
  }
  return named;
}

std::string TextOf(const Update& update, const std::string& prefix, Map& values) {
  std::string text;
  for (const char* clause : {"SET", "REMOVE", "ADD", "DELETE"}) {
    bool first = true;
    for (std::size_t at = 0; at < update.size(); ++at) {
      const Action& action = update[at];
      if (ClauseOf(action.kind) != std::string(clause)) {
        continue;
      }
      const std::string placeholder = ":" + prefix + std::to_string(at);
      text += first ? (text.empty() ? "" : " ") + std::string(clause) + " " : ", ";
      first = false;
      text += TextOf(action, placeholder);
      if (action.kind != Kind::kCopy && action.kind != Kind::kRemove) {
        values.Set(placeholder, ToValue(action.value));
      }
      if (action.kind == Kind::kCount) {
        values.Set(":zero", 0);
      }
    }
  }
  return text;
}

}  // namespace stator::model
