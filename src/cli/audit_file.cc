#include "cli/audit_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "stator/stores/tasks/json.h"
#include "stores/tasks/timestamps.h"

namespace stator::cli {

// Opened anew each time: events of tasks are rare, and whoever rotates logs need not tell us.
bool AuditFile::AppendLine(const std::string& line) {
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  // What was cut off by a full disk ends where it was cut.
  const std::string text = (cut_off_ ? "\n" : "") + line;
  const ssize_t written = write(file, text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (written > 0) {
    cut_off_ = !whole;
  }
  return close(file) == 0 && whole;
}

std::string AuditFile::Problem() {
  return AppendLine("") ? "" : "cannot write " + path_ + ": " + std::strerror(errno);
}

void AuditFile::Append(const mcp::TaskNote& note) {
  tasks::JsonObject line{{"at", tasks::ToMillisecondText(note.at)},
                         {"event", mcp::NameOf(note.event)},
                         {"owner", note.owner},
                         {"task", note.task},
                         {"by", note.by}};
  if (!note.detail.empty()) {
    line.Set("detail", note.detail);
  }
  const bool written = AppendLine(tasks::Json(std::move(line)).ToText() + "\n");
  if (const bool had_complained = complained_.exchange(!written); !written && !had_complained) {
    std::fprintf(stderr, "stator mcp: the audit log %s cannot be written: %s\n", path_.c_str(),
                 std::strerror(errno));
  }
}

}  // namespace stator::cli
