#include "client/request_sender.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/try.h"
#include "client/body_coding.h"
#include "wire/error_answer.h"
#include "wire/exchange.h"
#include "wire/http_date.h"
#include "wire/http_message.h"
#include "wire/sha256.h"

namespace stator::client {
namespace {

using transport::Failure;
using transport::HttpRequest;
using transport::HttpResponse;

constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::string_view kUserAgent = "stator/0.1";
constexpr std::string_view kService = "dynamodb";
constexpr std::string_view kStreamsTarget = "DynamoDBStreams_";
constexpr std::size_t kFieldsMax = 11;  // of a request, those of its signature included
constexpr Duration kSkewMin = std::chrono::minutes(4);  // endpoints admit five

bool IsThrottling(ErrorCode code) {
  switch (code) {
    case ErrorCode::kThroughputExceeded:
    case ErrorCode::kThrottled:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kTransactionInProgress:
      return true;
    default:
      return false;
  }
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() && number >= 0
             ? std::optional(number)
             : std::nullopt;
}

std::optional<Duration> AskedFor(const HttpResponse& response) {
  // More than a day is nonsense, and would overflow.
  constexpr std::int64_t kMillisecondsMax = 86'400'000;
  const std::optional<std::int64_t> milliseconds = WholeNumber(response.Field("x-amz-retry-after"));
  return milliseconds ? std::optional<Duration>(
                            std::chrono::milliseconds(std::min(*milliseconds, kMillisecondsMax)))
                      : std::nullopt;
}

// Of the body as it was sent; an endpoint that sends no checksum is believed.
bool HasGoodChecksum(const HttpResponse& response) {
  const std::string_view field = response.Field("x-amz-crc32");
  return field.empty() || WholeNumber(field) == std::int64_t{Crc32(response.body)};
}

// As the server reads it (wire/moment.h).
std::string MomentText(TimePoint moment) {
  if (moment == TimePoint::max()) {
    return "latest";
  }
  const std::int64_t micros = std::max<std::int64_t>(moment.time_since_epoch().count(), 0);
  const std::string decimals = std::to_string(1'000'000 + micros % 1'000'000);
  return std::to_string(micros / 1'000'000) + "." + decimals.substr(1);
}

std::optional<TimePoint> MomentIn(std::string_view text) {
  std::int64_t micros = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), micros);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return TimePoint(Duration(micros));
}

}  // namespace

RequestSender::RequestSender(Parts parts)
    : endpoints_(std::move(parts.endpoints)),
      options_(std::move(parts.options)),
      transport_(std::move(parts.transport)),
      clock_(*parts.clock),
      random_(*parts.random),
      credentials_(std::move(parts.credentials), *parts.clock) {}

Result<void> RequestSender::Send(const Call& call, const TakeAnswer& take_answer) {
  const Duration start = clock_.Elapsed();
  Progress progress{.invocation_id = random_.Uuid(), .deadline = start + options_.call_timeout};
  Result<void> result = Repeat(call, take_answer, progress);
  if (options_.on_call) {
    options_.on_call({.operation = call.operation->name,
                      .attempts = progress.attempts,
                      .duration = clock_.Elapsed() - start,
                      .error = result ? std::nullopt : std::optional(result.error().code),
                      .request_id = progress.request_id});
  }
  return result;
}

Result<void> RequestSender::Repeat(const Call& call, const TakeAnswer& take_answer,
                                   Progress& progress) {
  while (true) {  // WaitForAnother counts the attempts.
    ++progress.attempts;
    std::optional<FailedAttempt> failed = Attempt(call, take_answer, progress);
    if (!failed) {
      quota_.Refund(progress.tokens);
      return {};
    }
    progress.may_have_been_done = progress.may_have_been_done || failed->may_have_been_done;
    if (!WaitForAnother(call, *failed, progress)) {
      return std::unexpected(FinalError(call, *std::move(failed), progress));
    }
  }
}

