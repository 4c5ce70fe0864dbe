// Arbitrary bytes as expressions of all five kinds, bound to fixed placeholders and asked of a
// fixed item. What is accepted must keep some promises: a condition and its negation disagree, an
// update gives the same item twice and reads back what it says it wrote, a projection takes parts
// of the item only.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"

namespace {

using stator::Item;
using stator::List;
using stator::Map;
using stator::StringSet;
using stator::expression::ExpressionCache;
using stator::expression::ExpressionKind;
using stator::expression::Substitutions;

struct Request {
  Substitutions::Names names = {{"#a", "a"}, {"#n", "name"}, {"#0", "m"}};
  Map values = {{":a", "x"}, {":n", 1}, {":s", StringSet{"a"}}, {":l", List{1}}, {":0", Map{}}};
  Item item = {{"a", "str"},
               {"n", 5},
               {"s", StringSet{"a", "b"}},
               {"l", List{"x", 2, Map{{"z", 1}}}},
               {"m", Map{{"x", "in"}, {"y", List{1, 7}}}}};
};

void ReadCondition(std::string_view text, const Request& request, ExpressionCache& cache) {
  Substitutions substitutions(&request.names, &request.values);
  const auto condition = cache.BindCondition(ExpressionKind::kFilter, text, substitutions);
  if (!condition) {
    return;
  }
  const bool matches = condition->Matches(request.item);
  (void)condition->Matches(nullptr);
  (void)condition->TopLevelAttributes();
  (void)CompareKeys(*condition);
  const std::string negated = "NOT (" + std::string(text) + ")";
  const auto negation = cache.BindCondition(ExpressionKind::kCondition, negated, substitutions);
  if (negation) {
    CHECK_THAT(negation->Matches(request.item) != matches, text);
  }
}

void ReadUpdate(std::string_view text, const Request& request, ExpressionCache& cache) {
  Substitutions substitutions(&request.names, &request.values);
  const auto update = cache.BindUpdate(text, substitutions);
  if (!update) {
    return;
  }
  (void)update->Apply(nullptr, {{"pk", "k"}});
  const auto after = update->Apply(&request.item, {});
  if (!after) {
    return;
  }
  CHECK_THAT(update->Apply(&request.item, {}).value() == *after, text);
  const auto written = update->WrittenAttributes();
  const Item updated = update->UpdatedNew(*after);
  CHECK_THAT(updated.size() <= written.size(), text);
  for (const auto& [name, value] : request.item) {
    const bool touched = std::find(written.begin(), written.end(), name) != written.end();
    CHECK_THAT(touched || after->at(name) == value, text);
  }
}

void ReadProjection(std::string_view text, const Request& request, ExpressionCache& cache) {
  Substitutions substitutions(&request.names, &request.values);
  const auto projection = cache.BindProjection(text, substitutions);
  if (!projection) {
    return;
  }
  for (const auto& [name, value] : projection->Apply(request.item)) {
    CHECK_THAT(request.item.at(name).type() == value.type(), text);
  }
}

}  // namespace

// The name is libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Request kRequest;
  static ExpressionCache cache(64);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadCondition(text, kRequest, cache);
  ReadUpdate(text, kRequest, cache);
  ReadProjection(text, kRequest, cache);
  return 0;
}
