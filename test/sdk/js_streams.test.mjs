// Streams as the SDK's streams client sees them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import * as streams from "@aws-sdk/client-dynamodb-streams";
import { makeTable, plainClient, refused, sawBothWays, settings, startServer } from "./support.mjs";

const TableName = "orders";
const Key = { pk: { S: "a" }, sk: { N: "1" } };
let server;
let client;
let reader;
let StreamArn;

const call = (operation, input) => reader.send(new streams[`${operation}Command`](input));

before(async () => {
  server = await startServer("--memory");
  client = plainClient(server.endpoint);
  reader = new streams.DynamoDBStreamsClient(settings(server.endpoint));
  await makeTable(client, TableName);
  await client.send(new dynamodb.PutItemCommand({ TableName, Item: { ...Key, n: { N: "1" } } }));
  await client.send(
    new dynamodb.UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: "SET n = n + :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    }),
  );
  await client.send(new dynamodb.DeleteItemCommand({ TableName, Key }));
});

after(async () => {
  client.destroy();
  reader.destroy();
  await server.stop();
});

test("ListStreams finds the stream of a table", async () => {
  const { Streams } = await call("ListStreams", { TableName });
  assert.equal(Streams.length, 1);
  assert.equal(Streams[0].TableName, TableName);
  StreamArn = Streams[0].StreamArn;
  await refused(call("ListStreams", { Limit: 0 }), "ValidationException", /'limit'/);
});

test("DescribeStream describes it", async () => {
  const { StreamDescription } = await call("DescribeStream", { StreamArn });
  assert.equal(StreamDescription.StreamStatus, "ENABLED");
  assert.equal(StreamDescription.StreamViewType, "NEW_AND_OLD_IMAGES");
  assert.equal(StreamDescription.Shards.length, 1);
  const missing = StreamArn.replace("orders", "nowhere");
  await refused(
    call("DescribeStream", { StreamArn: missing }),
    "ResourceNotFoundException",
    /Stream: .* not found/,
  );
});

test("GetRecords tells every change in order, from wherever one asks", async () => {
  const { StreamDescription } = await call("DescribeStream", { StreamArn });
  const { ShardId } = StreamDescription.Shards[0];
  const iterate = async (further) =>
    (await call("GetShardIterator", { StreamArn, ShardId, ...further })).ShardIterator;
  const ShardIterator = await iterate({ ShardIteratorType: "TRIM_HORIZON" });
  const { Records, NextShardIterator } = await call("GetRecords", { ShardIterator });
  assert.deepEqual(
    Records.map((record) => record.eventName),
    ["INSERT", "MODIFY", "REMOVE"],
  );
  const [inserted, modified, removed] = Records.map((record) => record.dynamodb);
  assert.deepEqual(inserted.Keys, Key);
  assert.equal(inserted.OldImage, undefined);
  assert.deepEqual(modified.OldImage.n, { N: "1" });
  assert.deepEqual(modified.NewImage.n, { N: "2" });
  assert.equal(removed.NewImage, undefined);
  assert.ok(inserted.ApproximateCreationDateTime instanceof Date);
  assert.equal(inserted.StreamViewType, "NEW_AND_OLD_IMAGES");

  assert.deepEqual((await call("GetRecords", { ShardIterator: NextShardIterator })).Records, []);
  const behind = await iterate({
    ShardIteratorType: "AFTER_SEQUENCE_NUMBER",
    SequenceNumber: modified.SequenceNumber,
  });
  const rest = await call("GetRecords", { ShardIterator: behind });
  assert.deepEqual(
    rest.Records.map((record) => record.eventName),
    ["REMOVE"],
  );
  const latest = await iterate({ ShardIteratorType: "LATEST" });
  assert.deepEqual((await call("GetRecords", { ShardIterator: latest })).Records, []);

  await refused(
    iterate({ ShardIteratorType: "AT_SEQUENCE_NUMBER" }),
    "ValidationException",
    /SequenceNumber/,
  );
  await refused(iterate({ ShardIteratorType: "YESTERDAY" }), "ValidationException", /'YESTERDAY'/);
  await refused(
    call("GetRecords", { ShardIterator: "nonsense" }),
    "ValidationException",
    /ShardIterator/i,
  );
  await refused(call("GetRecords", { ShardIterator, Limit: 1001 }), "ValidationException", /1000/);
});

test("a consumer is told where a shard ends, and where another stream begins", async () => {
  const stream = (StreamSpecification) =>
    client.send(new dynamodb.UpdateTableCommand({ TableName: "switched", StreamSpecification }));
  await makeTable(client, "switched");
  await client.send(new dynamodb.PutItemCommand({ TableName: "switched", Item: Key }));
  await stream({ StreamEnabled: false });
  await stream({ StreamEnabled: true, StreamViewType: "KEYS_ONLY" });
  await client.send(new dynamodb.DeleteItemCommand({ TableName: "switched", Key }));
  const { Streams } = await call("ListStreams", { TableName: "switched" });
  const told = [];
  for (const { StreamArn: arn } of Streams) {
    const { StreamDescription } = await call("DescribeStream", { StreamArn: arn });
    const [{ ShardId, SequenceNumberRange }] = StreamDescription.Shards;
    const { ShardIterator } = await call("GetShardIterator", {
      StreamArn: arn,
      ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    });
    const { Records, NextShardIterator } = await call("GetRecords", { ShardIterator });
    const hasEnded = SequenceNumberRange.EndingSequenceNumber !== undefined;
    assert.equal(NextShardIterator === undefined, hasEnded);
    told.push([StreamDescription.StreamStatus, hasEnded, ...Records.map((one) => one.eventName)]);
    const children = { Type: "CHILD_SHARDS", ShardId };
    const { StreamDescription: below } = await call("DescribeStream", {
      StreamArn: arn,
      ShardFilter: children,
    });
    assert.deepEqual(below.Shards, []);
  }
  assert.deepEqual(told.sort(), [
    ["DISABLED", true, "INSERT"],
    ["ENABLED", false, "REMOVE"],
  ]);
});

test("every operation on streams was driven, good and bad", () =>
  sawBothWays(server.endpoint, [
    "ListStreams",
    "DescribeStream",
    "GetShardIterator",
    "GetRecords",
  ]));
