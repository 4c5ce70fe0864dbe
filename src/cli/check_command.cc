#include "cli/check_command.h"

#include <cstdio>
#include <string>

#include "engine/check_database.h"
#include "engine/repair_database.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

List Texts(const engine::CheckFindings& findings) {
  List texts;
  for (const std::string& text : findings.texts) {
    texts.emplace_back(text);
  }
  return texts;
}

std::string JsonReport(const engine::CheckReport& report) {
  return value::ToPlainJson(Item{{"clean", report.clean()},
                                 {"problems", Texts(report.problems)},
                                 {"problem_count", report.problems.count},
                                 {"warnings", Texts(report.warnings)},
                                 {"notes", Texts(report.notes)},
                                 {"kept", Texts(report.kept)},
                                 {"tables", report.tables},
                                 {"items", report.items},
                                 {"index_entries", report.index_entries},
                                 {"expiry_rows", report.expiry_rows},
                                 {"streams", report.streams},
                                 {"stream_records", report.stream_records},
                                 {"tokens", report.tokens},
                                 {"undo_rows", report.undo_rows},
                                 {"backups", report.backups},
                                 {"checkpoints", report.checkpoints},
                                 {"exports", report.exports},
                                 {"imports", report.imports}});
}

void Print(const char* kind, const engine::CheckFindings& findings) {
  for (const std::string& text : findings.texts) {
    std::printf("%s: %s\n", kind, text.c_str());
  }
  if (findings.count > findings.texts.size()) {
    std::printf("%s: and %llu more\n", kind,
                static_cast<unsigned long long>(findings.count - findings.texts.size()));
  }
}

}  // namespace

void PrintReport(const engine::CheckReport& report, bool json) {
  if (json) {
    std::printf("%s\n", JsonReport(report).c_str());
    return;
  }
  Print("problem", report.problems);
  Print("warning", report.warnings);
  Print("note", report.notes);
  Print("note", report.kept);
  std::printf("%s: %llu tables, %llu items, %llu index entries, %llu stream records\n",
              report.clean() ? "clean" : "DAMAGED", static_cast<unsigned long long>(report.tables),
              static_cast<unsigned long long>(report.items),
              static_cast<unsigned long long>(report.index_entries),
              static_cast<unsigned long long>(report.stream_records));
}

namespace {

int Fail(const Error& error) {
  std::fprintf(stderr, "stator: %s\n", error.message.c_str());
  return kFailure;
}

int Repair(const storage::StoreOptions& options, const CheckArguments& arguments) {
  const Result<engine::RepairReport> report =
      engine::RepairDatabase(options, arguments.repair_into);
  if (!report) {
    return Fail(report.error());
  }
  // With --json the new directory's report is all that standard output has.
  std::FILE* const out = arguments.json ? stderr : stdout;
  for (const std::string& loss : report->losses) {
    std::fprintf(out, "lost: %s\n", loss.c_str());
  }
  std::fprintf(out,
               "saved %llu rows into %s; %llu rows were left out, %llu places cannot be read\n",
               static_cast<unsigned long long>(report->rows), arguments.repair_into.c_str(),
               static_cast<unsigned long long>(report->left_out),
               static_cast<unsigned long long>(report->gaps));
  PrintReport(report->check, arguments.json);
  return report->check.clean() ? kSuccess : kFailure;
}

}  // namespace

int RunCheck(const CheckArguments& arguments) {
  storage::StoreOptions options;
  options.path = arguments.path;
  options.read_only = true;
  options.create_if_missing = false;
  if (!arguments.repair_into.empty()) {
    return Repair(options, arguments);
  }
  const Result<engine::CheckReport> report = engine::CheckDatabase(options);
  if (!report) {
    return Fail(report.error());
  }
  PrintReport(*report, arguments.json);
  return report->clean() ? kSuccess : kFailure;
}

}  // namespace stator::cli
