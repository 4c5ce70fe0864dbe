#include "blobs/blob_key.h"

#include <algorithm>

#include "base/digest.h"
#include "stator/blobs/blob_store.h"

namespace stator {
namespace {

constexpr std::string_view kEnding = ".bin";
constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kKeyBytesMax = 1024;  // S3's limit

bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_';
}

std::string ToHex(std::string_view bytes, const char* digits) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text.push_back(digits[byte >> 4U]);
    text.push_back(digits[byte & 0xFU]);
  }
  return text;
}

// Parts that are "." or ".." mean something to file systems, so a dot at the beginning is encoded.
std::string EncodeFolder(std::string_view folder) {
  std::string text;
  bool part_begins = true;
  for (const char c : folder) {
    if (c == '/' || IsPlain(c) || (c == '.' && !part_begins)) {
      text.push_back(c);
    } else {
      text += "%" + ToHex({&c, 1}, "0123456789ABCDEF");
    }
    part_begins = c == '/';
  }
  return text;
}

bool IsDigest(std::string_view text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

std::string MakeBlobKey(std::string_view folder, std::string_view bytes) {
  return EncodeFolder(folder) + "/" + ToHex(base::Sha256(bytes), "0123456789abcdef") +
         std::string(kEnding);
}

bool IsBlobKey(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || key.size() > kKeyBytesMax ||
      !key.ends_with(kEnding)) {
    return false;
  }
  const std::string_view folder = key.substr(0, slash);
  const bool plain = std::all_of(folder.begin(), folder.end(), [](char c) {
    return IsPlain(c) || c == '/' || c == '%' || c == '.';
  });
  return plain && folder.front() != '/' && folder.front() != '.' &&
         folder.find("/.") == std::string_view::npos &&
         folder.find("//") == std::string_view::npos &&
         IsDigest(key.substr(slash + 1, key.size() - slash - 1 - kEnding.size()));
}

namespace blobs {

Result<void> CheckBlobKey(std::string_view key) {
  if (!IsBlobKey(key)) {
    return Invalid("not the key of a blob");
  }
  return {};
}

Result<void> CheckDigest(std::string_view key, std::string_view bytes) {
  if (!key.ends_with("/" + ToHex(base::Sha256(bytes), "0123456789abcdef") + std::string(kEnding))) {
    return Fail(ErrorCode::kCorruption,
                "blob " + std::string(key) + " has other bytes than it had");
  }
  return {};
}

}  // namespace blobs
}  // namespace stator
