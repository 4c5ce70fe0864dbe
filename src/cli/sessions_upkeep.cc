// What workers that died and invalidations that were cut off have left behind: of one session, or of
// all that live.

#include <limits>
#include <utility>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/sessions_actions.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

// One that ended meanwhile needs nothing any more, unless it was asked for by name.
template <class Work>
Result<int> ForEachSession(const SessionsArguments& arguments, const Work& work) {
  const OpenedSessions opened = TRY(OpenSessions(arguments));
  std::vector<std::string> ids = {arguments.session};
  if (arguments.session.empty()) {
    ids.clear();
    for (const sessions::SessionLine& line :
         TRY(Plain(opened.store->ListSessions(std::numeric_limits<std::size_t>::max())))) {
      ids.push_back(line.id);
    }
  }
  int code = kSuccess;
  for (const std::string& id : ids) {
    const Result<sessions::Session> session = Plain(opened.store->AsWorker(id));
    Result<void> done = session ? work(*opened.store, *session) : std::unexpected(session.error());
    if (done || (done.error().code == ErrorCode::kNotFound && arguments.session.empty())) {
      continue;
    }
    if (!arguments.session.empty()) {
      return std::unexpected(std::move(done).error());
    }
    // The others go on.
    PrintLine(id + ": " + done.error().message);
    code = kFailure;
  }
  return code;
}

}  // namespace

Result<int> SweepSessions(const SessionsArguments& arguments) {
  return ForEachSession(
      arguments,
      [&](const sessions::SessionStore&, const sessions::Session& session) -> Result<void> {
        const sessions::Invalidation swept = TRY(Plain(session.Sweep()));
        if (arguments.json) {
          PrintLine(value::ToPlainJson(
              Item{{"id", session.id()},
                   {"deleted", stator::List(swept.deleted.begin(), swept.deleted.end())}}));
          return {};
        }
        for (const std::string& key : swept.deleted) {
          PrintLine(session.id() + "  removed " + key);
        }
        return {};
      });
}

Result<int> HealSessions(const SessionsArguments& arguments) {
  return ForEachSession(
      arguments,
      [&](const sessions::SessionStore& store, const sessions::Session& session) -> Result<void> {
        const sessions::Summary summary = TRY(Plain(session.Load()));
        for (const sessions::Record& record : summary.records) {
          const sessions::KindSpec* const kind = store.workflow().FindKind(record.kind);
          if (kind == nullptr || kind->items.list.empty()) {
            continue;
          }
          const sessions::Completion healed = TRY(Plain(session.Heal(record.kind, record.id)));
          if (healed.progress == record.progress.value_or(sessions::Progress()) &&
              !healed.finished) {
            continue;
          }
          if (arguments.json) {
            PrintLine(value::ToPlainJson(Item{{"id", session.id()},
                                              {"kind", record.kind},
                                              {"record", record.id},
                                              {"done", healed.progress.done},
                                              {"total", healed.progress.total},
                                              {"finished", healed.finished}}));
          } else {
            PrintLine(session.id() + "  " + record.kind + "  " + record.id + "  " +
                      std::to_string(healed.progress.done) + " of " +
                      std::to_string(healed.progress.total) +
                      (healed.finished ? "  finished" : ""));
          }
        }
        return {};
      });
}

}  // namespace stator::cli
