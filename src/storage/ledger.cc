#include "storage/ledger.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "storage/crc32c.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

constexpr std::string_view kHead = "ledger ";
constexpr std::string_view kChecksum = "crc ";
constexpr std::string_view kDurable = "durable";
constexpr std::string_view kRelaxed = "relaxed";

// Of a checksum, its name and the end of the line.
constexpr std::size_t kEndBytes = kChecksum.size() + 8 + 1;

std::string Hex(std::uint32_t number) {
  std::string text(8, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4U) {
    *digit = "0123456789abcdef"[number & 0xFU];
  }
  return text;
}

std::string Encode(const LedgerState& state) {
  std::string text(kHead);
  text.append(std::to_string(state.number)).append(" ");
  text.append(state.durability == Durability::kDurable ? kDurable : kRelaxed).append(" ");
  // From the newest on: should they ever not fit, it is old ones that nobody watches.
  for (auto file = state.files.rbegin(); file != state.files.rend(); ++file) {
    const std::string entry = file->first + ":" + std::to_string(file->second) + " ";
    if (text.size() + entry.size() + kEndBytes > kLedgerPlaceBytes) {
      break;
    }
    text += entry;
  }
  const std::uint32_t checksum = Crc32c(text);
  text.append(kChecksum).append(Hex(checksum)).append("\n");
  return text;
}

// Takes what stands before the next space, and the space.
std::string_view TakeWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool ParseNumber(std::string_view text, std::uint64_t& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<LedgerState> ParsePlace(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  const std::size_t checksum_at = text.rfind(kChecksum);
  std::uint64_t checksum = 0;
  if (!text.starts_with(kHead) || checksum_at == std::string_view::npos ||
      !ParseNumber(text.substr(checksum_at + kChecksum.size()), checksum, 16) ||
      Crc32c(text.substr(0, checksum_at)) != checksum) {
    return std::nullopt;
  }
  text = text.substr(kHead.size(), checksum_at - kHead.size());
  LedgerState state;
  if (!ParseNumber(TakeWord(text), state.number)) {
    return std::nullopt;
  }
  const std::string_view durability = TakeWord(text);
  if (durability != kDurable && durability != kRelaxed) {
    return std::nullopt;
  }
  state.durability = durability == kDurable ? Durability::kDurable : Durability::kRelaxed;
  while (!text.empty()) {
    const std::string_view entry = TakeWord(text);
    const std::size_t colon = std::min(entry.find(':'), entry.size());
    std::uint64_t bytes = 0;
    if (colon == entry.size() || !ParseNumber(entry.substr(colon + 1), bytes)) {
      return std::nullopt;
    }
    state.files.emplace(entry.substr(0, colon), bytes);
  }
  return state;
}

}  // namespace

std::string NewLedger(std::string_view first_line) {
  CHECK(first_line.size() < kLedgerPlaces[0]);
  std::string contents(first_line);
  contents.resize(kLedgerFileBytes, '\n');
  const std::string empty = Encode({.number = 1});
  std::ranges::copy(empty, contents.begin() + kLedgerPlaces[1]);
  CHECK(ParseLedger(contents).has_value());
  return contents;
}

std::optional<LedgerState> ParseLedger(std::string_view contents_of_file) {
  std::optional<LedgerState> newest;
  std::size_t next_place = 0;
  for (std::size_t at = 0; at < std::size(kLedgerPlaces); ++at) {
    if (contents_of_file.size() != kLedgerFileBytes) {
      return std::nullopt;
    }
    std::optional<LedgerState> found =
        ParsePlace(contents_of_file.substr(kLedgerPlaces[at], kLedgerPlaceBytes));
    if (found && (!newest || found->number > newest->number)) {
      newest = std::move(found);
      next_place = at == 0 ? 1 : at == 1 ? 0 : next_place;
    }
  }
  if (newest) {
    newest->next_place = next_place;
  }
  return newest;
}

Result<std::unique_ptr<Ledger>> Ledger::Open(rocksdb::FileSystem& files, const std::string& path,
                                             LedgerState state) {
  std::unique_ptr<rocksdb::FSRandomRWFile> file;
  TRY_VOID(ToResult(files.NewRandomRWFile(path, {}, &file, nullptr), "opening \"" + path + "\""));
  return std::make_unique<Ledger>(files, path, std::move(file), std::move(state));
}

Ledger::Ledger(rocksdb::FileSystem& files, std::string path,
               std::unique_ptr<rocksdb::FSRandomRWFile> file, LedgerState state)
    : files_(files),
      path_(std::move(path)),
      identity_(IdentityOf(path_)),
      file_(std::move(file)),
      state_(std::move(state)) {}

std::optional<Ledger::Identity> Ledger::IdentityOf(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) {
    return std::nullopt;
  }
  return Identity{.device = found.st_dev, .number = found.st_ino};
}

rocksdb::IOStatus Ledger::CheckPlace() const {
  const bool is_there =
      identity_ ? IdentityOf(path_) == identity_ : files_.FileExists(path_, {}, nullptr).ok();
  return is_there ? rocksdb::IOStatus::OK()
                  : rocksdb::IOStatus::IOError(
                        path_,
                        "is not there any more: the directory was removed, moved or locked "
                        "away; put it back");
}

rocksdb::IOStatus Ledger::Note(const std::string& name, std::uint64_t bytes) {
  const MutexLock lock(mutex_);
  const auto [entry, added] = state_.files.try_emplace(name, 0);
  CHECK_THAT(bytes >= entry->second, name);  // what is on the disk does not become less
  entry->second = bytes;
  if (rocksdb::IOStatus written = Write(/*sync=*/added || is_behind_); !written.ok()) {
    return written;
  }
  return CheckPlace();
}

rocksdb::IOStatus Ledger::Forget(const std::string& name) {
  const MutexLock lock(mutex_);
  const bool is_known = state_.files.erase(name) != 0;
  // What an earlier call could not get to the disk is demanded there still.
  return is_known || is_behind_ ? Write(/*sync=*/true) : rocksdb::IOStatus::OK();
}

rocksdb::IOStatus Ledger::Sync() {
  const MutexLock lock(mutex_);
  return Write(/*sync=*/true);
}

rocksdb::IOStatus Ledger::ReplaceFirstLine(std::string_view line) {
  CHECK(line.size() < kLedgerPlaces[0] && line.ends_with('\n'));
  const MutexLock lock(mutex_);
  rocksdb::IOStatus written =
      file_->Write(0, rocksdb::Slice(line.data(), line.size()), {}, nullptr);
  return written.ok() ? file_->Sync({}, nullptr) : written;
}

rocksdb::IOStatus Ledger::Write(bool sync) {
  state_.number += 1;
  const std::string text = Encode(state_);
  CHECK(text.size() <= kLedgerPlaceBytes);
  CHECK_THAT(state_.next_place < 2, "the third place is for what is not synced");
  const std::size_t place = sync ? state_.next_place : 2;
  rocksdb::IOStatus written = file_->Write(kLedgerPlaces[place], text, {}, nullptr);
  if (written.ok() && sync) {
    written = file_->Sync({}, nullptr);
    // After a failure the other place stays what it is: it may be the only good one.
    state_.next_place = written.ok() ? 1 - state_.next_place : state_.next_place;
  }
  is_behind_ = !written.ok() || (is_behind_ && !sync);
  return written;
}

}  // namespace stator::storage
