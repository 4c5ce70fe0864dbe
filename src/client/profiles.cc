#include "client/profiles.h"

#include <algorithm>
#include <utility>

namespace stator::client {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(kSpace);
  if (start == std::string_view::npos) {
    return {};
  }
  return text.substr(start, text.find_last_not_of(kSpace) - start + 1);
}

std::string_view WithoutComment(std::string_view value) {
  for (const std::string_view mark : {" #", " ;", "\t#", "\t;"}) {
    value = value.substr(0, value.find(mark));
  }
  return Trimmed(value);
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Calls `use(section, name, value)` for each setting.
template <class Use>
void ForEachSetting(std::string_view text, Use use) {
  std::string section;
  std::string parent;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    const std::string_view content = Trimmed(line);
    if (content.empty() || content.front() == '#' || content.front() == ';') {
      continue;
    }
    if (content.front() == '[') {
      section = Trimmed(content.substr(1, content.find(']') - 1));
      parent.clear();
      continue;
    }
    const std::size_t equals = content.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string name(Trimmed(content.substr(0, equals)));
    const std::string value(WithoutComment(content.substr(equals + 1)));
    const bool is_nested = kSpace.contains(line.front()) && !parent.empty();
    use(section, is_nested ? parent + "." + name : name, value);
    if (!is_nested) {
      parent = value.empty() ? name : "";
    }
  }
}

// The rest of a section's name behind its kind, such as "profile".
std::optional<std::string> NameBehind(std::string_view kind, std::string_view section) {
  if (!section.starts_with(kind) || section.size() == kind.size() ||
      !kSpace.contains(section[kind.size()])) {
    return std::nullopt;
  }
  std::string_view name = Trimmed(section.substr(kind.size()));
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return std::string(name);
}

}  // namespace

Profiles Profiles::Read(const ProcessContext& process) {
  const Result<std::string> config =
      process.read_file(process.PathOf("AWS_CONFIG_FILE", ".aws/config"));
  const Result<std::string> credentials =
      process.read_file(process.PathOf("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"));
  return Parse(config ? *config : "", credentials ? *credentials : "");
}

Profiles Profiles::Parse(std::string_view config, std::string_view credentials) {
  Profiles profiles;
  ForEachSetting(config, [&profiles](const std::string& section, const std::string& name,
                                     const std::string& value) {
    if (const std::optional<std::string> session = NameBehind("sso-session", section)) {
      profiles.sso_sessions_[*session][name] = value;
    } else if (const std::optional<std::string> profile = NameBehind("profile", section)) {
      profiles.profiles_[*profile][name] = value;
    } else if (section == "default") {
      profiles.profiles_[section][name] = value;
    }
  });
  ForEachSetting(credentials, [&profiles](const std::string& section, const std::string& name,
                                          const std::string& value) {
    profiles.profiles_[section][name] = value;
  });
  return profiles;
}

const Settings* Profiles::Find(const std::string& profile) const {
  const auto found = profiles_.find(profile);
  return found == profiles_.end() ? nullptr : &found->second;
}

const Settings* Profiles::FindSsoSession(const std::string& name) const {
  const auto found = sso_sessions_.find(name);
  return found == sso_sessions_.end() ? nullptr : &found->second;
}

std::string SettingOf(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second;
}

}  // namespace stator::client
