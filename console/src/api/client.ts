// Requests to the server that this page came from: DynamoDB's protocol at /, and the console's own
// answers below /_stator/api/. Signed when somebody has signed in.

import { signal } from "@preact/signals";
import { type Signable, type Signer, makeSigner, sign } from "./sigv4.ts";
import type { Item } from "../value/attribute.ts";
import { targetOf } from "../value/operation.ts";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly item: Item | undefined = undefined, // of a condition that failed
    readonly reasons: { Code?: string; Message?: string; Item?: Item }[] = [], // of a transaction
  ) {
    super(message);
  }

  get isAway(): boolean {
    return this.status === 0;
  }
}

const AS_OF = "X-Stator-As-Of";
const KEPT = "stator.signer";

function recallSigner(): Signer | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Signer | null;
  } catch {
    return null;
  }
}

export const signer = signal<Signer | null>(recallSigner());
export const needsSignature = signal(false); // the server asks who we are
export const isAway = signal(false); // it does not answer at all

let clockOffset = 0; // of the server's clock, in milliseconds

export function serverNow(): number {
  return Date.now() + clockOffset;
}

export function signIn(accessKeyId: string, secret: string, region: string): void {
  signer.value = makeSigner(accessKeyId, secret, region, serverNow());
}

// Only once the server has taken it.
export function keepSigner(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(signer.value));
  } catch {
    // Then a reload asks again.
  }
}

export function signOut(): void {
  signer.value = null;
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Was not kept.
  }
}

