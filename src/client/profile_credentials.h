// Credentials of a profile of the shared files. The first of these that the profile has:
//
//   role_arn             the role, with the credentials of source_profile, of credential_source
//                        (Environment, EcsContainer, Ec2InstanceMetadata), or with the token in
//                        web_identity_token_file
//   aws_access_key_id    the keys themselves, with aws_secret_access_key, perhaps aws_session_token
//   sso_session          IAM Identity Center, also under its older name sso_start_url
//   credential_process   a program that prints them

#pragma once

#include <string>

#include "client/credentials.h"
#include "client/process_context.h"
#include "client/profiles.h"

namespace stator::client {

class ProfileCredentials final : public CredentialsProvider {
 public:
  // `is_demanded`: the user named the profile, so it is an error when there is none.
  ProfileCredentials(ProcessContext process, std::string profile, bool is_demanded)
      : process_(std::move(process)), profile_(std::move(profile)), is_demanded_(is_demanded) {}

  // Reads the files each time: whoever logs in again need not start the program again.
  Result<std::optional<Credentials>> Fetch() override;

 private:
  // `depth` counts the profiles that led here by source_profile.
  [[nodiscard]] Result<std::optional<Credentials>> OfProfile(const Profiles& profiles,
                                                             const std::string& name,
                                                             int depth) const;
  [[nodiscard]] Result<std::optional<Credentials>> OfRole(const Profiles& profiles,
                                                          const std::string& name,
                                                          const Settings& settings,
                                                          int depth) const;
  [[nodiscard]] Result<std::optional<Credentials>> OfSource(const std::string& source) const;
  [[nodiscard]] Result<std::optional<Credentials>> OfSso(const Profiles& profiles,
                                                         const Settings& settings) const;
  [[nodiscard]] Result<std::optional<Credentials>> OfProcess(const std::string& command) const;

  const ProcessContext process_;
  const std::string profile_;
  const bool is_demanded_;
};

}  // namespace stator::client
