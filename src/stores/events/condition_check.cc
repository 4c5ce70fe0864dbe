#include "stores/events/condition_check.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stores/events/log_reader.h"
#include "stores/events/tag_reader.h"

namespace stator::events {
namespace {

using Match = ConditionState::Match;

// The heads that are read for an item: those of all its tags, to watch the least busy one.
std::vector<HeadKey> HeadsOf(const QueryItem& item) {
  std::vector<HeadKey> heads;
  if (item.matches_all()) {
    heads.push_back(HeadKey::All());
  }
  for (const std::string& tag : item.tags) {
    heads.push_back(HeadKey::OfTag(tag));
  }
  if (item.tags.empty()) {
    for (const std::string& type : item.types) {
      heads.push_back(HeadKey::OfType(type));
    }
  }
  return heads;
}

bool IsBehind(const std::optional<Head>& head, const std::optional<SortableId>& after) {
  return head && (!after || head->last > *after);
}

void KeepFirst(std::optional<Match>& first, const Match& match) {
  if (!first || match.sortable_id < first->sortable_id) {
    first = match;
  }
}

// That a head moved beyond `after` says that there is a match; which one is the first, the index
// says, unless it lags behind. Then the last one is named, which the head knows.
Result<Match> NameMatch(Core& core, const QueryItem& item, const std::optional<SortableId>& after,
                        const Head& head) {
  ReadOptions options{.query = EventQuery{item}, .until = head.last};
  // The head knows where its first event is.
  if (after && *after >= head.first) {
    options.since = Cursor(*after);
  } else if (head.first.ticks() > 0) {
    options.since = Cursor(SortableId::FromParts(head.first.ticks() - 1, SortableId::kPartMax));
  }
  const std::unique_ptr<LogReader> reader = TRY(LogReader::Open(core, options));
  if (const std::optional<Event> event = TRY(reader->Next())) {
    return Match{event->id, event->sortable_id};
  }
  return Match{head.last_event_id, head.last};
}

class Search {
 public:
  Search(Core& core, const AppendCondition& condition, const Heads& heads, ConditionState& state)
      : core_(&core), after_(condition.after), heads_(&heads), state_(&state) {}

  Result<void> Look(const QueryItem& item) {
    return item.tags.empty() ? LookAtHeads(item) : LookAtTag(item);
  }

  // Without a global head an id of one boundary says nothing about what was read of another.
  Result<void> CheckAfter() {
    if (core_->recorded.global_head || !after_ || *after_ == SortableId()) {
      return {};
    }
    if (mine_.size() > 1) {
      return Invalid(
          "a condition on several tags or types with one `after` needs a global head; give one "
          "condition for each");
    }
    const auto& [key, head] = *mine_.begin();
    if (!head || head->last == *after_) {
      return {};
    }
    if (key.kind == HeadKey::Kind::kTag) {
      PartitionRead read = MakeTagRead(*core_, key.name, std::nullopt, after_);
      read.bounds.lower = after_->ToText();
      read.consistent = true;
      read.wanted = 1;
      PageCursor cursor(*core_, read);
      if (TRY(cursor.Peek()) != nullptr) {
        return {};
      }
    }
    return Invalid("without a global head, `after` has to be the id of an event of " + key.name);
  }

 private:
  Result<void> LookAtHeads(const QueryItem& item) {
    for (const HeadKey& key : HeadsOf(item)) {
      const std::optional<Head>& head = Watch(key);
      if (!IsBehind(head, after_)) {
        continue;
      }
      QueryItem one;
      if (key.kind == HeadKey::Kind::kType) {
        one.types = {key.name};
      }
      KeepFirst(state_->match, TRY(NameMatch(*core_, one, after_, *head)));
    }
    return {};
  }

  Result<void> LookAtTag(const QueryItem& item) {
    const std::string tag = ChooseTag(item, *heads_);
    if (!IsBehind(Watch(HeadKey::OfTag(tag)), after_)) {
      return {};
    }
    PartitionRead read = MakeTagRead(
        *core_, tag, after_ ? std::optional<Cursor>(Cursor(*after_)) : std::nullopt, std::nullopt);
    read.consistent = true;
    if (item.types.empty() && item.tags.size() == 1) {
      read.wanted = 1;
    }
    TagRows rows(*core_, read, item);
    for (const DecodedTagRow* row = TRY(rows.Peek()); row != nullptr; row = TRY(rows.Peek())) {
      const Match match{row->row.event_id, row->row.sortable_id};
      if (row->tags || TRY(EventMatches(item, match.event_id))) {
        KeepFirst(state_->match, match);
        return {};
      }
      rows.Pop();
    }
    return {};
  }

  Result<bool> EventMatches(const QueryItem& item, const std::string& event_id) {
    const std::vector<Event> events = TRY(ReadEventsById(*core_, {event_id}, /*consistent=*/true));
    return item.Matches(events.front().type, events.front().tags);
  }

  const std::optional<Head>& Watch(const HeadKey& key) {
    mine_.emplace(key, heads_->at(key));
    return state_->watched.emplace(key, heads_->at(key)).first->second;
  }

  Core* core_;
  std::optional<SortableId> after_;
  const Heads* heads_;
  ConditionState* state_;
  Heads mine_;  // those of this condition
};

// A query without items is one item that matches everything.
std::vector<QueryItem> ItemsOf(const EventQuery& query) {
  return query.matches_all() ? std::vector<QueryItem>{QueryItem{}} : query.items;
}

}  // namespace

Result<void> CheckCondition(const Core& core, const AppendCondition& condition) {
  TRY_VOID(CheckQuery(condition.fail_if_match));
  for (const QueryItem& item : ItemsOf(condition.fail_if_match)) {
    if (item.matches_all() && !core.recorded.global_head) {
      return Invalid(
          "a condition on all events needs a global head, which this service was made without");
    }
    if (item.tags.empty() && !item.types.empty() && !core.recorded.type_heads) {
      return Invalid(
          "a condition on types without a tag needs heads of types, which this service was made "
          "without");
    }
  }
  return {};
}

std::vector<HeadKey> FindHeads(const std::vector<AppendCondition>& conditions) {
  std::vector<HeadKey> keys;
  for (const AppendCondition& condition : conditions) {
    for (const QueryItem& item : ItemsOf(condition.fail_if_match)) {
      for (HeadKey& key : HeadsOf(item)) {
        keys.push_back(std::move(key));
      }
    }
  }
  return keys;
}

Result<ConditionState> EvaluateConditions(Core& core,
                                          const std::vector<AppendCondition>& conditions,
                                          const Heads& heads) {
  ConditionState state;
  for (const AppendCondition& condition : conditions) {
    Search search(core, condition, heads, state);
    for (const QueryItem& item : ItemsOf(condition.fail_if_match)) {
      TRY_VOID(search.Look(item));
    }
    TRY_VOID(search.CheckAfter());
  }
  return state;
}

Error MakeConflict(const ConditionState::Match& match) {
  auto detail = std::make_shared<AppendConflict>();
  detail->event_id = match.event_id;
  detail->sortable_id = match.sortable_id;
  return {.code = ErrorCode::kConditionFailed,
          .message = "event " + match.event_id + " at " + match.sortable_id.ToText() +
                     " matches the condition of the append",
          .detail = std::move(detail)};
}

}  // namespace stator::events
