// The payload of one event is taken out of the log: what is left, where, and what happens to those who
// are in the middle of something.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "events/dying_database.h"
#include "events/events_test.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/events/erasure.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_store_core.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

namespace fs = std::filesystem;
using support::Fault;

constexpr const char* kSecret = "swordfish";

std::string Secret(std::size_t bytes = 0) {
  return kSecret + std::string(bytes, 'x');
}

class RedactionTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    directory_ = fs::temp_directory_path() / ("stator-redaction-" + SystemRandom().Uuid());
    blobs_ = *OpenFileBlobs(directory_.string());
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  // How many attributes and files have the secret.
  std::size_t CountSecrets() {
    std::size_t found = 0;
    for (const char* table : {"SekibanEvents", "SekibanTags", "SekibanProjectionStates"}) {
      std::optional<Item> from;
      do {
        const auto rows =
            home_->database().Scan({.table_name = table, .exclusive_start_key = from});
        EXPECT_TRUE(rows.has_value()) << rows.error().message;
        for (const Item& item : rows->items.value_or(std::vector<Item>())) {
          for (const auto& [name, value] : item) {
            const auto* binary = value.If<Binary>();
            const auto* text = value.If<std::string>();
            found += (binary != nullptr && binary->bytes.contains(kSecret)) ||
                             (text != nullptr && text->contains(kSecret))
                         ? 1
                         : 0;
          }
        }
        from = rows->last_evaluated_key;
      } while (from);
    }
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      std::ostringstream content;
      content << std::ifstream(entry.path()).rdbuf();
      found += entry.is_regular_file() && content.str().contains(kSecret) ? 1 : 0;
    }
    return found;
  }

  static Redaction Redact(EventStore& store, const std::string& id) {
    const auto redaction = RedactEvent(store, id, {.by = "me", .reason = "a password"});
    EXPECT_TRUE(redaction.has_value()) << redaction.error().message;
    return redaction.value_or(Redaction());
  }

  // Every read gives what was there before, but one event without its payload.
  static void ExpectRedacted(EventStore& store, std::vector<Event> before, const std::string& id) {
    for (Event& event : before) {
      if (event.id == id) {
        event.payload.clear();
        event.payload_key.clear();
        event.erased = true;
        EXPECT_EQ(*store.ReadEvent(id), event);
      }
    }
    for (const EventQuery& query :
         {EventQuery::All(), EventQuery::Tagged("x:1"), EventQuery{{.types = {"A"}}}}) {
      EXPECT_EQ(ReadFrom(store, {.query = query}), before);
    }
    const auto follower = EventFollower::Open(store);
    EXPECT_EQ(*(*follower)->Poll(), before);
  }

  // Lets a process die at a request of a redaction. Whether it did not.
  bool Die(const EventStoreOptions& options, int request, bool done, const std::string& secret) {
    auto healthy = Open(home_->database(), options);
    const auto first = healthy->Append({Fact("A", {"x:1"}, secret), Fact("A", {"x:1"}, "b")});
    EXPECT_TRUE(healthy->Append({Fact("A", {"x:1"}, "c")}).has_value());
    if (request % 2 == 0) {
      // The chunk is indexed.
      EXPECT_TRUE(healthy->Append({Fact("A", {"x:1"}, "d")}).has_value());
    }
    const std::string id = first->events.front().id;
    DyingDatabase dying(home_->database(), done);
    auto mortal = Open(dying, options);
    dying.DieAt(request);
    const auto redacted = RedactEvent(*mortal, id, {.by = "me"});
    EXPECT_EQ(redacted.has_value(), !dying.died());
    // It can be read, with the payload or without.
    auto fresh = Open(home_->database(), options);
    EXPECT_TRUE(fresh->ReadList().has_value());
    EXPECT_TRUE(VerifyEvents(*fresh).has_value());
    // A repetition completes it.
    EXPECT_EQ(Redact(*fresh, id).event_id, id);
    for (int number = 0; number < 4; ++number) {
      EXPECT_TRUE(fresh->Append({Fact("A", {"x:1"}, "later")}).has_value());
    }
    EXPECT_EQ(ReadFrom(*fresh, {.query = EventQuery::Tagged("x:1")}).front().payload, "");
    EXPECT_EQ(VerifyEvents(*fresh)->problems, Texts());
    EXPECT_EQ(ListRedactions(*fresh)->size(), 1U);
    return redacted.has_value();
  }

  fs::path directory_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(RedactionTest, ThePayloadIsGoneEverywhereAndTheEventStays) {
  auto store = Open(home_->database(), {.blobs = blobs_.get()});
  // Some are indexed and some are not; small ones, large ones in their slots, in parts, in blobs.
  const std::vector<std::size_t> sizes = {0, 5'000, 300'000, 500'000, 0, 5'000, 0, 300'000};
  for (std::size_t number = 0; number < sizes.size(); ++number) {
    std::vector<NewEvent> events = {Fact("A", {"x:1"}, "before"),
                                    Fact("A", {"x:1", "y:1"}, Secret(sizes[number])),
                                    Fact("A", {"x:1"}, "behind")};
    ASSERT_TRUE(store->Append(std::move(events)).has_value());
  }
  ASSERT_TRUE(CatchUpView(*store).has_value());
  const std::vector<Event> all = ReadFrom(*store);
  std::vector<Event> before = all;
  for (const Event& event : all) {
    if (event.payload.starts_with(kSecret)) {
      Redact(*store, event.id);
      auto other = Open(home_->database(), {.blobs = blobs_.get()});
      ExpectRedacted(*store, before, event.id);
      ExpectRedacted(*other, before, event.id);
      before = ReadFrom(*other);
      EXPECT_EQ(VerifyEvents(*other)->problems, Texts());
    }
  }
  EXPECT_EQ(CountSecrets(), 0U);
  EXPECT_EQ(ListRedactions(*store)->size(), sizes.size());
  // What is appended later is indexed with them, and the view goes on.
  for (int number = 0; number < 4; ++number) {
    ASSERT_TRUE(store->Append({Fact("A", {"x:1"}, "later")}).has_value());
  }
  ASSERT_TRUE(CatchUpView(*store).has_value());
  ASSERT_TRUE(RebuildView(*store).has_value());
  EXPECT_EQ(VerifyEvents(*Open(home_->database(), {.blobs = blobs_.get()}))->problems, Texts());
  EXPECT_EQ(CountSecrets(), 0U);
  EXPECT_EQ(*SweepPayloads(*store, Duration::zero()), 0U);
  EXPECT_FALSE(store->Append({Fact("A", {})}, When(EventQuery::Tagged("y:1"))));
}

TEST_F(RedactionTest, BlocksAreCutWhereTheyWere) {
  // So many that the blocks of a chunk have several parts, with payloads that are in them.
  auto store = Open(home_->database(), {.chunk_slots = 2});
  std::vector<std::string> ids;
  for (int append = 0; append < 4; ++append) {
    std::vector<NewEvent> events;
    for (int number = 0; number < 200; ++number) {
      events.push_back(Fact("A", {"x:1"}, Secret(number % 2 == 0 ? 800 : 900)));
    }
    const auto appended = store->Append(std::move(events));
    ASSERT_TRUE(appended.has_value());
    for (const AppendedEvent& event : appended->events) {
      ids.push_back(event.id);
    }
  }
  const std::size_t secrets = CountSecrets();
  for (std::size_t index = 0; index < ids.size(); index += 37) {
    Redact(*store, ids[index]);
  }
  auto other = Open(home_->database());
  EXPECT_EQ(VerifyEvents(*other)->problems, Texts());
  EXPECT_EQ(ReadFrom(*other, {.query = EventQuery::Tagged("x:1")}).size(), ids.size());
  EXPECT_EQ(CountSecrets(), secrets) << "the others are where they were";
}

TEST_F(RedactionTest, TheRecordSaysWhoAndWhenAndARepetitionDoesItAgain) {
  const std::string id = Append({Fact("A", {"x:1"}, Secret())}).events.front().id;
  const Redaction first = Redact(*store_, id);
  EXPECT_EQ(first.by, "me");
  EXPECT_EQ(first.reason, "a password");
  EXPECT_EQ(first.event_id, id);
  EXPECT_EQ(first.position, 1U);
  EXPECT_TRUE(first.redacted_at.starts_with("2026-11-")) << first.redacted_at;
  clock_.SleepFor(std::chrono::hours(1));
  EXPECT_EQ(*RedactEvent(*store_, id, {.by = "another"}), first);
  EXPECT_EQ(*ListRedactions(*store_), std::vector<Redaction>{first});
  // As somebody leaves it who was asleep while it was indexed and redacted.
  for (int number = 0; number < 3; ++number) {
    Append({Fact("A", {"x:1"}, "later")});
  }
  EventStoreCore& core = EventStoreCoreOf(*store_);
  const auto block = home_->database().Query(
      {.table_name = "SekibanTags",
       .key_condition_expression = "pk = :pk",
       .expression_attribute_values = Map{{":pk", core.keys.TagBlocksPartition("x:1")}}});
  ASSERT_TRUE(block.has_value() && !block->items->empty());
  Item old = block->items->front();
  std::string entries = old.at("e").If<Binary>()->bytes;
  entries.replace(entries.find(std::string(9, '\0')), 9, kSecret);
  old.Set("e", Binary{entries});
  ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanTags", .item = old}).has_value());
  EXPECT_EQ(VerifyEvents(*store_)->problem_count, 1U);
  EXPECT_EQ(Redact(*store_, id), first);
  EXPECT_EQ(VerifyEvents(*store_)->problem_count, 0U);
  EXPECT_EQ(CountSecrets(), 0U);
}

TEST_F(RedactionTest, WhatCannotBeRedactedIsSaid) {
  const std::string id = Append({Fact("A", {"x:1"}, "")}).events.front().id;
  EXPECT_EQ(RedactEvent(*store_, id).error().code, ErrorCode::kValidation);
  const std::string nobody = "01234567-89ab-8def-8123-456789abcdef";
  for (const std::string& bad : {std::string(), std::string("x"), std::string(300, 'x'), nobody}) {
    EXPECT_EQ(RedactEvent(*store_, bad).error().code, ErrorCode::kNotFound) << bad;
  }
  const std::string other = Append({Fact("A", {"x:1"}, Secret())}).events.front().id;
  EXPECT_EQ(RedactEvent(*store_, other, {.reason = "\xFF"}).error().code, ErrorCode::kValidation);
  EXPECT_EQ(RedactEvent(*store_, other, {.by = std::string(5000, 'x')}).error().code,
            ErrorCode::kValidation);
  auto reader = Open(home_->database(), {.read_only = true});
  EXPECT_EQ(RedactEvent(*reader, other).error().code, ErrorCode::kValidation);
  auto with_blobs = Open(home_->database(), {.blobs = blobs_.get()});
  const std::string large = with_blobs->Append({Fact("A", {}, Secret(500'000))})->events.front().id;
  EXPECT_EQ(RedactEvent(*store_, large).error().code, ErrorCode::kValidation);
  EXPECT_TRUE(ListRedactions(*store_)->empty());
}

TEST_F(RedactionTest, OneWithASubjectCanBeRedactedToo) {
  NewEvent sealed = Fact("A", {"x:1"}, Secret());
  sealed.subject = "s7";
  const Appended appended = Append({sealed, sealed});
  Redact(*store_, appended.events.front().id);
  for (EventStore* reader : {store_.get(), Open(home_->database()).release()}) {
    EXPECT_EQ(PayloadsOf(ReadFrom(*reader)), (Texts{"", Secret()}));
    EXPECT_EQ(VerifyEvents(*reader)->problems, Texts());
    if (reader != store_.get()) {
      delete reader;
    }
  }
}

TEST_F(RedactionTest, AnotherProcessLearnsOfItInTime) {
  auto other = Open(home_->database(), {.subject_keys_kept = std::chrono::seconds(10)});
  const std::string id = Append({Fact("A", {"x:1"}, Secret())}).events.front().id;
  EXPECT_EQ(PayloadsOf(ReadFrom(*other)), Texts{Secret()});
  Redact(*store_, id);
  EXPECT_EQ(PayloadsOf(Read()), Texts{""}) << "at once where it was redacted";
  clock_.SleepFor(std::chrono::seconds(11));
  EXPECT_EQ(PayloadsOf(ReadFrom(*other)), Texts{""});
  EXPECT_TRUE(other->ReadEvent(id)->erased);
  // What it indexes from its memory has no payload either.
  for (int number = 0; number < 3; ++number) {
    ASSERT_TRUE(other->Append({Fact("A", {"x:1"}, "later")}).has_value());
  }
  EXPECT_EQ(VerifyEvents(*Open(home_->database()))->problems, Texts());
  EXPECT_EQ(CountSecrets(), 0U);
}

TEST_F(RedactionTest, ALargeOneThatAnotherProcessRemembersIsNotAnError) {
  auto store = Open(home_->database(), {.blobs = blobs_.get()});
  auto other = Open(home_->database(), {.blobs = blobs_.get()});
  const std::string id = store->Append({Fact("A", {"x:1"}, Secret(500'000))})->events.front().id;
  EXPECT_EQ(ReadFrom(*other).size(), 1U);
  Redact(*store, id);
  EXPECT_EQ(PayloadsOf(ReadFrom(*other)), Texts{""});
  EXPECT_TRUE(other->ReadEvent(id)->erased);
}

TEST_F(RedactionTest, AnIndexerThatHasTheOldSlotInMemoryWritesNoPayload) {
  // Redacted by another process at each of the requests that the indexer makes.
  for (int request = 1; request <= 12; ++request) {
    const std::string service = "s" + std::to_string(request);
    SCOPED_TRACE(service);
    support::FaultyDatabase faulty(home_->database());
    const EventStoreOptions options{.service_id = service, .seed_rows = false};
    auto indexer = Open(faulty, options);
    auto other = Open(home_->database(), options);
    const std::string id = indexer->Append({Fact("A", {"x:1"}, Secret())})->events.front().id;
    ASSERT_TRUE(indexer->Append({Fact("A", {"x:1"}, "b")}).has_value());
    // The third slot completes the chunk.
    int left = request;
    const auto act = [&] {
      if (--left == 0) {
        Redact(*other, id);
      }
    };
    for (const char* operation : {"Query", "BatchWriteItem", "UpdateItem", "GetItem"}) {
      for (int call = 0; call < 12; ++call) {
        faulty.BeforeNext(operation, act);
      }
    }
    ASSERT_TRUE(indexer->Append({Fact("A", {"x:1"}, "c")}).has_value());
    if (left > 0) {
      Redact(*other, id);
    }
    auto fresh = Open(home_->database(), options);
    EXPECT_EQ(PayloadsOf(ReadFrom(*fresh, {.query = EventQuery::Tagged("x:1")})),
              (Texts{"", "b", "c"}));
    EXPECT_EQ(VerifyEvents(*fresh)->problems, Texts());
    EXPECT_EQ(CountSecrets(), 0U);
  }
}

TEST_F(RedactionTest, AProcessMayDieAtEveryRequestOfARedaction) {
  // In its slot, in a blob, in parts.
  for (const std::size_t size : {std::size_t{0}, std::size_t{4'000}, std::size_t{300'000}}) {
    bool finished = false;
    for (int request = 1; !finished && request < 60; ++request) {
      for (const bool done : {false, true}) {
        const std::string service =
            "s" + std::to_string(size) + "-" + std::to_string(request) + (done ? "-done" : "-lost");
        SCOPED_TRACE(service);
        EventStoreOptions options{.service_id = service};
        if (size == 4'000) {
          options.blobs = blobs_.get();
          options.offload_threshold_bytes = 4'000;
        }
        finished = Die(options, request, done, Secret(size));
        ASSERT_FALSE(HasFailure());
      }
    }
    EXPECT_TRUE(finished);
  }
  EXPECT_EQ(CountSecrets(), 0U);
}

TEST_F(RedactionTest, WhoeverIndexesNextCompletesWhatWasCutOff) {
  const Appended appended = Append({Fact("A", {"x:1"}, Secret())});
  DyingDatabase dying(home_->database(), /*done=*/true);
  auto mortal = Open(dying);
  // The row that says what is to be done is the first that is written.
  bool written = false;
  for (int request = 1; request < 10 && !written; ++request) {
    dying.DieAt(request);
    EXPECT_FALSE(RedactEvent(*mortal, appended.events.front().id, {.by = "me"}).has_value());
    const auto row = home_->database().GetItem(
        {.table_name = "SekibanEvents", .key = EventStoreCoreOf(*store_).keys.RedactionWork(1)});
    written = row.has_value() && row->item.has_value();
    dying.DieAt(1'000'000);
  }
  ASSERT_TRUE(written);
  EXPECT_TRUE(ListRedactions(*store_)->empty());
  for (int number = 0; number < 3; ++number) {
    Append({Fact("A", {"x:1"}, "later")});
  }
  EXPECT_EQ(ListRedactions(*store_)->front().by, "me");
  EXPECT_EQ(PayloadsOf(Read()).front(), "");
  ASSERT_TRUE(CatchUpView(*store_).has_value());
  EXPECT_EQ(VerifyEvents(*store_)->problems, Texts());
  EXPECT_EQ(CountSecrets(), 0U);
}

TEST_F(RedactionTest, OfOneSlotTwoCanBeRedactedAtTheSameTime) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{150'000}}) {
    const Appended appended = Append(
        {Fact("A", {"x:1"}, Secret(size)), Fact("A", {"x:1"}, Secret(size)), Fact("A", {}, "b")});
    support::FaultyDatabase faulty(home_->database());
    auto other = Open(faulty);
    // Between its look at the slot and its put.
    faulty.BeforeNext("PutItem", [] {});
    faulty.BeforeNext("PutItem", [] {});
    faulty.BeforeNext("PutItem", [&] { Redact(*store_, appended.events[0].id); });
    faulty.Script("PutItem", {Fault::kNone, Fault::kNone, Fault::kNone, Fault::kLostAfter});
    Redact(*other, appended.events[1].id);
    EXPECT_EQ(CountSecrets(), 0U);
    auto fresh = Open(home_->database());
    EXPECT_EQ(VerifyEvents(*fresh)->problems, Texts());
    EXPECT_EQ(ReadFrom(*fresh).back().payload, "b");
  }
}

TEST_F(RedactionTest, CopiesInVoidSlotsAreRedacted) {
  support::FaultyDatabase faulty(home_->database());
  auto loser = Open(faulty);
  // Another process takes the place of the slot, which is put again behind it; the first attempt
  // arrives late, as one that nobody waits for.
  std::string id;
  faulty.BeforeNext("PutItem", [&] { Append({Fact("A", {"x:1"}, "winner")}); });
  id = loser->Append({Fact("A", {"x:1"}, Secret())})->events.front().id;
  // A void copy of its slot, as two in flight leave one when the first loses.
  EventStoreCore& core = EventStoreCoreOf(*loser);
  const auto slot = home_->database().GetItem(
      {.table_name = "SekibanEvents", .key = core.keys.Slot(2, 4), .consistent_read = true});
  ASSERT_TRUE(slot.has_value() && slot->item);
  for (int number = 3; number < 5; ++number) {
    Item copy = *slot->item;
    const Item key = core.keys.Slot(static_cast<std::uint64_t>(number), 4);
    copy.Set("pk", key.at("pk"));
    copy.Set("sk", key.at("sk"));
    copy.Set("prev", Binary{std::string(16, number == 3 ? 'v' : 'w')});
    ASSERT_TRUE(
        home_->database().PutItem({.table_name = "SekibanEvents", .item = copy}).has_value());
  }
  // The append whose void copies these are is decided again behind them, with the same bytes.
  auto fresh = Open(home_->database());
  const auto again = fresh->Append({Fact("A", {"x:1"}, Secret())});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(VerifyEvents(*fresh)->void_slots, 2U);
  Redact(*fresh, again->events.front().id);
  EXPECT_EQ(VerifyEvents(*fresh)->problems, Texts());
  Redact(*fresh, id);
  EXPECT_EQ(CountSecrets(), 0U);
}

TEST_F(RedactionTest, AppendIdsAndClaimsHoldAndTheirFingerprintsAreGone) {
  auto store = Open(home_->database(), {.service_id = "one", .chunk_slots = 1});
  const AppendOptions once{.append_id = "once"};
  const auto first = store->Append({Fact("A", {"x:1"}, Secret())}, once);
  const Claim claim{.key = "k", .event = Fact("A", {"x:1"}, R"({"word":"swordfish"})")};
  const auto claimed = store->ClaimKey(claim);
  ASSERT_TRUE(claimed.has_value()) << claimed.error().message;
  Redact(*store, first->events.front().id);
  Redact(*store, claimed->event.id);
  auto fresh = Open(home_->database(), {.service_id = "one", .chunk_slots = 1});
  for (EventStore* reader : {store.get(), fresh.get()}) {
    const auto again = reader->Append({Fact("A", {"x:1"}, Secret())}, once);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->events, first->events);
    EXPECT_EQ(reader->ClaimKey(claim)->outcome, ClaimOutcome::kAlreadyCommitted);
  }
  const auto row = home_->database().GetItem(
      {.table_name = "SekibanEvents", .key = EventStoreCoreOf(*store).keys.Append("once")});
  EXPECT_EQ(*row->item->at("fingerprint").If<std::string>(), "");
  EXPECT_EQ(CountSecrets(), 0U);
  EXPECT_EQ(VerifyEvents(*fresh)->problems, Texts());
}

TEST_F(RedactionTest, ExportAndImportKeepItRedacted) {
  const Appended appended = Append({Fact("A", {"x:1"}, Secret()), Fact("A", {"x:1"}, "b")});
  Redact(*store_, appended.events.front().id);
  const Texts lines = Export(*store_);
  EXPECT_TRUE(lines.front().contains(R"("erased":true)")) << lines.front();
  auto copy = Open(home_->database(), {.service_id = "copy"});
  ASSERT_TRUE(Import(*copy, lines).has_value());
  EXPECT_EQ(Export(*copy), lines);
}

}  // namespace
}  // namespace stator::events
