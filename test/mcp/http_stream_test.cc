// Streams that clients come back to: what is kept of them, for whom and for how long.

#include "mcp/http_stream.h"

#include <gtest/gtest.h>

#include <memory>

#include "mcp/resumable_streams.h"

namespace stator::mcp {
namespace {

using std::chrono::seconds;

std::string Taken(HttpStream& stream) {
  std::string numbers;
  while (const std::optional<HttpStream::Event> event = stream.Take()) {
    numbers += std::to_string(event->number) + " ";
  }
  return numbers;
}

TEST(HttpStreams, NumberTheirEventsAndGoBack) {
  const auto stream = std::make_shared<HttpStream>(7);
  for (const char* const text : {"a", "b", "c"}) {
    EXPECT_TRUE(stream->Send(Json(text)));
  }
  EXPECT_EQ(Taken(*stream), "1 2 3 ");
  EXPECT_TRUE(stream->Rewind(1));
  EXPECT_EQ(stream->Take()->text, "\"b\"");
  EXPECT_TRUE(stream->Rewind(0));
  EXPECT_EQ(Taken(*stream), "1 2 3 ");
  EXPECT_TRUE(stream->Rewind(3));
  EXPECT_EQ(Taken(*stream), "");
  EXPECT_FALSE(stream->Rewind(4));
  stream->Finish();
  EXPECT_TRUE(stream->IsFinished());
  EXPECT_TRUE(stream->Rewind(2));
  EXPECT_FALSE(stream->IsFinished());
}

TEST(HttpStreams, KeepTheirLastMegabyte) {
  const auto stream = std::make_shared<HttpStream>(1);
  for (int event = 0; event < 4; ++event) {
    stream->Send(Json(std::string(600 * 1024, 'x')));
    stream->Take();
  }
  EXPECT_FALSE(stream->Rewind(0));
  EXPECT_FALSE(stream->Rewind(2));
  EXPECT_TRUE(stream->Rewind(3));
  EXPECT_EQ(Taken(*stream), "4 ");
}

TEST(HttpStreams, GiveUpWhenNobodyReadsForTooLong) {
  const auto stream = std::make_shared<HttpStream>(1);
  int sent = 0;
  while (sent < 100 && stream->Send(Json(std::string(1 << 20, 'x')))) {
    ++sent;
  }
  EXPECT_EQ(sent, 15);
  EXPECT_FALSE(stream->IsOpen());
}

TEST(HttpStreams, AreFoundBySessionUntilTheirTimeIsOver) {
  ResumableStreams streams;
  const auto stream = std::make_shared<HttpStream>(1);
  streams.Add("mine", stream);
  streams.Sweep(seconds(1000));
  EXPECT_EQ(streams.Find("mine", 1), stream) << "a connection writes it";
  EXPECT_EQ(streams.Find("other", 1), nullptr);
  EXPECT_EQ(streams.Find("mine", 2), nullptr);
  streams.Keep("mine", 1, seconds(30));
  streams.Sweep(seconds(29));
  EXPECT_EQ(streams.Find("mine", 1), stream);
  // Whoever found it has it again.
  streams.Sweep(seconds(31));
  EXPECT_TRUE(stream->IsOpen());
  streams.Keep("mine", 1, seconds(60));
  streams.Sweep(seconds(60));
  EXPECT_EQ(streams.Find("mine", 1), nullptr);
  EXPECT_FALSE(stream->IsOpen()) << "whatever waits for it is told";
}

TEST(HttpStreams, HaveEventsWithNames) {
  EXPECT_EQ(ToText(EventName{.stream = 12, .event = 3}), "12-3");
  const std::optional<EventName> name = ParseEventName("12-3");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stream, 12U);
  EXPECT_EQ(name->event, 3U);
  for (const char* const text :
       {"", "-", "1-", "-1", "1", "1-2-3", "a-1", "1-a", " 1-1", "99999999999999999999-1"}) {
    EXPECT_FALSE(ParseEventName(text)) << text;
  }
}

}  // namespace
}  // namespace stator::mcp
