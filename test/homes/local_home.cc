// A client of Amazon's DynamoDB Local, one process for the whole test program. It keeps a database
// per access key, so each test gets an empty one by using a key of its own.
//
// tools/dynamodb_local.py starts it and says where it must be; without it every test is skipped.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <signal.h>
#include <spawn.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "base/check.h"
#include "homes/home.h"
#include "homes/settled.h"
#include "stator/home/open.h"

namespace stator::homes {
namespace {

// The tool as a child process; it ends with this one, however that ends.
class LocalProcess {
 public:
  LocalProcess() {
    std::array<int, 2> pipe_ends = {};
    CHECK(pipe2(pipe_ends.data(), O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO) == 0);
    std::string python = "python3";
    std::string tool = STATOR_DYNAMODB_LOCAL_TOOL;
    std::string separate = "--separate";
    const std::array<char*, 4> arguments = {python.data(), tool.data(), separate.data(), nullptr};
    CHECK(posix_spawnp(&process_, "python3", &actions, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    ReadPort(pipe_ends[0]);
    close(pipe_ends[0]);
  }
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;
  ~LocalProcess() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] std::optional<int> port() const { return port_; }

 private:
  // One line with the port, or nothing when there is no DynamoDB Local.
  void ReadPort(int descriptor) {
    std::string line;
    char letter = 0;
    while (line.size() < 16 && read(descriptor, &letter, 1) == 1 && letter != '\n') {
      line += letter;
    }
    int port = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), port).ec == std::errc()) {
      port_ = port;
    }
  }

  pid_t process_ = 0;
  std::optional<int> port_;
};

std::unique_ptr<LocalProcess>& Process() {
  static std::unique_ptr<LocalProcess> process;
  return process;
}

class LocalEnvironment final : public testing::Environment {
 public:
  void SetUp() override {
    Process() = std::make_unique<LocalProcess>();
    if (Process()->port()) {
      return;
    }
    // Whoever asked for everything to be installed wants to know that it was not.
    ASSERT_EQ(std::getenv("STATOR_NEEDS_DYNAMODB_LOCAL"), nullptr) << "DynamoDB Local is missing";
    GTEST_SKIP() << "DynamoDB Local is not on this machine; see above";
  }
  void TearDown() override { Process().reset(); }
};

class LocalDatabase final : public TestDatabase {
 public:
  LocalDatabase() {
    static std::atomic<int> count = 0;
    OpenOptions options;
    options.clock = &client_clock_;
    options.client.environment = [](const std::string&) { return std::nullopt; };
    options.client.credentials = {.access_key_id = "test" + std::to_string(++count),
                                  .secret_access_key = "secret"};
    Result<std::unique_ptr<Database>> opened =
        Open("http://127.0.0.1:" + std::to_string(Process()->port().value()), options);
    CHECK_THAT(opened.has_value(), opened.error().message);
    client_ = *std::move(opened);
  }

  Database& database() override { return *client_; }

  void Settle() override {
    for (int attempt = 0; attempt < kSettleAttemptsMax; ++attempt) {
      if (IsSettled()) {
        return;
      }
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "the tables do not become active";
  }

  [[nodiscard]] TimePoint Now() const override { return SystemClock().Now(); }
  void Advance(Duration /*duration*/) override { CHECK(false); }
  void Housekeep() override { CHECK(false); }
  void Reopen() override { CHECK(false); }

 private:
  static constexpr int kSettleAttemptsMax = 400;

  bool IsSettled() {
    const Result<ListTablesOutput> tables = client_->ListTables({});
    if (!tables) {
      return false;
    }
    return std::ranges::all_of(tables->table_names, [this](const std::string& name) {
      return homes::IsSettled(*client_, name);
    });
  }

  ManualClock client_clock_{SystemClock().Now()};  // repetitions do not wait
  std::unique_ptr<Database> client_;
};

const RegisteredHome kRegistered(Home{
    .name = "local",
    .controls_time = false,
    .keeps_data = false,
    .make = [] { return std::make_unique<LocalDatabase>(); },
    .has_own_words = true,
    .prepare = [] { testing::AddGlobalTestEnvironment(new LocalEnvironment); },  // GoogleTest's now
});

}  // namespace
}  // namespace stator::homes
