#include "storage/directory.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/try.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

constexpr std::string_view kMarkerName = "STATOR";
constexpr std::string_view kTemporaryMarkerName = "STATOR.new";
constexpr std::string_view kMarkerText = "stator database, format ";
constexpr std::size_t kMarkerBytesMax = kLedgerFileBytes + 1;

std::string Join(const std::string& directory, std::string_view name) {
  return (std::filesystem::path(directory) / name).string();
}

std::string Quoted(const std::string& path) {
  return "\"" + path + "\"";
}

// The names in the directory; empty also when there is no such directory.
Result<std::vector<std::string>> NamesIn(rocksdb::FileSystem& files, const std::string& path) {
  std::vector<std::string> names;
  if (!files.FileExists(path, {}, nullptr).ok()) {
    return names;
  }
  TRY_VOID(ToResult(files.GetChildren(path, {}, &names, nullptr), "listing " + Quoted(path)));
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  return names;
}

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// What a crash while the directory was made can leave, and what file systems put into new ones.
bool MayBeInNewDirectory(const std::string& name) {
  return name == kTemporaryMarkerName || name == "LOCK" || name == "lost+found";
}

Result<void> SyncDirectory(rocksdb::FileSystem& files, const std::string& path) {
  std::unique_ptr<rocksdb::FSDirectory> directory;
  TRY_VOID(ToResult(files.NewDirectory(path, {}, &directory, nullptr), "opening " + Quoted(path)));
  return ToResult(directory->Fsync({}, nullptr), "syncing " + Quoted(path));
}

Result<void> MakeDirectories(rocksdb::FileSystem& files, const std::string& path) {
  std::filesystem::path made;
  for (const std::filesystem::path& step : std::filesystem::path(path)) {
    const std::filesystem::path parent = made.empty() ? "." : made;
    made /= step;
    if (files.FileExists(made.string(), {}, nullptr).ok()) {
      continue;
    }
    TRY_VOID(ToResult(files.CreateDirIfMissing(made.string(), {}, nullptr),
                      "making " + Quoted(made.string())));
    TRY_VOID(SyncDirectory(files, parent.string()));
  }
  return {};
}

Result<void> WriteMarker(rocksdb::FileSystem& files, const StoreOptions& options,
                         const std::string& text) {
  const std::string temporary = Join(options.path, kTemporaryMarkerName);
  const std::string doing = "writing " + Quoted(temporary);
  std::unique_ptr<rocksdb::FSWritableFile> file;
  TRY_VOID(ToResult(files.NewWritableFile(temporary, {}, &file, nullptr), doing));
  TRY_VOID(ToResult(file->Append(text, {}, nullptr), doing));
  TRY_VOID(ToResult(file->Fsync({}, nullptr), doing));
  TRY_VOID(ToResult(file->Close({}, nullptr), doing));
  TRY_VOID(
      ToResult(files.RenameFile(temporary, Join(options.path, kMarkerName), {}, nullptr), doing));
  return SyncDirectory(files, options.path);
}

Result<std::string> ReadMarker(rocksdb::FileSystem& files, const std::string& directory) {
  const std::string path = Join(directory, kMarkerName);
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  TRY_VOID(ToResult(files.NewSequentialFile(path, {}, &file, nullptr), "opening " + Quoted(path)));
  std::string text(kMarkerBytesMax, '\0');
  rocksdb::Slice read;
  TRY_VOID(ToResult(file->Read(text.size(), {}, &read, text.data(), nullptr),
                    "reading " + Quoted(path)));
  return read.ToString();
}

// The version in the first line, which is taken from `text`; 0 when there is no such line.
std::uint32_t TakeFormat(std::string_view& text) {
  if (!text.starts_with(kMarkerText)) {
    return 0;
  }
  std::uint32_t format = 0;
  text.remove_prefix(kMarkerText.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), format);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() && text.starts_with('\n') ? format : 0;
}

Result<std::optional<LedgerState>> CheckMarker(rocksdb::FileSystem& files,
                                               const StoreOptions& options) {
  const std::string text = TRY(ReadMarker(files, options.path));
  std::string_view rest = text;
  const std::uint32_t format = TakeFormat(rest);
  const bool good = format > 0;
  if (good && format > options.format_version) {
    return Fail(ErrorCode::kIo, Quoted(options.path) +
                                    " was written by a newer version of Stator (format " +
                                    std::to_string(format) + ", this one reads up to " +
                                    std::to_string(options.format_version) + ")");
  }
  if (good && rest == "\n") {
    return std::nullopt;
  }
  std::optional<LedgerState> ledger;
  if (good) {
    ledger = ParseLedger(text);
  }
  if (!ledger) {
    return Fail(ErrorCode::kCorruption, "the file STATOR in " + Quoted(options.path) +
                                            " is damaged; nothing was changed; " +
                                            Remedy(options.path));
  }
  return ledger;
}

