// A call of one of the operations that write items; see call.h and write_operations.h.

#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/call.h"
#include "engine/contributors.h"
#include "engine/idempotency.h"
#include "engine/write_operations.h"
#include "stator/api/database.h"

namespace stator::engine {

// What a plan locks and goes by.
inline void Adopt(const ItemPlan& plan, LockRequest& locks, PendingWrite& write) {
  CHECK(plan.table != nullptr && !plan.item_key.empty());
  locks.SetHash(KeyTable::HashOf(plan.item_key));
  write.tables.push_back(plan.table);
}

inline void Adopt(const BatchPlan& plan, LockRequest& locks, PendingWrite& write) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(plan.writes.size());
  for (const BatchWrite& each : plan.writes) {
    CHECK(each.table != nullptr && each.key != nullptr);
    hashes.push_back(KeyTable::HashOf(each.item_key));
  }
  locks.SetHashes(std::move(hashes));
  write.tables = plan.tables;
}

inline void Adopt(const TransactPlan& plan, LockRequest& locks, PendingWrite& write) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(plan.actions.size() + 1);
  for (const ItemAction& action : plan.actions) {
    CHECK(action.table != nullptr && !action.item_key.empty());
    hashes.push_back(KeyTable::HashOf(action.item_key));
    if (write.tables.empty() || write.tables.back() != action.table) {
      write.tables.push_back(action.table);
    }
  }
  if (plan.token) {
    hashes.push_back(TokenLock(*plan.token));
  }
  locks.SetHashes(std::move(hashes));
}

inline void Adopt(const StatementPlan& plan, LockRequest& locks, PendingWrite& write) {
  locks.SetHash(KeyTable::HashOf(plan.action.item_key));
  write.tables.push_back(plan.action.table);
}

inline void Adopt(const StatementBatchPlan& plan, LockRequest& locks, PendingWrite& write) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(plan.members.size());
  for (const std::optional<StatementAction>& member : plan.members) {
    if (member) {
      hashes.push_back(KeyTable::HashOf(member->action.item_key));
      write.tables.push_back(member->action.table);
    }
  }
  locks.SetHashes(std::move(hashes));
}

// Calls `visit(table, item_key)` for each item of a plan.
inline void ForEachItem(const ItemPlan& plan, const auto& visit) {
  visit(*plan.table, plan.item_key);
}

inline void ForEachItem(const BatchPlan& plan, const auto& visit) {
  for (const BatchWrite& each : plan.writes) {
    visit(*each.table, each.item_key);
  }
}

inline void ForEachItem(const TransactPlan& plan, const auto& visit) {
  for (const ItemAction& action : plan.actions) {
    visit(*action.table, action.item_key);
  }
}

inline void ForEachItem(const StatementPlan& plan, const auto& visit) {
  visit(*plan.action.table, plan.action.item_key);
}

inline void ForEachItem(const StatementBatchPlan& plan, const auto& visit) {
  for (const std::optional<StatementAction>& member : plan.members) {
    if (member) {
      visit(*member->action.table, member->action.item_key);
    }
  }
}

template <class Input, class Output, class PlanType>
struct WriteOperation {
  Result<PlanType> (*plan)(EngineCore&, const Input&);
  Result<Output> (*decide)(EngineCore&, const Input&, const PlanType&, WriterView&, PendingWrite&);
  // Answers what turns out to be a read; null when nothing does.
  Result<std::optional<Output>> (*read)(EngineCore&, const Input&) = nullptr;
};

template <class Input, class Output, class PlanType>
class OperationCall : public Call {
 public:
  using Operation = WriteOperation<Input, Output, PlanType>;

  OperationCall(EngineCore& core, const Operation& operation) : Call(core), operation_(operation) {}

 protected:
  // The input must stay until it is answered, or another is set.
  void set_input(const Input& input) { input_ = &input; }

  // What was decided, or why not.
  Result<Output> Outcome(Result<void> outcome) {
    plan_.reset();
    if (!outcome) {
      return std::unexpected(std::move(outcome).error());
    }
    CHECK_THAT(output_, "good without having been decided");
    return *std::move(output_);
  }

