#include "expression/expression_cache.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/try.h"

namespace stator::expression {
namespace {

// Lets a map of strings be searched by a view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace

// Two generations of texts. New ones and those that were asked for again go to the young one; when
// it is full it becomes the old one, and what nobody asked for since is gone.
template <class Tree>
class ExpressionCache::Shelf {
 public:
  using Pointer = std::shared_ptr<const Tree>;

  explicit Shelf(std::size_t entries_max)
      : generation_max_(std::max<std::size_t>(1, entries_max / 2)) {}

  // Null when the text is not there.
  Pointer Find(std::string_view text) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto entry = young_.find(text); entry != young_.end()) {
        return entry->second;
      }
      if (!old_.contains(text)) {
        return nullptr;
      }
    }
    const std::unique_lock lock(mutex_);
    const auto entry = old_.find(text);
    if (entry == old_.end()) {
      return nullptr;
    }
    Pointer tree = entry->second;
    Insert(text, tree);
    return tree;
  }

  void Add(std::string_view text, Pointer tree) {
    const std::unique_lock lock(mutex_);
    Insert(text, std::move(tree));
  }

 private:
  using Texts = std::unordered_map<std::string, Pointer, TextHash, std::equal_to<>>;

  // REQUIRES: mutex_ is held exclusively.
  void Insert(std::string_view text, Pointer tree) {
    if (young_.size() >= generation_max_) {
      old_ = std::exchange(young_, Texts());
    }
    young_.emplace(text, std::move(tree));
  }

  const std::size_t generation_max_;
  std::shared_mutex mutex_;
  Texts young_;  // protected by mutex_
  Texts old_;    // protected by mutex_
};

ExpressionCache::ExpressionCache(std::size_t entries_max)
    : conditions_(std::make_unique<Shelf<ConditionTree>>(entries_max)),
      updates_(std::make_unique<Shelf<UpdateTree>>(entries_max)),
      projections_(std::make_unique<Shelf<ProjectionTree>>(entries_max)) {}

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
