#include "storage/resource_exhausted.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace stator::storage {

bool IsResourceExhausted(std::string_view why) {
  static constexpr int kErrors[] = {ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE};
  return std::ranges::any_of(kErrors, [&](int error) {
    return why.find(std::generic_category().message(error)) != std::string_view::npos;
  });
}

rocksdb::IOStatus AsFullDisk(rocksdb::IOStatus status) {
  if (status.IsNoSpace() || !IsResourceExhausted(status)) {
    return status;
  }
  return rocksdb::IOStatus::NoSpace(status.ToString());
}

rocksdb::IOStatus AsFullDiskForTable(rocksdb::IOStatus status) {
  if (!IsResourceExhausted(status)) {
    return status;
  }
  return rocksdb::status_to_io_status(rocksdb::Status::SpaceLimit(status.ToString()));
}

rocksdb::IOStatus AsBusyLog(rocksdb::IOStatus status) {
  if (status.IsBusy() || !IsResourceExhausted(status)) {
    return status;
  }
  return rocksdb::IOStatus::Busy(status.ToString());
}

}  // namespace stator::storage
