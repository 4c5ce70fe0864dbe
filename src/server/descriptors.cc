#include "server/descriptors.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace stator::server {
namespace {

// Standard streams, event loops, listeners, logs, and those who are turned away.
constexpr std::size_t kOwn = 128 + kTurnedAwayMax;

// With so many a store of hundreds of gigabytes keeps all its tables open.
constexpr std::size_t kStoreAmple = 8192;
constexpr std::size_t kStoreMin = 64;
constexpr std::size_t kConnectionsMin = 16;

}  // namespace

std::size_t RaiseDescriptorLimit(std::size_t connections) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) {
    return connections + kOwn + kStoreAmple;  // Nobody counts.
  }
  const rlim_t wanted = connections + kOwn + kStoreAmple;
  if (files.rlim_cur < wanted) {
    const rlim_t before = files.rlim_cur;
    files.rlim_cur = std::min(files.rlim_max, wanted);
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) {
      return before;
    }
  }
  return files.rlim_cur;
}

Result<DescriptorShares> ShareDescriptors(std::size_t limit, std::size_t connections) {
  if (limit < kOwn + kStoreMin + kConnectionsMin) {
    return Invalid("this process may have only " + std::to_string(limit) +
                   " files open, and needs " + std::to_string(kOwn + kStoreMin + kConnectionsMin) +
                   " at least; raise the limit (ulimit -n, LimitNOFILE= of systemd)");
  }
  const std::size_t left = limit - kOwn;
  if (left >= connections + kStoreAmple) {
    return DescriptorShares{.connections = connections, .store = 0};
  }
  // Few connections leave the rest to the store; many do not get more than half.
  const std::size_t fitted = std::min(connections, left - std::max(left / 2, kStoreMin));
  return DescriptorShares{.connections = fitted, .store = left - fitted};
}

}  // namespace stator::server
