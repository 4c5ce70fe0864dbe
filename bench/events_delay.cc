#include "events_delay.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/stores/events/event_follower.h"

namespace stator::events {
namespace {

long long NowMicroseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(SystemClock().Elapsed()).count();
}

// From 20 ms to half a second apart.
void AppendNowAndThen(EventStore& store, double seconds) {
  SeededRandom random(5);
  const long long end = NowMicroseconds() + static_cast<long long>(seconds * 1e6);
  while (NowMicroseconds() < end) {
    SystemClock().SleepFor(std::chrono::milliseconds(20 + random.Below(480)));
    const auto appended =
        store.Append({{.type = "Said", .payload = std::to_string(NowMicroseconds())}});
    CHECK_THAT(appended.has_value(), appended.error().message);
  }
}

}  // namespace

void PrintFollowerDelay(const char* name, EventStore& writer, EventStore& reader, bool use_stream,
                        double seconds) {
  FollowOptions options{.query = EventQuery{{.types = {"Said"}}}, .use_stream = use_stream};
  const auto last = reader.FindLastId();
  CHECK(last.has_value());
  if (*last) {
    options.since = Cursor(**last);
  }
  const auto follower = EventFollower::Open(reader, std::move(options));
  CHECK_THAT(follower.has_value(), follower.error().message);
  std::vector<double> delays_ms;
  {
    std::jthread following([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const auto events = (*follower)->Next(stop);
        CHECK_THAT(events.has_value(), events.error().message);
        for (const Event& event : *events) {
          const long long began = std::strtoll(event.payload.c_str(), nullptr, 10);
          delays_ms.push_back(static_cast<double>(NowMicroseconds() - began) / 1e3);
        }
      }
    });
    AppendNowAndThen(writer, seconds);
    SystemClock().SleepFor(std::chrono::milliseconds(200));
  }
  CHECK(!delays_ms.empty());
  std::sort(delays_ms.begin(), delays_ms.end());
  std::printf("  %-52s median %6.1f ms, 99 of 100 within %6.1f ms (%zu events%s)\n", name,
              delays_ms[delays_ms.size() / 2], delays_ms[delays_ms.size() * 99 / 100],
              delays_ms.size(), (*follower)->uses_stream() ? ", by the stream" : "");
  std::fflush(stdout);
}

}  // namespace stator::events
