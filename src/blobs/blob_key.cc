#include "blobs/blob_key.h"

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/hex.h"
#include "base/try.h"
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

// Parts that are "." or ".." mean something to file systems, so a dot at the beginning is encoded.
std::string EncodeFolder(std::string_view folder) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  bool part_begins = true;
  for (const char c : folder) {
    if (c == '/' || IsPlain(c) || (c == '.' && !part_begins)) {
      text.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text.append({'%', kDigits[byte >> 4U], kDigits[byte & 15U]});
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

std::string EncodeBlobFolder(std::string_view folder) {
  return EncodeFolder(folder);
}

std::string MakeBlobKey(std::string_view folder, std::string_view bytes) {
  return EncodeFolder(folder) + "/" + blobs::HexDigest(bytes) + std::string(kEnding);
}

bool IsBlobKey(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || key.size() > kKeyBytesMax ||
      !key.ends_with(kEnding)) {
    return false;
  }
  return blobs::IsBlobFolder(key.substr(0, slash)) &&
         IsDigest(key.substr(slash + 1, key.size() - slash - 1 - kEnding.size()));
}

Result<std::vector<std::string>> BlobStore::List(const std::string& folder) {
  std::vector<std::string> keys;
  for (BlobInfo& blob : TRY(Describe(folder))) {
    keys.push_back(std::move(blob.key));
  }
  return keys;
}

Result<std::size_t> RemoveUnusedBlobs(BlobStore& blobs, const std::string& folder,
                                      const std::set<std::string>& used, TimePoint before) {
  std::size_t removed = 0;
  for (const BlobInfo& blob : TRY(blobs.Describe(folder))) {
    if (!used.contains(blob.key) && blob.written_at < before) {
      TRY_VOID(blobs.Remove(blob.key));
      ++removed;
    }
  }
  return removed;
}

namespace blobs {

std::string HexDigest(std::string_view bytes) {
  return base::HexOf(base::Sha256(bytes));
}

std::string_view DigestOf(std::string_view key) {
  return key.substr(key.rfind('/') + 1, kDigestDigits);
}

bool IsBlobFolder(std::string_view folder) {
  const bool plain = std::all_of(folder.begin(), folder.end(), [](char c) {
    return IsPlain(c) || c == '/' || c == '%' || c == '.';
  });
  return plain && !folder.empty() && folder.front() != '/' && folder.front() != '.' &&
         folder.back() != '/' && folder.find("/.") == std::string_view::npos &&
         folder.find("//") == std::string_view::npos;
}

Result<void> CheckBlobKey(std::string_view key) {
  if (!IsBlobKey(key)) {
    return Invalid("not the key of a blob");
  }
  return {};
}

Result<void> CheckBlobFolder(std::string_view folder) {
  if (!IsBlobFolder(folder)) {
    return Invalid("not the folder of blobs");
  }
  return {};
}

Result<void> CheckNewBlob(std::string_view key, std::string_view bytes) {
  if (!IsBlobKey(key) || DigestOf(key) != HexDigest(bytes)) {
    return Invalid("not the key of that blob");
  }
  return {};
}

Result<void> CheckDigest(std::string_view key, std::string_view bytes) {
  if (DigestOf(key) != HexDigest(bytes)) {
    return Fail(ErrorCode::kCorruption,
                "blob " + std::string(key) + " has other bytes than it had");
  }
  return {};
}

}  // namespace blobs
}  // namespace stator
