// What is kept of the last requests, and for how long.

#include "server/request_inspector.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace stator::server {
namespace {

TimePoint At(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

SeenRequest RequestAt(int seconds, std::shared_ptr<const SeenBodies> bodies = nullptr) {
  return {.time = At(seconds),
          .operation = "GetItem",
          .outcome = "ok",
          .status = 200,
          .id = ShortText<RequestIds::kLength>("id" + std::to_string(seconds)),
          .remote = {},
          .access_key_id = {},
          .bodies = std::move(bodies)};
}

TEST(RequestInspector, AnswersTheLastThousandOfAllWorkersNewestFirst) {
  RequestInspector inspector;
  for (int second = 0; second < 3000; ++second) {
    inspector.Add(static_cast<std::size_t>(second % 2), RequestAt(second));
  }
  const auto all = inspector.After(TimePoint{});
  ASSERT_EQ(all.size(), RequestInspector::kKept);
  EXPECT_EQ(all.front().id.view(), "id2999");
  EXPECT_EQ(all.back().id.view(), "id2000");
  const auto some = inspector.After(At(2997));
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some.back().id.view(), "id2998");
  EXPECT_TRUE(inspector.Find("id2000").has_value());
  EXPECT_FALSE(inspector.Find("id1").has_value());
}

TEST(RequestInspector, IsWatchedForAMinuteAfterSomebodyLooked) {
  RequestInspector inspector;
  EXPECT_FALSE(inspector.IsWatched(Duration::zero()));
  inspector.Watch(std::chrono::seconds(10));
  EXPECT_TRUE(inspector.IsWatched(std::chrono::seconds(69)));
  EXPECT_FALSE(inspector.IsWatched(std::chrono::seconds(70)));
}

TEST(RequestInspector, GivesUpTheOldestBodiesFirst) {
  RequestInspector inspector;
  const std::string large(SeenBodies::kBodyBytesMax, 'x');
  const int fitting = static_cast<int>(RequestInspector::kBodyBytesKept / large.size());
  for (int second = 0; second < fitting + 2; ++second) {
    inspector.Add(0, RequestAt(second, KeepBodies("", large, "")));
  }
  EXPECT_EQ(inspector.Find("id0")->bodies, nullptr);
  EXPECT_EQ(inspector.Find("id1")->bodies, nullptr);
  EXPECT_NE(inspector.Find("id2")->bodies, nullptr);
  EXPECT_NE(inspector.Find("id" + std::to_string(fitting + 1))->bodies, nullptr);
}

TEST(RequestInspector, CountsBodiesThatGoWhenTheRingGoesRound) {
  RequestInspector inspector;
  const std::string body(RequestInspector::kBodyBytesKept / RequestInspector::kKept - 16, 'x');
  for (int second = 0; second < 3000; ++second) {
    inspector.Add(0, RequestAt(second, KeepBodies("", body, "")));
  }
  EXPECT_NE(inspector.Find("id2000")->bodies, nullptr);
}

TEST(KeepBodies, HidesWhatProvesWhoAsks) {
  const auto kept = KeepBodies(
      "POST / HTTP/1.1\r\nhost: x\r\n"
      "authorization: AWS4-HMAC-SHA256 Credential=AKID/20261116, Signature=c0ffee\r\n"
      "x-amz-security-token: token\r\n\r\n",
      "request", "answer");
  EXPECT_EQ(kept->head,
            "host: x\n"
            "authorization: AWS4-HMAC-SHA256 Credential=AKID/20261116, Signature=(hidden)\n");
  EXPECT_EQ(kept->request, "request");
  EXPECT_EQ(kept->answer, "answer");
  EXPECT_FALSE(kept->is_cut);
  EXPECT_EQ(KeepBodies("a\r\nauthorization: Bearer c0ffee\r\n", "", "")->head,
            "authorization: (hidden)\n");
}

TEST(KeepBodies, CutsLongBodies) {
  const auto kept = KeepBodies("", std::string(SeenBodies::kBodyBytesMax + 1, 'x'), "");
  EXPECT_EQ(kept->request.size(), SeenBodies::kBodyBytesMax);
  EXPECT_TRUE(kept->is_cut);
}

}  // namespace
}  // namespace stator::server
