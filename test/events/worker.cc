// A process of processes_test.py: appends to the store of STATOR_DATABASE and prints, a line of
// JSON each, what it was told. With --kill-at N the process kills itself at the N-th request to the
// database, before it is sent or, with --after, when it has been answered.
//
//   events_worker random SEED COUNT      appends with random conditions
//   events_worker append ID EVENTS       one append with an id, conditional, of so many events
//   events_worker oracle SEED COUNT      so many appends of many threads, each of which says in its
//                                        payload what it was decided on
//   events_worker check - -              whether that was so: reads the log from its beginning

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <signal.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/check.h"
#include "stator/api/forwarding_database.h"
#include "stator/home/open.h"
#include "stator/stores/events/event_store.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

// Ends the process, as a power cut would, at one of its requests.
class MortalDatabase final : public ForwardingDatabase {
 public:
  MortalDatabase(Database& next, int kill_at, bool after)
      : ForwardingDatabase(next), kill_at_(kill_at), after_(after) {}

#define STATOR_OPERATION(Name, ...)                              \
  Result<Name##Output> Name(const Name##Input& input) override { \
    return Do([&] { return ForwardingDatabase::Name(input); });  \
  }
#include "stator/api/operations.inc"

 private:
  template <class Call>
  auto Do(const Call& call) -> decltype(call()) {
    const bool dies = ++requests_ == kill_at_;
    if (dies && !after_) {
      raise(SIGKILL);
    }
    auto result = call();
    if (dies) {
      raise(SIGKILL);
    }
    return result;
  }

  int kill_at_;
  bool after_;
  int requests_ = 0;
};

void Print(const Item& line) {
  std::printf("%s\n", value::ToPlainJson(line).c_str());
  std::fflush(stdout);
}

List ToList(const std::vector<std::string>& texts) {
  List list;
  for (const std::string& text : texts) {
    list.emplace_back(text);
  }
  return list;
}

struct Plan {
  NewEvent event;
  QueryItem item;
};

Plan MakePlan(Random& random) {
  const std::string tag = "t:" + std::to_string(random.Below(3));
  const std::string other = "u:" + std::to_string(random.Below(3));
  const std::string type = random.Below(2) == 0 ? "A" : "B";
  Plan plan{.event = {.type = type, .tags = {tag, other}}, .item = {}};
  const std::vector<QueryItem> items = {{.tags = {tag}},
                                        {.types = {type}, .tags = {tag}},
                                        {.tags = {tag, other}},
                                        {.types = {type}},
                                        {}};
  plan.item = items[random.Below(items.size())];
  return plan;
}

int AppendRandomly(EventStore& store, std::uint64_t seed, int count) {
  SeededRandom random(seed);
  for (int number = 0; number < count; ++number) {
    const Plan plan = MakePlan(random);
    const EventQuery query{plan.item};
    const auto seen = store.ReadList({.query = query, .limit = 1, .backwards = true});
    if (!seen) {
      continue;
    }
    AppendOptions options{.condition = AppendCondition{query}};
    if (!seen->empty()) {
      options.condition->after = seen->front().sortable_id;
    }
    Item line{{"types", ToList(plan.item.types)},
              {"tags", ToList(plan.item.tags)},
              {"after", options.condition->after.value_or(SortableId()).ToText()}};
    const auto appended = store.Append({plan.event}, options);
    if (appended) {
      line.Set("accepted", appended->events.front().id);
    } else {
      const AppendConflict* conflict = FindConflict(appended.error());
      CHECK_THAT(conflict != nullptr, appended.error().message);
      line.Set("match", conflict->event_id);
    }
    Print(line);
  }
  return 0;
}

// What an append was decided on: the last event that matched its condition.
struct Decided {
  QueryItem item;
  std::uint64_t after = 0;

  [[nodiscard]] std::string ToText() const {
    return value::ToPlainJson(
        Item{{"types", ToList(item.types)}, {"tags", ToList(item.tags)}, {"after", after}});
  }
};

int AppendAndRecord(EventStore& store, std::uint64_t seed, int count) {
  constexpr int kThreads = 16;
  std::atomic<int> left = count;
  std::atomic<int> accepted = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        SeededRandom random(seed * 1000 + static_cast<std::uint64_t>(thread));
        while (left-- > 0) {
          Plan plan = MakePlan(random);
          const EventQuery query{plan.item};
          const auto seen = store.ReadList({.query = query, .limit = 1, .backwards = true});
          CHECK_THAT(seen.has_value(), seen.error().message);
          AppendOptions options{.condition = AppendCondition{query}};
          Decided decided{.item = plan.item};
          if (!seen->empty()) {
            options.condition->after = seen->front().sortable_id;
            decided.after = seen->front().position;
          }
          plan.event.payload = decided.ToText();
          const auto appended = store.Append({std::move(plan.event)}, options);
          CHECK_THAT(appended || FindConflict(appended.error()) != nullptr,
                     appended.error().message);
          ++(appended ? accepted : refused);
        }
      });
    }
  }
  Print({{"accepted", accepted.load()}, {"refused", refused.load()}});
  return 0;
}

