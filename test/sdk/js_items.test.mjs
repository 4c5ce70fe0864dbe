// The operations on items, as the SDK's client sees them: good answers and every kind of refusal.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import { collect, makeTable, plainClient, refused, sawBothWays, startServer } from "./support.mjs";

const TableName = "orders";
const key = (pk, sk) => ({ pk: { S: pk }, sk: { N: String(sk) } });
let server;
let client;

// call("PutItem", {...}) for client.send(new PutItemCommand({...})).
const call = (operation, input) => client.send(new dynamodb[`${operation}Command`](input));
const put = (item, further) => call("PutItem", { TableName, Item: item, ...further });
const read = async (wanted) =>
  (await call("GetItem", { TableName, Key: wanted, ConsistentRead: true })).Item;

before(async () => {
  server = await startServer("--memory");
  client = plainClient(server.endpoint);
  await makeTable(client, TableName);
});

after(async () => {
  client.destroy();
  await server.stop();
});

test("values of every type come back as they went", async () => {
  const item = {
    ...key("types", "1.5"),
    text: { S: 'grüße 🚀 \u0000 "\\' },
    empty: { S: "" },
    exact: { N: "-1234567890123456789012345678.9012345678" },
    bytes: { B: new Uint8Array([0, 255, 128]) },
    flag: { BOOL: false },
    nothing: { NULL: true },
    list: { L: [{ N: "1" }, { L: [] }] },
    map: { M: { deep: { M: { er: { S: "x" } } } } },
    names: { SS: ["b", "a"] },
    numbers: { NS: ["2", "10"] },
    blobs: { BS: [new Uint8Array([1])] },
  };
  await put(item);
  const back = await read(key("types", "1.5"));
  back.names.SS.sort();
  back.numbers.NS.sort();
  item.names.SS.sort();
  item.numbers.NS.sort();
  assert.deepEqual(back, item);
});

