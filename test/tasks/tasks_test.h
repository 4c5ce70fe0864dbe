// For tests: a task store on each kind of backend, with a clock that stands still.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/base/random.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/memory_backend.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::tasks {

enum class BackendKind : std::uint8_t {
  kMemory,
  kTable,      // with its indexes
  kBareTable,  // as the crate has it: keys only
};

inline std::string BackendName(const testing::TestParamInfo<BackendKind>& info) {
  switch (info.param) {
    case BackendKind::kMemory:
      return "Memory";
    case BackendKind::kTable:
      return "Table";
    case BackendKind::kBareTable:
      break;
  }
  return "BareTable";
}

inline constexpr TimePoint kStart{std::chrono::seconds{1'794'744'000}};  // 2026-11-15T12:00:00Z
inline const Owner kAlice{.id = "alice"};

// Its own backend on a database of its own.
class TasksTest : public testing::Test {
 protected:
  static constexpr std::string_view kTable = "task-store";

  void Open(BackendKind kind) {
    if (kind == BackendKind::kMemory) {
      backend_ = std::make_unique<MemoryBackend>();
    } else {
      home_ = homes::ThisHome().make();
      MakeTable(kind);
      backend_ = std::make_unique<DatabaseBackend>(
          home_->database(), DatabaseBackendOptions{.table = std::string(kTable)}, environment_);
    }
    UseOptions({});
  }

  void UseOptions(TaskStoreOptions options) {
    options.log = [this](std::string_view line) { log_.append(line).append("\n"); };
    store_ = std::make_unique<TaskStore>(
        TaskStore::Open(*backend_, std::move(options), environment_).value());
  }

  TaskRecord Created(const CreateTaskInput& input = {.method = "tools/call"}) {
    Result<TaskRecord> created = store_->Create(kAlice, input);
    EXPECT_TRUE(created) << created.error().message;
    return created ? *created : TaskRecord{};
  }

  ManualClock clock_{kStart};
  // At Amazon tests meet one database, one after the other, which remembers tokens.
  SeededRandom random_{homes::ThisHome().name == "amazon" ? SystemRandom().Next() : 20261116};
  const patterns::Environment environment_{.clock = &clock_, .random = &random_};
  std::string log_;
  std::unique_ptr<homes::TestDatabase> home_;
  std::unique_ptr<StorageBackend> backend_;
  std::unique_ptr<TaskStore> store_;

 private:
  void MakeTable(BackendKind kind) {
    Database& database = home_->database();
    if (kind == BackendKind::kTable) {
      const Result<bool> made = CreateTaskTable(database, kTable, SystemClock());
      ASSERT_TRUE(made) << made.error().message;
    } else {
      CreateTableInput input = TaskTableDefinition(kTable);
      input.local_secondary_indexes.reset();
      input.global_secondary_indexes.reset();
      input.attribute_definitions.resize(2);
      const auto made = database.CreateTable(input);
      ASSERT_TRUE(made) << made.error().message;
    }
    home_->Settle();
  }
};

class TaskStoreTest : public TasksTest, public testing::WithParamInterface<BackendKind> {
 protected:
  void SetUp() override { Open(GetParam()); }
};

MATCHER_P(FailsWith, code, "") {
  if (arg.has_value()) {
    *result_listener << "which succeeded";
    return false;
  }
  *result_listener << "which says " << arg.error().message;
  return arg.error().code == code;
}

#define FOR_EVERY_BACKEND(suite)                                                           \
  INSTANTIATE_TEST_SUITE_P(                                                                \
      Backends, suite,                                                                     \
      testing::Values(BackendKind::kMemory, BackendKind::kTable, BackendKind::kBareTable), \
      BackendName)

}  // namespace stator::tasks
