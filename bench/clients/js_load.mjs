// What client_load.cc does, with the AWS SDK for JavaScript: js_load.mjs URL OPERATION SECONDS.

import { createRequire } from "node:module";

const require = createRequire(new URL("../../test/sdk/package.json", import.meta.url));
const { DynamoDB } = require("@aws-sdk/client-dynamodb");

const [url, operation, seconds] = process.argv.slice(2);
const client = new DynamoDB({
  endpoint: url,
  region: "us-east-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
const data = "x".repeat(1000);
const calls = {
  GetItem: () => client.getItem({ TableName: "bench", Key: { pk: { S: "read" } } }),
  PutItem: () =>
    client.putItem({ TableName: "bench", Item: { pk: { S: "written" }, data: { S: data } } }),
  UpdateItem: () =>
    client.updateItem({
      TableName: "bench",
      Key: { pk: { S: "counted" } },
      UpdateExpression: "ADD #n :one",
      ExpressionAttributeNames: { "#n": "n" },
      ExpressionAttributeValues: { ":one": { N: "1" } },
    }),
};

const call = calls[operation];
await call();
const cpu = process.cpuUsage();
const start = performance.now();
let count = 0;
while (performance.now() - start < Number(seconds) * 1000) {
  await call();
  count += 1;
}
const elapsed = (performance.now() - start) / 1000;
const used = process.cpuUsage(cpu);
console.log(
  JSON.stringify({ calls: count, seconds: elapsed, cpu_seconds: (used.user + used.system) / 1e6 }),
);
client.destroy();
