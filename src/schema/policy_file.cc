#include "stator/schema/policy_file.h"

#include <set>
#include <sstream>
#include <utility>

#include "base/try.h"
#include "schema/files.h"
#include "stator/mapping/schema.h"
#include "stator/provision/policy.h"
#include "stator/schema/snapshot.h"

namespace stator::schema {
namespace {

std::multiset<std::string> LinesOf(const std::string& text) {
  std::multiset<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.insert(line);
  }
  return lines;
}

// The lines that only one of them has, as far as they say anything.
std::string Difference(const std::string& recorded, const std::string& needed) {
  const std::multiset<std::string> old_lines = LinesOf(recorded);
  const std::multiset<std::string> new_lines = LinesOf(needed);
  std::string difference;
  for (const std::string& line : new_lines) {
    difference += old_lines.contains(line) ? "" : "\n  needed:   " + line;
  }
  for (const std::string& line : old_lines) {
    difference += new_lines.contains(line) ? "" : "\n  recorded: " + line;
  }
  return difference;
}

}  // namespace

Map MakeProgramPolicy(const ProgramPolicy& program) {
  provision::PolicyInput input{.kms_key_arn = program.kms_key_arn};
  for (const entities::RepositoryDescription& repository : program.repositories) {
    const std::string& table =
        program.table_name.empty() ? repository.entity.name : program.table_name;
    input.tables.push_back(
        AccessOf(repository, provision::TableArn(table, program.region, program.account)));
  }
  return provision::MakePolicy(input);
}

Result<void> CheckPolicyFile(const std::filesystem::path& file, const ProgramPolicy& program) {
  const std::string recorded = TRY(ReadText(file));
  const std::string needed = CanonicalJson(MakeProgramPolicy(program));
  if (recorded != needed) {
    return Fail(ErrorCode::kRefused, file.string() +
                                         " is not the policy that the repositories need; run the "
                                         "test with STATOR_SCHEMA=update" +
                                         Difference(recorded, needed));
  }
  return {};
}

Result<void> WritePolicyFile(const std::filesystem::path& file, const ProgramPolicy& program) {
  return WriteText(file, CanonicalJson(MakeProgramPolicy(program)));
}

}  // namespace stator::schema
