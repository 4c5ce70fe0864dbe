#include "stores/events/append_run.h"

#include <algorithm>

#include "base/limits.h"
#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stores/events/event_item.h"
#include "stores/events/head_actions.h"
#include "stores/events/item_fields.h"
#include "stores/events/read_retry.h"
#include "stores/events/tag_reader.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kAppendIdBytesMax = 256;

Result<void> CheckAppendId(const std::string& id) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (id.size() > kAppendIdBytesMax || !value::IsUtf8(id) ||
      std::any_of(id.begin(), id.end(), is_control)) {
    return Invalid("an append id has at most 256 bytes of UTF-8 without control characters");
  }
  return {};
}

}  // namespace

Result<void> AppendRun::Prepare(std::vector<NewEvent> events) {
  TRY_VOID(CheckAppendId(options_.append_id));
  for (const AppendCondition& condition : conditions_) {
    TRY_VOID(CheckCondition(*core_, condition));
  }
  append_ = TRY(PrepareAppend(*core_, std::move(events)));
  if (append_.heads.size() + CountWatchedMax() + 1 > limits::kTransactionActionsMax) {
    return Invalid("the append and its condition have too many different tags and types");
  }
  new_entries_ = FindNewEntries(*core_, append_);
  if (claim_) {
    append_.events.front().id = claim_->event_id;
  }
  return {};
}

std::size_t AppendRun::CountWatchedMax() const {
  std::size_t count = 0;
  for (const AppendCondition& condition : conditions_) {
    for (const QueryItem& item : condition.fail_if_match.items) {
      count += item.tags.empty() ? std::max<std::size_t>(item.types.size(), 1) : 1;
    }
    count += condition.fail_if_match.items.empty() ? 1 : 0;
  }
  return count;
}

bool AppendRun::FitsOneTransaction() {
  const std::size_t actions = append_.events.size() + append_.tag_rows + append_.heads.size() +
                              CountWatchedMax() + (options_.append_id.empty() ? 0 : 1);
  bytes_ = MeasureAppend(append_);
  return actions <= static_cast<std::size_t>(core_->options.transaction_items_max) &&
         bytes_ + kTransactionSlackBytes <= limits::kTransactionBytesMax;
}

Result<Appended> AppendRun::Run(std::vector<NewEvent> events) {
  if (events.empty()) {
    return Appended{};
  }
  TRY_VOID(Prepare(std::move(events)));
  if (FitsOneTransaction()) {
    if (core_->recorded.global_head && !claim_ && !options_.stop.stop_requested()) {
      if (std::optional<Appended> answer = core_->queue.Join(*core_, *this)) {
        return *std::move(answer);
      }
    }
    return RunAttempts([this] { return TryWhole(); });
  }
  if (claim_) {
    return Invalid("the event of a claim has too many tags for one transaction");
  }
  return RunStaged();
}

Result<Appended> AppendRun::RunAttempts(const std::function<Attempt()>& attempt) {
  const auto is_answer = [](const Error& error) {
    return error.code == ErrorCode::kConditionFailed ||
           error.code == ErrorCode::kIdempotentParameterMismatch;
  };
  Error error{.code = ErrorCode::kTransactionConflict,
              .message = "other appends kept moving the same heads"};
  // A head that moved means that somebody else got on, so no attempt is wasted.
  patterns::Retry retry(core_->options.retry, core_->environment, options_.stop);
  while (!options_.stop.stop_requested()) {
    Attempt result = attempt();
    if (result && *result) {
      return **std::move(result);
    }
    if (!result && (is_answer(result.error()) || !maybe_done_)) {
      return std::unexpected(std::move(result).error());
    }
    if (!result) {
      error = std::move(result).error();
      break;
    }
    if (!retry.Wait()) {
      break;
    }
  }
  if (!maybe_done_) {
    return std::unexpected(std::move(error));
  }
  if (Attempt done = ReadBack(); done && *done) {
    return **std::move(done);
  }
  return Fail(ErrorCode::kAmbiguous, "the append may have happened or not: " + error.message);
}

