// The errors of the task store, each made here and nowhere else.

#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/tasks/task.h"

namespace stator::tasks {

std::unexpected<Error> NotFound(std::string_view task);
std::unexpected<Error> Expired(std::string_view task, TimePoint when);
std::unexpected<Error> NotReady(const Task& task);
std::unexpected<Error> IllegalTransition(const Task& task, TaskStatus to);
std::unexpected<Error> VariablesTooLarge(std::string_view task, std::uint64_t limit,
                                         std::uint64_t actual);
std::unexpected<Error> RecordTooLarge(std::string_view task, std::uint64_t limit,
                                      std::uint64_t actual);
std::unexpected<Error> TooManyTasks(std::uint64_t limit, std::uint64_t actual);
std::unexpected<Error> Overtaken(std::string_view task, std::uint64_t expected,
                                 std::uint64_t actual);
std::unexpected<Error> LeaseHeld(std::string_view task);
std::unexpected<Error> LeaseLost(std::string_view task);

// From what a backend says about a key to what the store says about a task.
Error ToTaskError(std::string_view task, const Error& error);

}  // namespace stator::tasks
