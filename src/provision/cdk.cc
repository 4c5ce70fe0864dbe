// Tables as constructs of the AWS CDK: its CfnTable takes the properties of CloudFormation under
// names that begin with a small letter.

#include <string>
#include <utility>

#include "stator/provision/templates.h"
#include "value/plain_json.h"

namespace stator::provision {
namespace {

bool IsCapital(char character) {
  return character >= 'A' && character <= 'Z';
}

// "SSESpecification" becomes "sseSpecification", "TableName" "tableName", "KMSMasterKeyId"
// "kmsMasterKeyId".
std::string WithSmallLetter(std::string name) {
  for (std::size_t at = 0; at < name.size() && IsCapital(name[at]); ++at) {
    const bool begins_word = at > 0 && at + 1 < name.size() && !IsCapital(name[at + 1]);
    if (begins_word) {
      break;
    }
    name[at] = static_cast<char>(name[at] - 'A' + 'a');
  }
  return name;
}

AttributeValue WithSmallLetters(const AttributeValue& value) {
  if (const Map* const map = value.If<Map>()) {
    Map renamed;
    for (const auto& [name, member] : *map) {
      renamed.Set(WithSmallLetter(name), WithSmallLetters(member));
    }
    return renamed;
  }
  if (const List* const list = value.If<List>()) {
    List renamed;
    for (const AttributeValue& element : *list) {
      renamed.push_back(WithSmallLetters(element));
    }
    return renamed;
  }
  return value;
}

}  // namespace

std::string MakeCdk(const std::vector<TableSpec>& tables) {
  std::string text =
      "import { CfnTable } from \"aws-cdk-lib/aws-dynamodb\";\n"
      "import { RemovalPolicy } from \"aws-cdk-lib\";\n"
      "import { Construct } from \"constructs\";\n\n"
      "export function addTables(scope: Construct): CfnTable[] {\n"
      "  const tables = [\n";
  for (const TableSpec& spec : tables) {
    const std::string id = LogicalId(spec.name);
    const Map template_of_one = MakeCloudFormation(spec);
    const Map& resource = *template_of_one.at("Resources").If<Map>()->at(id).If<Map>();
    text += "    new CfnTable(scope, \"" + id + "\", " +
            value::ToPlainJson(*WithSmallLetters(resource.at("Properties")).If<Map>()) + "),\n";
  }
  return text +
         "  ];\n"
         "  for (const table of tables) {\n"
         "    table.applyRemovalPolicy(RemovalPolicy.RETAIN);\n"
         "  }\n"
         "  return tables;\n"
         "}\n";
}

}  // namespace stator::provision
