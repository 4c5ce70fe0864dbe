// What happens when the system has no descriptors left for another connection.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { program } from "./support.mjs";

// Ticks of a hundredth of a second that a process has used.
const processorTime = async (pid) => {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return Number(fields[11]) + Number(fields[12]);
};

test("no descriptors left is waited for, not asked for again and again", async () => {
  const child = spawn(
    "sh",
    ["-c", 'ulimit -n 40; exec "$0" "$@"', program, "mcp", "--data", "memory:", "--http", "0"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const sockets = [];
  try {
    const [, endpoint] = await new Promise((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /(http:\S+)/.exec(line);
        if (found) resolve(found);
      });
    });
    const { hostname, port } = new URL(endpoint);
    for (let count = 0; count < 100; ++count) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("connect", resolve));
      sockets.push(socket);
    }
    const before = await processorTime(child.pid);
    await sleep(1000);
    // A loop that asks without end would have used a hundred, or what others leave of them.
    assert.ok((await processorTime(child.pid)) - before < 20);
    sockets.forEach((socket) => socket.destroy());
    const answer = await fetch(endpoint, { method: "PUT" });
    assert.equal(answer.status, 405);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    child.kill("SIGTERM");
  }
});
