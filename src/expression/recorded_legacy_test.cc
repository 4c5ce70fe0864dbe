// What was asked of DynamoDB about the legacy parameters, asked of Stator; see recorded_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expression/legacy.h"
#include "expression/recorded_cases.h"
#include "value/dynamodb_json.h"

namespace stator::expression {
namespace {

// The parameters of a case as the functions under test want them, and what they point to.
class Parameters {
 public:
  explicit Parameters(const RecordedCase& recorded) {
    for (const auto& [attribute, plain] : recorded.parameter) {
      const Map& entry = *plain.If<Map>();
      const AttributeValue* value = ValueIn(entry);
      const std::vector<AttributeValue>* values = ValuesIn(entry);
      std::optional<bool> exists;
      if (const AttributeValue* flag = entry.Find("Exists")) {
        exists = *flag->If<bool>();
      }
      const std::optional<ComparisonOperator> comparison = ComparisonIn(entry);
      expected.push_back({.attribute = attribute,
                          .value = value,
                          .exists = exists,
                          .comparison = comparison,
                          .values = values});
      comparisons.push_back({.attribute = attribute,
                             .comparison = comparison.value_or(ComparisonOperator::kEq),
                             .values = values});
      updates.push_back({.attribute = attribute, .value = value, .action = ActionIn(entry)});
    }
    join = recorded.join == "OR" ? ConditionalOperator::kOr : ConditionalOperator::kAnd;
  }

  std::vector<ExpectedAttribute> expected;
  std::vector<AttributeComparison> comparisons;
  std::vector<AttributeUpdate> updates;
  ConditionalOperator join;

 private:
  const AttributeValue* ValueIn(const Map& entry) {
    const AttributeValue* plain = entry.Find("Value");
    return plain == nullptr ? nullptr : &values_.emplace_back(ValueOf(*plain));
  }

  const std::vector<AttributeValue>* ValuesIn(const Map& entry) {
    const AttributeValue* plain = entry.Find("AttributeValueList");
    if (plain == nullptr) {
      return nullptr;
    }
    std::vector<AttributeValue>& values = lists_.emplace_back();
    for (const AttributeValue& element : *plain->If<List>()) {
      values.push_back(ValueOf(element));
    }
    return &values;
  }

  static std::optional<ComparisonOperator> ComparisonIn(const Map& entry) {
    const AttributeValue* name = entry.Find("ComparisonOperator");
    for (int i = 0; name != nullptr && i <= static_cast<int>(ComparisonOperator::kBeginsWith);
         ++i) {
      const auto comparison = static_cast<ComparisonOperator>(i);
      if (NameOf(comparison) == *name->If<std::string>()) {
        return comparison;
      }
    }
    return std::nullopt;
  }

  static std::optional<AttributeAction> ActionIn(const Map& entry) {
    constexpr std::array kActions = {std::pair("PUT", AttributeAction::kPut),
                                     std::pair("ADD", AttributeAction::kAdd),
                                     std::pair("DELETE", AttributeAction::kDelete)};
    const AttributeValue* name = entry.Find("Action");
    if (name == nullptr) {
      return std::nullopt;
    }
    return std::ranges::find_if(
               kActions,
               [&](const auto& action) { return action.first == *name->If<std::string>(); })
        ->second;
  }

  std::deque<AttributeValue> values_;
  std::deque<std::vector<AttributeValue>> lists_;
};

template <class T>
void ExpectError(const Result<T>& result, const RecordedCase& recorded) {
  if (recorded.outcome.message) {
    ASSERT_FALSE(result.has_value()) << "expected: " << *recorded.outcome.message;
    EXPECT_EQ(result.error().message, *recorded.outcome.message);
  } else {
    ASSERT_TRUE(result.has_value()) << result.error().message;
  }
}

std::vector<const RecordedCase*> CasesOf(std::string_view kind) {
  std::vector<const RecordedCase*> cases;
  for (const RecordedCase& recorded : AllRecordedCases().cases) {
    if (recorded.kind == kind) {
      cases.push_back(&recorded);
    }
  }
  return cases;
}

TEST(RecordedLegacy, ExpectedAnswersLikeTheService) {
  const std::vector<const RecordedCase*> cases = CasesOf("expected");
  EXPECT_GE(cases.size(), 60);
  for (const RecordedCase* recorded : cases) {
    SCOPED_TRACE(recorded->Description());
    const Parameters parameters(*recorded);
    const Result<Condition> condition = ConditionFromExpected(parameters.expected, parameters.join);
    ExpectError(condition, *recorded);
    if (condition) {
      EXPECT_EQ(condition->Matches(AllRecordedCases().item), recorded->outcome.matches);
    }
  }
}

TEST(RecordedLegacy, FiltersAnswerLikeTheService) {
  const std::vector<const RecordedCase*> cases = CasesOf("scan_filter");
  EXPECT_GE(cases.size(), 95);
  for (const RecordedCase* recorded : cases) {
    SCOPED_TRACE(recorded->Description());
    const Parameters parameters(*recorded);
    const Result<Condition> condition =
        ConditionFromFilter(parameters.comparisons, parameters.join);
    ExpectError(condition, *recorded);
    if (condition) {
      EXPECT_EQ(condition->Matches(AllRecordedCases().item), recorded->outcome.matches);
    }
  }
}

Result<MatchedKeyCondition> Match(const Parameters& parameters) {
  constexpr std::array kPartition = {
      KeyAttribute{.name = "pk", .type = AttributeValue::Type::kString}};
  constexpr std::array kSort = {KeyAttribute{.name = "sk", .type = AttributeValue::Type::kString}};
  const std::vector<KeyComparison> comparisons =
      TRY(ComparisonsFromKeyConditions(parameters.comparisons));
  return MatchKeySchema(comparisons, {.partition = kPartition, .sort = kSort});
}

TEST(RecordedLegacy, KeyConditionsAreAcceptedOrRefusedAsByTheService) {
  const std::vector<const RecordedCase*> cases = CasesOf("key_conditions");
  EXPECT_GE(cases.size(), 30);
  for (const RecordedCase* recorded : cases) {
    SCOPED_TRACE(recorded->Description());
    ExpectError(Match(Parameters(*recorded)), *recorded);
  }
}

Result<Item> Apply(const Parameters& parameters) {
  const Update update = TRY(UpdateFromAttributeUpdates(parameters.updates));
  return update.Apply(&AllRecordedCases().item, {});
}

TEST(RecordedLegacy, AttributeUpdatesGiveTheItemsThatTheServiceGives) {
  const std::vector<const RecordedCase*> cases = CasesOf("attribute_updates");
  EXPECT_GE(cases.size(), 45);
  for (const RecordedCase* recorded : cases) {
    SCOPED_TRACE(recorded->Description());
    const Result<Item> item = Apply(Parameters(*recorded));
    ExpectError(item, *recorded);
    if (item) {
      EXPECT_EQ(value::ToDynamoDbJson(*item), value::ToDynamoDbJson(*recorded->outcome.item));
    }
  }
}

}  // namespace
}  // namespace stator::expression
