// Payloads that are too large for an item, and what the view says of time to live.

#include <filesystem>

#include "events/events_test.h"
#include "stator/blobs/blob_store.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_items.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

namespace fs = std::filesystem;

class PayloadTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    directory_ = fs::temp_directory_path() / ("stator-payloads-" + SystemRandom().Uuid());
    blobs_ = *OpenFileBlobs(directory_.string());
    with_ = Open(home_->database(), {.service_id = "large", .blobs = blobs_.get()});
  }
  void TearDown() override {
    with_.reset();
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  [[nodiscard]] std::size_t CountBlobs() { return blobs_->Describe("large")->size(); }

  fs::path directory_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<EventStore> with_;
  const std::string large_ = std::string(1'000'000, 'x') + "\x01\xFF";
};

TEST_F(PayloadTest, LargeOnesGoToTheBlobStoreAndComeBackInEveryRead) {
  // So many that some are behind the mark of the index and some are not.
  Texts expected;
  for (int number = 0; number < 8; ++number) {
    const std::string payload = number % 2 == 0 ? large_ + std::to_string(number) : "small";
    expected.push_back(payload);
    const auto appended = with_->Append({Fact("A", {"x:1"}, payload)});
    ASSERT_TRUE(appended.has_value()) << appended.error().message;
    EXPECT_EQ(with_->ReadEvent(appended->events.front().id)->payload, payload);
  }
  EXPECT_EQ(CountBlobs(), 4U);
  EXPECT_EQ(PayloadsOf(ReadFrom(*with_)), expected);
  EXPECT_EQ(PayloadsOf(ReadFrom(*with_, {.query = EventQuery::Tagged("x:1")})), expected);
  EXPECT_EQ(PayloadsOf(ReadFrom(*with_, {.query = EventQuery{{.types = {"A"}}}})), expected);
  auto again = Open(home_->database(), {.service_id = "large", .blobs = blobs_.get()});
  EXPECT_EQ(PayloadsOf(ReadFrom(*again)), expected);
  EXPECT_TRUE(VerifyEvents(*again)->clean());
}

TEST_F(PayloadTest, WithoutABlobStoreTheyAreRefusedAndCannotBeRead) {
  const auto refused = store_->Append({Fact("A", {}, large_)});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
  EXPECT_TRUE(refused.error().message.contains("blob store")) << refused.error().message;
  ASSERT_TRUE(with_->Append({Fact("A", {}, large_)}).has_value());
  auto without = Open(home_->database(), {.service_id = "large"});
  const auto read = without->ReadList();
  ASSERT_FALSE(read.has_value());
  EXPECT_TRUE(read.error().message.contains("opened without one")) << read.error().message;
  EXPECT_EQ(*without->CountEvents(), 1U);
}

TEST_F(PayloadTest, AnAppendIsNotBoundedByThemButAnEventByTheRest) {
  std::vector<NewEvent> events;
  for (int number = 0; number < 20; ++number) {
    events.push_back(Fact("A", {"x:1"}, large_));
  }
  ASSERT_TRUE(with_->Append(events).has_value());
  EXPECT_EQ(ReadFrom(*with_).size(), 20U);
  Texts tags;
  for (int number = 0; number < 1000; ++number) {
    tags.push_back("t:" + std::to_string(number) + std::string(500, 't'));
  }
  const std::size_t before = CountBlobs();
  EXPECT_EQ(with_->Append({Fact("A", tags, large_)}).error().code, ErrorCode::kValidation);
  EXPECT_EQ(CountBlobs(), before);
}

TEST_F(PayloadTest, OfAnAppendThatDoesNotHappenNothingIsLeft) {
  ASSERT_TRUE(with_->Append({Fact("A", {"x:1"})}, {.append_id = "first"}).has_value());
  EXPECT_FALSE(with_->Append({Fact("A", {"x:1"}, large_)}, When(EventQuery::Tagged("x:1"))));
  EXPECT_EQ(CountBlobs(), 0U);
  ASSERT_TRUE(with_->Append({Fact("A", {}, large_)}, {.append_id = "large"}).has_value());
  const auto repeated = with_->Append({Fact("A", {}, large_)}, {.append_id = "large"});
  ASSERT_TRUE(repeated.has_value()) << repeated.error().message;
  EXPECT_TRUE(repeated->repeated);
  EXPECT_EQ(CountBlobs(), 1U);
}

