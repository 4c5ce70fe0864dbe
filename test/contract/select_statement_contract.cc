// ExecuteStatement with SELECT: what is read, in which order, and how it is shown.

#include "contract/statement_test.h"

namespace stator::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SelectStatement : public StatementTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "lines",
               .keys = "pk:S | sk:N",
               .local = {{"by_when", "pk:S | when:S", KeysOnly()}},
               .global = {{"by_kind", "kind:S | sk:N", Include({"n"})}}});
    for (int sk = 1; sk <= 5; ++sk) {
      Put("lines", {{"pk", "a"},
                    {"sk", sk},
                    {"n", 10 * sk},
                    {"kind", sk % 2 == 0 ? "even" : "odd"},
                    {"when", "2026-0" + std::to_string(6 - sk)},
                    {"m", Map{{"x", sk}, {"deep", Map{{"z", "end"}}}, {"a b", true}}},
                    {"l", List{sk, "second", Map{{"k", sk}}}}});
    }
    Put("lines", {{"pk", "b"}, {"sk", 1}, {"n", 7}});
  }
};

TEST_F(SelectStatement, ReadsAPartitionInTheOrderOfItsSortKey) {
  const std::vector<Item> items = Selected("SELECT sk FROM lines WHERE pk = 'a'");
  EXPECT_EQ(Column(items, "sk"), (Values{1, 2, 3, 4, 5}));
  EXPECT_EQ(items[0], (Item{{"sk", 1}}));
}

TEST_F(SelectStatement, ReadsBackwardsWhenAsked) {
  if (!ThisHome().has_own_words) {
    EXPECT_EQ(Column(Selected("SELECT sk FROM lines WHERE pk = 'a' ORDER BY sk DESC"), "sk"),
              (Values{5, 4, 3, 2, 1}));
  }
  EXPECT_EQ(Column(Selected("SELECT sk FROM lines WHERE pk = 'a' ORDER BY sk ASC"), "sk"),
            (Values{1, 2, 3, 4, 5}));
}

TEST_F(SelectStatement, TakesConditionsOnTheSortKey) {
  const auto sks = [&](const std::string& condition) {
    return Column(Selected("SELECT sk FROM lines WHERE pk = 'a' AND " + condition), "sk");
  };
  EXPECT_EQ(sks("sk = 3"), (Values{3}));
  EXPECT_EQ(sks("sk < 3"), (Values{1, 2}));
  EXPECT_EQ(sks("sk <= 3"), (Values{1, 2, 3}));
  EXPECT_EQ(sks("sk > 3"), (Values{4, 5}));
  EXPECT_EQ(sks("sk >= 3"), (Values{3, 4, 5}));
  EXPECT_EQ(sks("sk BETWEEN 2 AND 4"), (Values{2, 3, 4}));
  EXPECT_EQ(sks("sk > 1 AND sk < 4"), (Values{2, 3}));
  EXPECT_EQ(sks("sk <> 3"), (Values{1, 2, 4, 5}));
  EXPECT_EQ(sks("NOT sk = 3"), (Values{1, 2, 4, 5}));
  EXPECT_EQ(sks("sk IN [5, 1]"), (Values{1, 5}));
}

TEST_F(SelectStatement, FiltersByWhatIsNoKey) {
  const auto sks = [&](const std::string& condition) {
    return Column(Selected("SELECT sk FROM lines WHERE pk = 'a' AND (" + condition + ")"), "sk");
  };
  EXPECT_EQ(sks("n >= 20 AND n < 50"), (Values{2, 3, 4}));
  EXPECT_EQ(sks("kind = 'even'"), (Values{2, 4}));
  EXPECT_EQ(sks("kind != 'even'"), (Values{1, 3, 5}));
  EXPECT_EQ(sks("m.x = 3 OR l[2].k = 4"), (Values{3, 4}));
  EXPECT_EQ(sks("begins_with(\"when\", '2026-05') OR contains(kind, 'eve')"), (Values{1, 2, 4}));
  EXPECT_EQ(sks("attribute_type(m, 'M') AND size(kind) = 3"), (Values{1, 3, 5}));
  EXPECT_EQ(sks("n IN [10, 30]"), (Values{1, 3}));
  EXPECT_EQ(sks("absent IS MISSING AND n IS NOT MISSING AND sk < 2"), (Values{1}));
  EXPECT_EQ(sks("absent IS NULL"), Values());
  EXPECT_EQ(sks("m IS STRUCT AND l IS LIST AND n IS NUMERIC AND kind IS STRING AND sk = 2"),
            (Values{2}));
}

