// What goes wrong while the JSON of a message becomes a struct of the api. A request is judged in
// the service's order: a wrong JSON type anywhere counts before every constraint, all constraints
// count together, and what is wrong with a content (a number that is none, a structure with two
// members where one is allowed) counts after them. So reading goes on after a fault, and the faults
// are weighed at the end.
//
// THREADS: one object belongs to one message.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/constraints.h"
#include "api/member_path.h"
#include "base/try.h"
#include "stator/base/result.h"

namespace stator::wire {

class Decoding {
 public:
  // A wrong JSON type; the first one is reported.
  void RefuseType(std::string message);

  // A bad content; the first one is reported. A kSerialization error counts as a wrong type.
  void Refuse(Error error);

  // A bad value for expressions to refer to, which the service looks at last.
  void RefusePlaceholder(Error error);

  // A required member that is not there.
  void NoteMissing(const api::MemberPath& path);
  // `text` is none of the enumerators, which `set` lists in the words of the message.
  void NoteUnknown(const api::MemberPath& path, std::string_view text, std::string_view set);

  // A structure that was refused, so that nobody looks into what the input holds in its place.
  void NoteUnchecked(const api::MemberPath& path);

  // What to answer instead of doing what `input` says, if anything. A request in which nothing was
  // noticed is not checked here: the database does that first thing.
  template <class Input>
  Result<void> Finish(const Input& input) {
    if (wrong_type_) {
      return std::unexpected(*std::move(wrong_type_));
    }
    if (violations_.empty() && !bad_content_ && !bad_placeholder_) {
      return {};
    }
    api::CheckConstraints(input, violations_);
    TRY_VOID(violations_.ToResult());
    return std::unexpected(bad_content_ ? *std::move(bad_content_) : *std::move(bad_placeholder_));
  }

  // Whether an answer is what its operation answers. Endpoints differ in what they leave out, so a
  // missing member is no fault; it keeps its default. An enumerator that this version does not know
  // is one: there is nothing true to put in its place.
  Result<void> FinishAnswer();

 private:
  std::optional<Error> wrong_type_;
  std::optional<Error> bad_content_;
  std::optional<Error> bad_placeholder_;
  std::optional<std::string> unknown_;
  api::Violations violations_;
};

}  // namespace stator::wire