// Replays the log: positions are dense, and the last match before each event is the one that it was
// decided on.
int CheckLog(EventStore& store) {
  std::map<std::string, std::uint64_t> last;  // match of a condition, by its types and tags
  const auto key = [](const std::string& type, const std::string& tag, const std::string& other) {
    return type + "|" + tag + "|" + other;
  };
  std::uint64_t events = 0;
  std::uint64_t wrong = 0;
  auto stream = store.Read();
  CHECK_THAT(stream.has_value(), stream.error().message);
  while (true) {
    const auto event = stream->Next();
    CHECK_THAT(event.has_value(), event.error().message);
    if (!*event) {
      break;
    }
    ++events;
    const std::string& type = (*event)->type;
    const std::vector<std::string>& tags = (*event)->tags;
    // The conditions that MakePlan makes which this event matches.
    std::vector<std::string> keys = {key("", "", ""), key(type, "", ""), key("", tags[0], tags[1])};
    for (const std::string& tag : tags) {
      keys.push_back(key("", tag, ""));
      keys.push_back(key(type, tag, ""));
    }
    const bool is_right = std::any_of(keys.begin(), keys.end(), [&](const std::string& condition) {
      const std::size_t first = condition.find('|');
      const std::size_t second = condition.find('|', first + 1);
      Decided decided{.item = {}, .after = last[condition]};
      if (first > 0) {
        decided.item.types = {condition.substr(0, first)};
      }
      if (second > first + 1) {
        decided.item.tags = {condition.substr(first + 1, second - first - 1)};
      }
      if (second + 1 < condition.size()) {
        decided.item.tags.push_back(condition.substr(second + 1));
      }
      return decided.ToText() == (*event)->payload;
    });
    wrong += is_right && (*event)->position == events ? 0 : 1;
    for (const std::string& condition : keys) {
      last[condition] = events;
    }
  }
  Print({{"events", events}, {"wrong", wrong}});
  return 0;
}

int AppendOnce(EventStore& store, const std::string& id, int count) {
  std::vector<NewEvent> events;
  for (int number = 0; number < count; ++number) {
    events.push_back({.type = "Changed",
                      .payload = std::to_string(number),
                      .tags = {"append:" + id, "shared:1"}});
  }
  const auto appended = store.Append(
      std::move(events),
      {.condition = AppendCondition{EventQuery::Tagged("append:" + id)}, .append_id = id});
  CHECK_THAT(appended.has_value(), appended.error().message);
  List ids;
  for (const AppendedEvent& event : appended->events) {
    ids.emplace_back(event.id + " " + event.sortable_id.ToText() + " " +
                     std::to_string(event.position));
  }
  Print({{"events", std::move(ids)}, {"repeated", appended->repeated}});
  return 0;
}

int Main(const std::vector<std::string>& arguments) {
  int kill_at = 0;
  bool after = false;
  std::vector<std::string> words;
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    if (arguments[index] == "--kill-at") {
      kill_at = std::stoi(arguments.at(++index));
    } else if (arguments[index] == "--after") {
      after = true;
    } else {
      words.push_back(arguments[index]);
    }
  }
  CHECK(words.size() == 3);
  auto database = Open(std::getenv("STATOR_DATABASE"));
  CHECK_THAT(database.has_value(), database.error().message);
  if (words[0] == "oracle" || words[0] == "check") {
    auto store = EventStore::Open(**database, {.service_id = "oracle", .seed_rows = false});
    CHECK_THAT(store.has_value(), store.error().message);
    return words[0] == "check"
               ? CheckLog(*store)
               : AppendAndRecord(*store, std::stoull(words[1]), std::stoi(words[2]));
  }
  auto opened = EventStore::Open(
      **database, {.background = false, .chunk_slots = 5});  // before the requests that are counted
  CHECK_THAT(opened.has_value(), opened.error().message);
  MortalDatabase mortal(**database, kill_at, after);
  auto store = EventStore::Open(mortal, {.auto_create_tables = false, .background = false});
  CHECK_THAT(store.has_value(), store.error().message);
  return words[0] == "random" ? AppendRandomly(*store, std::stoull(words[1]), std::stoi(words[2]))
                              : AppendOnce(*store, words[1], std::stoi(words[2]));
}

}  // namespace
}  // namespace stator::events

int main(int count, char** arguments) {
  return stator::events::Main(std::vector<std::string>(arguments + 1, arguments + count));
}
