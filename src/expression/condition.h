// A condition that is ready to be asked: a parsed tree together with what its placeholders stand
// for in one request. Made from an expression by Bind, or from legacy parameters (legacy.h).
//
// Asking allocates nothing.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "expression/condition_tree.h"
#include "expression/substitutions.h"
#include "expression/symbols.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

class Condition {
 public:
  // Looks the placeholders up and checks what depends on them: operand counts, equal operands,
  // types of values, order of bounds, limits. `kind` is named in error messages. The condition
  // borrows names and values from what `substitutions` was made of.
  static Result<Condition> Bind(ExpressionKind kind, std::shared_ptr<const ConditionTree> tree,
                                Substitutions& substitutions);

  // The same for a tree whose symbols are bound already.
  static Result<Condition> Bind(ExpressionKind kind, std::shared_ptr<const ConditionTree> tree,
                                Bindings bindings);

  // REQUIRES: every symbol of `tree` is bound.
  Condition(std::shared_ptr<const ConditionTree> tree, Bindings bindings)
      : tree_(std::move(tree)), bindings_(std::move(bindings)) {}

  // Whether the item satisfies the condition; null is an item that does not exist. Cannot fail:
  // what the item holds in the wrong type makes a comparison false, not an error.
  [[nodiscard]] bool Matches(const Item* item) const;
  [[nodiscard]] bool Matches(const Item& item) const { return Matches(&item); }

  // The attributes that the condition looks at, sorted, each once.
  [[nodiscard]] std::vector<std::string_view> TopLevelAttributes() const;

  // Whether a path goes into that attribute, which key attributes forbid; see symbols.h.
  [[nodiscard]] bool LooksInside(std::string_view attribute) const;

  // What asking costs at most, in units of work (base/work.h).
  struct Cost {
    std::uint64_t fixed = 0;
    std::uint64_t scans = 0;  // how often the whole item may be looked at

    [[nodiscard]] std::uint64_t For(std::size_t item_bytes) const {
      return fixed + scans * item_bytes;
    }
  };
  [[nodiscard]] Cost CostOfAsking() const;

  [[nodiscard]] const ConditionTree& tree() const { return *tree_; }
  [[nodiscard]] const Bindings& bindings() const { return bindings_; }

 private:
  std::shared_ptr<const ConditionTree> tree_;
  Bindings bindings_;
};

}  // namespace stator::expression
