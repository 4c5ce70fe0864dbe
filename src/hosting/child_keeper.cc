#include "hosting/child_keeper.h"

#include <sys/eventfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/check.h"

namespace stator::hosting {
namespace {

// Between two tellings of progress, however often the program writes.
constexpr Duration kProgressPause = std::chrono::milliseconds(100);

enum class Reading : std::uint8_t { kLater, kMore, kEnded };

// At most one piece.
Reading ReadPiece(Descriptor& from, std::string& piece) {
  piece.resize(65536);
  const ssize_t count = read(from.number(), piece.data(), piece.size());
  if (count > 0) {
    piece.resize(static_cast<std::size_t>(count));
    return Reading::kMore;
  }
  piece.clear();
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return Reading::kLater;
  }
  from.Close();
  return Reading::kEnded;
}

void AddTo(std::vector<pollfd>& all, const Descriptor& descriptor, short events) {
  if (descriptor.is_open()) {
    all.push_back({.fd = descriptor.number(), .events = events, .revents = 0});
  }
}

}  // namespace

std::optional<ProgressLine> Child::TakeProgress() {
  const MutexLock lock(mutex_);
  return std::exchange(progress_, std::nullopt);
}

std::optional<ChildOutcome> Child::TakeOutcome() {
  const MutexLock lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

// A program that runs; belongs to the thread.
struct ChildKeeper::Run {
  std::shared_ptr<Child> child;
  Spawned process;
  std::string input;
  std::size_t written = 0;
  std::size_t output_bytes_max = 0;
  std::string output = {};
  ErrorText errors = {};
  std::optional<ProgressLine> progress = std::nullopt;  // not told yet
  Duration next_telling = {};
  Duration deadline = {};
  std::optional<ChildEnd> why_killed = std::nullopt;

  void Kill(ChildEnd why) {
    if (!why_killed) {
      why_killed = why;
      kill(-process.pid, SIGKILL);
    }
  }

  void Write() {
    while (process.input.is_open() && written < input.size()) {
      const ssize_t count =
          write(process.input.number(), input.data() + written, input.size() - written);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
      }
      if (count < 0) {
        break;  // It does not want to know.
      }
      written += static_cast<std::size_t>(count);
    }
    process.input.Close();
  }

  bool ReadOutput() {
    std::string piece;
    if (!process.output.is_open() || ReadPiece(process.output, piece) != Reading::kMore) {
      return false;
    }
    if (piece.size() > output_bytes_max - output.size()) {
      Kill(ChildEnd::kTooMuchOutput);
      process.output.Close();
      return false;
    }
    output.append(piece);
    return true;
  }

  bool ReadErrors() {
    std::string piece;
    if (!process.errors.is_open() || ReadPiece(process.errors, piece) != Reading::kMore) {
      return false;
    }
    if (std::optional<ProgressLine> last = errors.Add(piece)) {
      progress = std::move(last);
    }
    return true;
  }

  [[nodiscard]] bool HasEnded() const {
    pollfd ended{.fd = process.process.number(), .events = POLLIN, .revents = 0};
    return poll(&ended, 1, 0) > 0;
  }

  // REQUIRES: it has ended. What it has left behind is killed before its number is free for others.
  ChildOutcome Reap() {
    kill(-process.pid, SIGKILL);
    while (ReadOutput()) {
    }
    while (ReadErrors()) {
    }
    siginfo_t info = {};
    while (waitid(P_PIDFD, static_cast<id_t>(process.process.number()), &info, WEXITED) != 0 &&
           errno == EINTR) {
    }
    ChildOutcome outcome{
        .end = info.si_code == CLD_EXITED ? ChildEnd::kExited : ChildEnd::kSignalled,
        .code = info.si_status,
        .output = std::move(output),
        .errors = errors.Take()};
    outcome.end = why_killed.value_or(outcome.end);
    return outcome;
  }
};

ChildKeeper::ChildKeeper(Clock& clock)
    : clock_(clock), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  CHECK(wake_.is_open());
  // Signals are for the threads of whoever uses this.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ChildKeeper::~ChildKeeper() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  Wake();
  thread_.join();
}

void ChildKeeper::Wake() const {
  const std::uint64_t one = 1;
  static_cast<void>(!write(wake_.number(), &one, sizeof one));
}

