// ExecuteStatement with INSERT, UPDATE and DELETE.

#include "contract/statement_test.h"

namespace stator::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kFailed = "The conditional request failed";
constexpr const char* kNoKey =
    "Where clause does not contain a mandatory equality on all key attributes";

class WriteStatement : public StatementTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S | sk:N"}); }

  void PutThing(int sk, Item more) {
    more.Set("pk", "a");
    more.Set("sk", sk);
    Put("things", more);
  }
  [[nodiscard]] std::optional<Item> Thing(int sk) {
    return Get("things", {{"pk", "a"}, {"sk", sk}});
  }
};

TEST_F(WriteStatement, InsertsWhatWasNotThere) {
  const auto inserted =
      Must(Run("INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 's': 'text', "
               "'b': TRUE, 'nil': NULL, 'l': [1, 'x', {'k': 2}], "
               "'ns': <<1, 2.50>>, 'ss': <<'u', 'v'>>, 'm': {'in': -1e3}}"));
  EXPECT_THAT(inserted.items, IsEmpty());
  EXPECT_EQ(Thing(1), (Item{{"pk", "a"},
                            {"sk", 1},
                            {"s", "text"},
                            {"b", true},
                            {"nil", Null{}},
                            {"l", List{1, "x", Map{{"k", 2}}}},
                            {"ns", NumberSet{N("1"), N("2.5")}},
                            {"ss", StringSet{"u", "v"}},
                            {"m", Map{{"in", -1000}}}}));
}

TEST_F(WriteStatement, InsertsParametersOfEveryType) {
  Must(Run("INSERT INTO things VALUE {'pk': ?, 'sk': ?, 'b': ?, 'bs': ?, 'l': ?}",
           Values{"a", 2, Binary{"\x00\xFF"}, BinarySet{Binary{"x"}}, List{Map{{"d", Null{}}}}}));
  EXPECT_EQ(Thing(2), (Item{{"pk", "a"},
                            {"sk", 2},
                            {"b", Binary{"\x00\xFF"}},
                            {"bs", BinarySet{Binary{"x"}}},
                            {"l", List{Map{{"d", Null{}}}}}}));
}

TEST_F(WriteStatement, DoesNotInsertTwice) {
  PutThing(1, {{"v", "old"}});
  EXPECT_TRUE(Fails(Run("INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 'v': 'new'}"),
                    ErrorCode::kDuplicateItem, "Duplicate primary key exists in table"));
  EXPECT_EQ(Thing(1)->at("v"), AttributeValue("old"));
}

TEST_F(WriteStatement, InsertNeedsTheWholeKey) {
  EXPECT_TRUE(Refused(Run("INSERT INTO things VALUE {'pk': 'a'}"),
                      "Key attribute should be present in the item: Key sk"));
  EXPECT_TRUE(Refused(Run("INSERT INTO things VALUE {'pk': 'a', 'sk': '1'}"),
                      "Key attribute's data type should match its data type in table's schema: "
                      "Key sk"));
  EXPECT_TRUE(Refused(Run("INSERT INTO things VALUE {'pk': '', 'sk': 1}"),
                      "One or more parameter values are not valid. The AttributeValue for a key "
                      "attribute cannot contain an empty string value. Key: pk"));
  EXPECT_TRUE(Fails(Run("INSERT INTO nosuchtable VALUE {'pk': 'a'}"), ErrorCode::kTableNotFound,
                    "Requested resource not found"));
}

TEST_F(WriteStatement, UpdatesWhatIsThere) {
  PutThing(1, {{"n", 1}, {"l", List{1}}, {"s", StringSet{"a"}}, {"gone", 1}, {"m", Map{{"x", 1}}}});
  const auto updated =
      Must(Run("UPDATE things SET n = n + 5, l = list_append(l, [2]) SET s = set_add(s, <<'b'>>) "
               "SET m.y = if_not_exists(m.y, 7) REMOVE gone WHERE pk = 'a' AND sk = 1"));
  EXPECT_THAT(updated.items, IsEmpty());
  EXPECT_EQ(Thing(1), (Item{{"pk", "a"},
                            {"sk", 1},
                            {"n", 6},
                            {"l", List{1, 2}},
                            {"s", StringSet{"a", "b"}},
                            {"m", Map{{"x", 1}, {"y", 7}}}}));
  Must(Run("FROM things WHERE pk = 'a' AND sk = 1 SET s = set_delete(s, <<'a', 'b'>>) SET n = ?",
           Values{9}));
  EXPECT_FALSE(Thing(1)->contains("s"));
  EXPECT_EQ(Thing(1)->at("n"), AttributeValue(9));
}

