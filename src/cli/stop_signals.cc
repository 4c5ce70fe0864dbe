#include "cli/stop_signals.h"

#include <sys/prctl.h>

#include <memory>
#include <thread>
#include <unistd.h>

namespace stator::cli {

sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int WaitForSignal(const sigset_t& signals) {
  int received = 0;
  sigwait(&signals, &received);
  return received;
}

std::stop_token StopOnSignal() {
  const sigset_t signals = BlockStopSignals();
  const auto source = std::make_shared<std::stop_source>();
  // Waits as long as the program runs.
  std::thread([source, signals] {
    WaitForSignal(signals);
    source->request_stop();
  }).detach();
  return source->get_token();
}

bool DieWithParent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  return getppid() == parent;
}

}  // namespace stator::cli
