#include "server/request_inspector.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "wire/http_message.h"

namespace stator::server {
namespace {

constexpr Duration kWatchedFor = std::chrono::minutes(1);

// Without the request line and without fields that prove who asks, except the key's name.
std::string WithoutProofs(std::string_view head) {
  std::string kept;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const std::string_view name = line.substr(0, line.find(':'));
    if (name.size() == line.size() || wire::EqualIgnoringCase(name, "x-amz-security-token")) {
      continue;
    }
    const bool proves = wire::EqualIgnoringCase(name, "authorization");
    const std::size_t signature = proves ? line.find("Signature=") : std::string_view::npos;
    if (proves && signature == std::string_view::npos) {
      kept.append(name).append(": (hidden)\n");
    } else if (proves) {
      kept.append(line.substr(0, signature)).append("Signature=(hidden)\n");
    } else {
      kept.append(line).append("\n");
    }
  }
  return kept;
}

}  // namespace

std::shared_ptr<const SeenBodies> KeepBodies(std::string_view head, std::string_view request,
                                             std::string_view answer) {
  auto bodies = std::make_shared<SeenBodies>();
  bodies->head = WithoutProofs(head);
  bodies->request = request.substr(0, SeenBodies::kBodyBytesMax);
  bodies->answer = answer.substr(0, SeenBodies::kBodyBytesMax);
  bodies->is_cut = std::max(request.size(), answer.size()) > SeenBodies::kBodyBytesMax;
  return bodies;
}

namespace {

// The place that the next record goes to was used a thousand requests ago: by then the processor knows it
// again.
void WillBeWritten(const SeenRequest& record) {
  constexpr std::size_t kCacheLine = 64;
  const auto* const bytes = reinterpret_cast<const char*>(&record);
  for (std::size_t at = 0; at < sizeof(record); at += kCacheLine) {
    __builtin_prefetch(bytes + at, /*rw=*/1);
  }
}

}  // namespace

void RequestInspector::DropBodies(SeenRequest& request, Ring& ring) {
  if (request.bodies != nullptr) {
    ring.body_bytes -= request.bodies->size();
    request.bodies = nullptr;
  }
}

void RequestInspector::Add(std::size_t worker, SeenRequest request) {
  Ring& ring = rings_[worker % kRings];
  const std::size_t bytes = request.bodies == nullptr ? 0 : request.bodies->size();
  const MutexLock lock(ring.mutex);
  const std::size_t place = ring.next;
  ring.next = (place + 1) % kKept;
  if (place < ring.records.size()) {
    DropBodies(ring.records[place], ring);
    ring.records[place] = std::move(request);
  } else {
    if (ring.records.empty()) {
      ring.records.reserve(kKept);
    }
    ring.records.push_back(std::move(request));
  }
  ring.body_bytes += bytes;
  if (ring.next < ring.records.size()) {
    WillBeWritten(ring.records[ring.next]);
  }
  // From the oldest on, until the rest fits.
  const std::size_t size = ring.records.size();
  for (std::size_t step = 1; ring.body_bytes > kBodyBytesKept && step < size; ++step) {
    DropBodies(ring.records[(place + step) % size], ring);
  }
}

void RequestInspector::Watch(Duration now) {
  watched_until_.store((now + kWatchedFor).count(), std::memory_order_relaxed);
}

std::vector<SeenRequest> RequestInspector::After(TimePoint time) const {
  std::vector<SeenRequest> found;
  for (const Ring& ring : rings_) {
    const MutexLock lock(ring.mutex);
    std::ranges::copy_if(ring.records, std::back_inserter(found),
                         [&](const SeenRequest& request) { return request.time > time; });
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &SeenRequest::time);
  found.resize(std::min(found.size(), kKept));
  return found;
}

std::optional<SeenRequest> RequestInspector::Find(std::string_view id) const {
  for (const Ring& ring : rings_) {
    const MutexLock lock(ring.mutex);
    const auto found = std::ranges::find_if(
        ring.records, [&](const SeenRequest& request) { return request.id.view() == id; });
    if (found != ring.records.end()) {
      return *found;
    }
  }
  return std::nullopt;
}

}  // namespace stator::server
