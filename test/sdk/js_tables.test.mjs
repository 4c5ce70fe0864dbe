// The operations on tables, as the SDK's client sees them: their life, waiters, pages of names,
// time to live, tags, and what describes the account.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import {
  collect,
  makeTable,
  plainClient,
  refused,
  sawBothWays,
  startServer,
  until,
} from "./support.mjs";

const TableName = "orders";
let server;
let client;

const call = (operation, input = {}) => client.send(new dynamodb[`${operation}Command`](input));
const describe = async (name) => (await call("DescribeTable", { TableName: name })).Table;

const simple = (name) => ({
  TableName: name,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
});

before(async () => {
  server = await startServer("--memory");
  client = plainClient(server.endpoint);
  await makeTable(client, TableName);
});

after(async () => {
  client.destroy();
  await server.stop();
});

test("DescribeTable says what CreateTable was told", async () => {
  const table = await describe(TableName);
  assert.equal(table.TableStatus, "ACTIVE");
  assert.equal(table.TableArn, "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
  assert.ok(Math.abs(Date.now() - table.CreationDateTime.getTime()) < 600_000);
  assert.equal(table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.equal(table.GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
  assert.equal(table.LocalSecondaryIndexes[0].Projection.ProjectionType, "KEYS_ONLY");
  assert.ok(table.LatestStreamArn.startsWith(`${table.TableArn}/stream/`));
  await refused(
    describe("nowhere"),
    "ResourceNotFoundException",
    "Requested resource not found: Table: nowhere not found",
  );
});

test("CreateTable refuses what is no table", async () => {
  await refused(
    call("CreateTable", simple(TableName)),
    "ResourceInUseException",
    /Table already exists: orders/,
  );
  await refused(
    call("CreateTable", { ...simple("unknown_key"), AttributeDefinitions: [] }),
    "ValidationException",
    /Some index key attribute have no definition/,
  );
  await refused(
    call("CreateTable", { ...simple("no_billing"), BillingMode: "PROVISIONED" }),
    "ValidationException",
    /ReadCapacityUnits and WriteCapacityUnits must both be specified/,
  );
  const two = await refused(
    call("CreateTable", { ...simple("two_mistakes"), BillingMode: "FREE", TableClass: "CHEAP" }),
    "ValidationException",
    /^2 validation errors detected: /,
  );
  assert.match(two.message, /Value 'FREE' at 'billingMode' failed to satisfy constraint: /);
  assert.match(two.message, /Value 'CHEAP' at 'tableClass' failed to satisfy constraint: /);
});

test("ListTables pages in order", async () => {
  const names = Array.from(
    { length: 12 },
    (_, number) => `page_${String.fromCharCode(97 + number)}`,
  );
  for (const name of names) {
    await call("CreateTable", simple(name));
  }
  const pages = dynamodb.paginateListTables({ client, pageSize: 5 }, {});
  assert.deepEqual(await collect(pages, (page) => page.TableNames), [TableName, ...names]);
  await refused(call("ListTables", { Limit: 0 }), "ValidationException", /'limit'/);
  for (const name of names) {
    await call("DeleteTable", { TableName: name });
  }
});

test("a table lives, is changed, waited for, and goes", async () => {
  await call("CreateTable", simple("short_lived"));
  const wait = { client, minDelay: 1, maxWaitTime: 30 };
  const exists = await dynamodb.waitUntilTableExists(wait, { TableName: "short_lived" });
  assert.equal(exists.state, "SUCCESS");
  await call("UpdateTable", {
    TableName: "short_lived",
    AttributeDefinitions: [{ AttributeName: "kind", AttributeType: "S" }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: "by_kind",
          KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      },
    ],
  });
  const { GlobalSecondaryIndexes } = await until(
    () => describe("short_lived"),
    (table) => table.GlobalSecondaryIndexes[0].IndexStatus === "ACTIVE", // One at a time is changed.
  );
  assert.equal(GlobalSecondaryIndexes[0].IndexName, "by_kind");
  await refused(
    call("UpdateTable", {
      TableName: "short_lived",
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by_nothing" } }],
    }),
    "ResourceNotFoundException",
  );
  await refused(call("UpdateTable", { TableName: "short_lived" }), "ValidationException");
  await call("UpdateTable", { TableName: "short_lived", DeletionProtectionEnabled: true });
  await refused(
    call("DeleteTable", { TableName: "short_lived" }),
    "ValidationException",
    /protect/,
  );
  await call("UpdateTable", { TableName: "short_lived", DeletionProtectionEnabled: false });
  const { TableDescription } = await call("DeleteTable", { TableName: "short_lived" });
  assert.equal(TableDescription.TableStatus, "DELETING");
  const gone = await dynamodb.waitUntilTableNotExists(wait, { TableName: "short_lived" });
  assert.equal(gone.state, "SUCCESS");
  await refused(call("DeleteTable", { TableName: "short_lived" }), "ResourceNotFoundException");
});

test("time to live is switched on once", async () => {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: "expires" };
  const untouched = await call("DescribeTimeToLive", { TableName });
  assert.deepEqual(untouched.TimeToLiveDescription, { TimeToLiveStatus: "DISABLED" });
  const answer = await call("UpdateTimeToLive", { TableName, TimeToLiveSpecification });
  assert.deepEqual(answer.TimeToLiveSpecification, TimeToLiveSpecification);
  const { TimeToLiveDescription } = await call("DescribeTimeToLive", { TableName });
  assert.match(TimeToLiveDescription.TimeToLiveStatus, /^ENABL(ING|ED)$/);
  assert.equal(TimeToLiveDescription.AttributeName, "expires");
  await refused(
    call("UpdateTimeToLive", { TableName, TimeToLiveSpecification }),
    "ValidationException",
    "TimeToLive is already enabled",
  );
  await refused(call("DescribeTimeToLive", { TableName: "nowhere" }), "ResourceNotFoundException");
});

test("tags are set, listed and taken away", async () => {
  const { TableArn: ResourceArn } = await describe(TableName);
  await call("TagResource", {
    ResourceArn,
    Tags: [
      { Key: "team", Value: "a" },
      { Key: "cost", Value: "b" },
    ],
  });
  await call("UntagResource", { ResourceArn, TagKeys: ["cost"] });
  assert.deepEqual((await call("ListTagsOfResource", { ResourceArn })).Tags, [
    { Key: "team", Value: "a" },
  ]);
  const missing = ResourceArn.replace("orders", "nowhere");
  await refused(
    call("TagResource", { ResourceArn: missing, Tags: [{ Key: "a", Value: "b" }] }),
    "ResourceNotFoundException",
  );
  await refused(
    call("UntagResource", { ResourceArn: missing, TagKeys: ["a"] }),
    "ResourceNotFoundException",
  );
  await refused(call("ListTagsOfResource", { ResourceArn: missing }), "ResourceNotFoundException");
});

test("the account describes itself", async () => {
  const limits = await call("DescribeLimits");
  assert.ok(limits.AccountMaxReadCapacityUnits >= limits.TableMaxReadCapacityUnits);
  const { Endpoints } = await call("DescribeEndpoints");
  assert.equal(Endpoints.length, 1);
  assert.equal(Endpoints[0].Address, new URL(server.endpoint).host);
  const { ContinuousBackupsDescription } = await call("DescribeContinuousBackups", { TableName });
  assert.equal(ContinuousBackupsDescription.ContinuousBackupsStatus, "ENABLED");
  assert.deepEqual(ContinuousBackupsDescription.PointInTimeRecoveryDescription, {
    PointInTimeRecoveryStatus: "DISABLED",
  });
  await refused(
    call("DescribeContinuousBackups", { TableName: "nowhere" }),
    "TableNotFoundException",
  );
});

test("recovery is switched on and off", async () => {
  const switched = (PointInTimeRecoveryEnabled, RecoveryPeriodInDays, name = TableName) =>
    call("UpdateContinuousBackups", {
      TableName: name,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled, RecoveryPeriodInDays },
    });
  const { ContinuousBackupsDescription } = await switched(false);
  assert.equal(ContinuousBackupsDescription.ContinuousBackupsStatus, "ENABLED");
  const on = await switched(true);
  const recovery = on.ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(recovery.PointInTimeRecoveryStatus, "ENABLED");
  assert.equal(recovery.RecoveryPeriodInDays, 35);
  assert.ok(recovery.EarliestRestorableDateTime <= recovery.LatestRestorableDateTime);
  const off = await switched(false);
  assert.deepEqual(off.ContinuousBackupsDescription.PointInTimeRecoveryDescription, {
    PointInTimeRecoveryStatus: "DISABLED",
  });
  await refused(switched(false, 36), "ValidationException");
  await refused(switched(false, 7, "nowhere"), "TableNotFoundException");
});

