// How a transaction is recognised when it is sent again. There is no default: whoever writes a
// transaction has to think about what happens when its answer gets lost.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace stator::patterns {

class Idempotency {
 public:
  // Names the logical operation: a request id, a message id, anything that is the same when the
  // same operation is tried again and never the same for another one, of any length. For ten
  // minutes the database answers a repetition with the success of the first.
  static Idempotency Token(std::string_view operation);

  // Named after what is written. For transactions that are built anew when they are repeated, from
  // the same input. Two that are meant to be two, yet write the same within ten minutes, are one.
  static Idempotency FromContent() { return Idempotency(Kind::kFromContent, {}); }

  // A repetition is another transaction. A lost answer is then reported as ambiguous, never
  // retried.
  static Idempotency None() { return Idempotency(Kind::kNone, {}); }

  enum class Kind : std::uint8_t { kToken, kFromContent, kNone };
  [[nodiscard]] Kind kind() const { return kind_; }
  // At most 36 characters, DynamoDB's limit. Empty unless a token was given.
  [[nodiscard]] const std::string& token() const { return token_; }

 private:
  Idempotency(Kind kind, std::string token) : kind_(kind), token_(std::move(token)) {}

  Kind kind_;
  std::string token_;
};

// 36 characters that are the same for the same bytes.
std::string MakeToken(std::string_view bytes);

}  // namespace stator::patterns
