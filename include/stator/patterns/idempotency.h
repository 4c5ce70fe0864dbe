// How a write is recognised when it is done again: by the database for ten minutes, and by the item,
// which carries an id that was made of the token, for as long as it does (versioning.h).
//
// A transaction has no default: whoever writes one has to think about what happens when its answer
// gets lost.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace stator::patterns {

class Idempotency {
 public:
  // Names the logical operation: a request id, a message id, anything that is the same when the
  // same operation is tried again and never the same for another one, of any length. A repetition is
  // answered with the success of the first: one write of one item, or one transaction, for each
  // token. An operation that makes several adds to it: Token(request_id + "/stock").
  static Idempotency Token(std::string_view operation);

  // The same operation, where one that has a transaction for each of several items makes the one
  // for `item`.
  [[nodiscard]] Idempotency ForRequest(std::string_view item) const;

  // Named after what is written. For transactions that are built anew when they are repeated, from
  // the same input. Two that are meant to be two, yet write the same within ten minutes, are one.
  static Idempotency FromContent() { return Idempotency(Kind::kFromContent, {}); }

  // A repetition is another transaction. A lost answer is then reported as ambiguous, never
  // retried.
  static Idempotency None() { return Idempotency(Kind::kNone, {}); }

  enum class Kind : std::uint8_t { kToken, kFromContent, kNone };
  [[nodiscard]] Kind kind() const { return kind_; }
  // Empty unless a token was given.
  [[nodiscard]] const std::string& token() const { return token_; }
  // What the database gets to see: at most 36 characters, DynamoDB's limit.
  [[nodiscard]] const std::string& request_token() const { return request_token_; }

 private:
  Idempotency(Kind kind, std::string token)
      : kind_(kind), token_(std::move(token)), request_token_(token_) {}

  Kind kind_;
  std::string token_;
  std::string request_token_;
};

// 36 characters that are the same for the same bytes.
std::string MakeToken(std::string_view bytes);

}  // namespace stator::patterns