patterns::Transaction AppendRun::MakeTransaction() const {
  patterns::TransactionOptions options;
  options.retry = core_->options.retry;
  options.force_transaction = true;
  options.stop = options_.stop;
  return {*core_->database, patterns::Idempotency::None(), options, core_->environment};
}

AppendRun::Attempt AppendRun::TryWhole() {
  if (!core_->recorded.global_head) {
    return TryWholeInTurn();
  }
  const MutexLock lane(core_->lane);
  return TryWholeInTurn();
}

AppendRun::Attempt AppendRun::TryWholeInTurn() {
  if (std::optional<Appended> done = TRY(LookAtCondition())) {
    return done;
  }
  TRY_VOID(LookAtGlobalHead());
  ObserveHeads();
  AssignPlaces(core_->source.Next(append_.events.size()),
               core_->recorded.global_head ? (global_ ? global_->events : 0) + 1 : 0, append_);

  patterns::Transaction transaction = MakeTransaction();
  AddEvents(transaction);
  AddHeads(transaction);
  if (transaction.size() + new_entries_.size() >
      static_cast<std::size_t>(core_->options.transaction_items_max)) {
    TRY_VOID(WriteNewEntries());
  }
  for (const auto& [name, item] : new_entries_) {
    transaction.Upsert({.table = core_->tags_table, .item = item});
  }
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    return Classify(outcome.error());
  }
  RememberCommit();
  return MakeAnswer(append_);
}

void AppendRun::AddEvents(patterns::Transaction& transaction) const {
  for (const Event& event : append_.events) {
    Item item = EncodeEvent(*core_, event, std::nullopt);
    if (claim_) {
      item.Set("claimFingerprint", claim_->fingerprint);
    }
    transaction.Insert(
        {.table = core_->events_table, .item = std::move(item), .label = kEventLabel});
    for (const std::string& tag : event.tags) {
      transaction.Upsert(
          {.table = core_->tags_table, .item = EncodeTagRow(*core_, event, tag, std::nullopt)});
    }
  }
  if (!options_.append_id.empty()) {
    const AppendRecord record{.append_id = options_.append_id,
                              .fingerprint = append_.fingerprint,
                              .seed = append_.seed,
                              .events = append_.events.size()};
    transaction.Insert({.table = core_->events_table,
                        .item = EncodeAppendRecord(*core_, record),
                        .label = kRecordLabel});
  }
}

AppendRun::Attempt AppendRun::LookAtCondition() {
  if (conditions_.empty()) {
    return std::nullopt;
  }
  const Heads heads = TRY(ReadHeads(*core_, FindHeads(conditions_)));
  condition_ = TRY(EvaluateConditions(*core_, conditions_, heads));
  if (!condition_.match) {
    return std::nullopt;
  }
  // The event in the way may be this append's own.
  Attempt done = std::nullopt;
  if (!options_.append_id.empty()) {
    done = FindRecordedAnswer();
  } else if (maybe_done_) {
    done = ReadBack();
  }
  if (!done || *done) {
    return done;
  }
  return std::unexpected(MakeConflict(*condition_.match));
}

Result<void> AppendRun::LookAtGlobalHead() {
  if (!core_->recorded.global_head) {
    return {};
  }
  const auto watched = condition_.watched.find(HeadKey::All());
  if (watched != condition_.watched.end()) {
    core_->global_head = watched->second;
  } else if (!core_->global_head) {
    core_->global_head = TRY(ReadHeads(*core_, {HeadKey::All()})).begin()->second;
  }
  global_ = core_->global_head;
  return {};
}

void AppendRun::ObserveHeads() {
  for (const auto& [key, head] : condition_.watched) {
    highest_ = head ? std::max(highest_, head->last) : highest_;
  }
  highest_ = global_ ? std::max(highest_, global_->last) : highest_;
  core_->source.Observe(highest_);
}

void AppendRun::AddHeads(patterns::Transaction& transaction) const {
  std::map<HeadKey, HeadMove> moves;
  for (const auto& [key, span] : append_.heads) {
    moves.emplace(key, MakeMove(append_, span));
  }
  AddHeadActions(*core_, moves, condition_.watched, global_, transaction);
}

