// The last requests, for somebody who looks at them in the console. Each worker writes into a ring of
// its own, whose lock nobody else holds while nobody looks; bodies are kept only while somebody does,
// and for a minute after. Never holds secrets or signatures.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/request_ids.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"

namespace stator::server {

// A request and its answer as text, each cut at kBodyBytesMax.
struct SeenBodies {
  static constexpr std::size_t kBodyBytesMax = 256 * 1024;

  std::string head;  // its fields, without what proves who asks
  std::string request;
  std::string answer;
  bool is_cut = false;

  [[nodiscard]] std::size_t size() const { return head.size() + request.size() + answer.size(); }
};

// `head` is a request's, as it was sent or with its names in lower case.
std::shared_ptr<const SeenBodies> KeepBodies(std::string_view head, std::string_view request,
                                             std::string_view answer);

// A short text inside a record; what does not fit is left out.
template <std::size_t kSize>
class ShortText {
 public:
  ShortText() = default;
  explicit ShortText(std::string_view text)
      : size_(static_cast<unsigned char>(text.copy(text_.data(), kSize))) {}
  [[nodiscard]] std::string_view view() const { return {text_.data(), size_}; }

 private:
  static_assert(kSize < 256);
  std::array<char, kSize> text_;
  unsigned char size_ = 0;
};

struct SeenRequest {
  TimePoint time;
  Duration duration{};
  std::string_view operation;  // outlives the process, as does the outcome
  std::string_view outcome;
  int status = 0;
  double read_units = 0;
  double write_units = 0;
  std::size_t request_bytes = 0;
  std::size_t answer_bytes = 0;
  bool is_own = false;  // the console's
  ShortText<RequestIds::kLength> id;
  ShortText<56> remote;
  ShortText<64> access_key_id;
  std::shared_ptr<const SeenBodies> bodies = nullptr;
};

// THREADS: any.
class RequestInspector {
 public:
  static constexpr std::size_t kKept = 1000;  // of each worker, and of an answer
  static constexpr std::size_t kBodyBytesKept = 8 * 1024 * 1024;  // of each worker

  // `worker` is its number.
  void Add(std::size_t worker, SeenRequest request);

  // Whether bodies are to be kept at `now`, a time of Clock::Elapsed.
  [[nodiscard]] bool IsWatched(Duration now) const {
    return now.count() < watched_until_.load(std::memory_order_relaxed);
  }

  // Somebody looks.
  void Watch(Duration now);

  // Those after `time`, newest first, kKept at most.
  [[nodiscard]] std::vector<SeenRequest> After(TimePoint time) const;

  [[nodiscard]] std::optional<SeenRequest> Find(std::string_view id) const;

 private:
  struct alignas(64) Ring {
    mutable Mutex mutex;
    std::vector<SeenRequest> records STATOR_GUARDED_BY(mutex);  // grows to kKept, then goes round
    std::size_t next STATOR_GUARDED_BY(mutex) = 0;
    std::size_t body_bytes STATOR_GUARDED_BY(mutex) = 0;
  };

  static void DropBodies(SeenRequest& request, Ring& ring) STATOR_REQUIRES(ring.mutex);

  static constexpr std::size_t kRings = 16;
  std::array<Ring, kRings> rings_;
  std::atomic<Duration::rep> watched_until_ = Duration::min().count();
};

}  // namespace stator::server
