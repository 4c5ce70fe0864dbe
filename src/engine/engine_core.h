// What every operation of the engine works with. Made once, by Engine; operations are functions
// that take it.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "bulk/bucket.h"
#include "engine/arn.h"
#include "engine/catalog.h"
#include "engine/history.h"
#include "engine/key_table.h"
#include "engine/parked_calls.h"
#include "engine/step_limits.h"
#include "engine/stream_directory.h"
#include "engine/transfer_figures.h"
#include "engine/transient_states.h"
#include "expression/expression_cache.h"
#include "expression/text_cache.h"
#include "partiql/statement.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/store.h"

namespace stator::engine {

class BackgroundWork;
class OutgoingWork;

struct EngineCore {
  EngineCore(std::shared_ptr<HistoryKeeper> keeper, std::unique_ptr<storage::Store> opened,
             Account owner, Clock& time, Random& randomness)
      : history(std::move(keeper)),
        store(std::move(opened)),
        account(std::move(owner)),
        clock(time),
        random(randomness),
        opened_at(time.Now()),
        transient_states(time),
        catalog(*store, transient_states),
        parked_calls(*store, time) {}

  std::shared_ptr<HistoryKeeper> history;  // the store asks it, too
  std::unique_ptr<storage::Store> store;
  Account account;
  Clock& clock;
  Random& random;
  const TimePoint opened_at;
  // How long a write waits, all in all, for others on the same items and for room in the queue.
  std::chrono::milliseconds lock_wait_max{5000};
  GoingBackLimits going_back;
  WalkLimits walks;
  std::chrono::seconds restorable_after{0};

  bulk::BucketOpener open_bucket;             // never null once the engine is open
  std::function<void(std::string_view)> log;  // null: nobody listens
  TransferFigures transfers;
  // To whoever looks after the engine.
  void Say(std::string_view sentence) const {
    if (log) {
      log(sentence);
    }
  }

  TransientStates transient_states;
  Catalog catalog;
  KeyTable keys;
  StreamDirectory streams;
  StreamDirectory outgoing_streams;  // of what leaves for Kinesis; nobody reads these
  expression::ExpressionCache expressions;
  expression::TextCache<partiql::Statement> statements{
      expression::ExpressionCache::kDefaultEntries};
  BackgroundWork* background = nullptr;  // both set by Engine before the first operation
  OutgoingWork* outgoing = nullptr;
  ParkedCalls parked_calls;  // last: its thread uses everything above
};

}  // namespace stator::engine
