// From text to what DynamoDB can do: what is refused and how, and what conditions and updates mean.
// The messages are recorded on AWS where the test's name says so, else on DynamoDB Local.

#include "partiql/statement.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "partiql/answer.h"
#include "partiql/bind.h"

namespace stator::partiql {
namespace {

std::string Refusal(const std::string& text) {
  const auto statement = Translate(text);
  return statement ? "taken" : statement.error().message;
}

void ExpectRefusals(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(Refusal(text), message) << text;
  }
}

// Of a WHERE on a fixed item; an error's message when it is refused.
std::string Asked(const std::string& where, const std::optional<Parameters>& parameters = {}) {
  const Item item = {{"pk", "a"},
                     {"n", 5},
                     {"s", "string"},
                     {"t", true},
                     {"z", Null{}},
                     {"b", Binary{"bytes"}},
                     {"l", List{1, "two", Map{{"k", 3}}}},
                     {"m", Map{{"x", 1}, {"y", Map{{"z", "deep"}}}}},
                     {"ss", StringSet{"a", "b"}},
                     {"ns", NumberSet{1, 2}}};
  const auto statement = Translate("SELECT * FROM Things WHERE " + where);
  if (!statement) {
    return statement.error().message;
  }
  if (const Result<void> checked = CheckParameters(**statement, parameters); !checked) {
    return checked.error().message;
  }
  const BoundStatement bound(**statement, parameters);
  const auto condition = bound.Bind(*(*statement)->If<Select>()->where);
  if (!condition) {
    return condition.error().message;
  }
  return condition->Matches(item) ? "yes" : "no";
}

TEST(Statement, RefusesAsRecordedOnAws) {
  ExpectRefusals({
      {"SELECT * FROM Things t WHERE pk = 'x'", "Aliasing is not supported"},
      {"SELECT * FROM Things AS t WHERE pk = 'x'", "Aliasing is not supported"},
      {"UPDATE Things t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"},
      {"DELETE FROM Things t WHERE pk = 'x'", "Aliasing is not supported"},
      {"SELECT * FROM Things WHERE pk = 1e126",
       "Number overflow. Attempting to store a number with magnitude larger than supported range "
       "under root"},
      {"INSERT INTO Things VALUE {'pk': 1, 'm': {'x': 1e126}}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range "
       "under root.x"},
      {"SELECT * FROM Things WHERE pk = 123456789012345678901234567890123456789",
       "Attempting to store more than 38 significant digits in a Number under root"},
      {"x IS INT4", "Unsupported operation: IsType"},
      {"SELECT attribute_exists(ss) FROM Things", "Unexpected path component at 1:8:16"},
      {"SELECT COUNT(*) FROM Things", "Unexpected path component at 1:8:5"},
      {"UPDATE Things SET t = set_add(ss, <<'x'>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:23:7"},
      {"UPDATE Things SET ss = set_add(ss, 'x')",
       "The second argument to SET_ADD must be a value with type SET at 1:32:2"},
      {"UPDATE Things SET ss = set_delete(ss)",
       "SET_DELETE must have exactly two arguments at 1:24:10"},
      {"UPDATE Things SET ss = set_add(ss, <<'x', 'x'>>)",
       "One or more parameter values were invalid: Input collection [x, x] contains duplicates."},
      {"UPDATE Things SET ss = set_add(ss, <<>>)", "Empty bags are not supported"},
      {"SELECT * FROM Things WHERE set_add(ss, <<'x'>>) = ss",
       "Unrecognized function: set_add at 1:28:7"},
      {"SELECT * FROM Things.i.x", "A path may contain at most 2 components in the FROM clause"},
      {"UPDATE Things.i SET a = 1", "This operation is not supported on an index"},
      {"DELETE FROM Things.i", "This operation is not supported on an index"},
      {"INSERT INTO \"Things\".i VALUE {'pk': 1}",
       "FROM clause may only contain a single table name in data manipulation statements at "
       "1:13:8"},
      {"DELETE FROM Things WHERE pk = 1 RETURNING MODIFIED OLD *",
       "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in "
       "DELETE statements."},
      {"SELECT * FROM \"\"", "Path component cannot be an empty string"},
  });
}

TEST(Statement, RefusesWhatDynamoDbDoesNotHave) {
  ExpectRefusals({
      {"SELECT n AS k FROM Things", "Aliasing is not supported"},
      {"SELECT n, n FROM Things", "Duplicate identifiers in select clause: n"},
      {"SELECT m.x, x FROM Things", "Duplicate identifiers in select clause: x"},
      {"SELECT DISTINCT a FROM Things", "Unsupported token in expression: DISTINCT"},
      {"SELECT VALUE a FROM Things", "Select projection doesn't support value or pivot keywords"},
      {"SELECT m.* FROM Things", "Changing item's hierarchy while reading isn't supported"},
      {"SELECT l[-1] FROM Things",
       "List index is not within the allowable range; index: [-1] at 1:11:1"},
      {"SELECT l[1.5] FROM Things", "Unexpected path component at 1:10:3"},
      {"SELECT * FROM Things, Others", "Only select from a single table or index is supported."},
      {"SELECT * FROM 'Things'", "Unexpected from source"},
      {"SELECT * FROM \"a b c\"",
       "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', "
       "'_', '.'."},
      {"SELECT * FROM Things LIMIT 1", "Unsupported clause: LIMIT at 1:28:1"},
      {"SELECT * FROM Things GROUP BY a", "Unsupported clause: GROUP BY"},
      {"SELECT * FROM Things WHERE pk = 1 ORDER BY 1",
       "Argument to ORDER BY must be of type VariableReference. Type: 1"},
      {"SELECT * FROM Things WHERE pk = 1 ORDER BY m.x",
       "Argument to ORDER BY must be of type VariableReference. Type: PATH"},
      {"SELECT * FROM Things WHERE pk = 1 ORDER BY [1]",
       "Argument to ORDER BY must be of type VariableReference. Type: LIST"},
      {"LIST(1)", "Unsupported operation: Seq"},
      {"INSERT INTO Things {'pk': 1}", "Unsupported operation: InsertOp"},
      {"INSERT INTO Things VALUE {'pk': 1} RETURNING ALL OLD *",
       "RETURNING is not supported in INSERT"},
      {"INSERT INTO Things VALUE {'a': 1 + 1}",
       "Unsupported data type: + under key root at 1:34:1"},
      {"INSERT INTO Things VALUE {'a': [?]}",
       "Unsupported data type: Parameter under key root.0 at 1:33:1"},
      {"INSERT INTO Things VALUE {'a': <<1, 'x'>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags at "
       "1:37:3"},
      {"INSERT INTO Things VALUE {'a': MISSING}",
       "Unsupported data type: MISSING under key root at 1:32:7"},
      {"INSERT INTO Things VALUE {'a': `5`}",
       "Ion Literals are not supported: INT under key root at 1:32:3"},
      {"UPDATE Things SET a = 1 * 2", "Unsupported operator in Update Expression. Operator: *"},
      {"UPDATE Things SET a = size(b)",
       "The function is not allowed in an update expression; function: size"},
      {"1 = 1 UNION 2", "taken"},  // and refused by the operation
      {"CREATE TABLE abc", "Unsupported operation: CreateTable"},
      {"SET x = 1", "Only select from a single table or index is supported."},
  });
}

TEST(Statement, RefusesWhatIsNoCondition) {
  EXPECT_EQ(Asked("n + 1 = 2"), "Unsupported operator in Condition Expression. Operator: +");
  EXPECT_EQ(Asked("s LIKE 'x'"), "Unsupported operator in Condition Expression. Operator: like");
  EXPECT_EQ(Asked("n = 5 AND t"), "The arguments to AND/OR must be Expressions");
  EXPECT_EQ(Asked("NOT t"), "The argument to NOT must be a Type or Expression");
  EXPECT_EQ(Asked("a = MISSING"), "MISSING must be compared using IS operator");
  EXPECT_EQ(Asked("foo(a) = 1"), "Unrecognized function: foo at 1:28:3");
  EXPECT_EQ(Asked("list_append(a, b) = 1"),
            "The function is not allowed in a condition expression; function: list_append");
  EXPECT_EQ(Asked("n IN []"),
            "IN operator must have a left hand argument of type Variable Reference and right hand "
            "argument of type Seq with at least one member");
  EXPECT_EQ(Asked("n IS INT4"), "Unsupported operation: IsType");
  EXPECT_EQ(Asked("n IS INT8"), "Unsupported operation: IsType");
  EXPECT_EQ(Asked("n IS INT"),
            "Unsupported data type for IS operator: INTEGER. Supported data types are [MISSING, "
            "NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at 1:30:2");
  EXPECT_EQ(Asked("t < TRUE"),
            "Incorrect operand type for operator or function; operator or function: <, operand "
            "type: BOOL");
  EXPECT_EQ(Asked("attribute_exists('ss')"),
            "Operator or function requires a document path; operator or function: "
            "attribute_exists");
  EXPECT_EQ(Asked("attribute_exists()"),
            "Incorrect number of operands for operator or function; operator or function: "
            "attribute_exists, number of operands: 0");
}

TEST(Statement, ConditionsMeanWhatExpressionsMean) {
  for (const char* where : {"n = 5",
                            "5 = n",
                            "n <> 6",
                            "n != 6",
                            "n BETWEEN 4 AND 6",
                            "n NOT BETWEEN 6 AND 7",
                            "n IN [1, 5]",
                            "n IN (1, 5)",
                            "n NOT IN (1, 2)",
                            "x IS MISSING",
                            "n IS NOT MISSING",
                            "z IS NULL",
                            "z = NULL",
                            "n IS NOT NULL",
                            "x IS NOT NULL",
                            "t IS BOOL",
                            "s IS STRING",
                            "n IS NUMERIC",
                            "b IS BLOB",
                            "l IS LIST",
                            "m IS STRUCT",
                            "m IS TUPLE",
                            "begins_with(s, 'str')",
                            "begins_with(s, 'x') = FALSE",
                            "BEGINS_WITH(s, 'str') = TRUE",
                            "contains(ss, 'a')",
                            "size(s) = 6",
                            "attribute_type(s, 'S')",
                            "m.y.z = 'deep'",
                            "m['x'] = 1",
                            "l[2].k = 3",
                            "NOT a = 'x'",
                            "NOT n = 6 AND s = 'string'",
                            "ss = <<'b', 'a'>>",
                            "ns = <<2, 1.0>>",
                            "m.y = {'z': 'deep'}",
                            "n = +5.0e0",
                            "n = 1 OR n = 5",
                            "(n = 1 OR n = 5) AND s = 'string'",
                            "n > - 1"}) {
    EXPECT_EQ(Asked(where), "yes") << where;
  }
  for (const char* where : {"N = 5", "n = '5'", "n = 6", "x IS NULL", "x = NULL", "x > 1",
                            "NOT (n = 5)", "l[5] = 1", "s IS NUMERIC"}) {
    EXPECT_EQ(Asked(where), "no") << where;
  }
}

TEST(Statement, ParametersStandInTheOrderOfTheText) {
  EXPECT_EQ(Asked("n = ? AND s = ?", Parameters{5, "string"}), "yes");
  EXPECT_EQ(Asked("n = ? AND s = ?", Parameters{"string", 5}), "no");
  EXPECT_EQ(Asked("n IN [?, ?]", Parameters{1, 5}), "yes");
  EXPECT_EQ(Asked("n = ? AND s = ?", Parameters{5}),
            "Number of parameters in request and statement don't match.");
  EXPECT_EQ(Asked("n = ?"), "Number of parameters in request and statement don't match.");
  EXPECT_EQ(Asked("s = '?'"), "no");
}

TEST(Statement, UpdatesSeeTheItemAsItWas) {
  const auto statement =
      Translate(
          "UPDATE Things SET n = n + ?, l = list_append(l, [4]) SET ss = set_add(ss, <<'c'>>) "
          "REMOVE m.x SET ns = set_delete(ns, ?), previous = n WHERE pk = 'a' RETURNING ALL NEW *")
          .value();
  const std::optional<Parameters> parameters = Parameters{2, NumberSet{1}};
  const Update& update = *statement->If<Update>();
  EXPECT_EQ(update.returning, ReturnValues::kAllNew);
  const Item before = {{"pk", "a"},          {"n", 5},
                       {"l", List{1}},       {"ss", StringSet{"a"}},
                       {"m", Map{{"x", 1}}}, {"ns", NumberSet{1, 2}}};
  const Item after = {{"pk", "a"},       {"n", 7},
                      {"l", List{1, 4}}, {"ss", StringSet{"a", "c"}},
                      {"m", Map{}},      {"ns", NumberSet{2}},
                      {"previous", 5}};
  const BoundStatement bound(*statement, parameters);
  EXPECT_EQ(bound.Bind(update).value().Apply(&before, {}).value(), after);
  const std::optional<Parameters> no_set = Parameters{2, 1};
  EXPECT_EQ(BoundStatement(*statement, no_set).Bind(update).error().message,
            "The second argument to SET_DELETE must be a value with type SET at 1:115:2");
}

TEST(Statement, AnUpdateMayBeginWithItsCondition) {
  const auto statement = Translate("FROM Things WHERE pk = 'a' SET n = 1 REMOVE m").value();
  EXPECT_EQ(statement->If<Update>()->tree->actions.size(), 2U);
  EXPECT_TRUE(statement->If<Update>()->where.has_value());
}

TEST(Statement, AnswersAreNamedByTheLastElement) {
  const Item item = {{"pk", "a"},
                     {"l", List{1, 2, Map{{"k", 3}}}},
                     {"m", Map{{"y", Map{{"z", "deep"}}}, {"a b", 7}}}};
  const auto statement =
      Translate("SELECT pk, m.y.z, m['a b'], l[0], l[2].k, absent, l[9] FROM Things").value();
  EXPECT_EQ(Answer(statement->If<Select>()->projection, item),
            (Item{{"pk", "a"}, {"z", "deep"}, {"a b", 7}, {"l[0]", 1}, {"l[2]", Map{{"k", 3}}}}));
}

TEST(Statement, LiteralsOfEveryType) {
  const auto statement =
      Translate(
          "INSERT INTO Things VALUE {'pk': 'it''s', 'n': -.5e1, 't': TRUE, 'f': false, 'z': "
          "null, 'l': [1, (2, 3), LIST(4)], 'm': {'a': {}}, 'ss': <<'x', 'y'>>, 'ns': "
          "BAG(1, 2), 'p': ?}")
          .value();
  const std::optional<Parameters> parameters = Parameters{Binary{"raw"}};
  EXPECT_EQ(BoundStatement(*statement, parameters).ItemOf(*statement->If<Insert>()),
            (Item{{"pk", "it's"},
                  {"n", -5},
                  {"t", true},
                  {"f", false},
                  {"z", Null{}},
                  {"l", List{1, List{2, 3}, List{4}}},
                  {"m", Map{{"a", Map{}}}},
                  {"ss", StringSet{"x", "y"}},
                  {"ns", NumberSet{1, 2}},
                  {"p", Binary{"raw"}}}));
}

}  // namespace
}  // namespace stator::partiql
