#include "storage/log_scan.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "base/try.h"
#include "storage/crc32c.h"
#include "storage/log_format.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

struct Fragment {
  FragmentType type = FragmentType::kDamaged;
  std::size_t bytes = 0;  // with its head; 0 when not even that can be told
};

std::uint32_t LittleEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t at = bytes.size(); at-- > 0;) {
    number = (number << 8U) | static_cast<std::uint8_t>(bytes[at]);
  }
  return number;
}

// REQUIRES: `rest` has at least a head.
Fragment ReadFragment(std::string_view rest) {
  CHECK(rest.size() >= kLogHeadBytes);
  const std::uint32_t checksum = LittleEndian(rest.substr(0, 4));
  const std::size_t length = LittleEndian(rest.substr(4, 2));
  const auto type = static_cast<std::uint8_t>(rest[6]);
  if (type < 1 || type > 4 || kLogHeadBytes + length > rest.size()) {
    return {};
  }
  const std::size_t bytes = kLogHeadBytes + length;
  if (MaskedCrc32c(rest.substr(6, 1 + length)) != checksum) {
    return {.type = FragmentType::kDamaged, .bytes = bytes};
  }
  return {.type = static_cast<FragmentType>(type), .bytes = bytes};
}

// How far it is to the next write that begins and is whole; everything, when there is none. For
// when damage leaves nobody to tell where the next fragment is.
std::size_t BytesBeforeNextWrite(std::string_view rest) {
  for (std::size_t at = 1; at + kLogHeadBytes <= rest.size(); ++at) {
    const FragmentType type = ReadFragment(rest.substr(at)).type;
    if (type == FragmentType::kFull || type == FragmentType::kFirst) {
      return at;
    }
  }
  return rest.size();
}

class Scanner {
 public:
  void Block(std::string_view block) {
    CHECK(block.size() <= kLogBlockBytes);
    const std::uint64_t begin = scan_.bytes;
    scan_.bytes += block.size();
    std::size_t at = 0;
    while (at + kLogHeadBytes <= block.size()) {
      const Fragment fragment = ReadFragment(block.substr(at));
      at += fragment.bytes;
      Take(fragment.type, begin + at);
      if (fragment.bytes == 0) {
        at += BytesBeforeNextWrite(block.substr(at));
      }
    }
    const bool filled =
        std::ranges::all_of(block.substr(at), [](char byte) { return byte == '\0'; });
    damaged_ = damaged_ || !filled;
  }

  [[nodiscard]] LogScan result() const {
    LogScan scan = scan_;
    // The fill at the end of a block is written with the block after it.
    if (!damaged_ && !in_write_ && scan.bytes - scan.whole < kLogHeadBytes) {
      scan.whole = scan.bytes;
    }
    return scan;
  }

 private:
  void Take(FragmentType type, std::uint64_t end) {
    const bool begins = type == FragmentType::kFull || type == FragmentType::kFirst;
    if (damaged_) {
      scan_.goes_on_behind = scan_.goes_on_behind || begins;
      return;
    }
    if (type == FragmentType::kDamaged || begins == in_write_) {
      damaged_ = true;
      // A write that begins inside another says that the other was not the last.
      scan_.goes_on_behind = begins;
      return;
    }
    in_write_ = type == FragmentType::kFirst || type == FragmentType::kMiddle;
    if (!in_write_) {
      DCHECK(end > scan_.whole && end <= scan_.bytes);
      scan_.whole = end;
      scan_.writes += 1;
    }
  }

  LogScan scan_;
  bool in_write_ = false;  // between the first and the last fragment of a write
  bool damaged_ = false;
};

}  // namespace

Result<LogScan> ScanLog(rocksdb::FileSystem& files, const std::string& path) {
  const std::string doing = "reading \"" + path + "\"";
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  TRY_VOID(ToResult(files.NewSequentialFile(path, {}, &file, nullptr), doing));
  Scanner scanner;
  std::string scratch(kLogBlockBytes, '\0');
  rocksdb::Slice block;
  do {
    TRY_VOID(ToResult(file->Read(scratch.size(), {}, &block, scratch.data(), nullptr), doing));
    scanner.Block({block.data(), block.size()});
  } while (block.size() == kLogBlockBytes);
  return scanner.result();
}

}  // namespace stator::storage
