// What leaves for Kinesis: everything, in the order of each item, whatever the receiver does; and
// what becomes of it when nobody receives.

#include "engine/outgoing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/check_database.h"
#include "engine/sample_database.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kArn[] = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

// A stream in memory that refuses as it is told to.
class FakeStream final : public api::ChangeReceiver {
 public:
  Result<bool> IsActive(const std::string& stream_arn) override {
    const MutexLock lock(mutex_);
    if (down_) {
      return Fail(ErrorCode::kIo, "nobody is there");
    }
    if (stream_arn != kArn) {
      return Fail(ErrorCode::kResourceNotFound, "no such stream");
    }
    return true;
  }

  Result<std::vector<bool>> Put(const std::string& /*stream_arn*/,
                                const std::vector<api::ChangeRecord>& records) override {
    const MutexLock lock(mutex_);
    ++calls_;
    EXPECT_LE(records.size(), api::kReceivedRecordsMax);
    if (down_) {
      return Fail(ErrorCode::kIo, "nobody is there");
    }
    std::set<std::string> items;
    std::vector<bool> taken;
    for (const api::ChangeRecord& record : records) {
      EXPECT_TRUE(items.insert(record.partition_key).second) << "two of one item in a call";
      if (record.data.size() > api::kReceivedRecordBytesMax) {
        return Fail(ErrorCode::kValidation, "too large");
      }
    }
    for (const api::ChangeRecord& record : records) {
      // Every third record is refused the first time that it comes.
      taken.push_back(!refuses_some_ || ++counted_ % 3 != 0);
      if (taken.back()) {
        records_.push_back(record);
      }
    }
    return taken;
  }

  void SetDown(bool down) {
    const MutexLock lock(mutex_);
    down_ = down;
  }
  void RefuseSome() {
    const MutexLock lock(mutex_);
    refuses_some_ = true;
  }
  std::vector<api::ChangeRecord> records() {
    const MutexLock lock(mutex_);
    return records_;
  }
  int calls() {
    const MutexLock lock(mutex_);
    return calls_;
  }

 private:
  Mutex mutex_;
  bool down_ STATOR_GUARDED_BY(mutex_) = false;
  bool refuses_some_ STATOR_GUARDED_BY(mutex_) = false;
  int counted_ STATOR_GUARDED_BY(mutex_) = 0;
  int calls_ STATOR_GUARDED_BY(mutex_) = 0;
  std::vector<api::ChangeRecord> records_ STATOR_GUARDED_BY(mutex_);
};

class OutgoingTest : public testing::Test {
 protected:
  void Open(bool with_receiver = true, Clock* clock = &SystemClock()) {
    engine_.reset();
    EngineOptions options;
    options.store.path = path_;
    options.store.durability = storage::Durability::kRelaxed;
    options.clock = clock;
    options.housekeeping_interval = std::chrono::milliseconds(0);
    options.change_receiver = with_receiver ? stream_ : nullptr;
    options.log = [this](std::string_view sentence) {
      const MutexLock lock(mutex_);
      notices_ += std::string(sentence) + "\n";
    };
    engine_ = Must(Engine::Open(options));
  }
  void SetUp() override { Open(); }

  void MakeTable(const std::string& name = "orders") {
    Must(engine_->CreateTable({.table_name = name,
                               .attribute_definitions = {{"id", ScalarAttributeType::kString}},
                               .key_schema = {{"id", KeyType::kHash}},
                               .billing_mode = BillingMode::kPayPerRequest}));
  }
  Result<EnableKinesisStreamingDestinationOutput> Enable(
      std::optional<CreationTimePrecision> precision = std::nullopt,
      const std::string& arn = kArn) {
    EnableKinesisStreamingDestinationInput input{.table_name = "orders", .stream_arn = arn};
    if (precision) {
      input.enable_kinesis_streaming_configuration = {
          {.approximate_creation_date_time_precision = precision}};
    }
    return engine_->EnableKinesisStreamingDestination(input);
  }
  void MakeActive() {
    MakeTable();
    Must(Enable());
    AwaitStatus(DestinationStatus::kActive);
  }
  Result<DisableKinesisStreamingDestinationOutput> Disable() {
    return engine_->DisableKinesisStreamingDestination(
        {.table_name = "orders", .stream_arn = kArn});
  }
  std::vector<KinesisDataStreamDestination> Destinations() {
    return Must(engine_->DescribeKinesisStreamingDestination({.table_name = "orders"}))
        .kinesis_data_stream_destinations;
  }
  void Put(const std::string& id, const AttributeValue& value) {
    Must(engine_->PutItem({.table_name = "orders", .item = {{"id", id}, {"value", value}}}));
  }