test("PutItem replaces, returns what was there, and keeps its condition", async () => {
  const first = { ...key("put", 1), rev: { N: "1" } };
  assert.equal((await put(first)).Attributes, undefined);
  const second = await put(
    { ...key("put", 1), rev: { N: "2" } },
    {
      ReturnValues: "ALL_OLD",
      ReturnConsumedCapacity: "TOTAL",
      ConditionExpression: "rev = :seen",
      ExpressionAttributeValues: { ":seen": { N: "1" } },
    },
  );
  assert.deepEqual(second.Attributes, first);
  assert.equal(second.ConsumedCapacity.CapacityUnits, 1);
  const failure = await refused(
    put(first, {
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
  assert.equal(failure.Item.rev.N, "2");
  assert.equal(failure.$metadata.httpStatusCode, 400);
  assert.ok(failure.$metadata.requestId);
});

test("PutItem refuses what is no item", async () => {
  await refused(put({ pk: { S: "a" } }), "ValidationException", /Missing the key sk in the item/);
  await refused(
    put({ pk: { N: "1" }, sk: { N: "1" } }),
    "ValidationException",
    /Type mismatch for key pk/,
  );
  await refused(put(key("", 1)), "ValidationException", /empty string value. Key: pk/);
  await refused(put(key("a", "1e200")), "ValidationException", /Number overflow/);
  await refused(
    put({ ...key("a", 1), s: { SS: [] } }),
    "ValidationException",
    /empty set|may not be empty/i,
  );
  await refused(
    put({ ...key("a", 1), big: { S: "x".repeat(410_000) } }),
    "ValidationException",
    /Item size has exceeded/,
  );
  await refused(
    call("PutItem", { TableName: "x", Item: key("a", 1) }),
    "ValidationException",
    /at 'tableName' failed to satisfy constraint|TableName must be at least 3/,
  );
  await refused(
    call("PutItem", { TableName: "nowhere", Item: key("a", 1) }),
    "ResourceNotFoundException",
  );
});

test("GetItem projects, and knows what it does not find", async () => {
  await put({ ...key("get", 1), a: { L: [{ N: "1" }, { N: "2" }] }, b: { S: "x" } });
  const { Item } = await call("GetItem", {
    TableName,
    Key: key("get", 1),
    ProjectionExpression: "#a[1], sk",
    ExpressionAttributeNames: { "#a": "a" },
  });
  assert.deepEqual(Item, { sk: { N: "1" }, a: { L: [{ N: "2" }] } });
  assert.equal(await read(key("get", 2)), undefined);
  await refused(
    call("GetItem", { TableName, Key: { pk: { S: "get" } } }),
    "ValidationException",
    "The provided key element does not match the schema",
  );
  await refused(
    call("GetItem", { TableName, Key: key("get", 1), ProjectionExpression: "a,," }),
    "ValidationException",
    /Invalid ProjectionExpression: Syntax error/,
  );
  await refused(
    call("GetItem", { TableName: "nowhere", Key: key("a", 1) }),
    "ResourceNotFoundException",
  );
});

test("UpdateItem counts, edits documents and says what changed", async () => {
  const update = (further) => call("UpdateItem", { TableName, Key: key("update", 1), ...further });
  const one = { ":one": { N: "1" } };
  for (const expected of ["1", "2", "3"]) {
    const { Attributes } = await update({
      UpdateExpression: "ADD visits :one",
      ExpressionAttributeValues: one,
      ReturnValues: "UPDATED_NEW",
    });
    assert.deepEqual(Attributes, { visits: { N: expected } });
  }
  const { Attributes } = await update({
    UpdateExpression: "SET tags = list_append(if_not_exists(tags, :none), :tag) REMOVE visits",
    ExpressionAttributeValues: { ":none": { L: [] }, ":tag": { L: [{ S: "new" }] } },
    ReturnValues: "ALL_NEW",
  });
  assert.deepEqual(Attributes, { ...key("update", 1), tags: { L: [{ S: "new" }] } });
  await refused(
    update({ UpdateExpression: "SET pk = :one", ExpressionAttributeValues: one }),
    "ValidationException",
    /Cannot update attribute pk. This attribute is part of the key/,
  );
  await refused(
    update({ UpdateExpression: "SET a.b.c = :one", ExpressionAttributeValues: one }),
    "ValidationException",
    "The document path provided in the update expression is invalid for update",
  );
  await refused(update({ UpdateExpression: "SET a = :one" }), "ValidationException", /:one/);
  await refused(
    update({
      UpdateExpression: "SET a = :one",
      ConditionExpression: "attribute_not_exists(pk)",
      ExpressionAttributeValues: one,
    }),
    "ConditionalCheckFailedException",
  );
});

test("DeleteItem returns what it took away", async () => {
  const item = { ...key("delete", 1), v: { BOOL: true } };
  await put(item);
  const take = (further) => call("DeleteItem", { TableName, Key: key("delete", 1), ...further });
  await refused(
    take({ ConditionExpression: "attribute_exists(w)" }),
    "ConditionalCheckFailedException",
  );
  assert.deepEqual((await take({ ReturnValues: "ALL_OLD" })).Attributes, item);
  assert.equal((await take({ ReturnValues: "ALL_OLD" })).Attributes, undefined);
  await refused(
    take({ ReturnValues: "ALL_NEW" }),
    "ValidationException",
    /ReturnValues can only be ALL_OLD or NONE/,
  );
});

test("Query and Scan page over the table and its indexes", async () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  for (const sk of numbers) {
    await put({ ...key("page", sk), at: { S: sk % 2 ? "odd" : "even" } });
  }
  const keysOf = (page) => page.Items.map((item) => Number(item.sk.N));
  const query = (further) =>
    collect(dynamodb.paginateQuery({ client, pageSize: 7 }, { TableName, ...further }), keysOf);
  const inPage = {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :low AND :high",
    ExpressionAttributeValues: { ":pk": { S: "page" }, ":low": { N: "5" }, ":high": { N: "30" } },
  };
  assert.deepEqual(await query(inPage), numbers.slice(5, 31));
  assert.deepEqual(
    await query({ ...inPage, ScanIndexForward: false }),
    numbers.slice(5, 31).reverse(),
  );
  const odd = await query({
    IndexName: "all_by_time",
    KeyConditionExpression: "#at = :at",
    FilterExpression: "sk < :ten",
    ExpressionAttributeNames: { "#at": "at" },
    ExpressionAttributeValues: { ":at": { S: "odd" }, ":ten": { N: "10" } },
  });
  assert.deepEqual(
    odd.sort((a, b) => a - b),
    [1, 3, 5, 7, 9],
  );
  const segments = [0, 1, 2].map((Segment) =>
    collect(
      dynamodb.paginateScan({ client, pageSize: 5 }, { TableName, Segment, TotalSegments: 3 }),
      keysOf,
    ),
  );
  const { Count } = await call("Scan", { TableName, Select: "COUNT" });
  assert.equal((await Promise.all(segments)).flat().length, Count);
});

test("Query and Scan refuse what makes no sense", async () => {
  await refused(
    call("Query", { TableName }),
    "ValidationException",
    /KeyConditions|KeyConditionExpression/,
  );
  await refused(
    call("Query", {
      TableName,
      KeyConditionExpression: "sk = :v",
      ExpressionAttributeValues: { ":v": { N: "1" } },
    }),
    "ValidationException",
    /Query condition missed key schema element: pk/,
  );
  await refused(
    call("Query", {
      TableName,
      IndexName: "none",
      KeyConditionExpression: "pk = :v",
      ExpressionAttributeValues: { ":v": { S: "1" } },
    }),
    "ValidationException",
    /The table does not have the specified index: none/,
  );
  await refused(
    call("Scan", { TableName, Segment: 3, TotalSegments: 3 }),
    "ValidationException",
    /Segment/,
  );
  await refused(call("Scan", { TableName, Limit: 0 }), "ValidationException", /limit|Limit/);
  await refused(
    call("Scan", { TableName, FilterExpression: "a =" }),
    "ValidationException",
    /Invalid FilterExpression/,
  );
  await refused(call("Scan", { TableName: "nowhere" }), "ResourceNotFoundException");
});

test("batches write and read, each item once", async () => {
  const keys = Array.from({ length: 25 }, (_, number) => key("batch", number));
  const answer = await call("BatchWriteItem", {
    RequestItems: { [TableName]: keys.map((Item) => ({ PutRequest: { Item } })) },
    ReturnConsumedCapacity: "TOTAL",
  });
  assert.deepEqual(answer.UnprocessedItems, {});
  assert.equal(answer.ConsumedCapacity[0].CapacityUnits, 25);
  const { Responses, UnprocessedKeys } = await call("BatchGetItem", {
    RequestItems: { [TableName]: { Keys: [...keys, key("batch", 99)] } },
  });
  assert.equal(Responses[TableName].length, 25);
  assert.deepEqual(UnprocessedKeys, {});
  const twice = { PutRequest: { Item: key("batch", 1) } };
  await refused(
    call("BatchWriteItem", { RequestItems: { [TableName]: [twice, twice] } }),
    "ValidationException",
    "Provided list of item keys contains duplicates",
  );
  await refused(
    call("BatchWriteItem", { RequestItems: { [TableName]: Array(26).fill(twice) } }),
    "ValidationException",
    /less than or equal to 25/,
  );
  await refused(
    call("BatchGetItem", { RequestItems: { [TableName]: { Keys: [keys[0], keys[0]] } } }),
    "ValidationException",
    "Provided list of item keys contains duplicates",
  );
  await refused(
    call("BatchGetItem", { RequestItems: { nowhere: { Keys: [keys[0]] } } }),
    "ResourceNotFoundException",
  );
});

test("transactions are all or nothing, and tell why", async () => {
  const Put = { TableName, Item: { ...key("transaction", 1), n: { N: "1" } } };
  const ConditionCheck = {
    TableName,
    Key: key("transaction", 2),
    ConditionExpression: "attribute_exists(pk)",
  };
  const canceled = await refused(
    call("TransactWriteItems", { TransactItems: [{ Put }, { ConditionCheck }] }),
    "TransactionCanceledException",
    /^Transaction cancelled, please refer .* reasons \[None, ConditionalCheckFailed\]$/,
  );
  assert.deepEqual(
    canceled.CancellationReasons.map(({ Code }) => Code),
    ["None", "ConditionalCheckFailed"],
  );
  assert.equal(await read(key("transaction", 1)), undefined);

  const request = { TransactItems: [{ Put }], ClientRequestToken: "the-same-token" };
  await call("TransactWriteItems", request);
  await call("DeleteItem", { TableName, Key: key("transaction", 1) });
  await call("TransactWriteItems", request); // Was done already: the item stays deleted.
  assert.equal(await read(key("transaction", 1)), undefined);
  await refused(
    call("TransactWriteItems", {
      ...request,
      TransactItems: [{ Delete: { TableName, Key: key("transaction", 1) } }],
    }),
    "IdempotentParameterMismatchException",
  );

  await put(Put.Item);
  const { Responses } = await call("TransactGetItems", {
    TransactItems: [1, 2].map((sk) => ({ Get: { TableName, Key: key("transaction", sk) } })),
  });
  assert.deepEqual(Responses, [{ Item: Put.Item }, {}]);
  await refused(
    call("TransactGetItems", {
      TransactItems: [{ Get: { TableName: "nowhere", Key: key("a", 1) } }],
    }),
    "ResourceNotFoundException",
  );
});

test("every operation on items was driven, good and bad", () =>
  sawBothWays(server.endpoint, [
    "PutItem",
    "GetItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
    "Scan",
    "BatchWriteItem",
    "BatchGetItem",
    "TransactWriteItems",
    "TransactGetItems",
  ]));
