// The SDK's own signatures, verified by the server: in headers, in the query, over TLS.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import { Hash } from "@smithy/hash-node";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { makeTable, refused, settings, startServer } from "./support.mjs";

const owner = { accessKeyId: "AKIDOWNER", secretAccessKey: "the owner's secret" };
const guest = { accessKeyId: "AKIDGUEST", secretAccessKey: "g", sessionToken: "a session" };
const profile = (name, { accessKeyId, secretAccessKey, sessionToken }, policy) =>
  [
    `[${name}]`,
    `aws_access_key_id = ${accessKeyId}`,
    `aws_secret_access_key = ${secretAccessKey}`,
    ...(sessionToken ? [`aws_session_token = ${sessionToken}`] : []),
    ...(policy ? [`stator_policy = ${policy}`] : []),
    "",
  ].join("\n");
const guestPolicy = {
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Action: "dynamodb:*Item", Resource: "arn:aws:dynamodb:*:*:table/orders" },
    { Effect: "Deny", Action: "dynamodb:DeleteItem", Resource: "*" },
  ],
};
let folder;
let server;
let clients;

const connect = (credentials) => {
  const client = new dynamodb.DynamoDBClient({ ...settings(server.endpoint), credentials });
  clients.push(client);
  return client;
};
const put = (client, TableName = "orders") =>
  client.send(new dynamodb.PutItemCommand({ TableName, Item: { pk: { S: "ä" }, sk: { N: "1" } } }));

before(async () => {
  clients = [];
  folder = await mkdtemp(join(tmpdir(), "stator-"));
  await writeFile(join(folder, "guest.json"), JSON.stringify(guestPolicy));
  const file = join(folder, "credentials");
  await writeFile(file, profile("owner", owner) + profile("guest", guest, "guest.json"), {
    mode: 0o600,
  });
  server = await startServer("--memory", "--credentials", file);
  await makeTable(connect(owner), "orders");
});

after(async () => {
  clients.forEach((client) => client.destroy());
  await server.stop();
  await rm(folder, { recursive: true });
});

test("requests signed with a known key are served", async () => {
  await put(connect(owner));
  await put(connect(guest)); // With a session token.
});

test("other signatures are refused in AWS's words", async () => {
  await refused(
    put(connect({ ...owner, accessKeyId: "AKIDNOBODY" })),
    "UnrecognizedClientException",
    "The security token included in the request is invalid.",
  );
  await refused(
    put(connect({ ...owner, secretAccessKey: "guessed" })),
    "InvalidSignatureException",
    /^The request signature we calculated does not match the signature you provided./,
  );
  await refused(put(connect({ ...guest, sessionToken: "another" })), "UnrecognizedClientException");
  const unsigned = await fetch(server.endpoint, {
    method: "POST",
    headers: {
      "x-amz-target": "DynamoDB_20120810.ListTables",
      "content-type": "application/x-amz-json-1.0",
    },
    body: "{}",
  });
  assert.equal(unsigned.status, 400);
  assert.match((await unsigned.json()).__type, /MissingAuthenticationToken/);
});

test("a request from another hour is refused", async () => {
  const client = new dynamodb.DynamoDBClient({
    ...settings(server.endpoint),
    credentials: owner,
    systemClockOffset: -3_600_000,
  });
  clients.push(client);
  await refused(put(client), "InvalidSignatureException", /Signature expired/);
});

test("a policy decides what a key may do", async () => {
  const client = connect(guest);
  await put(client);
  await refused(
    client.send(
      new dynamodb.DeleteItemCommand({
        TableName: "orders",
        Key: { pk: { S: "ä" }, sk: { N: "1" } },
      }),
    ),
    "AccessDeniedException",
    /dynamodb:DeleteItem on resource: arn:aws:.*:table\/orders with an explicit deny/,
  );
  await refused(
    put(client, "other"),
    "AccessDeniedException",
    /is not authorized to perform: dynamodb:PutItem/,
  );
  for (const operation of ["ListTables", "DescribeLimits", "DescribeEndpoints"]) {
    await refused(
      client.send(new dynamodb[`${operation}Command`]({})),
      "AccessDeniedException",
      new RegExp(operation),
    );
  }
});

test("a signature may be in the query", async () => {
  const signer = new SignatureV4({
    credentials: owner,
    region: "us-east-1",
    service: "dynamodb",
    sha256: Hash.bind(null, "sha256"),
  });
  const { hostname, port, host } = new URL(server.endpoint);
  const body = JSON.stringify({ TableName: "orders" });
  const headers = {
    host,
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": "DynamoDB_20120810.DescribeTable",
  };
  const request = new HttpRequest({
    method: "POST",
    protocol: "http:",
    hostname,
    port: Number(port),
    path: "/",
    headers,
    body,
  });
  const signed = await signer.presign(request, {
    expiresIn: 60,
    unhoistableHeaders: new Set(["x-amz-target"]),
  });
  const send = (text) =>
    fetch(`${server.endpoint}/?${new URLSearchParams(signed.query)}`, {
      method: "POST",
      headers,
      body: text,
    });
  const good = await send(body);
  assert.equal(good.status, 200);
  assert.equal((await good.json()).Table.TableName, "orders");
  assert.equal((await send(body.replace("orders", "others"))).status, 400);
});

test("a table's own policy counts beside those of its users", async () => {
  const ResourceArn = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";
  const scan = (client) => client.send(new dynamodb.ScanCommand({ TableName: "orders" }));
  await refused(scan(connect(guest)), "AccessDeniedException", /no identity-based policy allows/);
  const Policy = JSON.stringify({
    Statement: [
      {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::000000000000:user/guest" },
        Action: "dynamodb:Scan",
        Resource: ResourceArn,
      },
      { Effect: "Deny", Principal: "*", Action: "dynamodb:UpdateTable", Resource: ResourceArn },
    ],
  });
  await connect(owner).send(new dynamodb.PutResourcePolicyCommand({ ResourceArn, Policy }));
  await scan(connect(guest));
  await refused(
    connect(owner).send(
      new dynamodb.UpdateTableCommand({ TableName: "orders", DeletionProtectionEnabled: true }),
    ),
    "AccessDeniedException",
    /^User: arn:aws:iam::000000000000:user\/owner .* explicit deny in a resource-based policy$/,
  );
  await refused(
    connect(guest).send(new dynamodb.DeleteResourcePolicyCommand({ ResourceArn })),
    "AccessDeniedException",
  );
  await connect(owner).send(new dynamodb.DeleteResourcePolicyCommand({ ResourceArn }));
  await refused(scan(connect(guest)), "AccessDeniedException");
});

test("TLS with the development certificate", async () => {
  const certificate = join(folder, "certificate.pem");
  const secure = await startServer(
    ...[
      "--memory",
      "--tls-self-signed",
      "--tls-cert",
      certificate,
      "--tls-key",
      join(folder, "key.pem"),
    ],
  );
  try {
    assert.match(secure.endpoint, /^https:/);
    const connectTls = (ca) =>
      new dynamodb.DynamoDBClient({
        ...settings(secure.endpoint),
        requestHandler: new NodeHttpHandler({ httpsAgent: new Agent({ ca, keepAlive: true }) }),
      });
    const trusting = connectTls(await readFile(certificate));
    clients.push(trusting);
    await makeTable(trusting, "orders");
    await put(trusting);
    const wary = connectTls([]);
    clients.push(wary);
    await assert.rejects(put(wary), /self-signed certificate/);
    trusting.destroy();
  } finally {
    await secure.stop();
  }
});
