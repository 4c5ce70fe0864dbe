#include "shell/session.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "engine/engine.h"

namespace stator::shell {
namespace {

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    engine::EngineOptions options;
    options.store.in_memory = true;
    database_ = engine::Engine::Open(options).value();
    EXPECT_TRUE(database_->CreateTable({
        .table_name = "lines",
        .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                  {"sk", ScalarAttributeType::kNumber}},
        .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
        .billing_mode = BillingMode::kPayPerRequest,
    }));
  }

  // What it prints, and the error behind it.
  std::string Say(const std::string& text, SessionOptions options = {}) {
    std::ostringstream out;
    Session session(*database_, out, std::move(options));
    StatementReader reader;
    reader.Append(text + "\n");
    while (const std::optional<Entry> entry = reader.Next()) {
      if (const std::optional<std::string> error = session.Run(*entry)) {
        out << "ERROR " << *error << '\n';
      }
    }
    return out.str();
  }

  std::unique_ptr<engine::Engine> database_;
};

TEST_F(SessionTest, RunsStatementsAndSaysWhatTheyUsed) {
  EXPECT_EQ(Say("INSERT INTO lines VALUE {'pk': 'a', 'sk': 1, 'n': 7};"
                "SELECT * FROM lines WHERE pk = 'a';"
                "SELECT n FROM lines WHERE n = 7;"),
            "(0 items; PutItem on lines; 1 write units)\n"
            "pk | sk | n\n"
            "---+----+--\n"
            "a  | 1  | 7\n"
            "(1 item; Query on lines; 0.5 read units)\n"
            "n\n"
            "-\n"
            "7\n"
            "(1 item; Scan on lines; 0.5 read units)\n");
}

TEST_F(SessionTest, ReadsWhatWas) {
  ASSERT_TRUE(database_->UpdateContinuousBackups(
      {.table_name = "lines", .point_in_time_recovery_specification = {.enabled = true}}));
  const auto say = [&](const std::string& text, TimePoint moment) {
    return Say(text, {.format = Format::kJson,
                      .shows_figures = false,
                      .parse_moment = [moment](const std::string&) -> Result<TimePoint> {
                        return moment;
                      }});
  };
  EXPECT_EQ(Say("INSERT INTO lines VALUE {'pk': 'a', 'sk': 1};"),
            "(0 items; PutItem on lines; 1 write units)\n");
  const TimePoint then =
      *database_->Scan({.table_name = "lines", .as_of = TimePoint::max()}).value().as_of;
  const std::string both =
      "SELECT * FROM lines WHERE pk = 'a'; SELECT * FROM lines WHERE pk = 'a' AND sk = 1;";
  const std::string was = say(both, then);
  EXPECT_EQ(Say("DELETE FROM lines WHERE pk = 'a' AND sk = 1;"),
            "(0 items; DeleteItem on lines; 1 write units)\n");
  EXPECT_EQ(say(both, then), "");
  EXPECT_EQ(say("\\asof then\n" + both, then),
            "SELECT reads what was at then; \\asof now ends it.\n" + was);
  EXPECT_EQ(say("\\asof then\n\\asof now\n" + both, then),
            "SELECT reads what was at then; \\asof now ends it.\nStatements read what is.\n");
  EXPECT_EQ(say("\\asof then\nDELETE FROM lines WHERE pk = 'a' AND sk = 1;", then),
            "SELECT reads what was at then; \\asof now ends it.\n"
            "ERROR Validation: Only a SELECT can be of a moment; what was is not changed\n");
}

TEST_F(SessionTest, SaysWhatIsWrong) {
  EXPECT_EQ(
      Say("SELECT * FROM;"),
      "ERROR Validation: Statement wasn't well formed, can't be processed: Unexpected term\n");
  EXPECT_EQ(Say("\\nonsense"),
            "ERROR Validation: there is no command \\nonsense; \\? lists them\n");
}

TEST_F(SessionTest, ExplainsWithoutDoing) {
  EXPECT_EQ(Say("EXPLAIN SELECT * FROM lines WHERE pk IN ['b', 'a'] AND sk > 3 AND n = 1;"),
            "Query on lines\n"
            "  key     pk = \"a\" AND sk > 3\n"
            "  key     pk = \"b\" AND sk > 3\n"
            "  filter  on n\n"
            "  cost    0.5 read units for each 4 KB that the keys select, before the filter\n");
  EXPECT_EQ(Say("explain DELETE FROM lines WHERE pk = 'a' AND sk = 1 AND n = 2;"),
            "DeleteItem on lines\n"
            "  key     pk = \"a\"\n"
            "  key     sk = 1\n"
            "  only    under the rest of its condition\n"
            "  cost    1 write unit for each KB of the larger of the item before and after\n");
  EXPECT_TRUE(
      Say("EXPLAIN SELECT * FROM lines;").starts_with("Scan on lines\n  cost    reads all 0"));
  EXPECT_TRUE(Say("EXPLAIN UPDATE lines SET a = 1;").starts_with("ERROR Validation: Where clause"));
}

TEST_F(SessionTest, ShowsOtherFormats) {
  EXPECT_EQ(Say("\\json\nINSERT INTO lines VALUE {'pk': 'a', 'sk': 1};\nSELECT * FROM lines;",
                {.shows_figures = false}),
            "{\"pk\":\"a\",\"sk\":1}\n");
  EXPECT_EQ(Say("\\csv\nSELECT * FROM lines;", {.shows_figures = false}), "pk,sk\r\na,1\r\n");
}

