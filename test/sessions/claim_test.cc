// Whose a session is: claimed by the first, verified ever after, and never inherited by accident.

#include <atomic>
#include <thread>

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class ClaimTest : public SessionsTest {
 protected:
  // As the older system wrote it.
  void PutLegacySession(const std::optional<std::string>& owner, std::int64_t expires_at) {
    Item item{{"status", "active"}, {"createdAt", Now() - 60}, {"expiresAt", expires_at}};
    if (owner) {
      item.Set("ownerSub", *owner);
    }
    PutRaw(std::move(item), "META");
  }
};

TEST_F(ClaimTest, TheFirstMakesTheSession) {
  const Session session = Claim();
  EXPECT_EQ(session.id(), kSessionId);
  EXPECT_EQ(session.owner(), "ann");
  const Item meta = Raw("META").value_or(Item());
  EXPECT_EQ(TextIn(meta, "ownerSub"), "ann");
  EXPECT_EQ(TextIn(meta, "status"), "active");
  EXPECT_EQ(NumberIn(meta, "createdAt"), kStart);
  EXPECT_EQ(NumberIn(meta, "expiresAt"), kStart + kDay);
  EXPECT_EQ(NumberIn(meta, "rev"), 1);
  EXPECT_EQ(TextIn(meta, "type"), "session");
}

TEST_F(ClaimTest, AKnownSessionIsReadAndNotWritten) {
  Claim();
  EXPECT_EQ(faulty().calls("GetItem"), 1);
  EXPECT_EQ(faulty().calls("UpdateItem"), 1);
  Claim();
  EXPECT_EQ(faulty().calls("GetItem"), 2);
  EXPECT_EQ(faulty().calls(), 3);
}

TEST_F(ClaimTest, SomebodyElseIsNotTheOwner) {
  Claim("ann");
  const auto other = store_->Claim(kSessionId, "bob");
  ASSERT_THAT(other, FailsWith(ErrorCode::kNotOwner));
  EXPECT_EQ(HttpStatus(other.error().code), 403);
  EXPECT_EQ(TextIn(*Raw("META"), "ownerSub"), "ann");
}

