// What goes wrong while the JSON of a message becomes a struct of the api. A request is judged in
// the service's order: a wrong JSON type anywhere counts before every constraint, all constraints
// count together, and what is wrong with a content (a number that is none, a structure with two
// members where one is allowed) counts where request/checks.h comes to it. So reading goes on after
// a fault, and the faults are weighed at the end.
//
// THREADS: one object belongs to one message.

#pragma once

#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>

#include "api/member_path.h"
#include "api/violations.h"
#include "stator/base/result.h"
#include "value/words.h"

namespace stator::wire {

class Decoding {
 public:
  // Values are refused in those words.
  explicit Decoding(value::Words words = value::Words::kCurrent) : words_(words) {}
  [[nodiscard]] value::Words words() const { return words_; }

  // A wrong JSON type; the first one is reported.
  void RefuseType(std::string message);

  // A bad content, which is reported when the service would come to `path`. A kSerialization error
  // counts as a wrong type.
  void Refuse(const api::MemberPath& path, Error error);
  // The same of a value, which was `json`.
  void RefuseValue(const api::MemberPath& path, simdjson::dom::element json, Error error);

  // A required member that is not there.
  void NoteMissing(const api::MemberPath& path);
  // `text` is none of the enumerators, which `set` lists in the words of the message.
  void NoteUnknown(const api::MemberPath& path, std::string_view text, std::string_view set);

  // A structure that was refused, so that nobody looks into what the input holds in its place.
  void NoteUnchecked(const api::MemberPath& path);

  [[nodiscard]] const std::optional<Error>& wrong_type() const { return wrong_type_; }
  // Whether nothing was noticed. A request that is so is not checked here: the database does that
  // first thing.
  [[nodiscard]] bool is_clean() const { return violations_.empty() && !violations_.HasFaults(); }
  [[nodiscard]] api::Violations& violations() { return violations_; }

  // Whether an answer is what its operation answers. Endpoints differ in what they leave out, so a
  // missing member is no fault; it keeps its default. An enumerator that this version does not know
  // is one: there is nothing true to put in its place.
  Result<void> FinishAnswer();

 private:
  std::optional<Error> wrong_type_;
  value::Words words_;
  std::optional<std::string> unknown_;
  api::Violations violations_;
};

}  // namespace stator::wire