TEST_F(SelectStatement, ReadsSeveralPartitions) {
  EXPECT_EQ(Column(Selected("SELECT pk, n FROM lines WHERE pk IN ['b', 'a'] AND sk = 1"), "pk"),
            (Values{"a", "b"}));
  EXPECT_THAT(Column(Selected("SELECT n FROM lines WHERE pk = 'b' OR pk = 'a' AND sk = 1"), "n"),
              UnorderedElementsAre(AttributeValue(7), AttributeValue(10)));
  EXPECT_EQ(Selected("SELECT n FROM lines WHERE pk IN ['a', 'b', 'a']").size(), 6U);
  EXPECT_THAT(Selected("SELECT n FROM lines WHERE pk = 'a' AND pk = 'b'"), IsEmpty());
}

TEST_F(SelectStatement, ReadsEverythingWithoutAKey) {
  EXPECT_EQ(Selected("SELECT * FROM lines").size(), 6U);
  EXPECT_THAT(Column(Selected("SELECT sk FROM lines WHERE n < 15"), "sk"),
              UnorderedElementsAre(AttributeValue(1), AttributeValue(1)));
  EXPECT_EQ(Selected("SELECT pk FROM lines WHERE begins_with(pk, 'b')").size(), 1U);
}

TEST_F(SelectStatement, NamesAttributesByTheEndOfTheirPath) {
  const std::vector<Item> items =
      Selected("SELECT m.deep.z, m['a b'], l[1], l[2].k, absent FROM lines WHERE pk='a' AND sk=1");
  EXPECT_THAT(
      items,
      ElementsAre(Item{{"z", "end"}, {"a b", true}, {"l[1]", "second"}, {"l[2]", Map{{"k", 1}}}}));
  EXPECT_THAT(Selected("SELECT absent FROM lines WHERE pk = 'b'"), ElementsAre(Item()));
}

TEST_F(SelectStatement, TakesParameters) {
  EXPECT_EQ(Column(Selected("SELECT sk FROM lines WHERE pk = ? AND sk BETWEEN ? AND ? AND n <> ?",
                            Values{"a", 2, 4, 30}),
                   "sk"),
            (Values{2, 4}));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk = ? AND sk = ?", Values{"a"}),
                      "Number of parameters in request and statement don't match."));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk = ?", Values{1}),
                      "Key attribute's data type should match its data type in table's schema: "
                      "Key pk"));
}

TEST_F(SelectStatement, EndsPagesByWhatIsRead) {
  const auto first = Must(db().ExecuteStatement(
      {.statement = "SELECT sk FROM lines WHERE pk = 'a' AND n > 20", .limit = 3}));
  EXPECT_EQ(Column(first.items, "sk"), (Values{3}));
  ASSERT_TRUE(first.next_token.has_value());
  const auto second =
      Must(db().ExecuteStatement({.statement = "SELECT sk FROM lines WHERE pk = 'a' AND n > 20",
                                  .next_token = first.next_token}));
  EXPECT_EQ(Column(second.items, "sk"), (Values{4, 5}));
  EXPECT_EQ(second.next_token, std::nullopt);
  EXPECT_EQ(Selected(ExecuteStatementInput{.statement = "SELECT * FROM lines", .limit = 1}).size(),
            6U);
  EXPECT_EQ(Selected(ExecuteStatementInput{
                         .statement = "SELECT * FROM lines WHERE pk IN ['a', 'b']", .limit = 2})
                .size(),
            6U);
  EXPECT_EQ(Selected(ExecuteStatementInput{.statement = "SELECT sk FROM lines.by_kind", .limit = 1})
                .size(),
            5U);
}

