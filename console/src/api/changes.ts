// Changes of tables as their streams tell them. A reader begins at the present and follows the shards.

import { ApiError, call } from "./client.ts";
import type { TableInfo } from "./tables.ts";
import type { Item } from "../value/attribute.ts";

export interface Change {
  id: string;
  at: number; // microseconds, of when it was read: streams tell seconds only
  table: string;
  kind: "INSERT" | "MODIFY" | "REMOVE";
  key: Item;
  before: Item | null;
  after: Item | null;
  bytes: number;
  byExpiry: boolean;
}

interface StreamRecord {
  eventName: Change["kind"];
  dynamodb: { Keys: Item; OldImage?: Item; NewImage?: Item; SequenceNumber: string; SizeBytes?: number };
  userIdentity?: { principalId?: string };
}
interface Shard { ShardId: string; ParentShardId?: string }

const PAGES_AT_ONCE = 4;
const REDISCOVER_MS = 10_000;

export class StreamReader {
  private readonly iterators = new Map<string, string | null>(); // by shard; null: read to its end
  private discovered = Number.NEGATIVE_INFINITY;
  private isFirst = true;

  constructor(private readonly table: TableInfo) {}

  // Whether it knows where it reads from: what changes from now on is told.
  get hasBegun(): boolean { return !this.isFirst; }

  async read(): Promise<Change[]> {
    if (performance.now() - this.discovered > REDISCOVER_MS) await this.discover();
    const changes: Change[] = [];
    for (const [shard, iterator] of this.iterators) {
      if (iterator !== null) await this.readShard(shard, iterator, changes);
    }
    return changes;
  }

  private async discover(): Promise<void> {
    this.discovered = performance.now();
    const { value } = await call<{ StreamDescription: { Shards?: Shard[] } }>("DescribeStream", { StreamArn: this.table.streamArn });
    for (const shard of value.StreamDescription.Shards ?? []) {
      if (this.iterators.has(shard.ShardId)) continue;
      const answer = await call<{ ShardIterator: string }>("GetShardIterator", {
        StreamArn: this.table.streamArn, ShardId: shard.ShardId, ShardIteratorType: this.isFirst ? "LATEST" : "TRIM_HORIZON",
      });
      this.iterators.set(shard.ShardId, answer.value.ShardIterator);
    }
    this.isFirst = false;
  }

  private async readShard(shard: string, from: string, changes: Change[]): Promise<void> {
    let iterator: string | undefined = from;
    try {
      for (let page = 0; page < PAGES_AT_ONCE && iterator !== undefined; page += 1) {
        const { value }: { value: { Records: StreamRecord[]; NextShardIterator?: string } } = await call("GetRecords", { ShardIterator: iterator, Limit: 1000 });
        for (const record of value.Records) changes.push(this.changeOf(record));
        iterator = value.NextShardIterator;
        this.iterators.set(shard, iterator ?? null);
        if (value.Records.length < 1000) break;
      }
    } catch (error) {
      // Too old, or trimmed away: on from the present.
      if (!(error instanceof ApiError) || !/Iterator|Trimmed/.test(error.code)) throw error;
      this.iterators.delete(shard);
      this.isFirst = true;
      this.discovered = Number.NEGATIVE_INFINITY;
    }
    if (iterator === undefined) this.discovered = Number.NEGATIVE_INFINITY;
  }

  private changeOf(record: StreamRecord): Change {
    return {
      id: `${this.table.name} ${record.dynamodb.SequenceNumber}`,
      at: Date.now() * 1000,
      table: this.table.name,
      kind: record.eventName,
      key: record.dynamodb.Keys,
      before: record.dynamodb.OldImage ?? null,
      after: record.dynamodb.NewImage ?? null,
      bytes: record.dynamodb.SizeBytes ?? 0,
      byExpiry: record.userIdentity?.principalId === "dynamodb.amazonaws.com",
    };
  }
}
