// What every operation of the engine works with. Made once, by Engine; operations are functions
// that take it.

#pragma once

#include <chrono>
#include <memory>

#include "engine/arn.h"
#include "engine/catalog.h"
#include "engine/key_locks.h"
#include "engine/stream_sequencer.h"
#include "expression/expression_cache.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/store.h"

namespace stator::engine {

class BackgroundWork;

struct Core {
  Core(std::unique_ptr<storage::Store> opened, Account owner, Clock& time, Random& randomness)
      : store(std::move(opened)),
        account(std::move(owner)),
        clock(time),
        random(randomness),
        catalog(*store) {}

  std::unique_ptr<storage::Store> store;
  Account account;
  Clock& clock;
  Random& random;
  // How long a write waits for another one on the same item.
  std::chrono::milliseconds lock_wait_max{5000};

  Catalog catalog;
  KeyLocks locks;
  StreamSequencer sequencer;
  expression::ExpressionCache expressions;
  BackgroundWork* background = nullptr;  // set by Engine before the first operation
};

}  // namespace stator::engine