void AppendRun::Learn(const Error& failure) {
  LearnHeads(*core_, failure, highest_);
}

AppendRun::Attempt AppendRun::Classify(const Error& failure) {
  if (failure.code == ErrorCode::kAmbiguous) {
    maybe_done_ = true;
    if (core_->recorded.global_head) {
      core_->global_head.reset();
    }
    return std::nullopt;
  }
  Learn(failure);
  bool moved = false;
  for (const patterns::ActionFailure& action : ActionsOf(failure)) {
    const patterns::ConditionFailed* failed = FindFailedCondition(action);
    if (failed == nullptr) {
      continue;
    }
    if (action.label == kRecordLabel) {
      return FindRecordedAnswer();
    }
    if (action.label == kEventLabel && claim_) {
      claimed_before_ = failed->item.value_or(core_->keys.Event(claim_->event_id));
      return Appended{.events = {}, .repeated = true};
    }
    if (action.label == kEventLabel) {
      return ReadBack();
    }
    moved = true;
  }
  if (moved) {
    return std::nullopt;
  }
  return std::unexpected(failure);
}

AppendRun::Attempt AppendRun::FindRecordedAnswer() {
  const std::optional<AppendRecord> record = TRY(FindAppendRecord(*core_, options_.append_id));
  if (!record) {
    return std::nullopt;
  }
  return TRY(AnswerOf(*record));
}

Result<Appended> AppendRun::AnswerOf(const AppendRecord& record) {
  if (record.fingerprint != append_.fingerprint) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "append id \"" + options_.append_id + "\" was used for other events");
  }
  std::vector<std::string> ids;
  ids.reserve(record.events);
  for (std::uint64_t index = 0; index < record.events; ++index) {
    ids.push_back(MakeEventId(record.seed, index));
  }
  // A record with the seed of this run is its own: an answer was lost.
  Appended answer{.events = {}, .repeated = record.seed != append_.seed};
  for (const Event& event : TRY(ReadEventsById(*core_, ids, /*consistent=*/true))) {
    answer.events.push_back({event.id, event.sortable_id, event.position});
  }
  return answer;
}

AppendRun::Attempt AppendRun::ReadBack() {
  const GetItemOutput first = TRY(RetryRead(*core_, [&] {
    return core_->database->GetItem({.table_name = core_->options.events_table_name,
                                     .key = core_->keys.Event(append_.events.front().id),
                                     .consistent_read = true});
  }));
  if (!first.item || !TRY(StageView(*core_).IsVisible(FindStageMark(*first.item)))) {
    return std::nullopt;
  }
  std::vector<std::string> ids;
  ids.reserve(append_.events.size());
  for (const Event& event : append_.events) {
    ids.push_back(event.id);
  }
  Appended answer;
  for (const Event& event : TRY(ReadEventsById(*core_, ids, /*consistent=*/true))) {
    answer.events.push_back({event.id, event.sortable_id, event.position});
  }
  return answer;
}

Result<void> AppendRun::WriteNewEntries() {
  std::vector<WriteRequest> writes;
  writes.reserve(new_entries_.size());
  for (const auto& [name, item] : new_entries_) {
    writes.emplace_back(PutRequest{item});
  }
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core_->database, core_->MakeWriteOptions(), core_->environment)
          .Write({{.table = core_->tags_table, .writes = std::move(writes)}});
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "tags could not be registered"}));
  }
  for (const auto& [name, item] : new_entries_) {
    core_->known_entries.Add(name);
  }
  new_entries_.clear();
  return {};
}

void AppendRun::RememberCommit() {
  for (const auto& [name, item] : new_entries_) {
    core_->known_entries.Add(name);
  }
  if (core_->recorded.global_head) {
    const Event& last = append_.events.back();
    core_->global_head =
        Head{.last = last.sortable_id,
             .last_event_id = last.id,
             .first = global_ ? global_->first : append_.events.front().sortable_id,
             .events = (global_ ? global_->events : 0) + append_.events.size()};
  }
}

}  // namespace stator::events
