#include "contention.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <memory>
#include <pthread.h>
#include <vector>

namespace stator::bench {
namespace {

constexpr int kFrames = 8;
constexpr int kOwnFrames = 2;  // of this file, on top of each stack
constexpr std::size_t kPlaces = 1024;
constexpr std::size_t kShown = 10;

enum class Kind : std::uint8_t { kMutex, kReader, kWriter, kCondition };

// One stack from which threads waited. Found by hash; a slot is taken once and never given back.
struct Place {
  std::atomic<std::uint64_t> hash = 0;
  std::atomic<bool> written = false;
  std::array<void*, kFrames> stack{};
  int depth = 0;
  Kind kind{};
  std::atomic<std::uint64_t> waits = 0;
  std::atomic<std::uint64_t> nanoseconds = 0;
};

std::array<Place, kPlaces> places;

using Time = std::chrono::steady_clock::time_point;

// Taking a stack may allocate, and so lock: whoever is at it is not watched meanwhile.
thread_local bool watched = false;

void Note(Kind kind, Time begun) {
  const std::chrono::nanoseconds waited = std::chrono::steady_clock::now() - begun;
  watched = false;
  std::array<void*, kFrames + kOwnFrames> stack{};
  const int depth =
      std::max(0, backtrace(stack.data(), static_cast<int>(stack.size())) - kOwnFrames);
  std::uint64_t hash = 1469598103934665603U + static_cast<std::uint64_t>(kind);
  for (int at = 0; at < depth; ++at) {
    hash = (hash ^
            reinterpret_cast<std::uintptr_t>(stack[static_cast<std::size_t>(at + kOwnFrames)])) *
           1099511628211U;
  }
  for (std::size_t probe = 0; probe < kPlaces; ++probe) {
    Place& place = places[(hash + probe) % kPlaces];
    std::uint64_t expected = 0;
    if (place.hash.compare_exchange_strong(expected, hash)) {
      std::copy_n(stack.begin() + kOwnFrames, depth, place.stack.begin());
      place.depth = depth;
      place.kind = kind;
      place.written = true;
      expected = hash;
    }
    if (expected == hash) {
      place.waits += 1;
      place.nanoseconds += static_cast<std::uint64_t>(waited.count());
      break;
    }
  }
  watched = true;
}

template <class Function>
Function Real(const char* name, const char* version = nullptr) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) {
    found = dlsym(RTLD_NEXT, name);
  }
  if (found == nullptr) {
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

// Tries first, so that only those who have to wait are looked at.
template <class Lock, class Try>
int Watch(Kind kind, const Try& attempt, const Lock& lock) {
  if (!watched) {
    return lock();
  }
  if (attempt() == 0) {
    return 0;
  }
  const Time begun = std::chrono::steady_clock::now();
  const int result = lock();
  Note(kind, begun);
  return result;
}

std::string NameOf(void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_sname == nullptr) {
    const char* const file = info.dli_fname != nullptr ? info.dli_fname : "?";
    std::array<char, 32> offset{};
    std::snprintf(
        offset.data(), offset.size(), "+0x%zx",
        static_cast<std::size_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase)));
    return std::string(file) + offset.data();
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
  return status == 0 ? readable.get() : info.dli_sname;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') {
      quoted.push_back('\\');
    }
    quoted.push_back(each);
  }
  return quoted + "\"";
}

const char* NameOf(Kind kind) {
  constexpr std::array kNames = {"mutex", "reader", "writer", "condition"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

void WatchThisThread() {
  watched = true;
}

std::string TakeContention() {
  struct Seen {
    const Place* place;
    std::uint64_t waits;
    std::uint64_t nanoseconds;
  };
  std::vector<Seen> seen;
  for (Place& place : places) {
    if (place.written) {
      seen.push_back({&place, place.waits.exchange(0), place.nanoseconds.exchange(0)});
    }
  }
  std::erase_if(seen, [](const Seen& each) { return each.waits == 0; });
  std::sort(seen.begin(), seen.end(), [](const Seen& left, const Seen& right) {
    return left.nanoseconds > right.nanoseconds;
  });
  seen.resize(std::min(seen.size(), kShown));
  std::string json;
  for (const Seen& each : seen) {
    std::array<char, 96> head{};
    std::snprintf(head.data(), head.size(), R"({"kind":"%s","waits":%llu,"ms":%.3f,"at":[)",
                  NameOf(each.place->kind), static_cast<unsigned long long>(each.waits),
                  static_cast<double>(each.nanoseconds) / 1e6);
    json += json.empty() ? "" : ",";
    json += head.data();
    for (int at = 0; at < each.place->depth; ++at) {
      json += at == 0 ? "" : ",";
      json += Quoted(NameOf(each.place->stack[static_cast<std::size_t>(at)]));
    }
    json += "]}";
  }
  return json;
}

}  // namespace stator::bench

// In place of those of the C library, for the program and for the libraries that it loads.
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using stator::bench::Kind;
  static const auto real = stator::bench::Real<int (*)(pthread_mutex_t*)>("pthread_mutex_lock");
  return stator::bench::Watch(
      Kind::kMutex, [&] { return pthread_mutex_trylock(mutex); }, [&] { return real(mutex); });
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  using stator::bench::Kind;
  static const auto real = stator::bench::Real<int (*)(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  return stator::bench::Watch(
      Kind::kReader, [&] { return pthread_rwlock_tryrdlock(lock); }, [&] { return real(lock); });
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  using stator::bench::Kind;
  static const auto real = stator::bench::Real<int (*)(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  return stator::bench::Watch(
      Kind::kWriter, [&] { return pthread_rwlock_trywrlock(lock); }, [&] { return real(lock); });
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  using stator::bench::Kind;
  // Where there is an older one of another shape under the same name, this is the newer.
  static const auto real = stator::bench::Real<int (*)(pthread_cond_t*, pthread_mutex_t*)>(
      "pthread_cond_wait", "GLIBC_2.3.2");
  return stator::bench::Watch(
      Kind::kCondition, [] { return -1; }, [&] { return real(condition, mutex); });
}

}  // extern "C"
