// Who may send what over HTTP: challenges (RFC 6750), the page that says where tokens come from
// (RFC 9728), scopes that are missing, and how often an owner may ask.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_pages.h"
#include "stator/mcp/http.h"

namespace stator::mcp {

// THREADS: one, except the constructor's.
class HttpAccess {
 public:
  // `endpoint` is where the server listens. The options must outlive the object.
  HttpAccess(const HttpOptions& options, std::string endpoint);

  // The URL of the server, as clients call it.
  [[nodiscard]] const std::string& resource() const { return resource_; }

  // The page with the metadata, if that is what the request is for.
  [[nodiscard]] std::optional<Response> Metadata(const Request& request) const;

  [[nodiscard]] Response Challenge(const Request& request, const HttpChallenge& challenge) const;

  // The refusal of a caller that lacks one of the scopes that the server, or this call, needs.
  [[nodiscard]] std::optional<Response> CheckScopes(const Request& request,
                                                    const HttpCaller& caller,
                                                    const std::vector<std::string>& more) const;

  // Counts the request; its refusal when the owner has asked too often.
  [[nodiscard]] std::optional<Response> CheckRate(const Request& request,
                                                  const tasks::Owner& owner);

 private:
  // What an owner has left, and when that was so.
  struct Bucket {
    double left;
    Duration at;
  };

  [[nodiscard]] std::string MetadataUrl() const;
  [[nodiscard]] Response Refuse(const Request& request, const HttpChallenge& challenge,
                                const std::vector<std::string>& scopes) const;
  [[nodiscard]] double LeftOf(const Bucket& bucket, Duration now) const;

  const HttpOptions& options_;
  const std::string resource_;
  std::map<std::string, Bucket> buckets_;  // by the owner's id; those that are full may go
};

}  // namespace stator::mcp
