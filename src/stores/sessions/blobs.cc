#include "stores/sessions/blobs.h"

namespace stator::sessions {

FoundBlobs FindBlobs(const SessionStoreCore& core, std::string_view session,
                     const std::vector<std::string>& folders) {
  FoundBlobs found;
  if (core.options.blobs == nullptr) {
    return found;
  }
  if (folders.empty()) {
    found.folders.push_back(EncodeBlobFolder(session));
  }
  for (const std::string& folder : folders) {
    found.folders.push_back(EncodeBlobFolder(std::string(session) + "/" + folder));
  }
  for (const std::string& folder : found.folders) {
    const Result<std::vector<BlobInfo>> blobs = core.options.blobs->Describe(folder);
    if (!blobs) {
      found.unreadable.push_back(folder + "/");
      continue;
    }
    for (const BlobInfo& blob : *blobs) {
      found.written_at.emplace(blob.key, blob.written_at);
    }
  }
  return found;
}

CleanedBlobs RemoveBlobs(const SessionStoreCore& core, const FoundBlobs& found) {
  CleanedBlobs cleaned{.remaining = found.unreadable};
  for (const std::string& folder : found.folders) {
    const Result<std::vector<BlobInfo>> blobs = core.options.blobs->Describe(folder);
    if (!blobs) {
      cleaned.remaining.push_back(folder + "/");
      continue;
    }
    for (const BlobInfo& blob : *blobs) {
      const auto before = found.written_at.find(blob.key);
      if (before == found.written_at.end() || before->second != blob.written_at) {
        continue;
      }
      if (core.options.blobs->Remove(blob.key)) {
        ++cleaned.removed;
      } else {
        cleaned.remaining.push_back(blob.key);
      }
    }
  }
  return cleaned;
}

}  // namespace stator::sessions
