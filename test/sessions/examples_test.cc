// The examples of docs/sessions.md, compiled and run; a test compares the two.

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class SessionExamplesTest : public SessionsTest {};

TEST_F(SessionExamplesTest, AWorkflowIsData) {
  // example: workflow
  const Result<Workflow> workflow = Workflow::Make({
      .name = "print",
      .ttl = TtlPolicy::Sliding(48h),
      .steps = {{.name = "layout"},
                {.name = "cover"},
                {.name = "bind", .after = {"layout", "cover"}, .blob_folders = {"pdf"}}},
      .kinds = {{.name = "layout",
                 .prefix = "LAYOUT#",
                 .step = "layout",
                 .machine = {.initial = {"open"},
                             .changes = {{"open", "done"}, {"open", "failed"}},
                             .working = "open",
                             .done = "done",
                             .failed = "failed"},
                 .items = {.list = "pages", .id_attribute = "page"}},
                {.name = "cover", .prefix = "COVER#", .step = "cover", .reusable_ids = true},
                {.name = "binding", .prefix = "BIND#", .step = "bind"}},
  });
  // end
  ASSERT_TRUE(workflow) << workflow.error().message;
  EXPECT_THAT(*workflow->StepsFrom("cover"), ElementsAre("cover", "bind"));
}

TEST_F(SessionExamplesTest, ARequestOfAUser) {
  Database& database = faulty();
  const std::string session_id = kSessionId;
  const std::string user = "ann";
  const auto answer = [](int status) { return status; };
  const auto handle = [&]() -> int {
    // example: claim
    const Result<SessionStore> store = SessionStore::Open(database, {.workflow = MediaWorkflow()});
    if (!store) {
      return answer(500);  // a wrong option
    }
    const Result<Session> session = store->Claim(session_id, user);
    if (!session) {
      return answer(HttpStatus(session.error().code));  // 403 when it is somebody else's
    }
    // end
    return 200;
  };
  EXPECT_EQ(handle(), 200);
  const Session session = Claim();

  // example: records
  const auto made = session.PutNew(PostGroup{.name = "Beach", .media_keys = {"a.jpg"}}, "g1");
  const auto changed = session.Modify<PostGroup>(
      "g1", [](PostGroup& group) { group.media_keys.push_back("b.jpg"); });
  const auto groups = session.List<PostGroup>();
  // end
  EXPECT_TRUE(made);
  EXPECT_EQ(Must(changed).value.media_keys.size(), 2);
  EXPECT_EQ(Must(groups).size(), 1);

  // example: transition
  const auto job = session.PutNew(DescriptionJob{.group_label = "Beach"}, "desc-1");
  const auto started = session.Transition("description", "desc-1",
                                          {.to = "processing", .worker = "w1", .lease = 5min});
  const auto failed = session.FailRecord("description", "desc-1", "the model is away", "w1");
  // end
  EXPECT_TRUE(job);
  EXPECT_EQ(Must(started).lease->worker, "w1");
  EXPECT_EQ(Must(failed).state, "error");

  // example: summary
  const Result<Summary> summary = session.Load();
  if (summary) {
    const auto descriptions = summary->Of<DescriptionJob>();
    // end
    EXPECT_EQ(Must(descriptions).size(), 1);
  }
}

TEST_F(SessionExamplesTest, WorkInParallel) {
  const Session session = Claim();
  const std::string session_id = kSessionId;
  SessionStore& store = *store_;
  // example: items
  const auto job = session.PutNewWithItems("enhancement", "enh-1", {{"status", "processing"}},
                                           {{.id = "a.jpg", .input = {{"phase", "pending"}}},
                                            {.id = "b.jpg", .input = {{"phase", "pending"}}}});
  // In another process, for each message, however often it comes:
  const Result<Session> worker = store.AsWorker(session_id);
  const auto done = worker->CompleteItem("enhancement", "enh-1", "a.jpg",
                                         {{"phase", "complete"}, {"enhancedKey", "e/a.jpg"}});
  // end
  EXPECT_TRUE(job);
  EXPECT_EQ(Must(done).progress.done, 1);
  EXPECT_FALSE(done->finished);

  // example: invalidate
  const Result<Invalidation> again = session.InvalidateFrom("enhancement");
  const auto late = worker->CompleteItem("enhancement", "enh-1", "b.jpg", {{"phase", "complete"}});
  // late.error().code is kStale: nothing was changed, nothing was made.
  // end
  EXPECT_THAT(Must(again).deleted, ElementsAre("ENHANCE#enh-1"));
  EXPECT_THAT(late, FailsWith(ErrorCode::kStale));
}

}  // namespace
}  // namespace stator::sessions
