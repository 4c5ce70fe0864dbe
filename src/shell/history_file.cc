#include "shell/history_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace stator::shell {
namespace {

constexpr mode_t kOwnerOnly = 0600;

// Closed with it.
class File {
 public:
  // Waits for nobody, as opening a pipe would. -1 for what is no plain file.
  File(const std::string& path, int flags)
      : descriptor_(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, kOwnerOnly)) {
    struct stat about = {};
    if (descriptor_ >= 0 && (fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode))) {
      close(descriptor_);
      descriptor_ = -1;
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string ReadAll(int descriptor) {
  std::string text;
  std::array<char, 65536> block{};
  while (true) {
    const ssize_t count = read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return text;
    }
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  if (path_.empty()) {
    return lines;
  }
  const File file(path_, O_RDONLY);
  if (file.descriptor() < 0) {
    return lines;
  }
  const std::string text = ReadAll(file.descriptor());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) {
      lines.push_back(text.substr(at, end - at));
    }
    at = end + 1;
  }
  const bool is_long = lines.size() >= 2 * kLinesMax;
  if (lines.size() > kLinesMax) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kLinesMax));
  }
  if (is_long) {
    Replace(lines);
  }
  return lines;
}

void HistoryFile::Replace(const std::vector<std::string>& lines) const {
  const std::string other = path_ + "." + std::to_string(getpid());
  bool is_written = false;
  {
    const File file(other, O_WRONLY | O_CREAT | O_EXCL);
    if (file.descriptor() < 0) {
      return;
    }
    std::string text;
    for (const std::string& line : lines) {
      text += line + '\n';
    }
    is_written = WriteAll(file.descriptor(), text);
  }
  if (!is_written || std::rename(other.c_str(), path_.c_str()) != 0) {
    unlink(other.c_str());
  }
}

void HistoryFile::Append(std::string_view line) const {
  if (path_.empty() || line.empty()) {
    return;
  }
  const File file(path_, O_WRONLY | O_CREAT | O_APPEND);
  // One that somebody else may read, and that cannot be changed, gets nothing.
  if (file.descriptor() < 0 || fchmod(file.descriptor(), kOwnerOnly) != 0) {
    return;
  }
  WriteAll(file.descriptor(), std::string(line) + '\n');
}

}  // namespace stator::shell
