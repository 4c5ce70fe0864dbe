#include "shell/interrupts.h"

#include <sys/poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <utility>

#include "base/check.h"

namespace stator::shell {
namespace {

constexpr char kInterrupt = 'i';
constexpr char kDone = 'd';

// Where the signal handler writes.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a handler has nothing else.
volatile sig_atomic_t interrupt_pipe = -1;

// A pipe that is full has something to read already, which is all that matters.
void Tell(int pipe, char what) {
  const ssize_t written = write(pipe, &what, 1);
  static_cast<void>(written);
}

void OnInterrupt(int /*signal*/) {
  const int before = errno;
  Tell(interrupt_pipe, kInterrupt);
  errno = before;
}

void HandleInterrupts(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(SIGINT, &action, nullptr) == 0);
}

}  // namespace

Interrupts::Interrupts() {
  CHECK(pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  interrupt_pipe = pipe_[1];
  HandleInterrupts(OnInterrupt);
}

Interrupts::~Interrupts() {
  HandleInterrupts(SIG_DFL);  // who does not want to wait for what was left behind can still leave
  for (Task& task : left_behind_) {
    task.thread.join();
  }
  close(pipe_[0]);
  close(pipe_[1]);
}

bool Interrupts::Wait(std::optional<std::chrono::milliseconds> most) {
  pollfd happened = {.fd = pipe_[0], .events = POLLIN, .revents = 0};
  const int count = poll(&happened, 1, most ? static_cast<int>(most->count()) : -1);
  if (count < 0) {
    return true;  // a signal, whose byte comes next
  }
  char what = 0;
  while (read(pipe_[0], &what, 1) == 1) {
    interrupted_ = interrupted_ || what == kInterrupt;
  }
  return count > 0;
}

void Interrupts::Forget() {
  Wait(std::chrono::milliseconds(0));
  interrupted_ = false;
}

bool Interrupts::Run(std::function<void()> work, std::optional<std::chrono::milliseconds> most) {
  std::erase_if(left_behind_, [](Task& task) {
    if (!task.done->load()) {
      return false;
    }
    task.thread.join();
    return true;
  });
  Wait(std::chrono::milliseconds(0));
  if (interrupted_) {
    return false;
  }
  Task task;
  task.thread = std::thread([work = std::move(work), done = task.done, pipe = pipe_[1]] {
    work();
    done->store(true);
    Tell(pipe, kDone);
  });
  while (!task.done->load()) {
    const bool in_time = Wait(most);
    if (!task.done->load() && (interrupted_ || !in_time)) {
      left_behind_.push_back(std::move(task));
      return false;
    }
  }
  task.thread.join();
  return true;
}

}  // namespace stator::shell
