// Credentials in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones,
// AWS_SESSION_TOKEN.

#pragma once

#include "client/credentials.h"
#include "client/environment.h"

namespace stator::client {

class EnvironmentCredentials final : public CredentialsProvider {
 public:
  explicit EnvironmentCredentials(Environment environment) : environment_(std::move(environment)) {}

  // Fails with kValidation when only one half is set.
  Result<std::optional<Credentials>> Fetch() override;

 private:
  const Environment environment_;
};

}  // namespace stator::client
