#include "client/container_credentials.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "client/credentials_document.h"
#include "client/endpoints.h"

namespace stator::client {
namespace {

constexpr std::string_view kSource = "the container's credentials endpoint";
constexpr std::string_view kAgent = "http://169.254.170.2";

bool IsTrusted(std::string_view url) {
  constexpr std::array<std::string_view, 5> kHosts = {"localhost", "169.254.170.2",
                                                      "169.254.170.23", "[fd00:ec2::23]", "[::1]"};
  if (url.starts_with("https://")) {
    return true;
  }
  std::string_view host = HostOf(url);
  host =
      host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  return url.starts_with("http://") &&
         (host.starts_with("127.") || std::ranges::find(kHosts, host) != kHosts.end());
}

}  // namespace

Result<std::string> ContainerCredentials::Token() const {
  if (const std::optional<std::string> path =
          process_.environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    return process_.read_file(*path);
  }
  return process_.environment("AWS_CONTAINER_AUTHORIZATION_TOKEN").value_or("");
}

Result<std::optional<Credentials>> ContainerCredentials::Fetch() {
  std::optional<std::string> url;
  if (const std::optional<std::string> relative =
          process_.environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")) {
    url = std::string(kAgent) + *relative;
  } else {
    url = process_.environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  }
  if (!url) {
    return std::nullopt;
  }
  if (!IsTrusted(*url)) {
    return Invalid(
        "AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, loopback, or an agent of ECS "
        "or EKS");
  }
  transport::HttpRequest request{.method = "GET",
                                 .url = *url,
                                 .timeout = std::chrono::seconds(5),
                                 .connect_timeout = std::chrono::seconds(2),
                                 .use_proxy = false};
  const std::string token = TRY(Token());
  if (token.find_first_of("\r\n") != std::string::npos) {
    return Invalid("the container's authorization token contains a line break");
  }
  if (!token.empty()) {
    request.fields.emplace_back("authorization", token);
  }
  const transport::HttpResponse response = TRY(process_.transport->Send(request));
  if (response.status != 200) {
    return Fail(ErrorCode::kUnrecognizedClient,
                std::string(kSource) + " answered with status " + std::to_string(response.status));
  }
  return TRY(CredentialsFromJson(response.body, kSource));
}

}  // namespace stator::client
