#include "server/private_file.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace stator::server {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

std::unexpected<Error> CannotRead(const std::filesystem::path& path) {
  return Fail(ErrorCode::kIo, "cannot read " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

Result<std::string> ReadPrivateFile(const std::filesystem::path& path) {
  const OpenFile file(path);
  struct stat status{};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) {
    return CannotRead(path);
  }
  constexpr mode_t kOpenToOthers = S_IRWXO | S_IWGRP;
  // Pipes and devices, as shells make them, have no lasting name to be found by.
  if (S_ISREG(status.st_mode) && (status.st_mode & kOpenToOthers) != 0) {
    return Invalid("other users can read or change " + path.string() +
                   ", which holds secrets; close it with: chmod 600 " + path.string());
  }
  std::string text;
  std::array<char, 4096> part{};
  ssize_t count = 0;
  while ((count = ::read(file.descriptor(), part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  if (count < 0) {
    return CannotRead(path);
  }
  return text;
}

}  // namespace stator::server
