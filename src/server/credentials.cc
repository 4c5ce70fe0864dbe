#include "server/credentials.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "server/private_file.h"

namespace stator::server {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

struct Profile {
  std::string name;
  wire::AccessKey key;
  std::string policy_file;
  policy::Variables variables;
  std::string role = {};
};

// What the name of a profile and the value of a tag would mean in the pattern that they get into.
constexpr std::string_view kPolicyMarks = "*?$";

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kIo, "cannot read " + path.string());
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Goes through the lines of a credentials file and collects its profiles.
class ProfileReader {
 public:
  Result<std::vector<Profile>> Read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      TRY_VOID(ReadLine(Trimmed(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(profiles_);
  }

 private:
  [[nodiscard]] std::unexpected<Error> Malformed(std::string_view problem) const {
    return Invalid("line " + std::to_string(line_) + ": " + std::string(problem));
  }

  Result<void> ReadLine(std::string_view line) {
    if (line.empty() || line.front() == '#' || line.front() == ';') {
      return {};
    }
    if (line.front() == '[') {
      if (line.back() != ']') {
        return Malformed("a profile is a name in brackets");
      }
      const std::string name(Trimmed(line.substr(1, line.size() - 2)));
      if (name.find_first_of(kPolicyMarks) != std::string::npos) {
        return Malformed("a profile's name has no *, ? and $, which mean something in policies");
      }
      profiles_.push_back(
          {.name = name, .key = {}, .policy_file = "", .variables = {{"aws:username", name}}});
      return {};
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return Malformed("neither a [profile] nor name = value");
    }
    if (profiles_.empty()) {
      return Malformed("a value before the first [profile]");
    }
    return Store(Trimmed(line.substr(0, equals)), Trimmed(line.substr(equals + 1)));
  }

  Result<void> Store(std::string_view name, std::string_view value) {
    constexpr std::string_view kTag = "stator_tag_";
    Profile& profile = profiles_.back();
    if (name == "aws_access_key_id") {
      profile.key.access_key_id = value;
    } else if (name == "aws_secret_access_key") {
      profile.key.secret_access_key = value;
    } else if (name == "aws_session_token") {
      profile.key.session_token = value;
    } else if (name == "stator_policy") {
      profile.policy_file = value;
    } else if (name == "stator_role") {
      if (value.empty() || value.find_first_of("*?$/ ") != std::string_view::npos) {
        return Malformed("a role is a name");
      }
      profile.role = value;
    } else if (name.starts_with(kTag)) {
      if (value.find_first_of(kPolicyMarks) != std::string_view::npos) {
        return Malformed("a tag has no *, ? and $, which mean something in policies");
      }
      profile.variables["aws:PrincipalTag/" + std::string(name.substr(kTag.size()))] = value;
    } else if (name.starts_with("stator_")) {
      // A misspelt policy must not turn into no policy.
      return Malformed("unknown name '" + std::string(name) + "'");
    }
    return {};
  }

  std::size_t line_ = 0;
  std::vector<Profile> profiles_;
};

policy::Identity IdentityOf(const std::string& name, std::string_view role,
                            policy::Variables variables) {
  const std::string account(kAccountId);
  const std::string iam = "arn:aws:iam::" + account + ":";
  if (role.empty()) {
    const std::string user = iam + "user/" + name;
    variables.try_emplace("aws:username", name);
    return {
        .arn = user, .principal_arn = user, .account = account, .variables = std::move(variables)};
  }
  variables.erase("aws:username");  // A role's session has none.
  return {.arn = "arn:aws:sts::" + account + ":assumed-role/" + std::string(role) + "/" + name,
          .principal_arn = iam + "role/" + std::string(role),
          .account = account,
          .variables = std::move(variables)};
}

}  // namespace

Principal::Principal(std::string name, wire::AccessKey key, std::optional<policy::Policy> policy,
                     std::string_view role, policy::Variables variables)
    : name_(std::move(name)),
      identity_(IdentityOf(name_, role, std::move(variables))),
      key_(std::move(key)),
      policy_(std::move(policy)) {}

bool Principal::AsksForKeys() const {
  return policy_ && policy_->AsksForKeys();
}

Result<void> Principal::Authorize(const wire::AccessQuestion& question) const {
  const policy::Verdict verdict =
      policy::Decide(policy_ ? &*policy_ : nullptr, identity_, question);
  if (verdict.decision == policy::Decision::kAllow) {
    return {};
  }
  std::string message = "User: " + identity_.arn;
  message.append(" is not authorized to perform: ").append(question.action);
  message.append(" on resource: ").append(question.resource);
  if (verdict.decision == policy::Decision::kExplicitDeny) {
    message.append(verdict.is_of_resource ? " with an explicit deny in a resource-based policy"
                                          : " with an explicit deny in an identity-based policy");
  } else {
    message.append(" because no identity-based policy allows the ").append(question.action);
    message.append(" action");
  }
  return Fail(ErrorCode::kAccessDenied, std::move(message));
}

Result<void> Credentials::AddProfiles(std::string_view text,
                                      const ReadPolicyFile& read_policy_file) {
  for (Profile& profile : TRY(ProfileReader().Read(text))) {
    const std::string where = "profile '" + profile.name + "': ";
    if (profile.key.access_key_id.empty() && profile.key.secret_access_key.empty()) {
      continue;
    }
    if (profile.key.access_key_id.empty() || profile.key.secret_access_key.empty()) {
      return Invalid(where + "an access key needs aws_access_key_id and aws_secret_access_key");
    }
    std::optional<policy::Policy> policy;
    if (!profile.policy_file.empty()) {
      Result<policy::Policy> parsed =
          policy::Policy::Parse(TRY(read_policy_file(profile.policy_file)), profile.variables);
      if (!parsed) {
        return Invalid(where + profile.policy_file + ": " + parsed.error().message);
      }
      policy = *std::move(parsed);
    }
    TRY_VOID(Add(std::move(profile.name), std::move(profile.key), std::move(policy), profile.role,
                 std::move(profile.variables)));
  }
  return {};
}

Result<void> Credentials::AddFile(const std::filesystem::path& path) {
  const std::size_t before = size();
  const std::string text = TRY(ReadPrivateFile(path));
  const auto added = AddProfiles(text, [&](std::string_view name) {
    return ReadWholeFile(path.parent_path() / std::filesystem::path(name));
  });
  if (!added) {
    return Fail(added.error().code, path.string() + ": " + added.error().message);
  }
  if (size() == before) {
    return Invalid(path.string() + ": no profile with an access key");
  }
  return {};
}

Result<void> Credentials::Add(std::string name, wire::AccessKey key,
                              std::optional<policy::Policy> policy, std::string_view role,
                              policy::Variables variables) {
  const std::string id = key.access_key_id;
  auto principal = std::make_unique<const Principal>(std::move(name), std::move(key),
                                                     std::move(policy), role, std::move(variables));
  if (!principals_.try_emplace(id, std::move(principal)).second) {
    return Invalid("the access key " + id + " is given twice");
  }
  return {};
}

const Principal* Credentials::Find(std::string_view access_key_id) const {
  const auto found = principals_.find(access_key_id);
  return found == principals_.end() ? nullptr : found->second.get();
}

}  // namespace stator::server