TEST_F(SessionTest, DescribesTables) {
  EXPECT_EQ(Say("\\d"),
            "table | partition key | sort key | items | bytes\n"
            "------+---------------+----------+-------+------\n"
            "lines | pk S          | sk N     | 0     | 0\n");
  EXPECT_TRUE(Say("\\d lines").starts_with("table | partition key"));
  EXPECT_TRUE(Say("\\d nothing").starts_with("ERROR TableNotFound: "));
}

TEST_F(SessionTest, WhatNobodyWaitsForIsCanceled) {
  SessionOptions options;
  options.run = [](const std::function<void()>& /*work*/) { return false; };
  EXPECT_EQ(Say("SELECT * FROM lines;", options), "ERROR Unavailable: canceled\n");
  EXPECT_EQ(Say("\\d", options), "ERROR Unavailable: canceled\n");
  EXPECT_EQ(Say("EXPLAIN SELECT * FROM lines;", options), "ERROR Unavailable: canceled\n");
  EXPECT_EQ(Say("DELETE FROM lines WHERE pk = 'a' AND sk = 1;", options),
            "ERROR Unavailable: canceled; it may have been carried out\n");
}

TEST_F(SessionTest, CompletesTablesAndTheAttributesThatWereSeen) {
  std::ostringstream out;
  Session session(*database_, out, {});
  EXPECT_EQ(session.Complete({.text = "li"}), (std::vector<std::string>{"lines", "list_append"}));
  EXPECT_EQ(session.Complete({.text = "sk"}), std::vector<std::string>());
  EXPECT_EQ(session.Complete({.text = "p"}), std::vector<std::string>{"pk"});
  EXPECT_EQ(session.Complete({.text = "pri"}), std::vector<std::string>());
  EXPECT_EQ(session.Run({.text = "INSERT INTO lines VALUE {'pk': 'a', 'sk': 1, 'price': 2}"}),
            std::nullopt);
  EXPECT_EQ(session.Run({.text = "SELECT * FROM lines"}), std::nullopt);
  EXPECT_EQ(session.Complete({.text = "pri"}), std::vector<std::string>{"price"});
}

TEST_F(SessionTest, CompletionDoesNotWaitForTheDatabase) {
  std::ostringstream out;
  Session session(*database_, out,
                  {.run_briefly = [](const std::function<void()>& /*work*/) { return false; }});
  EXPECT_EQ(session.Complete({.text = "li"}), std::vector<std::string>{"list_append"});
}

TEST_F(SessionTest, ShowsItemsWithDifferentAttributesTogether) {
  EXPECT_EQ(Say("INSERT INTO lines VALUE {'pk': 'a', 'sk': 1, 'x': [1]};"
                "INSERT INTO lines VALUE {'pk': 'a', 'sk': 2, 'y': <<'s'>>};"
                "SELECT * FROM lines;"
                "SELECT z FROM lines;",
                {.shows_figures = false}),
            "pk | sk | x   | y\n"
            "---+----+-----+------\n"
            "a  | 1  | [1] | \n"
            "a  | 2  |     | [\"s\"]\n");
}

TEST_F(SessionTest, HostileNamesAndValuesAreEscaped) {
  const std::string said =
      Say("INSERT INTO lines VALUE {'pk': '\x1B[2J', 'sk': 1, 'n\x1B]0;x\x07': '\xC2\x9B'};"
          "SELECT * FROM lines; \\json\nSELECT * FROM lines;"
          "EXPLAIN SELECT * FROM lines WHERE pk = '\x1B[2J' AND \"\x1B\" = '\x7F';"
          "SELECT * FROM \"\x1B[2J\"; DELETE FROM lines WHERE \"\x1B\" = 1;\n"
          "\\\x1B[2J\n\\d \x1B[2J\n\\timing \x1B[2J\n");
  for (const char character : said) {
    const auto byte = static_cast<unsigned char>(character);
    EXPECT_TRUE((byte >= 0x20 && byte < 0x7F) || character == '\n') << said;
  }
}

TEST_F(SessionTest, ManyPagesAreShownTogether) {
  std::ostringstream out;
  Session session(*database_, out, {});
  std::string keys;
  for (int number = 0; number < 30; ++number) {
    const std::string key = std::to_string(10 + number);
    keys += (number == 0 ? "'" : ", '") + key + "'";
    EXPECT_EQ(session.Run({.text = "INSERT INTO lines VALUE {'pk': '" + key + "', 'sk': 1}"}),
              std::nullopt);
  }
  out.str("");
  EXPECT_EQ(session.Run({.text = "SELECT * FROM lines WHERE pk IN [" + keys + "]"}), std::nullopt);
  const std::string said = out.str();
  EXPECT_EQ(said.find("---"), said.rfind("---+"));
  EXPECT_TRUE(said.contains("(30 items; Query on lines; ")) << said;
}

TEST_F(SessionTest, TimingIsSwitched) {
  EXPECT_EQ(Say("\\timing on\n\\timing\n\\timing maybe\n"),
            "Timing is on.\nTiming is off.\n"
            "ERROR Validation: \\timing is on or off, not maybe\n");
  EXPECT_TRUE(Say("\\timing\nSELECT * FROM lines;\n").contains("\nTime: "));
}

TEST_F(SessionTest, EndsAndHelps) {
  std::ostringstream out;
  Session session(*database_, out, {});
  EXPECT_EQ(session.Run({.text = "\\?", .is_command = true}), std::nullopt);
  EXPECT_TRUE(out.str().contains("EXPLAIN"));
  EXPECT_FALSE(session.wants_to_end());
  EXPECT_EQ(session.Run({.text = "\\q", .is_command = true}), std::nullopt);
  EXPECT_TRUE(session.wants_to_end());
}

}  // namespace
}  // namespace stator::shell
