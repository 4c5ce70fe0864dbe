#include "hosting/token_access.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

#include "stator/base/mutex.h"

namespace stator::hosting {
namespace {

constexpr std::size_t kKeySetBytesMax = 1 << 20;
constexpr Duration kFetchTime = std::chrono::seconds(5);

mcp::HttpChallenge InvalidToken(std::string description) {
  return {.status = 401, .error = "invalid_token", .description = std::move(description)};
}

Result<std::string> ReadKeyFile(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  std::string text(kKeySetBytesMax, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.empty()) {
    return Fail(ErrorCode::kNotFound, "the file " + path + " cannot be read, or is empty");
  }
  return text;
}

// The token of "Bearer TOKEN"; nothing when the header has another scheme.
std::optional<std::string_view> TokenOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer";
  if (authorization.size() < kScheme.size()) {
    return std::nullopt;
  }
  for (std::size_t at = 0; at < kScheme.size(); ++at) {
    if ((authorization[at] | 0x20) != kScheme[at]) {
      return std::nullopt;
    }
  }
  authorization.remove_prefix(kScheme.size());
  if (!authorization.empty() && authorization.front() != ' ') {
    return std::nullopt;
  }
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

}  // namespace

struct TokenAccess::Keys {
  Mutex mutex;
  std::shared_ptr<const KeySet> known STATOR_GUARDED_BY(mutex);  // null until a set was read
  bool is_fetching STATOR_GUARDED_BY(mutex) = false;
  std::optional<Duration> fetched_at STATOR_GUARDED_BY(mutex);  // when it was last tried
};

TokenAccess::TokenAccess(TokenAccessOptions options, FetchKeys fetch)
    : options_(std::move(options)), fetch_(std::move(fetch)), keys_(std::make_shared<Keys>()) {
  Refresh();
}

void TokenAccess::Refresh() {
  const Duration now = options_.clock->Elapsed();
  {
    const MutexLock lock(keys_->mutex);
    if (keys_->is_fetching ||
        (keys_->fetched_at && now - *keys_->fetched_at < options_.refresh_pause)) {
      return;
    }
    keys_->is_fetching = true;
    keys_->fetched_at = now;
  }
  fetch_([keys = keys_, log = options_.log](const Result<std::string>& text) {
    Result<KeySet> parsed = text ? ParseKeySet(*text) : std::unexpected(text.error());
    if (!parsed && log) {
      log("the keys of the identity server: " + parsed.error().message);
    }
    const MutexLock lock(keys->mutex);
    keys->is_fetching = false;
    if (parsed) {
      keys->known = std::make_shared<const KeySet>(*std::move(parsed));
    }
  });
}

std::optional<mcp::HttpVerdict> TokenAccess::CheckToken(std::string_view token,
                                                        std::string_view audience) {
  std::shared_ptr<const KeySet> known;
  bool is_fetching = false;
  {
    const MutexLock lock(keys_->mutex);
    known = keys_->known;
    is_fetching = keys_->is_fetching;
  }
  const Result<AccessToken> verified = VerifyToken(token, known ? *known : KeySet(), options_.rules,
                                                   audience, options_.clock->Now());
  if (verified) {
    return mcp::HttpCaller{
        .owner = tasks::ResolveOwner({.issuer = options_.rules.issuer, .subject = verified->owner}),
        .scopes = verified->scopes,
        .expires = verified->expires};
  }
  if (verified.error().code != ErrorCode::kNotFound) {
    return InvalidToken(verified.error().message);
  }
  return is_fetching ? std::optional<mcp::HttpVerdict>(mcp::HttpNotYet{}) : std::nullopt;
}

mcp::HttpVerdict TokenAccess::Check(const mcp::HttpCredentials& credentials) {
  const std::optional<std::string_view> token = TokenOf(credentials.authorization);
  if (!token) {
    return mcp::HttpChallenge{.status = 401, .error = {}, .description = "a token is needed"};
  }
  if (token->empty() || token->contains(' ') || token->contains(',')) {
    return mcp::HttpChallenge{.status = 400,
                              .error = "invalid_request",
                              .description = "Authorization must be Bearer and one token"};
  }
  const std::string_view audience =
      options_.audience.empty() ? credentials.resource : std::string_view(options_.audience);
  const auto [has_keys, is_old] = Age();
  if (is_old) {
    Refresh();
  }
  std::optional<mcp::HttpVerdict> verdict = CheckToken(*token, audience);
  if (!verdict) {  // Signed with a key that is not known yet, perhaps.
    Refresh();
    verdict = CheckToken(*token, audience);
  }
  if (verdict) {
    return *std::move(verdict);
  }
  return has_keys ? InvalidToken("the token was signed with an unknown key")
                  : mcp::HttpChallenge{.status = 503,
                                       .error = {},
                                       .description = "the identity server cannot be reached"};
}

TokenAccess::KeyAge TokenAccess::Age() const {
  const MutexLock lock(keys_->mutex);
  return {.has_keys = keys_->known != nullptr,
          .is_old = keys_->fetched_at &&
                    options_.clock->Elapsed() - *keys_->fetched_at >= options_.refresh_time};
}

FetchKeys FetchKeysFrom(std::string source, transport::HttpExchanges& exchanges) {
  if (!source.starts_with("http://") && !source.starts_with("https://")) {
    return [source = std::move(source)](auto done) { done(ReadKeyFile(source)); };
  }
  return [source = std::move(source), &exchanges](auto done) {
    exchanges.Start(
        {.method = "GET", .url = source, .timeout = kFetchTime, .body_bytes_max = kKeySetBytesMax},
        "", [done = std::move(done)](Result<transport::HttpResponse> response) mutable {
          if (response && response->status != 200) {
            done(Fail(ErrorCode::kUnavailable, "status " + std::to_string(response->status)));
          } else if (response) {
            done(std::move(response->body));
          } else {
            done(std::unexpected(std::move(response).error()));
          }
        });
  };
}

}  // namespace stator::hosting
