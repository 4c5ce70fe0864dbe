#include "event_server/appends.h"

#include <utility>

#include "base/try.h"
#include "stator/stores/events/append.h"

namespace stator::event_server {
namespace {

Result<events::AppendOptions> OptionsOf(events::EventStore& store, AppendRequest& request) {
  events::AppendOptions options{.append_id = std::move(request.append_id)};
  if (request.has_condition) {
    options.condition = events::AppendCondition{std::move(request.fail_if_match)};
    if (request.after && *request.after > 0) {
      options.condition->after = TRY(IdUpTo(store, *request.after));
    }
  }
  return options;
}

Result<AppendAnswer> AnswerOf(const Result<events::Appended>& appended) {
  if (appended) {
    return AppendAnswer{.position = appended->events.back().position,
                        .repeated = appended->repeated};
  }
  if (events::FindConflict(appended.error()) == nullptr) {
    return std::unexpected(appended.error());
  }
  return AppendAnswer{.refused = appended.error().message};
}

}  // namespace

void Appends::Start(AppendRequest request, Done done) {
  Result<events::AppendOptions> options = OptionsOf(*store_, request);
  if (!options) {
    done(std::unexpected(std::move(options).error()));
    return;
  }
  {
    const MutexLock lock(mutex_);
    ++under_way_;
  }
  store_->StartAppend(
      std::move(request.events), *std::move(options),
      [this, done = std::move(done)](const Result<events::Appended>& appended) mutable {
        std::exchange(done, {})(AnswerOf(appended));
        Leave();
      });
}

std::size_t Appends::under_way() const {
  const MutexLock lock(mutex_);
  return under_way_;
}

void Appends::Wait() const {
  MutexLock lock(mutex_);
  none_left_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return under_way_ == 0; });
}

void Appends::Leave() {
  const MutexLock lock(mutex_);
  --under_way_;
  if (under_way_ == 0) {
    none_left_.NotifyAll();  // Whoever waits may end this then, hence under the lock.
  }
}

}  // namespace stator::event_server
