#include "grpc/message_reader.h"

#include <algorithm>

namespace stator::grpc {

void AppendFramed(std::string_view message, std::string& out) {
  const auto size = static_cast<std::uint32_t>(message.size());
  out.push_back('\0');
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out.push_back(static_cast<char>((size >> shift) & 0xFFU));
  }
  out += message;
}

std::optional<Status> MessageReader::CheckPrefix() {
  if (prefix_[0] != 0) {
    return Status{StatusCode::kUnimplemented, "compressed messages are not understood here"};
  }
  for (std::size_t index = 1; index < kPrefixBytes; ++index) {
    announced_ = announced_ << 8U | static_cast<unsigned char>(prefix_[index]);
  }
  if (announced_ > bytes_max_) {
    return Status{StatusCode::kResourceExhausted,
                  "a request has at most " + std::to_string(bytes_max_) +
                      " bytes; this one announces " + std::to_string(announced_)};
  }
  return std::nullopt;
}

std::optional<Status> MessageReader::Take(std::string_view bytes) {
  if (prefix_size_ < kPrefixBytes) {
    const std::size_t count = std::min(bytes.size(), kPrefixBytes - prefix_size_);
    std::copy_n(bytes.data(), count, prefix_.data() + prefix_size_);
    prefix_size_ += count;
    bytes.remove_prefix(count);
    if (prefix_size_ < kPrefixBytes) {
      return std::nullopt;
    }
    if (std::optional<Status> problem = CheckPrefix()) {
      return problem;
    }
  }
  if (bytes.size() > announced_ - message_.size()) {
    return Status{StatusCode::kUnimplemented, "a request of this method is one message"};
  }
  message_ += bytes;
  return std::nullopt;
}

std::optional<Status> MessageReader::End() const {
  if (prefix_size_ == 0) {
    return Status{StatusCode::kUnimplemented, "a request of this method is one message"};
  }
  if (prefix_size_ < kPrefixBytes || message_.size() < announced_) {
    return Status{StatusCode::kInvalidArgument, "the request ends within its message"};
  }
  return std::nullopt;
}

}  // namespace stator::grpc
