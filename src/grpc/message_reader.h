// Messages of gRPC in the body of a request or an answer.
//
// FORMAT: a byte that says whether the message is compressed, its length in four bytes, the greatest
// first, the message. A request of a call that streams nothing to the server is one message.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grpc/status.h"

namespace stator::grpc {

// Appends `message` with what stands before it. REQUIRES: it has less than 4 GiB.
void AppendFramed(std::string_view message, std::string& out);

// Takes the one message of a request as it arrives. Memory grows with what has come, not with what was
// announced. THREADS: one at a time.
class MessageReader {
 public:
  explicit MessageReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Why the request cannot be answered, as soon as that is clear; it must not be called again then.
  std::optional<Status> Take(std::string_view bytes);
  // The same when the client has sent all of it.
  [[nodiscard]] std::optional<Status> End() const;

  // Of the message that has come so far.
  [[nodiscard]] std::size_t size() const { return message_.size(); }
  // REQUIRES: End() said nothing.
  std::string TakeMessage() { return std::move(message_); }

 private:
  static constexpr std::size_t kPrefixBytes = 5;

  // Of a whole prefix.
  std::optional<Status> CheckPrefix();

  const std::size_t bytes_max_;
  std::array<char, kPrefixBytes> prefix_{};
  std::size_t prefix_size_ = 0;
  std::size_t announced_ = 0;
  std::string message_;
};

}  // namespace stator::grpc
