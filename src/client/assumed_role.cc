#include "client/assumed_role.h"

#include <chrono>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/try.h"
#include "client/credentials_document.h"
#include "client/endpoints.h"
#include "wire/uri_text.h"

namespace stator::client {
namespace {

constexpr std::string_view kSource = "AWS STS";
constexpr std::string_view kGlobalRegion = "us-east-1";

std::string UrlOf(const ProcessContext& process, const Role& role) {
  for (const char* variable : {"AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"}) {
    if (const std::optional<std::string> url = process.environment(variable)) {
      return *url;
    }
  }
  if (role.region.empty()) {
    return "https://sts.amazonaws.com/";
  }
  // The same domain as DynamoDB's endpoint of that region.
  const std::string dynamodb = AmazonUrl(false, role.region, false, false);
  return "https://sts" + dynamodb.substr(dynamodb.find('.')) + "/";
}

std::string FormOf(std::initializer_list<std::pair<std::string_view, std::string>> parameters) {
  std::string form;
  for (const auto& [name, value] : parameters) {
    if (value.empty()) {
      continue;
    }
    form.append(form.empty() ? "" : "&").append(name).append("=");
    wire::AppendPercentEncoded(value, "", form);
  }
  return form;
}

std::string SessionNameOf(const ProcessContext& process, const Role& role) {
  return role.session_name.empty() ? "stator-" + process.random->Uuid() : role.session_name;
}

Result<Credentials> Ask(const ProcessContext& process, const Role& role, const std::string& form,
                        const Credentials* signing) {
  transport::HttpRequest request{
      .url = UrlOf(process, role),
      .fields = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"}},
      .body = form,
      .timeout = std::chrono::seconds(10)};
  if (signing != nullptr) {
    const wire::Signer signer(
        signing->key, role.region.empty() ? std::string(kGlobalRegion) : role.region, "sts");
    const std::vector<wire::HttpField> fields = {
        {.name = "host", .value = HostOf(request.url)},
        {.name = "content-type", .value = request.fields.front().second}};
    wire::Signer::AddedFields added = signer.Sign(
        {.method = request.method, .path = PathOf(request.url), .query = {}, .fields = fields},
        wire::Hex(base::Sha256Of(form)), process.clock->Now());
    std::ranges::move(added, std::back_inserter(request.fields));
  }
  const transport::HttpResponse response = TRY(process.transport->Send(request));
  if (response.status != 200) {
    return Fail(ErrorCode::kUnrecognizedClient, std::string(kSource) + " refused the role " +
                                                    role.arn + " with status " +
                                                    std::to_string(response.status));
  }
  return CredentialsFromXml(response.body, kSource);
}

}  // namespace

Result<Credentials> AssumeRoleWithWebIdentity(const ProcessContext& process, const Role& role,
                                              const std::string& token_file) {
  std::string token = TRY(process.read_file(token_file));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) {
    token.pop_back();
  }
  const std::string form = FormOf({{"Action", "AssumeRoleWithWebIdentity"},
                                   {"Version", "2011-06-15"},
                                   {"RoleArn", role.arn},
                                   {"RoleSessionName", SessionNameOf(process, role)},
                                   {"DurationSeconds", std::to_string(role.duration_seconds)},
                                   {"WebIdentityToken", token}});
  return Ask(process, role, form, nullptr);
}

Result<Credentials> AssumeRole(const ProcessContext& process, const Role& role,
                               const Credentials& source) {
  const std::string form = FormOf({{"Action", "AssumeRole"},
                                   {"Version", "2011-06-15"},
                                   {"RoleArn", role.arn},
                                   {"RoleSessionName", SessionNameOf(process, role)},
                                   {"DurationSeconds", std::to_string(role.duration_seconds)},
                                   {"ExternalId", role.external_id}});
  return Ask(process, role, form, &source);
}

Result<std::optional<Credentials>> WebIdentityCredentials::Fetch() {
  const std::optional<std::string> file = process_.environment("AWS_WEB_IDENTITY_TOKEN_FILE");
  const std::optional<std::string> arn = process_.environment("AWS_ROLE_ARN");
  if (!file || !arn) {
    return std::nullopt;
  }
  return TRY(AssumeRoleWithWebIdentity(
      process_,
      {.arn = *arn,
       .session_name = process_.environment("AWS_ROLE_SESSION_NAME").value_or(""),
       .region = region_},
      *file));
}

}  // namespace stator::client
