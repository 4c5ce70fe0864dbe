// The shared files of the AWS SDKs and tools, ~/.aws/config and ~/.aws/credentials: named profiles
// with settings.
//
// FORMAT
//
//   [default]                        in credentials a profile is [NAME], in config [profile NAME];
//   [profile build]                  [default] is one in both. [sso-session NAME] and
//   region = eu-central-1            [services NAME] stand in config
//   s3 =
//     max_concurrent_requests = 5    a nested setting: "s3.max_concurrent_requests"
//   # comment, ; comment             and " #", " ;" behind a value
//
// Settings of credentials win over those of config.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "client/process_context.h"
#include "stator/base/result.h"

namespace stator::client {

using Settings = std::map<std::string, std::string>;

class Profiles {
 public:
  // Files that are not there count as empty. Never fails: a line that makes no sense is skipped, as
  // the other tools do it.
  static Profiles Read(const ProcessContext& process);

  // By text, for tests.
  static Profiles Parse(std::string_view config, std::string_view credentials);

  // Null when there is none of that name.
  [[nodiscard]] const Settings* Find(const std::string& profile) const;
  [[nodiscard]] const Settings* FindSsoSession(const std::string& name) const;

 private:
  std::map<std::string, Settings> profiles_;
  std::map<std::string, Settings> sso_sessions_;
};

// Empty when it is not set.
std::string SettingOf(const Settings& settings, const std::string& name);

}  // namespace stator::client
