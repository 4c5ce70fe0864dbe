// For tests: requests of every operation in every spelling of what they name, with what a caller needs for
// them by IAM's documentation, and policies of parts that such requests meet. All by chance, of a property.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/property.h"
#include "policy/reference_policy.h"

namespace stator::server {

using policy::ReferencePolicy;
using policy::ReferenceQuestion;
using policy::ReferenceStatement;
using Texts = std::vector<std::string>;

inline constexpr std::string_view kAccountOfAll = "000000000000";
inline const Texts kTables = {"orders", "orders2", "Orders", "secret"};
inline const Texts kKeys = {"ann", "bob", "ann#1", "a"};

inline std::string Quoted(const std::string& text) {
  return '"' + text + '"';
}

inline std::string Arn(const std::string& table) {
  return "arn:aws:dynamodb:us-east-1:000000000000:table/" + table;
}

inline std::string OneOf(const Texts& texts) {
  return texts[*rc::gen::inRange<std::size_t>(0, texts.size())];
}

template <class Draw>
Texts Some(const Draw& draw) {
  Texts texts;
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    texts.push_back(draw());
  }
  return texts;
}

// A request, and what a caller needs for it.
struct Asked {
  std::string body;
  std::vector<ReferenceQuestion> needs;
};
using Maker = std::function<Asked(const std::string& action)>;

// By name. A new operation needs a line there: it says what its permission is about.
const std::map<std::string, Maker, std::less<>>& Makers();

// Of a caller.
ReferencePolicy AnyPolicy();
// One that can be attached to a table: it names users, and actions that there are.
ReferencePolicy AnyAttachedPolicy(const std::string& table);

}  // namespace stator::server
