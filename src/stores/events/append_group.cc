#include "stores/events/append_group.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "stores/events/append_run.h"
#include "stores/events/condition_check.h"
#include "stores/events/head_actions.h"

namespace stator::events {
namespace {

// Whoever moves heads in between is another process, and then each append is on its own.
constexpr int kRounds = 3;

bool Breaks(const std::vector<Event>& events, const std::vector<AppendCondition>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [&](const AppendCondition& condition) {
    return std::any_of(events.begin(), events.end(),
                       [&](const Event& event) { return condition.fail_if_match.Matches(event); });
  });
}

}  // namespace

bool AppendGroupLimits::IsCompatible(const AppendRun& run) const {
  const std::string& id = run.options_.append_id;
  return (id.empty() || !append_ids_.contains(id)) &&
         std::none_of(members_.begin(), members_.end(), [&](const AppendRun* member) {
           return Breaks(member->append_.events, run.conditions_);
         });
}

bool AppendGroupLimits::Admit(const AppendRun& run) {
  std::set<HeadKey> heads;
  for (const auto& [key, span] : run.append_.heads) {
    heads.insert(key);
  }
  for (const HeadKey& key : FindHeads(run.conditions_)) {
    heads.insert(key);
  }
  const auto news = [](const auto& of, const auto& known) {
    return static_cast<std::size_t>(
        std::count_if(of.begin(), of.end(), [&](const auto& one) { return !known.contains(one); }));
  };
  std::set<std::string> entries;
  for (const auto& [name, item] : run.new_entries_) {
    entries.insert(name);
  }
  const std::size_t actions = run.append_.events.size() + run.append_.tag_rows +
                              (run.options_.append_id.empty() ? 0 : 1) + news(heads, heads_) +
                              news(entries, entries_);
  if (!members_.empty() &&
      (actions_ + actions > static_cast<std::size_t>(core_->options.transaction_items_max) ||
       bytes_ + run.bytes_ + kTransactionSlackBytes > limits::kTransactionBytesMax ||
       !IsCompatible(run))) {
    return false;
  }
  members_.push_back(&run);
  heads_.merge(heads);
  entries_.merge(entries);
  append_ids_.insert(run.options_.append_id);
  actions_ += actions;
  bytes_ += run.bytes_;
  return true;
}

bool AppendGroup::Evaluate() {
  std::vector<HeadKey> keys;
  for (const AppendRun* run : runs_) {
    for (HeadKey& key : FindHeads(run->conditions_)) {
      keys.push_back(std::move(key));
    }
  }
  if (!core_->global_head) {
    keys.push_back(HeadKey::All());
  }
  watched_.clear();
  Heads heads;
  if (!keys.empty()) {
    Result<Heads> read = ReadHeads(*core_, keys);
    if (!read) {
      return false;
    }
    heads = *std::move(read);
  }
  if (const auto all = heads.find(HeadKey::All()); all != heads.end()) {
    core_->global_head = all->second;
  }
  global_ = core_->global_head;
  std::erase_if(runs_, [&](const AppendRun* run) {
    const Result<ConditionState> state = EvaluateConditions(*core_, run->conditions_, heads);
    const bool holds = state && !state->match;
    if (holds) {
      watched_.insert(state->watched.begin(), state->watched.end());
    }
    return !holds;
  });
  return !runs_.empty();
}

void AppendGroup::AssignAllPlaces() {
  for (const auto& [key, head] : watched_) {
    highest_ = head ? std::max(highest_, head->last) : highest_;
  }
  highest_ = global_ ? std::max(highest_, global_->last) : highest_;
  core_->source.Observe(highest_);
  std::size_t count = 0;
  for (const AppendRun* run : runs_) {
    count += run->append_.events.size();
  }
  const std::vector<SortableId> ids = core_->source.Next(count);
  auto next = ids.begin();
  std::uint64_t position = (global_ ? global_->events : 0) + 1;
  for (AppendRun* run : runs_) {
    const auto events = static_cast<std::ptrdiff_t>(run->append_.events.size());
    AssignPlaces(std::vector<SortableId>(next, next + events), position, run->append_);
    next += events;
    position += run->append_.events.size();
  }
}

std::vector<AppendRun*> AppendGroup::Commit() {
  for (int round = 0; round < kRounds; ++round) {
    if (!Evaluate()) {
      return {};
    }
    AssignAllPlaces();
    switch (TryOnce()) {
      case Outcome::kCommitted:
        RememberCommit();
        return runs_;
      case Outcome::kMoved:
        continue;
      case Outcome::kFailed:
        return {};
    }
  }
  return {};
}

AppendGroup::Outcome AppendGroup::TryOnce() {
  patterns::Transaction transaction = runs_.front()->MakeTransaction();
  std::map<HeadKey, HeadMove> moves;
  std::map<std::string, const Item*> entries;
  for (const AppendRun* run : runs_) {
    run->AddEvents(transaction);
    for (const auto& [key, span] : run->append_.heads) {
      const HeadMove move = MakeMove(run->append_, span);
      const auto [merged, is_new] = moves.emplace(key, move);
      if (!is_new) {
        merged->second.last = move.last;
        merged->second.last_event_id = move.last_event_id;
        merged->second.events += move.events;
      }
    }
    for (const auto& [name, item] : run->new_entries_) {
      entries.emplace(name, &item);
    }
  }
  AddHeadActions(*core_, moves, watched_, global_, transaction);
  for (const auto& [name, item] : entries) {
    transaction.Upsert({.table = core_->tags_table, .item = *item});
  }
  const Result<patterns::Committed> outcome = transaction.Commit();
  return outcome ? Outcome::kCommitted : Judge(outcome.error());
}

AppendGroup::Outcome AppendGroup::Judge(const Error& failure) {
  if (failure.code == ErrorCode::kAmbiguous) {
    // Each finds out for itself, by the ids of its events.
    for (AppendRun* run : runs_) {
      run->maybe_done_ = true;
    }
    core_->global_head.reset();
    return Outcome::kFailed;
  }
  LearnHeads(*core_, failure, highest_);
  bool moved = false;
  for (const patterns::ActionFailure& action : ActionsOf(failure)) {
    if (FindFailedCondition(action) == nullptr) {
      continue;
    }
    if (action.label != kHeadLabel && action.label != kGlobalHeadLabel) {
      return Outcome::kFailed;
    }
    moved = true;
  }
  return moved ? Outcome::kMoved : Outcome::kFailed;
}

void AppendGroup::RememberCommit() {
  const SortableId first =
      global_ ? global_->first : runs_.front()->append_.events.front().sortable_id;
  std::uint64_t count = global_ ? global_->events : 0;
  for (const AppendRun* run : runs_) {
    count += run->append_.events.size();
    for (const auto& [name, item] : run->new_entries_) {
      core_->known_entries.Add(name);
    }
  }
  const Event& last = runs_.back()->append_.events.back();
  core_->global_head =
      Head{.last = last.sortable_id, .last_event_id = last.id, .first = first, .events = count};
}

Appended AppendGroup::AnswerOf(const AppendRun& run) {
  return MakeAnswer(run.append_);
}

}  // namespace stator::events
