// Updates against a model that shares nothing with them. The model goes through a document once and
// builds the new one from the bottom, where Update writes into a copy in three steps.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "expression/update.h"
#include "value/dynamodb_json.h"

namespace stator::expression {
namespace {

using Step = std::variant<std::string, std::size_t>;

struct Change {
  UpdateAction::Kind kind = UpdateAction::Kind::kSet;
  std::vector<Step> path;
  AttributeValue value;  // nothing for kRemove
};

std::string RandomName() {
  return *rc::gen::element<std::string>("a", "b", "c", "d");
}

StringSet RandomSet() {
  std::vector<std::string> members = {RandomName()};
  if (*rc::gen::arbitrary<bool>()) {
    members.push_back(RandomName());
  }
  return StringSet(std::move(members));
}

AttributeValue RandomValue(int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 3 : 7)) {
    case 0:
      return *rc::gen::inRange(-5, 5);
    case 1:
      return RandomName();
    case 2:
      return RandomSet();
    case 3:
    case 4: {
      Map map;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        map.Set(RandomName(), RandomValue(depth - 1));
      }
      return map;
    }
    default: {
      List list;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        list.push_back(RandomValue(depth - 1));
      }
      return list;
    }
  }
}

// Walks down from `value` and stops where it likes, so that everything but the last step exists.
void ExtendPath(const AttributeValue& value, std::vector<Step>& path) {
  if (const auto* map = value.If<Map>()) {
    if (path.empty() || *rc::gen::inRange(0, 4) > 0) {
      const std::string name = RandomName();
      path.emplace_back(name);
      if (const AttributeValue* next = map->Find(name)) {
        ExtendPath(*next, path);
      }
    }
    return;
  }
  const auto* list = value.If<List>();
  if (list != nullptr && *rc::gen::inRange(0, 4) > 0) {
    const auto index = static_cast<std::size_t>(*rc::gen::inRange(0, 6));
    path.emplace_back(index);
    if (index < list->size()) {
      ExtendPath((*list)[index], path);
    }
  }
}

bool Overlap(const std::vector<Step>& left, const std::vector<Step>& right) {
  const std::size_t common = std::min(left.size(), right.size());
  return std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(common),
                    right.begin());
}

const AttributeValue* At(const AttributeValue& value, const std::vector<Step>& path,
                         std::size_t depth = 0) {
  if (depth == path.size()) {
    return &value;
  }
  const AttributeValue* next = nullptr;
  if (const auto* name = std::get_if<std::string>(&path[depth])) {
    const auto* map = value.If<Map>();
    next = map == nullptr ? nullptr : map->Find(*name);
  } else if (const auto* list = value.If<List>()) {
    const std::size_t index = std::get<std::size_t>(path[depth]);
    next = index < list->size() ? &(*list)[index] : nullptr;
  }
  return next == nullptr ? nullptr : At(*next, path, depth + 1);
}

// An action that fits what stands at the path.
Change RandomChange(const AttributeValue& document, std::vector<Step> path) {
  const AttributeValue* old = At(document, path);
  Change change{.kind = UpdateAction::Kind::kSet, .path = std::move(path), .value = {}};
  const int choice = *rc::gen::inRange(0, 4);
  if (choice == 0) {
    change.kind = UpdateAction::Kind::kRemove;
  } else if (choice == 1 && (old == nullptr || old->Is<Number>())) {
    change.kind = UpdateAction::Kind::kAdd;
    change.value = *rc::gen::inRange(-5, 5);
  } else if (choice >= 2 && (old == nullptr || old->Is<StringSet>())) {
    change.kind = choice == 2 ? UpdateAction::Kind::kAdd : UpdateAction::Kind::kDelete;
    change.value = RandomSet();
  } else {
    change.value = RandomValue(1);
  }
  return change;
}

// What the change makes of the old value; nothing when nothing is left.
std::optional<AttributeValue> Changed(const AttributeValue* old, const Change& change) {
  if (change.kind == UpdateAction::Kind::kRemove) {
    return std::nullopt;
  }
  if (change.kind == UpdateAction::Kind::kSet) {
    return change.value;
  }
  if (const auto* number = change.value.If<Number>()) {
    const Number sum = old == nullptr ? *number : Number::Add(*old->If<Number>(), *number).value();
    return AttributeValue(sum);
  }
  std::set<std::string> members;
  if (old != nullptr) {
    members.insert(old->If<StringSet>()->begin(), old->If<StringSet>()->end());
  }
  for (const std::string& member : *change.value.If<StringSet>()) {
    if (change.kind == UpdateAction::Kind::kAdd) {
      members.insert(member);
    } else {
      members.erase(member);
    }
  }
  if (members.empty()) {
    return std::nullopt;
  }
  return AttributeValue(StringSet(std::vector<std::string>(members.begin(), members.end())));
}

