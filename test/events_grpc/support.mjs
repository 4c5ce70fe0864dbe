// What the tests of the gRPC service share: the program under test on free loopback ports, and a client
// made of the description alone.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const program =
  process.env.STATOR_PROGRAM ?? fileURLToPath(new URL("../../build/stator", import.meta.url));

const load = (file) =>
  grpc.loadPackageDefinition(
    loader.loadSync(fileURLToPath(new URL(file, import.meta.url)), {
      keepCase: true,
      longs: Number,
      enums: String,
      oneofs: true,
      defaults: true,
    }),
  );
const { umadb } = load("umadb.proto");
const health = load("health.proto").grpc.health.v1;
export const { status } = grpc;

/** Runs `stator events serve` to its end; for what it refuses. */
export async function refusedServe(...parameters) {
  const process_ = spawn(program, ["events", "serve", "--data", "memory:", ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  process_.stderr.on("data", (bytes) => (text += bytes));
  process_.stdout.on("data", (bytes) => (text += bytes));
  const [code] = await once(process_, "close");
  return { code, text };
}

/** Starts a server on an empty store; `stop` ends it and fails if it ended badly. */
export async function startServer(...parameters) {
  const folder = await mkdtemp(join(tmpdir(), "stator-grpc-"));
  const process_ = spawn(
    program,
    ["events", "serve", "--data", folder, "--port", "0", "--grpc-port", "0", ...parameters],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(process_, "exit");
  const lines = [];
  for await (const line of createInterface({ input: process_.stdout })) {
    lines.push(line.trim());
    if (lines.length === 2) {
      break;
    }
  }
  assert.equal(lines.length, 2, "the server ended before it listened");
  const [word, address] = lines[1].split(" ");
  assert.equal(word, "grpc");
  const { host, port } = new URL(address);
  return {
    http: lines[0],
    address,
    host,
    port: Number(port),
    kill: () => process_.kill("SIGTERM"),
    async stop() {
      process_.kill("SIGTERM");
      const [code] = await ended;
      await rm(folder, { recursive: true, force: true });
      assert.equal(code, 0, "the server did not end well");
    },
  };
}

/** The details that UmaDB's servers put beside a status. */
function detailsOf(error) {
  const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
  return bytes === undefined ? undefined : decodeError(bytes);
}

// One text and one number: too little to take a library for.
function decodeError(bytes) {
  const types = ["IO", "SERIALIZATION", "INTEGRITY", "CORRUPTION", "INTERNAL", "AUTHENTICATION",
    "INVALID_ARGUMENT"];
  assert.equal(bytes[0], 0x0a);
  let length = bytes[1] & 0x7f;
  let at = 2;
  if (bytes[1] & 0x80) {
    length |= bytes[2] << 7;
    at = 3;
  }
  assert.equal(bytes[at + length], 0x10);
  assert.equal(bytes.length, at + length + 2);
  return {
    message: bytes.subarray(at, at + length).toString(),
    type: types[bytes[at + length + 1]],
  };
}

/** A client of a server, with promises for calls that have one answer. */
export function connect(server, options = {}) {
  const credentials = grpc.credentials.createInsecure();
  const settings = { "grpc.use_local_subchannel_pool": 1, ...options };
  const dcb = new umadb.v1.DCB(server.host, credentials, settings);
  const checks = new health.Health(server.host, credentials, settings);
  const promise = (owner, name) => (request) =>
    new Promise((resolve, reject) =>
      owner[name](request, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  return {
    dcb,
    checks,
    append: promise(dcb, "Append"),
    head: promise(dcb, "Head"),
    tracking: promise(dcb, "GetTrackingInfo"),
    check: promise(checks, "Check"),
    /** All answers of a read that ends. */
    async read(request = {}) {
      const answers = [];
      for await (const answer of dcb.Read(request)) {
        answers.push(answer);
      }
      return answers;
    },
    close() {
      dcb.close();
      checks.close();
    },
  };
}

/** Events of a subscription one by one, and an end that is no error. */
export async function* eventsOf(call) {
  try {
    for await (const answer of call) {
      yield* answer.events;
    }
  } catch (error) {
    if (error.code !== status.CANCELLED) {
      throw error;
    }
  }
}

export const take = async (generator, count) => {
  const taken = [];
  while (taken.length < count) {
    const { value, done } = await generator.next();
    assert.ok(!done, "it ended early");
    taken.push(value);
  }
  return taken;
};

export const event = (type, tags = [], data = "", uuid = "") => ({
  event_type: type,
  tags,
  data: Buffer.from(data),
  uuid,
});

export const tagged = (...tags) => ({ items: [{ tags }] });

export const positions = (answers) =>
  answers.flatMap((answer) => answer.events.map((each) => each.position));

/** Awaits a status, perhaps with the type of UmaDB's details, which repeat the message. */
export async function refused(promise, code, type) {
  let failure;
  try {
    await promise;
  } catch (error) {
    failure = error;
  }
  assert.ok(failure, "it was not refused");
  assert.equal(failure.code, code, failure.message);
  const details = detailsOf(failure);
  if (type !== undefined) {
    assert.equal(details?.type, type, failure.message);
    assert.equal(details.message, failure.details);
  }
  return failure;
}
