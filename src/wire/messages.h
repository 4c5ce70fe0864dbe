// The bodies of all operations: a server reads inputs and appends outputs, a client appends inputs
// and reads outputs. Each operation has a file of its own name in which a Shape (wire/shape.h)
// describes its two messages, once for both ends; what several of them contain is described in the
// *_shapes.h files. At the end of that file its bodies are made:
//
//   template struct Body<PutItemInput>;
//   template struct Body<PutItemOutput>;

#pragma once

#include <string>

#include "stator/api/database.h"
#include "wire/codec.h"
#include "wire/decoding.h"

namespace stator::wire {

template <class Message>
struct Body {
  // Reads all that `json` has for `message`. Faults go to `decoding`, whose Finish tells what they
  // mean; those of an answer its FinishAnswer.
  static void Read(JsonObject json, Decoding& decoding, Message& message);
  static void Append(const Message& message, std::string& out);
};

#define STATOR_OPERATION(Name, ...)         \
  extern template struct Body<Name##Input>; \
  extern template struct Body<Name##Output>;
#include "stator/api/operations.inc"

}  // namespace stator::wire
