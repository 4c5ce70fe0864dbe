#include "mcp/unfinished.h"

#include <utility>

#include "base/base64.h"
#include "base/digest.h"

namespace stator::mcp {
namespace {

constexpr std::int64_t kRoundsMax = 32;

std::int64_t Milliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

std::unexpected<tasks::TaskFault> Invalid(std::string problem) {
  return std::unexpected(tasks::TaskFault{.code = kInvalidParams, .message = std::move(problem)});
}

std::string DigestOf(const Message& message) {
  JsonArray parts{message.method};
  for (const std::string_view name : {"name", "uri", "arguments"}) {
    const Json* const part = message.params.Find(name);
    parts.push_back(part == nullptr ? Json() : *part);
  }
  return base::EncodeBase64(base::Sha256(Json(std::move(parts)).ToText()));
}

bool IsFor(const Json& state, const UnfinishedCall& call, const RequestContext& context,
           TimePoint now) {
  const Json* const until = state.Find("until");
  const Json* const round = state.Find("round");
  return state.TextOf("owner") == context.owner.id && state.TextOf("call") == call.digest &&
         until != nullptr && until->ToInt64().value_or(0) >= Milliseconds(now) &&
         round != nullptr && round->ToInt64().value_or(kRoundsMax) < kRoundsMax;
}

}  // namespace

std::expected<UnfinishedCall, tasks::TaskFault> ReadUnfinished(const Message& message,
                                                               const RequestContext& context,
                                                               const Sealer& sealer,
                                                               TimePoint now) {
  UnfinishedCall call{.digest = DigestOf(message)};
  if (const Json* const sealed = message.params.Find("requestState")) {
    const auto* const text = sealed->If<std::string>();
    const std::optional<Json> state = text == nullptr ? std::nullopt : sealer.Open(*text);
    const Json* const answers = state ? state->Find("answers") : nullptr;
    if (answers == nullptr || !answers->Is<JsonObject>() || !IsFor(*state, call, context, now)) {
      return Invalid("requestState is not valid");
    }
    call.round = state->Find("round")->ToInt64().value_or(0);
    for (const auto& [key, answer] : *answers->If<JsonObject>()) {
      call.answers.insert_or_assign(key, answer);
    }
  }
  if (const Json* const given = message.params.Find("inputResponses")) {
    if (!given->Is<JsonObject>()) {
      return Invalid("inputResponses must be an object");
    }
    for (const auto& [key, answer] : *given->If<JsonObject>()) {
      call.answers.try_emplace(key, answer);
    }
  }
  return call;
}

JsonObject InputRequestsOf(const std::vector<Question>& questions) {
  JsonObject requests;
  for (const Question& question : questions) {
    requests.Set(question.key,
                 JsonObject{{"method", MethodOf(question.kind)}, {"params", question.params}});
  }
  return requests;
}

Json InputRequired(const UnfinishedCall& call, const std::vector<Question>& questions,
                   const RequestContext& context, const Sealer& sealer, TimePoint until) {
  JsonObject answers;
  for (const auto& [key, answer] : call.answers) {
    answers.Set(key, answer);
  }
  const Json state = JsonObject{{"owner", context.owner.id},
                                {"call", call.digest},
                                {"round", call.round + 1},
                                {"until", Milliseconds(until)},
                                {"answers", std::move(answers)}};
  return JsonObject{{"resultType", "input_required"},
                    {"inputRequests", InputRequestsOf(questions)},
                    {"requestState", sealer.Seal(state)}};
}

}  // namespace stator::mcp
