#include "keyspace/format_version.h"

#include "base/big_endian.h"

namespace stator::keyspace {

std::string EncodeFormatVersion(std::uint32_t version) {
  std::string row;
  base::AppendBigEndian(version, row);
  return row;
}

Result<std::uint32_t> DecodeFormatVersion(std::string_view row) {
  std::uint32_t version = 0;
  if (!base::TakeBigEndian(row, version) || !row.empty() || version == 0) {
    return Fail(ErrorCode::kCorruption, "the format version on disk is damaged");
  }
  if (version > kFormatVersion) {
    return Fail(ErrorCode::kIo, "the data was written by a newer version of Stator (format " +
                                    std::to_string(version) + ", this one reads up to " +
                                    std::to_string(kFormatVersion) + ")");
  }
  return version;
}

}  // namespace stator::keyspace
