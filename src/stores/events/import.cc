// Events from lines: many in one slot, each once, with the ids, times and, where that is possible,
// the sortable ids that they have.

#include <optional>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/background.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/export_end.h"
#include "stores/events/log_places.h"
#include "stores/events/log_reader.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/prepared_append.h"
#include "stores/events/subject_keys.h"

namespace stator::events {
namespace {

constexpr std::size_t kEventsPerBatch = 1000;
constexpr std::size_t kBytesPerBatch = std::size_t{200} << 10U;
constexpr std::size_t kIdBytesMax = 256;
constexpr int kAttemptsMax = 1000;

std::size_t RoughSizeOf(const Event& event) {
  std::size_t bytes = 128 + event.type.size() + event.payload.size();
  for (const std::string& tag : event.tags) {
    bytes += tag.size();
  }
  return bytes;
}

class Import {
 public:
  explicit Import(EventStore& store) : core_(&EventStoreCoreOf(store)) {}

  Result<void> Add(std::string_view line) {
    if (report_.end) {
      return Fail(ErrorCode::kSerialization, "there are lines behind the end of the export");
    }
    if (const std::optional<ExportEnd> end = TRY(ParseEndLine(line))) {
      return CheckEnd(*end);
    }
    ++report_.lines;
    digest_.Add(line);
    EventLine parsed = TRY(ParseEventLine(line));
    report_.is_whole_log = report_.is_whole_log && parsed.position == report_.lines;
    if (parsed.id.size() > kIdBytesMax) {
      return Fail(ErrorCode::kSerialization, "the id of an event has at most 256 bytes");
    }
    std::string erased;
    if (parsed.erased) {
      erased = std::exchange(parsed.event.subject, std::string());
      TRY_VOID(CheckErased(parsed.event, erased));
    }
    Ticket one;
    const KeyBySubject keys = TRY(core_->subjects.ForAppending({parsed.event}));
    TRY_VOID(PrepareAppend(*core_, {std::move(parsed.event)}, keys, one));
    Event& event = one.events.front();
    if (parsed.erased) {
      event.erased = true;
      event.subject = std::move(erased);
    }
    event.id = std::move(parsed.id);
    event.sortable_id = parsed.sortable_id;
    if (!parsed.recorded_at.empty()) {
      event.recorded_at = std::move(parsed.recorded_at);
    }
    std::size_t bytes = RoughSizeOf(event);
    for (OffloadedPayload& payload : one.payloads) {
      bytes += payload.bytes.size();
    }
    if (bytes_ + bytes > kBytesPerBatch || batch_.size() >= kEventsPerBatch) {
      TRY_VOID(Flush());
    }
    bytes_ += bytes;
    for (OffloadedPayload& payload : one.payloads) {
      payloads_.push_back(std::move(payload));
    }
    batch_.push_back(std::move(event));
    return {};
  }

  // Appends what was added. If others append at the same time, it is placed behind them.
  Result<void> Flush() {
    for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
      const Mark mark = core_->log.known_tags().mark();
      TRY_VOID(DropWhatIsThere(mark));
      if (batch_.empty()) {
        bytes_ = 0;
        payloads_.clear();
        return {};
      }
      TRY_VOID(WriteNewPayloads());
      if (TRY(Append(mark))) {
        report_.appended += batch_.size();
        batch_.clear();
        bytes_ = 0;
        payloads_.clear();
        return {};
      }
    }
    return Fail(ErrorCode::kConflict, "others appended each time");
  }

  [[nodiscard]] const ImportReport& report() const { return report_; }

 private:
  Result<void> CheckEnd(const ExportEnd& end) {
    const ExportEnd came = digest_.Finish();
    if (came.events != end.events) {
      return Fail(ErrorCode::kSerialization, "the export had " + std::to_string(end.events) +
                                                 " events, and " + std::to_string(came.events) +
                                                 " came; import the whole of it again");
    }
    if (came != end) {
      return Fail(ErrorCode::kSerialization,
                  "the lines are not those that were exported: their SHA-256 is " + came.sha256 +
                      " and was " + end.sha256);
    }
    report_.end = end;
    return {};
  }

  // The store then has the record that its subject was erased, unless it knows one of that name.
  Result<void> CheckErased(const NewEvent& event, const std::string& subject) {
    if (!event.payload.empty()) {
      return Fail(ErrorCode::kSerialization, "an erased event has no payload");
    }
    return subject.empty() || !erased_.insert(subject).second ? Result<void>()
                                                              : KeepErased(*core_, subject);
  }

  // Of the events that are not there yet.
  Result<void> WriteNewPayloads() {
    std::set<std::string> keys;
    for (const Event& event : batch_) {
      keys.insert(event.payload_key);
    }
    std::erase_if(payloads_,
                  [&](const OffloadedPayload& payload) { return !keys.contains(payload.key); });
    return WritePayloads(*core_, payloads_);
  }

