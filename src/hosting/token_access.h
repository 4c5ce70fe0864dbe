// TokenAccess: says of every HTTP request of an MCP server whose it is, by the access token that it
// carries. The keys that tokens are checked with come from outside (a file, an identity server), are
// fetched again now and then, and at once when a token names a key that is not known yet, but not
// more often than every `refresh_pause`, whatever tokens are sent.
//
// Never blocks: while the keys are under way the request is asked about again.
//
// THREADS: Check from many threads.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hosting/access_token.h"
#include "stator/mcp/http.h"
#include "transport/http_exchanges.h"

namespace stator::hosting {

// Gets the text of a key set and hands it to `done`, once, on any thread, now or later.
using FetchKeys = std::function<void(std::move_only_function<void(Result<std::string>)> done)>;

struct TokenAccessOptions {
  TokenRules rules;
  std::string audience = {};                         // empty: the URL of the server
  Duration refresh_pause = std::chrono::seconds(5);  // at least, between two fetches
  Duration refresh_time = std::chrono::minutes(10);  // keys that are older are fetched again
  Clock* clock = &SystemClock();
  std::function<void(std::string_view)> log = nullptr;
};

class TokenAccess {
 public:
  TokenAccess(TokenAccessOptions options, FetchKeys fetch);
  TokenAccess(const TokenAccess&) = delete;
  TokenAccess& operator=(const TokenAccess&) = delete;
  ~TokenAccess() = default;

  // For HttpOptions::authorize.
  [[nodiscard]] mcp::HttpVerdict Check(const mcp::HttpCredentials& credentials);

 private:
  struct Keys;
  struct KeyAge {
    bool has_keys;
    bool is_old;
  };

  [[nodiscard]] KeyAge Age() const;
  // Nothing when the key is unknown and no newer keys are under way.
  [[nodiscard]] std::optional<mcp::HttpVerdict> CheckToken(std::string_view token,
                                                           std::string_view audience);
  // Fetches the keys if that may be done now.
  void Refresh();

  const TokenAccessOptions options_;
  const FetchKeys fetch_;
  const std::shared_ptr<Keys> keys_;
};

// From a file, or an URL that begins with http:// or https://. `exchanges` must outlive it.
FetchKeys FetchKeysFrom(std::string source, transport::HttpExchanges& exchanges);

}  // namespace stator::hosting
