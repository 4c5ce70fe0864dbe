#include "client/instance_credentials.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "client/credentials_document.h"

namespace stator::client {
namespace {

constexpr std::string_view kSource = "the instance metadata service";
constexpr std::string_view kService = "http://169.254.169.254";
constexpr std::string_view kRoles = "/latest/meta-data/iam/security-credentials/";

transport::HttpRequest RequestFor(std::string method, std::string url,
                                  transport::HeaderFields fields) {
  return {.method = std::move(method),
          .url = std::move(url),
          .fields = std::move(fields),
          .timeout = std::chrono::seconds(2),
          .connect_timeout = std::chrono::seconds(1),
          .use_proxy = false};
}

std::unexpected<Error> Refused(int status) {
  return Fail(ErrorCode::kUnrecognizedClient,
              std::string(kSource) + " answered with status " + std::to_string(status));
}

}  // namespace

Result<std::optional<Credentials>> InstanceCredentials::Fetch() {
  if (process_.environment("AWS_EC2_METADATA_DISABLED") == "true") {
    return std::nullopt;
  }
  std::string service =
      process_.environment("AWS_EC2_METADATA_SERVICE_ENDPOINT").value_or(std::string(kService));
  while (service.ends_with('/')) {
    service.pop_back();
  }
  const Result<transport::HttpResponse> token = process_.transport->Send(RequestFor(
      "PUT", service + "/latest/api/token", {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}}));
  if (!token) {
    return std::nullopt;  // This is no instance.
  }
  if (token->status != 200 || token->body.find_first_of("\r\n") != std::string::npos) {
    return Refused(token->status);
  }
  const transport::HeaderFields fields = {{"x-aws-ec2-metadata-token", token->body}};
  const std::string roles = service + std::string(kRoles);
  const transport::HttpResponse role =
      TRY(process_.transport->Send(RequestFor("GET", roles, fields)));
  if (role.status == 404) {
    return std::nullopt;  // An instance without a role.
  }
  if (role.status != 200) {
    return Refused(role.status);
  }
  const std::string name = role.body.substr(0, role.body.find_first_of("\r\n"));
  const transport::HttpResponse keys =
      TRY(process_.transport->Send(RequestFor("GET", roles + name, fields)));
  if (keys.status != 200) {
    return Refused(keys.status);
  }
  return TRY(CredentialsFromJson(keys.body, kSource));
}

}  // namespace stator::client
