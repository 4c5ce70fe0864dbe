#include "mcp/http_access.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stator::mcp {
namespace {

constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
// More owners than that are looked through for some that have rested.
constexpr std::size_t kBucketsMax = 10'000;

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// A quoted string of a header: what cannot stand in one becomes a blank.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const bool is_plain = letter >= 0x20 && letter < 0x7f && letter != '"' && letter != '\\';
    quoted += is_plain ? letter : ' ';
  }
  return quoted + "\"";
}

JsonArray ListOf(const std::vector<std::string>& words) {
  JsonArray list;
  for (const std::string& word : words) {
    list.emplace_back(word);
  }
  return list;
}

// Where the path of an URL begins; its end when it has none.
std::size_t PathOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t path = url.find('/', scheme == url.npos ? 0 : scheme + 3);
  return std::min(path, url.size());
}

}  // namespace

HttpAccess::HttpAccess(const HttpOptions& options, std::string endpoint)
    : options_(options),
      resource_(options.resource && !options.resource->url.empty() ? options.resource->url
                                                                   : std::move(endpoint)) {}

std::string HttpAccess::MetadataUrl() const {
  const std::size_t path = PathOf(resource_);
  return resource_.substr(0, path) + std::string(kWellKnown) + resource_.substr(path);
}

std::optional<Response> HttpAccess::Metadata(const Request& request) const {
  const std::string_view target = View(request.target());
  if (!options_.resource || request.method() != http::verb::get ||
      (target != kWellKnown && target != std::string(kWellKnown) + options_.path)) {
    return std::nullopt;
  }
  const ProtectedResource& told = *options_.resource;
  JsonObject page{{"resource", resource_},
                  {"authorization_servers", ListOf(told.authorization_servers)},
                  {"bearer_methods_supported", JsonArray{"header"}}};
  if (!told.scopes.empty()) {
    page.Set("scopes_supported", ListOf(told.scopes));
  }
  Response response = JsonPage(request, http::status::ok, Json(std::move(page)).ToText());
  response.set(http::field::access_control_allow_origin, "*");
  return response;
}

Response HttpAccess::Refuse(const Request& request, const HttpChallenge& challenge,
                            const std::vector<std::string>& scopes) const {
  Response response =
      Page(request, static_cast<http::status>(challenge.status), challenge.description);
  if (challenge.status != 401 && challenge.status != 403) {
    return response;
  }
  std::vector<std::string> parts;
  if (!challenge.error.empty()) {
    parts.push_back("error=" + Quoted(challenge.error));
    parts.push_back("error_description=" + Quoted(challenge.description));
  }
  if (!scopes.empty()) {
    parts.push_back("scope=" + Quoted(Joined(scopes)));
  }
  if (options_.resource) {
    parts.push_back("resource_metadata=" + Quoted(MetadataUrl()));
  }
  std::string header = "Bearer";
  for (const std::string& part : parts) {
    header += (header.size() == 6 ? " " : ", ") + part;
  }
  response.set(http::field::www_authenticate, header);
  return response;
}

Response HttpAccess::Challenge(const Request& request, const HttpChallenge& challenge) const {
  return Refuse(request, challenge,
                options_.resource ? options_.resource->scopes : std::vector<std::string>());
}

std::optional<Response> HttpAccess::CheckScopes(const Request& request, const HttpCaller& caller,
                                                const std::vector<std::string>& more) const {
  if (!caller.scopes) {
    return std::nullopt;
  }
  std::vector<std::string> needed =
      options_.resource ? options_.resource->scopes : std::vector<std::string>();
  for (const std::string& scope : more) {
    if (std::ranges::find(needed, scope) == needed.end()) {
      needed.push_back(scope);
    }
  }
  const bool has_all = std::ranges::all_of(needed, [&](const std::string& scope) {
    return std::ranges::find(*caller.scopes, scope) != caller.scopes->end();
  });
  if (has_all) {
    return std::nullopt;
  }
  return Refuse(
      request,
      {.status = 403, .error = "insufficient_scope", .description = "the token allows less"},
      needed);
}

double HttpAccess::LeftOf(const Bucket& bucket, Duration now) const {
  const double seconds = std::chrono::duration<double>(now - bucket.at).count();
  return std::min(options_.owner_requests_burst,
                  bucket.left + (seconds * options_.owner_requests_per_second));
}

std::optional<Response> HttpAccess::CheckRate(const Request& request, const tasks::Owner& owner) {
  if (options_.owner_requests_per_second <= 0) {
    return std::nullopt;
  }
  const Duration now = options_.clock->Elapsed();
  if (buckets_.size() >= kBucketsMax) {
    std::erase_if(buckets_, [&](const auto& entry) {
      return LeftOf(entry.second, now) >= options_.owner_requests_burst;
    });
  }
  Bucket& bucket =
      buckets_.try_emplace(owner.id, Bucket{.left = options_.owner_requests_burst, .at = now})
          .first->second;
  bucket = {.left = LeftOf(bucket, now), .at = now};
  if (bucket.left >= 1) {
    bucket.left -= 1;
    return std::nullopt;
  }
  const double wait = (1 - bucket.left) / options_.owner_requests_per_second;
  Response response =
      Page(request, http::status::too_many_requests, "too many requests; ask again later");
  response.set(http::field::retry_after,
               std::to_string(static_cast<std::int64_t>(std::ceil(wait))));
  return response;
}

}  // namespace stator::mcp
