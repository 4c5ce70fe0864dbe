// Changes of tables in a stream of Kinesis, as the SDK's client sees them; Kinesis is kinesalite.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import { startKinesis } from "./kinesalite.mjs";
import { makeTable, plainClient, refused, sawBothWays, startServer, until } from "./support.mjs";

const TableName = "orders";
const StreamName = "changes";
const StreamArn = `arn:aws:kinesis:us-east-1:000000000000:stream/${StreamName}`;
let kinesis;
let server;
let client;

const call = (operation, input) => client.send(new dynamodb[`${operation}Command`](input));

/** A request to Kinesis without its SDK; kinesalite looks at the form of a signature only. */
async function askKinesis(operation, body) {
  const answer = await fetch(kinesis.endpoint, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `Kinesis_20131202.${operation}`,
      "x-amz-date": "20261117T000000Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=a/20261117/us-east-1/kinesis/aws4_request, SignedHeaders=b, Signature=c",
    },
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return text ? JSON.parse(text) : {};
}

const awaitStatus = (status) =>
  until(
    () => call("DescribeKinesisStreamingDestination", { TableName }),
    (described) => described.KinesisDataStreamDestinations[0]?.DestinationStatus === status,
  );

async function records() {
  const ShardId = "shardId-000000000000";
  const { ShardIterator } = await askKinesis("GetShardIterator", {
    StreamName,
    ShardId,
    ShardIteratorType: "TRIM_HORIZON",
  });
  const { Records } = await askKinesis("GetRecords", { ShardIterator });
  return Records.map(({ Data }) => JSON.parse(Buffer.from(Data, "base64").toString()));
}

before(async () => {
  kinesis = await startKinesis();
  await askKinesis("CreateStream", { StreamName, ShardCount: 1 });
  server = await startServer("--memory", "--kinesis-endpoint", kinesis.endpoint);
  client = plainClient(server.endpoint);
  await makeTable(client, TableName);
});

after(async () => {
  client.destroy();
  await server.stop();
  kinesis.server.close();
});

test("changes of a table arrive in the stream", async () => {
  const none = await call("DescribeKinesisStreamingDestination", { TableName });
  assert.deepEqual(none.KinesisDataStreamDestinations, []);
  const enabled = await call("EnableKinesisStreamingDestination", {
    TableName,
    StreamArn,
    EnableKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: "MICROSECOND" },
  });
  assert.equal(enabled.DestinationStatus, "ENABLING");
  await awaitStatus("ACTIVE");
  await call("PutItem", { TableName, Item: { pk: { S: "a" }, sk: { N: "1" } } });
  const UpdateKinesisStreamingConfiguration = {
    ApproximateCreationDateTimePrecision: "MILLISECOND",
  };
  const update = { TableName, StreamArn, UpdateKinesisStreamingConfiguration };
  assert.equal(
    (await call("UpdateKinesisStreamingDestination", update)).DestinationStatus,
    "UPDATING",
  );
  await refused(
    call("UpdateKinesisStreamingDestination", update),
    "ValidationException",
    /already set to the desired value of MILLISECOND/,
  );
  await refused(
    call("EnableKinesisStreamingDestination", { TableName, StreamArn }),
    "ValidationException",
    /must be DISABLED or ENABLE_FAILED/,
  );
  await call("DisableKinesisStreamingDestination", { TableName, StreamArn });
  await awaitStatus("DISABLED");
  await refused(
    call("DisableKinesisStreamingDestination", { TableName, StreamArn }),
    "ValidationException",
    /must be ACTIVE/,
  );
  await refused(
    call("DescribeKinesisStreamingDestination", { TableName: "nowhere" }),
    "ResourceNotFoundException",
  );
  const [record, ...rest] = await records();
  assert.deepEqual(rest, []);
  assert.equal(record.eventName, "INSERT");
  assert.deepEqual(record.dynamodb.NewImage, { pk: { S: "a" }, sk: { N: "1" } });
});

test("every operation was driven both ways", async () => {
  await sawBothWays(server.endpoint, [
    "EnableKinesisStreamingDestination",
    "DisableKinesisStreamingDestination",
    "UpdateKinesisStreamingDestination",
    "DescribeKinesisStreamingDestination",
  ]);
});
