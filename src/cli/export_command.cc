#include "cli/export_command.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "blobs/s3_bucket.h"
#include "cli/command_line.h"
#include "cli/print_line.h"
#include "cli/shared_options.h"
#include "copy/table_export.h"
#include "stator/api/database.h"
#include "stator/home/open.h"
#include "stator/provision/ensure_table.h"
#include "value/plain_json.h"
#include "wire/moment.h"

namespace stator::cli {
namespace {

Result<int> Export(const ExportArguments& arguments) {
  copy::ExportOptions options;
  if (!arguments.as_of.empty()) {
    options.as_of = wire::ParseMoment(arguments.as_of);
    if (!options.as_of) {
      return Invalid("\"" + arguments.as_of + "\" must be " + std::string(wire::kMomentForms));
    }
  }
  const std::unique_ptr<Database> home = TRY(Open(arguments.from, {.create_if_missing = false}));
  const copy::Side side = TRY(copy::LookAt(*home, arguments.table));
  const std::string written = TRY(copy::WriteExport(side, arguments.directory, options));
  const copy::TableExport result = TRY(copy::ReadExport(written));
  PrintLine(arguments.json
                ? value::ToPlainJson(Item{{"items", result.items}, {"directory", written}})
                : std::to_string(result.items) + " items exported to " + written);
  return kSuccess;
}

// "pk:S,sk:N"
Result<CreateTableInput> TableOf(const std::string& name, const std::string& keys) {
  CreateTableInput table;
  table.table_name = name;
  table.billing_mode = BillingMode::kPayPerRequest;
  std::size_t at = 0;
  while (at <= keys.size()) {
    const std::size_t end = std::min(keys.find(',', at), keys.size());
    const std::string key = keys.substr(at, end - at);
    const std::size_t colon = key.rfind(':');
    const std::string type = colon == std::string::npos ? "" : key.substr(colon + 1);
    if (colon == 0 || (type != "S" && type != "N" && type != "B") || table.key_schema.size() == 2) {
      return Invalid("--keys \"" + keys +
                     "\" must be the partition key and perhaps a sort key, with their types: "
                     "pk:S or pk:S,sk:N");
    }
    table.attribute_definitions.push_back(
        {key.substr(0, colon), type == "S"   ? ScalarAttributeType::kString
                               : type == "N" ? ScalarAttributeType::kNumber
                                             : ScalarAttributeType::kBinary});
    table.key_schema.push_back(
        {key.substr(0, colon), table.key_schema.empty() ? KeyType::kHash : KeyType::kRange});
    at = end + 1;
  }
  return table;
}

Result<copy::Side> OpenTable(const ImportArguments& arguments, Database& database) {
  Result<copy::Side> side = copy::LookAt(database, arguments.table);
  if (side || side.error().code != ErrorCode::kTableNotFound) {
    return side;
  }
  if (arguments.keys.empty()) {
    return Fail(ErrorCode::kTableNotFound,
                "there is no table " + arguments.table +
                    ", and an export does not say which keys it had: make it, or give --keys");
  }
  const CreateTableInput table = TRY(TableOf(arguments.table, arguments.keys));
  TRY_VOID(database.CreateTable(table));
  return copy::LookAt(database, arguments.table);
}

// s3://BUCKET/FOLDER, or a directory.
Result<copy::TableExport> ReadFrom(const std::string& place) {
  constexpr std::string_view kS3 = "s3://";
  if (!place.starts_with(kS3)) {
    return copy::ReadExport(place);
  }
  const std::string rest = place.substr(kS3.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const bulk::BucketOpener open = TRY(blobs::OpenS3Buckets(""));
  std::shared_ptr<bulk::Bucket> bucket = TRY(open(rest.substr(0, slash)));
  return copy::ReadExport(std::move(bucket), slash < rest.size() ? rest.substr(slash + 1) : "");
}

Result<int> Import(const ImportArguments& arguments) {
  const copy::TableExport from = TRY(ReadFrom(arguments.directory));
  const std::unique_ptr<Database> home =
      TRY(Open(arguments.to, {.create_if_missing = !arguments.keys.empty()}));
  const copy::Side to = TRY(OpenTable(arguments, *home));
  if (!from.incremental && !arguments.overwrite) {
    const ScanOutput page =
        TRY(home->Scan({.table_name = arguments.table, .limit = 1, .consistent_read = true}));
    if (page.count > 0 || page.last_evaluated_key) {
      return Invalid("table " + arguments.table +
                     " is not empty; --overwrite imports over what is there, item by item");
    }
  }
  const copy::ImportCounts counts = TRY(copy::ImportExport(from, to));
  PrintLine(arguments.json
                ? value::ToPlainJson(Item{{"put", counts.put}, {"deleted", counts.deleted}})
                : std::to_string(counts.put) + " items put" +
                      (from.incremental ? ", " + std::to_string(counts.deleted) + " deleted" : ""));
  return kSuccess;
}

}  // namespace

void AddExport(CLI::App& app, ExportArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("export", "Write a table in the layout of DynamoDB's exports");
  command->footer(
      "Example:\n  stator export orders ./exports --from ./data --as-of latest\n\n"
      "The files are those of ExportTableToPointInTime, in DynamoDB JSON. With --as-of, which a\n"
      "table of Stator with point-in-time recovery has, all items are of one moment.");
  DefaultToEnvironment(arguments.from);
  command->add_option("table", arguments.table, "The table")->required();
  command->add_option("directory", arguments.directory, "Where the folder AWSDynamoDB is to be")
      ->required();
  command
      ->add_option("--from", arguments.from,
                   "Where it is: a directory, a URL or aws:REGION; $STATOR_DATABASE if not given")
      ->required(arguments.from.empty());
  command->add_option("--as-of", arguments.as_of, "The moment; now if not given");
  command->add_flag("--json", arguments.json, "Print the result as JSON");
}

void AddImport(CLI::App& app, ImportArguments& arguments) {
  CLI::App* const group = app.add_subcommand("import", "Fill a table from files");
  group->require_subcommand(1);
  CLI::App* const command =
      group->add_subcommand("s3-export", "An export of Amazon DynamoDB, or of stator export");
  command->footer(
      "Example:\n  stator import s3-export s3://BUCKET/AWSDynamoDB/ID --table orders --to ./data "
      "\\\n"
      "    --keys customer:S,number:N\n\n"
      "Also a directory that `aws s3 sync` has fetched. S3 is asked with the credentials, region "
      "and\n"
      "endpoint (AWS_ENDPOINT_URL_S3) of the environment.\n"
      "Checksums and numbers of items are checked. Changes of an incremental export are applied.");
  DefaultToEnvironment(arguments.to);
  command
      ->add_option("directory", arguments.directory,
                   "Has the export's manifest-summary.json: a directory, or s3://BUCKET/FOLDER")
      ->required();
  command->add_option("--table", arguments.table, "The table")->required();
  command
      ->add_option("--to", arguments.to,
                   "Where it is: a directory, a URL or aws:REGION; $STATOR_DATABASE if not given")
      ->required(arguments.to.empty());
  command->add_option("--keys", arguments.keys,
                      "Make the table, with these keys: pk:S or pk:S,sk:N");
  command->add_flag("--overwrite", arguments.overwrite, "Import into a table that has items");
  command->add_flag("--json", arguments.json, "Print the result as JSON");
}

int RunExport(const ExportArguments& arguments) {
  return ExitCodeOf(Export(arguments));
}

int RunImport(const ImportArguments& arguments) {
  return ExitCodeOf(Import(arguments));
}

}  // namespace stator::cli
