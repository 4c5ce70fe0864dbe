// The chain in which the AWS SDKs look for credentials; the first place that is configured counts:
//
//   1. the profile that the program names, if it names one; then nothing else is asked
//   2. the environment
//   3. the environment's web identity
//   4. the profile AWS_PROFILE, or "default"
//   5. the container
//   6. the instance

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/credentials.h"
#include "client/process_context.h"

namespace stator::client {

// Asks one provider after the other.
class CredentialsChain final : public CredentialsProvider {
 public:
  explicit CredentialsChain(std::vector<std::unique_ptr<CredentialsProvider>> providers)
      : providers_(std::move(providers)) {}

  Result<std::optional<Credentials>> Fetch() override;

 private:
  const std::vector<std::unique_ptr<CredentialsProvider>> providers_;
};

// `profile` is empty when the program names none. For an endpoint on this machine, which most of
// the time does not care, the network is not searched, and made-up keys end the chain.
std::unique_ptr<CredentialsProvider> DefaultCredentials(const ProcessContext& process,
                                                        const std::string& profile,
                                                        const std::string& region,
                                                        bool on_this_machine);

}  // namespace stator::client