TEST_F(PayloadTest, WhatWritersThatDiedLeftBehindIsSwept) {
  ASSERT_TRUE(with_->Append({Fact("A", {}, large_)}).has_value());
  ASSERT_TRUE(blobs_->Write(MakeBlobKey("large/%events/dead", "left behind"), "left behind"));
  ASSERT_TRUE(blobs_->Write(MakeBlobKey("large/seats/1", "a state"), "a state"));
  EXPECT_EQ(SweepPayloads(*store_).error().code, ErrorCode::kValidation);
  // The clock of the files is the machine's.
  auto real_store = EventStore::Open(
      home_->database(), {.service_id = "large", .background = false, .blobs = blobs_.get()});
  EXPECT_EQ(*SweepPayloads(*real_store), 0U) << "it is too young";
  EXPECT_EQ(*SweepPayloads(*real_store, -std::chrono::hours(1)), 1U);
  EXPECT_EQ(CountBlobs(), 2U);
  EXPECT_EQ(PayloadsOf(ReadFrom(*with_)), (Texts{large_}));
}

TEST_F(PayloadTest, ALostOneIsAProblemThatVerifyFinds) {
  ASSERT_TRUE(with_->Append({Fact("A", {}, large_)}).has_value());
  ASSERT_TRUE(blobs_->Remove(blobs_->Describe("large")->front().key).has_value());
  const auto report = VerifyEvents(*with_);
  EXPECT_EQ(report->problem_count, 1U);
  EXPECT_EQ(with_->ReadList().error().code, ErrorCode::kResourceNotFound);
}

TEST_F(PayloadTest, MoveWithExportAndImport) {
  ASSERT_TRUE(with_->Append({Fact("A", {"x:1"}, large_), Fact("A", {"x:1"}, "small")}));
  const Texts lines = Export(*with_);
  auto copy = Open(home_->database(), {.service_id = "copy", .blobs = blobs_.get()});
  for (const std::uint64_t appended : {2U, 0U}) {
    const auto report = Import(*copy, lines);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->appended, appended);
    EXPECT_EQ(blobs_->Describe("copy")->size(), 1U);
  }
  EXPECT_EQ(PayloadsOf(ReadFrom(*copy)), (Texts{large_, "small"}));
}

TEST_F(PayloadTest, TheViewHasItsKeyAndItsTimeToLive) {
  auto store =
      Open(home_->database(),
           {.service_id = "large", .blobs = blobs_.get(), .view_ttl = std::chrono::seconds(100)});
  ASSERT_TRUE(store->Append({Fact("A", {"x:1"}, large_)}).has_value());
  ASSERT_TRUE(CatchUpView(*store).has_value());
  const Event event = ReadFrom(*store).front();
  const auto row = home_->database().GetItem({.table_name = "SekibanEvents",
                                              .key = EventStoreCoreOf(*store).keys.Event(event.id),
                                              .consistent_read = true});
  ASSERT_TRUE(row.has_value() && row->item);
  EXPECT_EQ(row->item->at("payloadKey"), AttributeValue(event.payload_key));
  EXPECT_FALSE(row->item->contains("payload"));
  EXPECT_EQ(row->item->at("ttl"),
            AttributeValue(EpochSeconds(event.sortable_id.Time() + std::chrono::seconds(100))));
  EXPECT_TRUE(VerifyEvents(*store)->clean());
  EXPECT_EQ(EventStore::Tables(store->options())[0].ttl_attribute, "ttl");
  EXPECT_EQ(EventStore::Tables({})[0].ttl_attribute, std::nullopt);
}

TEST_F(PayloadTest, AnAppendHasAnyNumberOfTagsAndTypes) {
  std::vector<NewEvent> events;
  for (int number = 0; number < 400; ++number) {
    events.push_back(Fact("T" + std::to_string(number), {"x:" + std::to_string(number)}));
  }
  const auto appended = with_->Append(std::move(events), When(EventQuery::Tagged("x:399")));
  ASSERT_TRUE(appended.has_value()) << appended.error().message;
  EXPECT_EQ(with_->ListTypes()->size(), 400U);
  EXPECT_EQ(with_->ListTags()->size(), 400U);
}

}  // namespace
}  // namespace stator::events
