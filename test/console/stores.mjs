// Items of the stores, as tests put them into their tables.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { call, makeTable, putAll } from "./fixtures.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";

const stamp = (millis) => new Date(millis).toISOString();

// A task as docs/tasks.md and task_table.h describe it.
export function taskItem(owner, id, { status = "working", message = null, ageMs = 60_000, ...more } = {}) {
  const created = Date.now() - ageMs;
  const expires = created + 24 * 3600_000;
  const ended = ["completed", "failed", "cancelled"].includes(status);
  const task = { taskId: id, status, ...(message === null ? {} : { statusMessage: message }), createdAt: stamp(created), lastUpdatedAt: stamp(created + 1_000), ttl: 24 * 3600_000, pollInterval: 500 };
  const { raw = "{}", ...rest } = more;
  const data = JSON.stringify({ task, ownerId: owner, requestMethod: "tools/call", variables: 0, result: null, expiresAt: stamp(expires), schema: 1, hasResult: false, toolName: "report", ...rest }).replace('"variables":0', () => `"variables":${raw}`);
  return {
    PK: { S: `OWNER#${owner}` }, SK: { S: `TASK#${id}` }, version: { N: "1" }, data: { S: data }, expires_at: { N: String(Math.ceil(expires / 1000)) },
    owner_id: { S: owner }, task_id: { S: id }, status: { S: status }, head: { S: JSON.stringify({ ...task, expiresAt: stamp(expires) }) },
    created_key: { S: `${stamp(created)}#${id}` }, ...(ended ? {} : { active_key: { S: `${stamp(created)}#${id}` } }), write_id: { S: `${id}-1` },
  };
}

export function leaseItem(owner, id, untilMs) {
  return { PK: { S: `OWNER#${owner}` }, SK: { S: `WORK#${id}` }, worker: { S: "w-1" }, lease_group: { S: "g" }, lease_until: { N: String(untilMs) }, expires_at: { N: String(Math.ceil(Date.now() / 1000) + 3600) } };
}

export const now = () => Math.floor(Date.now() / 1000);

// Items of sessions as session_table.h describes them.
export const record = (session, sk, type, { epoch = 0, ...more } = {}) => ({
  PK: { S: `SESSION#${session}` }, SK: { S: sk }, type: { S: type }, schema: { N: "1" }, rev: { N: "1" }, write_id: { S: `${sk}-1` }, expiresAt: { N: String(now() + 80_000) },
  ...(epoch > 0 ? { epoch: { N: String(epoch) } } : {}), ...more,
});
export const meta = (session, owner, { epochs = {}, expires = now() + 80_000 } = {}) => ({
  ...record(session, "META", "session"), ownerSub: { S: owner }, status: { S: "active" }, createdAt: { N: String(now() - 600) }, expiresAt: { N: String(expires) },
  latest: { M: {} }, epoch: { M: Object.fromEntries(Object.entries({ session: 0, ...epochs }).map(([name, number]) => [name, { N: String(number) }])) },
});

export const SESSION = "0f8fad5b-d9cb-469f-a165-70867728950f";

// Not in one go: connections that the server closes in the meantime have to be noticed.
const stator = (endpoint, ...words) => promisify(execFile)(PROGRAM, [...words, "--data", endpoint], { env: { ...process.env, AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local", AWS_REGION: "us-east-1" } });

export const SCHEMA = fileURLToPath(new URL("../../infrastructure/fixtures/order.schema.json", import.meta.url));

// Items of the entity that SCHEMA records, two of them of a version before.
async function makeEntities(endpoint) {
  await makeTable(endpoint, "order", { stream: false });
  await putAll(endpoint, "order", Array.from({ length: 5 }, (_, number) => ({
    pk: { S: "USER#ann" }, sk: { S: String(number).padStart(8, "0") }, customer: { S: "ann" }, day: { S: "2026-11-17" }, number: { N: String(number) },
    data_version: { N: number < 2 ? "1" : "2" }, rev: { N: "3" }, write_id: { S: "w" }, last_write: { N: "1" },
  })));
}

// A task that works, a session with two steps that are done, a log of three events, an entity.
export async function makeStores(endpoint) {
  for (const store of ["tasks", "sessions", "events"]) await stator(endpoint, "tables", "create", "--for", store, "--no-recovery", "--no-deletion-protection");
  for (const [type, tags, payload] of [["CourseDefined", ["course:c1"], '{"capacity":9007199254740993}'], ["StudentCame", ["student:s1"], "{}"], ["Subscribed", ["course:c1", "student:s1"], '{"seat":1}']]) {
    await stator(endpoint, "events", "append", type, "--service", "school", ...tags.flatMap((tag) => ["--tag", tag]), "--payload", payload);
  }
  await makeEntities(endpoint);
  await call(endpoint, "PutItem", { TableName: "pmcp_tasks", Item: taskItem("alice", "t-1", { message: "page 41 of 120" }) });
  for (const Item of [meta(SESSION, "ann"), record(SESSION, "TRIAGE#t1", "triage", { status: { S: "complete" } }), record(SESSION, "SELECTION#s1", "selection", { status: { S: "complete" } })]) await call(endpoint, "PutItem", { TableName: "sessions", Item });
}
