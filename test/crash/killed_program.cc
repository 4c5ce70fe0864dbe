#include "killed_program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>
#include <utility>

#include "base/check.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace stator::crash {
namespace {

// The process, whose standard output goes into the pipe.
pid_t Spawn(std::vector<std::string> words, const std::array<int, 2>& pipes) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipes[0]);
  posix_spawn_file_actions_addclose(&actions, pipes[1]);
  std::vector<char*> values;
  for (std::string& word : words) {
    values.push_back(word.data());
  }
  values.push_back(nullptr);
  pid_t child = 0;
  CHECK(posix_spawn(&child, values[0], &actions, nullptr, values.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

}  // namespace

std::string RunAndKill(std::string program, std::vector<std::string> arguments,
                       const std::function<bool(std::string_view said)>& is_enough) {
  std::array<int, 2> pipes{};
  CHECK(pipe(pipes.data()) == 0);
  arguments.insert(arguments.begin(), std::move(program));
  const pid_t child = Spawn(std::move(arguments), pipes);
  close(pipes[1]);

  std::string said;
  bool killed = false;
  std::array<char, 256> marks{};
  for (ssize_t count = 0; (count = read(pipes[0], marks.data(), marks.size())) > 0;) {
    said.append(marks.data(), static_cast<std::size_t>(count));
    if (!killed && is_enough(said)) {
      kill(child, SIGKILL);
      killed = true;
    }
  }
  close(pipes[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  EXPECT_TRUE(killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0)
      << "it ended by itself with status " << status;
  return said;
}

}  // namespace stator::crash
