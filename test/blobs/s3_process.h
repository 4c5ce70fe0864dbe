// For tests: a real S3 server, s3rver, as a child process; s3_server.mjs tells what it can do.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace stator {

// It ends when its standard input does, so it never outlives us. Its bucket is "blobs", in region
// "eu-central-1", and its only key is "S3RVER" with the secret "S3RVER".
class S3ServerProcess {
 public:
  S3ServerProcess();
  S3ServerProcess(const S3ServerProcess&) = delete;
  S3ServerProcess& operator=(const S3ServerProcess&) = delete;
  ~S3ServerProcess();

  // Nothing when its npm packages are not installed.
  [[nodiscard]] std::optional<int> port() const { return port_; }

 private:
  void ReadPort(int descriptor);

  pid_t process_ = 0;
  int input_ = -1;
  std::optional<int> port_;
};

}  // namespace stator
