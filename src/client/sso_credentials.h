// Credentials of IAM Identity Center (SSO). `aws sso login` leaves an access token in a file below
// ~/.aws/sso/cache; with it the portal hands out keys of an account and a role.

#pragma once

#include <string>

#include "client/credentials.h"
#include "client/process_context.h"

namespace stator::client {

struct SsoLogin {
  std::string cache_name;  // the sso-session of the profile, or the start URL in old profiles
  std::string region;
  std::string account_id;
  std::string role_name;
};

// Fails with kExpiredToken when somebody has to log in again.
Result<Credentials> CredentialsOfSso(const ProcessContext& process, const SsoLogin& login);

}  // namespace stator::client
