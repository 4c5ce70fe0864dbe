#include "expression/binder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/limits.h"

namespace stator::expression {
namespace {

// Below this many paths comparing all with all is the fastest way.
constexpr std::size_t kFewPaths = 16;

bool IsSameStep(const Bindings& bindings, PathStep left, PathStep right) {
  if (left.is_index != right.is_index) {
    return false;
  }
  return left.number == right.number ||
         (!left.is_index && bindings.names[left.number] == bindings.names[right.number]);
}

// Whether any two paths overlap or conflict. In sorted order such a pair has such a pair of
// neighbours: everything between a path and its continuation continues it too, and where a name
// and an index follow the same prefix, the last index stands beside the first name.
bool HasMistake(const Symbols& symbols, const Bindings& bindings, std::span<const Path> paths) {
  std::vector<Path> sorted(paths.begin(), paths.end());
  std::ranges::sort(
      sorted, [&](Path left, Path right) { return IsBefore(symbols, bindings, left, right); });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (Relate(symbols, bindings, sorted[i - 1], sorted[i]) != PathRelation::kDistinct) {
      return true;
    }
  }
  return false;
}

std::string PathMistake(PathRelation relation, std::string_view one, std::string_view two) {
  std::string what = "Two document paths ";
  what += relation == PathRelation::kOverlap ? "overlap" : "conflict";
  what += " with each other; must remove or rewrite one of these paths; path one: ";
  what += one;
  what += ", path two: ";
  what += two;
  return what;
}

}  // namespace

Binder::Binder(ExpressionKind kind, const Symbols& symbols, Substitutions& substitutions)
    : kind_(kind), symbols_(symbols), substitutions_(&substitutions), bindings_(symbols) {
  for (std::size_t i = 0; i < symbols.names.size(); ++i) {
    if (!symbols.names[i].placeholder) {
      bindings_.names[i] = symbols.names[i].text;
    }
  }
}

Result<void> Binder::BindPath(Path path) {
  for (const PathStep step : symbols_.StepsOf(path)) {
    if (step.is_index || bindings_.names[step.number].data() != nullptr) {
      continue;
    }
    const std::string& placeholder = symbols_.names[step.number].text;
    const std::string* name = substitutions_->UseName(placeholder);
    if (name == nullptr) {
      return Fail(
          "An expression attribute name used in the document path is not defined; "
          "attribute name: " +
          placeholder);
    }
    bindings_.names[step.number] = *name;
  }
  if (path.step_count > limits::kNestingDepthMax) {
    return Fail("The document path has too many nesting levels; nesting levels: " +
                std::to_string(path.step_count));
  }
  return {};
}

Result<void> Binder::BindValue(std::size_t number) {
  if (bindings_.values[number] != nullptr) {
    return {};
  }
  bindings_.values[number] = substitutions_->UseValue(symbols_.values[number]);
  if (bindings_.values[number] == nullptr) {
    return Fail(
        "An expression attribute value used in expression is not defined; "
        "attribute value: " +
        symbols_.values[number]);
  }
  return {};
}

Result<void> Binder::BindDistinctPaths(std::span<const Path> paths) {
  // With many paths the quick answer comes first, so that the slow search below runs only to find
  // out which mistake to name.
  bool search = paths.size() <= kFewPaths;
  if (!search) {
    bool bound = true;
    for (const Path path : paths) {
      bound = bound && BindPath(path).has_value();
    }
    search = !bound || HasMistake(symbols_, bindings_, paths);
  }
  for (std::size_t i = paths.size(); search && i-- > 0;) {
    if (Result<void> bound = BindPath(paths[i]); !bound) {
      return bound;
    }
    for (std::size_t later = paths.size(); --later > i;) {
      const PathRelation relation = Relate(symbols_, bindings_, paths[i], paths[later]);
      if (relation != PathRelation::kDistinct) {
        return Fail(PathMistake(relation, PathText(symbols_, bindings_, paths[i]),
                                PathText(symbols_, bindings_, paths[later])));
      }
    }
  }
  return {};
}

std::string WrongOperandCount(std::string_view name, std::size_t count) {
  return "Incorrect number of operands for operator or function; operator or function: " +
         std::string(name) + ", number of operands: " + std::to_string(count);
}

std::string WrongOperandType(std::string_view name, std::string_view type) {
  return "Incorrect operand type for operator or function; operator or function: " +
         std::string(name) + ", operand type: " + std::string(type);
}

std::string PathRequired(std::string_view name) {
  return "Operator or function requires a document path; operator or function: " +
         std::string(name);
}

PathRelation Relate(const Symbols& symbols, const Bindings& bindings, Path left, Path right) {
  const std::span<const PathStep> left_steps = symbols.StepsOf(left);
  const std::span<const PathStep> right_steps = symbols.StepsOf(right);
  const std::size_t common = std::min(left_steps.size(), right_steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (left_steps[i].is_index != right_steps[i].is_index) {
      return PathRelation::kConflict;
    }
    if (!IsSameStep(bindings, left_steps[i], right_steps[i])) {
      return PathRelation::kDistinct;
    }
  }
  return PathRelation::kOverlap;
}

bool IsBefore(const Symbols& symbols, const Bindings& bindings, Path left, Path right) {
  const std::span<const PathStep> left_steps = symbols.StepsOf(left);
  const std::span<const PathStep> right_steps = symbols.StepsOf(right);
  const std::size_t common = std::min(left_steps.size(), right_steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const PathStep one = left_steps[i];
    const PathStep two = right_steps[i];
    if (IsSameStep(bindings, one, two)) {
      continue;
    }
    if (one.is_index != two.is_index) {
      return one.is_index;
    }
    return one.is_index ? one.number < two.number
                        : bindings.names[one.number] < bindings.names[two.number];
  }
  return left_steps.size() < right_steps.size();
}

}  // namespace stator::expression
