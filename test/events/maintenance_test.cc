// Verifying, exporting and importing.

#include "stator/stores/events/maintenance.h"

#include <tuple>

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

TEST_F(MaintenanceTest, ExportedEventsAreImportedOnce) {
  AppendSome();
  Texts lines;
  EXPECT_EQ(*ExportEvents(*store_,
                          [&](const std::string& line) -> Result<void> {
                            lines.push_back(line);
                            return {};
                          }),
            123U);
  auto copy = Open(home_->database(), {.service_id = "copy"});
  for (int round = 0; round < 2; ++round) {
    for (const std::string& line : lines) {
      const auto imported = ImportEventLine(*copy, line);
      ASSERT_TRUE(imported.has_value()) << imported.error().message;
      EXPECT_EQ(imported->repeated, round == 1);
    }
  }
  const std::vector<Event> originals = Read();
  const std::vector<Event> copies = ReadFrom(*copy);
  ASSERT_EQ(copies.size(), originals.size());
  for (std::size_t index = 0; index < copies.size(); ++index) {
    EXPECT_EQ(copies[index].type, originals[index].type);
    EXPECT_EQ(copies[index].payload, originals[index].payload);
    EXPECT_EQ(copies[index].tags, originals[index].tags);
    EXPECT_EQ(copies[index].metadata, originals[index].metadata);
    EXPECT_EQ(copies[index].position, originals[index].position);
  }
  EXPECT_TRUE(VerifyEvents(*copy)->clean());
}

TEST_F(MaintenanceTest, LinesThatAreNoEventsAreRefused) {
  for (const char* line : {"", "[]", "{}", R"({"type":1})", R"({"type":"A","tags":"x"})",
                           R"({"type":"A","tags":[1]})", R"({"type":"A","payloadBase64":"?"})"}) {
    const auto imported = ImportEventLine(*store_, line);
    ASSERT_FALSE(imported.has_value()) << line;
    EXPECT_EQ(imported.error().code, ErrorCode::kSerialization);
  }
  EXPECT_TRUE(ImportEventLine(*store_, R"({"type":"A"})").has_value());
}

}  // namespace
}  // namespace stator::events
