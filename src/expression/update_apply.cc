#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "expression/binder.h"
#include "expression/project_paths.h"
#include "expression/update.h"
#include "expression/update_values.h"
#include "value/size.h"

namespace stator::expression {
namespace {

// Above this many actions the cost of each must not depend on the size of the item.
constexpr std::size_t kFewActions = 8;

// Writes to a copy of an item, in two steps, because list indexes count in the old lists:
//   1. what is there is replaced at once,
//   2. entries and elements that come or go do so one map or list after the other, the innermost
//      first, in one pass over each: an update of a thousand parts of a list of a hundred thousand
//      moves each element once.
class Writer {
 public:
  Writer(const Symbols& symbols, const Bindings& bindings, Item item)
      : symbols_(symbols), bindings_(bindings), item_(std::move(item)) {}

  void Set(Path path, AttributeValue value) {
    const PathStep last = symbols_.StepsOf(path).back();
    AttributeValue* old = nullptr;
    if (!last.is_index) {
      old = ParentMap(path).Find(bindings_.names[last.number]);
    } else if (List& list = ParentList(path); last.number < list.size()) {
      old = &list[last.number];
    }
    if (old != nullptr) {
      *old = std::move(value);
    } else {
      changes_.push_back({.path = path, .value = std::move(value)});
    }
  }

  void Remove(Path path) {
    const PathStep last = symbols_.StepsOf(path).back();
    if (!last.is_index || last.number < ParentList(path).size()) {
      changes_.push_back({.path = path, .value = std::nullopt});
    }
  }

  Item Finish() {
    std::ranges::sort(changes_, [this](const Change& left, const Change& right) {
      if (left.path.step_count != right.path.step_count) {
        return left.path.step_count > right.path.step_count;
      }
      return IsBefore(symbols_, bindings_, left.path, right.path);
    });
    std::span<Change> rest = changes_;
    while (!rest.empty()) {
      std::size_t siblings = 1;
      while (siblings < rest.size() && AreSiblings(rest.front().path, rest[siblings].path)) {
        ++siblings;
      }
      ApplyTo(rest.first(siblings));
      rest = rest.subspan(siblings);
    }
    return std::move(item_);
  }

 private:
  // An entry or element that comes, or goes: no value.
  struct Change {
    Path path;
    std::optional<AttributeValue> value;
  };

  [[nodiscard]] PathStep LastStep(const Change& change) const {
    return symbols_.StepsOf(change.path).back();
  }
  [[nodiscard]] std::string_view NameOf(const Change& change) const {
    return bindings_.names[LastStep(change).number];
  }

  // Whether both end in the same map or list.
  [[nodiscard]] bool AreSiblings(Path left, Path right) const {
    if (left.step_count != right.step_count) {
      return false;
    }
    --left.step_count;
    --right.step_count;
    return !IsBefore(symbols_, bindings_, left, right) &&
           !IsBefore(symbols_, bindings_, right, left);
  }

  // `changes` end in the same map or list, and are sorted by name or index.
  void ApplyTo(std::span<Change> changes) {
    if (LastStep(changes.front()).is_index) {
      ApplyToList(ParentList(changes.front().path), changes);
    } else if (changes.size() <= kFewActions) {
      Map& map = ParentMap(changes.front().path);
      for (Change& change : changes) {
        if (change.value) {
          map.Set(std::string(NameOf(change)), *std::move(change.value));
        } else {
          map.Erase(NameOf(change));
        }
      }
    } else {
      Merge(ParentMap(changes.front().path), changes);
    }
  }

  void Merge(Map& map, std::span<Change> changes) {
    std::vector<Map::value_type> merged;
    merged.reserve(map.size() + changes.size());
    auto entry = map.begin();
    for (Change& change : changes) {
      const std::string_view name = NameOf(change);
      for (; entry != map.end() && entry->first < name; ++entry) {
        merged.push_back(std::move(*entry));
      }
      if (change.value) {
        merged.emplace_back(std::string(name), *std::move(change.value));
      } else if (entry != map.end() && entry->first == name) {
        ++entry;
      }
    }
    std::move(entry, map.end(), std::back_inserter(merged));
    const bool sorted = map.AssignSorted(std::move(merged));
    CHECK_THAT(sorted, "names of a map that stay in order");
  }

  // Elements that go are in the list, those that come are behind its end.
  void ApplyToList(List& list, std::span<Change> changes) {
    std::size_t kept = 0;
    std::size_t at = 0;
    const auto keep_until = [&](std::size_t end) {
      for (; at < end; ++at, ++kept) {
        if (kept != at) {
          list[kept] = std::move(list[at]);
        }
      }
    };
    const std::size_t old_size = list.size();
    for (const Change& change : changes) {
      if (!change.value) {
        keep_until(LastStep(change).number);
        ++at;
      }
    }
    keep_until(old_size);
    list.resize(kept);
    for (Change& change : changes) {
      if (change.value) {
        list.push_back(*std::move(change.value));
      }
    }
  }

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
  std::vector<Change> changes_;
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
  // An item to be has its key already, for right sides to read.
  const UpdateValues values(*tree_, bindings_, before != nullptr ? before : &key);
  Writer writer(symbols, bindings_, before != nullptr ? *before : key);
  std::size_t bytes = 0;  // of values written, when there are many
  for (const UpdateAction& action : tree_->actions) {
    if (before == nullptr && OnlyRemoves(action)) {
      continue;
    }
    const Path path = tree_->paths[action.path];
    std::optional<AttributeValue> value = TRY(values.After(action));
    if (value && tree_->actions.size() > kFewActions) {
      // Paths do not overlap, so all of it would be in the item: a thousand copies of one large
      // value are refused before they are made.
      bytes += value::SizeOf(*value);
      if (bytes > limits::kItemBytesMax) {
        return Fail(ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size");
      }
    }
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
