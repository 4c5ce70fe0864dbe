#include "base/probe.h"

#include <cstdlib>
#include <fcntl.h>
#include <set>
#include <string>
#include <unistd.h>

#include "stator/base/mutex.h"

namespace stator::base {
namespace {

struct Reached {
  Mutex mutex;
  std::set<std::string, std::less<>> names STATOR_GUARDED_BY(mutex);
};

// Never destroyed: threads may pass a probe while the process ends.
Reached& ReachedHere() {
  static auto* const reached = new Reached;
  return *reached;
}

// One write to a file that is open for appending, so that the lines of processes do not mix, and a
// process that is killed afterwards has said it.
void AddLine(const char* path, std::string line) {
  line += '\n';
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) {
    // A line that is lost shows as a probe that was not reached.
    static_cast<void>(!::write(file, line.data(), line.size()));
    ::close(file);
  }
}

}  // namespace

void Probe::Report() {
  if (reached_.exchange(true)) {
    return;
  }
  Reached& reached = ReachedHere();
  const MutexLock lock(reached.mutex);
  if (!reached.names.emplace(name_).second) {
    return;
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment.
  if (const char* const path = std::getenv("STATOR_PROBES"); path != nullptr && *path != '\0') {
    AddLine(path, std::string(name_));
  }
}

bool ProbeWasReached(std::string_view name) {
  Reached& reached = ReachedHere();
  const MutexLock lock(reached.mutex);
  return reached.names.contains(name);
}

}  // namespace stator::base
