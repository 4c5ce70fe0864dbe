// How long sessions and records live, and that they end together.

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class ExpiryTest : public SessionsTest {
 protected:
  std::int64_t ExpiryOf(const std::string& sort_key) {
    return NumberIn(Raw(sort_key).value_or(Item()), "expiresAt");
  }
};

TEST_F(ExpiryTest, EveryWriteCarriesTheExpiryOfTheSession) {
  const Session session = Claim();
  Must(session.PutNew("description", "d", {}));
  Must(session.PutNewWithItems("enhancement", "e", {{"status", "processing"}}, MakeItems(2)));
  EXPECT_EQ(ExpiryOf("DESC#d"), kStart + kDay);
  EXPECT_EQ(ExpiryOf("ENHANCE#e"), kStart + kDay);
  // Half of the life is over: the next write renews the session, and all that belongs to it.
  clock_.Advance(13h);
  Must(session.Transition("description", "d", {.to = "processing"}));
  const std::int64_t renewed = kStart + 13 * 3600 + kDay;
  EXPECT_EQ(ExpiryOf("META"), renewed);
  EXPECT_EQ(ExpiryOf("DESC#d"), renewed);
  EXPECT_EQ(ExpiryOf("ENHANCE#e"), renewed);
}

TEST_F(ExpiryTest, EachMutatingCallWritesIt) {
  const Session session = Claim();
  Must(session.PutNew("description", "d", {{"status", "processing"}}));
  Must(session.PutNewWithItems("enhancement", "map", {{"status", "processing"}}, MakeItems(2),
                               ItemsLayout::kMap));
  Must(session.PutNewWithItems("enhancement", "kids", {{"status", "processing"}}, MakeItems(2),
                               ItemsLayout::kChildren));
  const auto forget = [&](const std::string& key) {
    const auto changed =
        db().UpdateItem({.table_name = "sessions",
                         .key = Key(key),
                         .update_expression = "SET expiresAt = :soon",
                         .expression_attribute_values = Map{{":soon", Now() + 5}}});
    ASSERT_TRUE(changed) << changed.error().message;
  };
  const auto check = [&](const std::string& key, const std::string& what) {
    EXPECT_EQ(ExpiryOf(key), kStart + kDay) << what;
    forget(key);
  };
  forget("DESC#d");
  Must(session.Modify("description", "d", [](Item& item) { item.Set("caption", "a"); }));
  check("DESC#d", "Modify");
  Must(session.TakeLease("description", "d", "w", 1min));
  check("DESC#d", "TakeLease");
  Must(session.RenewLease("description", "d", "w", 1min));
  check("DESC#d", "RenewLease");
  Must(session.ReleaseLease("description", "d", "w"));
  check("DESC#d", "ReleaseLease");
  Must(session.Transition("description", "d", {.to = "complete"}));
  check("DESC#d", "Transition");
  Must(session.Replace(Must(session.Get("description", "d")), {{"status", "processing"}}));
  check("DESC#d", "Replace");
  Must(session.FailRecord("description", "d", "no"));
  check("DESC#d", "FailRecord");
  for (const std::string job : {"map", "kids"}) {
    forget("ENHANCE#" + job);
    Must(session.CompleteItem("enhancement", job, MakeItems(2)[0].id, {}));
    check("ENHANCE#" + job, "CompleteItem");
  }
}

TEST_F(ExpiryTest, WhatHasExpiredIsNotFoundFromThatVerySecond) {
  const Session session = Claim();
  Must(session.PutNew("file", "j/a.jpg", {{"status", "valid"}}));
  clock_.Advance(4h - 1s);
  EXPECT_TRUE(session.Get("file", "j/a.jpg"));
  clock_.Advance(1s);
  EXPECT_THAT(session.Get("file", "j/a.jpg"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Must(session.List("file")), IsEmpty());
  EXPECT_EQ(Must(session.Count("file")), 0);
  EXPECT_THAT(Must(session.Load()).records, IsEmpty());
  EXPECT_THAT(session.Modify("file", "j/a.jpg", [](Item& item) { item.Set("error", "x"); }),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_NE(Raw("FILE#j/a.jpg"), std::nullopt);
}

TEST_F(ExpiryTest, NoWriteBringsBackWhatHasExpired) {
  const Session session = Claim();
  const Record job = Must(session.PutNew("description", "d", {{"status", "processing"}}));
  clock_.Advance(24h);
  const Item before = *Raw("DESC#d");
  EXPECT_FALSE(session.Transition("description", "d", {.to = "complete"}));
  EXPECT_FALSE(session.FailRecord("description", "d", "late"));
  EXPECT_FALSE(session.Replace(job, {{"status", "processing"}, {"caption", "late"}}));
  EXPECT_FALSE(session.TakeLease("description", "d", "w", 1min));
  EXPECT_FALSE(session.CompleteItem("enhancement", "d", "x", {}));
  EXPECT_EQ(*Raw("DESC#d"), before);
}

TEST_F(ExpiryTest, ASessionThatIsUsedLivesOnAndSoDoesAllOfIt) {
  const Session first = Claim();
  Must(first.PutNew("group", "g1", {}));
  Must(first.PutNewWithItems("enhancement", "e", {}, MakeItems(3), ItemsLayout::kChildren));
  for (int day = 0; day < 5; ++day) {
    clock_.Advance(20h);
    Claim();
  }
  EXPECT_TRUE(Claim().Get("group", "g1"));
  EXPECT_EQ(Must(Claim().Items("enhancement", "e")).size(), 3);
  EXPECT_EQ(ExpiryOf("GROUP#g1"), ExpiryOf("META"));
}

TEST_F(ExpiryTest, ARenewalIsWrittenOncePerHalfLife) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {}));
  clock_.Advance(11h);
  const std::size_t before = faulty().calls();
  Claim();
  EXPECT_EQ(faulty().calls(), before + 1);
  EXPECT_EQ(ExpiryOf("META"), kStart + kDay);
}

