// Credentials of the role of an EC2 instance, from its metadata service in version 2: a session
// token first, then the name of the role, then its keys.
//
// AWS_EC2_METADATA_DISABLED=true leaves the service alone, AWS_EC2_METADATA_SERVICE_ENDPOINT names
// another one.

#pragma once

#include <string>

#include "client/credentials.h"
#include "client/process_context.h"

namespace stator::client {

class InstanceCredentials final : public CredentialsProvider {
 public:
  explicit InstanceCredentials(ProcessContext process) : process_(std::move(process)) {}

  // Nothing when there is no such service, which is known after a second, or no role.
  Result<std::optional<Credentials>> Fetch() override;

 private:
  const ProcessContext process_;
};

}  // namespace stator::client
