// A modern call that needs answers ends with its questions and is made again with the answers. What
// was answered in earlier rounds travels with the client, sealed: bound to its owner, to the call
// and to a time.

#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "mcp/json_rpc.h"
#include "mcp/request_context.h"
#include "mcp/seal.h"

namespace stator::mcp {

struct UnfinishedCall {
  std::string digest = {};                   // of the method and what it is called with
  std::int64_t round = 0;                    // how often it asked
  std::map<std::string, Json> answers = {};  // by key; not yet checked
};

// Fails when the state was not given out by this server for this call and owner, or is too old.
std::expected<UnfinishedCall, tasks::TaskFault> ReadUnfinished(const Message& message,
                                                               const RequestContext& context,
                                                               const Sealer& sealer, TimePoint now);

// The result that asks.
Json InputRequired(const UnfinishedCall& call, const std::vector<Question>& questions,
                   const RequestContext& context, const Sealer& sealer, TimePoint until);

// Questions as clients of 2026-07-28 see them, by key.
JsonObject InputRequestsOf(const std::vector<Question>& questions);

}  // namespace stator::mcp