TEST_F(WriteStatement, UpdatesNothingThatIsNotThere) {
  EXPECT_TRUE(Fails(Run("UPDATE things SET n = 1 WHERE pk = 'a' AND sk = 1"),
                    ErrorCode::kConditionFailed, kFailed));
  EXPECT_TRUE(Fails(Run("UPDATE things SET n = 1 WHERE pk = 'a' AND sk = 1 AND "
                        "attribute_not_exists(pk)"),
                    ErrorCode::kConditionFailed, kFailed));
  EXPECT_EQ(Thing(1), std::nullopt);
}

TEST_F(WriteStatement, UpdatesUnderItsCondition) {
  PutThing(1, {{"n", 1}});
  EXPECT_TRUE(Fails(Run("UPDATE things SET n = 2 WHERE pk = 'a' AND sk = 1 AND n > 1"),
                    ErrorCode::kConditionFailed, kFailed));
  Must(Run("UPDATE things SET n = 2 WHERE (pk = 'a' AND 1 = sk) AND (n = 1 OR n = 0)"));
  EXPECT_EQ(Thing(1)->at("n"), AttributeValue(2));
}

TEST_F(WriteStatement, ShowsTheItemWhenTheConditionFails) {
  PutThing(1, {{"n", 1}});
  const auto failed = db().ExecuteStatement(
      {.statement = "UPDATE things SET n = 2 WHERE pk = 'a' AND sk = 1 AND n > 1",
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  EXPECT_TRUE(FailsWith(failed, ErrorCode::kConditionFailed));
  EXPECT_EQ(ItemInError(failed), (Item{{"pk", "a"}, {"sk", 1}, {"n", 1}}));
}

TEST_F(WriteStatement, WritesNeedTheWholeKey) {
  for (const std::string where :
       {"", " WHERE pk = 'a'", " WHERE pk = 'a' OR sk = 1", " WHERE pk = 'a' AND sk IN [1]",
        " WHERE pk = 'a' AND sk > 0", " WHERE NOT (pk = 'a' AND sk = 1)"}) {
    EXPECT_TRUE(Refused(Run("UPDATE things SET n = 1" + where), kNoKey)) << where;
    EXPECT_TRUE(Refused(Run("DELETE FROM things" + where), kNoKey)) << where;
  }
  EXPECT_TRUE(Refused(Run("DELETE FROM things WHERE pk = 'a' AND pk = 'b' AND sk = 1"),
                      "Multiple conditions on same key pk. Only single item Update/Insert/Delete "
                      "are supported"));
}

TEST_F(WriteStatement, KeysDoNotChange) {
  PutThing(1, {});
  EXPECT_TRUE(Refused(Run("UPDATE things SET pk = 'b' WHERE pk = 'a' AND sk = 1"),
                      "One or more parameter values were invalid: Cannot update attribute pk. This "
                      "attribute is part of the key"));
}

TEST_F(WriteStatement, ReturnsWhatWasAskedFor) {
  const auto returned = [&](const std::string& returning) {
    PutThing(1, {{"n", 1}, {"m", Map{{"b", Map{{"c", 1}, {"d", 2}}}}}, {"other", "x"}});
    return Must(Run("UPDATE things SET n = 2 SET m.b.c = 9 WHERE pk = 'a' AND sk = 1 RETURNING " +
                    returning))
        .items;
  };
  const Item old_item = {
      {"pk", "a"}, {"sk", 1}, {"n", 1}, {"m", Map{{"b", Map{{"c", 1}, {"d", 2}}}}}, {"other", "x"}};
  const Item new_item = {
      {"pk", "a"}, {"sk", 1}, {"n", 2}, {"m", Map{{"b", Map{{"c", 9}, {"d", 2}}}}}, {"other", "x"}};
  EXPECT_THAT(returned("ALL OLD *"), ElementsAre(old_item));
  EXPECT_THAT(returned("ALL NEW *"), ElementsAre(new_item));
  EXPECT_THAT(Must(Run("DELETE FROM things WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *")).items,
              ElementsAre(new_item));
  EXPECT_THAT(Must(Run("DELETE FROM things WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *")).items,
              IsEmpty());
}

TEST_F(WriteStatement, ReturnsModifiedPaths) {
  const auto returned = [&](const std::string& returning) {
    PutThing(1, {{"n", 1}, {"m", Map{{"b", Map{{"c", 1}, {"d", 2}}}}}});
    return Must(Run("UPDATE things SET n = 2 SET m.b.c = 9 WHERE pk = 'a' AND sk = 1 RETURNING " +
                    returning))
        .items;
  };
  EXPECT_THAT(returned("MODIFIED OLD *"),
              ElementsAre(Item{{"n", 1}, {"m", Map{{"b", Map{{"c", 1}}}}}}));
  EXPECT_THAT(returned("MODIFIED NEW *"),
              ElementsAre(Item{{"n", 2}, {"m", Map{{"b", Map{{"c", 9}}}}}}));
}

TEST_F(WriteStatement, DeletesUnderItsCondition) {
  PutThing(1, {{"n", 1}});
  EXPECT_TRUE(Fails(Run("DELETE FROM things WHERE pk = 'a' AND sk = 1 AND n = 2"),
                    ErrorCode::kConditionFailed, kFailed));
  EXPECT_TRUE(Succeeds(Run("DELETE FROM things WHERE pk = 'a' AND sk = 1 AND n = 1")));
  EXPECT_EQ(Thing(1), std::nullopt);
  // What is not there is deleted, whatever else was asked.
  EXPECT_TRUE(Succeeds(Run("DELETE FROM things WHERE pk = 'a' AND sk = 1 AND n = 2")));
}

TEST_F(WriteStatement, RefusesUpdatesThatCannotBe) {
  PutThing(1, {{"n", 1}, {"s", "text"}});
  const auto update = [&](const std::string& what) {
    return Run("UPDATE things " + what + " WHERE pk = 'a' AND sk = 1");
  };
  EXPECT_TRUE(Refused(update("SET n = absent + 1"),
                      "The provided expression refers to an attribute that does not exist in the "
                      "item"));
  EXPECT_TRUE(Refused(update("SET absent.x = 1"),
                      "The document path provided in the update expression is invalid for update"));
  EXPECT_TRUE(Refused(update("SET s = set_add(s, <<'x'>>)"),
                      "An operand in the update expression has an incorrect data type"));
  EXPECT_TRUE(Refused(update("SET m.y = 1 SET m = 2"),
                      "Two document paths overlap with each other; must remove or rewrite one of "
                      "these paths; path one: [m, y], path two: [m]"));
  EXPECT_EQ(Thing(1), (Item{{"pk", "a"}, {"sk", 1}, {"n", 1}, {"s", "text"}}));
}

TEST_F(WriteStatement, RefusesWhatIsTooLarge) {
  EXPECT_TRUE(
      Fails(Run("INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 't': ?}", Values{Text(409'600)}),
            ErrorCode::kTooLarge, "Item size has exceeded the maximum allowed size"));
  PutThing(1, {{"t", Text(300'000)}});
  EXPECT_TRUE(Fails(Run("UPDATE things SET u = ? WHERE pk = 'a' AND sk = 1", Values{Text(200'000)}),
                    ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size"));
}

TEST_F(WriteStatement, WritesIndexesToo) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  Must(Run("INSERT INTO indexed VALUE {'pk': 'x', 'g': 'one'}"));
  EXPECT_EQ(Selected("SELECT * FROM indexed.by_g WHERE g = 'one'").size(), 1U);
  Must(Run("UPDATE indexed SET g = 'two' WHERE pk = 'x'"));
  EXPECT_THAT(Selected("SELECT * FROM indexed.by_g WHERE g = 'one'"), IsEmpty());
  Must(Run("DELETE FROM indexed WHERE pk = 'x'"));
  EXPECT_THAT(Selected("SELECT * FROM indexed.by_g"), IsEmpty());
  EXPECT_TRUE(Refused(Run("UPDATE indexed.by_g SET a = 1 WHERE g = 'two'"),
                      "This operation is not supported on an index"));
}

TEST_F(WriteStatement, CostsWhatTheWriteCosts) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}, {"by_h", "h:S"}}});
  const auto units = [&](const std::string& statement) {
    const auto output = Must(db().ExecuteStatement(
        {.statement = statement, .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
    return output.consumed_capacity.value_or(ConsumedCapacity()).capacity_units;
  };
  EXPECT_EQ(units("INSERT INTO indexed VALUE {'pk': 'x', 'g': 'a', 'h': 'b'}"), 3);
  EXPECT_EQ(units("UPDATE indexed SET v = 1 WHERE pk = 'x'"), 3);
  EXPECT_EQ(units("DELETE FROM indexed WHERE pk = 'x'"), 3);
  EXPECT_EQ(units("DELETE FROM indexed WHERE pk = 'x'"), 1);
}

}  // namespace
}  // namespace stator::contract