bool RequestSender::WaitForAnother(const Call& call, const FailedAttempt& failed,
                                   Progress& progress) {
  if (!failed.is_passing || progress.attempts >= options_.attempts_max) {
    return false;
  }
  if (progress.may_have_been_done && call.repetition == Repetition::kOnce &&
      !options_.repeats_ambiguous_writes) {
    return false;
  }
  const Duration wait =
      transport::BackoffBefore(progress.attempts - 1, failed.kind, failed.asked_for, {}, random_);
  if (clock_.Elapsed() + wait >= progress.deadline) {
    return false;
  }
  const std::optional<int> tokens = quota_.Take(failed.kind);
  if (!tokens) {
    return false;
  }
  progress.tokens = tokens;
  clock_.SleepFor(wait);
  return true;
}

Error RequestSender::FinalError(const Call& call, FailedAttempt failed,
                                const Progress& progress) const {
  if (!progress.may_have_been_done || call.repetition == Repetition::kReads) {
    return std::move(failed.error);
  }
  // A refusal that is an answer is the truth when it cannot come from the call's own first attempt.
  const bool is_settled = call.repetition == Repetition::kTokened ||
                          (options_.repeats_ambiguous_writes && failed.is_answer);
  if (is_settled && !failed.may_have_been_done && !failed.is_passing) {
    return std::move(failed.error);
  }
  // The detail stays: whoever marks writes can see in the item whether this one was applied.
  return {.code = ErrorCode::kAmbiguous,
          .message = "the answer to " + std::string(call.operation->name) +
                     " was lost, it may have been applied or not: " + failed.error.message,
          .detail = failed.error.detail};
}

std::optional<RequestSender::FailedAttempt> RequestSender::Attempt(const Call& call,
                                                                   const TakeAnswer& take_answer,
                                                                   Progress& progress) {
  std::string compressed;
  const bool compresses = options_.gzip_bytes_min && call.body.size() >= *options_.gzip_bytes_min;
  if (compresses) {
    compressed = Gzip(call.body);
  }
  const std::string_view body = compresses ? compressed : call.body;
  const Result<HttpRequest> request = MakeRequest(call, progress, body, compresses);
  if (!request) {
    return FailedAttempt{.error = request.error()};
  }
  Result<HttpResponse> response = transport_->Send(*request);
  if (response) {
    progress.request_id = response->Field("x-amzn-requestid");
    return ReadResponse(call, take_answer, *response);
  }
  const ErrorCode code = response.error().code;
  const bool was_lost = code == ErrorCode::kIo || code == ErrorCode::kTimeout;
  return FailedAttempt{.error = std::move(response).error(),
                       .may_have_been_done = was_lost,
                       .is_passing = was_lost || code == ErrorCode::kUnavailable};
}

std::optional<RequestSender::FailedAttempt> RequestSender::ReadResponse(
    const Call& call, const TakeAnswer& take_answer, HttpResponse& response) {
  response.body.reserve(response.body.size() + wire::kBodyPaddingBytes);
  if (!HasGoodChecksum(response)) {
    return FailedAttempt{
        .error = {.code = ErrorCode::kIo,
                  .message = "the answer does not have the checksum that it announces"},
        .may_have_been_done = true,
        .is_passing = true};
  }
  if (response.status != 200) {
    return ClassifyError(call, response);
  }
  if (call.as_of && !(*call.read_as_of = MomentIn(response.Field(wire::kAsOfField)))) {
    return FailedAttempt{.error = {.code = ErrorCode::kValidation,
                                   .message = "this endpoint cannot read what was: as_of is for "
                                              "databases of Stator"},
                         .is_answer = true};
  }
  if (Result<void> taken = take_answer(response.body); !taken) {
    return FailedAttempt{
        .error = {.code = ErrorCode::kIo,
                  .message = "the answer cannot be understood: " + taken.error().message},
        .may_have_been_done = true,
        .is_passing = true};
  }
  return std::nullopt;
}

