#include "support/faulty_database.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "stator/api/error_details.h"

namespace stator::support {

namespace {

constexpr std::uint64_t kLateCallsMax = 4;

bool Possible(Fault fault, bool writes, bool conflicts, bool is_batch) {
  switch (fault) {
    case Fault::kLate:
      return writes;
    case Fault::kConflict:
      return conflicts;
    case Fault::kUnprocessed:
      return is_batch;
    default:
      return true;
  }
}

std::unexpected<Error> Canceled(std::size_t actions, std::size_t culprit) {
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->cancellation_reasons.resize(actions);
  detail->cancellation_reasons.at(culprit) = {.code = "TransactionConflict",
                                              .message = "Transaction is ongoing for the item"};
  return std::unexpected(Error{
      ErrorCode::kTransactionCanceled,
      "Transaction cancelled, please refer cancellation reasons for specific reasons", detail});
}

std::unexpected<Error> ThroughputExceeded() {
  return Fail(ErrorCode::kThroughputExceeded, "nothing of the batch could be processed");
}

}  // namespace

FaultyDatabase::FaultyDatabase(Database& next, FaultRates rates, std::uint64_t seed, Clock* clock)
    : ForwardingDatabase(next), random_(seed), clock_(clock), rates_(rates) {}

void FaultyDatabase::Script(const std::string& operation, const std::vector<Fault>& faults) {
  const std::scoped_lock lock(mutex_);
  std::deque<Fault>& script = scripts_[operation];
  script.insert(script.end(), faults.begin(), faults.end());
}

void FaultyDatabase::BeforeNext(const std::string& operation, std::function<void()> action) {
  const std::scoped_lock lock(mutex_);
  before_[operation].push_back(std::move(action));
}

void FaultyDatabase::SetRates(const FaultRates& rates) {
  const std::scoped_lock lock(mutex_);
  rates_ = rates;
}

void FaultyDatabase::ApplyLate() {
  std::vector<LateWrite> due;
  {
    const std::scoped_lock lock(mutex_);
    due.swap(late_);
  }
  for (const LateWrite& late : due) {
    late.write();
  }
}

std::size_t FaultyDatabase::calls(const std::string& operation) const {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(operation);
  return found == calls_.end() ? 0 : found->second;
}

std::size_t FaultyDatabase::calls() const {
  const std::scoped_lock lock(mutex_);
  std::size_t sum = 0;
  for (const auto& [operation, count] : calls_) {
    sum += count;
  }
  return sum;
}

std::size_t FaultyDatabase::faults(Fault fault) const {
  const std::scoped_lock lock(mutex_);
  const auto found = faults_.find(fault);
  return found == faults_.end() ? 0 : found->second;
}

// REQUIRES: mutex_ is held.
Fault FaultyDatabase::Draw(const Nature& nature) {
  const std::pair<Fault, double> chances[] = {
      {Fault::kLostBefore, rates_.lost_before},
      {Fault::kLostAfter, rates_.lost_after},
      {Fault::kLate, rates_.late},
      {Fault::kThrottled, rates_.throttled},
      {Fault::kUnavailable, rates_.unavailable},
      {Fault::kConflict, rates_.conflict},
      {Fault::kUnprocessed, rates_.unprocessed},
  };
  constexpr std::uint64_t kParts = 1'000'000;
  double drawn = static_cast<double>(random_.Below(kParts)) / kParts;
  for (const auto& [fault, rate] : chances) {
    if (!Possible(fault, nature.writes, nature.conflicts, nature.is_batch)) {
      continue;
    }
    if (drawn < rate) {
      return fault;
    }
    drawn -= rate;
  }
  return Fault::kNone;
}

Fault FaultyDatabase::Begin(const Nature& nature) {
  std::vector<std::function<void()>> due;
  Fault fault = Fault::kNone;
  Duration delay_max = Duration::zero();
  {
    const std::scoped_lock lock(mutex_);
    ++calls_[nature.name];
    delay_max = rates_.delay_max;
    for (LateWrite& late : late_) {
      --late.calls_left;
    }
    const auto ready = std::stable_partition(
        late_.begin(), late_.end(), [](const LateWrite& late) { return late.calls_left > 0; });
    std::transform(ready, late_.end(), std::back_inserter(due),
                   [](LateWrite& late) { return std::move(late.write); });
    late_.erase(ready, late_.end());
    if (std::deque<std::function<void()>>& actions = before_[nature.name]; !actions.empty()) {
      due.push_back(std::move(actions.front()));
      actions.pop_front();
    }
    if (std::deque<Fault>& script = scripts_[nature.name]; !script.empty()) {
      fault = script.front();
      script.pop_front();
    } else {
      fault = Draw(nature);
    }
    if (!Possible(fault, nature.writes, nature.conflicts, nature.is_batch)) {
      fault = Fault::kNone;
    }
    ++faults_[fault];
  }
  for (const std::function<void()>& action : due) {
    action();
  }
  if (clock_ != nullptr && delay_max > Duration::zero()) {
    clock_->SleepFor(Duration(random_.Below(static_cast<std::uint64_t>(delay_max.count()) + 1)));
  }
  return fault;
}

// `call` holds its own copy of what it needs: it may run late.
template <class Output, class Call>
Result<Output> FaultyDatabase::Meet(const Nature& nature, Fault fault, Call&& call) {
  const auto lost = [&nature] {
    return Fail(nature.writes ? ErrorCode::kAmbiguous : ErrorCode::kTimeout,
                std::string("the answer to ") + nature.name + " was lost");
  };
  switch (fault) {
    case Fault::kLostBefore:
      return lost();
    case Fault::kLostAfter:
      (void)call();
      return lost();
    case Fault::kLate: {
      const std::scoped_lock lock(mutex_);
      late_.push_back({1 + random_.Below(kLateCallsMax), [call] { (void)call(); }});
      return lost();
    }
    case Fault::kThrottled:
      return Fail(ErrorCode::kThrottled, "Rate exceeded");
    case Fault::kUnavailable:
      return Fail(ErrorCode::kUnavailable, "the service is unavailable");
    case Fault::kConflict:
      return Fail(ErrorCode::kTransactionConflict, "Transaction is ongoing for the item");
    case Fault::kNone:
    case Fault::kUnprocessed:
      break;
  }
  return call();
}

Result<PutItemOutput> FaultyDatabase::PutItem(const PutItemInput& input) {
  constexpr Nature kNature{.name = "PutItem", .writes = true, .conflicts = true};
  return Meet<PutItemOutput>(kNature, Begin(kNature),
                             [this, input] { return next().PutItem(input); });
}

Result<GetItemOutput> FaultyDatabase::GetItem(const GetItemInput& input) {
  constexpr Nature kNature{.name = "GetItem"};
  return Meet<GetItemOutput>(kNature, Begin(kNature),
                             [this, input] { return next().GetItem(input); });
}

Result<UpdateItemOutput> FaultyDatabase::UpdateItem(const UpdateItemInput& input) {
  constexpr Nature kNature{.name = "UpdateItem", .writes = true, .conflicts = true};
  return Meet<UpdateItemOutput>(kNature, Begin(kNature),
                                [this, input] { return next().UpdateItem(input); });
}

Result<DeleteItemOutput> FaultyDatabase::DeleteItem(const DeleteItemInput& input) {
  constexpr Nature kNature{.name = "DeleteItem", .writes = true, .conflicts = true};
  return Meet<DeleteItemOutput>(kNature, Begin(kNature),
                                [this, input] { return next().DeleteItem(input); });
}

Result<QueryOutput> FaultyDatabase::Query(const QueryInput& input) {
  constexpr Nature kNature{.name = "Query"};
  return Meet<QueryOutput>(kNature, Begin(kNature), [this, input] { return next().Query(input); });
}

Result<ScanOutput> FaultyDatabase::Scan(const ScanInput& input) {
  constexpr Nature kNature{.name = "Scan"};
  return Meet<ScanOutput>(kNature, Begin(kNature), [this, input] { return next().Scan(input); });
}

Result<BatchGetItemOutput> FaultyDatabase::BatchGetItem(const BatchGetItemInput& input) {
  constexpr Nature kNature{.name = "BatchGetItem", .is_batch = true};
  const Fault fault = Begin(kNature);
  if (fault != Fault::kUnprocessed) {
    return Meet<BatchGetItemOutput>(kNature, fault,
                                    [this, input] { return next().BatchGetItem(input); });
  }
  BatchGetItemInput done = input;
  std::map<std::string, KeysAndAttributes> left = input.request_items;
  std::size_t count = 0;
  for (auto& [table, request] : done.request_items) {
    const std::size_t keep = random_.Below(request.keys.size());  // never all
    count += keep;
    std::vector<Item>& rest = left.at(table).keys;
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(keep));
    request.keys.resize(keep);
  }
  std::erase_if(done.request_items, [](const auto& entry) { return entry.second.keys.empty(); });
  if (count == 0) {
    return ThroughputExceeded();
  }
  Result<BatchGetItemOutput> output = next().BatchGetItem(done);
  if (output) {
    for (auto& [table, request] : left) {
      KeysAndAttributes& unprocessed = output->unprocessed_keys[table];
      const std::vector<Item> before = std::move(unprocessed.keys);
      unprocessed = request;
      unprocessed.keys.insert(unprocessed.keys.end(), before.begin(), before.end());
    }
  }
  return output;
}

