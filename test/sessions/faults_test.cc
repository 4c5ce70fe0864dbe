// A bad network: lost answers, late writes, throttling. Nothing is done twice, and nothing is
// reported as done that is not.

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class SessionFaultsTest : public SessionsTest {};

TEST_F(SessionFaultsTest, ALostAnswerOfANewRecordIsASuccess) {
  const Session session = Claim();
  faulty().Script("TransactWriteItems", {Fault::kLostAfter, Fault::kLostBefore});
  EXPECT_TRUE(session.PutNew("group", "g1", {{"name", "Beach"}}));
  EXPECT_EQ(NumberIn(*Raw("GROUP#g1"), "rev"), 1);
}

TEST_F(SessionFaultsTest, ALostAnswerOfATransitionIsASuccess) {
  const Session session = Claim();
  Must(session.PutNew("download", "d", {}));
  for (const Fault fault : {Fault::kLostAfter, Fault::kLostBefore}) {
    faulty().Script("UpdateItem", {fault});
    const std::string to = fault == Fault::kLostAfter ? "processing" : "complete";
    EXPECT_EQ(Must(session.Transition("download", "d", {.to = to})).state, to);
  }
  EXPECT_EQ(NumberIn(*Raw("DOWNLOAD#d"), "rev"), 3);
}

TEST_F(SessionFaultsTest, OfTwoWhoWantTheSameTransitionOneIsTold) {
  const Session session = Claim();
  Must(session.PutNew("download", "d", {}));
  // The other one is faster, and the answer to this one is lost on top.
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] {
    const SessionStore other = OtherStore();
    Must(Must(other.Claim(kSessionId, "ann")).Transition("download", "d", {.to = "processing"}));
  });
  const auto second = session.Transition("download", "d", {.to = "processing"});
  ASSERT_THAT(second, FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(FactsOf(second.error()).state, "processing");
}

TEST_F(SessionFaultsTest, ThrottlingIsWaitedOutAndThenReported) {
  const Session session = Claim();
  Must(session.PutNew("download", "d", {}));
  faulty().Script("UpdateItem", {Fault::kThrottled, Fault::kThrottled});
  EXPECT_TRUE(session.Transition("download", "d", {.to = "processing"}));
  faulty().SetRates({.throttled = 1});
  EXPECT_THAT(session.Transition("download", "d", {.to = "complete"}),
              FailsWith(ErrorCode::kThrottled));
  EXPECT_THAT(session.PutNew("group", "g", {}), FailsWith(ErrorCode::kThrottled));
  EXPECT_THAT(session.Load(), FailsWith(ErrorCode::kThrottled));
  EXPECT_THAT(session.Get("download", "d"), FailsWith(ErrorCode::kThrottled));
}

TEST_F(SessionFaultsTest, ConflictsOfTransactionsAreTriedAgain) {
  const Session session = Claim();
  faulty().Script("TransactWriteItems", std::vector<Fault>(10, Fault::kConflict));
  EXPECT_TRUE(session.PutNew("group", "g1", {}));
}

TEST_F(SessionFaultsTest, ALateWriteOfAnInvalidatedJobIsSeenByNobody) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "e", {{"status", "processing"}}, MakeItems(2)));
  const Session worker = Worker();
  faulty().SetRates({.late = 1});
  faulty().Script("UpdateItem", {Fault::kLate});
  static_cast<void>(worker.CompleteItem("enhancement", "e", MakeItems(2)[0].id, {}));
  faulty().SetRates({});
  const SessionStore healthy = OtherStore();
  Must(Must(healthy.Claim(kSessionId, "ann")).InvalidateFrom("enhancement"));
  faulty().ApplyLate();
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(SessionFaultsTest, WithEverythingGoingWrongNothingIsLostOrDoubled) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "e", {{"status", "processing"}}, MakeItems(20)));
  faulty().SetRates({.lost_before = 0.1, .lost_after = 0.1, .throttled = 0.1, .conflict = 0.1});
  for (int round = 0; round < 3; ++round) {
    for (const NewItem& item : MakeItems(20)) {
      static_cast<void>(session.CompleteItem("enhancement", "e", item.id, {{"phase", "complete"}}));
    }
  }
  faulty().SetRates({});
  static_cast<void>(session.Heal("enhancement", "e"));
  const Record job = Must(session.Get("enhancement", "e"));
  EXPECT_EQ(job.state, "complete");
  EXPECT_EQ(job.progress, (Progress{.total = 20, .done = 20}));
}

}  // namespace
}  // namespace stator::sessions
