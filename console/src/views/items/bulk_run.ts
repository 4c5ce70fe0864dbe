// Does to many items what a preview showed; each is conditional on what was read.

import { ApiError } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { type Item, equalItems } from "../../value/attribute.ts";
import { type BulkChange, becomes } from "../../value/bulk.ts";
import { showValue } from "../../value/show.ts";
import { deleteUnchanged, keyNames, updateItem } from "./saving.ts";

const IN_FLIGHT = 25;

export interface BulkResult {
  changed: [Item, Item | null][]; // what it was, and what it is
  left: string[]; // what was not done, and why
}

export function wordsOf(table: TableInfo, item: Item, most: number): string {
  return keyNames(table).map((key) => showValue(item[key], most)).join(" ");
}

// Words say why it was not done; null: there was nothing to do.
async function changeOne(table: TableInfo, was: Item, change: BulkChange): Promise<readonly [Item | null] | string | null> {
  const now = becomes(change, was);
  if (typeof now === "string") return now;
  if (now === null) return (await deleteUnchanged(table, was)) ? [null] : "changed in between";
  if (equalItems(was, now)) return null;
  const saved = await updateItem(table, was, now);
  return saved.kind === "saved" ? [saved.item] : "changed in between";
}

export async function runBulk(table: TableInfo, items: readonly Item[], change: BulkChange, abort: AbortSignal, onStep: (done: number) => void): Promise<BulkResult> {
  const result: BulkResult = { changed: [], left: [] };
  const waiting = items[Symbol.iterator]();
  let isOver = false; // nobody answers, or nobody may
  let done = 0;
  const one = async (was: Item) => {
    try {
      const outcome = isOver || abort.aborted ? "not tried" : await changeOne(table, was, change);
      if (typeof outcome === "string") result.left.push(`${wordsOf(table, was, 60)}: ${outcome}`);
      else if (outcome !== null) result.changed.push([was, outcome[0]]);
    } catch (error) {
      result.left.push(`${wordsOf(table, was, 60)}: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof ApiError && (error.isAway || error.status === 403)) isOver = true;
    }
    done += 1;
    onStep(done);
  };
  const work = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await one(next.value);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return result;
}
