// Numbers for stream records, and the guarantee that a reader never passes a record that is still
// on its way to the disk.
//
// Writers of different items commit in any order, so record 8 may be on disk before record 7. A
// reader that took 8 and went on behind it would never see 7. Therefore readers stop before the
// lowest number that is in use.
//
// THREADS: all methods from any thread.

#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

namespace stator::engine {

class StreamSequencer {
 public:
  // A number in use, until it is destroyed: the record was committed, or never will be.
  class Ticket {
   public:
    Ticket() = default;
    Ticket(Ticket&& other) noexcept
        : sequencer_(std::exchange(other.sequencer_, nullptr)), sequence_(other.sequence_) {}
    Ticket& operator=(Ticket&& other) noexcept {
      if (this != &other) {
        Return();
        sequencer_ = std::exchange(other.sequencer_, nullptr);
        sequence_ = other.sequence_;
      }
      return *this;
    }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket() { Return(); }

    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }

   private:
    friend class StreamSequencer;
    Ticket(StreamSequencer& sequencer, std::uint64_t sequence)
        : sequencer_(&sequencer), sequence_(sequence) {}
    void Return();

    StreamSequencer* sequencer_ = nullptr;
    std::uint64_t sequence_ = 0;
  };

  // Numbers begin behind `last`. Before any Take.
  void StartBehind(std::uint64_t last) { next_ = last + 1; }

  Ticket Take();

  // All records below this are on disk or never will be.
  [[nodiscard]] std::uint64_t StableEnd() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t next_ = 1;          // protected by mutex_
  std::set<std::uint64_t> in_use_;  // protected by mutex_
};

}  // namespace stator::engine
