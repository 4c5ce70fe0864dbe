// Payloads that belong to a subject, and what is left when it is erased.

#include "stator/stores/events/erasure.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "events/events_test.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/maintenance.h"
#include "stator/stores/events/subscription.h"
#include "stator/stores/events/typed_events.h"
#include "stores/events/event_store_core.h"
#include "support/faulty_database.h"

namespace stator::events {

struct Enrolled {
  std::string course;
  std::string student;
  std::string name;

  [[nodiscard]] std::vector<std::string> Tags() const { return {"course:" + course}; }
  [[nodiscard]] std::string Subject() const { return student; }
};
BOOST_DESCRIBE_STRUCT(Enrolled, (), (course, student, name))

struct Roll {
  std::vector<std::string> names;
  int erased = 0;

  void Apply(const Enrolled& fact) { names.push_back(fact.name); }
  Result<void> Apply(const Erased<Enrolled>& fact) {
    EXPECT_TRUE(fact.event.payload.empty());
    ++erased;
    return {};
  }
};

namespace {

namespace fs = std::filesystem;
using support::Fault;

constexpr const char* kSecret = "Ada Lovelace, 12 St James's Square";

NewEvent About(std::string subject, std::string payload = kSecret) {
  NewEvent event = Fact("Enrolled", {"x:1"}, std::move(payload));
  event.subject = std::move(subject);
  return event;
}

class ErasureTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    directory_ = fs::temp_directory_path() / ("stator-erasure-" + SystemRandom().Uuid());
    blobs_ = *OpenFileBlobs(directory_.string());
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  std::size_t CountInTables(const std::string& text) {
    std::size_t found = 0;
    for (const char* table : {"SekibanEvents", "SekibanTags", "SekibanProjectionStates"}) {
      const auto rows = home_->database().Scan({.table_name = table});
      EXPECT_TRUE(rows.has_value() && !rows->last_evaluated_key);
      for (const Item& item : rows->items.value_or(std::vector<Item>())) {
        for (const auto& [name, value] : item) {
          const auto* binary = value.If<Binary>();
          const auto* plain = value.If<std::string>();
          found += (binary != nullptr && binary->bytes.contains(text)) ||
                           (plain != nullptr && plain->contains(text))
                       ? 1
                       : 0;
        }
      }
    }
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      std::ostringstream content;
      content << std::ifstream(entry.path()).rdbuf();
      found += entry.is_regular_file() && content.str().contains(text) ? 1 : 0;
    }
    return found;
  }

  void Erase(EventStore& store, const std::string& subject) {
    const auto erased = EraseSubject(store, subject, {.by = "me", .reason = "asked for it"});
    ASSERT_TRUE(erased.has_value()) << erased.error().message;
  }

