// Shared variables: merging, and limits of depth, texts and size.

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using testing::HasSubstr;

class Variables : public TaskStoreTest {
 protected:
  void SetUp() override {
    TaskStoreTest::SetUp();
    id_ = Created().task.id;
  }

  Result<TaskRecord> Set(const JsonObject& changes) {
    return store_->SetVariables("alice", id_, changes);
  }
  JsonObject Stored() { return store_->Get("alice", id_)->variables; }

  std::string id_;
};

Json Nested(int objects) {
  Json value = 1;
  for (int level = 0; level < objects; ++level) {
    value = JsonObject{{"n", std::move(value)}};
  }
  return value;
}

TEST_P(Variables, AreAddedReplacedAndRemoved) {
  ASSERT_TRUE(Set({{"a", 1}, {"b", JsonObject{{"x", 1}, {"y", 2}}}}));
  ASSERT_TRUE(Set({{"a", "new"}, {"b", JsonObject{{"x", nullptr}}}, {"c", JsonArray{nullptr}}}));
  EXPECT_EQ(
      Stored(),
      (JsonObject{{"a", "new"}, {"b", JsonObject{{"x", nullptr}}}, {"c", JsonArray{nullptr}}}));
  ASSERT_TRUE(Set({{"a", nullptr}, {"never", nullptr}}));
  EXPECT_EQ(Stored().size(), 2);
  EXPECT_EQ(Stored().Find("a"), nullptr);
}

TEST_P(Variables, AnEmptyChangeIsStillAWrite) {
  clock_.Advance(std::chrono::seconds(1));
  const auto written = Set({});
  EXPECT_EQ(written->version, 2);
  EXPECT_EQ(written->task.last_updated_at, kStart + std::chrono::seconds(1));
  EXPECT_EQ(Set({{"never", nullptr}})->version, 3);
}

TEST_P(Variables, TenLevelsPassElevenDoNot) {
  EXPECT_TRUE(Set({{"deep", Nested(10)}}));
  const auto refused = Set({{"deep", Nested(11)}});
  ASSERT_THAT(refused, FailsWith(ErrorCode::kValidation));
  EXPECT_EQ(refused.error().message,
            "variable validation failed: variable 'deep': variable nesting depth 11 exceeds "
            "maximum 10");
  EXPECT_EQ(JsonRpcCode(refused.error().code), -32602);
  EXPECT_EQ(Stored(), (JsonObject{{"deep", Nested(10)}}));
}

TEST_P(Variables, TextsAreLimitedAtEveryDepth) {
  EXPECT_TRUE(Set({{"s", std::string(65'536, 'x')}}));
  const auto refused = Set({{"a", JsonArray{JsonObject{{"s", std::string(65'537, 'x')}}}}});
  ASSERT_THAT(refused, FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(refused.error().message,
              HasSubstr("string value length 65537 bytes exceeds maximum 65536 bytes"));
  EXPECT_THAT(Set({{"a", JsonObject{{std::string(65'537, 'x'), 1}}}}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(Set({{std::string(65'537, 'x'), 1}}), FailsWith(ErrorCode::kValidation));
}

TEST_P(Variables, TheMergedSizeCounts) {
  UseOptions({.variables_bytes_max = 100});
  ASSERT_TRUE(Set({{"a", std::string(60, 'x')}}));
  const auto refused = Set({{"b", std::string(60, 'x')}});
  ASSERT_THAT(refused, FailsWith(ErrorCode::kTooLarge));
  EXPECT_EQ(FactsOf(refused.error()).limit, 100);
  EXPECT_EQ(FactsOf(refused.error()).actual, 68 + 67);
  EXPECT_EQ(JsonRpcCode(refused.error().code), -32602);
  EXPECT_EQ(refused.error().message,
            "variable size limit exceeded: 135 bytes exceeds 100 byte limit");
  EXPECT_EQ(Stored().size(), 1);
  // Replacing instead of adding fits.
  EXPECT_TRUE(Set({{"a", nullptr}, {"b", std::string(60, 'x')}}));
}

TEST_P(Variables, The350KilobytesOfDynamoDbAreTheDefault) {
  JsonObject parts;
  for (int part = 0; part < 6; ++part) {
    parts.Set("p" + std::to_string(part), std::string(60'000, 'x'));
  }
  EXPECT_THAT(Set(parts), FailsWith(ErrorCode::kTooLarge));
  parts.Erase("p5");
  EXPECT_TRUE(Set(parts));
}

TEST_P(Variables, TheWholeRecordIsGuardedToo) {
  JsonObject parts;
  for (int part = 0; part < 5; ++part) {
    parts.Set("p" + std::to_string(part), std::string(60'000, 'x'));
  }
  ASSERT_TRUE(Set(parts));
  EXPECT_THAT(store_->SetResult("alice", id_, std::string(120'000, 'x')),
              FailsWith(ErrorCode::kTooLarge));
  EXPECT_FALSE(store_->Get("alice", id_)->result);
}

TEST_P(Variables, MayChangeAfterTheEndWhenAllowed) {
  UseOptions({.variables_after_end = true});
  ASSERT_TRUE(store_->Cancel("alice", id_));
  EXPECT_TRUE(Set({{"a", 1}}));
}

TEST_P(Variables, ManyNamesMergeQuickly) {
  std::vector<JsonObject::value_type> many;
  for (int name = 0; name < 20'000; ++name) {
    many.emplace_back("n" + std::to_string(name), name);
  }
  const JsonObject changes(std::move(many));
  ASSERT_TRUE(Set(changes));
  ASSERT_TRUE(Set(changes));
  EXPECT_EQ(Stored(), changes);
}

FOR_EVERY_BACKEND(Variables);

}  // namespace
}  // namespace stator::tasks
