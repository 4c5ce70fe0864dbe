// `stator export`: a table, in the layout of DynamoDB's exports to S3. `stator import s3-export`: such an
// export, also one that Amazon DynamoDB made, into a table.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct ExportArguments {
  std::string table;
  std::string directory;
  std::string from;
  std::string as_of;  // empty: now
  bool json = false;
};

struct ImportArguments {
  std::string directory;
  std::string table;
  std::string to;
  std::string keys;  // "pk:S" or "pk:S,sk:N"; empty: the table is there
  bool overwrite = false;
  bool json = false;
};

void AddExport(CLI::App& app, ExportArguments& arguments);
void AddImport(CLI::App& app, ImportArguments& arguments);

// Return the exit code of the program.
int RunExport(const ExportArguments& arguments);
int RunImport(const ImportArguments& arguments);

}  // namespace stator::cli
