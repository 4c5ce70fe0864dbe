// What expressions cost: a typical condition and a typical update, each step alone and all
// together.
//
// counted.h says how to run it.

#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "counted.h"
#include "expression/expression_cache.h"

namespace {

using stator::Item;
using stator::List;
using stator::Map;
using stator::StringSet;
using stator::expression::Condition;
using stator::expression::ConditionTree;
using stator::expression::ExpressionCache;
using stator::expression::ExpressionKind;
using stator::expression::Projection;
using stator::expression::Substitutions;
using stator::expression::Update;
using stator::expression::UpdateTree;

constexpr std::string_view kCondition = "attribute_not_exists(pk) OR (#s = :open AND rev = :rev)";
constexpr std::string_view kUpdate =
    "SET #s = :next, rev = rev + :one, steps[0].done = :yes REMOVE lease ADD tags :tags";
constexpr std::string_view kProjection = "pk, #s, rev, steps[0].done";

// Everything that the cases need, made once.
struct Fixture {
  Item item = {{"pk", "TASK#7f4c2c2e"},
               {"sk", "META"},
               {"status", "OPEN"},
               {"rev", 17},
               {"lease", "worker-3"},
               {"created_at", 1786702530},
               {"note", "the quick brown fox jumps over the lazy dog"},
               {"tags", StringSet{"express", "fragile"}},
               {"steps", List{Map{{"name", "pick"}, {"done", false}}, Map{{"name", "pack"}}}}};
  Substitutions::Names names = {{"#s", "status"}};
  Map condition_values = {{":open", "OPEN"}, {":rev", 17}};
  Map update_values = {
      {":next", "DONE"}, {":one", 1}, {":yes", true}, {":tags", StringSet{"insured"}}};
  ExpressionCache cache;
  std::shared_ptr<const ConditionTree> condition_tree =
      stator::expression::ParseCondition(ExpressionKind::kCondition, kCondition).value();
  std::shared_ptr<const UpdateTree> update_tree = stator::expression::ParseUpdate(kUpdate).value();
  Substitutions condition_substitutions{&names, &condition_values};
  Substitutions update_substitutions{&names, &update_values};
  Condition condition =
      Condition::Bind(ExpressionKind::kCondition, condition_tree, condition_substitutions).value();
  Update update = Update::Bind(update_tree, update_substitutions).value();
  Projection projection = cache.BindProjection(kProjection, condition_substitutions).value();
};

void ParseCondition(Fixture& /*fixture*/) {
  auto tree = stator::expression::ParseCondition(ExpressionKind::kCondition, kCondition);
  benchmark::DoNotOptimize(tree);
}
void BindCondition(Fixture& fixture) {
  Substitutions substitutions(&fixture.names, &fixture.condition_values);
  auto condition =
      Condition::Bind(ExpressionKind::kCondition, fixture.condition_tree, substitutions);
  benchmark::DoNotOptimize(condition);
}
void MatchCondition(Fixture& fixture) {
  benchmark::DoNotOptimize(fixture.condition.Matches(fixture.item));
}
void AskCachedCondition(Fixture& fixture) {
  Substitutions substitutions(&fixture.names, &fixture.condition_values);
  auto checked = substitutions.CheckParameters();
  const auto condition =
      fixture.cache.BindCondition(ExpressionKind::kCondition, kCondition, substitutions);
  auto used = substitutions.CheckAllUsed();
  benchmark::DoNotOptimize(checked);
  benchmark::DoNotOptimize(used);
  benchmark::DoNotOptimize(condition->Matches(fixture.item));
}
void ParseUpdate(Fixture& /*fixture*/) {
  auto tree = stator::expression::ParseUpdate(kUpdate);
  benchmark::DoNotOptimize(tree);
}
void BindUpdate(Fixture& fixture) {
  Substitutions substitutions(&fixture.names, &fixture.update_values);
  auto update = Update::Bind(fixture.update_tree, substitutions);
  benchmark::DoNotOptimize(update);
}
void ApplyUpdate(Fixture& fixture) {
  auto item = fixture.update.Apply(&fixture.item, fixture.item);
  benchmark::DoNotOptimize(item);
}
void CopyItem(Fixture& fixture) {
  Item copy = fixture.item;
  benchmark::DoNotOptimize(copy);
}
void ParseAndApplyUpdate(Fixture& fixture) {
  Substitutions substitutions(&fixture.names, &fixture.update_values);
  auto tree = stator::expression::ParseUpdate(kUpdate);
  const auto update = Update::Bind(*std::move(tree), substitutions);
  auto item = update->Apply(&fixture.item, fixture.item);
  benchmark::DoNotOptimize(item);
}
void ApplyProjection(Fixture& fixture) {
  Item item = fixture.projection.Apply(fixture.item);
  benchmark::DoNotOptimize(item);
}

using Case = stator::bench::Case<Fixture>;

constexpr std::array kCases = {
    Case{"parse_condition", ParseCondition},
    Case{"bind_condition", BindCondition},
    Case{"match_condition", MatchCondition},
    Case{"ask_cached_condition", AskCachedCondition},
    Case{"parse_update", ParseUpdate},
    Case{"bind_update", BindUpdate},
    Case{"apply_update", ApplyUpdate},
    Case{"copy_item", CopyItem},
    Case{"parse_and_apply_update", ParseAndApplyUpdate},
    Case{"apply_projection", ApplyProjection},
};

}  // namespace

int main(int argc, char** argv) {
  Fixture fixture;
  return stator::bench::CountOrTime(argc, argv, kCases, fixture);
}
