// One append, from its events to its answer. What fits one transaction is one (append_run.cc); what
// does not is staged and then published by one (staged_append.cc).
//
// Why a lost answer does no harm: the transaction inserts the first event, or the record of the
// append, under an id that stays the same however often it is sent. So it can be sent again until
// there is an answer, and an insert that fails means that an earlier one was committed.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/transaction.h"
#include "stator/stores/events/append.h"
#include "stores/events/condition_check.h"
#include "stores/events/core.h"
#include "stores/events/prepared_append.h"
#include "stores/events/publications.h"

namespace stator::events {

// The event of a claim has an id of its own and says by which operation it was written.
struct ClaimedId {
  std::string event_id;
  std::string fingerprint;
};

class AppendRun {
 public:
  AppendRun(Core& core, const AppendOptions& options, std::optional<ClaimedId> claim = std::nullopt)
      : core_(&core),
        options_(options),
        conditions_(options.more_conditions),
        claim_(std::move(claim)) {
    if (options.condition) {
      conditions_.push_back(*options.condition);
    }
  }

  Result<Appended> Run(std::vector<NewEvent> events);

  // After Run: the event that was there before, if that is why a claim did not append.
  [[nodiscard]] const std::optional<Item>& claimed_before() const { return claimed_before_; }

 private:
  friend class AppendGroup;  // several runs in one transaction
  friend class AppendGroupLimits;

  // What came of one attempt: the answer, or nothing when it is worth another one.
  using Attempt = Result<std::optional<Appended>>;

  Result<void> Prepare(std::vector<NewEvent> events);
  [[nodiscard]] std::size_t CountWatchedMax() const;
  bool FitsOneTransaction();
  Result<Appended> RunAttempts(const std::function<Attempt()>& attempt);
  Attempt TryWhole();
  Attempt TryWholeInTurn();

  Result<Appended> RunStaged();
  Result<std::optional<Appended>> RunStage(Duration lead);
  Attempt Publish();
  Attempt PublishInTurn();
  Result<void> WriteStage();
  void RemoveStage();

  // The answer when the append turns out to be done already. Fails when the condition does not
  // hold.
  Attempt LookAtCondition();
  Result<void> LookAtGlobalHead();
  // The events, the rows of their tags, and the record of the append.
  void AddEvents(patterns::Transaction& transaction) const;
  // Everything seen so far sorts before what is made from now on.
  void ObserveHeads();
  void AddHeads(patterns::Transaction& transaction) const;
  // Takes note of the heads that were in the way.
  void Learn(const Error& failure);
  Attempt Classify(const Error& failure);
  // The answer that is recorded for the append id, if there is one.
  Attempt FindRecordedAnswer();
  Result<Appended> AnswerOf(const AppendRecord& record);
  // The answer if the append was committed, read from the events.
  Attempt ReadBack();
  Result<void> WriteNewEntries();
  void RememberCommit();
  [[nodiscard]] patterns::Transaction MakeTransaction() const;

  Core* core_;
  AppendOptions options_;
  std::vector<AppendCondition> conditions_;  // all of them
  std::optional<ClaimedId> claim_;
  PreparedAppend append_;
  ConditionState condition_;
  std::optional<Head> global_;  // as the attempt sees it
  SortableId highest_;          // of all heads that were seen
  std::map<std::string, Item> new_entries_;
  std::size_t bytes_ = 0;    // of the transaction, about
  bool maybe_done_ = false;  // an answer was lost
  std::optional<Item> claimed_before_;
};

}  // namespace stator::events
