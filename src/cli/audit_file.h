// The audit log of `stator mcp --audit FILE`: a line of JSON for everything that happened to a task.
// Lines are appended whole, so several processes may share the file, and it may be moved away while it
// is written: the next line makes a new one.

#pragma once

#include <atomic>
#include <string>

#include "stator/mcp/task_event.h"

namespace stator::cli {

// THREADS: from many threads.
class AuditFile {
 public:
  explicit AuditFile(std::string path) : path_(std::move(path)) {}

  // What is wrong with the file, empty when it can be written.
  [[nodiscard]] std::string Problem();

  // What cannot be written is said on standard error, once until it can be again.
  void Append(const mcp::TaskNote& note);

 private:
  [[nodiscard]] bool AppendLine(const std::string& line);

  const std::string path_;
  std::atomic<bool> cut_off_ = false;  // the last line of the file has no end
  std::atomic<bool> complained_ = false;
};

}  // namespace stator::cli