std::optional<AttributeValue> Rebuilt(const AttributeValue* old,
                                      const std::vector<const Change*>& changes,
                                      std::size_t depth) {
  if (changes.front()->path.size() == depth) {
    return Changed(old, *changes.front());
  }
  std::map<Step, std::vector<const Change*>> groups;
  for (const Change* change : changes) {
    groups[change->path[depth]].push_back(change);
  }
  if (const auto* map = old->If<Map>()) {
    Map rebuilt = *map;
    for (const auto& [step, group] : groups) {
      const std::string& name = std::get<std::string>(step);
      rebuilt.Erase(name);
      if (std::optional<AttributeValue> value = Rebuilt(map->Find(name), group, depth + 1)) {
        rebuilt.Set(name, *value);
      }
    }
    return rebuilt;
  }
  const List& list = *old->If<List>();
  List rebuilt;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto group = groups.find(Step(i));
    const std::optional<AttributeValue> value =
        group == groups.end() ? list[i] : Rebuilt(&list[i], group->second, depth + 1);
    if (value) {
      rebuilt.push_back(*value);
    }
  }
  for (const auto& [step, group] : groups) {
    if (std::get<std::size_t>(step) >= list.size()) {
      if (std::optional<AttributeValue> value = Rebuilt(nullptr, group, depth + 1)) {
        rebuilt.push_back(*value);
      }
    }
  }
  return rebuilt;
}

std::string TextOf(const std::vector<Step>& path) {
  std::string text;
  for (const Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      text += (text.empty() ? "" : ".") + *name;
    } else {
      text += '[' + std::to_string(std::get<std::size_t>(step)) + ']';
    }
  }
  return text;
}

// The expression of all changes, its sections in random order; values are added to `values`.
std::string ExpressionOf(const std::vector<Change>& changes, Map& values) {
  std::map<UpdateAction::Kind, std::string> sections;
  for (const Change& change : changes) {
    std::string& section = sections[change.kind];
    section += section.empty() ? std::string(SectionName(change.kind)) + ' ' : ", ";
    section += TextOf(change.path);
    if (change.kind == UpdateAction::Kind::kRemove) {
      continue;
    }
    const std::string placeholder = ":v" + std::to_string(values.size());
    values.Set(placeholder, change.value);
    section += (change.kind == UpdateAction::Kind::kSet ? " = " : " ") + placeholder;
  }
  std::string text;
  for (const auto& [kind, section] : sections) {
    text = *rc::gen::arbitrary<bool>() ? text + ' ' + section : section + ' ' + text;
  }
  return text;
}

RC_GTEST_PROP(Update, AgreesWithAModelThatRebuildsTheDocument, ()) {
  Map document;
  for (const char* name : {"a", "b", "c"}) {
    document.Set(name, RandomValue(3));
  }
  std::vector<Change> changes;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
    std::vector<Step> path;
    ExtendPath(document, path);
    if (std::ranges::none_of(changes,
                             [&](const Change& change) { return Overlap(change.path, path); })) {
      changes.push_back(RandomChange(document, std::move(path)));
    }
  }
  Map values;
  const std::string text = ExpressionOf(changes, values);
  Substitutions substitutions(nullptr, &values);
  const Result<std::shared_ptr<const UpdateTree>> tree = ParseUpdate(text);
  RC_ASSERT(tree.has_value());
  const Result<Update> update = Update::Bind(*tree, substitutions);
  RC_ASSERT(update.has_value());
  RC_ASSERT(substitutions.CheckAllUsed().has_value());
  const Result<Item> after = update->Apply(&document, {});
  RC_ASSERT(after.has_value());

  std::vector<const Change*> pointers;
  for (const Change& change : changes) {
    pointers.push_back(&change);
  }
  const AttributeValue whole(document);
  const std::optional<AttributeValue> expected = Rebuilt(&whole, pointers, 0);
  RC_LOG() << text << " of " << value::ToDynamoDbJson(document) << '\n';
  RC_ASSERT(value::ToDynamoDbJson(*after) == value::ToDynamoDbJson(*expected->If<Map>()));
}

}  // namespace
}  // namespace stator::expression
