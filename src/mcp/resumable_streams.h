// The streams of events that a client may come back to, by session and number.
//
// An event is named by its stream and its place in it, "STREAM-EVENT"; a client that comes back
// says the last name that it has seen.
//
// THREADS: belongs to the thread of the connections.

#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/http_stream.h"
#include "stator/base/clock.h"

namespace stator::mcp {

struct EventName {
  std::uint64_t stream = 0;
  std::uint64_t event = 0;
};

inline std::string ToText(const EventName& name) {
  return std::to_string(name.stream) + "-" + std::to_string(name.event);
}

inline std::optional<EventName> ParseEventName(std::string_view text) {
  EventName name;
  const std::size_t dash = text.find('-');
  if (dash == text.npos) {
    return std::nullopt;
  }
  const auto number = [](std::string_view digits, std::uint64_t& value) {
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    return error == std::errc() && rest == end && !digits.empty();
  };
  if (!number(text.substr(0, dash), name.stream) || !number(text.substr(dash + 1), name.event)) {
    return std::nullopt;
  }
  return name;
}

class ResumableStreams {
 public:
  void Add(const std::string& session, std::shared_ptr<HttpStream> stream) {
    const std::uint64_t number = stream->number();
    streams_[{session, number}] = {.stream = std::move(stream), .until = std::nullopt};
  }

  // Null when there is none. It is somebody's again.
  std::shared_ptr<HttpStream> Find(const std::string& session, std::uint64_t number) {
    const auto found = streams_.find({session, number});
    if (found == streams_.end() || !found->second.stream->IsOpen()) {
      return nullptr;
    }
    found->second.until.reset();
    return found->second.stream;
  }

  // Its connection is gone; it waits for another one.
  void Keep(const std::string& session, std::uint64_t number, Duration until) {
    if (const auto found = streams_.find({session, number}); found != streams_.end()) {
      found->second.until = until;
    }
  }

  // All that it had to say was said.
  void Remove(const std::string& session, std::uint64_t number) {
    streams_.erase({session, number});
  }

  // Gives up what nobody came back for, and what is closed.
  void Sweep(Duration now) {
    std::erase_if(streams_, [&](const auto& entry) {
      const Entry& kept = entry.second;
      const bool goes = (kept.until && *kept.until <= now) || !kept.stream->IsOpen();
      if (goes) {
        kept.stream->Shut();
      }
      return goes;
    });
  }

  void ShutAll() {
    for (const auto& [name, entry] : streams_) {
      entry.stream->Shut();
    }
    streams_.clear();
  }

 private:
  struct Entry {
    std::shared_ptr<HttpStream> stream;
    std::optional<Duration> until;  // absent while a connection writes
  };

  std::map<std::pair<std::string, std::uint64_t>, Entry> streams_;
};

}  // namespace stator::mcp
