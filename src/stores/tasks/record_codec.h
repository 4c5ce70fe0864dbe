// Records as bytes: one JSON object. Members that this version does not know survive a change.
// FORMAT: docs/tasks.md, section "The record".

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task.h"

namespace stator::tasks {

// When the database may remove what expires then: whole seconds since 1970, never too early.
std::optional<std::int64_t> ExpirySeconds(const std::optional<TimePoint>& expires_at);

// The record and what backends keep beside it. Equal records give equal bytes.
StoredValue EncodeRecord(const TaskRecord& record);

// Empty when the record can be read back once it is stored, else what is wrong with it: a program
// may build documents that no reader takes.
std::string ProblemWith(const TaskRecord& record, const StoredValue& encoded);

// Fails with kCorruption. The version is 0.
Result<TaskRecord> DecodeRecord(std::string_view data);

// What a head says.
struct Head {
  Task task;
  std::optional<TimePoint> expires_at = std::nullopt;
};

Result<Head> DecodeHead(std::string_view head);

// The head of a record that was stored without one, by the crate, which files owners under others.
Result<std::string> HeadOfData(std::string_view data, std::string_view owner);

}  // namespace stator::tasks