  // Whether the event is where its id says.
  Result<bool> IsAt(std::uint64_t position, const std::string& id, const Mark& mark) {
    if (position == 0 || position > mark.place.position) {
      return false;
    }
    if (slot_ == nullptr || position < slot_->first_position || position > slot_->last_position()) {
      slot_ = TRY(ReadSlotAt(*core_, position, /*consistent=*/true));
    }
    return slot_ != nullptr && slot_->events[position - slot_->first_position].id == id;
  }

  // What is behind the mark is found when it is decided.
  Result<void> DropWhatIsThere(const Mark& mark) {
    std::vector<Event> left;
    std::vector<Item> keys;
    std::set<std::string> ids;
    for (Event& event : batch_) {
      const bool there = !event.id.empty() && (!ids.insert(event.id).second ||
                                               TRY(IsAt(PositionOfId(event.id), event.id, mark)));
      if (!there) {
        if (!event.id.empty()) {
          keys.push_back(core_->keys.KeptId(event.id));
        }
        left.push_back(std::move(event));
      }
    }
    patterns::BatchReadOutcome rows =
        patterns::BatchReader(*core_->database, core_->MakeReadOptions(), core_->environment)
            .Read(core_->events_table, keys, {.consistent_read = true});
    if (!rows.complete()) {
      batch_ = std::move(left);
      return std::unexpected(rows.error.value_or(
          Error{.code = ErrorCode::kUnavailable, .message = "the index could not be read"}));
    }
    batch_.clear();
    std::size_t row = 0;
    for (Event& event : left) {
      if (event.id.empty() || !rows.items[row++]) {
        batch_.push_back(std::move(event));
      }
    }
    std::erase_if(batch_, [this](const Event& event) { return IsInTail(event.id); });
    return {};
  }

  [[nodiscard]] bool IsInTail(const std::string& id) const {
    return !id.empty() && core_->log.LookAtTail([&](const Tail& tail) {
      const auto found = tail.FindKeptId(id);
      const SlotPointer slot = tail.SlotAt(PositionOfId(id));
      return (found && !found->pending) ||
             (slot != nullptr && slot->events[PositionOfId(id) - slot->first_position].id == id);
    });
  }

  // Whether that was possible. If not, something else was appended meanwhile.
  Result<bool> Append(const Mark& mark) {
    Ticket ticket;
    ticket.facts_slot = mark.place.slot;
    ticket.keeps_places = true;
    SortableId last = core_->log.LookAtTail([](const Tail& tail) { return tail.end().hi; });
    const SortableId now = SortableId::At(core_->environment.clock->Now());
    std::uint64_t moved = 0;
    for (const Event& event : batch_) {
      const SortableId wanted = event.sortable_id == SortableId() ? now : event.sortable_id;
      ticket.events.push_back(event);
      ticket.events.back().sortable_id = wanted > last ? wanted : Successor(last);
      last = ticket.events.back().sortable_id;
      moved += event.sortable_id != SortableId() && event.sortable_id != last ? 1 : 0;
    }
    ticket.bytes = EncodeAppend(ticket.append, ticket.events);
    if (ticket.bytes.size() > kSlotBytesMax) {
      ticket.parts = TRY(WriteParts(*core_, std::string(1, kBodyVersion) + ticket.bytes));
    }
    core_->log.Run(ticket);
    if (ticket.parts && !ticket.sent) {
      RemoveParts(*core_, *ticket.parts);
    }
    if (ticket.outcome == Ticket::Outcome::kFailed) {
      return std::unexpected(ticket.error);
    }
    if (ticket.outcome != Ticket::Outcome::kAppended) {
      return false;
    }
    report_.moved += moved;
    core_->background.Notice();
    return true;
  }

  EventStoreCore* core_;
  ImportReport report_;
  LineDigest digest_;
  std::vector<Event> batch_;
  std::vector<OffloadedPayload> payloads_;  // of the batch
  std::size_t bytes_ = 0;
  std::set<std::string> erased_;  // subjects
  SlotPointer slot_;              // that was looked into last
};

}  // namespace

Result<ImportReport> ImportEvents(EventStore& store,
                                  const std::function<Result<bool>(std::string&)>& next) {
  if (store.options().read_only) {
    return Invalid("the event store was opened for reading only");
  }
  TRY_VOID(EventStoreCoreOf(store).log.Refresh(/*consistent=*/true));
  Import import(store);
  std::string line;
  while (TRY(next(line))) {
    if (Result<void> added = import.Add(line); !added) {
      Error error = added.error();
      error.message = "line " + std::to_string(import.report().lines) + ": " + error.message;
      return std::unexpected(std::move(error));
    }
  }
  TRY_VOID(import.Flush());
  return import.report();
}

}  // namespace stator::events
