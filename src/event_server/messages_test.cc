// What requests of an event server say, and that what they cannot say is an error.

#include "event_server/messages.h"

#include <gtest/gtest.h>

namespace stator::event_server {
namespace {

using Texts = std::vector<std::string>;

TEST(EventMessages, AReadIsAQueryAndItsOptions) {
  const auto request = ParseReadAddress(
      "query=%7B%22items%22%3A%5B%7B%22types%22%3A%5B%22A+B%22%5D%2C%22tags%22%3A%5B%22x%3A1%22%5D%"
      "7D%5D%7D"
      "&options=%7B%22from%22%3A7%2C%22limit%22%3A3%2C%22backwards%22%3Atrue%7D");
  ASSERT_TRUE(request.has_value()) << request.error().message;
  ASSERT_EQ(request->query.items.size(), 1U);
  EXPECT_EQ(request->query.items[0].types, (Texts{"A B"}));
  EXPECT_EQ(request->query.items[0].tags, (Texts{"x:1"}));
  EXPECT_EQ(request->from, 7U);
  EXPECT_EQ(request->limit, 3U);
  EXPECT_TRUE(request->backwards);
  const auto same = ParseReadBody(
      R"({"query":{"items":[{"types":["A B"],"tags":["x:1"]}]},"options":{"from":7}})");
  ASSERT_TRUE(same.has_value()) << same.error().message;
  EXPECT_EQ(same->from, 7U);
}

TEST(EventMessages, NothingMeansEverything) {
  for (const char* text : {"", "query=%7B%7D", "query=%7B%22items%22%3A%5B%5D%7D"}) {
    const auto request = ParseReadAddress(text);
    ASSERT_TRUE(request.has_value()) << text << request.error().message;
    EXPECT_TRUE(request->query.matches_all()) << text;
  }
}

TEST(EventMessages, AnAppendIsEventsAndACondition) {
  const auto request = ParseAppendBody(R"({
      "events": [{"type":"A","data":"{}","tags":["x:1"],"metadata":{"executedUser":"ann"}},
                 {"type":"B","dataBase64":"/w=="}],
      "condition": {"failIfEventsMatch":{"items":[{"tags":["x:1"]}]},"after":4},
      "appendId": "once"})");
  ASSERT_TRUE(request.has_value()) << request.error().message;
  ASSERT_EQ(request->events.size(), 2U);
  EXPECT_EQ(request->events[0].payload, "{}");
  EXPECT_EQ(request->events[0].metadata.executed_user, "ann");
  EXPECT_EQ(request->events[1].payload, "\xFF");
  EXPECT_TRUE(request->has_condition);
  EXPECT_EQ(request->after, 4U);
  EXPECT_EQ(request->append_id, "once");
  // One event may stand alone, and null is nothing.
  const auto one = ParseAppendBody(R"({"events":{"type":"A"},"condition":null})");
  ASSERT_TRUE(one.has_value()) << one.error().message;
  EXPECT_EQ(one->events.size(), 1U);
  EXPECT_FALSE(one->has_condition);
}

TEST(EventMessages, WhatIsWrongIsAnErrorAndNeverLeftOut) {
  for (const char* body :
       {"",
        "[]",
        "{",
        R"({"events":[]})",
        R"({"events":[{"type":"A"}],"conditon":{}})",
        R"({"events":[{"type":"A"}],"condition":{}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventMatch":{}}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{"item":[]}}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{"items":[{"tag":[]}]}}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{"items":{}}}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{},"after":-1}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{},"after":1.5}})",
        R"({"events":[{"type":"A"}],"condition":{"failIfEventsMatch":{},"after":"1"}})",
        R"({"events":[{"type":"A","data":{}}]})",
        R"({"events":[{"type":"A","tags":"x"}]})",
        R"({"events":[{"type":"A","tags":[1]}]})",
        R"({"events":[{"type":1}]})",
        R"({"events":[{"type":"A","dataBase64":"!"}]})",
        R"({"events":[{"type":"A","data":"x","dataBase64":"/w=="}]})",
        R"({"events":[{"type":"A","metadata":{"user":"ann"}}]})"}) {
    const auto request = ParseAppendBody(body);
    ASSERT_FALSE(request.has_value()) << body;
    EXPECT_EQ(request.error().code, ErrorCode::kValidation) << body;
  }
  for (const char* address :
       {"query=%7B", "q=%7B%7D", "query=%7B%7D&query=%7B%7D", "query=5",
        "options=%7B%22form%22%3A1%7D", "options=%7B%22backwards%22%3A1%7D"}) {
    EXPECT_FALSE(ParseReadAddress(address).has_value()) << address;
  }
}

TEST(EventMessages, AnEventSaysWhatItIs) {
  std::string out;
  events::Event event;
  event.id = "i";
  event.position = 3;
  event.type = "A";
  event.payload = "{}";
  event.tags = {"x:1"};
  AppendEventJson(event, out);
  EXPECT_EQ(out,
            R"({"data":"{}","id":"i","position":3,"recordedAt":"","tags":["x:1"],"type":"A"})");
}

}  // namespace
}  // namespace stator::event_server
