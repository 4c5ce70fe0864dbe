// Which statements are Queries, of what, and which are Scans.

#include "partiql/plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/try.h"
#include "partiql/bind.h"

namespace stator::partiql {
namespace {

const std::vector<expression::KeyAttribute> kPartition = {
    {.name = "pk", .type = AttributeValue::Type::kString}};
const std::vector<expression::KeyAttribute> kSort = {
    {.name = "sk", .type = AttributeValue::Type::kNumber}};

std::string Print(const SelectPlan& plan) {
  if (plan.is_scan) {
    return "scan";
  }
  std::string text;
  for (const PartitionPlan& partition : plan.partitions) {
    text += *partition.value->If<std::string>() + "(";
    for (const auto& range : partition.ranges) {
      text += range ? std::to_string(static_cast<int>(range->kind)) : "*";
    }
    text += ")";
  }
  return text + (plan.needs_filter ? " filter" : "") + (plan.forward ? "" : " backward");
}

// The plan of a SELECT, or what is wrong with it.
std::string Planned(const std::string& rest) {
  const auto planned = [&]() -> Result<std::string> {
    const auto statement = TRY(Translate("SELECT * FROM Things " + rest));
    const std::optional<Parameters> none;
    const BoundStatement bound(*statement, none);
    const Select& select = *statement->If<Select>();
    const std::optional<expression::Condition> where = TRY(bound.Bind(select.where));
    return Print(TRY(
        PlanSelect(select, where ? &*where : nullptr, {.partition = kPartition, .sort = kSort})));
  }();
  return planned ? *planned : planned.error().message;
}

TEST(Plan, QueriesWhatNamesThePartition) {
  EXPECT_EQ(Planned("WHERE pk = 'a'"), "a(*)");
  EXPECT_EQ(Planned("WHERE 'a' = pk"), "a(*)");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk = 1"), "a(0)");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk > 1"), "a(3)");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND 1 < sk"), "a(3)");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk BETWEEN 1 AND 2"), "a(5)");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND n = 1"), "a(*) filter");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk <> 1"), "a(*) filter");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk > 1 AND sk < 5"), "a(3) filter");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND (n = 1 OR n = 2)"), "a(**) filter");
  EXPECT_EQ(Planned("WHERE pk IN ['b', 'a', 'b']"), "a(*)b(**)");
  EXPECT_EQ(Planned("WHERE pk = 'b' OR pk = 'a'"), "a(*)b(*) filter");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND pk = 'b'"), "");
}

TEST(Plan, ScansTheRest) {
  for (const char* where :
       {"", "WHERE n = 1", "WHERE pk > 'a'", "WHERE begins_with(pk, 'a')",
        "WHERE pk BETWEEN 'a' AND 'a'", "WHERE NOT pk = 'a'", "WHERE pk = 'a' OR n = 1",
        "WHERE PK = 'a'", "WHERE pk = sk", "WHERE pk.x = 'a'", "WHERE pk IN ['a', n]"}) {
    EXPECT_EQ(Planned(where), "scan") << where;
  }
  // 300 operators can mean more branches than anybody should count.
  std::string wide = "WHERE pk = 'a'";
  for (int i = 0; i < 20; ++i) {
    wide += " AND (n = 1 OR n = 2)";
  }
  EXPECT_EQ(Planned(wide), "scan");
}

TEST(Plan, OrdersByTheKeysOnly) {
  EXPECT_EQ(Planned("WHERE pk = 'a' ORDER BY sk DESC"), "a(*) backward");
  EXPECT_EQ(Planned("WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk DESC"), "b(*)a(*) backward");
  EXPECT_EQ(Planned("ORDER BY sk"),
            "Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(Planned("WHERE pk = 'a' ORDER BY n"),
            "Variable reference n in ORDER BY clause must be part of the primary key");
  EXPECT_EQ(Planned("WHERE n = 1 ORDER BY sk"),
            "Must have at least one non-optional hash key condition in WHERE clause when using "
            "ORDER BY clause.");
}

TEST(Plan, ChecksKeysAgainstTheSchema) {
  EXPECT_EQ(Planned("WHERE pk = 1"),
            "Key attribute's data type should match its data type in table's schema: Key pk");
  EXPECT_EQ(Planned("WHERE pk = 'a' AND sk = 'x'"),
            "Key attribute's data type should match its data type in table's schema: Key sk");
  EXPECT_EQ(Planned("WHERE pk = ''"),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
}

std::string Key(const std::string& where) {
  const auto found = [&]() -> Result<std::string> {
    const auto statement = TRY(Translate("DELETE FROM Things " + where));
    const std::optional<Parameters> none;
    const BoundStatement bound(*statement, none);
    const auto condition = TRY(bound.Bind(statement->If<Delete>()->where));
    const KeyedItem item =
        TRY(FindKey(condition ? &*condition : nullptr, {.partition = kPartition, .sort = kSort}));
    return *item.key.Find("pk")->If<std::string>() + "/" +
           item.key.Find("sk")->If<Number>()->ToString() + (item.has_rest ? " more" : "");
  }();
  return found ? *found : found.error().message;
}

TEST(Plan, WritesNameOneItem) {
  const std::string none =
      "Where clause does not contain a mandatory equality on all key attributes";
  EXPECT_EQ(Key("WHERE pk = 'a' AND sk = 1"), "a/1");
  EXPECT_EQ(Key("WHERE (sk = 1 AND n = 5) AND (pk = 'a')"), "a/1 more");
  EXPECT_EQ(Key("WHERE pk = 'a' AND sk = 1 AND sk = 1.0"), "a/1");
  EXPECT_EQ(Key(""), none);
  EXPECT_EQ(Key("WHERE pk = 'a'"), none);
  EXPECT_EQ(Key("WHERE pk = 'a' AND sk > 1"), none);
  EXPECT_EQ(Key("WHERE pk = 'a' AND sk = 1 OR n = 5"), none);
  EXPECT_EQ(Key("WHERE pk IN ['a'] AND sk = 1"), none);
  EXPECT_EQ(Key("WHERE pk = 'a' AND NOT (NOT sk = 1)"), none);
  EXPECT_EQ(Key("WHERE pk = 'a' AND sk = 1 AND sk = 2"),
            "Multiple conditions on same key sk. Only single item Update/Insert/Delete are "
            "supported");
}

}  // namespace
}  // namespace stator::partiql
