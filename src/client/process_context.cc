#include "client/process_context.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <optional>
#include <utility>

namespace stator::client {
namespace {

// Configuration, tokens and key documents are small; more is a mistake.
constexpr std::size_t kBytesMax = std::size_t{1} << 20;

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kResourceNotFound, "cannot read " + path);
  }
  std::string text(kBytesMax, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Result<std::string> RunCommand(const std::string& command) {
  // The command is the user's own configuration, meant for a shell.
  // NOLINTNEXTLINE(cert-env33-c)
  std::FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) {
    return Fail(ErrorCode::kIo, "cannot run the credential_process");
  }
  std::string text;
  std::array<char, 4096> buffer;
  std::size_t count = 0;
  while (text.size() < kBytesMax &&
         (count = std::fread(buffer.data(), 1, buffer.size(), output)) > 0) {
    text.append(buffer.data(), count);
  }
  if (pclose(output) != 0) {
    return Fail(ErrorCode::kIo, "the credential_process failed");
  }
  return text;
}

}  // namespace

std::string ProcessContext::PathOf(const std::string& variable,
                                   const std::string& below_home) const {
  if (std::optional<std::string> path = environment(variable)) {
    return *std::move(path);
  }
  return environment("HOME").value_or("") + "/" + below_home;
}

ProcessContext ContextOfThisProcess(std::shared_ptr<transport::Transport> transport) {
  ProcessContext process;
  process.read_file = ReadFile;
  process.run = RunCommand;
  process.transport = std::move(transport);
  return process;
}

}  // namespace stator::client
