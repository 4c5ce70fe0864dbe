// `stator tasks`: looking into the task store.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

enum class TasksAction : std::uint8_t {
  kList,
  kShow,
  kCancel,
  kPurge,
  kOwners,
  kStats,
  kLapsed,
  kDead,
  kRetry,
  kSweep,
  kSchedule,
  kSchedules
};

struct TasksArguments {
  TasksAction action = TasksAction::kList;
  std::string data = "stator-data";  // as stator::Open takes it
  std::string table = "pmcp_tasks";
  std::string owner = "local";
  std::string task = {};
  std::string group = "mcp";
  std::string blobs = {};  // as OpenBlobs takes it
  std::size_t limit = 50;
  bool dry_run = false;
  bool all = false;
  bool json = false;
  // Of a schedule.
  std::string tool = {};
  std::string arguments = "{}";  // JSON
  std::string every = {};
  std::string cron = {};
  std::string missed = "one";
  std::string key = {};  // the same key gives the same schedule
};

void AddTasks(CLI::App& app, TasksArguments& arguments);

// Returns the exit code of the program.
int RunTasks(const TasksArguments& arguments);

}  // namespace stator::cli
