#include "stores/events/started_append.h"

#include <memory>
#include <optional>
#include <utility>

#include "stores/events/append_events.h"
#include "stores/events/event_log.h"

namespace stator::events {
namespace {

// Belongs to itself until it is done.
class StartedAppend final : public Ticket::Owner {
 public:
  StartedAppend(EventStoreCore& core, AppendOptions options, Completion<Appended> done)
      : core_(&core), options_(std::move(options)), run_(core, options_), done_(std::move(done)) {
    run_.ticket().owner = this;
  }

  void Start(std::vector<NewEvent> events) {
    const bool may_begin = core_->log.Begin();
    if (!may_begin) {
      answer_ = Fail(ErrorCode::kUnavailable, "the event store is being closed");
    } else if (core_->options.read_only) {
      answer_ = Invalid("the event store was opened for reading only");
    } else if (events.empty()) {
      answer_ = Appended{};
    } else if (Result<void> prepared = run_.Prepare(std::move(events), std::nullopt); !prepared) {
      landed_ = std::unexpected(std::move(prepared).error());
    } else if (LookAndQueue()) {
      return;
    }
    core_->log.Tell(run_.ticket());
  }

  bool OnOutcome() override {
    if (!answer_ && !landed_) {
      Result<std::optional<Landed>> outcome = run_.TakeOutcome();
      if (outcome && *outcome) {
        landed_ = **std::move(outcome);
      } else if (!outcome) {
        landed_ = std::unexpected(std::move(outcome).error());
      } else if (LookAndQueue()) {
        return false;
      }
    }
    const std::unique_ptr<StartedAppend> self(this);
    if (!answer_) {
      const Result<Landed> landed = run_.Conclude(*std::move(landed_));
      answer_ = landed ? Result<Appended>(MakeAnswer(*landed)) : std::unexpected(landed.error());
    }
    done_(*std::move(answer_));
    return true;
  }

 private:
  // Whether it is in the queue, where it belongs to others; otherwise `landed_` says why not.
  bool LookAndQueue() {
    Result<std::optional<Landed>> found = run_.LookIntoIndex();
    if (!found) {
      landed_ = std::unexpected(std::move(found).error());
      return false;
    }
    if (*found) {
      landed_ = **std::move(found);
      return false;
    }
    core_->log.Start(run_.ticket());
    return true;
  }

  EventStoreCore* core_;
  AppendOptions options_;
  AppendRun run_;
  Completion<Appended> done_;
  std::optional<Result<Landed>> landed_;
  std::optional<Result<Appended>> answer_;
};

}  // namespace

void StartAppendEvents(EventStoreCore& core, std::vector<NewEvent> events, AppendOptions options,
                       Completion<Appended> done) {
  auto append = std::make_unique<StartedAppend>(core, std::move(options), std::move(done));
  append.release()->Start(std::move(events));
}

}  // namespace stator::events
