#include "concurrency/stage.h"

#include <cstdlib>
#include <thread>

#include "base/check.h"

namespace stator::concurrency {

std::string NameOfHome(const testing::TestParamInfo<Home>& info) {
  return info.param == Home::kMemory ? "Memory" : "Files";
}

int Effort() {
  constexpr int kFull = 20;
  return std::getenv("STATOR_TEST_FULL") != nullptr ? kFull : 1;
}

void InParallel(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> running;
  running.reserve(static_cast<std::size_t>(threads));
  for (int number = 0; number < threads; ++number) {
    running.emplace_back([&body, number] { body(number); });
  }
  for (std::thread& thread : running) {
    thread.join();
  }
}

ConcurrencyTest::ConcurrencyTest(Clock& clock) {
  engine::EngineOptions options;
  options.clock = &clock;
  options.store.in_memory = GetParam() == Home::kMemory;
  options.store.path = directory_.path() + "/database";
  options.housekeeping_interval = std::chrono::milliseconds(50);
  // Under a sanitizer, and on few cores, a lock may be held for long.
  options.lock_wait_max = std::chrono::minutes(1);
  engine_ = Must(engine::Engine::Open(options));
}

void ConcurrencyTest::MakeTable(const std::string& name, bool with_stream) {
  CreateTableInput input{
      .table_name = name,
      .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
      .key_schema = {{"pk", KeyType::kHash}},
      .billing_mode = BillingMode::kPayPerRequest,
  };
  if (with_stream) {
    input.stream_specification = StreamSpecification{
        .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages};
  }
  Must(db().CreateTable(input));
}

void FailMust(const Error& error) {
  base::FailCheck("the operation succeeds", std::string(NameOf(error.code)) + ": " + error.message);
}

std::int64_t IntegerOf(const Item& item, const std::string& name) {
  return item.at(name).If<Number>()->ToInt64().value_or(-1);
}

}  // namespace stator::concurrency
