// The switch that runs suites on an account of Amazon, with a server of ours in its place.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { withDatabase, withFolder } from "./support.mjs";

const suite = process.env.STATOR_TASKS_SUITE;

const run = (filter, variables) =>
  new Promise((resolve) => {
    const env = { ...process.env, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", ...variables };
    const args = ["--home=amazon", `--gtest_filter=${filter}`];
    execFile(suite, args, { env, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

test("a suite runs where the environment says, and removes its tables", () =>
  withFolder((folder) =>
    withDatabase(folder, async (address) => {
      const variables = { STATOR_TEST_AMAZON: "eu-central-1", AWS_ENDPOINT_URL_DYNAMODB: address };
      const first = await run("*StatusRules*/BareTable", variables);
      assert.equal(first.code, 0, first.stdout.slice(-3000));
      assert.match(first.stdout, /\[ {2}PASSED {2}\] [1-9]/);
      const again = await run("*StatusRules.A*/BareTable", variables);
      assert.equal(again.code, 0, "nothing was left behind");
    }),
  ));

test("without a region nothing runs", async () => {
  const { code, stdout } = await run("*StatusRules*/BareTable", {});
  assert.notEqual(code, 0);
  assert.match(stdout, /STATOR_TEST_AMAZON must name a region/);
});
