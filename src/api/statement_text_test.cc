#include "api/statement_text.h"

#include <gtest/gtest.h>

namespace stator::api {
namespace {

TEST(StatementText, KnowsReads) {
  for (const std::string_view text :
       {"SELECT * FROM t", " \n\tselect pk FROM t", "(Select * FROM t)", "-- why\nSELECT * FROM t",
        "/* a */ /* b */select*FROM t", "SELECT"}) {
    EXPECT_TRUE(IsSelect(text)) << text;
  }
}

TEST(StatementText, TakesNothingElseForARead) {
  for (const std::string_view text :
       {"", " ", "SELEC", "selected", "select_ x", "INSERT INTO t VALUE {'a': 'SELECT'}",
        "/* SELECT", "-- SELECT * FROM t", "EXISTS(SELECT * FROM t)", "FROM t SET a = 1"}) {
    EXPECT_FALSE(IsSelect(text)) << text;
  }
}

TEST(StatementText, ARequestReadsWhenAllOfItDoes) {
  EXPECT_TRUE(IsSelect(BatchExecuteStatementInput{
      .statements = {{.statement = "SELECT 1"}, {.statement = "select 2"}}}));
  EXPECT_FALSE(IsSelect(BatchExecuteStatementInput{
      .statements = {{.statement = "SELECT 1"}, {.statement = "DELETE FROM t"}}}));
  EXPECT_FALSE(
      IsSelect(ExecuteTransactionInput{.transact_statements = {{.statement = "DELETE FROM t"}}}));
}

}  // namespace
}  // namespace stator::api
