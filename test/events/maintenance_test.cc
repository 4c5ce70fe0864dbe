// Verifying, exporting and importing.

#include "stator/stores/events/maintenance.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "events/events_test.h"
#include "stator/patterns/requests.h"

namespace stator::events {
namespace {

class MaintenanceTest : public EventsTest {
 protected:
  void AppendSome() {
    Append({Fact("A", {"x:1", "y:1"}, R"({"n":1})"), Fact("B", {"x:1"}, std::string("\xFF", 1))});
    Append({{.type = "A", .payload = "p", .tags = {}, .metadata = {"c", "r", "u"}}});
    std::vector<NewEvent> many(120, Fact("C", {"z:1"}));
    Append(many);
  }

  std::string FirstProblem() {
    const auto report = VerifyEvents(*store_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report->problems.empty() ? "" : report->problems.front();
  }
};

TEST_F(MaintenanceTest, AStoreThatAgreesIsClean) {
  EXPECT_TRUE(VerifyEvents(*store_)->clean());
  AppendSome();
  const auto report = VerifyEvents(*store_);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_TRUE(report->clean()) << report->problems.front();
  EXPECT_EQ(report->events, 123U);
  EXPECT_EQ(report->tag_rows, 123U);
  EXPECT_EQ(report->tags, 3U);
}

TEST_F(MaintenanceTest, AMissingRowIsFound) {
  AppendSome();
  ASSERT_TRUE(CatchUpView(*store_).has_value());
  EXPECT_EQ(FirstProblem(), "");
  const Event event = Read({.query = EventQuery::Tagged("y:1")}).front();
  ASSERT_TRUE(home_->database().DeleteItem(patterns::MakeDelete(
      "SekibanTags",
      {{"pk", "SERVICE#default#TAG#y:1"}, {"sk", event.sortable_id.ToText() + "#" + event.id}})));
  EXPECT_NE(FirstProblem().find("there is no row"), std::string::npos);
}

TEST_F(MaintenanceTest, AnIndexThatDisagreesIsFound) {
  AppendSome();
  for (const auto& [table, pk, sk] :
       {std::tuple{"SekibanTags", "BLOCK#TAG#x:1", "0000000001.000"},
        std::tuple{"SekibanTags", "BLOCK#TYPE#A", "0000000001.000"},
        std::tuple{"SekibanEvents", "CHUNKS", "00000000000000000001"}}) {
    const Item key{{"pk", "SERVICE#default#" + std::string(pk)}, {"sk", sk}};
    const auto there = home_->database().GetItem({.table_name = table, .key = key});
    ASSERT_TRUE(there && there->item) << pk;
    Item other = *there->item;
    other.Set("n", 17);
    ASSERT_TRUE(home_->database().PutItem({.table_name = table, .item = other}));
    EXPECT_NE(FirstProblem().find("something else"), std::string::npos) << pk;
    ASSERT_TRUE(home_->database().DeleteItem(patterns::MakeDelete(table, key)));
    EXPECT_NE(FirstProblem().find("the index lacks"), std::string::npos) << pk;
    ASSERT_TRUE(home_->database().PutItem({.table_name = table, .item = *there->item}));
  }
  EXPECT_EQ(FirstProblem(), "");
}

TEST_F(MaintenanceTest, AnEmptyStoreBecomesTheOneThatWasExported) {
  AppendSome();
  clock_.Advance(std::chrono::seconds(1));
  Append({Fact("Later", {"x:9"}, std::string("\xff\x00", 2))});
  ASSERT_TRUE(store_->ClaimKey({.key = "k", .event = {.type = "K", .payload = "{}"}}).has_value());
  const Texts lines = Export(*store_);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  const auto imported = Import(*copy, lines);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  const std::size_t events = lines.size() - 1;
  EXPECT_EQ(imported->lines, events);
  EXPECT_EQ(imported->appended, events);
  EXPECT_EQ(imported->moved, 0U);
  EXPECT_TRUE(imported->is_whole_log);
  EXPECT_EQ(imported->end, *DigestEvents(*copy));
  EXPECT_EQ(Export(*copy), lines);
  for (const Event& event : Read()) {
    EXPECT_EQ(*copy->ReadEvent(event.id), event);
  }
  EXPECT_TRUE(VerifyEvents(*copy)->clean());
  // From tail and index alike, and with appends behind.
  const auto behind = copy->Append({Fact("Behind", {"x:9"})});
  ASSERT_TRUE(behind.has_value()) << behind.error().message;
  EXPECT_GT(behind->last(), *store_->FindLastId());
  EXPECT_EQ(ReadFrom(*Open(home_->database(), {.service_id = "copy"})).size(), events + 1);
  EXPECT_NE(imported->end, *DigestEvents(*copy));
}

TEST_F(MaintenanceTest, AnExportThatIsNotWholeIsNoticed) {
  AppendSome();
  const Texts lines = Export(*store_);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  const auto refused = [&](const Texts& changed, const char* why) {
    const auto imported = Import(*copy, changed);
    ASSERT_FALSE(imported.has_value()) << why;
    EXPECT_EQ(imported.error().code, ErrorCode::kSerialization);
    EXPECT_NE(imported.error().message.find(why), std::string::npos) << imported.error().message;
  };
  Texts changed = lines;
  changed.erase(changed.begin() + 1);
  refused(changed, "the export had 123 events, and 122 came");
  changed = lines;
  std::swap(changed[0], changed[1]);
  refused(changed, "are not those that were exported");
  changed = lines;
  changed.push_back(lines.front());
  refused(changed, "behind the end");
  refused({R"({"end":{"events":0}})"}, "are not those that were exported");
  refused({R"({"end":7})"}, "is damaged");

  // Lines that break off can only be told from others by whoever knows that they are an export.
  changed = lines;
  changed.pop_back();
  const auto imported = Import(*copy, changed);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_FALSE(imported->end.has_value());
}

TEST_F(MaintenanceTest, AnImportThatWasInterruptedIsRepeated) {
  AppendSome();
  const Texts lines = Export(*store_);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  for (const std::size_t count : {std::size_t{1}, lines.size() / 2, lines.size(), lines.size()}) {
    const std::size_t before = ReadFrom(*copy).size();
    const auto imported =
        Import(*copy, Texts(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)));
    ASSERT_TRUE(imported.has_value()) << imported.error().message;
    EXPECT_EQ(imported->appended, std::min(count, lines.size() - 1) - before);
  }
  EXPECT_EQ(Export(*copy), lines);
}

TEST_F(MaintenanceTest, EventsThatDoNotSortBehindWhatIsThereGetThePlaceBehindIt) {
  AppendSome();
  const Texts lines = Export(*store_);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  clock_.Advance(std::chrono::hours(1));
  ASSERT_TRUE(copy->Append({Fact("Before", {})}).has_value());
  const auto imported = Import(*copy, lines);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(imported->moved, lines.size() - 1);
  EXPECT_EQ(Import(*copy, lines)->appended, 0U);
  const std::vector<Event> originals = Read();
  EXPECT_EQ(ReadFrom(*copy).size(), originals.size() + 1);
  for (const Event& event : originals) {
    const auto moved = copy->ReadEvent(event.id);
    ASSERT_TRUE(moved.has_value()) << moved.error().message;
    EXPECT_EQ(moved->payload, event.payload);
    EXPECT_EQ(moved->recorded_at, event.recorded_at);
    EXPECT_EQ(moved->position, event.position + 1);
  }
  EXPECT_TRUE(VerifyEvents(*copy)->clean());
}

TEST_F(MaintenanceTest, LinesThatAreNoEventsAreRefused) {
  for (const char* line :
       {"", "[]", "{}", R"({"type":1})", R"({"type":"A","tags":"x"})", R"({"type":"A","tags":[1]})",
        R"({"type":"A","payloadBase64":"?"})", R"({"type":"A","sortableId":"1"})"}) {
    const auto imported = Import(*store_, {line});
    ASSERT_FALSE(imported.has_value()) << line;
    EXPECT_EQ(imported.error().code, ErrorCode::kSerialization);
  }
  EXPECT_EQ(Import(*store_, {R"({"type":"A"})", R"({"type":"A"})"})->appended, 2U);
  EXPECT_EQ(Read().size(), 2U);
}

}  // namespace
}  // namespace stator::events