RequestSender::FailedAttempt RequestSender::ClassifyError(const Call& call,
                                                          HttpResponse& response) {
  FailedAttempt failed{.error = wire::ErrorFrom({.status = response.status,
                                                 .body = response.body,
                                                 .type = response.Field("x-amzn-errortype"),
                                                 .operation = call.operation}),
                       .is_answer = true,
                       .asked_for = AskedFor(response)};
  const ErrorCode code = failed.error.code;
  if (IsThrottling(code)) {
    failed.kind = Failure::kThrottled;
    failed.is_passing = true;
  } else if (code == ErrorCode::kExpiredToken) {
    const MutexLock lock(mutex_);
    credentials_.Invalidate(signing_credentials_);
    failed.is_passing = true;
  } else if (code == ErrorCode::kInvalidSignature) {
    failed.is_passing = CorrectClockSkew(response);
  } else if (response.status >= 500 || code == ErrorCode::kTimeout || response.status < 400) {
    // The endpoint broke off in the middle, or something in front of it answers in its stead.
    failed.may_have_been_done = true;
    failed.is_passing = true;
  }
  return failed;
}

Result<HttpRequest> RequestSender::MakeRequest(const Call& call, const Progress& progress,
                                               std::string_view body, bool is_compressed) {
  const std::shared_ptr<const wire::Signer> signer = TRY(CurrentSigner());
  const std::string& url = call.operation->target.starts_with(kStreamsTarget)
                               ? endpoints_.streams_url
                               : endpoints_.dynamodb_url;
  const Duration left = progress.deadline - clock_.Elapsed();
  if (left <= Duration::zero()) {
    return Fail(ErrorCode::kTimeout, "no time is left for the call");
  }
  HttpRequest request{.url = url,
                      .body = body,
                      .timeout = std::min(options_.attempt_timeout, left),
                      .connect_timeout = std::min(options_.connect_timeout, left)};
  transport::HeaderFields& fields = request.fields;
  fields.reserve(kFieldsMax);
  fields.emplace_back("host", HostOf(url));
  fields.emplace_back("content-type", kContentType);
  fields.emplace_back("x-amz-target", call.operation->target);
  fields.emplace_back("amz-sdk-invocation-id", progress.invocation_id);
  fields.emplace_back("amz-sdk-request", "attempt=" + std::to_string(progress.attempts) +
                                             "; max=" + std::to_string(options_.attempts_max));
  if (is_compressed) {
    fields.emplace_back("content-encoding", "gzip");
  }
  if (call.as_of) {
    fields.emplace_back(wire::kAsOfField, MomentText(*call.as_of));
  }
  std::vector<wire::HttpField> signed_fields;
  signed_fields.reserve(fields.size());
  for (const auto& [name, value] : fields) {
    signed_fields.push_back({.name = name, .value = value});
  }
  wire::Signer::AddedFields added = signer->Sign(
      {.method = request.method, .path = PathOf(url), .query = {}, .fields = signed_fields},
      wire::Hex(base::Sha256Of(body)), SigningTime());
  std::ranges::move(added, std::back_inserter(fields));
  fields.emplace_back("user-agent", kUserAgent);
  return request;
}

Result<std::shared_ptr<const wire::Signer>> RequestSender::CurrentSigner() {
  std::shared_ptr<const Credentials> credentials = TRY(credentials_.Get());
  const MutexLock lock(mutex_);
  if (signing_credentials_ != credentials) {
    signer_ = std::make_shared<const wire::Signer>(credentials->key, endpoints_.region,
                                                   std::string(kService));
    signing_credentials_ = std::move(credentials);
  }
  return signer_;
}

TimePoint RequestSender::SigningTime() const {
  return clock_.Now() + clock_skew_.load();
}

bool RequestSender::CorrectClockSkew(const HttpResponse& response) {
  const std::optional<TimePoint> theirs = wire::ParseHttpDate(response.Field("date"));
  if (!theirs) {
    return false;
  }
  const Duration difference = *theirs - SigningTime();
  if (difference > -kSkewMin && difference < kSkewMin) {
    return false;
  }
  clock_skew_ = *theirs - clock_.Now();
  return true;
}

}  // namespace stator::client
