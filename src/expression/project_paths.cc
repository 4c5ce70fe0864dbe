#include "expression/project_paths.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "expression/binder.h"

namespace stator::expression {
namespace {

class Projector {
 public:
  Projector(const Symbols& symbols, const Bindings& bindings)
      : symbols_(symbols), bindings_(bindings) {}

  // The parts of `map` that the paths lead to. All paths agree in their first `depth` steps, which
  // lead to the map, and go on with a name.
  [[nodiscard]] Map ProjectMap(const Map& map, std::span<const Path> paths,
                               std::size_t depth) const {
    Map projected;
    projected.reserve(std::min(paths.size(), map.size()));
    while (!paths.empty()) {
      const std::span<const Path> group = TakeGroup(paths, depth);
      const std::string_view name = NameOf(StepAt(group.front(), depth));
      const AttributeValue* value = map.Find(name);
      if (value == nullptr) {
        continue;
      }
      if (std::optional<AttributeValue> part = ProjectValue(*value, group, depth + 1)) {
        projected.Append(std::string(name), *std::move(part));
      }
    }
    return projected;
  }

 private:
  [[nodiscard]] PathStep StepAt(Path path, std::size_t depth) const {
    return symbols_.StepsOf(path)[depth];
  }
  [[nodiscard]] std::string_view NameOf(PathStep step) const {
    return bindings_.names[step.number];
  }

  // Removes from the front of `paths` those that take the same step at `depth`.
  std::span<const Path> TakeGroup(std::span<const Path>& paths, std::size_t depth) const {
    const PathStep first = StepAt(paths.front(), depth);
    std::size_t size = 1;
    while (size < paths.size() && IsSame(first, StepAt(paths[size], depth))) {
      ++size;
    }
    const std::span<const Path> group = paths.first(size);
    paths = paths.subspan(size);
    return group;
  }

  [[nodiscard]] bool IsSame(PathStep left, PathStep right) const {
    return left.number == right.number || (!left.is_index && NameOf(left) == NameOf(right));
  }

  [[nodiscard]] std::optional<AttributeValue> ProjectValue(const AttributeValue& value,
                                                           std::span<const Path> paths,
                                                           std::size_t depth) const {
    if (paths.front().step_count == depth) {
      return value;
    }
    if (StepAt(paths.front(), depth).is_index) {
      const auto* list = value.If<List>();
      return list == nullptr ? std::nullopt : ProjectList(*list, paths, depth);
    }
    const auto* map = value.If<Map>();
    if (map == nullptr) {
      return std::nullopt;
    }
    Map projected = ProjectMap(*map, paths, depth);
    return projected.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(projected));
  }

  [[nodiscard]] std::optional<AttributeValue> ProjectList(const List& list,
                                                          std::span<const Path> paths,
                                                          std::size_t depth) const {
    List projected;
    while (!paths.empty()) {
      const std::span<const Path> group = TakeGroup(paths, depth);
      const std::size_t index = StepAt(group.front(), depth).number;
      if (index >= list.size()) {
        break;  // and so are the indexes of those behind
      }
      if (std::optional<AttributeValue> part = ProjectValue(list[index], group, depth + 1)) {
        projected.push_back(*std::move(part));
      }
    }
    return projected.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(projected));
  }

  const Symbols& symbols_;
  const Bindings& bindings_;
};

}  // namespace

Item ProjectPaths(const Symbols& symbols, const Bindings& bindings, std::vector<Path> paths,
                  const Item& item) {
  std::ranges::sort(
      paths, [&](Path left, Path right) { return IsBefore(symbols, bindings, left, right); });
  return ProjectSortedPaths(symbols, bindings, paths, item);
}

Item ProjectSortedPaths(const Symbols& symbols, const Bindings& bindings,
                        std::span<const Path> paths, const Item& item) {
  return Projector(symbols, bindings).ProjectMap(item, paths, 0);
}

}  // namespace stator::expression
