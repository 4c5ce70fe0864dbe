// Pages of an owner's tasks.

#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/list_cursor.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"

namespace stator::tasks {
namespace {

constexpr std::size_t kPageSizeMax = 1000;

}  // namespace

Result<TaskPage> TaskStore::List(std::string_view owner, const std::optional<std::string>& cursor,
                                 std::optional<std::size_t> limit) {
  const std::size_t wanted = std::min(limit.value_or(options_.page_size), kPageSizeMax);
  if (wanted == 0) {
    return Invalid("limit must be positive");
  }
  std::optional<ListPosition> position;
  if (cursor) {
    position = DecodeCursor(owner, *cursor);
    if (!position) {
      return Invalid("invalid cursor");
    }
  }
  TaskPage page;
  if (!ProblemWith({.owner = std::string(owner), .task = {}}).empty()) {
    return page;
  }
  const TimePoint now = environment_.clock->Now();
  ListPosition last_taken;
  for (bool more = true; more;) {
    // One more than asked for tells whether another page follows.
    const Result<HeadPage> heads =
        backend_->ListOwner(owner, position, wanted + 1 - page.tasks.size());
    if (!heads) {
      return std::unexpected(ErrorOf("", heads.error()));
    }
    for (const VersionedHead& stored : heads->heads) {
      position = {.created_at = stored.created_at, .task = stored.key.task};
      Result<Head> head = DecodeHead(stored.head);
      if (!head || head->task.id != stored.key.task) {
        Log("a list leaves out " + ToText(stored.key) + ", which cannot be read or is another's");
        continue;
      }
      if (!options_.show_expired && head->expires_at && now > *head->expires_at) {
        continue;
      }
      if (page.tasks.size() == wanted) {
        page.next_cursor = EncodeCursor(owner, last_taken);
        return page;
      }
      last_taken = *position;
      page.tasks.push_back(std::move(head->task));
    }
    more = heads->more && !heads->heads.empty();
  }
  return page;
}

}  // namespace stator::tasks
