// How a call ends, in the words of gRPC.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::grpc {

// The numbers are gRPC's; those that nobody here says are left out.
enum class StatusCode : std::uint8_t {
  kOk = 0,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
};

struct Status {
  StatusCode code = StatusCode::kOk;
  std::string message = {};  // for people
  std::string details = {};  // bytes for programs, as the service has them; empty for none
};

// What a message may have: clients refuse trailers of more than 8 KB, in which it is perhaps twice and
// perhaps three times as long.
inline constexpr std::size_t kStatusMessageBytesMax = 1024;

// Its beginning, whole characters of UTF-8, if it is longer than that.
std::string ShortMessage(std::string_view message);

// For the trailer grpc-message: percent signs and what is not printable ASCII as %XX.
std::string PercentEncoded(std::string_view message);

// Names and values, in the order in which they are sent.
std::vector<std::pair<std::string, std::string>> TrailersOf(const Status& status);

}  // namespace stator::grpc
