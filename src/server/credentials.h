// The access keys that may use the server, each with a name and perhaps a policy.
//
// FORMAT of the file: that of ~/.aws/credentials, with a few keys more.
//
//   # comment
//   [reporting]
//   aws_access_key_id = AKIDREPORTING
//   aws_secret_access_key = ...
//   aws_session_token = ...                     optional; requests must then carry it
//   stator_policy = reporting-policy.json       optional; a file beside this one, see policy.h
//   stator_tag_owner = ann                      optional; ${aws:PrincipalTag/owner} in the policy
//   stator_role = reader                        optional; who asks is this role, not a user
//
// ${aws:username} is the name of the profile. A profile without a policy may do everything but what
// the policy of a table or a stream denies. Those know it as arn:aws:iam::000000000000:user/PROFILE,
// or as the role arn:aws:iam::000000000000:role/ROLE. Other keys of a profile (region, output) are
// skipped, as are profiles without an access key.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "policy/policy.h"
#include "stator/base/result.h"
#include "wire/exchange.h"
#include "wire/sigv4.h"

namespace stator::server {

// The account of everything that lives here, as DynamoDB Local has it.
inline constexpr std::string_view kAccountId = "000000000000";

// One who may ask.
class Principal final : public wire::Authorizer {
 public:
  // A user, or a role when it is not empty.
  Principal(std::string name, wire::AccessKey key, std::optional<policy::Policy> policy,
            std::string_view role = {}, policy::Variables variables = {});

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const wire::AccessKey& key() const { return key_; }

  [[nodiscard]] Result<void> Authorize(const wire::AccessQuestion& question) const override;
  [[nodiscard]] bool AsksForKeys() const override;

 private:
  const std::string name_;
  const policy::Identity identity_;
  const wire::AccessKey key_;
  const std::optional<policy::Policy> policy_;
};

// THREADS: may be read from many threads once it is built.
class Credentials {
 public:
  using ReadPolicyFile = std::function<Result<std::string>(std::string_view name)>;

  // Adds the profiles of a file's text. Messages name the line, never a secret.
  Result<void> AddProfiles(std::string_view text, const ReadPolicyFile& read_policy_file);

  // The same for a file, which must be private (private_file.h); the policies need not be.
  Result<void> AddFile(const std::filesystem::path& path);

  // Fails when the access key id is there already.
  Result<void> Add(std::string name, wire::AccessKey key, std::optional<policy::Policy> policy,
                   std::string_view role = {}, policy::Variables variables = {});

  // Null for a key that nobody has.
  [[nodiscard]] const Principal* Find(std::string_view access_key_id) const;

  [[nodiscard]] std::size_t size() const { return principals_.size(); }

 private:
  std::map<std::string, std::unique_ptr<const Principal>, std::less<>> principals_;  // by key id
};

}  // namespace stator::server
