#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expression/binder.h"
#include "expression/project_paths.h"
#include "expression/update.h"
#include "expression/update_values.h"

namespace stator::expression {
namespace {

// Writes to a copy of an item, in three steps, because list indexes count in the old lists:
//   1. entries of maps and elements that are there are replaced or removed at once,
//   2. elements past the end of their list are appended, by their index,
//   3. elements are removed, the last first, so that no removal moves one that is yet to go.
class Writer {
 public:
  Writer(const Symbols& symbols, const Bindings& bindings, Item item)
      : symbols_(symbols), bindings_(bindings), item_(std::move(item)) {}

  void Set(Path path, AttributeValue value) {
    const PathStep last = symbols_.StepsOf(path).back();
    if (!last.is_index) {
      Map& map = ParentMap(path);
      const std::string_view name = bindings_.names[last.number];
      if (AttributeValue* old = map.Find(name)) {
        *old = std::move(value);
      } else {
        map.Set(std::string(name), std::move(value));
      }
      return;
    }
    List& list = ParentList(path);
    if (last.number < list.size()) {
      list[last.number] = std::move(value);
    } else {
      appended_.push_back({.path = path, .index = last.number, .value = std::move(value)});
    }
  }

  void Remove(Path path) {
    const PathStep last = symbols_.StepsOf(path).back();
    if (!last.is_index) {
      ParentMap(path).Erase(bindings_.names[last.number]);
    } else if (last.number < ParentList(path).size()) {
      removed_.push_back(path);
    }
  }

  Item Finish() {
    // Elements of the same list have different indexes; between lists the order does not matter.
    std::ranges::sort(appended_, {}, &Appended::index);
    for (Appended& element : appended_) {
      ParentList(element.path).push_back(std::move(element.value));
    }
    std::ranges::sort(removed_, [this](Path left, Path right) {
      return IsBefore(symbols_, bindings_, right, left);
    });
    for (const Path path : removed_) {
      List& list = ParentList(path);
      list.erase(list.begin() + symbols_.StepsOf(path).back().number);
    }
    return std::move(item_);
  }

 private:
  struct Appended {
    Path path;
    std::uint32_t index = 0;
    AttributeValue value;
  };

  // What holds the last step of a path. Update::Apply has checked that it is there and of the
  // type that the step needs.
  Map& ParentMap(Path path) {
    AttributeValue* parent = Parent(path);
    return parent == nullptr ? item_ : *parent->If<Map>();
  }
  List& ParentList(Path path) { return *Parent(path)->If<List>(); }

  // Null for the item itself.
  AttributeValue* Parent(Path path) {
    const std::span<const PathStep> steps = symbols_.StepsOf(path);
    if (steps.size() == 1) {
      return nullptr;
    }
    AttributeValue* value = item_.Find(bindings_.names[steps.front().number]);
    for (const PathStep step : steps.subspan(1, steps.size() - 2)) {
      value = step.is_index ? &(*value->If<List>())[step.number]
                            : value->If<Map>()->Find(bindings_.names[step.number]);
    }
    return value;
  }

  const Symbols& symbols_;
  const Bindings& bindings_;
  Item item_;
  std::vector<Appended> appended_;
  std::vector<Path> removed_;
};

// Whether the item has a map or a list, as the last step needs it, for the path to end in.
bool HasParent(const Symbols& symbols, const Bindings& bindings, Path path, const Item* item) {
  if (path.step_count == 1) {
    return true;
  }
  const Path parent = {.first_step = path.first_step,
                       .step_count = static_cast<std::uint32_t>(path.step_count - 1)};
  const AttributeValue* value = FindPath(symbols, bindings, parent, item);
  if (value == nullptr) {
    return false;
  }
  return symbols.StepsOf(path).back().is_index ? value->Is<List>() : value->Is<Map>();
}

// Removing from an item that does not exist has no effect, whatever the path.
bool OnlyRemoves(const UpdateAction& action) {
  return action.kind == UpdateAction::Kind::kRemove || action.kind == UpdateAction::Kind::kDelete;
}

std::vector<Path> WrittenPaths(const UpdateTree& tree) {
  std::vector<Path> paths;
  paths.reserve(tree.actions.size());
  for (const UpdateAction& action : tree.actions) {
    paths.push_back(tree.paths[action.path]);
  }
  return paths;
}

}  // namespace

Result<Item> Update::Apply(const Item* before, const Item& key) const {
  const Symbols& symbols = tree_->symbols;
  for (const UpdateAction& action : tree_->actions) {
    if (before == nullptr && OnlyRemoves(action)) {
      continue;
    }
    if (!HasParent(symbols, bindings_, tree_->paths[action.path], before)) {
      return Invalid("The document path provided in the update expression is invalid for update");
    }
  }
  const UpdateValues values(*tree_, bindings_, before);
  Writer writer(symbols, bindings_, before != nullptr ? *before : key);
  for (const UpdateAction& action : tree_->actions) {
    if (before == nullptr && OnlyRemoves(action)) {
      continue;
    }
    const Path path = tree_->paths[action.path];
    std::optional<AttributeValue> value = TRY(values.After(action));
    if (value) {
      writer.Set(path, *std::move(value));
    } else {
      writer.Remove(path);
    }
  }
  return writer.Finish();
}

bool Update::CreatesItem() const {
  return tree_->actions.empty() || !std::ranges::all_of(tree_->actions, OnlyRemoves);
}

Item Update::UpdatedOld(const Item* before) const {
  return before == nullptr ? Item()
                           : ProjectPaths(tree_->symbols, bindings_, WrittenPaths(*tree_), *before);
}

Item Update::UpdatedNew(const Item& after) const {
  return ProjectPaths(tree_->symbols, bindings_, WrittenPaths(*tree_), after);
}

std::vector<std::string_view> Update::WrittenAttributes() const {
  return TopLevelAttributes(tree_->symbols, bindings_, WrittenPaths(*tree_));
}

bool Update::LooksInside(std::string_view attribute) const {
  return expression::LooksInside(tree_->symbols, bindings_, tree_->paths, attribute);
}

}  // namespace stator::expression
