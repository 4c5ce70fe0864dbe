#include "server/routes.h"

#include <gtest/gtest.h>

namespace stator::server {
namespace {

// The target and the body that an address stands for, or why there is none.
std::string At(std::string_view method, std::string_view path, std::string_view query = "") {
  EXPECT_TRUE(IsRoute(path)) << path;
  const Result<Route> route = FindRoute(method, path, query);
  if (route) {
    return std::string(route->target) + " " + route->body;
  }
  return route.error().code == ErrorCode::kUnknownOperation ? "nothing" : route.error().message;
}

TEST(Routes, StandForRequests) {
  EXPECT_EQ(At("GET", "/_stator/checkpoints"), "Stator_20120810.ListCheckpoints {}");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/a.b"),
            R"(Stator_20120810.CreateCheckpoint {"CheckpointName":"a.b"})");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc", "replace=true"),
            R"(Stator_20120810.CreateCheckpoint {"CheckpointName":"abc","Replace":true})");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc", "replace=false"),
            R"(Stator_20120810.CreateCheckpoint {"CheckpointName":"abc"})");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc/restore"),
            R"(Stator_20120810.RestoreCheckpoint {"CheckpointName":"abc"})");
  EXPECT_EQ(At("DELETE", "/_stator/checkpoints/abc"),
            R"(Stator_20120810.DeleteCheckpoint {"CheckpointName":"abc"})");
  EXPECT_EQ(
      At("POST", "/_stator/tables/orders/rewind", "to=1768387654.353205"),
      R"(Stator_20120810.RewindTable {"TableName":"orders","RewindDateTime":1768387654.353205})");
  EXPECT_EQ(
      At("POST", "/_stator/tables/orders/rewind", "to=2026-01-14T10%3A47%3A34.25Z"),
      R"(Stator_20120810.RewindTable {"TableName":"orders","RewindDateTime":1768387654.250000})");
  // Names are texts, whatever is in them; the operations say what is wrong with them.
  EXPECT_EQ(At("DELETE", R"(/_stator/checkpoints/a","x":")"),
            R"(Stator_20120810.DeleteCheckpoint {"CheckpointName":"a\",\"x\":\""})");
}

TEST(Routes, ElsewhereThereIsNothing) {
  EXPECT_FALSE(IsRoute("/_stator/checkpointsx"));
  EXPECT_FALSE(IsRoute("/_stator/tables/orders"));
  EXPECT_FALSE(IsRoute("/"));
  EXPECT_EQ(At("POST", "/_stator/checkpoints"), "nothing");
  EXPECT_EQ(At("GET", "/_stator/checkpoints/abc"), "nothing");
  EXPECT_EQ(At("GET", "/_stator/checkpoints/abc/restore"), "nothing");
  EXPECT_EQ(At("DELETE", "/_stator/checkpoints/abc/restore"), "nothing");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/a/b"), "nothing");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/"), "nothing");
  EXPECT_EQ(At("POST", "/_stator/checkpoints//restore"), "nothing");
  EXPECT_EQ(At("GET", "/_stator/tables/orders/rewind", "to=1"), "nothing");
  EXPECT_EQ(At("POST", "/_stator/tables//rewind", "to=1"),
            R"(Stator_20120810.RewindTable {"TableName":"","RewindDateTime":1.000000})");
}

TEST(Routes, AQuerySaysWhatItShouldOrIsRefused) {
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc", "replace=yes"), "replace must be true or false");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc", "replac=true"),
            "The query \"replac=true\" must be replace=…");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc", "replace=true&x=y"),
            "The query \"replace=true&x=y\" must be replace=…");
  EXPECT_EQ(At("POST", "/_stator/checkpoints/abc/restore", "to=1"), "There is no query here: to=1");
  for (const std::string_view query : {"", "to=", "to=yesterday", "to=latest", "at=1"}) {
    EXPECT_TRUE(At("POST", "/_stator/tables/orders/rewind", query).contains("must be to=…"))
        << query;
  }
}

TEST(Routes, HaveTheStatusThatHttpHasForIt) {
  EXPECT_EQ(StatusOfRoute(200, ""), 200);
  EXPECT_EQ(StatusOfRoute(400, "ResourceNotFoundException"), 404);
  EXPECT_EQ(StatusOfRoute(400, "ResourceInUseException"), 409);
  EXPECT_EQ(StatusOfRoute(400, "AccessDeniedException"), 403);
  EXPECT_EQ(StatusOfRoute(400, "ValidationException"), 400);
  EXPECT_EQ(StatusOfRoute(500, "InternalServerError"), 500);
}

}  // namespace
}  // namespace stator::server
