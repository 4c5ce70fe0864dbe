// States change along the machine and nowhere else; leases decide who may work.

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class TransitionsTest : public SessionsTest {
 protected:
  Record MakeJob(const Session& session, const std::string& state = "processing") {
    return Must(
        session.PutNew("description", "desc-1",
                       {{"status", state}, {"caption", "Sun"}, {"hashtags", List{"#sea"}}}));
  }
};

TEST_F(TransitionsTest, OneWriteChangesStateAndAttributes) {
  const Session session = Claim();
  MakeJob(session, "pending");
  const std::size_t before = faulty().calls();
  const Record job = Must(session.Transition(
      "description", "desc-1", {.to = "processing", .set = {{"locationTag", "Oslo"}}}));
  EXPECT_EQ(faulty().calls(), before + 1);
  EXPECT_EQ(job.state, "processing");
  EXPECT_EQ(TextIn(job.value, "locationTag"), "Oslo");
  EXPECT_EQ(TextIn(job.value, "caption"), "Sun");
  EXPECT_EQ(job.revision(), 2);
}

TEST_F(TransitionsTest, TheSessionItselfChangesItsStateByOneWrite) {
  WorkflowSpec spec = MediaWorkflowSpec();
  spec.machine.changes = {{.from = "active", .to = "closed"}};
  UseWorkflow(*Workflow::Make(spec));
  const Session session = Claim("ann");
  const std::size_t before = faulty().calls();
  faulty().Script("UpdateItem", {support::Fault::kLostAfter});
  const Record closed =
      Must(session.TransitionMeta({.to = "closed", .set = {{"tripContext", "Norway"}}}));
  EXPECT_EQ(faulty().calls("UpdateItem"), 3) << "claimed, done, and recognised";
  EXPECT_EQ(faulty().calls(), before + 2);
  EXPECT_EQ(closed.state, "closed");
  EXPECT_EQ(TextIn(closed.value, "tripContext"), "Norway");
  const auto again = session.TransitionMeta({.to = "closed"});
  ASSERT_THAT(again, FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(FactsOf(again.error()).state, "closed");
  EXPECT_THAT(session.TransitionMeta({.to = "asleep"}), FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.TransitionMeta({.to = "closed", .set = {{"ownerSub", "bob"}}}),
              FailsWith(ErrorCode::kValidation));
  clock_.Advance(48h);
  EXPECT_THAT(session.TransitionMeta({.to = "closed"}), FailsWith(ErrorCode::kNotFound));
}

TEST_F(TransitionsTest, AnIllegalOneSaysTheActualState) {
  const Session session = Claim();
  MakeJob(session, "pending");
  const auto skipped = session.Transition("description", "desc-1", {.to = "complete"});
  ASSERT_THAT(skipped, FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(FactsOf(skipped.error()).state, "pending");
  EXPECT_THAT(session.Transition("description", "desc-1", {.to = "asleep"}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.Transition("description", "desc-1", {.to = "complete", .from = {"pending"}}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(Must(session.Get("description", "desc-1")).state, "pending");
}

TEST_F(TransitionsTest, OnlyFromTheStatesThatAreNamed) {
  const Session session = Claim();
  MakeJob(session);
  Must(session.FailRecord("description", "desc-1", "no network"));
  EXPECT_THAT(
      session.Transition("description", "desc-1", {.to = "processing", .from = {"complete"}}),
      FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_TRUE(session.Transition("description", "desc-1", {.to = "processing", .from = {"error"}}));
}

TEST_F(TransitionsTest, ReplaceAndModifyFollowTheMachineToo) {
  const Session session = Claim();
  MakeJob(session, "pending");
  EXPECT_THAT(session.Modify<DescriptionJob>("desc-1",
                                             [](DescriptionJob& job) { job.status = "complete"; }),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_TRUE(session.Modify<DescriptionJob>(
      "desc-1", [](DescriptionJob& job) { job.status = "processing"; }));
}

TEST_F(TransitionsTest, ATransitionTouchesNothingThatIsTheStores) {
  const Session session = Claim();
  MakeJob(session, "pending");
  EXPECT_THAT(
      session.Transition("description", "desc-1", {.to = "processing", .set = {{"epoch", 1}}}),
      FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(
      session.Transition("description", "desc-1", {.to = "processing", .set = {{"status", "x"}}}),
      FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(
      session.Transition("description", "desc-1", {.to = "processing", .remove = {"expiresAt"}}),
      FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(
      session.Transition("description", "desc-1", {.to = "processing", .remove = {"caption"}}));
  EXPECT_FALSE(Raw("DESC#desc-1")->contains("caption"));
}

TEST_F(TransitionsTest, AMissingRecordIsStaleAndIsNotMade) {
  const Session session = Claim();
  EXPECT_THAT(session.Transition("description", "none", {.to = "processing"}),
              FailsWith(ErrorCode::kStale));
  EXPECT_THAT(session.FailRecord("description", "none", "no"), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(TransitionsTest, KindsWithoutStatesHaveNoTransitions) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {}));
  EXPECT_THAT(session.Transition("group", "g1", {.to = "done"}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.FailRecord("group", "g1", "no"), FailsWith(ErrorCode::kValidation));
}

TEST_F(TransitionsTest, ALeaseKeepsOthersOutUntilItLapses) {
  const Session session = Claim();
  MakeJob(session);
  const Record taken = Must(session.TakeLease("description", "desc-1", "w1", 1min));
  ASSERT_TRUE(taken.lease);
  EXPECT_EQ(taken.lease->worker, "w1");
  const auto held = session.TakeLease("description", "desc-1", "w2", 1min);
  ASSERT_THAT(held, FailsWith(ErrorCode::kLeaseHeld));
  EXPECT_EQ(FactsOf(held.error()).lease->worker, "w1");
  EXPECT_TRUE(session.TakeLease("description", "desc-1", "w1", 1min));
  clock_.Advance(59s);
  EXPECT_TRUE(session.RenewLease("description", "desc-1", "w1", 1min));
  clock_.Advance(59s);
  EXPECT_THAT(session.TakeLease("description", "desc-1", "w2", 1min),
              FailsWith(ErrorCode::kLeaseHeld));
  clock_.Advance(1s);
  EXPECT_TRUE(session.TakeLease("description", "desc-1", "w2", 1min));
  EXPECT_THAT(session.RenewLease("description", "desc-1", "w1", 1min),
              FailsWith(ErrorCode::kLeaseLost));
}

TEST_F(TransitionsTest, WhoLostTheLeaseChangesNothing) {
  const Session session = Claim();
  MakeJob(session);
  Must(session.TakeLease("description", "desc-1", "w1", 1min));
  clock_.Advance(1min);
  EXPECT_THAT(session.Transition("description", "desc-1", {.to = "complete", .worker = "w1"}),
              FailsWith(ErrorCode::kLeaseLost));
  Must(session.TakeLease("description", "desc-1", "w2", 1min));
  EXPECT_THAT(session.FailRecord("description", "desc-1", "late", "w1"),
              FailsWith(ErrorCode::kLeaseLost));
  const Record done =
      Must(session.Transition("description", "desc-1", {.to = "complete", .worker = "w2"}));
  EXPECT_EQ(done.lease, std::nullopt);
}

TEST_F(TransitionsTest, AReleasedLeaseIsFreeAtOnce) {
  const Session session = Claim();
  MakeJob(session);
  Must(session.TakeLease("description", "desc-1", "w1", 1min));
  EXPECT_THAT(session.ReleaseLease("description", "desc-1", "w2"),
              FailsWith(ErrorCode::kLeaseLost));
  Must(session.ReleaseLease("description", "desc-1", "w1"));
  EXPECT_TRUE(session.TakeLease("description", "desc-1", "w2", 1min));
}

TEST_F(TransitionsTest, ALeaseIsForWorkThatGoesOn) {
  const Session session = Claim();
  MakeJob(session, "pending");
  const auto early = session.TakeLease("description", "desc-1", "w1", 1min);
  ASSERT_THAT(early, FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(FactsOf(early.error()).state, "pending");
  EXPECT_THAT(session.TakeLease("description", "none", "w1", 1min), FailsWith(ErrorCode::kStale));
}

TEST_F(TransitionsTest, StateAndLeaseAreTakenTogether) {
  const Session session = Claim();
  MakeJob(session, "pending");
  EXPECT_THAT(session.Transition("description", "desc-1", {.to = "processing", .lease = 1min}),
              FailsWith(ErrorCode::kValidation));
  const Record taken = Must(session.Transition(
      "description", "desc-1", {.to = "processing", .worker = "w1", .lease = 1min}));
  EXPECT_EQ(taken.lease->worker, "w1");
  EXPECT_EQ(NumberIn(*Raw("DESC#desc-1"), "lease_until"), (kStart + 60) * 1000);
}

TEST_F(TransitionsTest, TheWorkOfADeadWorkerIsFinishedByAnother) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "enh-1", {{"status", "processing"}}, MakeItems(2)));
  Must(session.TakeLease("enhancement", "enh-1", "w1", 1min));
  Must(session.CompleteItem("enhancement", "enh-1", MakeItems(2)[0].id, {{"phase", "complete"}},
                            "w1"));
  // w1 is not heard of any more.
  clock_.Advance(2min);
  const Session second = Worker();
  Must(second.TakeLease("enhancement", "enh-1", "w2", 1min));
  EXPECT_THAT(session.CompleteItem("enhancement", "enh-1", MakeItems(2)[1].id, {}, "w1"),
              FailsWith(ErrorCode::kLeaseLost));
  for (const std::string& item : Must(second.Pending("enhancement", "enh-1"))) {
    Must(second.CompleteItem("enhancement", "enh-1", item, {{"phase", "complete"}}, "w2"));
  }
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).state, "complete");
}

}  // namespace
}  // namespace stator::sessions
