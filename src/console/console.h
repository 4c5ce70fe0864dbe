// The console: a page below /_stator/ where people see tables, items and traffic, and the answers
// below /_stator/api/ that it needs beside DynamoDB's protocol. What it does with data it does by
// requests at /, signed like anybody's; so there is no session, no cookie, and nothing that a page
// of somebody else could make a browser do.
//
// The page itself and its files are for everybody who can reach the server. Answers of the API are
// for callers whom the server admits, and each for whom a policy allows its action on "*"
// ("stator:ReadRequests", "stator:ReadMetrics", …). Two things are done here and not by requests at /:
// changes of what the stores keep, because the stores' own code has to do them, and reading the
// versions of an item, for which DynamoDB has no operation.

#pragma once

#include <string>
#include <string_view>

#include "console/sources.h"
#include "server/pages.h"
#include "server/request_inspector.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"

namespace stator::console {

// What the page says about the place where it is.
struct Home {
  std::string version;
  std::string location;    // as it was given: "./data", "aws:eu-central-1"
  std::string kind;        // "memory", "files", "remote"
  std::string durability;  // "durable", "relaxed"; empty for remote homes
  std::string region;
  bool demands_signatures = false;
  bool is_read_only = false;  // nobody who comes in here may change anything
};

class Console final : public server::Pages {
 public:
  // `inspector` must be told of the same server's requests. What is passed must outlive it.
  Console(Home home, Sources sources, server::RequestInspector& inspector, Database& database,
          const Clock& clock);

  [[nodiscard]] bool Has(std::string_view path) const override;
  [[nodiscard]] bool Waits(std::string_view path) const override;
  [[nodiscard]] server::Page Answer(const server::PageRequest& request) override;

 private:
  [[nodiscard]] server::Page AnswerApi(std::string_view path, const server::PageRequest& request);
  [[nodiscard]] server::Page AnswerPost(std::string_view path, const server::PageRequest& request);
  [[nodiscard]] server::Page Requests(std::string_view query);
  [[nodiscard]] server::Page OneRequest(std::string_view id) const;

  const Home home_;
  const Sources sources_;
  server::RequestInspector& inspector_;
  Database& database_;
  const Clock& clock_;
};

}  // namespace stator::console
