// What separate_tables.h promises, with engines in memory.

#include "cli/separate_tables.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work.h"
#include "engine/engine.h"

namespace stator::cli {
namespace {

class SeparateTablesTest : public testing::Test {
 protected:
  static std::unique_ptr<engine::Engine> OpenInMemory() {
    engine::EngineOptions options;
    options.store.in_memory = true;
    return engine::Engine::Open(options).value();
  }

  wire::Answer Ask(const std::string& operation, std::string body, const std::string& key,
                   const std::string& region = "us-east-1") {
    const std::string target = "DynamoDB_20120810." + operation;
    body.reserve(body.size() + wire::kBodyPaddingBytes);
    std::optional<wire::Answer> answer;
    tables_.Handle(
        {.target = target, .body = body, .caller = {.access_key_id = key, .region = region}},
        [&](wire::Answer given) { answer = std::move(given); });
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(wire::Answer());
  }
  std::string Tables(const std::string& key, const std::string& region = "us-east-1") {
    return Ask("ListTables", "{}", key, region).body;
  }
  void Create(const std::string& key, const std::string& region = "us-east-1") {
    EXPECT_EQ(Ask("CreateTable",
                  R"({"TableName":"things","BillingMode":"PAY_PER_REQUEST",)"
                  R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                  R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})",
                  key, region)
                  .status,
              200);
  }
  SeparateTables& tables() { return tables_; }
  [[nodiscard]] const std::vector<std::string>& opened() const { return opened_; }

 private:
  std::vector<std::string> opened_;
  std::unique_ptr<engine::Engine> engine_ = OpenInMemory();
  wire::DatabaseHandler unsigned_{*engine_};
  SeparateTables tables_{
      [this](const std::string& name) -> Result<std::unique_ptr<engine::Engine>> {
        opened_.push_back(name);
        return OpenInMemory();
      },
      /*like_dynamodb_local=*/true, unsigned_};
};

TEST_F(SeparateTablesTest, EachKeyAndRegionHasItsOwn) {
  const std::string none = R"({"TableNames":[]})";
  const std::string one = R"({"TableNames":["things"]})";
  Create("AKID1");
  EXPECT_EQ(Tables("AKID1"), one);
  EXPECT_EQ(Tables("AKID1", "eu-west-1"), none);
  EXPECT_EQ(Tables("AKID2"), none);
  EXPECT_EQ(Tables(""), none);
  Create("AKID2");
  Create("");
  EXPECT_EQ(Tables("AKID2"), one);
  EXPECT_EQ(Tables(""), one);
  EXPECT_EQ(opened(),
            (std::vector<std::string>{"AKID1_us-east-1", "AKID1_eu-west-1", "AKID2_us-east-1"}));
  EXPECT_TRUE(tables().Close().has_value());
}

TEST_F(SeparateTablesTest, AThreadThatServesManyOpensNone) {
  {
    const base::WorkScope serving({.share = base::kServingShare, .may_wait = false});
    static_cast<void>(Tables("AKID1"));
    EXPECT_TRUE(serving.wanted_threads().has_value());
    EXPECT_TRUE(opened().empty());
  }
  EXPECT_EQ(Tables("AKID1"), R"({"TableNames":[]})");
  const base::WorkScope serving({.share = base::kServingShare, .may_wait = false});
  EXPECT_EQ(Tables("AKID1"), R"({"TableNames":[]})");
  EXPECT_FALSE(serving.wanted_threads().has_value());
}

TEST_F(SeparateTablesTest, AKeyThatIsNoNameIsRefused) {
  for (const char* key : {"..", "a/b", "a b", "\x01"}) {
    EXPECT_EQ(Ask("ListTables", "{}", key).error, "UnrecognizedClientException") << key;
  }
  EXPECT_EQ(Ask("ListTables", "{}", "AKID", "../..").error, "UnrecognizedClientException");
  EXPECT_TRUE(opened().empty());
}

TEST_F(SeparateTablesTest, ThereAreOnlySoMany) {
  for (std::size_t number = 0; number < kSeparateCallersMax; ++number) {
    EXPECT_EQ(Ask("ListTables", "{}", "AKID" + std::to_string(number)).status, 200);
  }
  EXPECT_EQ(Ask("ListTables", "{}", "OneMore").error, "LimitExceededException");
  EXPECT_EQ(Ask("ListTables", "{}", "AKID0").status, 200);
}

}  // namespace
}  // namespace stator::cli
