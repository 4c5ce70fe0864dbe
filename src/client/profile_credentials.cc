#include "client/profile_credentials.h"

#include <charconv>
#include <utility>

#include "base/try.h"
#include "client/assumed_role.h"
#include "client/container_credentials.h"
#include "client/credentials_document.h"
#include "client/environment_credentials.h"
#include "client/instance_credentials.h"
#include "client/sso_credentials.h"

namespace stator::client {
namespace {

constexpr int kSourceProfilesMax = 10;
constexpr int kDefaultDurationSeconds = 3600;

std::string Quoted(const std::string& name) {
  return "the AWS profile '" + name + "'";
}

Result<std::optional<Credentials>> OfKeys(const std::string& name, const Settings& settings) {
  std::string secret = SettingOf(settings, "aws_secret_access_key");
  if (secret.empty()) {
    return Invalid(Quoted(name) + " has no aws_secret_access_key");
  }
  return Credentials{.key = {.access_key_id = SettingOf(settings, "aws_access_key_id"),
                             .secret_access_key = std::move(secret),
                             .session_token = SettingOf(settings, "aws_session_token")}};
}

int DurationOf(const Settings& settings) {
  const std::string text = SettingOf(settings, "duration_seconds");
  int seconds = kDefaultDurationSeconds;
  (void)std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds;
}

}  // namespace

Result<std::optional<Credentials>> ProfileCredentials::Fetch() {
  const Profiles profiles = Profiles::Read(process_);
  if (profiles.Find(profile_) == nullptr) {
    if (is_demanded_) {
      return Invalid("there is no " + Quoted(profile_).substr(4));
    }
    return std::nullopt;
  }
  return OfProfile(profiles, profile_, 0);
}

Result<std::optional<Credentials>> ProfileCredentials::OfProfile(const Profiles& profiles,
                                                                 const std::string& name,
                                                                 int depth) const {
  const Settings* const settings = profiles.Find(name);
  if (settings == nullptr) {
    return Invalid("there is no " + Quoted(name).substr(4) + ", which is a source_profile");
  }
  const auto has = [settings](const char* setting) { return settings->contains(setting); };
  // A profile that is its own source gives its keys the second time.
  const bool is_own_source = depth > 0 && SettingOf(*settings, "source_profile") == name;
  if (has("role_arn") && !is_own_source) {
    return OfRole(profiles, name, *settings, depth);
  }
  if (has("aws_access_key_id")) {
    return OfKeys(name, *settings);
  }
  if (has("sso_session") || has("sso_start_url")) {
    return OfSso(profiles, *settings);
  }
  if (has("credential_process")) {
    return OfProcess(SettingOf(*settings, "credential_process"));
  }
  return std::nullopt;
}

Result<std::optional<Credentials>> ProfileCredentials::OfRole(const Profiles& profiles,
                                                              const std::string& name,
                                                              const Settings& settings,
                                                              int depth) const {
  const Role role{.arn = SettingOf(settings, "role_arn"),
                  .session_name = SettingOf(settings, "role_session_name"),
                  .external_id = SettingOf(settings, "external_id"),
                  .region = SettingOf(settings, "region"),
                  .duration_seconds = DurationOf(settings)};
  if (settings.contains("web_identity_token_file")) {
    return TRY(
        AssumeRoleWithWebIdentity(process_, role, SettingOf(settings, "web_identity_token_file")));
  }
  if (settings.contains("mfa_serial")) {
    return Invalid(Quoted(name) + " wants a code of its mfa_serial, for which nobody can be asked");
  }
  if (depth >= kSourceProfilesMax) {
    return Invalid(Quoted(name) + " is at the end of too many source_profiles");
  }
  std::optional<Credentials> source;
  if (settings.contains("source_profile")) {
    source = TRY(OfProfile(profiles, SettingOf(settings, "source_profile"), depth + 1));
  } else {
    source = TRY(OfSource(SettingOf(settings, "credential_source")));
  }
  if (!source) {
    return Invalid(Quoted(name) + " has a role_arn, and its source gives no credentials");
  }
  return TRY(AssumeRole(process_, role, *source));
}

Result<std::optional<Credentials>> ProfileCredentials::OfSource(const std::string& source) const {
  if (source == "Environment") {
    return EnvironmentCredentials(process_.environment).Fetch();
  }
  if (source == "EcsContainer") {
    return ContainerCredentials(process_).Fetch();
  }
  if (source == "Ec2InstanceMetadata") {
    return InstanceCredentials(process_).Fetch();
  }
  return std::nullopt;
}

Result<std::optional<Credentials>> ProfileCredentials::OfSso(const Profiles& profiles,
                                                             const Settings& settings) const {
  SsoLogin login{.cache_name = SettingOf(settings, "sso_start_url"),
                 .region = SettingOf(settings, "sso_region"),
                 .account_id = SettingOf(settings, "sso_account_id"),
                 .role_name = SettingOf(settings, "sso_role_name")};
  if (const std::string name = SettingOf(settings, "sso_session"); !name.empty()) {
    const Settings* const session = profiles.FindSsoSession(name);
    if (session == nullptr) {
      return Invalid("there is no sso-session '" + name + "'");
    }
    login.cache_name = name;
    login.region = SettingOf(*session, "sso_region");
  }
  return TRY(CredentialsOfSso(process_, login));
}

Result<std::optional<Credentials>> ProfileCredentials::OfProcess(const std::string& command) const {
  const std::string document = TRY(process_.run(command));
  if (JsonInteger(document, "/Version") != 1) {
    return Fail(ErrorCode::kUnrecognizedClient,
                "the credential_process does not answer in version 1 of its protocol");
  }
  return TRY(CredentialsFromJson(document, "the credential_process"));
}

}  // namespace stator::client
