// The keys that are used most, of tables and indexes whose keys are counted; each leads to its items.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type CountedKey, type Counting, countingFault, countings, refreshCountings, setCounting } from "../api/insights.ts";
import { type TableInfo, tableNamed, tables } from "../api/tables.ts";
import { complain, say } from "../messages.ts";
import { confirm } from "../parts/dialog.tsx";
import { usePoll } from "../parts/poll.ts";
import { addressOf } from "../router.ts";
import { home } from "../state.ts";
import { toFragment } from "../value/address.ts";
import { type Item, attributeOf } from "../value/attribute.ts";
import type { Condition } from "../value/query.ts";
import { clockTime, showUnits, showValue } from "../value/show.ts";
import { emptyQuestion, keysOf } from "./items/query_form.tsx";

const SHOWN = 10;

function nameOf(table: string, index: string | null): string {
  return index === null ? table : `${table}, ${index}`;
}

// The query that finds the items of a key, or of its partition.
function addressOfKey(table: TableInfo, index: string | null, key: Item): string {
  const keys = keysOf(table, index);
  const condition = (name: string): Condition | null => {
    const value = attributeOf(key, name);
    const [type = "S", text = ""] = Object.entries(value ?? {})[0] ?? [];
    return value === undefined ? null : { path: name, op: "eq", type: type as "S", values: [String(text)] };
  };
  return addressOf(["tables", table.name, "items"], toFragment({ ...emptyQuestion(table, "query", index), pk: condition(keys.pk.name), sk: keys.sk === null ? null : condition(keys.sk.name) }));
}

function KeyList({ title, unit, counting, keys }: { title: string; unit: string; counting: Counting; keys: readonly CountedKey[] }): JSX.Element | null {
  const table = tableNamed(counting.table);
  const all = keys.reduce((sum, key) => sum + key.Count, 0);
  const most = keys[0]?.Count ?? 1;
  if (keys.length === 0) return null;
  return (
    <div class="used">
      <h4>{title}</h4>
      <table aria-label={`${title} of ${nameOf(counting.table, counting.index)}`}>
        <colgroup><col /><col class="w-units" /><col class="w-share" /></colgroup>
        <thead class="hidden"><tr><th>Key</th><th>{unit}</th><th>Share</th></tr></thead>
        <tbody>
          {keys.slice(0, SHOWN).map(({ Key, Count, CountErrorMax }) => {
            const words = Object.values(Key).map((value) => showValue(value, 60)).join(" ");
            return (
              <tr key={JSON.stringify(Key)}>
                <td class="mono clip">{table === undefined ? words : <a href={addressOfKey(table, counting.index, Key)}>{words}</a>}</td>
                <td class="num" title={CountErrorMax > 0 ? `at most ${showUnits(CountErrorMax)} too many` : undefined}>{CountErrorMax > 0 && "≤ "}{showUnits(Count)}</td>
                <td><meter class="meter slim" min={0} max={most} value={Count} aria-label={`${Math.round((100 * Count) / all)} % of those counted`} /></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

async function turn(table: string, index: string | null, isOn: boolean): Promise<void> {
  if (!isOn && !(await confirm({ title: "Count no more?", body: `What was counted of ${nameOf(table, index)} is forgotten.`, act: "Stop counting" }))) return;
  try {
    await setCounting(table, index, isOn);
    say(isOn ? `The keys of ${nameOf(table, index)} are counted from now on.` : `The keys of ${nameOf(table, index)} are not counted any more.`);
  } catch (error) {
    complain(error);
  }
}

function One({ counting }: { counting: Counting }): JSX.Element {
  const { keys } = counting;
  const isEmpty = keys !== null && [keys.AccessedPartitions, keys.AccessedItems, keys.ThrottledPartitions, keys.ThrottledItems].every((list) => list.length === 0);
  return (
    <section class="counting">
      <h3>
        {nameOf(counting.table, counting.index)}
        {keys !== null && <span class="faint">capacity units since {clockTime(keys.Since * 1e6)}</span>}
        <button class="button plain small" type="button" aria-label={`Stop counting ${nameOf(counting.table, counting.index)}`} onClick={() => void turn(counting.table, counting.index, false)}>Stop counting</button>
      </h3>
      {keys === null && <p class="quiet">It is counted, and shown by CloudWatch.</p>}
      {isEmpty && <p class="quiet">Nothing was asked since.</p>}
      {keys !== null && (
        <div class="used-lists">
          <KeyList title="Partitions" unit="Units" counting={counting} keys={keys.AccessedPartitions} />
          <KeyList title="Items" unit="Units" counting={counting} keys={keys.AccessedItems} />
          <KeyList title="Throttled partitions" unit="Times" counting={counting} keys={keys.ThrottledPartitions} />
          <KeyList title="Throttled items" unit="Times" counting={counting} keys={keys.ThrottledItems} />
        </div>
      )}
    </section>
  );
}

// Tables and global indexes that are not counted yet.
function Begin({ counted }: { counted: readonly Counting[] }): JSX.Element | null {
  const [chosen, setChosen] = useState("");
  const all = (tables.value ?? []).flatMap((table) => [{ table: table.name, index: null as string | null }, ...table.indexes.filter((index) => !index.isLocal).map((index) => ({ table: table.name, index: index.name }))]);
  const left = all.filter((one) => !counted.some((other) => other.table === one.table && other.index === one.index));
  const picked = left.find((one) => nameOf(one.table, one.index) === chosen) ?? left[0];
  if (picked === undefined) return null;
  return (
    <div class="line">
      <select class="field" aria-label="Table or index to count" value={nameOf(picked.table, picked.index)} onChange={(event) => setChosen(event.currentTarget.value)}>{left.map((one) => <option key={nameOf(one.table, one.index)} value={nameOf(one.table, one.index)}>{nameOf(one.table, one.index)}</option>)}</select>
      <button class="button small" type="button" onClick={() => void turn(picked.table, picked.index, true)}>Count its keys</button>
    </div>
  );
}

export function UsedKeys(): JSX.Element {
  const isRemote = home.value?.kind === "remote";
  usePoll(isRemote ? 60_000 : 3_000, true, refreshCountings);
  const list = countings.value;
  const fault = countingFault.value;
  return (
    <section class="block used-keys">
      <h2>Most used keys</h2>
      {fault !== null && list === null
        ? <p class="quiet">This is not told here: {fault.message}</p>
        : (
          <>
            {list?.length === 0 && <p class="quiet">No keys are counted. Counting is in memory, and begins when it is switched on{isRemote ? "; Amazon bills for it" : ""}.</p>}
            {list?.map((counting) => <One key={nameOf(counting.table, counting.index)} counting={counting} />)}
            {list !== null && <Begin counted={list} />}
          </>
        )}
    </section>
  );
}
