// What the tests of the JavaScript SDK share: the program under test on a free loopback port,
// clients that do not retry, and one table with everything.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";

const program =
  process.env.STATOR_PROGRAM ?? fileURLToPath(new URL("../../build/stator", import.meta.url));

export const settings = (endpoint) => ({
  endpoint,
  region: "us-east-1",
  maxAttempts: 1,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
});

/** Starts `stator serve` with further arguments; `stop` ends it and fails if it ended badly. */
export async function startServer(...parameters) {
  const process_ = spawn(program, ["serve", "--port", "0", "--die-with-parent", ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(process_, "exit");
  let endpoint;
  for await (const line of createInterface({ input: process_.stdout })) {
    const [word, value] = line.trim().split(/\s+/);
    if (word === "endpoint") {
      endpoint = value;
      break;
    }
  }
  assert.ok(endpoint, "the server ended before it listened");
  return {
    endpoint,
    async stop() {
      process_.kill("SIGTERM");
      const [code] = await ended;
      assert.equal(code, 0, "the server did not end well");
    },
  };
}

/** Starts Amazon's DynamoDB Local, with one database for everybody or one for each `separate` key. */
export async function startDynamoDbLocal({ separate = false } = {}) {
  const script = fileURLToPath(new URL("../../tools/dynamodb_local.py", import.meta.url));
  const process_ = spawn("python3", [script, ...(separate ? ["--separate"] : [])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(process_, "exit");
  let port;
  for await (const line of createInterface({ input: process_.stdout })) {
    port = line.trim();
    break;
  }
  assert.ok(port, "DynamoDB Local did not start");
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      process_.kill("SIGTERM");
      await ended;
    },
  };
}

/** The counts of answers, by operation and then by outcome: "ok" or the name of an error. */
async function outcomes(endpoint) {
  const text = await (await fetch(`${endpoint}/metrics`)).text();
  const counts = {};
  const line = /^stator_requests_total\{operation="(\w*)",outcome="(\w+)"\} (\d+)$/gm;
  for (const [, operation, outcome, count] of text.matchAll(line)) {
    (counts[operation] ??= {})[outcome] = Number(count);
  }
  return counts;
}

/** A table with a sort key, a local and a global index, and a stream. */
export async function makeTable(client, name) {
  const key = (hash, range) => [
    { AttributeName: hash, KeyType: "HASH" },
    ...(range ? [{ AttributeName: range, KeyType: "RANGE" }] : []),
  ];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "N" },
        { AttributeName: "at", AttributeType: "S" },
      ],
      KeySchema: key("pk", "sk"),
      LocalSecondaryIndexes: [
        {
          IndexName: "by_time",
          KeySchema: key("pk", "at"),
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
      GlobalSecondaryIndexes: [
        { IndexName: "all_by_time", KeySchema: key("at"), Projection: { ProjectionType: "ALL" } },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 30 }, { TableName: name });
}

export const plainClient = (endpoint) => new DynamoDBClient(settings(endpoint));

/** Awaits a refusal with that name, whose message is or matches `message`. */
export async function refused(promise, name, message) {
  let failure;
  try {
    await promise;
  } catch (error) {
    failure = error;
  }
  assert.ok(failure, `${name} was expected, and nothing was wrong`);
  assert.equal(failure.name, name, failure.message);
  if (message instanceof RegExp) {
    assert.match(failure.message, message);
  } else if (message !== undefined) {
    assert.equal(failure.message, message);
  }
  return failure;
}

/** What `look` gives as soon as `fits` holds of it, which may take a minute. */
export async function until(look, fits) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const seen = await look();
    if (fits(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`never seen: ${fits}`);
}

/** Everything that an asynchronous iterable gives, mapped and flattened. */
export async function collect(pages, each) {
  const all = [];
  for await (const page of pages) {
    all.push(...each(page));
  }
  return all;
}

/** Whether the server has seen each of these operations go well and go wrong, by its own count. */
export async function sawBothWays(endpoint, operations) {
  const counts = await outcomes(endpoint);
  for (const operation of operations) {
    const { ok = 0, ...errors } = counts[operation] ?? {};
    assert.ok(ok > 0, `${operation} never went well`);
    assert.ok(Object.keys(errors).length > 0, `${operation} was never refused`);
  }
}
