// Credentials of a role, from AWS's Security Token Service (STS): for whoever shows the token of a
// web identity (EKS service accounts, OpenID Connect of build services), or has credentials that
// may take the role on.

#pragma once

#include <string>

#include "client/credentials.h"
#include "client/process_context.h"

namespace stator::client {

struct Role {
  std::string arn;
  std::string session_name = {};  // empty: one is made up
  std::string external_id = {};
  std::string region = {};  // empty: STS's global endpoint
  int duration_seconds = 3600;
};

// The token file is read anew each time: its owner replaces it before the token expires.
Result<Credentials> AssumeRoleWithWebIdentity(const ProcessContext& process, const Role& role,
                                              const std::string& token_file);

Result<Credentials> AssumeRole(const ProcessContext& process, const Role& role,
                               const Credentials& source);

// AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN and perhaps AWS_ROLE_SESSION_NAME.
class WebIdentityCredentials final : public CredentialsProvider {
 public:
  WebIdentityCredentials(ProcessContext process, std::string region)
      : process_(std::move(process)), region_(std::move(region)) {}

  Result<std::optional<Credentials>> Fetch() override;

 private:
  const ProcessContext process_;
  const std::string region_;
};

}  // namespace stator::client