TEST_F(ClaimTest, RefusesIdsThatAreNoSessions) {
  for (const std::string id : {"", "abc", "0F8FAD5B-D9CB-469F-A165-70867728950E",
                               "0f8fad5b-d9cb-169f-a165-70867728950e", "../../etc/passwd"}) {
    EXPECT_THAT(store_->Claim(id, "ann"), FailsWith(ErrorCode::kValidation)) << id;
  }
  EXPECT_THAT(store_->Claim(kSessionId, ""), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(Keys(), IsEmpty());
}

// Hole (a): two who come first.
TEST_F(ClaimTest, OfManyFirstCallersExactlyOneOwns) {
  constexpr int kCallers = 8;
  std::atomic<int> owners = 0;
  std::atomic<int> others = 0;
  {
    std::vector<std::jthread> threads;
    for (int caller = 0; caller < kCallers; ++caller) {
      threads.emplace_back([&, caller] {
        const auto session = store_->Claim(kSessionId, "user-" + std::to_string(caller));
        owners += session ? 1 : 0;
        others += !session && session.error().code == ErrorCode::kNotOwner ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(owners, 1);
  EXPECT_EQ(others, kCallers - 1);
}

TEST_F(ClaimTest, ALostAnswerIsNoOtherOwner) {
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  EXPECT_TRUE(store_->Claim(kSessionId, "ann"));
  EXPECT_THAT(store_->Claim(kSessionId, "bob"), FailsWith(ErrorCode::kNotOwner));
}

// Hole (b): what went wrong is said by a kind, not by words.
TEST_F(ClaimTest, AnUnreachableDatabaseIsNeitherMissingNorForeign) {
  Claim();
  faulty().SetRates({.unavailable = 1});
  EXPECT_THAT(store_->Claim(kSessionId, "ann"), FailsWith(ErrorCode::kUnavailable));
  faulty().SetRates({.throttled = 1});
  EXPECT_THAT(store_->Claim(kSessionId, "ann"), FailsWith(ErrorCode::kThrottled));
}

// Hole (c): every operation asks whose the session is, whatever was so when it was claimed.
TEST_F(ClaimTest, NoOperationServesWhoIsNotTheOwnerAnyMore) {
  const Session ann = Claim("ann");
  const Record group = Must(ann.PutNew("group", "g1", {{"name", "Beach"}}));
  Must(ann.Expire());
  clock_.Advance(1s);
  const Session bob = Claim("bob");
  const Record foreign = Must(bob.PutNew("group", "g1", {{"name", "Mountains"}}));

  const auto refused = [](const auto& result) {
    return !result && (result.error().code == ErrorCode::kNotOwner ||
                       result.error().code == ErrorCode::kStale ||
                       result.error().code == ErrorCode::kNotFound ||
                       result.error().code == ErrorCode::kConflict);
  };
  EXPECT_THAT(ann.Meta(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Get("group", "g1"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.List("group"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Count("group"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Latest("group"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Load(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.PutNew("group", "g2", {}), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.PutNewWithItems("enhancement", "", {}, MakeItems(2)),
              FailsWith(ErrorCode::kNotOwner));
  EXPECT_TRUE(refused(ann.Replace(group, {{"name", "mine"}})));
  EXPECT_TRUE(refused(ann.Replace(foreign, {{"name", "mine"}})));
  EXPECT_THAT(ann.Modify("group", "g1", [](Item& item) { item.Set("name", "mine"); }),
              FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.ModifyMeta([](Item& item) { item.Set("tripContext", "mine"); }),
              FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Remove("group", "g1"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Items("enhancement", "e1"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Pending("enhancement", "e1"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Heal("enhancement", "e1"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.InvalidateFrom("triage"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.InvalidateAfter("triage"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Sweep(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Expire(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.KeepAlive(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_THAT(ann.Refresh(), FailsWith(ErrorCode::kNotOwner));
  EXPECT_EQ(TextIn(Must(bob.Get("group", "g1")).value, "name"), "Mountains");
}

TEST_F(ClaimTest, WritesOfOneRecordDoNotReachTheRecordsOfTheNextOwner) {
  const Session ann = Claim("ann");
  Must(ann.Expire());
  const Session bob = Claim("bob");
  Must(bob.PutNew("selection", "sel-1", {{"status", "processing"}}));
  EXPECT_THAT(ann.Transition("selection", "sel-1", {.to = "complete"}),
              FailsWith(ErrorCode::kStale));
  EXPECT_THAT(ann.FailRecord("selection", "sel-1", "no"), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(ann.TakeLease("selection", "sel-1", "w", 1min), FailsWith(ErrorCode::kStale));
  EXPECT_EQ(Must(bob.Get("selection", "sel-1")).state, "processing");
}

// A worker belongs to the session that it was sent to, not to whatever has its id later.
TEST_F(ClaimTest, AWorkerOfADeadSessionDoesNotWorkForTheNext) {
  Claim("ann");
  const Session worker = Worker();
  Must(Claim("ann").Expire());
  Claim("bob");
  EXPECT_THAT(worker.PutNew("group", "g1", {}), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(worker.Load(), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(worker.InvalidateFrom("triage"), FailsWith(ErrorCode::kStale));
}

// Hole (d): nobody inherits what outlived its session.
TEST_F(ClaimTest, RecordsThatOutliveTheirSessionStayUnreadable) {
  const Session ann = Claim("ann");
  Must(ann.PutNew("group", "g1", {{"name", "private"}}));
  PutRaw({{"status", "complete"}, {"expiresAt", Now() + 10 * kDay}}, "TRIAGE#old");
  ASSERT_TRUE(db().DeleteItem({.table_name = "sessions", .key = Key("META")}));
  clock_.Advance(1s);

  const Session bob = Claim("bob");
  EXPECT_THAT(bob.Get("group", "g1"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(bob.Get("triage", "old"), FailsWith(ErrorCode::kNotFound));
  const Summary summary = Must(bob.Load());
  EXPECT_THAT(summary.records, IsEmpty());
  EXPECT_EQ(summary.hidden, 2);
}

// Hole (e): an expired session counts as none, although it is still there.
TEST_F(ClaimTest, AnExpiredSessionIsTakenOverWithNewEpochs) {
  const Session ann = Claim("ann");
  Must(ann.PutNew("group", "g1", {{"name", "private"}}));
  const std::int64_t before = ann.EpochOf("group");
  clock_.Advance(24h);
  EXPECT_THAT(ann.Load(), FailsWith(ErrorCode::kNotFound));

  const Session bob = Claim("bob");
  EXPECT_GT(bob.EpochOf("group"), before);
  EXPECT_THAT(Must(bob.Load()).records, IsEmpty());
  EXPECT_EQ(NumberIn(*Raw("META"), "createdAt"), kStart + kDay);
  EXPECT_THAT(store_->Claim(kSessionId, "ann"), FailsWith(ErrorCode::kNotOwner));
}

TEST_F(ClaimTest, ItsOwnExpiredSessionBeginsAnewToo) {
  const Session before = Claim("ann");
  Must(before.PutNew("group", "g1", {}));
  clock_.Advance(24h);
  const Session after = Claim("ann");
  EXPECT_THAT(Must(after.List("group")), IsEmpty());
  EXPECT_THAT(before.List("group"), FailsWith(ErrorCode::kStale));
}

TEST_F(ClaimTest, EpochsOfATakenOverSessionAreAboveAllThatWere) {
  const Session ann = Claim("ann");
  for (int round = 0; round < 3; ++round) {
    Must(ann.InvalidateFrom("publish"));
  }
  const std::int64_t before = ann.EpochOf("publish");
  Must(ann.Expire());
  // In the same millisecond.
  EXPECT_GT(Claim("bob").EpochOf("triage"), before);
}

TEST_F(ClaimTest, OfManyHeirsExactlyOneOwns) {
  Claim("ann");
  clock_.Advance(25h);
  std::atomic<int> owners = 0;
  {
    std::vector<std::jthread> threads;
    for (int caller = 0; caller < 8; ++caller) {
      threads.emplace_back([&, caller] {
        owners += store_->Claim(kSessionId, "heir-" + std::to_string(caller)) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(owners, 1);
}

TEST_F(ClaimTest, ALostAnswerOfATakeOverIsASuccess) {
  Claim("ann");
  clock_.Advance(25h);
  faulty().Script("PutItem", {Fault::kLostAfter});
  EXPECT_TRUE(store_->Claim(kSessionId, "bob"));
}

TEST_F(ClaimTest, ASessionWithoutAnOwnerIsDeniedOrAdopted) {
  PutLegacySession(std::nullopt, Now() + kDay);
  EXPECT_THAT(store_->Claim(kSessionId, "ann"), FailsWith(ErrorCode::kNotOwner));
  UseOptions({.legacy = LegacySessions::kAdopt});
  const Session session = Claim("ann");
  EXPECT_EQ(TextIn(*Raw("META"), "ownerSub"), "ann");
  EXPECT_THAT(store_->Claim(kSessionId, "bob"), FailsWith(ErrorCode::kNotOwner));
  Must(session.PutNew("group", "g1", {}));
}

TEST_F(ClaimTest, RecordsOfAnOlderSystemAreReadUntilTheyAreInvalidated) {
  PutLegacySession("ann", Now() + kDay);
  PutRaw({{"status", "complete"}, {"expiresAt", Now() + kDay}}, "TRIAGE#triage-1");
  PutRaw({{"status", "complete"}, {"expiresAt", Now() + kDay}}, "SELECTION#sel-1");
  const Session session = Claim("ann");
  EXPECT_EQ(Must(session.Get("triage", "triage-1")).state, "complete");
  EXPECT_EQ(Must(session.Transition("triage", "triage-1", {.to = "processing"})).state,
            "processing");
  EXPECT_THAT(Must(session.InvalidateFrom("selection")).deleted, ElementsAre("SELECTION#sel-1"));
  EXPECT_THAT(session.Get("selection", "sel-1"), FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(session.Get("triage", "triage-1"));
}

TEST_F(ClaimTest, AWorkerFindsWhatIsThereAndMakesNothing) {
  EXPECT_THAT(store_->AsWorker(kSessionId), FailsWith(ErrorCode::kNotFound));
  Claim("ann");
  EXPECT_EQ(Worker().owner(), std::nullopt);
  clock_.Advance(24h);
  EXPECT_THAT(store_->AsWorker(kSessionId), FailsWith(ErrorCode::kNotFound));
  PutLegacySession("ann", Now() + kDay);
  Must(Worker().PutNew("group", "g1", {}));
}

TEST_F(ClaimTest, APositiveAnswerMayBeRememberedForAMinuteAtMost) {
  EXPECT_THAT(SessionStore::Open(faulty(), {.workflow = MediaWorkflow(), .ownership_cache = 61s}),
              FailsWith(ErrorCode::kValidation));
  UseOptions({.ownership_cache = 60s});
  Claim("ann");
  Claim("ann");
  EXPECT_EQ(faulty().calls(), 2);
  EXPECT_THAT(store_->Claim(kSessionId, "bob"), FailsWith(ErrorCode::kNotOwner));
  EXPECT_EQ(faulty().calls(), 4);
  clock_.Advance(60s);
  Claim("ann");
  EXPECT_EQ(faulty().calls(), 5);
}

TEST_F(ClaimTest, WhatIsRememberedEndsWithTheFenceThatItsOwnerPutsUp) {
  UseOptions({.ownership_cache = 60s});
  Must(Claim("ann").InvalidateFrom("grouping"));
  EXPECT_TRUE(Claim("ann").PutNew("group", "g1", {}));
  const SessionStore elsewhere = OtherStore();
  Must(Must(elsewhere.Claim(kSessionId, "ann")).InvalidateFrom("grouping"));
  EXPECT_THAT(Claim("ann").PutNew("group", "g2", {}), FailsWith(ErrorCode::kStale));
  EXPECT_TRUE(Claim("ann").PutNew("group", "g2", {}));
}

TEST_F(ClaimTest, SessionsAreListedForOperators) {
  Claim("ann");
  clock_.Advance(1s);
  Must(Claim("bob", kOtherId).PutNew("group", "g1", {}));
  const std::vector<SessionLine> lines = Must(store_->ListSessions(10));
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0].id, kSessionId);
  EXPECT_EQ(lines[0].owner, "ann");
  EXPECT_EQ(lines[1].owner, "bob");
  EXPECT_EQ(lines[1].state, "active");
  EXPECT_EQ(Must(store_->ListSessions(1)).size(), 1);
  clock_.Advance(24h);
  EXPECT_THAT(Must(store_->ListSessions(10)), IsEmpty());
}

}  // namespace
}  // namespace stator::sessions