// Without CURRENT RocksDB would begin anew and remove the files that it does not know.
Result<void> CheckNothingIsMissing(const std::vector<std::string>& names, const std::string& path) {
  const bool has_data = std::ranges::any_of(names, [](const std::string& name) {
    return name.ends_with(".sst") || name.ends_with(".log");
  });
  if (has_data && !Contains(names, "CURRENT")) {
    return Fail(ErrorCode::kCorruption,
                "the file CURRENT in " + Quoted(path) +
                    " is missing, but there is data; nothing was changed; " + Remedy(path));
  }
  return {};
}

Result<void> RefuseForeignDirectory(const std::vector<std::string>& names,
                                    const std::string& path) {
  if (std::ranges::all_of(names, MayBeInNewDirectory)) {
    return {};
  }
  return Fail(
      ErrorCode::kIo,
      "the directory " + Quoted(path) +
          " is not a Stator database: it is not empty and has no file STATOR; nothing was changed");
}

// What is inside is the owner's alone, whatever the modes of the files. A directory that is not
// ours to change, a mounted volume, stays as it is.
void CloseToOthers(const std::string& path) {
  std::error_code ignored;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all, ignored);
}

// Calls `work` while the directory is locked.
template <class Work>
Result<void> WithLock(rocksdb::FileSystem& files, const StoreOptions& options, const Work& work) {
  rocksdb::FileLock* lock = nullptr;
  const std::string lock_path = Join(options.path, "LOCK");
  const rocksdb::IOStatus locked = files.LockFile(lock_path, {}, &lock, nullptr);
  if (IsHeldLock(locked)) {
    return Fail(ErrorCode::kIo,
                "the directory " + Quoted(options.path) + " is in use by another process");
  }
  TRY_VOID(ToResult(locked, "locking " + Quoted(lock_path)));
  Result<void> done = work();
  files.UnlockFile(lock, {}, nullptr).PermitUncheckedError();
  return done;
}

// Two processes may find the directory empty at the same moment; the lock lets one of them make it
// ours while the other waits outside.
Result<void> MakeOurs(rocksdb::FileSystem& files, const StoreOptions& options) {
  TRY_VOID(MakeDirectories(files, options.path));
  if (options.disk == nullptr && !options.in_memory) {
    CloseToOthers(options.path);
  }
  return WithLock(files, options, [&] {
    const std::string line = FirstLineOf(options.format_version);
    return WriteMarker(files, options, options.in_memory ? line : NewLedger(line));
  });
}

}  // namespace

std::string MarkerPath(const StoreOptions& options) {
  return Join(options.path, kMarkerName);
}

Result<std::uint32_t> FormatOf(rocksdb::FileSystem& files, const StoreOptions& options) {
  const std::string text = TRY(ReadMarker(files, options.path));
  std::string_view rest = text;
  return TakeFormat(rest);
}

std::string FirstLineOf(std::uint32_t format) {
  return std::string(kMarkerText) + std::to_string(format) + "\n";
}

std::string Remedy(const std::string& path) {
  return "put a copy of the directory in its place, or save what can be read with `stator check "
         "--repair-into NEW_DIRECTORY " +
         path + "`";
}

Result<void> CheckNotInUse(rocksdb::FileSystem& files, const StoreOptions& options) {
  return WithLock(files, options, [] { return Result<void>(); });
}

Result<void> AddLedger(rocksdb::FileSystem& files, const StoreOptions& options) {
  return WithLock(files, options, [&]() -> Result<void> {
    const std::string text = TRY(ReadMarker(files, options.path));
    // The line says which version wrote what is inside; and somebody may have been faster.
    return text.ends_with('\n') && text.find('\n') + 1 == text.size()
               ? WriteMarker(files, options, NewLedger(text))
               : Result<void>();
  });
}

Result<std::optional<LedgerState>> PrepareDirectory(rocksdb::FileSystem& files,
                                                    const StoreOptions& options) {
  if (options.path.empty()) {
    return Fail(ErrorCode::kIo, "the path of the database is empty");
  }
  const std::vector<std::string> names = TRY(NamesIn(files, options.path));
  if (Contains(names, kMarkerName)) {
    std::optional<LedgerState> ledger = TRY(CheckMarker(files, options));
    TRY_VOID(CheckNothingIsMissing(names, options.path));
    return ledger;
  }
  TRY_VOID(RefuseForeignDirectory(names, options.path));
  if (options.read_only || !options.create_if_missing) {
    return Fail(ErrorCode::kIo, "there is no Stator database in " + Quoted(options.path));
  }
  TRY_VOID(MakeOurs(files, options));
  return options.in_memory ? std::nullopt : std::optional(LedgerState{.number = 1});
}

}  // namespace stator::storage
