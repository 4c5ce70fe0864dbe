// Names of resources: arn:aws:dynamodb:REGION:ACCOUNT:table/NAME and what hangs below it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stator::engine {

struct Account {
  std::string region = "us-east-1";
  std::string id = "000000000000";
};

std::string TableArn(const Account& account, std::string_view table_name);
std::string IndexArn(std::string_view table_arn, std::string_view index_name);
std::string StreamArn(std::string_view table_arn, std::string_view stream_label);

// The table that a TableName parameter means: itself, or the last part of a table's ARN. Nothing
// when it looks like an ARN and is none of a table.
std::optional<std::string_view> TableNameFrom(std::string_view name_or_arn);

// Whether it could be that of a stream: arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL.
bool IsStreamArn(std::string_view arn);

}  // namespace stator::engine
