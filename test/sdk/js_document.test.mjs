// The document client: plain JavaScript values in and out, with its paginators.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as lib from "@aws-sdk/lib-dynamodb";
import { collect, makeTable, plainClient, refused, startServer } from "./support.mjs";

const TableName = "orders";
let server;
let client;
let documents;

const call = (operation, input) => documents.send(new lib[`${operation}Command`](input));
const read = async (pk, sk) => (await call("Get", { TableName, Key: { pk, sk } })).Item;

before(async () => {
  server = await startServer("--memory");
  client = plainClient(server.endpoint);
  documents = lib.DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  await makeTable(client, TableName);
});

after(async () => {
  documents.destroy();
  client.destroy();
  await server.stop();
});

test("documents come back as they went", async () => {
  const Item = {
    pk: "document",
    sk: 1,
    text: "äöü",
    fraction: 0.1,
    flag: true,
    nothing: null,
    list: [1, "two", { three: [] }],
    bytes: new Uint8Array([1, 2, 3]),
    names: new Set(["a", "b"]),
    left_out: undefined,
  };
  await call("Put", { TableName, Item });
  delete Item.left_out;
  assert.deepEqual(await read("document", 1), Item);
});

test("numbers that JavaScript cannot hold survive as NumberValue", async () => {
  const exact = lib.NumberValue.from("12345678901234567890.123456789");
  await call("Put", { TableName, Item: { pk: "exact", sk: 1, exact } });
  // A client of its own, because document clients write their options into the one they stand on.
  const precise = lib.DynamoDBDocumentClient.from(plainClient(server.endpoint), {
    unmarshallOptions: { wrapNumbers: true },
  });
  const { Item } = await precise.send(
    new lib.GetCommand({ TableName, Key: { pk: "exact", sk: 1 } }),
  );
  precise.destroy();
  assert.equal(Item.exact.value, "12345678901234567890.123456789");
});

test("Update and Delete return what changed", async () => {
  const Key = { pk: "update", sk: 1 };
  const update = (further) => call("Update", { TableName, Key, ...further });
  const { Attributes } = await update({
    UpdateExpression: "SET profile = :p, #n = if_not_exists(#n, :zero) + :one",
    ExpressionAttributeNames: { "#n": "count" },
    ExpressionAttributeValues: { ":p": { name: "x" }, ":zero": 0, ":one": 1 },
    ReturnValues: "ALL_NEW",
  });
  assert.deepEqual(Attributes, { ...Key, profile: { name: "x" }, count: 1 });
  await refused(
    update({
      UpdateExpression: "SET profile = :p",
      ConditionExpression: "profile.#name = :other",
      ExpressionAttributeNames: { "#name": "name" },
      ExpressionAttributeValues: { ":p": {}, ":other": "y" },
    }),
    "ConditionalCheckFailedException",
  );
  await refused(
    update({ UpdateExpression: "SET name = :p", ExpressionAttributeValues: { ":p": 1 } }),
    "ValidationException",
    /Attribute name is a reserved keyword; reserved keyword: name/,
  );
  const taken = await call("Delete", { TableName, Key, ReturnValues: "ALL_OLD" });
  assert.equal(taken.Attributes.count, 1);
  await refused(
    call("Delete", { TableName, Key: { pk: 1, sk: 1 } }),
    "ValidationException",
    "The provided key element does not match the schema",
  );
});

test("batches and pages see every document once", async () => {
  const all = Array.from({ length: 50 }, (_, sk) => ({ pk: "batch", sk, at: "noon" }));
  for (const part of [all.slice(0, 25), all.slice(25)]) {
    await call("BatchWrite", {
      RequestItems: { [TableName]: part.map((Item) => ({ PutRequest: { Item } })) },
    });
  }
  const { Responses } = await call("BatchGet", {
    RequestItems: { [TableName]: { Keys: all.map(({ pk, sk }) => ({ pk, sk })) } },
  });
  assert.equal(Responses[TableName].length, 50);
  const paging = { client: documents, pageSize: 9 };
  const queried = await collect(
    lib.paginateQuery(paging, {
      TableName,
      IndexName: "by_time",
      KeyConditionExpression: "pk = :pk AND begins_with(#at, :no)",
      ExpressionAttributeNames: { "#at": "at" },
      ExpressionAttributeValues: { ":pk": "batch", ":no": "no" },
    }),
    (page) => page.Items,
  );
  assert.deepEqual(queried, all);
  const scanned = await collect(
    lib.paginateScan(paging, {
      TableName,
      FilterExpression: "pk = :pk AND sk >= :twenty",
      ExpressionAttributeValues: { ":pk": "batch", ":twenty": 20 },
    }),
    (page) => page.Items.map((item) => item.sk),
  );
  assert.deepEqual(
    scanned.sort((a, b) => a - b),
    all.slice(20).map((item) => item.sk),
  );
});

test("transactions take and give documents", async () => {
  const Item = { pk: "transaction", sk: 1, nested: { list: [true] } };
  await call("TransactWrite", {
    TransactItems: [
      { Put: { TableName, Item } },
      {
        Update: {
          TableName,
          Key: { pk: "transaction", sk: 2 },
          UpdateExpression: "ADD n :n",
          ExpressionAttributeValues: { ":n": 5 },
        },
      },
    ],
  });
  const Gets = [1, 2, 3].map((sk) => ({ Get: { TableName, Key: { pk: "transaction", sk } } }));
  const { Responses } = await call("TransactGet", { TransactItems: Gets });
  assert.deepEqual(
    Responses.map((response) => response.Item),
    [Item, { pk: "transaction", sk: 2, n: 5 }, undefined],
  );
  const canceled = await refused(
    call("TransactWrite", {
      TransactItems: [
        { Delete: { TableName, Key: { pk: "transaction", sk: 3 } } },
        {
          Put: {
            TableName,
            Item: { pk: "transaction", sk: 1 },
            ConditionExpression: "attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          },
        },
      ],
    }),
    "TransactionCanceledException",
  );
  assert.deepEqual(canceled.CancellationReasons[1].Item.nested, {
    M: { list: { L: [{ BOOL: true }] } },
  });
});
