// What a call and a waiting task cost, beside the official example server (server-everything).
// Environment: STATOR_PROGRAM; STATOR_EVERYTHING, the folder of that package (without it ours runs
// alone); STATOR_CALLS and STATOR_TASKS, how many.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { callTool, clientOf, flagsFor, forAll, getTask } from "./owners.mjs";
import { eventually, program, withFolder } from "./support.mjs";

const calls = Number(process.env.STATOR_CALLS ?? 2000);
const tasks = Number(process.env.STATOR_TASKS ?? 1000);
const tasksOfOwner = 100;

// Milliseconds of processor time, and bytes in memory.
async function usageOf(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return {
    milliseconds: (Number(fields[11]) + Number(fields[12])) * 10,
    bytes: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024,
  };
}

const freePort = () =>
  new Promise((resolve) => {
    const socket = createServer().listen(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

const stop = (child) =>
  new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill();
  });

async function startStator(folder, ...flags) {
  const child = spawn(program, ["mcp", "--data", join(folder, "data"), "--http", "0", ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const endpoint = await new Promise((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  return { child, endpoint };
}

async function startEverything(folder) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, "dist/index.js"), "streamableHttp"], {
    stdio: "ignore",
    env: { ...process.env, PORT: String(port) },
  });
  const endpoint = `http://127.0.0.1:${port}/mcp`;
  await eventually(() => fetch(endpoint).then(() => true, () => false));
  return { child, endpoint };
}

async function measureCalls(name, { child, endpoint }, tool, args) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  const call = () => client.callTool({ name: tool, arguments: args });
  for (let count = 0; count < calls / 10; count += 1) {
    await call();
  }
  const before = await usageOf(child.pid);
  const begin = performance.now();
  for (let count = 0; count < calls; count += 1) {
    await call();
  }
  const seconds = (performance.now() - begin) / 1000;
  const after = await usageOf(child.pid);
  const processor = ((after.milliseconds - before.milliseconds) / calls).toFixed(3);
  const megabytes = (after.bytes / 2 ** 20).toFixed(0);
  console.log(`${name}: ${(calls / seconds).toFixed(0)} calls a second, ${processor} ms of processor each, ${megabytes} MB`);
  await client.close();
  await stop(child);
}

async function measureTasks(folder) {
  const { child, endpoint } = await startStator(folder, ...(await flagsFor(folder)));
  const clients = Array.from({ length: Math.ceil(tasks / tasksOfOwner) }, (_, number) => clientOf(endpoint, `owner${number}`));
  await callTool(clients[0], "plain");
  const before = await usageOf(child.pid);
  const made = [];
  await forAll(Array.from({ length: tasks }, (_, number) => clients[Math.floor(number / tasksOfOwner)]), async (client) => {
    made.push({ client, id: (await callTool(client, "asks")).taskId });
  });
  for (const { client, id } of made) {
    await eventually(async () => (await getTask(client, id)).status === "input_required");
  }
  const waiting = await usageOf(child.pid);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const later = await usageOf(child.pid);
  const kilobytes = ((waiting.bytes - before.bytes) / tasks / 1024).toFixed(1);
  const processor = ((later.milliseconds - waiting.milliseconds) / 10 / tasks).toFixed(3);
  console.log(`${tasks} tasks that wait for people: ${kilobytes} KB each, ${processor} ms of processor a second each`);
  await stop(child);
}

await withFolder(async (folder) => {
  await measureCalls("stator mcp", await startStator(folder, "--allow-anonymous"), "plain", {});
});
if (process.env.STATOR_EVERYTHING) {
  await measureCalls("server-everything", await startEverything(process.env.STATOR_EVERYTHING), "echo", { message: "plain" });
}
await withFolder(measureTasks);
