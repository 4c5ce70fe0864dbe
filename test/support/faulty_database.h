// For tests: a database that behaves like one at the other end of a bad network. Faults are drawn
// from a seed, by rates, or written down call by call:
//
//   support::FaultyDatabase faulty(home->database(), {.lost_after = 0.1, .throttled = 0.1}, seed);
//   faulty.Script("UpdateItem", {Fault::kNone, Fault::kLostAfter});  // the second loses its answer
//   faulty.BeforeNext("UpdateItem", [&] { OtherWriter(); });         // somebody else is faster
//
//
// Operations are called by their AWS names. Only operations on items have faults.
// THREADS: as the database behind it; with one thread a seed repeats a run exactly.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/forwarding_database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"

namespace stator::support {

enum class Fault : std::uint8_t {
  kNone,
  kLostBefore,   // never arrived; nobody knows: kAmbiguous for a write, kTimeout for a read
  kLostAfter,    // done, the answer got lost: the same errors
  kLate,         // a write that gets no answer and is done a few calls later
  kThrottled,    // not done: kThrottled
  kUnavailable,  // not done: kUnavailable
  kConflict,     // not done: another transaction is on the item
  kUnprocessed,  // of a batch: a part is done, the rest returned
};

// Probabilities per call. A fault that an operation cannot have leaves the call alone.
struct FaultRates {
  double lost_before = 0;
  double lost_after = 0;
  double late = 0;
  double throttled = 0;
  double unavailable = 0;
  double conflict = 0;
  double unprocessed = 0;
  // Every call sleeps up to this long on the clock.
  Duration delay_max = Duration::zero();
};

class FaultyDatabase final : public ForwardingDatabase {
 public:
  // `clock` is needed for delays only.
  explicit FaultyDatabase(Database& next, FaultRates rates = {}, std::uint64_t seed = 1,
                          Clock* clock = nullptr);

  // The next calls of the operation meet these, in order; after them the rates count again.
  void Script(const std::string& operation, const std::vector<Fault>& faults);

  // Runs right before the next call of the operation that has no such action yet; twice for the
  // next two calls. May use the database behind this one, or this one.
  void BeforeNext(const std::string& operation, std::function<void()> action);

  void SetRates(const FaultRates& rates);

  // Does the late writes that are still waiting.
  void ApplyLate();

  [[nodiscard]] std::size_t calls(const std::string& operation) const;
  [[nodiscard]] std::size_t calls() const;
  // Of one kind, over all operations.
  [[nodiscard]] std::size_t faults(Fault fault) const;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override;
  Result<GetItemOutput> GetItem(const GetItemInput& input) override;
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override;
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override;
  Result<QueryOutput> Query(const QueryInput& input) override;
  Result<ScanOutput> Scan(const ScanInput& input) override;
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override;
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;

 private:
  struct LateWrite {
    std::uint64_t calls_left;
    std::function<void()> write;
  };
  // What an operation can suffer.
  struct Nature {
    const char* name;
    bool writes = false;
    bool conflicts = false;
    bool is_batch = false;
  };

  // Counts the call, does what is due, and says what happens to it.
  Fault Begin(const Nature& nature);
  [[nodiscard]] Fault Draw(const Nature& nature);
  template <class Output, class Call>
  Result<Output> Meet(const Nature& nature, Fault fault, Call&& call);

  SeededRandom random_;
  Clock* clock_;
  mutable std::mutex mutex_;
  FaultRates rates_;  // all below protected by mutex_
  std::map<std::string, std::deque<Fault>> scripts_;
  std::map<std::string, std::deque<std::function<void()>>> before_;
  std::map<std::string, std::size_t> calls_;
  std::map<Fault, std::size_t> faults_;
  std::vector<LateWrite> late_;
};

}  // namespace stator::support