TEST_F(SelectStatement, ATokenBelongsToItsStatement) {
  const auto page = Must(db().ExecuteStatement(
      {.statement = "SELECT * FROM lines WHERE pk = ?", .parameters = Values{"a"}, .limit = 1}));
  ASSERT_TRUE(page.next_token.has_value());
  const auto with = [&](const std::string& statement, Parameters parameters,
                        std::optional<std::string> token) {
    return db().ExecuteStatement({.statement = statement,
                                  .parameters = std::move(parameters),
                                  .next_token = std::move(token)});
  };
  constexpr const char* kOther = "NextToken does not match request";
  EXPECT_TRUE(
      Refused(with("SELECT * FROM lines WHERE pk = ?", Values{"b"}, page.next_token), kOther));
  EXPECT_TRUE(Refused(with("SELECT * FROM lines", std::nullopt, page.next_token), kOther));
  EXPECT_TRUE(
      Refused(with("DELETE FROM lines WHERE pk = 'a' AND sk = 1", std::nullopt, "AAAA"), kOther));
  EXPECT_TRUE(Succeeds(with("SELECT n FROM lines WHERE pk = ?", Values{"a"}, page.next_token)));
  EXPECT_TRUE(
      Refused(with("SELECT * FROM lines WHERE pk = ?", Values{"a"}, "%%%"), "Invalid NextToken"));
  std::string changed = *page.next_token;
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_TRUE(
      Refused(with("SELECT * FROM lines WHERE pk = ?", Values{"a"}, changed), "Invalid NextToken"));
}

TEST_F(SelectStatement, ReadsIndexes) {
  EXPECT_EQ(Column(Selected("SELECT * FROM \"lines\".\"by_kind\" WHERE kind = 'odd'"), "sk"),
            (Values{1, 3, 5}));
  EXPECT_EQ(Selected("SELECT * FROM lines.by_kind WHERE kind = 'even' AND sk > 2")[0],
            (Item{{"pk", "a"}, {"sk", 4}, {"kind", "even"}, {"n", 40}}));
  EXPECT_EQ(
      Column(Selected("SELECT n FROM lines.by_when WHERE pk = 'a' AND \"when\" < '2026-03'"), "n"),
      (Values{50, 40}));
  EXPECT_TRUE(Refused(Run("SELECT m, l FROM lines.by_kind WHERE kind = 'odd'"),
                      "One or more parameter values were invalid: Global secondary index by_kind "
                      "does not project [m, l]"));
  EXPECT_TRUE(Fails(Run("SELECT * FROM lines.nosuch"), ErrorCode::kIndexNotFound,
                    "The table does not have the specified index"));
  EXPECT_TRUE(Refused(
      db().ExecuteStatement({.statement = "SELECT * FROM lines.by_kind", .consistent_read = true}),
      "Strongly consistent read is not supported on Global Secondary Indexes"));
}

TEST_F(SelectStatement, DoesNotFilterAKeyedIndexByWhatItLacks) {
  EXPECT_TRUE(Refused(Run("SELECT sk FROM lines.by_kind WHERE kind = 'odd' AND \"when\" > '2'"),
                      "One or more parameter values were invalid: Secondary index by_kind does not "
                      "project one or more filter attributes: [when]"));
}

TEST_F(SelectStatement, DoesNotReadOverlappingRanges) {
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk = 'a' AND n = 1 OR pk = 'a' AND sk = 2"),
                      "Overlapping conditions with range keys are not supported in where clause"));
}

TEST_F(SelectStatement, UnitesRangesThatDoNotOverlap) {
  EXPECT_THAT(Column(Selected("SELECT sk FROM lines WHERE pk = 'a' AND sk < 2 OR "
                              "pk = 'a' AND sk > 4"),
                     "sk"),
              UnorderedElementsAre(AttributeValue(1), AttributeValue(5)));
}

TEST_F(SelectStatement, OrdersByKeysOnly) {
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines ORDER BY sk"),
                      "Must have WHERE clause in the statement when using ORDER BY clause."));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk = 'a' ORDER BY n"),
                      "Variable reference n in ORDER BY clause must be part of the primary key"));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE n = 1 ORDER BY sk"),
                      "Must have at least one non-optional hash key condition in WHERE clause when "
                      "using ORDER BY clause."));
}

