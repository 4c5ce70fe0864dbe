// What EventLog reads: the slots of others, and what stands between it and its next decision.

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"
#include "stores/events/redaction.h"

namespace stator::events {
namespace {

constexpr std::uint64_t kSlotsPerReadMax = 100;
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

// At most so many slots from `next` on, up to the first that is not there.
Result<std::vector<SlotPointer>> EventLog::ReadOn(std::uint64_t next, std::uint64_t most,
                                                  const std::optional<Item>& known) {
  std::vector<SlotPointer> slots;
  if (known && TextOr(*known, "sk") == Padded(next, 12)) {
    slots.push_back(TRY(AssembleSlot(*core_, *known, next)));
    return slots;
  }
  if (most == 1) {
    if (std::optional<SlotPointer> slot = TRY(ReadSlot(*core_, next, /*consistent=*/true))) {
      slots.push_back(*std::move(slot));
    }
    return slots;
  }
  std::vector<std::uint64_t> numbers(most);
  std::iota(numbers.begin(), numbers.end(), next);
  for (std::shared_ptr<Slot>& slot :
       TRY(ReadSlots(*core_, numbers, /*consistent=*/true, /*up_to_a_hole=*/true))) {
    slots.push_back(std::move(slot));
  }
  return slots;
}

// Reads on until a slot is missing. Whoever else does the same meanwhile does no harm. Mostly there are
// none or few, and those that are not there are paid for like those that are: it asks for one, and
// for more at once as long as all were there.
Result<void> EventLog::CatchUp(std::optional<Item> known) {
  std::uint64_t most = 1;
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    const bool is_known = known.has_value();
    mutex_.Unlock();
    const Result<std::vector<SlotPointer>> slots = ReadOn(next, most, known);
    // One that slept for long goes on at the mark.
    std::optional<Mark> mark;
    if (slots && slots->size() == kSlotsPerReadMax) {
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
    if (slots->size() < most) {
      return {};
    }
    most = is_known ? 1 : std::min(most * 4, kSlotsPerReadMax);
  }
}

bool EventLog::IsOnItsWay(const SlotId& id) const {
  return std::any_of(flights_.begin(), flights_.end(),
                     [&](const auto& flight) { return flight->slot->id == id; });
}

// What this process sends from now on was not committed when it began: if that is what stands behind
// everything else, nothing is missing, and nobody waits for it.
Result<void> EventLog::Refresh(bool consistent) {
  TRY_VOID(core_->redactions.Refresh());
  MutexLock lock(mutex_);
  const std::uint64_t sent_before = tail_.end().slot;
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    const bool is_ours_expected = tail_.has_pending();
    lock.Unlock();
    std::optional<SlotId> there;
    std::optional<SlotPointer> slot;
    if (is_ours_expected) {
      // What it holds is known here.
      there = TRY(ReadSlotId(*core_, next, consistent));
    } else if ((slot = TRY(ReadSlot(*core_, next, consistent)))) {
      there = (*slot)->id;
    }
    if (!there) {
      return {};
    }
    lock.Lock();
    if (tail_.has_pending()) {
      if (next > sent_before && IsOnItsWay(*there)) {
        return {};
      }
      // It is ours, or stands where ours should be: whoever sent that one will say.
      settled_.Wait(lock, [&]() STATOR_REQUIRES(mutex_) {
        return tail_.settled().slot >= next || !tail_.has_pending();
      });
    } else if (slot) {
      if ((*slot)->number == tail_.settled().slot + 1) {
        tail_.Fold(*slot);
      }
      return CatchUp(std::nullopt);
    }
  }
}

Result<void> EventLog::SettleUnknown() {
  const std::shared_ptr<Flight> flight = unsettled_;
  mutex_.Unlock();
  Sent sent = SendFlight(*core_, *flight, /*maybe_stored=*/true);
  mutex_.Lock();
  if (sent.outcome == Sent::Outcome::kUnknown) {
    return std::unexpected(std::move(sent.error));
  }
  DCHECK(sent.outcome != Sent::Outcome::kFailed);
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
