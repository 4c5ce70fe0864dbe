// The messages of UmaDB's service: requests say what they say, and what they cannot say is an error.

#include "event_server/umadb_messages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "event_server/protobuf.h"

namespace stator::event_server {
namespace {

using Texts = std::vector<std::string>;

std::string Bytes(std::uint32_t number, std::string_view bytes) {
  std::string out;
  AppendBytesField(number, bytes, out);
  return out;
}

std::string Varint(std::uint32_t number, std::uint64_t value) {
  std::string out;
  AppendVarintField(number, value, out);
  return out;
}

TEST(UmadbMessages, AReadSaysWhatItWants) {
  const std::string item = Bytes(1, "A") + Bytes(1, "B") + Bytes(2, "x") + Varint(9, 1);
  const auto request = ParseUmadbRead(Bytes(1, Bytes(1, item)) + Varint(2, 7) + Varint(3, 1) +
                                      Varint(4, 3) + Varint(6, 50) + Bytes(99, "unknown"));
  ASSERT_TRUE(request.has_value()) << request.error().message;
  ASSERT_EQ(request->read.query.items.size(), 1U);
  EXPECT_EQ(request->read.query.items[0].types, (Texts{"A", "B"}));
  EXPECT_EQ(request->read.query.items[0].tags, (Texts{"x"}));
  EXPECT_EQ(request->read.from, 7U);
  EXPECT_TRUE(request->read.backwards);
  EXPECT_EQ(request->read.limit, 3U);
  EXPECT_FALSE(request->subscribe);
  EXPECT_EQ(request->batch_size, 50U);
  const auto all = ParseUmadbRead("");
  ASSERT_TRUE(all.has_value());
  EXPECT_TRUE(all->read.query.matches_all());
  EXPECT_EQ(all->read.limit, std::nullopt);
  EXPECT_EQ(all->read.from, std::nullopt);
}

TEST(UmadbMessages, AnAppendSaysWhatAndWhen) {
  const std::string event = Bytes(1, "A") + Bytes(2, "x") + Bytes(2, "y") + Bytes(3, "\xFF") +
                            Bytes(4, "7D444840-9DC0-11D1-B245-5FFDCE74FAD2");
  const auto request = ParseUmadbAppend(Bytes(1, event) + Bytes(1, Bytes(1, "B")) +
                                        Bytes(2, Bytes(1, Bytes(1, Bytes(2, "x"))) + Varint(2, 4)));
  ASSERT_TRUE(request.has_value()) << request.error().message;
  ASSERT_EQ(request->append.events.size(), 2U);
  EXPECT_EQ(request->append.events[0].type, "A");
  EXPECT_EQ(request->append.events[0].tags, (Texts{"x", "y"}));
  EXPECT_EQ(request->append.events[0].payload, "\xFF");
  EXPECT_EQ(request->append.events[0].id, "7d444840-9dc0-11d1-b245-5ffdce74fad2");
  EXPECT_TRUE(request->append.has_condition);
  EXPECT_EQ(request->append.fail_if_match.items.at(0).tags, (Texts{"x"}));
  EXPECT_EQ(request->append.after, 4U);
  EXPECT_FALSE(request->has_tracking);
  EXPECT_TRUE(ParseUmadbAppend(Bytes(1, event) + Bytes(3, ""))->has_tracking);
  const auto anything = ParseUmadbAppend(Bytes(1, event) + Bytes(2, ""));
  EXPECT_TRUE(anything->append.has_condition);
  EXPECT_TRUE(anything->append.fail_if_match.matches_all());
}

TEST(UmadbMessages, WhatIsWrongIsToldApart) {
  std::string events;
  for (int number = 0; number <= 10'000; ++number) {
    events += Bytes(1, "");
  }
  std::string tags = Bytes(1, "A");
  for (int number = 0; number <= 1000; ++number) {
    tags += Bytes(2, "t");
  }
  for (const std::string& message : {std::string(), events, Bytes(1, tags)}) {
    const auto request = ParseUmadbAppend(message);
    ASSERT_FALSE(request.has_value());
    EXPECT_EQ(request.error().code, ErrorCode::kValidation);
  }
  for (const std::string& message : {std::string("\x08"), Varint(1, 1), Bytes(1, Bytes(1, "\xFF")),
                                     Bytes(1, Varint(3, 1)), Bytes(2, "\x08")}) {
    const auto request = ParseUmadbAppend(message);
    ASSERT_FALSE(request.has_value());
    EXPECT_EQ(request.error().code, ErrorCode::kSerialization);
  }
  EXPECT_EQ(ParseUmadbRead(Varint(3, 1) + Varint(5, 1)).error().code, ErrorCode::kValidation);
  EXPECT_EQ(ParseUmadbRead(Bytes(1, Bytes(1, Bytes(2, "")))).error().code, ErrorCode::kValidation);
}

RC_GTEST_PROP(UmadbMessages, AnyBytesAreARequestOrAnError, (const std::string& bytes)) {
  (void)ParseUmadbRead(bytes);
  (void)ParseUmadbAppend(bytes);
  (void)ParseHealthCheck(Bytes(1, bytes));
}

TEST(UmadbMessages, AnAnswerHasTheEventsAndPerhapsTheHead) {
  events::Event event;
  event.position = 3;
  event.type = "A";
  event.payload = "{}";
  event.tags = {"x"};
  event.id = "7d444840-9dc0-11d1-b245-5ffdce74fad2";
  const std::string bytes = Bytes(1, "A") + Bytes(2, "x") + Bytes(3, "{}");
  EXPECT_EQ(MakeReadResponse({event}, 9),
            Bytes(1, Varint(1, 3) + Bytes(2, bytes + Bytes(4, event.id))) + Varint(2, 9));
  // An id that the store made is its own business.
  event.id[14] = '8';
  EXPECT_EQ(MakeReadResponse({event}, std::nullopt), Bytes(1, Varint(1, 3) + Bytes(2, bytes)));
  EXPECT_EQ(MakeReadResponse({}, std::nullopt), "");
  EXPECT_EQ(MakeHeadResponse(0), "");
  EXPECT_EQ(MakeHeadResponse(5), Varint(1, 5));
}

TEST(UmadbMessages, ErrorsHaveAStatusAndUmadbsDetails) {
  const grpc::Status status = StatusOf({ErrorCode::kValidation, "no"});
  EXPECT_EQ(status.code, grpc::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.details, Bytes(1, "no") + Varint(2, 6));
  EXPECT_EQ(StatusOf({ErrorCode::kUnavailable, ""}).code, grpc::StatusCode::kUnavailable);
  EXPECT_EQ(StatusOf({ErrorCode::kThrottled, ""}).code, grpc::StatusCode::kUnavailable);
  EXPECT_EQ(StatusOf({ErrorCode::kIo, ""}).code, grpc::StatusCode::kInternal);
  EXPECT_EQ(StatusOf({ErrorCode::kCorruption, ""}).code, grpc::StatusCode::kDataLoss);
  // One that may have happened must not look like one that can be sent again.
  EXPECT_EQ(StatusOf({ErrorCode::kAmbiguous, ""}).code, grpc::StatusCode::kUnknown);
  EXPECT_EQ(StatusOf({ErrorCode::kSerialization, "x"}).details, Bytes(1, "x") + Varint(2, 1));
  const grpc::Status cut =
      MakeUmadbStatus(grpc::StatusCode::kInternal, UmadbError::kInternal, std::string(9999, 'x'));
  EXPECT_LT(cut.details.size(), 1100U);
}

}  // namespace
}  // namespace stator::event_server
