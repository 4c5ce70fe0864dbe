#include "client/endpoints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>

#include "base/try.h"

namespace stator::client {
namespace {

constexpr std::string_view kAws = "aws:";
constexpr std::string_view kDefaultRegion = "us-east-1";

// The partitions of AWS by how their regions begin; the most particular first.
struct Partition {
  std::string_view prefix;
  std::string_view suffix;
  std::string_view dual_stack_suffix;
  bool is_isolated = false;
};
constexpr std::array<Partition, 7> kPartitions = {{
    {"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"},
    {"us-iso-", "c2s.ic.gov", "api.aws.ic.gov", true},
    {"us-isob-", "sc2s.sgov.gov", "api.aws.scloud", true},
    {"us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov", true},
    {"eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", true},
    {"eusc-", "amazonaws.eu", "api.amazonwebservices.eu"},
    {"", "amazonaws.com", "api.aws"},
}};

const Partition& PartitionOf(std::string_view region) {
  return *std::ranges::find_if(kPartitions, [region](const Partition& partition) {
    return region.starts_with(partition.prefix);
  });
}

// Without names and passwords before the host: those of AWS are keys, and stand elsewhere.
bool IsUrl(std::string_view text) {
  const std::string_view host = HostOf(text);
  return (text.starts_with("http://") || text.starts_with("https://")) && !host.empty() &&
         !host.contains('@');
}

// It becomes part of a host name.
bool IsRegion(std::string_view text) {
  return !text.empty() && text.size() <= 63 && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  });
}

std::string WithoutTrailingSlash(std::string url) {
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url;
}

bool IsLoopbackHost(std::string_view host) {
  const bool is_ipv6 = host.starts_with("[::1]");
  host = host.substr(0, host.find(':'));
  return is_ipv6 || host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.");
}

// "dynamodb.eu-central-1.amazonaws.com" names its region.
std::optional<std::string> RegionInHost(std::string_view host) {
  host = host.substr(0, host.find(':'));
  if (!host.contains(".amazonaws.") && !host.contains(".api.aws")) {
    return std::nullopt;
  }
  host.remove_prefix(std::min(host.find("dynamodb"), host.size()));
  const std::size_t start = std::min(host.find('.'), host.size());
  std::string_view region = host.substr(std::min(start + 1, host.size()));
  region = region.substr(0, region.find('.'));
  return IsRegion(region) && region.contains('-') ? std::optional<std::string>(region)
                                                  : std::nullopt;
}

std::optional<std::string> FirstOf(const Environment& environment,
                                   std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::optional<std::string> value = environment(name)) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ConfiguredRegion(const ClientOptions& options,
                                            const Environment& environment,
                                            const ProfileEndpointSettings& profile) {
  if (!options.region.empty()) {
    return options.region;
  }
  if (std::optional<std::string> region =
          FirstOf(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"})) {
    return region;
  }
  return profile.region.empty() ? std::nullopt : std::optional(profile.region);
}

Result<Endpoints> OfUrl(std::string_view location, const ClientOptions& options,
                        const Environment& environment, const ProfileEndpointSettings& profile) {
  if (!IsUrl(location)) {
    return Invalid("cannot open " + std::string(location) + ": that is not a URL");
  }
  const std::string url = WithoutTrailingSlash(std::string(location));
  const std::string_view host = HostOf(url);
  std::optional<std::string> region =
      options.region.empty() ? RegionInHost(host) : std::optional(options.region);
  if (!region) {
    region = ConfiguredRegion(options, environment, profile);
  }
  return Endpoints{.dynamodb_url = url,
                   .streams_url = url,
                   .region = region.value_or(std::string(kDefaultRegion)),
                   .on_this_machine = IsLoopbackHost(host)};
}

Result<void> TakeConfiguredUrls(const Environment& environment,
                                const ProfileEndpointSettings& profile, Endpoints& endpoints) {
  if (environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") {
    return {};
  }
  std::optional<std::string> general = environment("AWS_ENDPOINT_URL");
  if (!general && !profile.endpoint_url.empty()) {
    general = profile.endpoint_url;
  }
  std::optional<std::string> dynamodb = environment("AWS_ENDPOINT_URL_DYNAMODB");
  std::optional<std::string> streams = environment("AWS_ENDPOINT_URL_DYNAMODB_STREAMS");
  dynamodb = dynamodb ? dynamodb : general;
  // An emulator serves both at one address, and people name it once.
  streams = streams ? streams : (general ? general : dynamodb);
  for (const auto& url : {dynamodb, streams}) {
    if (url && !IsUrl(*url)) {
      return Invalid("the configured endpoint " + *url + " is not a URL");
    }
  }
  if (dynamodb) {
    endpoints.dynamodb_url = WithoutTrailingSlash(*dynamodb);
    endpoints.on_this_machine = IsLoopbackHost(HostOf(*dynamodb));
  }
  if (streams) {
    endpoints.streams_url = WithoutTrailingSlash(*streams);
  }
  return {};
}

}  // namespace

std::string_view HostOf(std::string_view url) {
  const std::size_t start = url.find("://");
  if (start == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = url.substr(start + 3);
  return rest.substr(0, rest.find_first_of("/?#"));
}

std::string_view PathOf(std::string_view url) {
  const std::size_t start = url.find("://");
  const std::size_t slash =
      start == std::string_view::npos ? start : url.find_first_of("/?", start + 3);
  return slash == std::string_view::npos ? "/" : url.substr(slash);
}

std::string AmazonUrl(bool of_streams, std::string_view region, bool fips, bool dual_stack) {
  const Partition& partition = PartitionOf(region);
  // The government's regions are validated under their plain names.
  const bool names_fips = fips && (dual_stack || !region.starts_with("us-gov-"));
  std::string url = "https://";
  if (of_streams) {
    url += dual_stack && !partition.is_isolated ? "streams-" : "streams.";
  }
  url += names_fips ? "dynamodb-fips." : "dynamodb.";
  url.append(region).append(".");
  return url.append(dual_stack ? partition.dual_stack_suffix : partition.suffix);
}

Result<Endpoints> ResolveEndpoints(std::string_view location, const ClientOptions& options,
                                   const Environment& environment,
                                   const ProfileEndpointSettings& profile) {
  if (!location.starts_with(kAws)) {
    return OfUrl(location, options, environment, profile);
  }
  std::string region(location.substr(kAws.size()));
  if (region.empty()) {
    region = ConfiguredRegion(options, environment, profile).value_or("");
  }
  if (region.empty()) {
    return Invalid(
        "cannot open aws: without a region; name one (aws:eu-central-1) or set "
        "AWS_REGION");
  }
  if (!IsRegion(region)) {
    return Invalid("cannot open " + std::string(location) + ": that is not a region");
  }
  const bool fips = options.use_fips || environment("AWS_USE_FIPS_ENDPOINT") == "true";
  const bool dual_stack =
      options.use_dual_stack || environment("AWS_USE_DUALSTACK_ENDPOINT") == "true";
  Endpoints endpoints{.dynamodb_url = AmazonUrl(false, region, fips, dual_stack),
                      .streams_url = AmazonUrl(true, region, fips, dual_stack),
                      .region = region};
  TRY_VOID(TakeConfiguredUrls(environment, profile, endpoints));
  return endpoints;
}

}  // namespace stator::client
