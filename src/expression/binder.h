// Looks up what the symbols of one expression stand for in one request, in the order in which the
// service would complain about them.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "expression/expression_kind.h"
#include "expression/substitutions.h"
#include "expression/symbols.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

class Binder {
 public:
  // Names that are no placeholders are bound at once; they stand for themselves.
  Binder(ExpressionKind kind, const Symbols& symbols, Substitutions& substitutions);
  // Everything is bound already, and only to be checked.
  Binder(ExpressionKind kind, const Symbols& symbols, Bindings bindings)
      : kind_(kind), symbols_(symbols), bindings_(std::move(bindings)) {}

  // The names of a path, then its depth.
  Result<void> BindPath(Path path);
  // The value of that number.
  Result<void> BindValue(std::size_t number);

  // Refuses two paths of which one holds the other, or which take the same thing for a map and for
  // a list. The service looks at the last path first, so of several mistakes the one that stands
  // last in the text is reported. Binds the paths on its way.
  Result<void> BindDistinctPaths(std::span<const Path> paths);

  [[nodiscard]] std::unexpected<Error> Fail(std::string_view what) const {
    return InvalidExpression(kind_, what);
  }
  [[nodiscard]] const Bindings& bindings() const { return bindings_; }
  Bindings Take() { return std::move(bindings_); }

 private:
  ExpressionKind kind_;
  const Symbols& symbols_;
  Substitutions* substitutions_ = nullptr;  // null when nothing is left to be looked up
  Bindings bindings_;
};

// "Incorrect number of operands for operator or function; ..."
std::string WrongOperandCount(std::string_view name, std::size_t count);
// "Incorrect operand type for operator or function; operator or function: <name>, operand type: N"
std::string WrongOperandType(std::string_view name, std::string_view type);
// "Operator or function requires a document path; operator or function: <name>"
std::string PathRequired(std::string_view name);

// How two bound paths stand to each other.
enum class PathRelation : std::uint8_t {
  kDistinct,
  kOverlap,   // equal, or one goes on where the other ends
  kConflict,  // the same prefix, then a name in one and an index in the other
};
PathRelation Relate(const Symbols& symbols, const Bindings& bindings, Path left, Path right);

// A total order of bound paths: step by step, indexes before names, then by number or name. Paths
// with a common beginning are neighbours in it.
bool IsBefore(const Symbols& symbols, const Bindings& bindings, Path left, Path right);

}  // namespace stator::expression
