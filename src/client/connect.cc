#include <optional>
#include <utility>

#include "base/try.h"
#include "client/client.h"
#include "client/default_credentials.h"
#include "client/profiles.h"
#include "client/surroundings.h"
#include "transport/curl_transport.h"

namespace stator::client {
namespace {

ProfileEndpointSettings EndpointSettings(const Surroundings& surroundings,
                                         const std::string& profile) {
  const Profiles profiles = Profiles::Read(surroundings);
  const Settings* const settings = profiles.Find(
      profile.empty() ? surroundings.environment("AWS_PROFILE").value_or("default") : profile);
  if (settings == nullptr) {
    return {};
  }
  return {.region = SettingOf(*settings, "region"),
          .endpoint_url = SettingOf(*settings, "endpoint_url")};
}

std::unique_ptr<CredentialsProvider> ProviderFor(const ClientOptions& options,
                                                 const Surroundings& surroundings,
                                                 const Endpoints& endpoints) {
  if (options.credentials) {
    return std::make_unique<StaticCredentials>(
        Credentials{.key = {.access_key_id = options.credentials->access_key_id,
                            .secret_access_key = options.credentials->secret_access_key,
                            .session_token = options.credentials->session_token}});
  }
  return DefaultCredentials(surroundings, options.profile, endpoints.region,
                            endpoints.on_this_machine);
}

}  // namespace

Result<std::unique_ptr<Database>> Connect(std::string_view location, const ClientOptions& options,
                                          Clock& clock, Random& random) {
  if (options.attempts_max < 1) {
    return Invalid("attempts_max must be 1 or more");
  }
  const Environment environment =
      options.environment ? options.environment : Environment(ProcessEnvironment);
  auto transport = std::make_shared<transport::CurlTransport>(transport::CurlOptions{
      .ca_file =
          options.ca_file.empty() ? environment("AWS_CA_BUNDLE").value_or("") : options.ca_file});
  Surroundings surroundings = OfThisProcess(transport);
  surroundings.environment = environment;
  surroundings.clock = &clock;
  surroundings.random = &random;
  RequestSender::Parts parts{
      .endpoints = TRY(ResolveEndpoints(location, options, environment,
                                        EndpointSettings(surroundings, options.profile))),
      .options = options,
      .transport = transport,
      .clock = &clock,
      .random = &random};
  parts.credentials = ProviderFor(options, surroundings, parts.endpoints);
  return std::make_unique<Client>(std::move(parts));
}

}  // namespace stator::client