Result<BatchWriteItemOutput> FaultyDatabase::BatchWriteItem(const BatchWriteItemInput& input) {
  constexpr Nature kNature{.name = "BatchWriteItem", .writes = true, .is_batch = true};
  const Fault fault = Begin(kNature);
  if (fault != Fault::kUnprocessed) {
    return Meet<BatchWriteItemOutput>(kNature, fault,
                                      [this, input] { return next().BatchWriteItem(input); });
  }
  BatchWriteItemInput done = input;
  std::map<std::string, std::vector<WriteRequest>> left;
  std::size_t count = 0;
  for (auto& [table, writes] : done.request_items) {
    const std::size_t keep = random_.Below(writes.size());  // never all
    count += keep;
    left[table].assign(writes.begin() + static_cast<std::ptrdiff_t>(keep), writes.end());
    writes.resize(keep);
  }
  std::erase_if(done.request_items, [](const auto& entry) { return entry.second.empty(); });
  if (count == 0) {
    return ThroughputExceeded();
  }
  Result<BatchWriteItemOutput> output = next().BatchWriteItem(done);
  if (output) {
    for (auto& [table, writes] : left) {
      std::vector<WriteRequest>& unprocessed = output->unprocessed_items[table];
      unprocessed.insert(unprocessed.end(), writes.begin(), writes.end());
    }
  }
  return output;
}

Result<TransactGetItemsOutput> FaultyDatabase::TransactGetItems(
    const TransactGetItemsInput& input) {
  constexpr Nature kNature{.name = "TransactGetItems", .conflicts = true};
  const Fault fault = Begin(kNature);
  if (fault == Fault::kConflict) {
    return Canceled(input.transact_items.size(), random_.Below(input.transact_items.size()));
  }
  return Meet<TransactGetItemsOutput>(kNature, fault,
                                      [this, input] { return next().TransactGetItems(input); });
}

Result<TransactWriteItemsOutput> FaultyDatabase::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  constexpr Nature kNature{.name = "TransactWriteItems", .writes = true, .conflicts = true};
  const Fault fault = Begin(kNature);
  if (fault == Fault::kConflict) {
    return Canceled(input.transact_items.size(), random_.Below(input.transact_items.size()));
  }
  return Meet<TransactWriteItemsOutput>(kNature, fault,
                                        [this, input] { return next().TransactWriteItems(input); });
}

}  // namespace stator::support
