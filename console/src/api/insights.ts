// Which keys of tables and indexes are used most, where somebody has it counted. DynamoDB's own operations; what was
// counted is in the answer of Stator alone, Amazon shows it in CloudWatch.

import { signal } from "@preact/signals";
import { ApiError, call } from "./client.ts";
import type { Item } from "../value/attribute.ts";

export interface CountedKey {
  Key: Item;
  Count: number; // capacity units; of refusals, how many
  CountErrorMax: number;
}

interface CountedKeys {
  Since: number; // seconds
  AccessedPartitions: CountedKey[];
  AccessedItems: CountedKey[];
  ThrottledPartitions: CountedKey[];
  ThrottledItems: CountedKey[];
}

export interface Counting {
  table: string;
  index: string | null;
  keys: CountedKeys | null; // null: this home does not tell here
}

interface Summary { TableName: string; IndexName?: string; ContributorInsightsStatus: string }

export const countings = signal<readonly Counting[] | null>(null);
export const countingFault = signal<ApiError | null>(null);

const PAGES_MAX = 10; // of a hundred

async function list(): Promise<Summary[]> {
  const found: Summary[] = [];
  let token: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { value }: { value: { ContributorInsightsSummaries?: Summary[]; NextToken?: string } } = await call("ListContributorInsights", { ...(token === undefined ? {} : { NextToken: token }) });
    found.push(...(value.ContributorInsightsSummaries ?? []));
    token = value.NextToken;
    if (token === undefined) break;
  }
  return found.filter((one) => one.ContributorInsightsStatus === "ENABLED" || one.ContributorInsightsStatus === "ENABLING");
}

export async function refreshCountings(): Promise<void> {
  try {
    const next: Counting[] = [];
    for (const { TableName, IndexName } of await list()) {
      const { value } = await call<{ StatorCountedKeys?: CountedKeys }>("DescribeContributorInsights", { TableName, ...(IndexName === undefined ? {} : { IndexName }) });
      next.push({ table: TableName, index: IndexName ?? null, keys: value.StatorCountedKeys ?? null });
    }
    countings.value = next;
    countingFault.value = null;
  } catch (error) {
    countingFault.value = error instanceof ApiError ? error : new ApiError("Error", String(error), -1);
  }
}

export async function setCounting(table: string, index: string | null, isOn: boolean): Promise<void> {
  await call("UpdateContributorInsights", { TableName: table, ...(index === null ? {} : { IndexName: index }), ContributorInsightsAction: isOn ? "ENABLE" : "DISABLE" });
  await refreshCountings();
}
