// What happened to tasks and who did it: for audit logs, and counted for metrics.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/clock.h"

namespace stator::mcp {

enum class TaskEvent : std::uint8_t {
  kCreated,    // detail: the tool
  kListed,     // of the owner's list; there is no task
  kRead,       // somebody was shown it; detail: by which method
  kAnswered,   // detail: which question
  kCancelled,  // by its owner
  kCompleted,
  kFailed,     // detail: why, when it was not the tool that said so
  kTakenOver,  // from a process that was lost, or did not go on; detail: which attempt
  kClaimed,    // by a worker outside; detail: which attempt
  kRetried,    // its worker failed, and it will be tried again; detail: why
};

inline constexpr std::size_t kTaskEvents = static_cast<std::size_t>(TaskEvent::kRetried) + 1;

// "created", "listed"…: in logs and metrics.
std::string_view NameOf(TaskEvent event);

struct TaskNote {
  TaskEvent event;
  TimePoint at;
  std::string owner;
  std::string task;
  std::string by;  // "client SESSION", "worker NAME", "server PROCESS"
  std::string detail = {};
};

// Numbers of one server, for metrics.
struct ServerStatistics {
  std::array<std::uint64_t, kTaskEvents> events = {};  // since it was started
  std::uint64_t calls = 0;                             // of tools, without tasks
  std::size_t running = 0;                             // tools on a thread now
  std::size_t queued = 0;                              // for a thread
  std::size_t waiting_threads = 0;                     // of plain functions that wait
  std::size_t tasks = 0;                               // that this process has begun
  std::size_t parked = 0;                              // of them, those that wait for people
  std::size_t waiters = 0;                             // requests that wait for a result
  std::size_t subscriptions = 0;
  bool store_answers = true;  // when it was asked last, which is every few seconds

  [[nodiscard]] std::uint64_t Count(TaskEvent event) const {
    return events[static_cast<std::size_t>(event)];
  }
};

}  // namespace stator::mcp
