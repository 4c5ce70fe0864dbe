// Lists: order, pages, cursors that are refused.

#include <algorithm>

#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

class Listing : public TaskStoreTest {
 protected:
  // Ids of all pages of the given size, checking that cursors are there exactly as long as needed.
  std::vector<std::string> AllPages(std::size_t size) {
    std::vector<std::string> ids;
    std::optional<std::string> cursor;
    for (int pages = 0; pages < 100; ++pages) {
      const Result<TaskPage> page = store_->List("alice", cursor, size);
      EXPECT_TRUE(page) << page.error().message;
      EXPECT_LE(page->tasks.size(), size);
      for (const Task& task : page->tasks) {
        ids.push_back(task.id);
      }
      if (!page->next_cursor) {
        return ids;
      }
      EXPECT_EQ(page->tasks.size(), size);
      cursor = page->next_cursor;
    }
    ADD_FAILURE() << "the pages do not end";
    return ids;
  }

  // Youngest first; tasks of one millisecond by descending id.
  std::vector<std::string> Make(int count) {
    std::vector<Task> tasks;
    for (int i = 0; i < count; ++i) {
      if (i % 3 == 0) {
        clock_.Advance(std::chrono::milliseconds(1));
      }
      tasks.push_back(Created().task);
    }
    std::ranges::sort(tasks, [](const Task& left, const Task& right) {
      return std::tie(left.created_at, left.id) > std::tie(right.created_at, right.id);
    });
    std::vector<std::string> ids;
    for (const Task& task : tasks) {
      ids.push_back(task.id);
    }
    return ids;
  }
};

TEST_P(Listing, IsYoungestFirstInPagesOfAnySize) {
  const std::vector<std::string> expected = Make(10);
  for (const std::size_t size : {1U, 2U, 3U, 5U, 9U, 10U, 11U, 1000U}) {
    EXPECT_EQ(AllPages(size), expected) << size;
  }
}

TEST_P(Listing, HasFiftyByDefaultAndAThousandAtMost) {
  UseOptions({.active_tasks_max = 1000});
  Make(51);
  EXPECT_EQ(store_->List("alice")->tasks.size(), 50);
  EXPECT_EQ(store_->List("alice", std::nullopt, 5000)->tasks.size(), 51);
  EXPECT_THAT(store_->List("alice", std::nullopt, 0), FailsWith(ErrorCode::kValidation));
}

TEST_P(Listing, OfNobodyIsEmpty) {
  const auto page = store_->List("nobody");
  EXPECT_TRUE(page->tasks.empty());
  EXPECT_FALSE(page->next_cursor);
}

TEST_P(Listing, ACursorSurvivesTheTaskThatItNames) {
  const std::vector<std::string> ids = Make(5);
  const auto first = store_->List("alice", std::nullopt, 2);
  ASSERT_TRUE(store_->Delete("alice", ids[1]).value());
  clock_.Advance(std::chrono::milliseconds(1));
  Created();  // a younger one does not come into later pages
  const auto second = store_->List("alice", first->next_cursor, 2);
  ASSERT_EQ(second->tasks.size(), 2);
  EXPECT_EQ(second->tasks[0].id, ids[2]);
  EXPECT_EQ(second->tasks[1].id, ids[3]);
}

TEST_P(Listing, RefusesCursorsThatItHasNotMade) {
  Make(3);
  const std::string cursor = *store_->List("alice", std::nullopt, 1)->next_cursor;
  EXPECT_TRUE(store_->List("alice", cursor));
  std::vector<std::string> wrong = {"",
                                    "x",
                                    "not a cursor",
                                    cursor + "A",
                                    cursor + "=",
                                    cursor.substr(1),
                                    cursor.substr(0, 40),
                                    "B" + cursor.substr(1)};
  for (const std::string& text : wrong) {
    const auto refused = store_->List("alice", text);
    EXPECT_THAT(refused, FailsWith(ErrorCode::kValidation)) << text;
    EXPECT_EQ(JsonRpcCode(refused.error().code), -32602);
  }
  EXPECT_THAT(store_->List("bob", cursor), FailsWith(ErrorCode::kValidation));
}

TEST_P(Listing, ShowsWhatAPollShows) {
  const std::string id = Created().task.id;
  ASSERT_TRUE(store_->UpdateStatus("alice", id, TaskStatus::kInputRequired, "name?"));
  EXPECT_EQ(store_->List("alice")->tasks.front(), store_->Poll("alice", id).value());
}

TEST_P(Listing, LeavesOutWhatCannotBeReadAndSaysSo) {
  const std::string id = Created().task.id;
  StoredValue damaged{
      .data = "{}",
      .attributes = {
          .head = "no JSON", .status = "working", .created_at = "2026-11-15T12:00:00.000Z"}};
  ASSERT_TRUE(backend_->Put({.owner = "alice", .task = "damaged"}, damaged));
  const auto page = store_->List("alice");
  ASSERT_EQ(page->tasks.size(), 1);
  EXPECT_EQ(page->tasks[0].id, id);
  EXPECT_THAT(log_, testing::HasSubstr("alice:damaged"));
  EXPECT_THAT(store_->Get("alice", "damaged"), FailsWith(ErrorCode::kCorruption));
}

FOR_EVERY_BACKEND(Listing);

}  // namespace
}  // namespace stator::tasks
