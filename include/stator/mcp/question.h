// Questions that a tool puts to the client while it runs: a form for the person behind it, a page
// for that person to open, a message for the client's model, the folders that the client works on.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/stores/tasks/json.h"

namespace stator::mcp {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

enum class QuestionKind : std::uint8_t { kForm, kUrl, kSampling, kRoots };

struct Question {
  QuestionKind kind = QuestionKind::kForm;
  Json params = JsonObject();  // of the request to the client
  // Names the answer where questions are repeated: unique in a call, and the same when the tool is
  // run again. Empty: "q0", "q1"… in the order of asking.
  std::string key = {};
};

// `requested_schema` is a flat object schema; the answer is {"action": "accept" | "decline" |
// "cancel", "content"?: …}.
Question FormQuestion(std::string_view message, Json requested_schema, std::string key = {});
// The answer says only whether the person agreed to open the page.
Question UrlQuestion(std::string_view message, std::string_view url, std::string key = {});
// `params` as sampling/createMessage has them; the answer has role, content and model.
Question SamplingQuestion(Json params, std::string key = {});
// The answer is {"roots": [{"uri", "name"?}…]}.
Question RootsQuestion(std::string key = {});

}  // namespace stator::mcp
