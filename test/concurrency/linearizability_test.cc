// Random operations of several threads on one item, and random transactions on several: each short
// history must have an order that explains it.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>

#include "concurrency/history.h"
#include "concurrency/stage.h"
#include "stator/base/random.h"

namespace stator::concurrency {
namespace {

constexpr int kThreads = 4;
constexpr int kOperations = 5;  // of each thread
constexpr int kItems = 3;

// The values of all items; -1 where there is none.
using State = std::array<std::int64_t, kItems>;

// What was asked, and what came of it.
struct Operation {
  enum class Kind : std::uint8_t { kRead, kWrite, kCompareAndSet, kAdd, kDelete, kMove };

  Kind kind = Kind::kRead;
  int item = 0;
  int other = 0;           // of a transaction
  std::int64_t value = 0;  // written, added or moved
  std::int64_t compared = 0;
  bool done = true;
  State seen = {};  // of a read, and of an addition in its item
};

std::string Describe(const std::vector<Event<Operation>>& events) {
  std::string text;
  for (const Event<Operation>& event : events) {
    const Operation& operation = event.operation;
    text += std::to_string(event.called) + "-" + std::to_string(event.returned) + " kind " +
            std::to_string(static_cast<int>(operation.kind)) + " item " +
            std::to_string(operation.item) + "," + std::to_string(operation.other) + " value " +
            std::to_string(operation.value) + " compared " + std::to_string(operation.compared) +
            (operation.done ? " done" : " refused") + " seen";
    for (const std::int64_t value : operation.seen) {
      text += " " + std::to_string(value);
    }
    text += "\n";
  }
  return text;
}

std::optional<State> Apply(State state, const Operation& operation) {
  std::int64_t& value = state[static_cast<std::size_t>(operation.item)];
  std::int64_t& other = state[static_cast<std::size_t>(operation.other)];
  switch (operation.kind) {
    case Operation::Kind::kRead:
      return state == operation.seen ? std::optional(state) : std::nullopt;
    case Operation::Kind::kWrite:
      value = operation.value;
      return state;
    case Operation::Kind::kCompareAndSet:
      if ((value == operation.compared) != operation.done) {
        return std::nullopt;
      }
      value = operation.done ? operation.value : value;
      return state;
    case Operation::Kind::kAdd:
      value = (value < 0 ? 0 : value) + operation.value;
      if (value != operation.seen[static_cast<std::size_t>(operation.item)]) {
        return std::nullopt;
      }
      return state;
    case Operation::Kind::kDelete:
      value = -1;
      return state;
    case Operation::Kind::kMove: {
      const bool possible = value >= operation.value && other >= 0;
      if (possible != operation.done) {
        return std::nullopt;
      }
      if (possible) {
        value -= operation.value;
        other += operation.value;
      }
      return state;
    }
  }
  return std::nullopt;
}

class Linearizability : public ConcurrencyTest {
 protected:
  void SetUp() override { MakeTable("things"); }

  static Item KeyOf(int item) { return {{"pk", std::to_string(item)}}; }

  void Clear() {
    for (int item = 0; item < kItems; ++item) {
      Must(db().DeleteItem({.table_name = "things", .key = KeyOf(item)}));
    }
  }

  void Read(Operation& operation, bool alone) {
    operation.seen.fill(-1);
    if (alone) {
      const auto item =
          Must(db().GetItem({.table_name = "things", .key = KeyOf(0), .consistent_read = true}))
              .item;
      operation.seen[0] = item ? IntegerOf(*item, "n") : -1;
      return;
    }
    TransactGetItemsInput input;
    for (int item = 0; item < kItems; ++item) {
      input.transact_items.push_back({.table_name = "things", .key = KeyOf(item)});
    }
    const auto output = Must(db().TransactGetItems(input));
    for (std::size_t at = 0; at < kItems; ++at) {
      const auto& item = output.responses[at];
      operation.seen[at] = item ? IntegerOf(*item, "n") : -1;
    }
  }

