#include "expression/expression_cache.h"

#include <utility>

#include "base/try.h"

namespace stator::expression {

ExpressionCache::ExpressionCache(std::size_t entries_max)
    : conditions_(std::make_unique<TextCache<ConditionTree>>(entries_max)),
      updates_(std::make_unique<TextCache<UpdateTree>>(entries_max)),
      projections_(std::make_unique<TextCache<ProjectionTree>>(entries_max)) {}

ExpressionCache::~ExpressionCache() = default;

Result<std::shared_ptr<const ConditionTree>> ExpressionCache::ParseCondition(
    ExpressionKind kind, std::string_view text) {
  if (auto tree = conditions_->Find(text)) {
    return tree;
  }
  auto tree = TRY(expression::ParseCondition(kind, text));
  conditions_->Add(text, tree);
  return tree;
}

Result<std::shared_ptr<const UpdateTree>> ExpressionCache::ParseUpdate(std::string_view text) {
  if (auto tree = updates_->Find(text)) {
    return tree;
  }
  auto tree = TRY(expression::ParseUpdate(text));
  updates_->Add(text, tree);
  return tree;
}

Result<std::shared_ptr<const ProjectionTree>> ExpressionCache::ParseProjection(
    std::string_view text) {
  if (auto tree = projections_->Find(text)) {
    return tree;
  }
  auto tree = TRY(expression::ParseProjection(text));
  projections_->Add(text, tree);
  return tree;
}

Result<Condition> ExpressionCache::BindCondition(ExpressionKind kind, std::string_view text,
                                                 Substitutions& substitutions) {
  auto tree = TRY(ParseCondition(kind, text));
  return Condition::Bind(kind, std::move(tree), substitutions);
}

Result<Update> ExpressionCache::BindUpdate(std::string_view text, Substitutions& substitutions) {
  auto tree = TRY(ParseUpdate(text));
  return Update::Bind(std::move(tree), substitutions);
}

Result<Projection> ExpressionCache::BindProjection(std::string_view text,
                                                   Substitutions& substitutions) {
  auto tree = TRY(ParseProjection(text));
  return Projection::Bind(std::move(tree), substitutions);
}

}  // namespace stator::expression
