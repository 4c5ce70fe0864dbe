// For tests: an engine in memory or in files, and threads that work on it together.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "stator/base/clock.h"
#include "storage/temporary_directory.h"

namespace stator::concurrency {

enum class Home : std::uint8_t { kMemory, kFiles };

std::string NameOfHome(const testing::TestParamInfo<Home>& info);

// How many times as much is done as in a short run: 1, or more when STATOR_TEST_FULL is set.
int Effort();

// Runs body(0), body(1), ... on a thread each and returns when all have ended.
void InParallel(int threads, const std::function<void(int)>& body);

// A case on an engine of each kind, with one table "things" of key pk (text).
class ConcurrencyTest : public testing::TestWithParam<Home> {
 protected:
  explicit ConcurrencyTest(Clock& clock = SystemClock());

  [[nodiscard]] engine::Engine& db() { return *engine_; }

  void MakeTable(const std::string& name, bool with_stream = false);

 private:
  storage::TemporaryDirectory directory_;
  std::unique_ptr<engine::Engine> engine_;
};

[[noreturn]] void FailMust(const Error& error);

// The value; stops the process when there is none, because no thread could go on.
template <class T>
T Must(Result<T> result) {
  if (!result) {
    FailMust(result.error());
  }
  return *std::move(result);
}
inline void Must(Result<void> result) {
  if (!result) {
    FailMust(result.error());
  }
}

std::int64_t IntegerOf(const Item& item, const std::string& name);

}  // namespace stator::concurrency
