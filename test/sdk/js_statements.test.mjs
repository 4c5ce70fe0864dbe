// Statements of PartiQL, through the SDK's client and its document client.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand,
  DynamoDBDocumentClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from "@aws-sdk/lib-dynamodb";
import { makeTable, plainClient, refused, sawBothWays, startServer } from "./support.mjs";

let server;
let client;
let documents;

const call = (operation, input) => client.send(new dynamodb[`${operation}Command`](input));
const run = (Statement, ...Parameters) =>
  documents.send(
    new ExecuteStatementCommand({ Statement, ...(Parameters.length ? { Parameters } : {}) }),
  );

before(async () => {
  server = await startServer("--memory");
  client = plainClient(server.endpoint);
  documents = DynamoDBDocumentClient.from(client);
  await makeTable(client, "orders");
});

after(async () => {
  client.destroy();
  await server.stop();
});

test("plain values go in and come back", async () => {
  await run("INSERT INTO orders VALUE {'pk': ?, 'sk': ?, 'm': ?}", "plain", 1, { a: [1, "x"] });
  const { Items } = await run("SELECT m.a, sk FROM orders WHERE pk = ?", "plain");
  assert.deepEqual(Items, [{ a: [1, "x"], sk: 1 }]);
  const changed = await run(
    "UPDATE orders SET n = 1 WHERE pk = 'plain' AND sk = 1 RETURNING ALL NEW *",
  );
  assert.equal(changed.Items[0].n, 1);
});

test("refusals have their names", async () => {
  await run("INSERT INTO orders VALUE {'pk': 'twice', 'sk': 1}");
  await refused(
    run("INSERT INTO orders VALUE {'pk': 'twice', 'sk': 1}"),
    "DuplicateItemException",
    "Duplicate primary key exists in table",
  );
  await refused(
    run("SELECT * FROM orders WHERE"),
    "ValidationException",
    "Statement wasn't well formed, can't be processed: Unexpected term",
  );
  await refused(
    run("UPDATE orders SET n = 1 WHERE pk = 'nobody' AND sk = 1"),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
});

test("a page goes on by its token", async () => {
  for (const sk of [1, 2, 3]) {
    await run("INSERT INTO orders VALUE {'pk': 'pages', 'sk': ?}", sk);
  }
  const Statement = "SELECT sk FROM orders WHERE pk = 'pages'";
  const first = await call("ExecuteStatement", { Statement, Limit: 2 });
  assert.deepEqual(first.Items, [{ sk: { N: "1" } }, { sk: { N: "2" } }]);
  const rest = await call("ExecuteStatement", { Statement, NextToken: first.NextToken });
  assert.deepEqual(rest.Items, [{ sk: { N: "3" } }]);
  assert.equal(rest.NextToken, undefined);
  await refused(
    call("ExecuteStatement", { Statement: "SELECT * FROM orders", NextToken: first.NextToken }),
    "ValidationException",
    "NextToken does not match request",
  );
});

test("a batch answers each statement", async () => {
  await run("INSERT INTO orders VALUE {'pk': 'batch', 'sk': 1, 'n': 5}");
  const { Responses } = await documents.send(
    new BatchExecuteStatementCommand({
      Statements: [
        { Statement: "SELECT n FROM orders WHERE pk = ? AND sk = ?", Parameters: ["batch", 1] },
        { Statement: "SELECT * FROM orders" },
      ],
    }),
  );
  assert.deepEqual(Responses[0].Item, { n: 5 });
  assert.equal(Responses[1].Error.Code, "ValidationError");
  await refused(call("BatchExecuteStatement", { Statements: [] }), "ValidationException");
});

test("a transaction is all or nothing", async () => {
  const send = (...statements) =>
    documents.send(
      new ExecuteTransactionCommand({
        TransactStatements: statements.map((Statement) => ({ Statement })),
      }),
    );
  const canceled = await refused(
    send(
      "INSERT INTO orders VALUE {'pk': 'transaction', 'sk': 1}",
      "UPDATE orders SET n = 1 WHERE pk = 'nobody' AND sk = 1",
    ),
    "TransactionCanceledException",
  );
  assert.deepEqual(
    canceled.CancellationReasons.map(({ Code }) => Code),
    ["None", "ConditionalCheckFailed"],
  );
  await send("INSERT INTO orders VALUE {'pk': 'transaction', 'sk': 2}");
  const { Responses } = await send(
    "SELECT sk FROM orders WHERE pk = 'transaction' AND sk = 1",
    "SELECT sk FROM orders WHERE pk = 'transaction' AND sk = 2",
  );
  assert.deepEqual(Responses, [{}, { Item: { sk: 2 } }]);
});

test("every operation on statements was driven, good and bad", () =>
  sawBothWays(server.endpoint, ["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"]));
