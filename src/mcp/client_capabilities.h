// What a client said that it can do.

#pragma once

#include "stator/mcp/question.h"

namespace stator::mcp {

struct ClientCapabilities {
  bool form = false;
  bool url = false;
  bool sampling = false;
  bool roots = false;
  bool tasks = false;  // the extension, not the tasks of 2025
  Json json = JsonObject();

  [[nodiscard]] bool CanAsk(QuestionKind kind) const;
};

// What is no object counts as nothing.
ClientCapabilities ReadCapabilities(const Json& json);

// The capability that a kind of questions needs, as a client would declare it.
Json CapabilityFor(QuestionKind kind);

// "elicitation/create", "sampling/createMessage", "roots/list".
std::string_view MethodOf(QuestionKind kind);

// Empty when `answer` is one to such a question, else what is wrong.
std::string ProblemWithAnswer(std::string_view method, const Json& answer);

}  // namespace stator::mcp
