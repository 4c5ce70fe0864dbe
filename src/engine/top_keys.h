// Which of very many keys are used most, in little memory: the space-saving sketch of Metwally,
// Agrawal and El Abbadi. It has a fixed number of counters. A key without one takes that of the key
// which was used least, and goes on from its count; so a count is never too low, and by how much it
// may be too high is known.
//
// INVARIANTS
//
//   (1) A key that was used more than (all uses) / kKeysMax has a counter.
//   (2) count - error <= what the key was used <= count.
//
// COST: a use is one hash and a few swaps in a heap of kKeysMax numbers.
// THREADS: one at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stator::engine {

class TopKeys {
 public:
  static constexpr std::size_t kKeysMax = 256;

  struct Counted {
    std::string key;
    double count = 0;
    double error = 0;
  };

  TopKeys() = default;
  TopKeys(const TopKeys&) = delete;
  TopKeys& operator=(const TopKeys&) = delete;

  void Add(std::string_view key, double uses);

  // Those that were used most, at most `limit`; the most used first.
  [[nodiscard]] std::vector<Counted> Most(std::size_t limit) const;

 private:
  struct Slot {
    Counted counted;
    std::size_t place = 0;  // in heap_
  };

  [[nodiscard]] bool IsBefore(std::size_t left, std::size_t right) const {
    return slots_[left].counted.count < slots_[right].counted.count;
  }
  void Put(std::size_t place, std::size_t slot);
  void SinkDown(std::size_t place);
  void RiseUp(std::size_t place);

  // The keys of by_key_ are views of those of slots_, which never moves.
  std::vector<Slot> slots_;
  std::vector<std::size_t> heap_;  // slots, the least used first
  std::unordered_map<std::string_view, std::size_t> by_key_;
};

}  // namespace stator::engine