std::shared_ptr<Child> ChildKeeper::Start(ChildRequest request) {
  const auto child = std::make_shared<Child>();
  {
    const MutexLock lock(mutex_);
    orders_.emplace_back(std::move(request), child);
  }
  Wake();
  return child;
}

void ChildKeeper::Drop(Child& child) {
  {
    const MutexLock lock(child.mutex_);
    child.unwanted_ = true;
    if (child.outcome_) {
      return;
    }
  }
  Wake();
}

void ChildKeeper::Work() {
  std::vector<std::unique_ptr<Run>> runs;
  for (;;) {
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        break;
      }
    }
    TakeOrders(runs);
    std::erase_if(runs, [&](const std::unique_ptr<Run>& run) { return LookAfter(*run); });
    Wait(runs);
  }
  for (const std::unique_ptr<Run>& run : runs) {
    kill(-run->process.pid, SIGKILL);
    waitpid(run->process.pid, nullptr, 0);
  }
}

void ChildKeeper::TakeOrders(std::vector<std::unique_ptr<Run>>& runs) {
  std::uint64_t count = 0;
  static_cast<void>(!read(wake_.number(), &count, sizeof count));
  std::vector<std::pair<ChildRequest, std::shared_ptr<Child>>> orders;
  {
    const MutexLock lock(mutex_);
    orders.swap(orders_);
  }
  for (auto& [request, child] : orders) {
    bool unwanted = false;
    {
      const MutexLock lock(child->mutex_);
      unwanted = child->unwanted_;
    }
    if (!unwanted) {
      Begin(runs, std::move(request), child);
    }
  }
}

void ChildKeeper::Begin(std::vector<std::unique_ptr<Run>>& runs, ChildRequest request,
                        const std::shared_ptr<Child>& child) {
  Result<Spawned> spawned = Spawn(request.command);
  if (!spawned) {
    {
      const MutexLock lock(child->mutex_);
      child->outcome_ =
          ChildOutcome{.end = ChildEnd::kNotStarted, .errors = spawned.error().message};
    }
    child->news_->Set();
    return;
  }
  runs.push_back(std::make_unique<Run>(Run{.child = child,
                                           .process = *std::move(spawned),
                                           .input = std::move(request.input),
                                           .output_bytes_max = request.output_bytes_max,
                                           .deadline = clock_.Elapsed() + request.time_limit}));
}

void ChildKeeper::Wait(const std::vector<std::unique_ptr<Run>>& runs) const {
  std::vector<pollfd> all;
  AddTo(all, wake_, POLLIN);
  Duration next = Duration::max();
  for (const std::unique_ptr<Run>& run : runs) {
    AddTo(all, run->process.process, POLLIN);
    AddTo(all, run->process.output, POLLIN);
    AddTo(all, run->process.errors, POLLIN);
    AddTo(all, run->process.input, POLLOUT);
    next = run->why_killed ? next : std::min(next, run->deadline);
    next = run->progress ? std::min(next, run->next_telling) : next;
  }
  int milliseconds = -1;
  if (next != Duration::max()) {
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(next - clock_.Elapsed()).count();
    milliseconds =
        static_cast<int>(std::clamp<std::int64_t>(rest, 0, std::numeric_limits<int>::max()));
  }
  static_cast<void>(poll(all.data(), all.size(), milliseconds));
}

bool ChildKeeper::LookAfter(Run& run) const {
  run.Write();
  run.ReadOutput();
  run.ReadErrors();
  const Duration now = clock_.Elapsed();
  if (now >= run.deadline) {
    run.Kill(ChildEnd::kTimedOut);
  }
  const bool ended = run.HasEnded();
  std::optional<ChildOutcome> outcome;
  if (ended) {
    outcome = run.Reap();
  }
  const bool tells = run.progress && (ended || now >= run.next_telling);
  {
    const MutexLock lock(run.child->mutex_);
    if (tells) {
      run.child->progress_ = std::exchange(run.progress, std::nullopt);
      run.next_telling = now + kProgressPause;
    }
    if (run.child->unwanted_ && !ended) {
      run.Kill(ChildEnd::kSignalled);
    }
    run.child->outcome_ = std::move(outcome);
  }
  if (tells || ended) {
    run.child->news_->Set();
  }
  return ended;
}

}  // namespace stator::hosting
