#include "expression/projection.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "expression/binder.h"
#include "expression/parser.h"
#include "expression/project_paths.h"

namespace stator::expression {

Result<std::shared_ptr<const ProjectionTree>> ParseProjection(std::string_view text) {
  TRY_VOID(CheckExpressionSize(ExpressionKind::kProjection, text));
  Parser parser(ExpressionKind::kProjection, text);
  ProjectionTree tree;
  do {
    tree.paths.push_back(TRY(parser.TakePath()));
  } while (parser.TakeIf(Token::Kind::kComma));
  if (!parser.NextIs(Token::Kind::kEnd)) {
    return parser.SyntaxError();
  }
  TRY_VOID(parser.CheckNotes());
  tree.symbols = parser.TakeSymbols();
  return std::make_shared<const ProjectionTree>(std::move(tree));
}

Projection::Projection(std::shared_ptr<const ProjectionTree> tree, Bindings bindings)
    : tree_(std::move(tree)), bindings_(std::move(bindings)), sorted_(tree_->paths) {
  std::ranges::sort(sorted_, [this](Path left, Path right) {
    return IsBefore(tree_->symbols, bindings_, left, right);
  });
}

Result<Projection> Projection::Bind(std::shared_ptr<const ProjectionTree> tree,
                                    Substitutions& substitutions) {
  Binder binder(ExpressionKind::kProjection, tree->symbols, substitutions);
  TRY_VOID(binder.BindDistinctPaths(tree->paths));
  return Projection(std::move(tree), binder.Take());
}

Projection Projection::OfAttributes(std::span<const std::string> names) {
  ProjectionTree tree;
  std::vector<std::string> distinct(names.begin(), names.end());
  std::ranges::sort(distinct);
  const auto repeated = std::ranges::unique(distinct);
  distinct.erase(repeated.begin(), repeated.end());
  for (std::string& name : distinct) {
    const auto number = static_cast<std::uint32_t>(tree.symbols.names.size());
    tree.symbols.names.push_back({.text = std::move(name)});
    tree.symbols.steps.push_back({.is_index = false, .number = number});
    tree.paths.push_back({.first_step = static_cast<std::uint32_t>(number), .step_count = 1});
  }
  auto shared = std::make_shared<const ProjectionTree>(std::move(tree));
  Bindings bindings = BindLiterally(shared->symbols, {});
  return Projection(std::move(shared), std::move(bindings));
}

Item Projection::Apply(const Item& item) const {
  return ProjectSortedPaths(tree_->symbols, bindings_, sorted_, item);
}

std::vector<std::string_view> Projection::TopLevelAttributes() const {
  return expression::TopLevelAttributes(tree_->symbols, bindings_, tree_->paths);
}

bool Projection::LooksInside(std::string_view attribute) const {
  return expression::LooksInside(tree_->symbols, bindings_, tree_->paths, attribute);
}

}  // namespace stator::expression
