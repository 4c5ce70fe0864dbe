// Region, endpoint and credentials of another AWS service than DynamoDB, found where the client
// finds its own.

#pragma once

#include <memory>
#include <string>

#include "client/credentials.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/client/options.h"

namespace stator::client {

struct ServiceAccess {
  std::string region = {};
  std::string endpoint_url = {};  // empty: Amazon's own of the region
  std::string ca_file = {};       // empty: what the system trusts
  std::shared_ptr<CredentialsCache> credentials = nullptr;
};

// `service` is its name in variables: AWS_ENDPOINT_URL_S3. An `endpoint_url` that is not empty wins
// over those. Fails with kValidation when nobody names a region and the endpoint is Amazon's.
// Clock and random must outlive what is returned.
Result<ServiceAccess> FindService(const std::string& service, const std::string& endpoint_url,
                                  const ClientOptions& options, Clock& clock, Random& random);

}  // namespace stator::client
