// For tests: where a suite over Database runs. Every implementation of Database is a home. A suite
// is one program that is told its home by --home=NAME (stator_home_tests in
// test/homes/homes.cmake).
//
//   class MyTest : public testing::Test {
//    protected:
//     std::unique_ptr<homes::TestDatabase> home_ = homes::ThisHome().make();
//   };

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "stator/api/database.h"
#include "stator/base/clock.h"

namespace stator::homes {

// A database for one test, empty at first.
class TestDatabase {
 public:
  TestDatabase() = default;
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;
  virtual ~TestDatabase() = default;

  virtual Database& database() = 0;

  // Returns when tables and indexes have reached the state that they were asked for.
  virtual void Settle() = 0;

  // REQUIRES: the home controls time.
  [[nodiscard]] virtual TimePoint Now() const = 0;
  virtual void Advance(Duration duration) = 0;
  // Does now what the database does on its own as time goes by.
  virtual void Housekeep() = 0;

  // Closes the database and opens it again; database() is another object afterwards.
  // REQUIRES: the home keeps data.
  virtual void Reopen() = 0;
};

struct Home {
  std::string name;
  bool controls_time;  // no time passes but by Advance
  bool keeps_data;     // data outlive the Database object
  std::function<std::unique_ptr<TestDatabase>()> make;
  bool has_own_words = false;             // its error messages are not those of Amazon DynamoDB
  std::function<void()> prepare = [] {};  // once, before the first test of a program runs there
};

// The home that was chosen. REQUIRES: one was.
const Home& ThisHome();

// False when this program has no home of that name.
bool ChooseHome(std::string_view name);

// With blanks between them.
std::string NamesOfHomes();

// A global of this type makes a home known under its name.
struct RegisteredHome {
  explicit RegisteredHome(Home home);
};

}  // namespace stator::homes
