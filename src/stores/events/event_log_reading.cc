// What EventLog reads: the slots of others, and what stands between it and its next decision.

#include <utility>

#include "base/try.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"
#include "stores/events/redaction.h"

namespace stator::events {
namespace {

constexpr std::uint64_t kSlotsPerRead = 100;
// How far the log may be ahead of its index, which bounds memory and the time to open.
constexpr std::uint64_t kTailSlotsMax = 2048;
constexpr std::uint64_t kTailBytesMax = std::uint64_t{32} << 20U;

}  // namespace

Result<void> EventLog::Open() {
  const Mark mark = TRY(ReadMark(*core_, MarkKind::kIndex));
  core_->redactions.Begin();
  MutexLock lock(mutex_);
  tail_.Configure(core_->genesis.chunk);
  tail_.Reset(mark);
  known_tags_.Reset(mark);
  return CatchUp(std::nullopt);
}

void EventLog::TrimTo(const Mark& mark, const std::map<BlockName, Totals>* totals) {
  known_tags_.Advance(mark, tail_.Trim(mark), totals);
}

void EventLog::UseMark(const Mark& mark, const std::map<BlockName, Totals>* totals) {
  const MutexLock lock(mutex_);
  if (mark.place.slot > tail_.mark().place.slot && mark.place.slot <= tail_.settled().slot) {
    TrimTo(mark, totals);
  }
}

Result<std::vector<SlotPointer>> EventLog::ReadOn(std::uint64_t next,
                                                  const std::optional<Item>& known) {
  std::vector<SlotPointer> slots;
  if (known && TextOr(*known, "sk") == Padded(next, 12)) {
    slots.push_back(TRY(AssembleSlot(*core_, *known, next)));
    return slots;
  }
  std::optional<SlotPointer> slot = TRY(ReadSlot(*core_, next, /*consistent=*/true));
  if (!slot) {
    return slots;
  }
  slots.push_back(*std::move(slot));
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = next + 1; number < next + kSlotsPerRead; ++number) {
    numbers.push_back(number);
  }
  for (std::shared_ptr<Slot>& more :
       TRY(ReadSlots(*core_, numbers, /*consistent=*/true, /*up_to_a_hole=*/true))) {
    slots.push_back(std::move(more));
  }
  return slots;
}

// Reads on until a slot is missing. Whoever else does the same meanwhile does no harm.
Result<void> EventLog::CatchUp(std::optional<Item> known) {
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    mutex_.Unlock();
    const Result<std::vector<SlotPointer>> slots = ReadOn(next, known);
    // One that slept for long goes on at the mark.
    std::optional<Mark> mark;
    if (slots && slots->size() == kSlotsPerRead) {
      if (Result<Mark> newer = ReadMark(*core_, MarkKind::kIndex)) {
        mark = *newer;
      }
    }
    known.reset();
    mutex_.Lock();
    if (!slots) {
      return std::unexpected(slots.error());
    }
    if (slots->empty() || tail_.has_pending()) {
      return {};
    }
    for (const SlotPointer& slot : *slots) {
      if (slot->number == tail_.settled().slot + 1) {
        tail_.Fold(slot);
      }
    }
    if (mark && mark->place.slot > tail_.settled().slot) {
      tail_.Reset(*mark);
      known_tags_.Reset(*mark);
    } else if (mark && mark->place.slot > tail_.mark().place.slot) {
      TrimTo(*mark, nullptr);
    }
    nothing_decidable_ = false;
    settled_.NotifyAll();
  }
}

Result<void> EventLog::Refresh(bool consistent) {
  TRY_VOID(core_->redactions.Refresh());
  MutexLock lock(mutex_);
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    lock.Unlock();
    const std::optional<SlotPointer> slot = TRY(ReadSlot(*core_, next, consistent));
    if (!slot) {
      return {};
    }
    lock.Lock();
    if (!tail_.has_pending()) {
      if ((*slot)->number == tail_.settled().slot + 1) {
        tail_.Fold(*slot);
      }
      return CatchUp(std::nullopt);
    }
    // It is ours, or stands where ours should be: whoever sent that one will say.
    settled_.Wait(lock, [&]() STATOR_REQUIRES(mutex_) {
      return tail_.settled().slot >= next || !tail_.has_pending();
    });
  }
}

Result<void> EventLog::SettleUnknown() {
  const std::shared_ptr<Flight> flight = unsettled_;
  flight->state = Flight::State::kSent;
  mutex_.Unlock();
  SendFlight(*core_, *flight);
  mutex_.Lock();
  if (flight->state == Flight::State::kFailed || flight->state == Flight::State::kUnknown) {
    return std::unexpected(flight->error);
  }
  unsettled_.reset();
  must_catch_up_ = true;
  return {};
}

Result<void> EventLog::MakeReady() {
  if (unsettled_ != nullptr) {
    TRY_VOID(SettleUnknown());
  }
  if (must_catch_up_) {
    TRY_VOID(CatchUp(std::exchange(known_next_, std::nullopt)));
    must_catch_up_ = false;
    // So that of several processes not always the same is faster.
    const auto span = static_cast<std::uint64_t>(last_put_.count()) + 1;
    const Duration wait(static_cast<Duration::rep>(core_->environment.random->Below(span)));
    if (wait > Duration::zero()) {
      mutex_.Unlock();
      core_->environment.clock->SleepFor(wait);
      mutex_.Lock();
    }
  }
  return MakeRoom();
}

Result<void> EventLog::MakeRoom() {
  while (tail_.end().slot - tail_.mark().place.slot >= kTailSlotsMax ||
         tail_.bytes() > kTailBytesMax) {
    if (tail_.complete_chunks() == 0) {
      return {};
    }
    mutex_.Unlock();
    const Result<bool> indexed = core_->indexer.IndexNext();
    mutex_.Lock();
    if (!TRY(Result<bool>(indexed))) {
      return {};
    }
  }
  return {};
}

}  // namespace stator::events
