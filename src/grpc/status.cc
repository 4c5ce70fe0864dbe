#include "grpc/status.h"

#include "base/base64.h"

namespace stator::grpc {

std::string ShortMessage(std::string_view message) {
  if (message.size() <= kStatusMessageBytesMax) {
    return std::string(message);
  }
  constexpr std::string_view kMore = "...";
  std::size_t end = kStatusMessageBytesMax - kMore.size();
  // Bytes that go on with a character begin with the bits 10.
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return std::string(message.substr(0, end)) + std::string(kMore);
}

std::string PercentEncoded(std::string_view message) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  text.reserve(message.size());
  for (const char character : message) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte <= 0x7E && character != '%') {
      text.push_back(character);
    } else {
      text.push_back('%');
      text.push_back(kDigits[byte >> 4U]);
      text.push_back(kDigits[byte & 0xFU]);
    }
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> TrailersOf(const Status& status) {
  std::vector<std::pair<std::string, std::string>> trailers = {
      {"grpc-status", std::to_string(static_cast<int>(status.code))}};
  if (!status.message.empty()) {
    trailers.emplace_back("grpc-message", PercentEncoded(ShortMessage(status.message)));
  }
  if (!status.details.empty()) {
    trailers.emplace_back("grpc-status-details-bin", base::EncodeBase64(status.details));
  }
  return trailers;
}

}  // namespace stator::grpc
