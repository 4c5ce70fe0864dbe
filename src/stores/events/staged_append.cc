// Appends that do not fit one transaction. Their items are written with a mark that makes them
// invisible; one transaction then writes the record that publishes them, and moves the heads.
//
// The sortable ids are part of the items' keys, so they are chosen before anybody knows when the
// publication will be: a little ahead of time. When a head has come past them meanwhile, the stage
// is given up and made again, further ahead.

#include <algorithm>

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stores/events/append_run.h"
#include "stores/events/event_item.h"

namespace stator::events {
namespace {

constexpr int kStagesMax = 6;
constexpr Duration kLeadAtLeast = std::chrono::milliseconds(20);
constexpr Duration kLeadPerItem = std::chrono::microseconds(200);

}  // namespace

Result<Appended> AppendRun::RunStaged() {
  if (options_.append_id.empty()) {
    options_.append_id = core_->environment.random->Uuid();
  }
  TRY_VOID(WriteNewEntries());
  const auto items = static_cast<Duration::rep>(append_.events.size() + append_.tag_rows);
  Duration lead = kLeadAtLeast + items * kLeadPerItem;
  for (int stage = 0; stage < kStagesMax; ++stage) {
    if (std::optional<Appended> done = TRY(RunStage(lead))) {
      return *std::move(done);
    }
    lead *= 4;
  }
  return Fail(ErrorCode::kTransactionConflict,
              "other appends kept overtaking this large one; nothing of it is visible");
}

// Nothing when the stage has to be made again.
Result<std::optional<Appended>> AppendRun::RunStage(Duration lead) {
  if (std::optional<Appended> done = TRY(LookAtCondition())) {
    return done;
  }
  std::vector<HeadKey> keys;
  keys.reserve(append_.heads.size());
  for (const auto& [key, span] : append_.heads) {
    keys.push_back(key);
  }
  for (const auto& [key, head] : TRY(ReadHeads(*core_, keys))) {
    highest_ = head ? std::max(highest_, head->last) : highest_;
  }
  core_->source.Observe(highest_);
  AssignEventIds(core_->environment.random->Uuid(), append_);
  AssignPlaces(core_->source.Ahead(append_.events.size(), lead), 0, append_);
  if (Result<void> written = WriteStage(); !written) {
    RemoveStage();
    return std::unexpected(std::move(written).error());
  }
  bool overtaken = false;
  Result<Appended> answer = RunAttempts([&]() -> Attempt {
    if (highest_ >= append_.events.front().sortable_id) {
      overtaken = true;
      return Fail(ErrorCode::kTransactionConflict, "overtaken");
    }
    return Publish();
  });
  const bool is_ours =
      answer && !answer->events.empty() && answer->events.front().id == append_.events.front().id;
  if (!is_ours && !maybe_done_) {
    RemoveStage();
  }
  if (overtaken && !answer && answer.error().code != ErrorCode::kAmbiguous) {
    return std::nullopt;
  }
  if (!answer) {
    return std::unexpected(std::move(answer).error());
  }
  core_->source.Observe(append_.events.back().sortable_id);
  return *std::move(answer);
}

AppendRun::Attempt AppendRun::Publish() {
  if (!core_->recorded.global_head) {
    return PublishInTurn();
  }
  const MutexLock lane(core_->lane);
  return PublishInTurn();
}

AppendRun::Attempt AppendRun::PublishInTurn() {
  if (std::optional<Appended> done = TRY(LookAtCondition())) {
    return done;
  }
  TRY_VOID(LookAtGlobalHead());
  ObserveHeads();
  if (highest_ >= append_.events.front().sortable_id) {
    return std::nullopt;
  }
  const AppendRecord record{
      .append_id = options_.append_id,
      .fingerprint = append_.fingerprint,
      .seed = append_.seed,
      .events = append_.events.size(),
      .first_position = core_->recorded.global_head ? (global_ ? global_->events : 0) + 1 : 0,
      .staged = true};
  patterns::Transaction transaction = MakeTransaction();
  transaction.Insert({.table = core_->events_table,
                      .item = EncodeAppendRecord(*core_, record),
                      .label = "append"});
  AddHeads(transaction);
  const Result<patterns::Committed> outcome = transaction.Commit();
  if (!outcome) {
    return Classify(outcome.error());
  }
  for (std::size_t index = 0; index < append_.events.size(); ++index) {
    append_.events[index].position = record.first_position == 0 ? 0 : record.first_position + index;
  }
  RememberCommit();
  return MakeAnswer(append_);
}

Result<void> AppendRun::WriteStage() {
  std::vector<patterns::TableWrites> writes = {{.table = core_->events_table, .writes = {}},
                                               {.table = core_->tags_table, .writes = {}}};
  const patterns::BatchWriter writer(*core_->database, core_->MakeWriteOptions(),
                                     core_->environment);
  const auto flush = [&]() -> Result<void> {
    const patterns::BatchWriteOutcome outcome = writer.Write(writes);
    if (!outcome.complete()) {
      return std::unexpected(outcome.error.value_or(
          Error{.code = ErrorCode::kUnavailable, .message = "a stage could not be written"}));
    }
    writes[0].writes.clear();
    writes[1].writes.clear();
    return {};
  };
  const auto batch = static_cast<std::size_t>(core_->options.batch_write_items_max) *
                     static_cast<std::size_t>(core_->options.concurrent_reads_max);
  for (std::size_t index = 0; index < append_.events.size(); ++index) {
    const Event& event = append_.events[index];
    const StageMark mark{.append_id = options_.append_id, .stage = append_.seed, .index = index};
    writes[0].writes.emplace_back(PutRequest{EncodeEvent(*core_, event, mark)});
    for (const std::string& tag : event.tags) {
      writes[1].writes.emplace_back(PutRequest{EncodeTagRow(*core_, event, tag, mark)});
    }
    if (writes[0].writes.size() + writes[1].writes.size() >= batch) {
      TRY_VOID(flush());
    }
  }
  return flush();
}

// As far as it goes: what stays is invisible.
void AppendRun::RemoveStage() {
  std::vector<patterns::TableWrites> writes = {{.table = core_->events_table, .writes = {}},
                                               {.table = core_->tags_table, .writes = {}}};
  for (const Event& event : append_.events) {
    writes[0].writes.emplace_back(DeleteRequest{core_->keys.Event(event.id)});
    for (const std::string& tag : event.tags) {
      writes[1].writes.emplace_back(
          DeleteRequest{{{"pk", core_->keys.TagPartition(tag)},
                         {"sk", event.sortable_id.ToText() + "#" + event.id}}});
    }
  }
  static_cast<void>(
      patterns::BatchWriter(*core_->database, core_->MakeWriteOptions(), core_->environment)
          .Write(std::move(writes)));
}

}  // namespace stator::events
