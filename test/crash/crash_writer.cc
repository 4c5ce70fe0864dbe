// The program that kill_test kills: writes to a database from several threads, and says after each
// operation that returned which writer did it, one character each, 'A' for the first writer.
//
//   crash_writer PATH durable|relaxed SEED NAME WRITERS
//
// Opens the database, which has its tables, and writes until it is killed. Exit code 1 means a
// wrong answer, 2 a wrong call.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "janitor.h"
#include "workload.h"

namespace stator::crash {
namespace {

constexpr int kArguments = 6;
// More than a test waits for; if nobody kills this program it ends by itself.
constexpr std::size_t kOperationsMax = 20'000;

void SayAndExit(const std::string& text) {
  std::fprintf(stderr, "crash_writer: %s\n", text.c_str());
  std::_Exit(1);
}

void Write(Database& database, const std::string& name, std::uint64_t seed, char mark) {
  Writer writer(name, seed);
  for (std::size_t at = 0; at < kOperationsMax; ++at) {
    if (const Result<void> done = Execute(database, writer.Next()); !done) {
      SayAndExit(name + ": " + done.error().message);
    }
    if (write(STDOUT_FILENO, &mark, 1) != 1) {
      SayAndExit("nobody listens any more");
    }
  }
}

int Run(const std::vector<std::string>& arguments) {
  ManualClock clock(kNow);
  engine::EngineOptions options;
  options.store.path = arguments[1];
  options.store.durability =
      arguments[2] == "relaxed" ? storage::Durability::kRelaxed : storage::Durability::kDurable;
  options.store.write_buffer_bytes = 64 << 10;
  options.clock = &clock;
  options.housekeeping_interval = std::chrono::milliseconds(5);
  const Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::Open(options);
  if (!engine) {
    SayAndExit("opening: " + engine.error().message);
  }
  const std::uint64_t seed = std::stoull(arguments[3]);
  std::atomic<bool> stop = false;
  std::vector<std::jthread> threads;
  for (int at = 0; at < std::stoi(arguments[5]); ++at) {
    threads.emplace_back([&, at] {
      Write(**engine, arguments[4] + "w" + std::to_string(at),
            seed + static_cast<std::uint64_t>(at), static_cast<char>('A' + at));
    });
  }
  const Result<void> changed = ChangeThings(**engine, seed, stop);
  if (!changed) {
    SayAndExit("changing the schema: " + changed.error().message);
  }
  return 0;
}

}  // namespace
}  // namespace stator::crash

int main(int count, char** values) {
  if (count != stator::crash::kArguments) {
    std::fprintf(stderr, "usage: crash_writer PATH durable|relaxed SEED NAME WRITERS\n");
    return 2;
  }
  return stator::crash::Run({values, values + count});
}