  // Waits for the other thread, within bounds.
  template <class Condition>
  static bool Await(Condition condition) {
    for (int look = 0; look < 6'000; ++look) {
      if (condition()) {
        return true;
      }
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
    return false;
  }
  void AwaitStatus(DestinationStatus status) {
    ASSERT_TRUE(Await([&] { return Destinations().at(0).destination_status == status; }));
  }
  bool AwaitRecords(std::size_t count) {
    return Await([&] { return stream_->records().size() >= count; });
  }
  std::string notices() {
    const MutexLock lock(mutex_);
    return notices_;
  }
  // The numbers that an item had, as the stream tells them.
  std::vector<int> ValuesOf(const std::string& id) {
    std::vector<int> values;
    for (const api::ChangeRecord& record : stream_->records()) {
      const std::string key = R"("Keys":{"id":{"S":")" + id + "\"}}";
      const std::size_t image = record.data.find("NewImage");
      constexpr std::string_view kValue = R"("value":{"N":")";
      const std::size_t at = record.data.find(kValue, image);
      if (record.data.contains(key) && image != std::string::npos && at != std::string::npos) {
        values.push_back(std::stoi(record.data.substr(at + kValue.size())));
      }
    }
    return values;
  }
  void CheckClosed() {
    ASSERT_TRUE(engine_->Close().has_value());
    EXPECT_THAT(Must(CheckDatabase({.path = path_})).problems.texts, IsEmpty());
    engine_.reset();
  }

  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/data";
  const std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
  Mutex mutex_;
  std::string notices_ STATOR_GUARDED_BY(mutex_);
  std::unique_ptr<Engine> engine_;
};

TEST_F(OutgoingTest, ChangesAreToldInAmazonsWords) {
  MakeTable();
  EXPECT_THAT(Destinations(), IsEmpty());
  const auto enabled = Must(Enable(CreationTimePrecision::kMicrosecond));
  EXPECT_EQ(enabled.destination_status, DestinationStatus::kEnabling);
  EXPECT_EQ(enabled.table_name, "orders");
  Put("a", 1);
  Put("a", "two");
  Must(engine_->DeleteItem({.table_name = "orders", .key = {{"id", "a"}}}));
  ASSERT_TRUE(AwaitRecords(3));
  const std::vector<api::ChangeRecord> records = stream_->records();
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_THAT(
      records[1].data,
      testing::MatchesRegex(
          R"(\{"awsRegion":"us-east-1","eventID":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})"
          R"(-[0-9a-f]{12}","eventName":"MODIFY","userIdentity":null,)"
          R"("recordFormat":"application/json","tableName":"orders","dynamodb":)"
          R"(\{"ApproximateCreationDateTime":[0-9]{16},"Keys":\{"id":\{"S":"a"\}\},)"
          R"("NewImage":\{"id":\{"S":"a"\},"value":\{"S":"two"\}\},)"
          R"("OldImage":\{"id":\{"S":"a"\},"value":\{"N":"1"\}\},"SizeBytes":[0-9]+,)"
          R"("ApproximateCreationDateTimePrecision":"MICROSECOND"\},)"
          R"("eventSource":"aws:dynamodb"\})"));
  EXPECT_THAT(records[0].data, HasSubstr(R"("eventName":"INSERT")"));
  EXPECT_THAT(records[2].data, HasSubstr(R"("eventName":"REMOVE")"));
  EXPECT_EQ(records[0].partition_key, records[2].partition_key);
  EXPECT_EQ(Destinations().at(0).approximate_creation_date_time_precision,
            CreationTimePrecision::kMicrosecond);
  EXPECT_TRUE(Await([&] { return engine_->OutgoingFigures().delivered == 3; }));
  EXPECT_THAT(Must(engine_->ListStreams({})).streams, IsEmpty());
  CheckClosed();
}

