// `stator copy-table`: a table from one home to another, or beside itself, while it is in use.

#pragma once

#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct CopyTableArguments {
  std::string table;
  std::string from;
  std::string to;        // empty: the same home
  std::string as;        // empty: the same name
  std::string progress;  // a file; empty: an interrupted copy begins anew
  int segments = 4;
  bool create = false;
  bool overwrite = false;
  bool catch_up = false;
  bool follow = false;
  bool verify = false;
  bool only_verify = false;
  bool json = false;
};

void AddCopyTable(CLI::App& app, CopyTableArguments& arguments);

// Returns the exit code of the program.
int RunCopyTable(const CopyTableArguments& arguments);

}  // namespace stator::cli
