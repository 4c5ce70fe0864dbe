// Owners never see each other, whatever their ids look like.

#include "stator/stores/tasks/task_context.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using testing::HasSubstr;
using testing::Not;
using Status = TaskStatus;

class Ownership : public TaskStoreTest {};

TEST_P(Ownership, AForeignTaskLooksLikeAMissingOne) {
  const std::string id = Created().task.id;
  const auto check = [&](const auto& foreign, const auto& missing) {
    ASSERT_THAT(foreign, FailsWith(ErrorCode::kNotFound));
    ASSERT_THAT(missing, FailsWith(ErrorCode::kNotFound));
    EXPECT_EQ(foreign.error().message, "task not found: " + id);
    EXPECT_THAT(foreign.error().message, Not(HasSubstr("alice")));
    EXPECT_THAT(foreign.error().message, Not(HasSubstr("mallory")));
    EXPECT_EQ(missing.error().message, "task not found: nothing");
    EXPECT_EQ(JsonRpcCode(foreign.error().code), -32602);
  };
  const auto both = [&](const auto& operation) {
    check(operation("mallory", id), operation("mallory", std::string("nothing")));
  };
  both([&](const auto& owner, const auto& task) { return store_->Get(owner, task); });
  both([&](const auto& owner, const auto& task) { return store_->Poll(owner, task); });
  both([&](const auto& owner, const auto& task) {
    return store_->UpdateStatus(owner, task, Status::kFailed);
  });
  both([&](const auto& owner, const auto& task) { return store_->SetMessage(owner, task, "m"); });
  both([&](const auto& owner, const auto& task) {
    return store_->SetVariables(owner, task, {{"a", 1}});
  });
  both([&](const auto& owner, const auto& task) { return store_->SetResult(owner, task, 1); });
  both([&](const auto& owner, const auto& task) { return store_->GetResult(owner, task); });
  both([&](const auto& owner, const auto& task) {
    return store_->Complete(owner, task, {.status = Status::kCompleted});
  });
  both([&](const auto& owner, const auto& task) { return store_->Cancel(owner, task); });
  both([&](const auto& owner, const auto& task) {
    return store_->Claim(owner, task, "w", "g", std::chrono::seconds(1));
  });
  EXPECT_FALSE(store_->Delete("mallory", id).value());
  EXPECT_TRUE(store_->List("mallory")->tasks.empty());
  EXPECT_EQ(store_->Get("alice", id)->version, 1);
}

TEST_P(Ownership, HostileOwnersListAndCountTheirOwn) {
  UseOptions({.active_tasks_max = 2, .allow_anonymous = true});
  const std::vector<std::string> owners = {"a",
                                           "a:b",
                                           "a:",
                                           ":a",
                                           "a#b",
                                           "a%3Ab",
                                           "https://app.example/client.json",
                                           "urn",
                                           "urn:u1",
                                           "",
                                           "OWNER#a",
                                           "a\nb",
                                           "\xC3\xA4",   // one character
                                           "a\xCC\x88",  // the same in two
                                           "a ",
                                           std::string(2042, ':')};
  std::vector<std::string> ids;
  for (const std::string& owner : owners) {
    ids.push_back(store_->Create({.id = owner}, {.method = "m"})->task.id);
    ASSERT_TRUE(store_->Create({.id = owner}, {.method = "m"}));
    EXPECT_THAT(store_->Create({.id = owner}, {.method = "m"}),
                FailsWith(ErrorCode::kLimitExceeded));
  }
  for (std::size_t at = 0; at < owners.size(); ++at) {
    EXPECT_EQ(store_->List(owners[at])->tasks.size(), 2) << owners[at];
    for (std::size_t other = 0; other < owners.size(); ++other) {
      EXPECT_EQ(store_->Get(owners[other], ids[at]).has_value(), other == at);
      EXPECT_EQ(store_->Poll(owners[other], ids[at]).has_value(), other == at);
    }
  }
}

TEST_P(Ownership, IdsThatCannotExistAreNotFoundWithoutAsking) {
  for (const std::string& id : {std::string(), std::string(1020, 'x'), std::string("\xFF")}) {
    EXPECT_THAT(store_->Get("alice", id), FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(store_->Poll("alice", id), FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(store_->Cancel("alice", id), FailsWith(ErrorCode::kNotFound));
  }
  EXPECT_THAT(store_->Get(std::string(3000, 'x'), "t"), FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(store_->List(std::string(3000, 'x'))->tasks.empty());
  EXPECT_EQ(log_, "");
}

// A record under a key that does not belong to it: the crate files owner "a:b" under owner "a".
TEST_P(Ownership, MisfiledRecordsAreNobodys) {
  const std::string id = Created().task.id;
  const VersionedRecord record = *backend_->Get({.owner = "alice", .task = id});
  const Result<VersionedHead> head = backend_->GetHead({.owner = "alice", .task = id});
  StoredValue value{
      .data = record.data,
      .attributes = {.head = head->head, .status = "working", .created_at = head->created_at}};
  ASSERT_TRUE(backend_->Put({.owner = "bob", .task = id}, value));
  ASSERT_TRUE(backend_->Put({.owner = "bob", .task = "x:" + id}, value));
  EXPECT_THAT(store_->Get("bob", id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(store_->Get("bob", "x:" + id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(store_->Poll("bob", "x:" + id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(log_, HasSubstr("belongs to another owner"));
}

TEST_P(Ownership, ATaskContextIsBoundToItsOwner) {
  const std::string id = Created().task.id;
  const TaskContext right(*store_, "alice", id);
  const TaskContext wrong(*store_, "bob", id);
  EXPECT_TRUE(right.SetVariable("a", 1));
  EXPECT_THAT(wrong.SetVariable("a", 2), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(wrong.GetVariables(), FailsWith(ErrorCode::kNotFound));
}

FOR_EVERY_BACKEND(Ownership);

}  // namespace
}  // namespace stator::tasks
