// s3rver, behind a server that does what s3rver does not: it checks signatures, with Amazon's own
// signer, knows the condition of a put, insists on encryption, and fails when it is told to.
//
//   node s3_server.mjs      prints its port, makes bucket "blobs", ends with its standard input
//
// POST /_faults with a list of {"method", "kind"}: what happens to the next requests, in order.
//   lost      it is done, then the connection is cut
//   cut       the connection is cut before it is done
//   half      it is done, half of the answer's body is sent, then the connection is cut
//   a number  that status is answered instead

import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hash } from "@smithy/hash-node";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import S3rver from "s3rver";

const key = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
const signer = new SignatureV4({
  credentials: key,
  region: "eu-central-1",
  service: "s3",
  sha256: Hash.bind(null, "sha256"),
  uriEscapePath: false,
});

const folder = await mkdtemp(join(tmpdir(), "stator-s3-"));
const backend = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory: folder,
  vhostBuckets: false,
  configureBuckets: [{ name: "blobs" }],
});
const { port: backendPort } = await backend.run();

const refuse = (response, status, code) =>
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>refused</Message></Error>`);

const bodyOf = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Whether Amazon's signer signs the request as it was signed. */
async function isSigned(request, body) {
  const given = request.headers.authorization ?? "";
  const names = /SignedHeaders=([^,]*)/.exec(given)?.[1].split(";") ?? [];
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(request.headers["x-amz-date"] ?? "");
  const digest = createHash("sha256").update(body).digest("hex");
  if (!at || request.headers["x-amz-content-sha256"] !== digest) {
    return false;
  }
  const url = new URL(request.url, "http://host");
  const unsigned = new HttpRequest({
    method: request.method,
    path: request.url.split("?")[0],
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(names.map((name) => [name, request.headers[name]])),
    body,
  });
  const [, year, month, day, hour, minute, second] = at;
  const expected = await signer.sign(unsigned, {
    signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
    signableHeaders: new Set(names),
  });
  return expected.headers.authorization.replaceAll(", ", ",") === given.replaceAll(", ", ",");
}

const forward = (request, body, method = request.method) =>
  new Promise((resolve, reject) => {
    const headers = { ...request.headers, host: `127.0.0.1:${backendPort}` };
    delete headers["if-none-match"];
    delete headers.authorization; // s3rver lets everybody in
    const onward = http.request(
      { host: "127.0.0.1", port: backendPort, path: request.url, method, headers },
      async (answer) => resolve({ answer, body: await bodyOf(answer) }));
    onward.on("error", reject);
    onward.end(method === "HEAD" ? undefined : body);
  });

const faults = [];
const exists = async (request) =>
  (await forward({ url: request.url.split("?")[0], headers: {} }, "", "HEAD")).answer.statusCode === 200;

async function serve(request, response) {
  const body = await bodyOf(request);
  if (request.url === "/_faults") {
    faults.push(...JSON.parse(body));
    return response.end(`${faults.length}`);
  }
  const fault = faults[0]?.method === request.method ? faults.shift().kind : "";
  if (fault === "cut") {
    return request.socket.destroy();
  }
  if (typeof fault === "number") {
    return refuse(response, fault, "InternalError");
  }
  if (!(await isSigned(request, body))) {
    return refuse(response, 403, "SignatureDoesNotMatch");
  }
  const begins = request.method === "PUT" ? !request.url.includes("?") : request.url.endsWith("uploads=");
  if (begins && request.method !== "GET" && request.headers["x-amz-server-side-encryption"] !== "AES256") {
    return refuse(response, 403, "AccessDenied");
  }
  if (request.headers["if-none-match"] === "*" && (await exists(request))) {
    return refuse(response, 412, "PreconditionFailed");
  }
  const { answer, body: answered } = await forward(request, body);
  if (fault === "lost") {
    return request.socket.destroy();
  }
  response.writeHead(answer.statusCode, answer.headers);
  if (fault === "half") {
    return response.write(answered.subarray(0, answered.length / 2), () => request.socket.destroy());
  }
  response.end(answered);
}

const server = http.createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    request.socket.destroy();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

process.stdin.resume();
process.stdin.on("close", async () => {
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
