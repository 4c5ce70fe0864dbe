// Keeps parsed expressions: programs send the same few texts again and again, with other values.
// Texts that fail to parse are not kept.
//
// COST: a hit is one hash of the text, one shared lock and one reference count.
// THREADS: every method may be called from many threads.

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "expression/condition.h"
#include "expression/condition_tree.h"
#include "expression/projection.h"
#include "expression/text_cache.h"
#include "expression/update.h"
#include "expression/update_tree.h"
#include "stator/base/result.h"

namespace stator::expression {

class ExpressionCache {
 public:
  static constexpr std::size_t kDefaultEntries = 1024;

  // Holds about `entries_max` texts of each of the three grammars.
  explicit ExpressionCache(std::size_t entries_max = kDefaultEntries);
  ExpressionCache(const ExpressionCache&) = delete;
  ExpressionCache& operator=(const ExpressionCache&) = delete;
  ~ExpressionCache();

  // Parsed, from the cache or anew. Conditions, filters and key conditions share their entries.
  Result<std::shared_ptr<const ConditionTree>> ParseCondition(ExpressionKind kind,
                                                              std::string_view text);
  Result<std::shared_ptr<const UpdateTree>> ParseUpdate(std::string_view text);
  Result<std::shared_ptr<const ProjectionTree>> ParseProjection(std::string_view text);

  // Parsed and bound, which is what a request needs.
  Result<Condition> BindCondition(ExpressionKind kind, std::string_view text,
                                  Substitutions& substitutions);
  Result<Update> BindUpdate(std::string_view text, Substitutions& substitutions);
  Result<Projection> BindProjection(std::string_view text, Substitutions& substitutions);

 private:
  std::unique_ptr<TextCache<ConditionTree>> conditions_;
  std::unique_ptr<TextCache<UpdateTree>> updates_;
  std::unique_ptr<TextCache<ProjectionTree>> projections_;
};

}  // namespace stator::expression
