// An update that is ready to be applied: a parsed tree with what its placeholders stand for. Made
// from an UpdateExpression by Bind, or from AttributeUpdates (legacy.h).
//
// Every action sees the item as it was before the update: right sides read the old values, and
// list indexes count in the old lists. Paths of one update never overlap, so the order of its
// actions does not matter.

#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/substitutions.h"
#include "expression/symbols.h"
#include "expression/update_tree.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

class Update {
 public:
  // Looks the placeholders up and checks what depends on them: overlapping paths, operand counts
  // and types. Borrows from what `substitutions` was made of.
  static Result<Update> Bind(std::shared_ptr<const UpdateTree> tree, Substitutions& substitutions);

  // The same for the update of a statement, whose symbols are bound already.
  static Result<Update> Bind(std::shared_ptr<const UpdateTree> tree, Bindings bindings);

  // REQUIRES: every symbol of `tree` is bound, paths do not overlap, operands are of fit types.
  Update(std::shared_ptr<const UpdateTree> tree, Bindings bindings)
      : tree_(std::move(tree)), bindings_(std::move(bindings)) {}

  // The item after the update. `before` is null when there is no item yet; the update then starts
  // from `key`, the key attributes of the item to be. Fails with kValidation and the service's
  // words when the item does not admit the update.
  [[nodiscard]] Result<Item> Apply(const Item* before, const Item& key) const;

  // An update of REMOVE and DELETE actions only leaves a missing item missing.
  [[nodiscard]] bool CreatesItem() const;

  // For ReturnValues UPDATED_OLD and UPDATED_NEW: what stands at the paths of the actions, and
  // nothing else, before or after the update. Empty when there is nothing to return.
  [[nodiscard]] Item UpdatedOld(const Item* before) const;
  [[nodiscard]] Item UpdatedNew(const Item& after) const;

  // The attributes that the actions write, sorted, each once. A key attribute among them is an
  // error: "Cannot update attribute pk. This attribute is part of the key".
  [[nodiscard]] std::vector<std::string_view> WrittenAttributes() const;

  // Whether a path, read or written, goes into that attribute; see symbols.h.
  [[nodiscard]] bool LooksInside(std::string_view attribute) const;

  [[nodiscard]] const UpdateTree& tree() const { return *tree_; }
  [[nodiscard]] const Bindings& bindings() const { return bindings_; }

 private:
  std::shared_ptr<const UpdateTree> tree_;
  Bindings bindings_;
};

}  // namespace stator::expression
