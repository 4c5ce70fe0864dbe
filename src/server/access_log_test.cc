// The access log: its format, that strangers cannot break it, and that everything gets written.

#include "server/access_log.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <unistd.h>

namespace stator::server {
namespace {

AccessLogEntry SomeEntry() {
  return {.time = TimePoint(std::chrono::microseconds(1440938160012345)),
          .request_id = "ID",
          .remote = "127.0.0.1:40112",
          .access_key_id = "AKID",
          .operation = "GetItem",
          .status = 400,
          .error = "ValidationException",
          .request_bytes = 311,
          .answer_bytes = 1204,
          .duration = std::chrono::microseconds(42)};
}

TEST(AccessLog, LinesAreJson) {
  EXPECT_EQ(FormatAccessLogEntry(SomeEntry()),
            R"({"time":"2015-08-30T12:36:00.012345Z","request_id":"ID",)"
            R"("remote":"127.0.0.1:40112","access_key_id":"AKID","operation":"GetItem",)"
            R"("status":400,"error":"ValidationException","request_bytes":311,)"
            R"("answer_bytes":1204,"micros":42})"
            "\n");
}

TEST(AccessLog, LeavesOutWhatIsNotThere) {
  AccessLogEntry entry = SomeEntry();
  entry.access_key_id = "";
  entry.operation = "";
  entry.error = "";
  EXPECT_EQ(FormatAccessLogEntry(entry),
            R"({"time":"2015-08-30T12:36:00.012345Z","request_id":"ID",)"
            R"("remote":"127.0.0.1:40112","status":400,"request_bytes":311,)"
            R"("answer_bytes":1204,"micros":42})"
            "\n");
}

TEST(AccessLog, TextOfClientsCannotForgeLines) {
  AccessLogEntry entry = SomeEntry();
  entry.access_key_id = "a\"\n\xff\\";
  EXPECT_NE(FormatAccessLogEntry(entry).find(R"("access_key_id":"a\"??\\")"), std::string::npos);
  const std::string long_id(5000, 'x');
  entry.access_key_id = long_id;
  EXPECT_LT(FormatAccessLogEntry(entry).size(), 600);
}

TEST(AccessLog, WritesEverythingBeforeItGoes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  constexpr int kLines = 100;
  {
    AccessLog log(ends[1]);
    for (int line = 0; line < kLines; ++line) {
      log.Append(SomeEntry());
    }
    EXPECT_EQ(log.dropped(), 0);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), kLines);
}

TEST(AccessLog, DropsLinesRatherThanGrowWithoutBound) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    AccessLog log(ends[1]);
    // Nobody reads the pipe: its 64 KB fill up, then the 8 MB behind it.
    const std::size_t line = FormatAccessLogEntry(SomeEntry()).size();
    const std::size_t lines = 20'000'000 / line;
    for (std::size_t at = 0; at < lines; ++at) {
      log.Append(SomeEntry());
    }
    EXPECT_GT(log.dropped(), 0);
    ::close(ends[0]);  // The writer gets an error and goes on.
  }
  ::close(ends[1]);
}

}  // namespace
}  // namespace stator::server
