// Events into a store and out of it, and whether it is sound.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/print_line.h"
#include "stator/stores/events/maintenance.h"
#include "value/plain_json.h"

namespace stator::cli {

Result<int> AppendEvent(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  events::AppendOptions options{.append_id = arguments.append_id};
  if (arguments.no_match) {
    options.condition = events::AppendCondition{events::EventQuery{{.tags = arguments.tags}}};
  }
  const events::Appended appended = TRY(opened.store->Append({{.type = arguments.name,
                                                               .payload = arguments.payload,
                                                               .tags = arguments.tags,
                                                               .subject = arguments.subject}},
                                                             options));
  PrintEvent(TRY(opened.store->ReadEvent(appended.events.front().id)), arguments.json);
  // Its rows, and some that others left to be written, so that whoever looks finds them.
  constexpr std::uint64_t kSlots = 256;
  TRY_VOID(events::CatchUpView(*opened.store, kSlots));
  return kSuccess;
}

Result<int> VerifyStore(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  const events::VerifyReport report = TRY(events::VerifyEvents(*opened.store));
  if (arguments.json) {
    List problems;
    for (const std::string& problem : report.problems) {
      problems.emplace_back(problem);
    }
    PrintLine(value::ToPlainJson(Item{{"clean", report.clean()},
                                      {"events", report.events},
                                      {"tagRows", report.tag_rows},
                                      {"tags", report.tags},
                                      {"voidSlots", report.void_slots},
                                      {"problemCount", report.problem_count},
                                      {"problems", std::move(problems)}}));
  } else {
    for (const std::string& problem : report.problems) {
      PrintLine("problem: " + problem);
    }
    std::printf("%s: %llu events, %llu rows of %llu tags\n", report.clean() ? "clean" : "DAMAGED",
                static_cast<unsigned long long>(report.events),
                static_cast<unsigned long long>(report.tag_rows),
                static_cast<unsigned long long>(report.tags));
  }
  return report.clean() ? kSuccess : kFailure;
}

Result<int> ExportStore(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  TRY_VOID(events::ExportEvents(*opened.store, [](const std::string& line) -> Result<void> {
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size() ||
        std::fputc('\n', stdout) == EOF) {
      return Fail(ErrorCode::kIo, "cannot write to standard output");
    }
    return {};
  }));
  return kSuccess;
}

namespace {

// Whether everything that was exported came, and, where that can be told, is what the store has now.
Result<void> CompareWithExport(events::EventStore& store, const events::ImportReport& report,
                               bool without_end) {
  if (!report.end) {
    return without_end
               ? Result<void>()
               : Fail(
                     ErrorCode::kSerialization,
                     "the lines have no end, with which every export ends, so they may have broken "
                     "off. What came is imported. Import the whole export again, or say "
                     "--without-end for lines that are no export");
  }
  if (!report.is_whole_log || report.moved > 0 || TRY(store.CountEvents()) != report.end->events) {
    return {};  // The store has other events, too, or gave these other places.
  }
  if (TRY(events::DigestEvents(store)) != *report.end) {
    return Fail(ErrorCode::kCorruption, "the store does not have the events that were exported");
  }
  std::printf("the store has what was exported: %llu events, SHA-256 %s\n",
              static_cast<unsigned long long>(report.end->events), report.end->sha256.c_str());
  return {};
}

}  // namespace

Result<int> ImportStore(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  std::ifstream file;
  if (arguments.name != "-") {
    file.open(arguments.name);
    if (!file) {
      return Fail(ErrorCode::kIo, "cannot open " + arguments.name);
    }
  }
  std::istream& lines = arguments.name == "-" ? std::cin : file;
  const events::ImportReport report =
      TRY(events::ImportEvents(*opened.store, [&lines](std::string& line) -> Result<bool> {
        line.clear();
        while (line.empty() && std::getline(lines, line)) {
        }
        return !line.empty();
      }));
  TRY_VOID(events::CatchUpView(*opened.store));
  std::printf("%llu events appended, %llu lines\n",
              static_cast<unsigned long long>(report.appended),
              static_cast<unsigned long long>(report.lines));
  if (report.moved > 0) {
    std::printf("%llu have another sortable id, since they do not sort behind what was there\n",
                static_cast<unsigned long long>(report.moved));
  }
  TRY_VOID(CompareWithExport(*opened.store, report, arguments.without_end));
  return kSuccess;
}

Result<int> LookAfterView(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  TRY_VOID(arguments.rebuild ? events::RebuildView(*opened.store)
                             : events::CatchUpView(*opened.store));
  const events::BehindStatus status = TRY(events::ReadBehind(*opened.store));
  if (arguments.json) {
    PrintLine(value::ToPlainJson(Item{{"events", status.events},
                                      {"slots", status.slots},
                                      {"indexedEvents", status.indexed_events},
                                      {"hasView", status.has_view},
                                      {"viewedEvents", status.viewed_events}}));
    return kSuccess;
  }
  std::printf("%llu events in %llu slots, %llu of them indexed, ",
              static_cast<unsigned long long>(status.events),
              static_cast<unsigned long long>(status.slots),
              static_cast<unsigned long long>(status.indexed_events));
  if (status.has_view) {
    std::printf("%llu in the view\n", static_cast<unsigned long long>(status.viewed_events));
  } else {
    std::printf("no view\n");
  }
  return kSuccess;
}

Result<int> SweepPayloads(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  std::printf("%zu payloads removed\n", TRY(events::SweepPayloads(*opened.store)));
  return kSuccess;
}

}  // namespace stator::cli
