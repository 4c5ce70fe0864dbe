// Everything that was asked of DynamoDB (test/golden/expression_errors.json), asked of Stator:
// every error message in its words, every condition's answer, every item after its update. How a
// case is chosen and where AWS is known to differ from what was recorded:
// tools/expression_cases.py.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/recorded_cases.h"
#include "value/dynamodb_json.h"

namespace stator::expression {
namespace {

using Type = AttributeValue::Type;

// Runs `check` on every case of that kind, and at least `least` of them.
void ForEach(std::string_view kind, std::size_t least,
             const std::function<void(const RecordedCase&)>& check) {
  std::size_t seen = 0;
  for (const RecordedCase& recorded : AllRecordedCases().cases) {
    if (recorded.kind == kind) {
      SCOPED_TRACE(recorded.Description());
      check(recorded);
      ++seen;
    }
  }
  EXPECT_GE(seen, least);
}

const Item& StandardItem() {
  return AllRecordedCases().item;
}

Substitutions SubstitutionsOf(const RecordedCase& recorded) {
  return {recorded.names ? &*recorded.names : nullptr,
          recorded.values ? &*recorded.values : nullptr};
}

// What a case does when it is asked of Stator; the message when it fails.
template <class T>
void ExpectError(const Result<T>& result, const RecordedCase& recorded) {
  if (recorded.outcome.message) {
    ASSERT_FALSE(result.has_value()) << "expected: " << *recorded.outcome.message;
    EXPECT_EQ(result.error().code, ErrorCode::kValidation);
    EXPECT_EQ(result.error().message, *recorded.outcome.message);
  } else {
    ASSERT_TRUE(result.has_value()) << result.error().message;
  }
}

Result<bool> Matches(ExpressionKind kind, const RecordedCase& recorded) {
  Substitutions substitutions = SubstitutionsOf(recorded);
  TRY_VOID(substitutions.CheckParameters());
  ExpressionCache cache;
  const Condition condition = TRY(cache.BindCondition(kind, recorded.expression, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return condition.Matches(StandardItem());
}

void ExpectMatch(ExpressionKind kind, const RecordedCase& recorded) {
  const Result<bool> result = Matches(kind, recorded);
  ExpectError(result, recorded);
  if (result) {
    EXPECT_EQ(*result, recorded.outcome.matches);
  }
}

TEST(Recorded, ConditionsAnswerLikeTheService) {
  ForEach("condition", 450,
          [](const RecordedCase& recorded) { ExpectMatch(ExpressionKind::kCondition, recorded); });
}

TEST(Recorded, FiltersAnswerLikeTheService) {
  ForEach("filter", 200,
          [](const RecordedCase& recorded) { ExpectMatch(ExpressionKind::kFilter, recorded); });
}

TEST(Recorded, ProjectionsReturnWhatTheServiceReturns) {
  ForEach("projection", 50, [](const RecordedCase& recorded) {
    Substitutions substitutions = SubstitutionsOf(recorded);
    ExpressionCache cache;
    const Result<Projection> projection = cache.BindProjection(recorded.expression, substitutions);
    ExpectError(projection, recorded);
    if (projection) {
      EXPECT_EQ(value::ToDynamoDbJson(projection->Apply(StandardItem())),
                value::ToDynamoDbJson(*recorded.outcome.item));
    }
  });
}

struct RecordedSchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
};

RecordedSchema SchemaOf(const RecordedCase& recorded) {
  if (recorded.schema == "hash") {
    return {.partition = {{"pk", Type::kString}}, .sort = {}};
  }
  if (recorded.schema == "sorted") {
    return {.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kString}}};
  }
  return {.partition = {{"h1", Type::kString}, {"h2", Type::kNumber}},
          .sort = {{"r1", Type::kString}, {"r2", Type::kNumber}, {"r3", Type::kBinary}}};
}

Result<MatchedKeyCondition> Match(const RecordedCase& recorded) {
  Substitutions substitutions = SubstitutionsOf(recorded);
  ExpressionCache cache;
  const Condition condition =
      TRY(cache.BindCondition(ExpressionKind::kKeyCondition, recorded.expression, substitutions));
  const std::vector<KeyComparison> comparisons = TRY(CompareKeys(condition));
  const RecordedSchema schema = SchemaOf(recorded);
  return MatchKeySchema(comparisons, {.partition = schema.partition, .sort = schema.sort});
}

TEST(Recorded, KeyConditionsAreAcceptedOrRefusedAsByTheService) {
  ForEach("key_condition", 140,
          [](const RecordedCase& recorded) { ExpectError(Match(recorded), recorded); });
}

Result<Item> Apply(const RecordedCase& recorded, const Item* before) {
  Substitutions substitutions = SubstitutionsOf(recorded);
  ExpressionCache cache;
  const Update update = TRY(cache.BindUpdate(recorded.expression, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return update.Apply(before, {{"pk", "k"}});
}

TEST(Recorded, UpdatesGiveTheItemsThatTheServiceGives) {
  ForEach("update", 300, [](const RecordedCase& recorded) {
    const Result<Item> item = Apply(recorded, &StandardItem());
    ExpectError(item, recorded);
    if (item) {
      EXPECT_EQ(value::ToDynamoDbJson(*item), value::ToDynamoDbJson(*recorded.outcome.item));
    }
  });
}

TEST(Recorded, UpdatesOfMissingItemsCreateThemOrNot) {
  ForEach("update_of_nothing", 14, [](const RecordedCase& recorded) {
    const Result<Item> item = Apply(recorded, nullptr);
    ExpectError(item, recorded);
    if (!item) {
      return;
    }
    Substitutions substitutions = SubstitutionsOf(recorded);
    ExpressionCache cache;
    const Result<Update> update = cache.BindUpdate(recorded.expression, substitutions);
    EXPECT_EQ(update->CreatesItem(), recorded.outcome.item.has_value());
    if (recorded.outcome.item) {
      EXPECT_EQ(*item, *recorded.outcome.item);
    }
  });
}

TEST(Recorded, UpdatesReturnTheOldAndNewValuesOfTheirPaths) {
  ForEach("update_returns", 18, [](const RecordedCase& recorded) {
    Substitutions substitutions = SubstitutionsOf(recorded);
    ExpressionCache cache;
    const Result<Update> update = cache.BindUpdate(recorded.expression, substitutions);
    ASSERT_TRUE(update.has_value());
    const Result<Item> after = update->Apply(&StandardItem(), {});
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(value::ToDynamoDbJson(update->UpdatedOld(&StandardItem())),
              value::ToDynamoDbJson(*recorded.outcome.updated_old));
    EXPECT_EQ(value::ToDynamoDbJson(update->UpdatedNew(*after)),
              value::ToDynamoDbJson(*recorded.outcome.updated_new));
  });
}

Result<void> Ask(const RecordedCase& recorded) {
  Substitutions substitutions = SubstitutionsOf(recorded);
  TRY_VOID(substitutions.CheckParameters());
  ExpressionCache cache;
  if (recorded.update) {
    TRY_VOID(cache.BindUpdate(*recorded.update, substitutions));
  }
  if (recorded.condition) {
    TRY_VOID(cache.BindCondition(ExpressionKind::kCondition, *recorded.condition, substitutions));
  }
  return substitutions.CheckAllUsed();
}

TEST(Recorded, RequestsShareTheirPlaceholders) {
  ForEach("request", 27,
          [](const RecordedCase& recorded) { ExpectError(Ask(recorded), recorded); });
}

}  // namespace
}  // namespace stator::expression
