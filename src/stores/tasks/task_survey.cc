#include "stator/stores/tasks/task_survey.h"

#include <numeric>
#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/advice.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/task_items.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

void Count(const Item& item, std::int64_t now_ms, std::map<std::string, OwnerTasks>& owners) {
  const std::optional<std::int64_t> expires = NumberAttribute(item, kExpiresAt);
  if (expires && *expires * 1000 <= now_ms) {
    return;
  }
  if (const std::optional<RecordKey> leased = RecordKeyOfLease(item)) {
    OwnerTasks& owner = owners[leased->owner];
    if (TextAttribute(item, kLeaseGroup) == kDeadGroup) {
      ++owner.dead;
    } else if (NumberAttribute(item, kLeaseUntil).value_or(0) < now_ms) {
      ++owner.lapsed;
    } else {
      ++owner.leased;
    }
  } else if (const std::optional<RecordKey> key = RecordKeyOf(item)) {
    ++owners[key->owner].by_status[TextAttribute(item, kStatus).value_or("unknown")];
  }
}

}  // namespace

std::size_t OwnerTasks::Count() const {
  return std::accumulate(by_status.begin(), by_status.end(), std::size_t{0},
                         [](std::size_t sum, const auto& entry) { return sum + entry.second; });
}

Result<std::map<std::string, OwnerTasks>> SurveyTasks(Database& database, const std::string& table,
                                                      TimePoint now) {
  const std::int64_t now_ms =
      std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count();
  ScanInput input{.table_name = table,
                  .projection_expression = "#p, #s, #t, #e, #g, #u",
                  .expression_attribute_names = AttributeNames{{"#p", std::string(kPartitionKey)},
                                                               {"#s", std::string(kSortKey)},
                                                               {"#t", std::string(kStatus)},
                                                               {"#e", std::string(kExpiresAt)},
                                                               {"#g", std::string(kLeaseGroup)},
                                                               {"#u", std::string(kLeaseUntil)}}};
  std::map<std::string, OwnerTasks> owners;
  do {
    Result<ScanOutput> page = database.Scan(input);
    if (!page) {
      return std::unexpected(patterns::WithAdvice(std::move(page).error(), table, "tasks"));
    }
    for (const Item& item : page->items.value_or(std::vector<Item>())) {
      Count(item, now_ms, owners);
    }
    input.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (input.exclusive_start_key);
  return owners;
}

}  // namespace stator::tasks
