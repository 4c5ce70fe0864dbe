#include "client/default_credentials.h"

#include <optional>
#include <utility>

#include "base/try.h"
#include "client/assumed_role.h"
#include "client/container_credentials.h"
#include "client/environment_credentials.h"
#include "client/instance_credentials.h"
#include "client/profile_credentials.h"

namespace stator::client {

Result<std::optional<Credentials>> CredentialsChain::Fetch() {
  for (const std::unique_ptr<CredentialsProvider>& provider : providers_) {
    if (std::optional<Credentials> found = TRY(provider->Fetch())) {
      return found;
    }
  }
  return std::nullopt;
}

std::unique_ptr<CredentialsProvider> DefaultCredentials(const ProcessContext& process,
                                                        const std::string& profile,
                                                        const std::string& region,
                                                        bool on_this_machine) {
  if (!profile.empty()) {
    return std::make_unique<ProfileCredentials>(process, profile, true);
  }
  const std::optional<std::string> named = process.environment("AWS_PROFILE");
  std::vector<std::unique_ptr<CredentialsProvider>> chain;
  chain.push_back(std::make_unique<EnvironmentCredentials>(process.environment));
  chain.push_back(std::make_unique<WebIdentityCredentials>(process, region));
  chain.push_back(
      std::make_unique<ProfileCredentials>(process, named.value_or("default"), named.has_value()));
  if (on_this_machine) {
    constexpr const char* kNobody = "stator";
    chain.push_back(std::make_unique<StaticCredentials>(
        Credentials{.key = {.access_key_id = kNobody, .secret_access_key = kNobody}}));
  } else {
    chain.push_back(std::make_unique<ContainerCredentials>(process));
    chain.push_back(std::make_unique<InstanceCredentials>(process));
  }
  return std::make_unique<CredentialsChain>(std::move(chain));
}

}  // namespace stator::client
