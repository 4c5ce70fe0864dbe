// `stator mcp --workers`: tasks that programs in other languages take over HTTP and do.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CreateTaskResultSchema, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connectHttp, eventually, startHttp, withFolder } from "./support.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples/workers");
const flags = ["--allow-anonymous", "--workers", "--config", join(examples, "tools.json"), "--lease", "0.5"];

const begin = async (client, text) =>
  (
    await client.request(
      { method: "tools/call", params: { name: "shout", arguments: { text }, task: {} } },
      CreateTaskResultSchema,
    )
  ).task.taskId;

const resultOf = async (client, taskId) =>
  (await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).content[0].text;

const post = async (server, what, body, headers = {}) => {
  const answer = await fetch(`${server}/workers/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : null };
};
const claim = (server, more = {}) => post(server, "claim", { worker: "t", tools: ["shout"], leaseSeconds: 1, ...more });

async function withServer(check) {
  await withFolder(async (folder) => {
    const data = join(folder, "data");
    const server = await startHttp(data, ...flags);
    const client = await connectHttp(server.endpoint);
    try {
      await check({ client, data, server, address: server.endpoint.replace("/mcp", "") });
    } finally {
      await client.close();
      await server.kill("SIGTERM");
    }
  });
}

for (const [program, file] of [["python3", "worker.py"], [process.execPath, "worker.mjs"]]) {
  test(`the example ${file} does tasks, each once`, () =>
    withServer(async ({ client, address }) => {
      const workers = [1, 2].map(() => spawn(program, [join(examples, file), address], { stdio: "ignore" }));
      try {
        const tasks = [];
        for (let number = 0; number < 20; number += 1) {
          tasks.push(await begin(client, `text ${number}`));
        }
        for (const [number, task] of tasks.entries()) {
          assert.equal(await resultOf(client, task), `TEXT ${number}`);
        }
      } finally {
        workers.forEach((worker) => worker.kill("SIGKILL"));
      }
    }));
}

test("a claim waits for work, and the task of a worker that is lost goes to the next", () =>
  withServer(async ({ client, address }) => {
    assert.equal((await claim(address)).status, 204);
    const waiting = claim(address, { waitSeconds: 30 });
    const task = await begin(client, "x");
    const first = await waiting;
    assert.equal(first.body.taskId, task);
    const second = await eventually(async () => {
      const next = await claim(address, { waitSeconds: 5, leaseSeconds: 30 });
      return next.status === 200 && next;
    });
    assert.equal(second.body.taskId, task);
    assert.equal(second.body.attempt, 2);
    assert.equal((await post(address, "complete", { claim: first.body.claim, text: "late" })).status, 410);
    assert.equal((await post(address, "heartbeat", { claim: second.body.claim, message: "half" })).status, 200);
    assert.equal((await client.experimental.tasks.getTask(task)).statusMessage, "half");
    assert.equal((await post(address, "complete", { claim: second.body.claim, text: "good" })).status, 200);
    assert.equal(await resultOf(client, task), "good");
  }));

test("a worker goes on when its server was killed and is there again", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const first = await startHttp(data, ...flags);
    const client = await connectHttp(first.endpoint);
    const task = await begin(client, "x");
    const held = await claim(first.endpoint.replace("/mcp", ""), { leaseSeconds: 60, waitSeconds: 5 });
    assert.equal(held.status, 200);
    await first.kill("SIGKILL");
    await client.close().catch(() => {});
    const second = await startHttp(data, ...flags);
    const again = await connectHttp(second.endpoint);
    try {
      const address = second.endpoint.replace("/mcp", "");
      assert.equal((await post(address, "heartbeat", { claim: held.body.claim })).status, 200);
      assert.equal((await claim(address)).status, 204);
      assert.equal((await post(address, "complete", { claim: held.body.claim, text: "done" })).status, 200);
      assert.equal(await resultOf(again, task), "done");
    } finally {
      await again.close();
      await second.kill("SIGTERM");
    }
  }));

test("what is no request of a worker is refused", () =>
  withServer(async ({ address }) => {
    assert.equal((await post(address, "claim", "{")).status, 400);
    assert.equal((await post(address, "claim", {})).status, 400);
    assert.equal((await post(address, "steal", { claim: "x" })).status, 400);
    assert.equal((await claim(address, { tools: ["nothing"] })).status, 400);
    assert.equal((await post(address, "claim", {}, { "content-type": "text/plain" })).status, 415);
    assert.equal((await post(address, "claim", {}, { origin: "https://evil.example" })).status, 403);
    assert.equal((await fetch(`${address}/workers/claim`)).status, 415);
  }));

test("without the flag there are no workers", () =>
  withFolder(async (folder) => {
    const server = await startHttp(join(folder, "data"), "--allow-anonymous");
    try {
      assert.equal((await claim(server.endpoint.replace("/mcp", ""))).status, 404);
    } finally {
      await server.kill("SIGTERM");
    }
  }));
