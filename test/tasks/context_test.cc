// The handle that tool code holds.

#include "stator/stores/tasks/task_context.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

class Context : public TaskStoreTest {
 protected:
  void SetUp() override {
    TaskStoreTest::SetUp();
    task_.emplace(*store_, "alice", Created().task.id);
  }

  std::optional<TaskContext> task_;
};

TEST_P(Context, ReadsVariablesByType) {
  ASSERT_TRUE(task_->SetVariables({{"text", "x"},
                                   {"whole", 7},
                                   {"fraction", 1.5},
                                   {"round", JsonNumber{"2.0"}},
                                   {"flag", true},
                                   {"list", JsonArray{1}}}));
  EXPECT_EQ(task_->GetString("text").value(), "x");
  EXPECT_EQ(task_->GetInt64("whole").value(), 7);
  EXPECT_EQ(task_->GetDouble("whole").value(), 7.0);
  EXPECT_EQ(task_->GetDouble("fraction").value(), 1.5);
  EXPECT_EQ(task_->GetBool("flag").value(), true);
  EXPECT_EQ(task_->GetVariable("list").value(), Json(JsonArray{1}));
  // Absent, or of another type: nothing, and no error.
  EXPECT_EQ(task_->GetString("whole").value(), std::nullopt);
  EXPECT_EQ(task_->GetInt64("fraction").value(), std::nullopt);
  EXPECT_EQ(task_->GetInt64("round").value(), std::nullopt);
  EXPECT_EQ(task_->GetInt64("text").value(), std::nullopt);
  EXPECT_EQ(task_->GetDouble("text").value(), std::nullopt);
  EXPECT_EQ(task_->GetBool("text").value(), std::nullopt);
  EXPECT_EQ(task_->GetVariable("nothing").value(), std::nullopt);
}

TEST_P(Context, SetsAndDeletesVariables) {
  ASSERT_TRUE(task_->SetVariable("a", 1));
  ASSERT_TRUE(task_->SetVariable("b", 2));
  ASSERT_TRUE(task_->DeleteVariable("a"));
  EXPECT_EQ(task_->GetVariables().value(), (JsonObject{{"b", 2}}));
}

TEST_P(Context, MovesTheTask) {
  EXPECT_EQ(task_->RequireInput("name?")->task.status_message, "name?");
  EXPECT_FALSE(task_->Resume()->task.status_message);
  EXPECT_THAT(task_->Resume(), FailsWith(ErrorCode::kIllegalTransition));
  const TaskContext copy = *task_;
  EXPECT_EQ(copy.Complete(42)->result, Json(42));
  EXPECT_EQ(task_->Get()->task.status, TaskStatus::kCompleted);
  EXPECT_THAT(task_->Fail("no"), FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(task_->Cancel(), FailsWith(ErrorCode::kIllegalTransition));
}

TEST_P(Context, FailsWithAMessage) {
  EXPECT_EQ(task_->Fail("no luck")->task.status, TaskStatus::kFailed);
  EXPECT_EQ(task_->Get()->task.status_message, "no luck");
}

FOR_EVERY_BACKEND(Context);

}  // namespace
}  // namespace stator::tasks
