#include "server/access_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <signal.h>
#include <unistd.h>

#include "value/json_text.h"
#include "wire/http_date.h"

namespace stator::server {
namespace {

constexpr std::size_t kPendingBytesMax = 8 * 1024 * 1024;
constexpr std::size_t kTextMax = 128;  // of what a client chooses

// Text from a client: made printable, since it may be no UTF-8, and cut.
void AppendClientText(std::string_view name, std::string_view text, std::string& out) {
  std::string printable(text.substr(0, kTextMax));
  std::ranges::replace_if(
      printable, [](char character) { return character < ' ' || character > '~'; }, '?');
  out.append(name);
  value::AppendJsonString(printable, out);
}

// 2026-11-15T22:44:16.120394Z
std::string FormatTime(TimePoint time) {
  const std::string basic = wire::FormatBasicDate(time);
  const auto micros = (time - std::chrono::floor<std::chrono::seconds>(time)).count();
  std::array<char, 40> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s.%06dZ",
                                   &basic[0], &basic[4], &basic[6], &basic[9], &basic[11],
                                   &basic[13], static_cast<int>(micros));
  return {text.data(), static_cast<std::size_t>(length)};
}

void WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      return;  // A log that cannot be written must not stop the server.
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

}  // namespace

std::string FormatAccessLogEntry(const AccessLogEntry& entry) {
  std::string line = R"({"time":")" + FormatTime(entry.time);
  line.append(R"(","request_id":")").append(entry.request_id);
  line.append(R"(","remote":")").append(entry.remote).append("\"");
  if (!entry.access_key_id.empty()) {
    AppendClientText(R"(,"access_key_id":)", entry.access_key_id, line);
  }
  if (!entry.operation.empty()) {
    line.append(R"(,"operation":")").append(entry.operation).append("\"");
  }
  line.append(R"(,"status":)").append(std::to_string(entry.status));
  if (!entry.error.empty()) {
    line.append(R"(,"error":")").append(entry.error).append("\"");
  }
  line.append(R"(,"request_bytes":)").append(std::to_string(entry.request_bytes));
  line.append(R"(,"answer_bytes":)").append(std::to_string(entry.answer_bytes));
  line.append(R"(,"micros":)").append(std::to_string(entry.duration.count()));
  line.append("}\n");
  return line;
}

AccessLog::AccessLog(int descriptor) : descriptor_(descriptor), writer_([this] { Run(); }) {}

AccessLog::~AccessLog() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.NotifyOne();
  writer_.join();
}

void AccessLog::Append(const AccessLogEntry& entry) {
  const std::string line = FormatAccessLogEntry(entry);
  bool was_empty = false;
  {
    const MutexLock lock(mutex_);
    if (pending_.size() + line.size() > kPendingBytesMax) {
      dropped_.Add();
      return;
    }
    was_empty = pending_.empty();
    pending_.append(line);
  }
  if (was_empty) {
    wake_.NotifyOne();
  }
}

void AccessLog::Run() {
  // A reader that goes away must not take the process with it.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  MutexLock lock(mutex_);
  while (true) {
    wake_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return closing_ || !pending_.empty(); });
    if (pending_.empty()) {
      return;
    }
    const std::string lines = std::exchange(pending_, {});
    lock.Unlock();
    WriteAll(descriptor_, lines);
    lock.Lock();
  }
}

}  // namespace stator::server
