#include "engine/engine.h"

#include <utility>

#include "base/try.h"
#include "engine/background.h"
#include "engine/core.h"
#include "engine/operations.h"
#include "engine/pending_write.h"
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

// Decides a write; again when its schema was replaced before its locks were held, because then
// another may already have written the same item by the newer one.
template <class Output, class Input>
Result<Prepared<Output>> Decide(Result<Prepared<Output>> (*prepare)(Core&, const Input&),
                                Core& core, const Input& input) {
  while (true) {
    Result<Prepared<Output>> prepared = prepare(core, input);
    if (!prepared || !prepared->write.IsOutdated()) {
      return prepared;
    }
  }
}

}  // namespace

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options) {
  storage::StoreOptions store_options = options.store;
  store_options.format_version = keyspace::kFormatVersion;
  std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(store_options));
  TRY_VOID(CheckFormat(*store, store_options.read_only));
  auto state = std::make_unique<State>(std::move(store), options);
  TRY_VOID(state->core.catalog.Load());
  TRY_VOID(StartSequencer(state->core));
  if (!store_options.read_only) {
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
  const Result<void> saved = SaveStatistics(state_->core);
  TRY_VOID(state_->core.store->Close());
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

storage::StoreStatistics Engine::StoreStatistics() const {
  return state_->core.store->Statistics();
}

// Item writes: prepare, then commit.

Result<PutItemOutput> Engine::PutItem(const PutItemInput& input) {
  return Commit(*state_->core.store, TRY(Decide(PreparePutItem, state_->core, input)));
}
Result<UpdateItemOutput> Engine::UpdateItem(const UpdateItemInput& input) {
  return Commit(*state_->core.store, TRY(Decide(PrepareUpdateItem, state_->core, input)));
}
Result<DeleteItemOutput> Engine::DeleteItem(const DeleteItemInput& input) {
  return Commit(*state_->core.store, TRY(Decide(PrepareDeleteItem, state_->core, input)));
}
Result<BatchWriteItemOutput> Engine::BatchWriteItem(const BatchWriteItemInput& input) {
  return Commit(*state_->core.store, TRY(Decide(PrepareBatchWriteItem, state_->core, input)));
}
Result<TransactWriteItemsOutput> Engine::TransactWriteItems(const TransactWriteItemsInput& input) {
  return Commit(*state_->core.store, TRY(Decide(PrepareTransactWriteItems, state_->core, input)));
}

void Engine::StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done) {
  Start(*state_->core.store, Decide(PreparePutItem, state_->core, input), std::move(done));
}
void Engine::StartUpdateItem(const UpdateItemInput& input, Completion<UpdateItemOutput> done) {
  Start(*state_->core.store, Decide(PrepareUpdateItem, state_->core, input), std::move(done));
}
void Engine::StartDeleteItem(const DeleteItemInput& input, Completion<DeleteItemOutput> done) {
  Start(*state_->core.store, Decide(PrepareDeleteItem, state_->core, input), std::move(done));
}
void Engine::StartBatchWriteItem(const BatchWriteItemInput& input,
                                 Completion<BatchWriteItemOutput> done) {
  Start(*state_->core.store, Decide(PrepareBatchWriteItem, state_->core, input), std::move(done));
}
void Engine::StartTransactWriteItems(const TransactWriteItemsInput& input,
                                     Completion<TransactWriteItemsOutput> done) {
  Start(*state_->core.store, Decide(PrepareTransactWriteItems, state_->core, input),
        std::move(done));
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
