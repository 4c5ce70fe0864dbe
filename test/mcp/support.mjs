// What the tests share: starting `stator mcp`, connecting clients of both generations to it.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";

export const program = process.env.STATOR_PROGRAM;
if (!program) {
  throw new Error("STATOR_PROGRAM must name the program under test");
}

export async function withFolder(run) {
  const folder = await mkdtemp(join(tmpdir(), "stator-mcp-"));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const command = (location, flags, env) => ({
  command: program,
  args: ["mcp", "--data", location, ...flags],
  stderr: "ignore",
  env,
});

const identity = { name: "stator-test", version: "1" };

/** A client of the first generation, over stdio. */
export async function connect(location, { capabilities = {}, flags = [], env, prepare } = {}) {
  const transport = new StdioClientTransport(command(location, flags, env));
  const client = new Client(identity, { capabilities, enforceStrictCapabilities: true });
  prepare?.(client);
  await client.connect(transport);
  await client.listTools();
  return { client, pid: transport.pid };
}

/** A client of the second generation, over stdio. */
export async function connect2(location, { capabilities = {}, flags = [], prepare } = {}) {
  const transport = new Stdio2(command(location, flags, undefined));
  const client = new Client2(identity, { capabilities });
  prepare?.(client);
  await client.connect(transport);
  return { client, pid: transport.pid };
}

/** Runs `stator serve` for as long as `run` takes, which gets its address. */
export async function withDatabase(folder, run) {
  const child = spawn(program, ["serve", "--data", join(folder, "database"), "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const address = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /(http:\/\/[\w.:]+)/.exec(line);
        if (found) resolve(found[1]);
      });
      child.once("exit", () => reject(new Error("stator serve ended")));
    });
    return await run(address);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** What `stator tasks …` prints, and the code that it ends with. */
export const statorTasks = (...args) =>
  new Promise((resolve) => {
    execFile(program, ["tasks", ...args], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });

/** Starts `stator mcp --http 0`; resolves when it has printed where it listens. */
export async function startHttp(location, ...flags) {
  const child = spawn(program, ["mcp", "--data", location, "--http", "0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout });
  const endpoint = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", () => reject(new Error("stator mcp ended")));
  });
  return {
    endpoint,
    said: () => said,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** A client of the first generation, over streamable HTTP. */
export async function connectHttp(endpoint, { capabilities = {}, prepare } = {}) {
  const client = new Client(identity, { capabilities, enforceStrictCapabilities: true });
  prepare?.(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  await client.listTools();
  return client;
}

/** Waits until `condition` gives something, and gives it back. */
export async function eventually(condition, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error("it did not happen");
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
