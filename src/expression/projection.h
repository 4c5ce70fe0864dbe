// A projection: which parts of an item a read returns. Made from a ProjectionExpression or from a
// list of attributes (AttributesToGet, an index's projection).
//
// Parts keep their place in the document, except that elements of a list move together: l[1], l[4]
// of an item come back as a list of two, in the order of the item.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/substitutions.h"
#include "expression/symbols.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// A parsed ProjectionExpression; depends on the text alone.
struct ProjectionTree {
  Symbols symbols;
  std::vector<Path> paths;  // in the order of the text
};

Result<std::shared_ptr<const ProjectionTree>> ParseProjection(std::string_view text);

class Projection {
 public:
  // Looks names up and refuses paths that overlap or conflict. Borrows from what `substitutions`
  // was made of.
  static Result<Projection> Bind(std::shared_ptr<const ProjectionTree> tree,
                                 Substitutions& substitutions);

  // Whole attributes by name; names may repeat.
  static Projection OfAttributes(std::span<const std::string> names);

  // The parts of the item that the paths name; what is not there is left out.
  [[nodiscard]] Item Apply(const Item& item) const;

  // The attributes that the paths begin with, sorted, each once.
  [[nodiscard]] std::vector<std::string_view> TopLevelAttributes() const;

  // Whether a path goes into that attribute; see symbols.h.
  [[nodiscard]] bool LooksInside(std::string_view attribute) const;

 private:
  Projection(std::shared_ptr<const ProjectionTree> tree, Bindings bindings);

  std::shared_ptr<const ProjectionTree> tree_;
  Bindings bindings_;
  std::vector<Path> sorted_;  // the paths of the tree, those with a common beginning together
};

}  // namespace stator::expression
