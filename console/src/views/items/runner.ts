// Runs a query, a scan or a statement page by page into one list. Stops at a bound and goes on when asked to, so
// nothing runs away and no end is silent.

import { signal } from "@preact/signals";
import { ApiError, call } from "../../api/client.ts";
import type { Item } from "../../value/attribute.ts";
import type { Request } from "../../value/query.ts";

export interface Outcome {
  operation: Request["operation"];
  running: boolean;
  done: boolean; // nothing is left
  scanned: number | null; // a statement does not tell
  units: number;
  ms: number;
  pages: number;
  fault: ApiError | null;
}

interface Answer {
  Items?: Item[]; // a statement that changes something may have none
  ScannedCount?: number;
  LastEvaluatedKey?: Item;
  NextToken?: string;
  ConsumedCapacity?: { CapacityUnits: number };
}

interface Start { ExclusiveStartKey?: Item; NextToken?: string }
interface Found { rows: Item[]; outcome: Outcome; next: Start | undefined; step: number }

const BOUNDS = [5_000, 20_000, Number.POSITIVE_INFINITY]; // of rows; then who asks decides again
const READ_MAX = 50_000; // items read for one bound, so that a filter that fits nothing ends
const PAGES_MAX = 200; // of a statement for the first bound, for the same reason

export class Runner {
  readonly rows: Item[] = []; // grows; `version` tells
  readonly version = signal(0);
  readonly outcome = signal<Outcome | null>(null);
  private next: Start | undefined;
  private step = 0;
  private abort: AbortController | null = null;
  private request: Request | null = null;
  private asOf: string | null = null;
  private former: Found | null = null; // what the same question found

  // `limit` bounds a first look; `asOf` is the moment of all pages. What the same question found before stays when
  // the server is away.
  start(request: Request, limit: number | null, asOf: string | null = null): Promise<void> {
    const was = this.outcome.value;
    const isSame = JSON.stringify([request, asOf]) === JSON.stringify([this.request, this.asOf]);
    const former = isSame && was !== null && was.pages > 0 ? { rows: [...this.rows], outcome: was, next: this.next, step: this.step } : null;
    this.clear();
    this.former = former;
    this.request = request;
    this.asOf = asOf;
    this.outcome.value = { operation: request.operation, running: true, done: false, scanned: request.operation === "ExecuteStatement" ? null : 0, units: 0, ms: 0, pages: 0, fault: null };
    return this.read(limit);
  }

  clear(): void {
    this.stop();
    this.rows.length = 0;
    this.version.value += 1;
    this.next = undefined;
    this.step = 0;
    this.request = null;
    this.former = null;
    this.outcome.value = null;
  }

  // To the end, however many there are; stops when asked to. Whether it came there.
  async readAll(): Promise<boolean> {
    if (this.outcome.value?.running === true) return false;
    if (this.outcome.value?.done === false) {
      this.step = BOUNDS.length - 1;
      await this.goOn();
    }
    return this.outcome.value?.done === true;
  }

  goOn(): Promise<void> {
    if (this.outcome.value === null || this.outcome.value.running) return Promise.resolve();
    if (this.outcome.value.done) return this.request === null || this.outcome.value.fault === null ? Promise.resolve() : this.start(this.request, null, this.asOf);
    this.outcome.value = { ...this.outcome.value, running: true, fault: null };
    return this.read(null);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    if (this.outcome.value?.running === true) this.outcome.value = { ...this.outcome.value, running: false };
  }

  touch(): void {
    this.version.value += 1;
  }

  private async read(limit: number | null): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    const bound = this.rows.length + (BOUNDS[Math.min(this.step, BOUNDS.length - 1)] ?? 0);
    const pageBound = this.request?.operation === "ExecuteStatement" && this.step === 0 ? PAGES_MAX : Number.POSITIVE_INFINITY;
    const readBound = (this.outcome.value?.scanned ?? 0) + READ_MAX * (this.step === 0 ? 1 : Number.POSITIVE_INFINITY);
    this.step += limit === null ? 1 : 0;
    try {
      for (;;) {
        await this.page(abort, limit);
        const now = this.outcome.value;
        if (abort.signal.aborted || now === null) return;
        if (this.next === undefined || limit !== null || this.rows.length >= bound || (now.scanned ?? 0) >= readBound || now.pages >= pageBound) break;
      }
      this.finish(abort, null);
    } catch (error) {
      this.finish(abort, error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
  }

  private async page(abort: AbortController, limit: number | null): Promise<void> {
    const was = this.outcome.value;
    if (was === null || this.request === null) return;
    const { value, ms } = await call<Answer>(was.operation, {
      ...this.request.input,
      ...this.next,
      ...(limit === null ? {} : { Limit: limit }),
      ReturnConsumedCapacity: "TOTAL",
    }, abort.signal, this.asOf);
    if (abort.signal.aborted) return;
    for (const item of value.Items ?? []) this.rows.push(item);
    this.next = value.LastEvaluatedKey !== undefined ? { ExclusiveStartKey: value.LastEvaluatedKey } : value.NextToken !== undefined ? { NextToken: value.NextToken } : undefined;
    this.outcome.value = {
      ...was,
      scanned: was.scanned === null ? null : was.scanned + (value.ScannedCount ?? 0),
      units: was.units + (value.ConsumedCapacity?.CapacityUnits ?? 0),
      ms: was.ms + ms,
      pages: was.pages + 1,
    };
    this.version.value += 1;
  }

  private finish(abort: AbortController, fault: ApiError | null): void {
    if (abort.signal.aborted || this.outcome.value === null) return;
    if (fault?.isAway === true && this.outcome.value.pages === 0 && this.former !== null) {
      for (const item of this.former.rows) this.rows.push(item);
      this.next = this.former.next;
      this.step = this.former.step;
      this.outcome.value = { ...this.former.outcome, running: false, fault };
      this.version.value += 1;
      return;
    }
    this.outcome.value = { ...this.outcome.value, running: false, done: fault === null && this.next === undefined, fault };
  }
}
