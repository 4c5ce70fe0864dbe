#include "stator/mcp/stdio.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <string>
#include <unistd.h>

#include "stator/base/mutex.h"

namespace stator::mcp {
namespace {

// How long answers are waited for when the client has closed its end.
constexpr Duration kDrain = std::chrono::milliseconds(1500);
constexpr Duration kDrainLook = std::chrono::milliseconds(10);

// The one stream of a conversation; it does not end with a request.
class LineStream final : public Stream {
 public:
  explicit LineStream(int descriptor) : descriptor_(descriptor) {}

  bool Send(const Json& message) override {
    std::string line = message.ToText();
    line.push_back('\n');
    const MutexLock lock(mutex_);
    std::string_view rest = line;
    while (!rest.empty() && open_) {
      const ssize_t written = write(descriptor_, rest.data(), rest.size());
      if (written > 0) {
        rest.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        open_ = false;
      }
    }
    return open_;
  }
  void Finish() override {}
  [[nodiscard]] bool IsOpen() const override { return open_; }

 private:
  const int descriptor_;
  Mutex mutex_;  // held while a line is written
  std::atomic<bool> open_ = true;
};

class LineReader {
 public:
  LineReader(int descriptor, std::size_t bytes_max) : descriptor_(descriptor), max_(bytes_max) {}

  // False at the end of the input.
  Result<bool> Read(std::string& line) {
    for (;;) {
      if (const std::size_t end = buffer_.find('\n', searched_); end != std::string::npos) {
        line.assign(buffer_, 0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        return true;
      }
      searched_ = buffer_.size();
      if (buffer_.size() > max_) {
        return Fail(ErrorCode::kLimitExceeded, "a message is too long");
      }
      std::array<char, 65536> chunk;
      const ssize_t count = read(descriptor_, chunk.data(), chunk.size());
      if (count == 0) {
        return false;
      }
      if (count > 0) {
        buffer_.append(chunk.data(), static_cast<std::size_t>(count));
      } else if (errno != EINTR) {
        return Fail(ErrorCode::kIo, "cannot read from the client");
      }
    }
  }

 private:
  const int descriptor_;
  const std::size_t max_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

}  // namespace

Result<void> ServeStdio(McpServer& server, const StdioOptions& options) {
  const auto stream = std::make_shared<LineStream>(options.output);
  const std::shared_ptr<Session> session = server.OpenSession(options.owner);
  server.Attach(session, stream);
  LineReader reader(options.input, options.message_bytes_max);
  Result<void> outcome;
  std::string line;
  for (;;) {
    const Result<bool> more = reader.Read(line);
    if (!more || !*more) {
      if (!more) {
        outcome = std::unexpected(more.error());
      }
      break;
    }
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      server.ReceiveText(session, line, stream);
    }
  }
  Clock& clock = SystemClock();
  const Duration until = clock.Elapsed() + kDrain;
  while (server.IsBusy(session) && stream->IsOpen() && clock.Elapsed() < until) {
    clock.SleepFor(kDrainLook);
  }
  server.CloseSession(session);
  return outcome;
}

}  // namespace stator::mcp
