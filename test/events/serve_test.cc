// The event server: what is asked of it as the public tests of dcb.events ask, without the network.

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <semaphore>
#include <thread>

#include "event_server/event_handler.h"
#include "events/events_test.h"
#include "stator/value/attribute_value.h"
#include "support/faulty_database.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

using event_server::EventHandler;
using support::FaultyDatabase;

class ServeTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    handler_ =
        std::make_unique<EventHandler>(*store_, event_server::EventHandlerOptions{.threads = 8});
  }
  void TearDown() override { handler_.reset(); }

  wire::Answer Ask(std::string_view method, std::string_view path, std::string_view query,
                   std::string_view body) {
    std::promise<wire::Answer> answer;
    handler_->Handle(
        {.target = {}, .body = body, .caller = {}, .method = method, .path = path, .query = query},
        [&](wire::Answer given) { answer.set_value(std::move(given)); });
    return answer.get_future().get();
  }

  static AttributeValue JsonOf(const wire::Answer& answer) {
    const auto value = value::ValueFromPlainJson(answer.body);
    EXPECT_TRUE(value.has_value()) << answer.body;
    return value.value_or(AttributeValue());
  }

  Map AppendOne(const std::string& body) {
    const wire::Answer answer = Ask("POST", "/append", "", body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    const AttributeValue value = JsonOf(answer);
    return value.If<Map>() == nullptr ? Map() : *value.If<Map>();
  }

  // The positions of what a read gives.
  std::vector<int> Positions(const std::string& body) {
    const wire::Answer answer = Ask("POST", "/read", "", body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    std::vector<int> positions;
    const AttributeValue value = JsonOf(answer);
    for (const AttributeValue& event : *value.If<List>()) {
      const Number* number = event.If<Map>()->at("position").If<Number>();
      positions.push_back(static_cast<int>(*number->ToInt64()));
    }
    return positions;
  }

  std::unique_ptr<EventHandler> handler_;
};

TEST_F(ServeTest, AppendsAndReads) {
  EXPECT_EQ(Ask("GET", "/head", "", "").body, R"({"position":0})");
  EXPECT_EQ(Ask("GET", "/read", "", "").body, "[]");
  const Map first =
      AppendOne(R"({"events":[{"type":"A","data":"{\"a\":1}","tags":["x:1"]},{"type":"B"}]})");
  EXPECT_EQ(first.at("appendConditionFailed"), AttributeValue(false));
  EXPECT_NE(first.at("durationInMicroseconds").If<Number>(), nullptr);
  EXPECT_EQ(first.at("position"), AttributeValue(2));
  const wire::Answer read = Ask(
      "GET", "/read", "query=%7B%22items%22%3A%5B%7B%22tags%22%3A%5B%22x%3A1%22%5D%7D%5D%7D", "");
  ASSERT_EQ(read.status, 200) << read.body;
  const AttributeValue list = JsonOf(read);
  ASSERT_EQ(list.If<List>()->size(), 1U);
  const Map& event = *list.If<List>()->front().If<Map>();
  EXPECT_EQ(event.at("data"), AttributeValue(R"({"a":1})"));
  EXPECT_EQ(event.at("type"), AttributeValue("A"));
  EXPECT_EQ(event.at("position"), AttributeValue(1));
  EXPECT_EQ(Ask("GET", "/head", "", "").body, R"({"position":2})");
}

TEST_F(ServeTest, ReadsFromAPositionInBothDirections) {
  for (int number = 0; number < 12; ++number) {
    Append({Fact(number % 2 == 0 ? "Even" : "Odd", {"x:1"})});
  }
  EXPECT_EQ(Positions(R"({"options":{"from":10}})"), (std::vector<int>{10, 11, 12}));
  EXPECT_EQ(Positions(R"({"options":{"from":3,"backwards":true}})"), (std::vector<int>{3, 2, 1}));
  EXPECT_EQ(Positions(R"({"options":{"from":2,"limit":2}})"), (std::vector<int>{2, 3}));
  EXPECT_EQ(Positions(R"({"options":{"backwards":true,"limit":1}})"), (std::vector<int>{12}));
  EXPECT_EQ(Positions(R"({"options":{"from":0,"limit":1}})"), (std::vector<int>{1}));
  EXPECT_EQ(Positions(R"({"options":{"from":99}})"), (std::vector<int>{}));
  EXPECT_EQ(Positions(R"({"options":{"limit":0}})"), (std::vector<int>{}));
  EXPECT_EQ(Positions(R"({"query":{"items":[{"types":["Odd"]}]},"options":{"from":9}})"),
            (std::vector<int>{10, 12}));
}