TEST_F(ExpiryTest, RecordsThatCouldNotBeRenewedAreTriedAgain) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {}));
  clock_.Advance(13h);
  // The session's own renewal gets through, that of the record does not.
  faulty().Script("UpdateItem", {Fault::kNone, Fault::kUnavailable});
  Claim();
  EXPECT_EQ(ExpiryOf("META"), kStart + 13 * 3600 + kDay);
  EXPECT_EQ(ExpiryOf("GROUP#g1"), kStart + kDay);
  clock_.Advance(1h);
  Claim();
  EXPECT_EQ(ExpiryOf("GROUP#g1"), ExpiryOf("META"));
}

TEST_F(ExpiryTest, AWorkerKeepsTheSessionAliveToo) {
  Must(Claim().PutNewWithItems("enhancement", "e", {{"status", "processing"}}, MakeItems(20)));
  const Session worker = Worker();
  for (const NewItem& item : MakeItems(20)) {
    clock_.Advance(6h);
    Must(worker.CompleteItem("enhancement", "e", item.id, {}));
    EXPECT_GE(ExpiryOf("META"), ExpiryOf("ENHANCE#e"));
  }
  EXPECT_EQ(Must(Claim().Get("enhancement", "e")).state, "complete");
}

TEST_F(ExpiryTest, AFixedLifeIsNotProlongedAndNoRecordOutlivesItsSession) {
  const Session session = Claim();
  Must(session.PutNew("file", "j/a.jpg", {{"status", "valid"}}));
  clock_.Advance(2h);
  Must(session.Modify("file", "j/a.jpg", [](Item& item) { item.Set("mimeType", "image/png"); }));
  EXPECT_EQ(ExpiryOf("FILE#j/a.jpg"), kStart + 4 * 3600);

  WorkflowSpec spec{.name = "short", .ttl = TtlPolicy::Fixed(10h)};
  spec.kinds = {{.name = "note", .prefix = "N#", .ttl = TtlPolicy::Sliding(8h)}};
  UseWorkflow(*Workflow::Make(spec));
  const Session fixed = Claim("ann", kOtherId);
  clock_.Advance(5h);
  Must(fixed.PutNew("note", "1", {}));
  EXPECT_EQ(NumberIn(*Raw("N#1", kOtherId), "expiresAt"),
            NumberIn(*Raw("META", kOtherId), "expiresAt"));
}

TEST_F(ExpiryTest, ASlidingRecordLivesFromItsLastWrite) {
  WorkflowSpec spec{.name = "long", .ttl = TtlPolicy::Sliding(24h)};
  spec.kinds = {{.name = "note", .prefix = "N#", .ttl = TtlPolicy::Sliding(8h)}};
  UseWorkflow(*Workflow::Make(spec));
  const Session session = Claim();
  for (int round = 0; round < 5; ++round) {
    if (round == 0) {
      Must(session.PutNew("note", "1", {}));
    } else {
      Must(session.Modify("note", "1", [&](Item& item) { item.Set("round", round); }));
    }
    EXPECT_EQ(ExpiryOf("N#1"), Now() + 8 * 3600);
    EXPECT_GE(ExpiryOf("META"), ExpiryOf("N#1"));
    clock_.Advance(7h);
  }
  clock_.Advance(1h);
  EXPECT_THAT(session.Get("note", "1"), FailsWith(ErrorCode::kNotFound));
}

TEST_F(ExpiryTest, ExpireEndsEverythingAtOnce) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {}));
  Must(session.PutNew("fbprep", "f1", {}));
  const Invalidation ended = Must(session.Expire());
  EXPECT_THAT(ended.deleted, ElementsAre("FBPREP#f1", "GROUP#g1"));
  EXPECT_THAT(session.Load(), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(session.Expire(), FailsWith(ErrorCode::kNotFound));
  // Never 0, which is never swept.
  EXPECT_EQ(ExpiryOf("META"), kStart);
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(ExpiryTest, KeepAliveRenewsWhatIsDue) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {}));
  Must(session.KeepAlive());
  EXPECT_EQ(ExpiryOf("META"), kStart + kDay);
  clock_.Advance(20h);
  Must(session.KeepAlive());
  EXPECT_EQ(ExpiryOf("META"), Now() + kDay);
  EXPECT_EQ(ExpiryOf("GROUP#g1"), Now() + kDay);
  clock_.Advance(24h);
  EXPECT_THAT(session.KeepAlive(), FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace stator::sessions