 private:
  Result<void> Plan() override {
    CHECK(input_ != nullptr);
    plan_.reset();
    plan_.emplace(TRY(operation_.plan(core(), *input_)));
    Adopt(*plan_, *this, *this);
    return {};
  }

  void Unplan() override { plan_.reset(); }

  Result<void> Decide(WriterView& view) override {
    CHECK(plan_);
    output_.emplace(TRY(operation_.decide(core(), *input_, *plan_, view, *this)));
    return {};
  }

  [[nodiscard]] Error Conflict() const override {
    if constexpr (requires { ConflictOf(*plan_); }) {
      return ConflictOf(*plan_);
    } else {
      return Call::Conflict();
    }
  }

  void CountThrottled() const override {
    ForEachItem(*plan_, [](const Table& table, const std::string& item_key) {
      if (table.contributors) {
        table.contributors->CountThrottled(item_key);
      }
    });
  }

  [[nodiscard]] bool is_heavy() const override {
    if constexpr (requires { plan_->is_heavy; }) {
      return plan_->is_heavy;
    } else {
      return false;
    }
  }

  const Operation& operation_;
  const Input* input_ = nullptr;
  std::optional<PlanType> plan_;
  std::optional<Output> output_;
};

// A call that tells its outcome to a completion. Its input is somebody else's as long as Start has
// not returned; when it is parked it gets its own.
template <class Input, class Output, class PlanType>
class StartedCall final : public OperationCall<Input, Output, PlanType> {
 public:
  using Base = OperationCall<Input, Output, PlanType>;

  StartedCall(EngineCore& core, const typename Base::Operation& operation, const Input& input,
              Completion<Output> done)
      : Base(core, operation), borrowed_(&input), done_(std::move(done)) {
    this->set_input(input);
  }

 private:
  [[nodiscard]] bool borrows_input() const override { return borrowed_ != nullptr; }
  void KeepInput() override {
    CHECK(borrowed_ != nullptr);
    owned_.emplace(*std::exchange(borrowed_, nullptr));
    this->set_input(*owned_);
  }
  void Answer(Result<void> outcome) override { done_(this->Outcome(std::move(outcome))); }

  const Input* borrowed_;
  std::optional<Input> owned_;
  Completion<Output> done_;
};

// A call whose caller waits and keeps the input meanwhile.
template <class Input, class Output, class PlanType>
class AwaitedCall final : public OperationCall<Input, Output, PlanType> {
 public:
  using Base = OperationCall<Input, Output, PlanType>;

  AwaitedCall(EngineCore& core, const typename Base::Operation& operation, const Input& input)
      : Base(core, operation) {
    this->set_input(input);
  }

  Result<Output> Await() {
    this->Run();
    CHECK_THAT(outcome_, "waited for, and not answered");
    return *std::move(outcome_);
  }

 private:
  void Answer(Result<void> outcome) override {
    outcome_.emplace(this->Outcome(std::move(outcome)));
  }

  std::optional<Result<Output>> outcome_;
};

template <class Input, class Output, class PlanType>
Result<Output> RunCall(EngineCore& core, const WriteOperation<Input, Output, PlanType>& operation,
                       const Input& input) {
  if (operation.read != nullptr) {
    if (std::optional<Output> answer = TRY(operation.read(core, input))) {
      return *std::move(answer);
    }
  }
  return std::make_shared<AwaitedCall<Input, Output, PlanType>>(core, operation, input)->Await();
}

template <class Input, class Output, class PlanType>
void StartCall(EngineCore& core, const WriteOperation<Input, Output, PlanType>& operation,
               const Input& input, Completion<Output> done) {
  if (operation.read != nullptr) {
    Result<std::optional<Output>> answer = operation.read(core, input);
    if (!answer) {
      done(std::unexpected(std::move(answer).error()));
      return;
    }
    if (*answer) {
      done(**std::move(answer));
      return;
    }
  }
  std::make_shared<StartedCall<Input, Output, PlanType>>(core, operation, input, std::move(done))
      ->Start();
}

}  // namespace stator::engine
