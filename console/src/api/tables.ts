// Tables as the console needs them, from DynamoDB's own answers.

import { signal } from "@preact/signals";
import { ApiError, call } from "./client.ts";

export type KeyType = "S" | "N" | "B";
export interface KeyPart {
  name: string;
  type: KeyType;
}

export interface IndexInfo {
  name: string;
  isLocal: boolean;
  pk: KeyPart;
  sk: KeyPart | null;
  projection: string; // ALL, KEYS_ONLY, INCLUDE
  included: string[];
  items: number;
  bytes: number;
  status: string;
}

export interface TableInfo {
  name: string;
  arn: string;
  status: string;
  pk: KeyPart;
  sk: KeyPart | null;
  items: number;
  bytes: number;
  indexes: IndexInfo[];
  stream: string | null; // its view type
  streamArn: string | null;
  isProtected: boolean;
  billing: string;
  created: number;
  ttl: string | null;
  recovery: boolean;
}

interface KeySchema { AttributeName: string; KeyType: "HASH" | "RANGE" }
interface IndexDescription {
  IndexName: string;
  KeySchema: KeySchema[];
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
  ItemCount?: number;
  IndexSizeBytes?: number;
  IndexStatus?: string;
}
export interface TableDescription {
  TableName: string;
  TableArn: string;
  TableStatus: string;
  KeySchema: KeySchema[];
  AttributeDefinitions: { AttributeName: string; AttributeType: KeyType }[];
  ItemCount?: number;
  TableSizeBytes?: number;
  GlobalSecondaryIndexes?: IndexDescription[];
  LocalSecondaryIndexes?: IndexDescription[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  LatestStreamArn?: string;
  DeletionProtectionEnabled?: boolean;
  BillingModeSummary?: { BillingMode: string };
  CreationDateTime?: number;
}

function keysOf(schema: KeySchema[], types: Map<string, KeyType>): { pk: KeyPart; sk: KeyPart | null } {
  const part = (role: "HASH" | "RANGE"): KeyPart | null => {
    const name = schema.find((key) => key.KeyType === role)?.AttributeName;
    return name === undefined ? null : { name, type: types.get(name) ?? "S" };
  };
  return { pk: part("HASH") ?? { name: "", type: "S" }, sk: part("RANGE") };
}

export function infoOf(table: TableDescription): TableInfo {
  const types = new Map(table.AttributeDefinitions.map((attribute) => [attribute.AttributeName, attribute.AttributeType]));
  const index = (isLocal: boolean) => (description: IndexDescription): IndexInfo => ({
    name: description.IndexName,
    isLocal,
    ...keysOf(description.KeySchema, types),
    projection: description.Projection.ProjectionType,
    included: description.Projection.NonKeyAttributes ?? [],
    items: description.ItemCount ?? 0,
    bytes: description.IndexSizeBytes ?? 0,
    status: description.IndexStatus ?? "ACTIVE",
  });
  const streams = table.StreamSpecification?.StreamEnabled === true;
  return {
    name: table.TableName,
    arn: table.TableArn,
    status: table.TableStatus,
    ...keysOf(table.KeySchema, types),
    items: table.ItemCount ?? 0,
    bytes: table.TableSizeBytes ?? 0,
    indexes: [...(table.GlobalSecondaryIndexes ?? []).map(index(false)), ...(table.LocalSecondaryIndexes ?? []).map(index(true))],
    stream: streams ? (table.StreamSpecification?.StreamViewType ?? null) : null,
    streamArn: streams ? (table.LatestStreamArn ?? null) : null,
    isProtected: table.DeletionProtectionEnabled ?? false,
    billing: table.BillingModeSummary?.BillingMode ?? "PROVISIONED",
    created: table.CreationDateTime ?? 0,
    ttl: null,
    recovery: false,
  };
}

export const tables = signal<TableInfo[] | null>(null);
export const tablesFault = signal<ApiError | null>(null);

const AT_ONCE = 8;

// What a home does not have, or a policy does not allow, is as if it was off.
async function orNull<T>(operation: string, input: unknown): Promise<T | null> {
  try {
    return (await call<T>(operation, input)).value;
  } catch (error) {
    if (error instanceof ApiError && !error.isAway) return null;
    throw error;
  }
}

export async function describe(name: string): Promise<TableInfo> {
  const [table, ttl, backups] = await Promise.all([
    call<{ Table: TableDescription }>("DescribeTable", { TableName: name }),
    orNull<{ TimeToLiveDescription?: { TimeToLiveStatus: string; AttributeName?: string } }>("DescribeTimeToLive", { TableName: name }),
    orNull<{ ContinuousBackupsDescription?: { PointInTimeRecoveryDescription?: { PointInTimeRecoveryStatus: string } } }>(
      "DescribeContinuousBackups", { TableName: name }),
  ]);
  const expiry = ttl?.TimeToLiveDescription;
  const enabled = expiry?.TimeToLiveStatus === "ENABLED" || expiry?.TimeToLiveStatus === "ENABLING";
  return {
    ...infoOf(table.value.Table),
    ttl: enabled ? (expiry?.AttributeName ?? null) : null,
    recovery: backups?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === "ENABLED",
  };
}

async function listNames(): Promise<string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const { value }: { value: { TableNames: string[]; LastEvaluatedTableName?: string } } = await call("ListTables", {
      ...(start === undefined ? {} : { ExclusiveStartTableName: start }),
    });
    names.push(...value.TableNames);
    start = value.LastEvaluatedTableName;
  } while (start !== undefined);
  return names;
}

let running: Promise<void> | null = null;

async function read(): Promise<void> {
  try {
    const names = await listNames();
    const found = new Map<string, TableInfo>();
    const queue = [...names];
    const work = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        try {
          found.set(name, await describe(name));
        } catch (error) {
          // Gone in the meantime, or not ours to see.
          if (!(error instanceof ApiError) || error.isAway) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    tables.value = names.flatMap((name) => found.get(name) ?? []);
    tablesFault.value = null;
  } catch (error) {
    tablesFault.value = error instanceof ApiError ? error : new ApiError("Error", String(error), -1);
  }
}

// Reads all tables again; calls that come while it does wait for the same answer.
export function refreshTables(): Promise<void> {
  running ??= read().finally(() => { running = null; });
  return running;
}

export function tableNamed(name: string): TableInfo | undefined {
  return tables.value?.find((table) => table.name === name);
}