test("backups are made, listed, restored and deleted", async () => {
  await call("CreateTable", simple("kept"));
  await call("PutItem", { TableName: "kept", Item: { id: { S: "a" } } });
  const made = await call("CreateBackup", { TableName: "kept", BackupName: "daily" });
  const { BackupArn, BackupCreationDateTime } = made.BackupDetails;
  assert.equal(made.BackupDetails.BackupStatus, "CREATING");
  await call("PutItem", { TableName: "kept", Item: { id: { S: "b" } } });
  const { BackupDescription } = await call("DescribeBackup", { BackupArn });
  assert.equal(BackupDescription.BackupDetails.BackupStatus, "AVAILABLE");
  assert.deepEqual(BackupDescription.SourceTableFeatureDetails, {});
  assert.deepEqual(
    BackupDescription.BackupDetails.BackupCreationDateTime,
    BackupCreationDateTime,
  );
  const { BackupSummaries } = await call("ListBackups", {
    TableName: "kept",
    TimeRangeLowerBound: BackupCreationDateTime,
  });
  assert.deepEqual(
    BackupSummaries.map((backup) => backup.BackupArn),
    [BackupArn],
  );
  const begun = await call("RestoreTableFromBackup", { TargetTableName: "restored", BackupArn });
  assert.equal(begun.TableDescription.RestoreSummary.SourceBackupArn, BackupArn);
  await dynamodb.waitUntilTableExists(
    { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { TableName: "restored" },
  );
  assert.equal((await call("Scan", { TableName: "restored" })).Count, 1);
  await call("DeleteBackup", { BackupArn });
  const restore = { TargetTableName: "never", BackupArn };
  await refused(call("DescribeBackup", { BackupArn }), "BackupNotFoundException");
  await refused(call("DeleteBackup", { BackupArn }), "BackupNotFoundException");
  await refused(call("RestoreTableFromBackup", restore), "BackupNotFoundException");
  await refused(call("ListBackups", { Limit: 101 }), "ValidationException");
  await refused(
    call("CreateBackup", { TableName: "nowhere", BackupName: "daily" }),
    "TableNotFoundException",
  );
});

test("a table is restored to a moment", async () => {
  const restore = (TargetTableName, further) =>
    call("RestoreTableToPointInTime", { SourceTableName: "kept", TargetTableName, ...further });
  await refused(
    restore("moment", { UseLatestRestorableTime: true }),
    "PointInTimeRecoveryUnavailableException",
  );
  await call("UpdateContinuousBackups", {
    TableName: "kept",
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await restore("moment", { UseLatestRestorableTime: true });
  await dynamodb.waitUntilTableExists(
    { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { TableName: "moment" },
  );
  assert.equal((await call("Scan", { TableName: "moment" })).Count, 2);
  await refused(
    restore("never", { RestoreDateTime: new Date(0) }),
    "InvalidRestoreTimeException",
    /must be within/,
  );
});

test("a policy is attached to a table and to its stream", async () => {
  const table = await describe(TableName);
  const policy = (resource) =>
    JSON.stringify({
      Statement: [
        { Effect: "Deny", Principal: "*", Action: "dynamodb:DeleteTable", Resource: resource },
      ],
    });
  for (const ResourceArn of [table.TableArn, table.LatestStreamArn]) {
    await refused(call("GetResourcePolicy", { ResourceArn }), "PolicyNotFoundException");
    const put = await call("PutResourcePolicy", { ResourceArn, Policy: policy(ResourceArn) });
    const got = await call("GetResourcePolicy", { ResourceArn });
    assert.equal(got.Policy, policy(ResourceArn));
    assert.equal(got.RevisionId, put.RevisionId);
    await refused(
      call("PutResourcePolicy", { ResourceArn, Policy: policy("*"), ExpectedRevisionId: "1" }),
      "PolicyNotFoundException",
    );
    await refused(
      call("PutResourcePolicy", { ResourceArn, Policy: policy(`${ResourceArn}x`) }),
      "ValidationException",
      /has the Resource/,
    );
    const ExpectedRevisionId = put.RevisionId;
    await call("DeleteResourcePolicy", { ResourceArn, ExpectedRevisionId });
    await refused(
      call("DeleteResourcePolicy", { ResourceArn, ExpectedRevisionId }),
      "PolicyNotFoundException",
    );
  }
});

test("the use of keys is counted on request", async () => {
  const state = async (further) =>
    (await call("DescribeContributorInsights", { TableName, ...further }))
      .ContributorInsightsStatus;
  assert.equal(await state(), "DISABLED");
  const IndexName = (await describe(TableName)).GlobalSecondaryIndexes[0].IndexName;
  const switchTo = (ContributorInsightsAction, further) =>
    call("UpdateContributorInsights", { TableName, ContributorInsightsAction, ...further });
  await switchTo("ENABLE", { IndexName, ContributorInsightsMode: "THROTTLED_KEYS" });
  await switchTo("ENABLE");
  assert.equal(await state(), "ENABLED");
  assert.equal(await state({ IndexName }), "ENABLED");
  await refused(switchTo("ENABLE", { IndexName: "nowhere" }), "ResourceNotFoundException");
  await refused(state({ IndexName: "nowhere" }), "ResourceNotFoundException");
  const page = await call("ListContributorInsights", { MaxResults: 1 });
  assert.equal(page.ContributorInsightsSummaries.length, 1);
  const rest = await call("ListContributorInsights", { NextToken: page.NextToken });
  assert.equal(rest.ContributorInsightsSummaries[0].IndexName, IndexName);
  await refused(call("ListContributorInsights", { NextToken: "x" }), "ValidationException");
  await switchTo("DISABLE");
  assert.equal(await state(), "DISABLED");
});

test("a table is exported and imported", async () => {
  const ended = (operation, input, member, status) =>
    until(
      async () => (await call(operation, input))[member],
      (described) => described[status] !== "IN_PROGRESS",
    );
  const TableArn = (await call("DescribeTable", { TableName: "kept" })).Table.TableArn;
  const { ExportDescription } = await call("ExportTableToPointInTime", {
    TableArn,
    S3Bucket: "bucket",
  });
  assert.ok(ExportDescription.ClientToken, "the SDK sends one");
  const { ExportArn } = ExportDescription;
  const done = await ended("DescribeExport", { ExportArn }, "ExportDescription", "ExportStatus");
  assert.equal(done.ExportStatus, "COMPLETED");
  assert.equal(done.ItemCount, 2);
  const { ExportSummaries } = await call("ListExports", { TableArn, MaxResults: 1 });
  assert.deepEqual(ExportSummaries, [
    { ExportArn, ExportStatus: "COMPLETED", ExportType: "FULL_EXPORT" },
  ]);
  const period = (IncrementalExportSpecification) =>
    call("ExportTableToPointInTime", {
      TableArn,
      S3Bucket: "bucket",
      ExportType: "INCREMENTAL_EXPORT",
      IncrementalExportSpecification,
    });
  await refused(period({}), "ValidationException", /ExportFromTime must be provided/);
  await refused(
    period({ ExportFromTime: new Date(0) }),
    "InvalidExportTimeException",
    /cannot be less than the table creation time/,
  );
  await refused(
    period({ ExportFromTime: new Date(), ExportViewType: "NEW_IMAGES" }),
    "ValidationException",
    /incrementalExportSpecification.exportViewType/,
  );
  await refused(
    call("DescribeExport", { ExportArn: ExportArn.slice(0, -8) + "00000000" }),
    "ExportNotFoundException",
  );
  await refused(call("ListExports", { NextToken: "foreign" }), "ValidationException", /nextToken/);
  const load = (further) =>
    call("ImportTable", {
      S3BucketSource: {
        S3Bucket: "bucket",
        S3KeyPrefix: done.ExportManifest.replace("manifest-summary.json", "data/"),
      },
      InputFormat: "DYNAMODB_JSON",
      InputCompressionType: "GZIP",
      TableCreationParameters: {
        TableName: "imported",
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        BillingMode: "PAY_PER_REQUEST",
      },
      ...further,
    });
  await refused(load({ InputFormat: "ION" }), "ValidationException", /ION is not supported/);
  const { ImportArn } = (await load({})).ImportTableDescription;
  const loaded = await ended(
    "DescribeImport",
    { ImportArn },
    "ImportTableDescription",
    "ImportStatus",
  );
  assert.equal(loaded.ImportStatus, "COMPLETED");
  assert.equal(loaded.ImportedItemCount, 2);
  assert.equal((await call("Scan", { TableName: "imported" })).Count, 2);
  const { ImportSummaryList } = await call("ListImports", {});
  assert.deepEqual(
    ImportSummaryList.map((each) => each.ImportArn),
    [ImportArn],
  );
  await refused(
    call("DescribeImport", { ImportArn: ImportArn.slice(0, -8) + "00000000" }),
    "ImportNotFoundException",
  );
  await refused(call("ListImports", { PageSize: 26 }), "ValidationException");
});

test("operations that do not exist here say so", async () => {
  const failure = await refused(
    call("CreateGlobalTable", { GlobalTableName: TableName, ReplicationGroup: [] }),
    "UnknownOperationException",
  );
  assert.equal(failure.$metadata.httpStatusCode, 400);
});

test("every operation on tables was driven, good and bad", () =>
  sawBothWays(server.endpoint, [
    "CreateTable",
    "DescribeTable",
    "ListTables",
    "UpdateTable",
    "DeleteTable",
    "UpdateTimeToLive",
    "DescribeTimeToLive",
    "TagResource",
    "UntagResource",
    "ListTagsOfResource",
    "PutResourcePolicy",
    "GetResourcePolicy",
    "DeleteResourcePolicy",
    "UpdateContributorInsights",
    "DescribeContributorInsights",
    "ListContributorInsights",
    "UpdateContinuousBackups",
    "DescribeContinuousBackups",
    "CreateBackup",
    "DescribeBackup",
    "ListBackups",
    "DeleteBackup",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "ExportTableToPointInTime",
    "DescribeExport",
    "ListExports",
    "ImportTable",
    "DescribeImport",
    "ListImports",
  ]));
