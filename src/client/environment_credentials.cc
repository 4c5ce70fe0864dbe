#include "client/environment_credentials.h"

#include <utility>

namespace stator::client {

Result<std::optional<Credentials>> EnvironmentCredentials::Fetch() {
  std::optional<std::string> id = environment_("AWS_ACCESS_KEY_ID");
  std::optional<std::string> secret = environment_("AWS_SECRET_ACCESS_KEY");
  if (!id && !secret) {
    return std::nullopt;
  }
  if (!id || !secret) {
    return Invalid("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together, one is missing");
  }
  return Credentials{.key = {.access_key_id = *std::move(id),
                             .secret_access_key = *std::move(secret),
                             .session_token = environment_("AWS_SESSION_TOKEN").value_or("")}};
}

}  // namespace stator::client