TEST_F(OutgoingTest, TheOrderOfAnItemSurvivesRefusals) {
  MakeActive();
  stream_->RefuseSome();
  for (int value = 0; value < 60; ++value) {
    Put("hot", value);
    Put("item" + std::to_string(value % 7), value);
  }
  ASSERT_TRUE(AwaitRecords(120));
  const std::vector<int> values = ValuesOf("hot");
  ASSERT_THAT(values, SizeIs(60));
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_GT(engine_->OutgoingFigures().failures, 0U);
  EXPECT_TRUE(Await([&] { return engine_->OutgoingFigures().delivered == 120; }));
}

TEST_F(OutgoingTest, WhatIsNotTakenWaitsAndIsSentAfterARestart) {
  MakeActive();
  stream_->SetDown(true);
  for (int value = 0; value < 600; ++value) {
    Put("item" + std::to_string(value), value);
  }
  ASSERT_TRUE(Await([&] { return notices().contains("cannot be sent"); }));
  EXPECT_THAT(Destinations().at(0).destination_status_description.value_or(""),
              HasSubstr("nobody is there"));
  EXPECT_EQ(engine_->OutgoingFigures().failing, 1U);
  EXPECT_GT(engine_->OutgoingFigures().oldest, Duration::zero());
  CheckClosed();
  stream_->SetDown(false);
  const int calls = stream_->calls();
  Open();
  Put("item0", 700);
  ASSERT_TRUE(AwaitRecords(601));
  EXPECT_THAT(ValuesOf("item0"), ElementsAre(0, 700));
  EXPECT_GE(stream_->calls() - calls, 2);
  ASSERT_TRUE(Await([&] { return engine_->OutgoingFigures().delivered == 601; }));
  CheckClosed();
  Open();
  EXPECT_THAT(stream_->records(), SizeIs(601)) << "what was taken is not sent again";
}

TEST_F(OutgoingTest, ADayIsKeptAndThenDropped) {
  CheckClosed();
  ManualClock clock(SystemClock().Now());
  Open(true, &clock);
  MakeActive();
  stream_->SetDown(true);
  Put("old", 1);
  clock.Advance(std::chrono::hours(20));
  Put("new", 2);
  clock.Advance(std::chrono::hours(5));
  ASSERT_TRUE(engine_->RunHousekeeping().has_value());
  EXPECT_EQ(engine_->OutgoingFigures().dropped, 1U);
  EXPECT_THAT(notices(), HasSubstr("were dropped"));
  stream_->SetDown(false);
  clock.Advance(std::chrono::minutes(1));
  ASSERT_TRUE(AwaitRecords(1));
  EXPECT_THAT(stream_->records().at(0).data, HasSubstr(R"({"S":"new"})"));
  engine_.reset();
}

TEST_F(OutgoingTest, DisablingSendsWhatThereIs) {
  MakeActive();
  for (int value = 0; value < 50; ++value) {
    Put("item", value);
  }
  EXPECT_EQ(Must(Disable()).destination_status, DestinationStatus::kDisabling);
  Put("item", 50);
  AwaitStatus(DestinationStatus::kDisabled);
  EXPECT_THAT(ValuesOf("item"), SizeIs(50));
  EXPECT_FALSE(Disable());
  Must(Enable());
  AwaitStatus(DestinationStatus::kActive);
  EXPECT_THAT(Destinations(), SizeIs(1)) << "the same destination, once";
  CheckClosed();
}

TEST_F(OutgoingTest, DisablingEndsAlsoWhenNobodyReceives) {
  MakeActive();
  stream_->SetDown(true);
  Put("item", 1);
  Must(Disable());
  EXPECT_TRUE(Disable().has_value()) << "once more";
  AwaitStatus(DestinationStatus::kDisabled);
  EXPECT_EQ(engine_->OutgoingFigures().dropped, 1U);
  CheckClosed();
}

TEST_F(OutgoingTest, WhatADeletedTableWroteIsSent) {
  MakeActive();
  stream_->SetDown(true);
  Put("item", 1);
  ASSERT_TRUE(Await([&] { return engine_->OutgoingFigures().failures > 0; }));
  stream_->SetDown(false);
  Must(engine_->DeleteTable({.table_name = "orders"}));
  MakeTable();
  EXPECT_THAT(Destinations(), IsEmpty());
  ASSERT_TRUE(AwaitRecords(1));
  ASSERT_TRUE(Await([&] { return engine_->OutgoingFigures().destinations == 0; }));
  CheckClosed();
}

