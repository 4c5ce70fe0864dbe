#include "engine/engine.h"

#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/core.h"
#include "engine/operation_call.h"
#include "engine/operations.h"
#include "engine/stream_row.h"
#include "keyspace/format_version.h"
#include "keyspace/keys.h"

namespace stator::engine {

struct Engine::State {
  State(std::unique_ptr<storage::Store> store, const EngineOptions& options)
      : core(std::move(store), options.account, *options.clock, *options.random),
        background(core, options.housekeeping_interval) {
    core.lock_wait_max = options.lock_wait_max;
    core.background = &background;
  }

  Core core;
  BackgroundWork background;
  bool closed = false;
};

namespace {

// A new store gets its version; an old one has to have a version that this program can read.
Result<void> CheckFormat(storage::Store& store, bool read_only) {
  storage::PinnedValue value;
  if (TRY(store.Get(keyspace::FormatVersionKey(), value))) {
    TRY_VOID(keyspace::DecodeFormatVersion(value.view()));
    return {};
  }
  if (read_only) {
    return Fail(ErrorCode::kCorruption, "the directory has no format version");
  }
  storage::WriteBatch batch;
  batch.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion());
  return store.Write(std::move(batch));
}

constexpr WriteOperation<PutItemInput, PutItemOutput, ItemPlan> kPutItem{PlanPutItem,
                                                                         DecidePutItem};
constexpr WriteOperation<UpdateItemInput, UpdateItemOutput, ItemPlan> kUpdateItem{PlanUpdateItem,
                                                                                  DecideUpdateItem};
constexpr WriteOperation<DeleteItemInput, DeleteItemOutput, ItemPlan> kDeleteItem{PlanDeleteItem,
                                                                                  DecideDeleteItem};
constexpr WriteOperation<BatchWriteItemInput, BatchWriteItemOutput, BatchPlan> kBatchWriteItem{
    PlanBatchWriteItem, DecideBatchWriteItem};
constexpr WriteOperation<TransactWriteItemsInput, TransactWriteItemsOutput, TransactPlan>
    kTransactWriteItems{PlanTransactWriteItems, DecideTransactWriteItems};

}  // namespace

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options) {
  storage::StoreOptions store_options = options.store;
  store_options.format_version = keyspace::kFormatVersion;
  std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(store_options));
  TRY_VOID(CheckFormat(*store, store_options.read_only));
  auto state = std::make_unique<State>(std::move(store), options);
  TRY_VOID(state->core.catalog.Load());
  if (!store_options.read_only) {
    TRY_VOID(StartNumbering(state->core));
    CallLane& lane = state->core.lane;
    state->core.store->queue().set_on_room([&lane] { lane.LetIn(); });
    lane.Start();
    TRY_VOID(ResumeJobs(state->core));
    state->background.Start();
  }
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

Engine::~Engine() {
  const Result<void> closed = Close();
  static_cast<void>(closed);
}

Result<void> Engine::Close() {
  if (std::exchange(state_->closed, true)) {
    return {};
  }
  state_->background.Stop();
  state_->core.lane.AwaitEmpty();
  const Result<void> saved = SaveStatistics(state_->core);
  const Result<void> stored = state_->core.store->Close();
  state_->core.lane.Stop();
  CHECK_THAT(state_->core.keys.IsEmpty(), "a write is left behind");
  TRY_VOID(stored);
  return saved;
}

Result<void> Engine::RunHousekeeping() {
  return state_->background.RunHousekeeping();
}

void Engine::AwaitBackgroundJobs() {
  state_->background.AwaitIdle();
}

Result<void> Engine::Health() const {
  return state_->core.store->Health();
}

bool Engine::IsQuiet() const {
  const Core& core = state_->core;
  return core.lane.IsEmpty() && core.store->queue().unsettled() == 0 &&
         core.store->queue().unsettled_bytes() == 0 && core.keys.IsEmpty();
}

storage::StoreStatistics Engine::StoreStatistics() const {
  return state_->core.store->Statistics();
}

// Item writes are calls that others may carry on; see call.h.

Result<PutItemOutput> Engine::PutItem(const PutItemInput& input) {
  return RunCall(state_->core, kPutItem, input);
}
Result<UpdateItemOutput> Engine::UpdateItem(const UpdateItemInput& input) {
  return RunCall(state_->core, kUpdateItem, input);
}
Result<DeleteItemOutput> Engine::DeleteItem(const DeleteItemInput& input) {
  return RunCall(state_->core, kDeleteItem, input);
}
Result<BatchWriteItemOutput> Engine::BatchWriteItem(const BatchWriteItemInput& input) {
  return RunCall(state_->core, kBatchWriteItem, input);
}
Result<TransactWriteItemsOutput> Engine::TransactWriteItems(const TransactWriteItemsInput& input) {
  return RunCall(state_->core, kTransactWriteItems, input);
}

