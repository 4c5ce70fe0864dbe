#include "event_server/umadb_service.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "event_server/event_service.h"
#include "event_server/umadb_messages.h"
#include "event_server/umadb_read.h"
#include "event_server/umadb_work.h"
#include "stator/base/mutex.h"

namespace stator::event_server {
namespace {

using grpc::Piece;
using grpc::Status;
using grpc::StatusCode;

constexpr std::string_view kService = "umadb.v1.DCB";
constexpr std::string_view kRead = "/umadb.v1.DCB/Read";
constexpr std::string_view kAppend = "/umadb.v1.DCB/Append";
constexpr std::string_view kHead = "/umadb.v1.DCB/Head";
constexpr std::string_view kTracking = "/umadb.v1.DCB/GetTrackingInfo";
constexpr std::string_view kHealth = "/grpc.health.v1.Health/Check";

Status NoTracking() {
  return MakeUmadbStatus(StatusCode::kUnimplemented, UmadbError::kInvalidArgument,
                         "positions of other systems are not recorded here: leave tracking_info "
                         "out, nothing was appended");
}

using Answered = std::move_only_function<void(Result<Piece>)>;
// How a call that is answered once is answered.
using Answer = void (*)(UmadbWork& work, const std::string& request, Answered answered);

Result<Piece> PieceOf(const Result<AppendAnswer>& appended) {
  if (!appended) {
    return std::unexpected(appended.error());
  }
  if (appended->refused) {
    return Piece{.status = MakeUmadbStatus(StatusCode::kFailedPrecondition, UmadbError::kIntegrity,
                                           *appended->refused)};
  }
  return Piece{.message = MakeAppendResponse(appended->position), .status = Status{}};
}

void StartAppend(UmadbWork& work, const std::string& request, Answered answered) {
  Result<UmadbAppend> parsed = ParseUmadbAppend(request);
  if (!parsed) {
    answered(std::unexpected(std::move(parsed).error()));
  } else if (parsed->has_tracking) {
    answered(Piece{.status = NoTracking()});
  } else {
    work.appends.Start(
        std::move(parsed->append),
        [answered = std::move(answered)](const Result<AppendAnswer>& appended) mutable {
          answered(PieceOf(appended));
        });
  }
}

Result<Piece> AnswerHead(events::EventStore& store, const std::string& /*request*/) {
  return Piece{.message = MakeHeadResponse(TRY(store.CountEvents())), .status = Status{}};
}

Result<Piece> AnswerTracking(events::EventStore& /*store*/, const std::string& /*request*/) {
  return Piece{.status = NoTracking()};
}

Result<Piece> AnswerHealth(events::EventStore& /*store*/, const std::string& request) {
  const std::string service = TRY(ParseHealthCheck(request));
  if (!service.empty() && service != kService) {
    return Piece{.status = Status{StatusCode::kNotFound, "there is no service " + service}};
  }
  return Piece{.message = MakeHealthResponse(), .status = Status{}};
}

template <Result<Piece> (*answer)(events::EventStore& store, const std::string& request)>
void AnswerAtOnce(UmadbWork& work, const std::string& request, Answered answered) {
  answered(answer(*work.store, request));
}

constexpr std::array<std::pair<std::string_view, Answer>, 4> kAnswers = {
    {{kAppend, StartAppend},
     {kHead, AnswerAtOnce<AnswerHead>},
     {kTracking, AnswerAtOnce<AnswerTracking>},
     {kHealth, AnswerAtOnce<AnswerHealth>}}};

// Answered once, by a thread of the service or of the store.
class OneAnswerCall final : public grpc::Call, public std::enable_shared_from_this<OneAnswerCall> {
 public:
  OneAnswerCall(std::shared_ptr<UmadbWork> work, Answer answer, std::string request)
      : work_(std::move(work)), answer_(answer), request_(std::move(request)) {}

  void Next(grpc::Give give) override {
    work_->executor.Post(base::Threads::kPool,
                         [self = shared_from_this(), give = std::move(give)]() mutable {
                           self->Run(std::move(give));
                         });
  }

  void Cancel() override {
    std::string unused;  // Goes without the lock.
    const MutexLock lock(mutex_);
    is_cancelled_ = true;
    unused.swap(request_);
  }

 private:
  void Run(grpc::Give give) {
    std::string request;
    {
      const MutexLock lock(mutex_);
      if (is_cancelled_) {
        return;
      }
      request.swap(request_);
    }
    answer_(*work_, request,
            [self = shared_from_this(), give = std::move(give)](Result<Piece> piece) mutable {
              give(piece ? *std::move(piece) : Piece{.status = StatusOf(piece.error())});
            });
  }

  const std::shared_ptr<UmadbWork> work_;
  const Answer answer_;
  Mutex mutex_;
  std::string request_ STATOR_GUARDED_BY(mutex_);
  bool is_cancelled_ STATOR_GUARDED_BY(mutex_) = false;
};

// Of which nothing was tried.
class RefusedCall final : public grpc::Call {
 public:
  explicit RefusedCall(Status status) : status_(std::move(status)) {}

  void Next(grpc::Give give) override { give({.status = status_}); }
  void Cancel() override {}

 private:
  const Status status_;
};

}  // namespace

Result<std::unique_ptr<UmadbService>> UmadbService::Open(events::EventStore& store,
                                                         UmadbOptions options) {
  TRY_VOID(store.FindIdAt(0));
  return std::unique_ptr<UmadbService>(
      new UmadbService(std::make_shared<UmadbWork>(store, options)));
}

UmadbService::UmadbService(std::shared_ptr<UmadbWork> work) : work_(std::move(work)) {}

UmadbService::~UmadbService() {
  // In this order, and here: neither may be the last to know of the work that it is a part of.
  work_->hub.Stop();
  work_->executor.Stop();
  work_->appends.Wait();
}

bool UmadbService::Has(std::string_view method) const {
  return method == kRead ||
         std::ranges::any_of(kAnswers, [&](const auto& answer) { return answer.first == method; });
}

std::shared_ptr<grpc::Call> UmadbService::Begin(std::string_view method, std::string request) {
  if (work_->IsOverloaded()) {
    return std::make_shared<RefusedCall>(MakeUmadbStatus(
        StatusCode::kUnavailable, UmadbError::kIo, "too many calls wait; ask again in a moment"));
  }
  if (method == kRead) {
    return std::make_shared<UmadbReadCall>(work_, std::move(request));
  }
  const auto* const found =
      std::ranges::find(kAnswers, method, &decltype(kAnswers)::value_type::first);
  return std::make_shared<OneAnswerCall>(work_, found->second, std::move(request));
}

}  // namespace stator::event_server
