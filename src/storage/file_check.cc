#include "storage/file_check.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "storage/log_scan.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

constexpr std::string_view kLogEnding = ".log";
constexpr std::string_view kManifest = "MANIFEST-";

bool IsLog(std::string_view name) {
  return name.ends_with(kLogEnding);
}

std::string Text(std::uint64_t number) {
  return std::to_string(number);
}

std::uint64_t NumberOf(std::string_view log) {
  std::uint64_t number = 0;
  std::from_chars(log.data(), log.data() + log.size(), number);
  return number;
}

class Checker {
 public:
  Checker(rocksdb::FileSystem& files, const std::string& path, const LedgerState* ledger)
      : files_(files), path_(path), has_ledger_(ledger != nullptr) {
    if (ledger != nullptr) {
      check_.ledger = *ledger;
    }
  }

  Result<FileCheck> Run() {
    const std::vector<std::string> names = TRY(Names());
    const std::string current = CurrentManifest();
    for (const std::string& name : names) {
      if (name == current || (name.starts_with(kManifest) && Demanded(name) > 0)) {
        TRY_VOID(CheckFile(name));
      }
    }
    if (current.starts_with(kManifest) && std::ranges::find(names, current) == names.end()) {
      Lose(current, "is missing, and the file CURRENT names it");
      check_.ledger.files.erase(current);
    }
    FindMissing(names, [](std::string_view name) { return !IsLog(name); });
    // From here on a loss ends the log.
    lost_in_log_ = false;
    std::vector<std::string> logs;
    std::ranges::copy_if(names, std::back_inserter(logs), IsLog);
    // Those that are missing have their turn, too: what is behind them does not count.
    for (const auto& [name, bytes] : check_.ledger.files) {
      if (IsLog(name) && std::ranges::find(logs, name) == logs.end()) {
        logs.push_back(name);
      }
    }
    std::ranges::sort(logs, {}, NumberOf);
    for (const std::string& log : logs) {
      if (std::ranges::find(names, log) == names.end()) {
        Miss(log);
      } else {
        TRY_VOID(CheckFile(log));
      }
    }
    return std::move(check_);
  }

 private:
  [[nodiscard]] std::string PathOf(const std::string& name) const {
    return (std::filesystem::path(path_) / name).string();
  }

  Result<std::vector<std::string>> Names() {
    std::vector<std::string> names;
    TRY_VOID(ToResult(files_.GetChildren(path_, {}, &names, nullptr), "listing \"" + path_ + "\""));
    return names;
  }

  // The list of tables that counts; empty when none can be told, which RocksDB refuses.
  std::string CurrentManifest() {
    std::string name;
    if (!rocksdb::ReadFileToString(&files_, PathOf("CURRENT"), &name).ok()) {
      return "";
    }
    while (name.ends_with('\n')) {
      name.pop_back();
    }
    return name;
  }

  [[nodiscard]] std::uint64_t Demanded(const std::string& name) const {
    const auto found = check_.ledger.files.find(name);
    return found == check_.ledger.files.end() ? 0 : found->second;
  }

  void Lose(const std::string& name, const std::string& what) {
    check_.losses.push_back((IsLog(name) ? "the log " : "the list of tables ") + name + " in \"" +
                            path_ + "\" " + what);
    lost_in_log_ = true;
    check_.list_is_damaged = check_.list_is_damaged || !IsLog(name);
  }

  void Miss(const std::string& name) {
    if (const std::uint64_t demanded = Demanded(name); demanded > 0) {
      Lose(name, "is missing: " + Text(demanded) + " bytes of acknowledged writes");
    }
    check_.ledger.files.erase(name);
  }

  template <class Which>
  void FindMissing(const std::vector<std::string>& names, const Which& which) {
    std::vector<std::string> missing;
    for (const auto& [name, bytes] : check_.ledger.files) {
      if (which(name) && std::ranges::find(names, name) == names.end()) {
        missing.push_back(name);
      }
    }
    std::ranges::for_each(missing, [this](const std::string& name) { Miss(name); });
  }

  Result<void> CheckFile(const std::string& name) {
    const LogScan scan = TRY(ScanLog(files_, PathOf(name)));
    if (IsLog(name) && lost_in_log_) {
      if (scan.writes > 0) {
        Lose(name, "has " + Text(scan.writes) + " writes that came after what is lost");
      }
      check_.cuts[name] = 0;
      return {};
    }
    const std::uint64_t demanded = Demanded(name);
    const bool is_relaxed = IsLog(name) && check_.ledger.durability == Durability::kRelaxed;
    if (scan.bytes < demanded) {
      Lose(name, "was cut off after " + Text(scan.bytes) + " bytes of at least " + Text(demanded));
    } else if (scan.whole < demanded || (scan.goes_on_behind && !(has_ledger_ && is_relaxed))) {
      Lose(name, "is damaged at byte " + Text(scan.whole) + " of " + Text(scan.bytes) +
                     ": acknowledged writes are there or behind");
    }
    if (!scan.is_whole()) {
      check_.cuts[name] = scan.whole;
    }
    return {};
  }

  rocksdb::FileSystem& files_;
  const std::string& path_;
  const bool has_ledger_;
  bool lost_in_log_ = false;
  FileCheck check_;
};

}  // namespace

Result<FileCheck> CheckFiles(rocksdb::FileSystem& files, const std::string& path,
                             const LedgerState* ledger) {
  return Checker(files, path, ledger).Run();
}

}  // namespace stator::storage
