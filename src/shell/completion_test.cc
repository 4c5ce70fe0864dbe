#include "shell/completion.h"

#include <gtest/gtest.h>

namespace stator::shell {
namespace {

using Words = std::vector<std::string>;

const Words kNames = {"lines", "my-table", "order", "sk", "evil\x1B[2J", "quo\"te", "Über"};

Words Completed(std::string_view line) {
  return CompletionsOf(WordAtEnd(line), kNames);
}

TEST(Completion, FindsWordsAndNames) {
  EXPECT_EQ(Completed("sel"), Words{"SELECT"});
  EXPECT_EQ(Completed("SELECT li"), (Words{"lines", "list_append"}));
  EXPECT_EQ(Completed("SELECT * FROM li"), Words{"lines"});
  EXPECT_EQ(Completed("insert  into  li"), Words{"lines"});
  EXPECT_EQ(Completed("\\d li"), Words{"lines"});
  EXPECT_EQ(Completed("SELECT s"), (Words{"SELECT", "SET", "set_add", "set_delete", "size", "sk"}));
  EXPECT_EQ(Completed("SELECT a,sk"), Words());
  EXPECT_EQ(Completed("WHERE contains(lin"), Words{"lines"});
  EXPECT_EQ(Completed("\\t"), (Words{"\\table", "\\timing"}));
}

TEST(Completion, QuotesNamesThatNeedIt) {
  EXPECT_EQ(Completed("SELECT * FROM my"), Words{"\"my-table\""});
  EXPECT_EQ(Completed("SELECT * FROM \"my-t"), Words{"my-table\""});
  EXPECT_EQ(Completed("SELECT * FROM \"my-table\".by"), Words());
  EXPECT_EQ(Completed("SELECT ord"), (Words{"\"order\"", "ORDER"}));
  EXPECT_EQ(Completed("SELECT \"ord"), Words{"order\""});
  EXPECT_TRUE(WordAtEnd("UPDATE \"ord").is_table);
  EXPECT_FALSE(WordAtEnd("UPDATE").is_table);
  EXPECT_FALSE(WordAtEnd("UPDATE lines ").is_table);
}

TEST(Completion, KnowsNothingInsideOfText) {
  EXPECT_EQ(Completed("WHERE pk = 'sel"), Words());
  EXPECT_EQ(Completed("WHERE pk = 'it''s' AND li"), (Words{"lines", "list_append"}));
}

TEST(Completion, OffersNoNameThatATerminalWouldObey) {
  EXPECT_EQ(Completed("ev"), Words());
  EXPECT_EQ(Completed("\"ev"), Words());
  EXPECT_EQ(Completed("quo"), Words());
  EXPECT_EQ(Completed("Ü"), Words{"\"Über\""});
}

TEST(Completion, CommonBeginnings) {
  EXPECT_EQ(CommonBeginning({"set_add", "set_delete"}), "set_");
  EXPECT_EQ(CommonBeginning({"\"order\"", "ORDER"}), "");
  EXPECT_EQ(CommonBeginning({"one"}), "one");
  EXPECT_EQ(CommonBeginning({}), "");
}

}  // namespace
}  // namespace stator::shell