TEST_F(ServeTest, ConditionsKnowPositions) {
  const std::string when = R"({"events":[{"type":"A","tags":["x:1"]}],"condition":)"
                           R"({"failIfEventsMatch":{"items":[{"tags":["x:1"]}]})";
  EXPECT_EQ(AppendOne(when + "}}").at("appendConditionFailed"), AttributeValue(false));
  EXPECT_EQ(AppendOne(when + "}}").at("appendConditionFailed"), AttributeValue(true));
  EXPECT_EQ(AppendOne(when + R"(,"after":0}})").at("appendConditionFailed"), AttributeValue(true));
  EXPECT_EQ(AppendOne(when + R"(,"after":1}})").at("position"), AttributeValue(2));
  EXPECT_EQ(AppendOne(when + R"(,"after":1}})").at("appendConditionFailed"), AttributeValue(true));
  // What is behind everything was read by nobody, and does no harm.
  EXPECT_EQ(AppendOne(when + R"(,"after":99}})").at("position"), AttributeValue(3));
  const std::string once = R"({"events":[{"type":"A"}],"appendId":"once"})";
  EXPECT_EQ(AppendOne(once).at("repeated"), AttributeValue(false));
  EXPECT_EQ(AppendOne(once).at("repeated"), AttributeValue(true));
}

TEST_F(ServeTest, WhatIsWrongIsAnswered) {
  EXPECT_EQ(Ask("POST", "/append", "", "{").status, 400);
  EXPECT_EQ(Ask("POST", "/append", "", R"({"events":[{"type":""}]})").status, 400);
  EXPECT_EQ(Ask("GET", "/append", "", "").status, 405);
  EXPECT_EQ(Ask("DELETE", "/read", "", "").status, 405);
  EXPECT_EQ(Ask("POST", "/head", "", "").status, 405);
  EXPECT_EQ(Ask("GET", "/events", "", "").status, 404);
  EXPECT_EQ(Ask("GET", "/read", "querry=1", "").status, 400);
  Append({Fact("A", {}, std::string(2000, 'x'))});
  handler_ = std::make_unique<EventHandler>(
      *store_, event_server::EventHandlerOptions{.threads = 1, .answer_bytes_max = 1000});
  const wire::Answer large = Ask("GET", "/read", "", "");
  EXPECT_EQ(large.status, 413) << large.body;
}

TEST_F(ServeTest, AppendsThatWaitHoldNoThread) {
  constexpr std::size_t kAppends = 4;
  const std::string body = R"({"events":[{"type":"A"}]})";
  std::vector<std::promise<int>> answers(kAppends + 1);
  const auto append = [&](std::size_t number) {
    handler_->Handle(
        {.target = {}, .body = body, .caller = {}, .method = "POST", .path = "/append"},
        [&answers, number](const wire::Answer& given) { answers[number].set_value(given.status); });
  };
  std::binary_semaphore may_put(0);
  FaultyDatabase slow(home_->database());
  const auto store = Open(slow);
  handler_ = std::make_unique<EventHandler>(
      *store, event_server::EventHandlerOptions{.threads = 1, .waiting_max = kAppends});
  slow.BeforeNext("PutItem", [&] { may_put.acquire(); });
  for (std::size_t number = 0; number + 1 < kAppends; ++number) {
    append(number);
  }
  EXPECT_EQ(Ask("GET", "/head", "", "").status, 200);
  // They count as those that wait for a thread do.
  append(kAppends - 1);
  while (Ask("GET", "/head", "", "").status != 503) {
    std::this_thread::yield();
  }
  may_put.release();
  for (std::size_t number = 0; number < kAppends; ++number) {
    EXPECT_EQ(answers[number].get_future().get(), 200);
  }
  // The handler's end waits for the last one.
  slow.BeforeNext("PutItem", [&] { may_put.acquire(); });
  append(kAppends);
  const std::jthread other([&] { may_put.release(); });
  handler_.reset();
  auto last = answers[kAppends].get_future();
  ASSERT_EQ(last.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(last.get(), 200);
}

// Each append says in its data what it was decided on; then the log is asked whether that was so.
TEST_F(ServeTest, OfManyWritersEachSawEverythingThatItAskedFor) {
  constexpr int kWriters = 6;
  constexpr int kAppends = 15;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (int number = 0; number < kAppends; ++number) {
          const std::string tag = "hot:" + std::to_string((writer + number) % 3);
          const std::string query = R"({"items":[{"tags":[")" + tag + R"("]}]})";
          const std::vector<int> last =
              Positions(R"({"query":)" + query + R"(,"options":{"backwards":true,"limit":1}})");
          const std::string after = std::to_string(last.empty() ? 0 : last.front());
          const Map answer =
              AppendOne(R"({"events":[{"type":"A","data":")" + after + R"(","tags":[")" + tag +
                        R"("]}],"condition":)" + R"({"failIfEventsMatch":)" + query +
                        R"(,"after":)" + after + "}}");
          refused += answer.at("appendConditionFailed") == AttributeValue(true) ? 1 : 0;
        }
      });
    }
  }
  std::map<std::string, std::uint64_t> last;
  const std::vector<Event> events = Read();
  for (const Event& event : events) {
    EXPECT_EQ(event.payload, std::to_string(last[event.tags.front()])) << event.position;
    last[event.tags.front()] = event.position;
  }
  EXPECT_EQ(static_cast<int>(events.size()) + refused, kWriters * kAppends);
}

}  // namespace
}  // namespace stator::events