async function send(request: Omit<Signable, "host">, abort: AbortSignal | undefined, asOf: string | null = null): Promise<Response> {
  const headers: Record<string, string> = { "X-Stator-Console": "1", ...(asOf === null ? {} : { [AS_OF]: asOf }) };
  if (request.target !== null) {
    headers["Content-Type"] = "application/x-amz-json-1.0";
    headers["X-Amz-Target"] = request.target;
  } else if (request.method === "POST") headers["Content-Type"] = "application/json";
  if (signer.value !== null) {
    const signed = sign(signer.value, { ...request, host: location.host }, serverNow());
    if (signed === null) signOut();
    else Object.assign(headers, signed);
  }
  let response: Response;
  try {
    response = await fetch(request.path + (request.query === "" ? "" : `?${request.query}`), {
      method: request.method,
      headers,
      ...(request.method === "POST" ? { body: request.body } : {}),
      ...(abort === undefined ? {} : { signal: abort }),
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (abort?.aborted === true) throw new ApiError("Stopped", "Stopped.", -1);
    isAway.value = true;
    throw new ApiError("NoAnswer", `The server does not answer (${error instanceof Error ? error.message : "unknown"}).`, 0);
  }
  isAway.value = false;
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isFinite(date) && Math.abs(date - Date.now()) > 5_000) clockOffset = date - Date.now();
  return response;
}

const UNKNOWN_CALLER = ["MissingAuthenticationTokenException", "UnrecognizedClientException", "InvalidSignatureException",
  "IncompleteSignatureException", "ExpiredTokenException"];

export interface Answered<T> {
  value: T;
  ms: number;
}

// An operation by its name; `input` and the answer are DynamoDB's. With `asOf` as things were at that moment.
export async function call<T>(operation: string, input: unknown, abort?: AbortSignal, asOf: string | null = null): Promise<Answered<T>> {
  return raw<T>(targetOf(operation), JSON.stringify(input), abort, asOf);
}

export async function raw<T>(target: string, body: string, abort?: AbortSignal, asOf: string | null = null): Promise<Answered<T>> {
  const start = performance.now();
  const response = await send({ method: "POST", path: "/", query: "", target, body }, abort, asOf);
  let value: unknown;
  try {
    const text = await response.text();
    value = text === "" ? {} : JSON.parse(text); // some operations answer with nothing
  } catch {
    if (abort?.aborted === true) throw new ApiError("Stopped", "Stopped.", -1);
    throw new ApiError("BadAnswer", `The server answered with status ${response.status} and no JSON.`, response.status);
  }
  const ms = performance.now() - start;
  // Who does not know the header would have the present taken for the past.
  if (response.ok && asOf !== null && !response.headers.has(AS_OF)) throw new ApiError("NoHistory", "This home does not tell what was.", -1);
  if (response.ok) return { value: value as T, ms };
  const fault = value as { __type?: string; message?: string; Message?: string; Item?: Item; CancellationReasons?: { Code?: string; Message?: string; Item?: Item }[] };
  const code = (fault.__type ?? "Error").replace(/^.*#/, "");
  if (UNKNOWN_CALLER.includes(code)) needsSignature.value = true;
  throw new ApiError(code, fault.message ?? fault.Message ?? "No message.", response.status, fault.Item, fault.CancellationReasons ?? []);
}

// Reads, or with a body changes something.
async function own(path: string, query: string, body: string | null = null): Promise<Response> {
  const response = await send({ method: body === null ? "GET" : "POST", path: `/_stator/api/${path}`, query, target: null, body: body ?? "" }, undefined);
  if (response.ok) return response;
  if (response.status === 401) needsSignature.value = true;
  let fault: { error?: { code?: string; message?: string } } = {};
  try {
    fault = (await response.json()) as typeof fault;
  } catch {
    // No answer of the console's.
  }
  throw new ApiError(fault.error?.code ?? "Error", fault.error?.message ?? `Status ${response.status}.`, response.status);
}

export interface Home {
  version: string;
  location: string;
  kind: "memory" | "files" | "remote";
  durability: string;
  region: string;
  demands_signatures: boolean;
  read_only: boolean; // whatever changes something is refused
  tells_versions: boolean; // of items
  caller: string;
}

export async function readHome(): Promise<Home> {
  const home = (await (await own("home", "")).json()) as Home;
  needsSignature.value = false;
  return home;
}

export interface SeenRequest {
  id: string;
  at: number; // microseconds
  operation: string;
  error: string;
  status: number;
  us: number;
  read_units: number;
  write_units: number;
  bytes_in: number;
  bytes_out: number;
  remote: string;
  caller: string;
  has_body: boolean;
  own: boolean;
}

export async function readRequests(after: number): Promise<SeenRequest[]> {
  const answer = (await (await own("requests", `after=${after}`)).json()) as { requests: SeenRequest[] };
  return answer.requests;
}

export interface Bodies {
  head: string;
  request: string;
  answer: string;
  cut: boolean;
}

export async function readBodies(id: string): Promise<Bodies> {
  return (await (await own(`requests/${encodeURIComponent(id)}`, "")).json()) as Bodies;
}

export async function readMetrics(): Promise<string> {
  return (await own("metrics", "")).text();
}

export async function cancelTask(table: string, owner: string, task: string): Promise<void> {
  await own("tasks/cancel", "", JSON.stringify({ table, owner, task }));
}

export interface ItemVersion {
  since: number | null; // microseconds; null: from before what is remembered
  item: Item | null; // null: there was none
}

export interface Versions {
  versions: ItemVersion[]; // newest first
  more: boolean;
}

// `before`: those from before the version that began then.
export async function readVersions(table: string, key: Item, before: number | null): Promise<Versions> {
  return (await (await own("item-history", "", JSON.stringify({ table, key, ...(before === null ? {} : { before }) }))).json()) as Versions;
}

export async function readWorkflows(): Promise<unknown[]> {
  return ((await (await own("workflows", "")).json()) as { workflows: unknown[] }).workflows;
}

export interface Invalidated {
  steps: string[];
  deleted: string[];
  remaining: string[];
}

export async function invalidateSession(asked: { table: string; workflow: string; session: string; from?: string; after?: string }): Promise<Invalidated> {
  return (await (await own("sessions/invalidate", "", JSON.stringify(asked))).json()) as Invalidated;
}

export async function readSchemas(): Promise<{ schema: unknown; history: unknown[] }[]> {
  return ((await (await own("entities", "")).json()) as { entities: { schema: unknown; history: unknown[] }[] }).entities;
}
