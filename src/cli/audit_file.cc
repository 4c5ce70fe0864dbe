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
bool AuditFile::AppendLine(const std::string& line) const {
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  const bool written = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  return close(file) == 0 && written;
}

std::string AuditFile::Problem() const {
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
  if (!AppendLine(tasks::Json(std::move(line)).ToText() + "\n") && !complained_.exchange(true)) {
    std::fprintf(stderr, "stator mcp: the audit log %s cannot be written: %s\n", path_.c_str(),
                 std::strerror(errno));
  }
}

}  // namespace stator::cli