  void CompareAndSet(Operation& operation) {
    const auto result =
        db().PutItem({.table_name = "things",
                      .item = {{"pk", std::to_string(operation.item)}, {"n", operation.value}},
                      .condition_expression = "n = :n",
                      .expression_attribute_values = Map{{":n", operation.compared}}});
    operation.done = result.has_value();
    if (!result && result.error().code != ErrorCode::kConditionFailed) {
      FailMust(result.error());
    }
  }

  void Add(Operation& operation) {
    const auto output =
        Must(db().UpdateItem({.table_name = "things",
                              .key = KeyOf(operation.item),
                              .update_expression = "ADD n :n",
                              .expression_attribute_values = Map{{":n", operation.value}},
                              .return_values = ReturnValues::kUpdatedNew}));
    operation.seen[static_cast<std::size_t>(operation.item)] = IntegerOf(*output.attributes, "n");
  }

  void Move(Operation& operation) {
    const auto result = db().TransactWriteItems(
        {.transact_items = {
             TransactUpdate{.table_name = "things",
                            .key = KeyOf(operation.item),
                            .update_expression = "SET n = n - :n",
                            .condition_expression = "n >= :n",
                            .expression_attribute_values = Map{{":n", operation.value}}},
             TransactUpdate{.table_name = "things",
                            .key = KeyOf(operation.other),
                            .update_expression = "SET n = n + :n",
                            .condition_expression = "attribute_exists(n)",
                            .expression_attribute_values = Map{{":n", operation.value}}}}});
    operation.done = result.has_value();
    if (!result && result.error().code != ErrorCode::kTransactionCanceled) {
      FailMust(result.error());
    }
  }

  // Does it and notes what came of it.
  void Run(Operation& operation, bool alone) {
    switch (operation.kind) {
      case Operation::Kind::kRead:
        return Read(operation, alone);
      case Operation::Kind::kWrite:
        Must(db().PutItem(
            {.table_name = "things",
             .item = {{"pk", std::to_string(operation.item)}, {"n", operation.value}}}));
        return;
      case Operation::Kind::kCompareAndSet:
        return CompareAndSet(operation);
      case Operation::Kind::kAdd:
        return Add(operation);
      case Operation::Kind::kDelete:
        Must(db().DeleteItem({.table_name = "things", .key = KeyOf(operation.item)}));
        return;
      case Operation::Kind::kMove:
        return Move(operation);
    }
  }

  static Operation Any(Random& random, bool alone) {
    Operation operation;
    operation.kind = static_cast<Operation::Kind>(random.Below(alone ? 5 : 6));
    operation.item = alone ? 0 : static_cast<int>(random.Below(kItems));
    operation.other = (operation.item + 1) % kItems;
    operation.value = static_cast<std::int64_t>(random.Below(4));
    operation.compared = static_cast<std::int64_t>(random.Below(4));
    return operation;
  }

  std::vector<Event<Operation>> RunHistory(std::uint64_t seed, bool alone) {
    std::vector<Event<Operation>> events;
    std::mutex mutex;
    std::atomic<std::uint64_t> now = 0;
    InParallel(kThreads, [&](int thread) {
      SeededRandom random(seed * kThreads + static_cast<std::uint64_t>(thread));
      for (int number = 0; number < kOperations; ++number) {
        Event<Operation> event{.operation = Any(random, alone)};
        event.called = ++now;
        Run(event.operation, alone);
        event.returned = ++now;
        const std::lock_guard lock(mutex);
        events.push_back(event);
      }
    });
    return events;
  }

  void CheckHistories(int count, bool alone) {
    State start;
    start.fill(-1);
    for (int number = 0; number < count; ++number) {
      Clear();
      const auto events = RunHistory(static_cast<std::uint64_t>(number), alone);
      ASSERT_TRUE(HasAnOrder(events, start, Apply)) << "seed " << number << "\n"
                                                    << Describe(events);
    }
  }
};

TEST_P(Linearizability, OfOperationsOnOneItem) {
  CheckHistories(25 * Effort(), true);
}

TEST_P(Linearizability, OfTransactionsOnSeveral) {
  CheckHistories(25 * Effort(), false);
}

INSTANTIATE_TEST_SUITE_P(Homes, Linearizability, testing::Values(Home::kMemory, Home::kFiles),
                         NameOfHome);

}  // namespace
}  // namespace stator::concurrency
