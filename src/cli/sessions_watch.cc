#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <utility>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/sessions_actions.h"
#include "cli/stop_signals.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using sessions::Record;

// A wait is cut so that a stop is noticed.
constexpr Duration kWaitMax = std::chrono::milliseconds(200);

std::string JsonOf(const std::string& change, const Record& record) {
  Item item{{"change", change},
            {"kind", record.kind},
            {"id", record.id},
            {"state", record.state},
            {"rev", record.revision()}};
  if (record.progress) {
    item.Set("done", record.progress->done);
    item.Set("total", record.progress->total);
  }
  if (record.lease) {
    item.Set("worker", record.lease->worker);
  }
  return value::ToPlainJson(item);
}

// One watch: what was seen last, by kind and id.
class Watcher {
 public:
  Watcher(bool json, const std::function<void(const std::string&)>& print)
      : json_(json), print_(print) {}

  void Look(const sessions::Summary& summary) {
    std::map<std::string, Record> now;
    now.emplace("", summary.session);
    for (const Record& record : summary.records) {
      now.emplace(record.kind + "  " + record.id, record);
    }
    for (const auto& [key, record] : now) {
      const auto before = seen_.find(key);
      if (before == seen_.end()) {
        Print(first_ ? "is" : "new", record);
      } else if (LineOf(before->second) != LineOf(record)) {
        Print("changed", record);
      }
    }
    for (const auto& [key, record] : seen_) {
      if (!now.contains(key)) {
        Print("gone", record);
      }
    }
    seen_ = std::move(now);
    first_ = false;
  }

  void End(const std::string& why) {
    print_(json_ ? value::ToPlainJson(Item{{"change", "ended"}, {"why", why}}) : "ended: " + why);
  }

 private:
  void Print(const std::string& change, const Record& record) {
    print_(json_ ? JsonOf(change, record) : change + "  " + LineOf(record));
  }

  bool json_;
  const std::function<void(const std::string&)>& print_;
  std::map<std::string, Record> seen_;
  bool first_ = true;
};

}  // namespace

Result<void> Watch(const sessions::SessionStore& store, const WatchOptions& options,
                   const std::function<void(const std::string&)>& print) {
  const sessions::Session session = TRY(Plain(store.AsWorker(options.session)));
  Watcher watcher(options.json, print);
  while (!options.stop.stop_requested()) {
    const Result<sessions::Summary> summary = Plain(session.Load());
    if (!summary) {
      // Expired, or another session of that id by now.
      if (summary.error().code == ErrorCode::kNotFound ||
          summary.error().code == ErrorCode::kStale) {
        watcher.End(summary.error().message);
        return {};
      }
      return std::unexpected(summary.error());
    }
    watcher.Look(*summary);
    const Duration until = options.clock->Elapsed() + options.interval;
    for (Duration now = options.clock->Elapsed(); now < until && !options.stop.stop_requested();
         now = options.clock->Elapsed()) {
      options.clock->SleepFor(std::min(kWaitMax, until - now));
    }
  }
  return {};
}

Result<int> WatchSessions(const SessionsArguments& arguments) {
  const std::stop_token stop = StopOnSignal();
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  TRY_VOID(Watch(*opened.store,
                 {.session = arguments.session,
                  .interval = std::chrono::duration_cast<Duration>(
                      std::chrono::duration<double>(arguments.interval)),
                  .json = arguments.json,
                  .stop = stop},
                 [](const std::string& line) {
                   PrintLine(line);
                   std::fflush(stdout);  // somebody waits for it, perhaps behind a pipe
                 }));
  return kSuccess;
}

}  // namespace stator::cli