TEST_F(SelectStatement, SaysWhatIsWrongWithAStatement) {
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE"),
                      "Statement wasn't well formed, can't be processed: Unexpected term"));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines x"), "Aliasing is not supported"));
  EXPECT_TRUE(Refused(Run("SELECT COUNT(*) FROM lines"), "Unexpected path component at 1:8:5"));
  EXPECT_TRUE(Refused(Run("EXISTS(SELECT * FROM lines WHERE pk = 'a' AND sk = 1)"),
                      "EXISTS can only be used in ExecuteTransaction write requests."));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk = 'a' AND m < TRUE"),
                      "Incorrect operand type for operator or function; operator or function: <, "
                      "operand type: BOOL"));
  EXPECT_TRUE(Refused(Run("SELECT * FROM lines WHERE pk.x = 'a'"),
                      "Key attributes must be scalars; list random access '[]' and map lookup '.' "
                      "are not allowed: Key: pk"));
}

TEST_F(SelectStatement, NeedsATable) {
  EXPECT_TRUE(Fails(Run("SELECT * FROM nosuchtable"), ErrorCode::kTableNotFound,
                    "Requested resource not found"));
}

TEST_F(SelectStatement, HasALimitOfItsOwn) {
  EXPECT_TRUE(Refused(db().ExecuteStatement({.statement = "SELECT * FROM lines", .limit = 0}),
                      "1 validation error detected: Value '0' at 'limit' failed to satisfy "
                      "constraint: Member must have value greater than or equal to 1"));
  EXPECT_TRUE(Succeeds(Run("SELECT * FROM lines WHERE pk = 'a'" + std::string(8000, ' '))));
  EXPECT_TRUE(
      FailsWith(Run("SELECT * FROM lines" + std::string(8192, ' ')), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Run(""), ErrorCode::kValidation));
}

TEST_F(SelectStatement, KeyedByInPagesAreSmall) {
  MakeTable({.name = "singles", .keys = "pk:S"});
  std::string values;
  for (int i = 10; i < 40; ++i) {
    Put("singles", {{"pk", "k" + std::to_string(i)}});
    values += (values.empty() ? "'k" : ", 'k") + std::to_string(i) + "'";
  }
  const auto page = Must(Run("SELECT * FROM singles WHERE pk IN [" + values + "]"));
  EXPECT_EQ(page.items.size(), 10U);
  EXPECT_TRUE(page.next_token.has_value());
  EXPECT_EQ(Selected("SELECT * FROM singles WHERE pk IN [" + values + "]").size(), 30U);
}

TEST_F(SelectStatement, CostsWhatItReads) {
  const auto units = [&](const std::string& statement, bool consistent) {
    const auto output =
        Must(db().ExecuteStatement({.statement = statement,
                                    .consistent_read = consistent,
                                    .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
    return output.consumed_capacity.value_or(ConsumedCapacity());
  };
  EXPECT_EQ(units("SELECT n FROM lines WHERE pk = 'a'", false).capacity_units, 0.5);
  EXPECT_EQ(units("SELECT n FROM lines WHERE pk = 'a'", true).capacity_units, 1);
  const ConsumedCapacity index = units("SELECT n FROM lines.by_kind WHERE kind = 'odd'", false);
  EXPECT_EQ(index.capacity_units, 0.5);
  EXPECT_EQ(index.table->capacity_units, 0);
  EXPECT_EQ(index.global_secondary_indexes.at("by_kind").capacity_units, 0.5);
  // What is fetched from the table is paid by the item.
  const ConsumedCapacity fetched = units("SELECT n FROM lines.by_when WHERE pk = 'a'", false);
  EXPECT_EQ(fetched.table->capacity_units, 2.5);
}

TEST_F(SelectStatement, LooksAtTheIndexBeforeItLooksAtTheProjection) {
  MakeTable({.name = "games", .keys = "id:S", .global = {{"rounds", "area:S year:N | seed:N"}}});
  const char* const several =
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
      "multi-attribute RANGE keys.";
  EXPECT_TRUE(Refused(Run("SELECT COUNT(*) FROM games.rounds"), several));
  EXPECT_TRUE(Refused(Run("SELECT * FROM games.rounds WHERE area = 'EU'"), several));
  const char* const counted = "Unexpected path component at 1:8:5";
  EXPECT_TRUE(Refused(Run("SELECT COUNT(*) FROM lines.by_kind"), counted));
  EXPECT_TRUE(Refused(Run("SELECT COUNT(*) FROM games"), counted));
  EXPECT_TRUE(Refused(Run("SELECT COUNT(*) FROM nowhere.rounds"), counted));
}

}  // namespace
}  // namespace stator::contract
