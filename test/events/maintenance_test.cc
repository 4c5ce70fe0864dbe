// Verifying, exporting and importing.

#include "stator/stores/events/maintenance.h"

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
  const Event event = Read({.query = EventQuery::Tagged("y:1")}).front();
  ASSERT_TRUE(home_->database().DeleteItem(patterns::MakeDelete(
      "SekibanTags",
      {{"pk", "SERVICE#default#TAG#y:1"}, {"sk", event.sortable_id.ToText() + "#" + event.id}})));
  EXPECT_NE(FirstProblem().find("there is no row"), std::string::npos);
}

TEST_F(MaintenanceTest, AHeadThatDisagreesIsFound) {
  AppendSome();
  for (const char* head : {"HEAD#TAG#x:1", "HEAD#TYPE#A", "HEAD#ALL"}) {
    const Item key{{"pk", "SERVICE#default#" + std::string(head)}, {"sk", "HEAD"}};
    const auto change = [&](int by) {
      patterns::Update update;
      update.Add("eventCount", by);
      ASSERT_TRUE(home_->database().UpdateItem(patterns::MakeUpdate("SekibanTags", key, update)));
    };
    change(1);
    EXPECT_NE(FirstProblem().find("the head of"), std::string::npos) << head;
    change(-1);
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