TEST_F(OutgoingTest, EnablingFailsWithItsReason) {
  MakeTable();
  const auto fails = [&](const std::string& arn, const std::string& reason) {
    Must(Enable(std::nullopt, arn));
    AwaitStatus(DestinationStatus::kEnableFailed);
    EXPECT_THAT(Destinations().at(0).destination_status_description.value_or(""),
                HasSubstr(reason));
  };
  fails("arn:aws:kinesis:us-east-1:000000000000:stream/nowhere", "does not have a permission");
  fails("arn:aws:kinesis:eu-west-1:000000000000:stream/changes", "not in the current region");
  fails("arn:aws:dynamodb:us-east-1:000000000000:table/orders", "does not have a permission");
  stream_->SetDown(true);
  fails(kArn, "nobody is there");
  EXPECT_THAT(Destinations(), SizeIs(4));
  EXPECT_FALSE(Disable());
  stream_->SetDown(false);
  Must(Enable());
  AwaitStatus(DestinationStatus::kActive);
  EXPECT_THAT(Destinations(), SizeIs(4));
  CheckClosed();
}

TEST_F(OutgoingTest, OneDestinationAtATimeAndItsPrecisionCanBeChanged) {
  MakeActive();
  EXPECT_THAT(Enable().error().message, HasSubstr("must be DISABLED or ENABLE_FAILED"));
  const auto update = [&](CreationTimePrecision precision) {
    return engine_->UpdateKinesisStreamingDestination(
        {.table_name = "orders",
         .stream_arn = kArn,
         .update_kinesis_streaming_configuration = {
             {.approximate_creation_date_time_precision = precision}}});
  };
  EXPECT_THAT(update(CreationTimePrecision::kMillisecond).error().message,
              HasSubstr("already set to the desired value of MILLISECOND"));
  Put("before", 1);
  ASSERT_TRUE(AwaitRecords(1));
  EXPECT_THAT(stream_->records().at(0).data, testing::Not(HasSubstr("Precision")));
  EXPECT_EQ(Must(update(CreationTimePrecision::kMicrosecond)).destination_status,
            DestinationStatus::kUpdating);
  Put("after", 1);
  ASSERT_TRUE(AwaitRecords(2));
  EXPECT_THAT(stream_->records().at(1).data, HasSubstr("MICROSECOND"));
}

TEST_F(OutgoingTest, ARecordThatNobodyTakesDoesNotHoldUpTheOthers) {
  MakeActive();
  // Each of these bytes takes six in JSON.
  Put("large", std::string(300'000, '\x01'));
  Put("small", 1);
  Put("large", 2);
  ASSERT_TRUE(AwaitRecords(1));
  ASSERT_TRUE(Await([&] { return engine_->OutgoingFigures().dropped == 2; }));
  EXPECT_THAT(ValuesOf("small"), ElementsAre(1));
}

TEST_F(OutgoingTest, WithoutAnEndpointNothingIsLost) {
  MakeActive();
  CheckClosed();
  Open(/*with_receiver=*/false);
  EXPECT_THAT(Enable().error().message, HasSubstr("--kinesis-endpoint"));
  Put("item", 1);
  CheckClosed();
  Open();
  ASSERT_TRUE(AwaitRecords(1));
}

TEST_F(OutgoingTest, ACheckpointTakesDestinationsBack) {
  MakeTable();
  Must(engine_->CreateCheckpoint({.checkpoint_name = "before"}));
  Must(Enable());
  AwaitStatus(DestinationStatus::kActive);
  Put("item", 1);
  ASSERT_TRUE(AwaitRecords(1));
  Must(engine_->CreateCheckpoint({.checkpoint_name = "after"}));
  Must(engine_->RestoreCheckpoint({.checkpoint_name = "after"}));
  Put("item", 2);
  ASSERT_TRUE(AwaitRecords(2));
  EXPECT_THAT(ValuesOf("item"), ElementsAre(1, 2));
  Must(engine_->RestoreCheckpoint({.checkpoint_name = "before"}));
  EXPECT_THAT(Destinations(), IsEmpty());
  Put("item", 3);
  ASSERT_TRUE(Await([&] { return engine_->OutgoingFigures().destinations == 0; }));
  CheckClosed();
  EXPECT_THAT(stream_->records(), SizeIs(2));
}

}  // namespace
}  // namespace stator::engine
