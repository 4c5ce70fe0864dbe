// Credentials of the container that the program runs in, on ECS and on EKS with Pod Identity:
// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI name an HTTP endpoint,
// AWS_CONTAINER_AUTHORIZATION_TOKEN or _TOKEN_FILE what to show there.

#pragma once

#include "client/credentials.h"
#include "client/process_context.h"

namespace stator::client {

class ContainerCredentials final : public CredentialsProvider {
 public:
  explicit ContainerCredentials(ProcessContext process) : process_(std::move(process)) {}

  // Fails with kValidation for a full URI that would carry the token in the open to another machine
  // than the agents of ECS and EKS.
  Result<std::optional<Credentials>> Fetch() override;

 private:
  [[nodiscard]] Result<std::string> Token() const;

  const ProcessContext process_;
};

}  // namespace stator::client
