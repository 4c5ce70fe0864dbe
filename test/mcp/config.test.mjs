// `stator mcp --config`: tools that are commands and HTTP endpoints, from a file.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { CallToolResultSchema, CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, connect2, eventually, program, withFolder } from "./support.mjs";

const run = promisify(execFile);

async function withTools(tools, check, attempt = connect) {
  await withFolder(async (folder) => {
    const file = join(folder, "tools.json");
    await writeFile(file, JSON.stringify({ name: "mine", tools }));
    const flags = ["--config", file, "--lease", "0.5"];
    const opened = await attempt(join(folder, "data"), { flags });
    try {
      await check(opened, { folder, flags });
    } finally {
      await opened.client.close();
    }
  });
}

const sum = {
  name: "sum",
  title: "Sum",
  description: "Adds numbers",
  inputSchema: { type: "object", properties: { numbers: { type: "array", items: { type: "number" } } }, required: ["numbers"] },
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  command: [
    process.execPath,
    "-e",
    'let s = ""; process.stdin.on("data", (d) => (s += d)).on("end", () => ' +
      "console.log(JSON.stringify({ sum: JSON.parse(s).numbers.reduce((a, b) => a + b, 0) })))",
  ],
};

for (const [name, attempt] of [["first", connect], ["second", connect2]]) {
  test(`a command is called by a client of the ${name} generation`, () =>
    withTools(
      [sum],
      async ({ client }) => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => [tool.name, tool.title]), [["sum", "Sum"]]);
        const result = await client.callTool({ name: "sum", arguments: { numbers: [1, 2, 3.5] } });
        assert.deepEqual(result.structuredContent, { sum: 6.5 });
        const refused = await client.callTool({ name: "sum", arguments: { numbers: "x" } });
        assert.equal(refused.isError, true);
      },
      attempt,
    ));
}

// The command goes on when its progress was seen: a client drops progress that comes with the result.
test("progress of a command reaches the client that waits for it", () =>
  withFolder(async (folder) => {
    const seen = join(folder, "seen");
    const script = `echo ::progress 1/2 half >&2; until [ -e ${seen} ]; do sleep 0.02; done; echo done`;
    await withTools([{ name: "steps", description: "d", command: ["sh", "-c", script] }], async ({ client }) => {
      const told = [];
      const result = await client.callTool({ name: "steps", arguments: {} }, CallToolResultSchema, {
        onprogress: (progress) => {
          told.push(progress);
          writeFile(seen, "");
        },
      });
      assert.equal(result.content[0].text, "done");
      assert.deepEqual(told, [{ progress: 1, total: 2, message: "half" }]);
    });
  }));

const begin = async (client, name) =>
  (
    await client.request({ method: "tools/call", params: { name, arguments: {}, task: {} } }, CreateTaskResultSchema)
  ).task.taskId;

test("a command runs again after kill -9 if it may, and not with its first run", () =>
  withFolder(async (folder) => {
    const file = join(folder, "tools.json");
    const log = join(folder, "log");
    const script = `echo $$ >> ${log}; [ $(wc -l < ${log}) -gt 2 ] && echo again || exec sleep 600`;
    await writeFile(
      file,
      JSON.stringify({
        tools: [
          { name: "again", description: "d", command: ["sh", "-c", script], idempotent: true },
          { name: "once", description: "d", command: ["sh", "-c", script] },
        ],
      }),
    );
    const flags = ["--config", file, "--lease", "0.5"];
    const data = join(folder, "data");
    const first = await connect(data, { flags });
    const again = await begin(first.client, "again");
    const once = await begin(first.client, "once");
    const pids = await eventually(async () => {
      const { stdout } = await run("cat", [log]).catch(() => ({ stdout: "" }));
      const lines = stdout.trim().split("\n");
      return lines.length === 2 && lines.map(Number);
    });
    process.kill(first.pid, "SIGKILL");
    await first.client.close();
    // One that has ended may still be listed, until somebody asks for its exit code.
    const isGone = async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      return text === "" || /\) [ZX] /.test(text);
    };
    await eventually(async () => (await Promise.all(pids.map(isGone))).every(Boolean));
    const second = await connect(data, { flags });
    try {
      const status = (taskId) =>
        second.client.experimental.tasks.getTask(taskId).then((task) => task.status);
      await eventually(async () => (await status(again)) === "completed");
      await eventually(async () => (await status(once)) === "failed");
    } finally {
      await second.client.close();
    }
  }));

test("an endpoint gets the arguments and its headers, and tells no secrets", async () => {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) {
      body += piece;
    }
    seen.push({ method: request.method, token: request.headers.authorization, body: JSON.parse(body) });
    const fails = request.url === "/fails";
    response.writeHead(fails ? 500 : 200).end(fails ? `no ${request.headers.authorization}` : '{"found": 3}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  process.env.STATOR_TEST_TOKEN = "s3cret-token";
  const headers = { Authorization: "Bearer ${STATOR_TEST_TOKEN}" };
  const connectWithToken = (location, options) => connect(location, { ...options, env: process.env });
  try {
    await withTools(
      [
        { name: "search", description: "d", url: `${url}/search`, headers, outputSchema: { type: "object" } },
        { name: "fails", description: "d", url: `${url}/fails`, headers },
        { name: "gone", description: "d", url: "http://127.0.0.1:1/", headers },
      ],
      async ({ client }) => {
        const found = await client.callTool({ name: "search", arguments: { q: "x" } });
        assert.deepEqual(found.structuredContent, { found: 3 });
        assert.deepEqual(seen, [{ method: "POST", token: "Bearer s3cret-token", body: { q: "x" } }]);
        const failed = await client.callTool({ name: "fails", arguments: {} });
        assert.equal(failed.isError, true);
        assert.equal(failed.content[0].text, "fails answered with status 500:\nno Bearer ***");
        const gone = await client.callTool({ name: "gone", arguments: {} });
        assert.match(gone.content[0].text, /^gone could not be asked/);
      },
      connectWithToken,
    );
  } finally {
    server.close();
  }
});

test("endpoints that do not answer keep nobody waiting", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/quick") {
      response.end("quick");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  try {
    await withTools(
      [
        { name: "never", description: "d", url: `${url}/never` },
        { name: "quick", description: "d", url: `${url}/quick` },
      ],
      async ({ client }) => {
        const tasks = [];
        for (let count = 0; count < 50; count += 1) {
          tasks.push(await begin(client, "never"));
        }
        const quick = await client.callTool({ name: "quick", arguments: {} });
        assert.equal(quick.content[0].text, "quick");
        await client.experimental.tasks.cancelTask(tasks[0]);
      },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a file that is wrong ends the start with file, tool and what to do", () =>
  withFolder(async (folder) => {
    const file = join(folder, "tools.json");
    const start = async (text) => {
      await writeFile(file, text);
      const failed = await run(program, ["mcp", "--data", join(folder, "data"), "--config", file]).catch((error) => error);
      assert.equal(failed.code, 1);
      return failed.stderr;
    };
    assert.match(await start("{"), /tools\.json: this is no JSON object/);
    const tool = { name: "x", description: "d", command: ["no-such-program"] };
    assert.match(
      await start(JSON.stringify({ tools: [tool] })),
      /tools\.json: tool "x": there is no program no-such-program in PATH; install it/,
    );
    await assert.rejects(run("ls", [join(folder, "data")]));
  }));
