// Idempotency tokens of TransactWriteItems: for ten minutes after a transaction was committed, the
// same token with the same request is answered without doing it again, also after a restart; with
// another request it is refused.
//
// The row of a token is written in the batch of its transaction, so it is there exactly when the
// transaction is. A second row, ordered by time, lets them be forgotten.

#pragma once

#include <cstdint>
#include <string>

#include "engine/engine_core.h"
#include "engine/pending_write.h"
#include "engine/writer_view.h"
#include "stator/api/transact_write_items.h"
#include "stator/base/result.h"

namespace stator::engine {

enum class TokenState : std::uint8_t {
  kNew,       // do it
  kFinished,  // it was done; answer as if it were done now
};

// What the token locks while its transaction is under way.
std::uint64_t TokenLock(const std::string& token);

// The same for the same request, whatever it wants to be told about capacity.
std::string RequestDigest(const TransactWriteItemsInput& input);

// kIdempotentParameterMismatch when the token was used for another request.
Result<TokenState> LookUpToken(const EngineCore& core, const std::string& token,
                               const std::string& digest, WriterView& view);

// Remembers the token from now on.
void RememberToken(const EngineCore& core, const std::string& token, const std::string& digest,
                   PendingWrite& write);

// Forgets tokens whose time is over, at most `limit`; the number of those forgotten.
Result<std::size_t> ForgetOldTokens(EngineCore& core, std::size_t limit);

}  // namespace stator::engine
