#include <optional>
#include <utility>

#include "base/try.h"
#include "client/client.h"
#include "client/default_credentials.h"
#include "client/process_context.h"
#include "client/profiles.h"
#include "client/service_access.h"
#include "transport/curl_transport.h"

namespace stator::client {
namespace {

ProfileEndpointSettings EndpointSettings(const ProcessContext& process,
                                         const std::string& profile) {
  const Profiles profiles = Profiles::Read(process);
  const Settings* const settings = profiles.Find(
      profile.empty() ? process.environment("AWS_PROFILE").value_or("default") : profile);
  if (settings == nullptr) {
    return {};
  }
  return {.region = SettingOf(*settings, "region"),
          .endpoint_url = SettingOf(*settings, "endpoint_url")};
}

std::unique_ptr<CredentialsProvider> ProviderFor(const ClientOptions& options,
                                                 const ProcessContext& process,
                                                 const Endpoints& endpoints) {
  if (options.credentials) {
    return std::make_unique<StaticCredentials>(
        Credentials{.key = {.access_key_id = options.credentials->access_key_id,
                            .secret_access_key = options.credentials->secret_access_key,
                            .session_token = options.credentials->session_token}});
  }
  return DefaultCredentials(process, options.profile, endpoints.region, endpoints.on_this_machine);
}

// What every connection of a program starts from.
struct Start {
  std::shared_ptr<transport::CurlTransport> transport;
  ProcessContext process;
  std::string ca_file;
};

Start StartFor(const ClientOptions& options, Clock& clock, Random& random) {
  Start start;
  const Environment environment =
      options.environment ? options.environment : Environment(ProcessEnvironment);
  start.ca_file =
      options.ca_file.empty() ? environment("AWS_CA_BUNDLE").value_or("") : options.ca_file;
  start.transport =
      std::make_shared<transport::CurlTransport>(transport::CurlOptions{.ca_file = start.ca_file});
  start.process = ContextOfThisProcess(start.transport);
  start.process.environment = environment;
  start.process.clock = &clock;
  start.process.random = &random;
  return start;
}

// Empty when nobody configured one.
std::string ConfiguredUrl(const std::string& service, const Environment& environment,
                          const ProfileEndpointSettings& profile) {
  if (environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") {
    return "";
  }
  for (const std::string& name : {"AWS_ENDPOINT_URL_" + service, std::string("AWS_ENDPOINT_URL")}) {
    if (const std::optional<std::string> url = environment(name)) {
      return *url;
    }
  }
  return profile.endpoint_url;
}

}  // namespace

Result<std::unique_ptr<Database>> Connect(std::string_view location, const ClientOptions& options,
                                          Clock& clock, Random& random) {
  if (options.attempts_max < 1) {
    return Invalid("attempts_max must be 1 or more");
  }
  const Start start = StartFor(options, clock, random);
  RequestSender::Parts parts{
      .endpoints = TRY(ResolveEndpoints(location, options, start.process.environment,
                                        EndpointSettings(start.process, options.profile))),
      .options = options,
      .transport = start.transport,
      .clock = &clock,
      .random = &random};
  parts.credentials = ProviderFor(options, start.process, parts.endpoints);
  return std::make_unique<Client>(std::move(parts));
}

Result<ServiceAccess> FindService(const std::string& service, const std::string& endpoint_url,
                                  const ClientOptions& options, Clock& clock, Random& random) {
  const Start start = StartFor(options, clock, random);
  const Environment& environment = start.process.environment;
  const ProfileEndpointSettings profile = EndpointSettings(start.process, options.profile);
  ServiceAccess access{.endpoint_url = endpoint_url, .ca_file = start.ca_file};
  if (access.endpoint_url.empty()) {
    access.endpoint_url = ConfiguredUrl(service, environment, profile);
  }
  const bool is_amazon = access.endpoint_url.empty();
  Endpoints endpoints = TRY(ResolveEndpoints(
      is_amazon ? "aws:" + options.region : access.endpoint_url, options, environment, profile));
  endpoints.on_this_machine = endpoints.on_this_machine && !is_amazon;
  access.region = endpoints.region;
  access.endpoint_url = is_amazon ? "" : endpoints.dynamodb_url;
  access.credentials =
      std::make_shared<CredentialsCache>(ProviderFor(options, start.process, endpoints), clock);
  return access;
}

}  // namespace stator::client
