#include "wire/uri_text.h"

#include <cstddef>
#include <vector>

namespace stator::wire {
namespace {

bool IsUnreserved(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '-' || character == '.' ||
         character == '_' || character == '~';
}

// -1 for anything that is no hexadecimal digit.
int HexValue(char digit) {
  if (digit >= '0' && digit <= '9') {
    return digit - '0';
  }
  if (digit >= 'a' && digit <= 'f') {
    return digit - 'a' + 10;
  }
  if (digit >= 'A' && digit <= 'F') {
    return digit - 'A' + 10;
  }
  return -1;
}

}  // namespace

void AppendPercentEncoded(std::string_view text, std::string_view kept, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char character : text) {
    if (IsUnreserved(character) || kept.contains(character)) {
      out.push_back(character);
      continue;
    }
    const auto byte = static_cast<unsigned char>(character);
    out.push_back('%');
    out.push_back(kDigits[byte >> 4U]);
    out.push_back(kDigits[byte & 15U]);
  }
}

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && at + 2 < text.size()) {
      const int high = HexValue(text[at + 1]);
      const int low = HexValue(text[at + 2]);
      if (high >= 0 && low >= 0) {
        decoded.push_back(static_cast<char>(high * 16 + low));
        at += 2;
        continue;
      }
    }
    decoded.push_back(text[at]);
  }
  return decoded;
}

std::string NormalizedPath(std::string_view path) {
  std::vector<std::string_view> segments;
  bool ends_in_slash = true;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    ends_in_slash = end < path.size() || segment.empty() || segment == "." || segment == "..";
    if (segment == "..") {
      if (!segments.empty()) {
        segments.pop_back();
      }
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
    at = end + 1;
  }
  std::string normalized;
  for (const std::string_view segment : segments) {
    normalized.push_back('/');
    normalized.append(segment);
  }
  if (ends_in_slash || normalized.empty()) {
    normalized.push_back('/');
  }
  return normalized;
}

}  // namespace stator::wire