void Engine::StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done) {
  StartCall(state_->core, kPutItem, input, std::move(done));
}
void Engine::StartUpdateItem(const UpdateItemInput& input, Completion<UpdateItemOutput> done) {
  StartCall(state_->core, kUpdateItem, input, std::move(done));
}
void Engine::StartDeleteItem(const DeleteItemInput& input, Completion<DeleteItemOutput> done) {
  StartCall(state_->core, kDeleteItem, input, std::move(done));
}
void Engine::StartBatchWriteItem(const BatchWriteItemInput& input,
                                 Completion<BatchWriteItemOutput> done) {
  StartCall(state_->core, kBatchWriteItem, input, std::move(done));
}
void Engine::StartTransactWriteItems(const TransactWriteItemsInput& input,
                                     Completion<TransactWriteItemsOutput> done) {
  StartCall(state_->core, kTransactWriteItems, input, std::move(done));
}

// Everything else is one call.

Result<GetItemOutput> Engine::GetItem(const GetItemInput& input) {
  return engine::GetItem(state_->core, input);
}
Result<QueryOutput> Engine::Query(const QueryInput& input) {
  return engine::Query(state_->core, input);
}
Result<ScanOutput> Engine::Scan(const ScanInput& input) {
  return engine::Scan(state_->core, input);
}
Result<BatchGetItemOutput> Engine::BatchGetItem(const BatchGetItemInput& input) {
  return engine::BatchGetItem(state_->core, input);
}
Result<TransactGetItemsOutput> Engine::TransactGetItems(const TransactGetItemsInput& input) {
  return engine::TransactGetItems(state_->core, input);
}
Result<CreateTableOutput> Engine::CreateTable(const CreateTableInput& input) {
  return engine::CreateTable(state_->core, input);
}
Result<UpdateTableOutput> Engine::UpdateTable(const UpdateTableInput& input) {
  return engine::UpdateTable(state_->core, input);
}
Result<DeleteTableOutput> Engine::DeleteTable(const DeleteTableInput& input) {
  return engine::DeleteTable(state_->core, input);
}
Result<DescribeTableOutput> Engine::DescribeTable(const DescribeTableInput& input) {
  return engine::DescribeTable(state_->core, input);
}
Result<ListTablesOutput> Engine::ListTables(const ListTablesInput& input) {
  return engine::ListTables(state_->core, input);
}
Result<UpdateTimeToLiveOutput> Engine::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  return engine::UpdateTimeToLive(state_->core, input);
}
Result<DescribeTimeToLiveOutput> Engine::DescribeTimeToLive(const DescribeTimeToLiveInput& input) {
  return engine::DescribeTimeToLive(state_->core, input);
}
Result<TagResourceOutput> Engine::TagResource(const TagResourceInput& input) {
  return engine::TagResource(state_->core, input);
}
Result<UntagResourceOutput> Engine::UntagResource(const UntagResourceInput& input) {
  return engine::UntagResource(state_->core, input);
}
Result<ListTagsOfResourceOutput> Engine::ListTagsOfResource(const ListTagsOfResourceInput& input) {
  return engine::ListTagsOfResource(state_->core, input);
}
Result<UpdateContinuousBackupsOutput> Engine::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  return engine::UpdateContinuousBackups(state_->core, input);
}

Result<DescribeContinuousBackupsOutput> Engine::DescribeContinuousBackups(
    const DescribeContinuousBackupsInput& input) {
  return engine::DescribeContinuousBackups(state_->core, input);
}
Result<ListStreamsOutput> Engine::ListStreams(const ListStreamsInput& input) {
  return engine::ListStreams(state_->core, input);
}
Result<DescribeStreamOutput> Engine::DescribeStream(const DescribeStreamInput& input) {
  return engine::DescribeStream(state_->core, input);
}
Result<GetShardIteratorOutput> Engine::GetShardIterator(const GetShardIteratorInput& input) {
  return engine::GetShardIterator(state_->core, input);
}
Result<GetRecordsOutput> Engine::GetRecords(const GetRecordsInput& input) {
  return engine::GetRecords(state_->core, input);
}
Result<DescribeLimitsOutput> Engine::DescribeLimits(const DescribeLimitsInput& input) {
  return engine::DescribeLimits(state_->core, input);
}
Result<DescribeEndpointsOutput> Engine::DescribeEndpoints(const DescribeEndpointsInput& input) {
  return engine::DescribeEndpoints(state_->core, input);
}

}  // namespace stator::engine