  fs::path directory_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(ErasureTest, PayloadsOfASubjectComeBackInEveryReadAndAreNowhereInTheTables) {
  auto store = Open(home_->database(), {.blobs = blobs_.get()});
  Texts expected;
  // So many that some are indexed and some are not, and one that goes to the blob store.
  for (int number = 0; number < 8; ++number) {
    const std::string payload =
        kSecret + std::to_string(number) + (number == 1 ? std::string(500'000, 'x') : "");
    expected.push_back(payload);
    const auto appended = store->Append({About("s" + std::to_string(number % 2), payload)});
    ASSERT_TRUE(appended.has_value()) << appended.error().message;
    EXPECT_EQ(store->ReadEvent(appended->events.front().id)->payload, payload);
  }
  ASSERT_TRUE(CatchUpView(*store).has_value());
  auto again = Open(home_->database(), {.blobs = blobs_.get()});
  for (EventStore* reader : {store.get(), again.get()}) {
    EXPECT_EQ(PayloadsOf(ReadFrom(*reader)), expected);
    EXPECT_EQ(PayloadsOf(ReadFrom(*reader, {.query = EventQuery::Tagged("x:1")})), expected);
    EXPECT_EQ(PayloadsOf(ReadFrom(*reader, {.query = EventQuery{{.types = {"Enrolled"}}}})),
              expected);
    EXPECT_EQ(ReadFrom(*reader).front().subject, "s0");
    EXPECT_FALSE(ReadFrom(*reader).front().erased);
  }
  const auto follower = EventFollower::Open(*again);
  EXPECT_EQ(PayloadsOf(*(*follower)->Poll()), expected);
  ASSERT_TRUE(Subscriptions(*again).Create("mails", {}).has_value());
  const auto consumer = Consumer::Open(*again, "mails");
  EXPECT_EQ((*consumer)->Take()->at(1).event.payload, expected[1]);
  EXPECT_TRUE(VerifyEvents(*again)->clean());
  EXPECT_EQ(CountInTables("Lovelace"), 0U);
}

TEST_F(ErasureTest, EventsStayWithoutTheirPayloads) {
  auto store = Open(home_->database(), {.blobs = blobs_.get()});
  std::vector<Event> before;
  for (int number = 0; number < 8; ++number) {
    ASSERT_TRUE(store->Append(
        {About(number % 2 == 0 ? "s7" : "s8", number == 2 ? std::string(500'000, 'x') : kSecret)}));
  }
  before = ReadFrom(*store);
  Erase(*store, "s7");
  auto again = Open(home_->database(), {.blobs = blobs_.get()});
  for (EventStore* reader : {store.get(), again.get()}) {
    for (const EventQuery& query :
         {EventQuery::All(), EventQuery::Tagged("x:1"), EventQuery{{.types = {"Enrolled"}}}}) {
      std::vector<Event> after = ReadFrom(*reader, {.query = query});
      ASSERT_EQ(after.size(), before.size());
      for (std::size_t index = 0; index < after.size(); ++index) {
        Event expected = before[index];
        if (expected.subject == "s7") {
          expected.payload.clear();
          expected.erased = true;
        }
        EXPECT_EQ(after[index], expected) << index;
      }
    }
    EXPECT_TRUE(reader->ReadEvent(before[0].id)->erased);
    EXPECT_EQ(*reader->CountEvents(), 8U);
    EXPECT_EQ(reader->FindTag("x:1").value()->events, 8U);
    EXPECT_TRUE(VerifyEvents(*reader)->clean());
  }
  // Conditions see them as before.
  EXPECT_FALSE(again->Append({Fact("A", {})}, When(EventQuery::Tagged("x:1"))));
}

TEST_F(ErasureTest, TheRecordSaysWhoAndWhenAndItHappensOnce) {
  Append({About("s7")});
  const auto first = EraseSubject(*store_, "s7", {.by = "me", .reason = "asked for it"});
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(first->by, "me");
  EXPECT_TRUE(first->erased_at.starts_with("2026-11-")) << first->erased_at;
  clock_.SleepFor(std::chrono::hours(1));
  EXPECT_EQ(*EraseSubject(*store_, "s7", {.by = "another"}), *first);
  EXPECT_EQ(*ListErasures(*store_), std::vector<Erasure>{*first});
  const auto refused = store_->Append({About("s7")});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kExpired);
  EXPECT_TRUE(refused.error().message.contains("s7 was erased")) << refused.error().message;
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(ErasureTest, AnotherProcessForgetsItsKeyInTime) {
  auto other = Open(home_->database(), {.subject_keys_kept = std::chrono::seconds(10)});
  Append({About("s7")});
  EXPECT_EQ(ReadFrom(*other).front().payload, kSecret);
  Erase(*store_, "s7");
  EXPECT_TRUE(Read().front().erased) << "at once where it was erased";
  // What it appends meanwhile is as readable as the rest.
  ASSERT_TRUE(other->Append({About("s7")}).has_value());
  clock_.SleepFor(std::chrono::seconds(11));
  for (const Event& event : ReadFrom(*other)) {
    EXPECT_TRUE(event.erased && event.payload.empty());
  }
  EXPECT_EQ(other->Append({About("s7")}).error().code, ErrorCode::kExpired);
}

TEST_F(ErasureTest, AKeyThatIsNotKeptIsReadEachTime) {
  // By the clock of the machine, which does not stand still.
  auto other =
      EventStore::Open(home_->database(), Quiet({.subject_keys_kept = std::chrono::seconds(0)}));
  ASSERT_TRUE(other.has_value()) << other.error().message;
  for (int number = 0; number < 5; ++number) {
    ASSERT_TRUE(other->Append({About("s7"), About("s8")}).has_value());
    EXPECT_EQ(ReadFrom(*other).back().payload, kSecret);
  }
  Erase(*store_, "s7");
  EXPECT_TRUE(ReadFrom(*other).front().erased);
  EXPECT_EQ(other->Append({About("s7")}).error().code, ErrorCode::kExpired);
}

TEST_F(ErasureTest, ATypoIsAnError) {
  Append({About("s7")});
  EXPECT_EQ(EraseSubject(*store_, "s77").error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(ListErasures(*store_)->empty());
  for (const std::string& bad :
       {std::string(), std::string("a\nb"), std::string(257, 's'), std::string("\xFF")}) {
    EXPECT_EQ(EraseSubject(*store_, bad).error().code, ErrorCode::kValidation);
  }
  EXPECT_EQ(store_->Append({About(std::string(257, 's'))}).error().code, ErrorCode::kValidation);
  EXPECT_EQ(EraseSubject(*store_, "s7", {.reason = "\xFF"}).error().code, ErrorCode::kValidation);
  EXPECT_FALSE(Read().front().erased);
  // Somebody about whom nothing must ever be appended.
  EXPECT_TRUE(EraseSubject(*store_, "s77", {.unknown = true}).has_value());
  EXPECT_EQ(store_->Append({About("s77")}).error().code, ErrorCode::kExpired);
  auto reader = Open(home_->database(), {.read_only = true});
  EXPECT_EQ(EraseSubject(*reader, "s7").error().code, ErrorCode::kValidation);
  EXPECT_EQ(store_->ClaimKey({.key = "k", .event = About("s7", "{}")}).error().code,
            ErrorCode::kValidation);
}

TEST_F(ErasureTest, ALostAnswerIsSettledAndAnErasureThatWasCutOffIsCompleted) {
  Append({About("s7"), About("s8")});
  support::FaultyDatabase faulty(home_->database());
  auto store = Open(faulty);
  faulty.Script("UpdateItem", {Fault::kLostAfter});
  const auto erased = EraseSubject(*store, "s7", {.by = "me"});
  ASSERT_TRUE(erased.has_value()) << erased.error().message;
  EXPECT_EQ(erased->by, "me");

  auto impatient = Open(faulty, {.retry = {.budget = {}}});
  faulty.Script("PutItem", {Fault::kUnavailable});
  EXPECT_FALSE(EraseSubject(*impatient, "s8", {.by = "me"}).has_value());
  EXPECT_TRUE(ReadFrom(*Open(home_->database())).back().erased) << "the key went first";
  EXPECT_EQ(ListErasures(*store)->size(), 1U);
  EXPECT_EQ(EraseSubject(*impatient, "s8", {.by = "another"})->by, "me");
  EXPECT_EQ(ListErasures(*store)->size(), 2U);
}

TEST_F(ErasureTest, OfTwoWhoMakeAKeyAtOnceTheSecondTakesTheFirstOnes) {
  support::FaultyDatabase faulty(home_->database());
  auto store = Open(faulty);
  faulty.BeforeNext("PutItem", [&] { Append({About("s7", "first")}); });
  ASSERT_TRUE(store->Append({About("s7", "second")}).has_value());
  EXPECT_EQ(PayloadsOf(ReadFrom(*Open(home_->database()))), (Texts{"first", "second"}));
}

TEST_F(ErasureTest, AKeyThatIsLostIsAnErrorUntilItIsErased) {
  Append({About("s7")});
  ASSERT_TRUE(home_->database()
                  .DeleteItem({.table_name = "SekibanEvents",
                               .key = EventStoreCoreOf(*store_).keys.Subject("s7")})
                  .has_value());
  auto store = Open(home_->database());
  EXPECT_EQ(store->ReadList().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(VerifyEvents(*store)->problem_count, 1U);
  ASSERT_TRUE(EraseSubject(*store, "s7", {.unknown = true}).has_value());
  EXPECT_TRUE(ReadFrom(*store).front().erased);
  EXPECT_TRUE(VerifyEvents(*store)->clean());
}

TEST_F(ErasureTest, AppendIdsHoldAndTheirRecordsDoNotTellThePayload) {
  auto one = Open(home_->database(), {.service_id = "one", .chunk_slots = 1});
  auto two = Open(home_->database(), {.service_id = "two", .chunk_slots = 1});
  const AppendOptions once{.append_id = "once"};
  std::vector<std::string> fingerprints;
  for (EventStore* store : {one.get(), two.get()}) {
    const auto first = store->Append({About("s7")}, once);
    const auto again = store->Append({About("s7")}, once);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->events, first->events);
    EXPECT_EQ(store->Append({About("s7", "another")}, once).error().code,
              ErrorCode::kIdempotentParameterMismatch);
    const auto row = home_->database().GetItem(
        {.table_name = "SekibanEvents", .key = EventStoreCoreOf(*store).keys.Append("once")});
    ASSERT_TRUE(row.has_value() && row->item);
    fingerprints.push_back(*row->item->at("fingerprint").If<std::string>());
  }
  EXPECT_NE(fingerprints[0], fingerprints[1]);
}

TEST_F(ErasureTest, ExportAndImportKeepSubjectsAndWhatIsErased) {
  Append({About("s7"), About("s8"), Fact("A", {}, "plain"), About("s9")});
  Erase(*store_, "s7");
  const Texts lines = Export(*store_);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  const auto report = Import(*copy, lines);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(Export(*copy), lines);
  EXPECT_EQ(copy->Append({About("s7")}).error().code, ErrorCode::kExpired);
  EXPECT_EQ(ListErasures(*copy)->front().by, "import");
  Erase(*copy, "s8");
  EXPECT_EQ(PayloadsOf(ReadFrom(*copy)), (Texts{"", "", "plain", kSecret}));
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"", kSecret, "plain", kSecret})) << "it has keys of its own";
  EXPECT_TRUE(VerifyEvents(*copy)->clean());
}

TEST_F(ErasureTest, AnImportErasesNobodyWhoIsThere) {
  Append({About("s7")});
  ASSERT_TRUE(
      Import(*store_, {R"({"type":"A","payload":"","tags":[],"subject":"s7","erased":true})"})
          .has_value());
  EXPECT_EQ(PayloadsOf(Read()), (Texts{kSecret, ""}));
  EXPECT_TRUE(Read().back().erased);
  EXPECT_EQ(Import(*store_, {R"({"type":"A","payload":"x","tags":[],"erased":true})"}).error().code,
            ErrorCode::kSerialization);
}

TEST_F(ErasureTest, AModelSaysWhatIsLeft) {
  const EventTypes<Enrolled> types;
  for (const char* student : {"s7", "s8"}) {
    const auto event = types.Make(Enrolled{"c1", student, std::string("name of ") + student});
    EXPECT_EQ(event->subject, student);
    Append({*event});
  }
  Erase(*store_, "s7");
  const auto roll = ReadModel(*store_, types, Ask<Roll>("course:c1"));
  ASSERT_TRUE(roll.has_value()) << roll.error().message;
  EXPECT_EQ(roll->names, (Texts{"name of s8"}));
  EXPECT_EQ(roll->erased, 1);
  EXPECT_EQ(types.Read(Read().front()).error().code, ErrorCode::kExpired);
  // A decision on it is appended as before.
  const auto decided =
      Decide(*store_, types, std::tuple(Ask<Roll>("course:c1")),
             [](const Roll& seen) -> EventTypes<Enrolled>::Decision {
               EXPECT_EQ(seen.erased, 1);
               return std::vector<EventTypes<Enrolled>::Fact>{Enrolled{"c1", "s9", "another"}};
             });
  EXPECT_TRUE(decided.has_value()) << decided.error().message;
}

}  // namespace
}  // namespace stator::events
