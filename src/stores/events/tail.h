// The end of the log in memory: the slots above the mark, what is in them by tag, type and id, and
// behind them the slots that are on their way and may never be committed.
//
// THREADS: none; the log protects it. Slots that it gave away stay as they are.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stator/stores/events/event_query.h"
#include "stores/events/log_slot.h"

namespace stator::events {

// Where a chunk of the index ends: with the slot that makes it as large as one of these.
struct ChunkSize {
  std::uint64_t slots = 256;
  std::uint64_t bytes = std::uint64_t{4} << 20U;
  std::uint64_t events = 8192;
};

// Up to where the index is complete.
struct Mark {
  ChainPlace place = {};
  std::uint64_t chunk = 0;  // how many chunks that are

  friend bool operator==(const Mark&, const Mark&) = default;
};

// What one chunk of the index is made of.
struct Chunk {
  Mark begin;
  Mark end;
  std::vector<SlotPointer> slots;  // the valid ones
};

class Tail {
 public:
  struct Ref {
    const Slot* slot;
    std::size_t index;

    [[nodiscard]] const Event& event() const { return slot->events[index]; }
  };
  struct FoundAppend {
    SlotPointer slot;
    std::size_t append = 0;  // of the slot
    bool pending = false;
  };
  struct FoundEvent {
    const Event* event;
    bool pending;
  };

  // What it has of a tag.
  struct Summary {
    std::uint64_t events = 0;
    SortableId first = {};
    SortableId last = {};
    std::string last_event_id = {};
  };

  void Configure(ChunkSize size) { chunk_size_ = size; }

  // Forgets everything and goes on behind the mark.
  void Reset(const Mark& mark);
  [[nodiscard]] const Mark& mark() const { return mark_; }
  // The end of what is committed.
  [[nodiscard]] const ChainPlace& settled() const { return settled_; }
  // The same with what is on its way.
  [[nodiscard]] const ChainPlace& end() const { return end_; }
  [[nodiscard]] bool has_pending() const { return settled_slots_ < slots_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  // Takes the slot behind the settled ones: committed, or void, which is stepped over.
  // REQUIRES: nothing is pending, and it is the next.
  void Fold(const SlotPointer& slot);

  // A slot that is on its way, or becomes it: events that are added to it are seen at once.
  // REQUIRES: it goes on where end() is.
  void AddPending(std::shared_ptr<Slot> slot);
  // Of the last pending slot: its last append was added.
  void IndexLastAppend();
  // The first pending slot is committed.
  void SettleFirst();
  void DropPending();

  // What is up to the mark is in the index now; gives the slots that are no longer here. REQUIRES:
  // the mark is not beyond what is settled.
  std::vector<SlotPointer> Trim(const Mark& mark);

  // How many chunks are complete but not indexed, and the first of them.
  [[nodiscard]] std::size_t complete_chunks() const { return cuts_.size(); }
  [[nodiscard]] std::optional<Chunk> FirstChunk() const;

  // The first match behind `after`, of those that are here.
  [[nodiscard]] std::optional<FoundEvent> FindFirst(const QueryItem& item, SortableId after) const;
  [[nodiscard]] std::optional<FoundAppend> FindAppend(const std::string& append_id) const;
  [[nodiscard]] std::optional<FoundAppend> FindKeptId(const std::string& event_id) const;

  // Committed ones.
  [[nodiscard]] Summary SummaryOf(const std::string& tag) const;
  [[nodiscard]] std::vector<Ref> FindTagged(const std::string& tag) const;
  [[nodiscard]] std::vector<Ref> FindTyped(const std::string& type) const;
  [[nodiscard]] std::vector<SlotPointer> SlotsBehind(SortableId since) const;
  [[nodiscard]] SlotPointer SlotAt(std::uint64_t position) const;
  [[nodiscard]] SlotPointer SharedOf(const Slot& slot) const;
  [[nodiscard]] std::vector<std::string> Tags() const;
  [[nodiscard]] std::vector<std::string> Types() const;

 private:
  // References in the order of the log, of which the first ones may be gone.
  struct Refs {
    std::vector<Ref> refs;
    std::size_t gone = 0;
  };
  using RefMap = std::unordered_map<std::string, Refs>;
  struct AppendRef {
    const Slot* slot;
    std::size_t append;
  };

  void Index(const Slot& slot, std::size_t append);
  void Unindex(const Slot& slot);
  void Advance(const Slot& slot);
  void CountForChunk(const Slot& slot, bool valid);
  [[nodiscard]] bool IsPending(const Slot& slot) const { return slot.number > settled_.slot; }
  [[nodiscard]] std::span<const Ref> Committed(const RefMap& map, const std::string& name) const;
  [[nodiscard]] std::optional<Ref> FirstIn(const Refs& refs, const QueryItem& item,
                                           SortableId after) const;
  static void PopFront(RefMap& map, const std::string& name);
  static void PopBack(RefMap& map, const std::string& name);

  ChunkSize chunk_size_;
  Mark mark_;
  ChainPlace settled_;
  ChainPlace end_;
  std::deque<std::shared_ptr<const Slot>> slots_;  // settled ones, then pending ones
  std::size_t settled_slots_ = 0;
  std::uint64_t bytes_ = 0;
  RefMap by_tag_;
  RefMap by_type_;
  std::unordered_map<std::string, AppendRef> appends_;
  std::unordered_map<std::string, AppendRef> kept_ids_;
  std::deque<Mark> cuts_;
  ChunkSize open_chunk_{.slots = 0, .bytes = 0, .events = 0};
};

}  // namespace stator::events
