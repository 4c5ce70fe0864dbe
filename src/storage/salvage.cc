#include "storage/salvage.h"

#include <rocksdb/db.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "storage/rocksdb_options.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

namespace fs = std::filesystem;

bool IsData(const fs::path& file) {
  return file.extension() == ".sst" || file.extension() == ".log";
}

bool HasData(const std::string& path) {
  std::error_code failed;
  fs::directory_iterator files(path, failed);
  return !failed && std::any_of(fs::begin(files), fs::end(files),
                                [](const auto& entry) { return IsData(entry.path()); });
}

// Everything but what RepairDB makes anew.
Result<void> CopyFiles(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  for (fs::directory_iterator entry(from, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (IsData(entry->path())) {
      fs::copy_file(entry->path(), to / entry->path().filename(), failed);
    }
  }
  if (failed) {
    return Fail(ErrorCode::kIo,
                "copying " + from.string() + " to " + to.string() + " failed: " + failed.message());
  }
  return {};
}

Result<void> MakeListOfTables(const StoreOptions& options, const std::string& path) {
  const rocksdb::Options settings = MakeRocksDbOptions(options, rocksdb::Env::Default(), nullptr);
  TRY_VOID(ToResult(rocksdb::RepairDB(path, settings), "making a list of tables"));
  std::ofstream marker(fs::path(path) / "STATOR", std::ios::binary);
  marker << "stator database, format " << options.format_version << "\n" << std::flush;
  return marker ? Result<void>() : Fail(ErrorCode::kIo, "writing to \"" + path + "\" failed");
}

// Half way between two strings of bytes, read as fractions. At least one byte longer than both, so
// that halving ends where they meet.
std::string Midpoint(std::string_view low, std::string_view high) {
  const std::size_t bytes = std::max(low.size(), high.size()) + 1;
  const auto at = [](std::string_view text, std::size_t index) -> unsigned {
    return index < text.size() ? static_cast<std::uint8_t>(text[index]) : 0;
  };
  std::string sum(bytes, '\0');
  unsigned carry = 0;
  for (std::size_t index = bytes; index-- > 0;) {
    const unsigned both = at(low, index) + at(high, index) + carry;
    sum[index] = static_cast<char>(both & 0xFFU);
    carry = both >> 8U;
  }
  unsigned rest = carry;  // what the first byte inherits
  for (char& byte : sum) {
    const unsigned whole = (rest << 8U) | static_cast<std::uint8_t>(byte);
    byte = static_cast<char>(whole >> 1U);
    rest = whole & 1U;
  }
  return sum;
}

// The first key from `from` on, when it can be read.
std::optional<std::string> KeyFrom(const Store& store, const std::string& from) {
  Cursor cursor = store.NewCursor(nullptr, from, "");
  cursor.SeekToFirst();
  return cursor.Valid() ? std::optional<std::string>(cursor.key()) : std::nullopt;
}

// The first key behind `last` and what cannot be read behind it; nothing when that is the end.
std::optional<std::string> KeyBehindGap(const Store& store, const std::string& last) {
  std::optional<std::string> found;
  // Ever larger jumps: the last byte is raised, then the one before, and so on.
  for (std::size_t bytes = last.size(); bytes > 0 && !found; --bytes) {
    std::string next = last.substr(0, bytes);
    if (static_cast<std::uint8_t>(next.back()) == 0xFF) {
      continue;
    }
    next.back() = static_cast<char>(static_cast<std::uint8_t>(next.back()) + 1);
    found = KeyFrom(store, next);
  }
  for (unsigned first = 1; first < 256 && last.empty() && !found; ++first) {
    found = KeyFrom(store, std::string(1, static_cast<char>(first)));
  }
  if (!found) {
    return std::nullopt;
  }
  // Back towards the gap by halves.
  std::string low = last;
  for (int halving = 0; halving < 200 && low < *found; ++halving) {
    std::string middle = Midpoint(low, *found);
    if (middle <= low || middle >= *found) {
      break;
    }
    if (std::optional<std::string> nearer = KeyFrom(store, middle); nearer && *nearer < *found) {
      found = std::move(nearer);
    } else {
      low = std::move(middle);
    }
  }
  return found;
}

}  // namespace

Result<Salvaged> OpenToSalvage(const StoreOptions& options, const std::string& scratch) {
  StoreOptions reading = options;
  reading.read_only = true;
  reading.create_if_missing = false;
  reading.salvage = true;
  Result<std::unique_ptr<Store>> store = Store::Open(reading);
  if (store) {
    std::vector<std::string> losses = (*store)->Losses();
    return Salvaged{.store = std::move(*store), .losses = std::move(losses)};
  }
  if (!HasData(options.path)) {
    return std::unexpected(std::move(store).error());
  }
  TRY_VOID(CopyFiles(options.path, scratch));
  reading.path = scratch;
  TRY_VOID(MakeListOfTables(reading, scratch));
  Salvaged salvaged{.store = TRY(Store::Open(reading)), .losses = {store.error().message}};
  salvaged.losses.insert(salvaged.losses.end(), salvaged.store->Losses().begin(),
                         salvaged.store->Losses().end());
  return salvaged;
}

Result<std::uint64_t> VisitReadableRows(const Store& store, const RowVisitor& visit) {
  std::uint64_t gaps = 0;
  std::string last;
  std::optional<std::string> next = "";
  while (next) {
    Cursor cursor = store.NewCursor(nullptr, *next, "");
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      TRY_VOID(visit(cursor.key(), cursor.value()));
      last = cursor.key();
    }
    if (cursor.status()) {
      return gaps;
    }
    ++gaps;
    next = KeyBehindGap(store, last);
  }
  return gaps;
}

}  // namespace stator::storage
