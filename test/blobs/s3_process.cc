#include "blobs/s3_process.h"

#include <sys/wait.h>

#include <array>
#include <charconv>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "base/check.h"

namespace stator {

S3ServerProcess::S3ServerProcess() {
  std::array<int, 2> output = {};
  std::array<int, 2> input = {};
  CHECK(pipe2(output.data(), O_CLOEXEC) == 0 && pipe2(input.data(), O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  CHECK(posix_spawn_file_actions_init(&actions) == 0);
  CHECK(posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO) == 0);
  CHECK(posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO) == 0);
  std::string node = "node";
  std::string script = STATOR_S3_SERVER;
  const std::array<char*, 3> arguments = {node.data(), script.data(), nullptr};
  if (posix_spawnp(&process_, "node", &actions, nullptr, arguments.data(), environ) != 0) {
    process_ = 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  close(input[0]);
  input_ = input[1];
  ReadPort(output[0]);
  close(output[0]);
}

S3ServerProcess::~S3ServerProcess() {
  close(input_);
  if (process_ != 0) {
    waitpid(process_, nullptr, 0);
  }
}

void S3ServerProcess::ReadPort(int descriptor) {
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

}  // namespace stator
