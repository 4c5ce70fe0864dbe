// What a table does besides keeping items; each a sentence and a switch.

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api/client.ts";
import { type TableInfo, refreshTables } from "../api/tables.ts";
import { complain, copy, say } from "../messages.ts";
import { confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { go } from "../router.ts";
import { isReadOnly } from "../state.ts";
import { count, showBytes } from "../value/show.ts";
import { EmptyTable } from "./items/empty_table.tsx";
import { ReadOnlyNote } from "./states.tsx";
import { Tags } from "./tags.tsx";

const FIVE_YEARS_S = 5 * 365 * 86_400;

async function apply(operation: string, input: object, done: string): Promise<boolean> {
  try {
    await call(operation, input);
    await refreshTables();
    say(done);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

function Setting({ title, children, action }: { title: string; children: ComponentChildren; action: ComponentChildren }): JSX.Element {
  return <section class="block setting"><div><h2>{title}</h2><p class="quiet">{children}</p></div><div class="line">{action}</div></section>;
}

export async function deleteTable(table: TableInfo): Promise<void> {
  const yes = await confirm({
    title: `Delete ${table.name}?`,
    body: <>{count(table.items, "item")} and {count(table.indexes.length, "index", "indexes")} go with it, {showBytes(table.bytes)} in all. {table.recovery ? "Recovery is on." : "There is no way back."}</>,
    act: "Delete table",
    typed: table.name,
  });
  if (yes && (await apply("DeleteTable", { TableName: table.name }, `Deleted ${table.name}.`))) go(["tables"]);
}

function Stream({ table }: { table: TableInfo }): JSX.Element {
  const change = async (view: string) => {
    if (view === "" && !(await confirm({ title: "Turn the stream off?", body: "Readers of it get nothing more. Its records are kept for 24 hours.", act: "Turn off" }))) return;
    await apply("UpdateTable", { TableName: table.name, StreamSpecification: view === "" ? { StreamEnabled: false } : { StreamEnabled: true, StreamViewType: view } }, view === "" ? "The stream is off." : "The stream is on.");
  };
  return (
    <Setting title="Stream of changes" action={
      table.stream === null
        ? <button class="button small" type="button" onClick={() => void change("NEW_AND_OLD_IMAGES")}>Turn on</button>
        : <button class="button small" type="button" onClick={() => void change("")}>Turn off</button>
    }>
      {table.stream === null ? "Off: changes are not recorded, and the view Changes does not show them." : `On: every change is recorded (${table.stream.toLowerCase().replaceAll("_", " ")}).`}
    </Setting>
  );
}

interface Expiring { fits: number; looked: number; isAll: boolean }

// How many of the first items would go at once; what lies five years back stays, DynamoDB says.
async function expiring(table: TableInfo, attribute: string): Promise<Expiring | null> {
  const now = Math.floor(Date.now() / 1000);
  try {
    const { value } = await call<{ Count: number; ScannedCount: number; LastEvaluatedKey?: unknown }>("Scan", {
      TableName: table.name, Select: "COUNT", FilterExpression: "#t BETWEEN :then AND :now",
      ExpressionAttributeNames: { "#t": attribute }, ExpressionAttributeValues: { ":then": { N: String(now - FIVE_YEARS_S) }, ":now": { N: String(now) } },
    });
    return { fits: value.Count, looked: value.ScannedCount, isAll: value.LastEvaluatedKey === undefined };
  } catch {
    return null; // Who may not scan may turn it on nevertheless.
  }
}

function expiringWords(found: Expiring | null): string {
  if (found === null) return "How many those are is not known.";
  const of = found.isAll ? `all ${count(found.looked, "item")}` : `the first ${count(found.looked, "item")}`;
  return `Of ${of}, ${found.fits === 0 ? "none goes" : found.fits === 1 ? "1 goes" : `${found.fits.toLocaleString("en")} go`} at once.`;
}

function Expiry({ table }: { table: TableInfo }): JSX.Element {
  const [name, setName] = useState("expires_at");
  const turn = async (on: boolean) => {
    const attribute = on ? name : table.ttl ?? "";
    const found = on ? await expiring(table, attribute) : null;
    const yes = await confirm(on
      ? { title: "Turn expiry on?", body: <>Items whose <span class="mono">{attribute}</span> is a time in the past go, those that are there already included. {expiringWords(found)}</>, act: "Turn on" }
      : { title: "Turn expiry off?", body: "Items stay, whatever their time.", act: "Turn off" });
    if (yes) await apply("UpdateTimeToLive", { TableName: table.name, TimeToLiveSpecification: { Enabled: on, AttributeName: attribute } }, on ? "Expiry is on." : "Expiry is off.");
  };
  return (
    <Setting title="Expiry" action={table.ttl === null
      ? <><label class="field"><span class="hidden">Attribute with the time</span><input class="mono" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label><button class="button small" type="button" disabled={name === ""} onClick={() => void turn(true)}>Turn on</button></>
      : <button class="button small" type="button" onClick={() => void turn(false)}>Turn off</button>}>
      {table.ttl === null ? "Off: items stay until they are deleted." : <>On: items go when <span class="mono">{table.ttl}</span>, a number of seconds since 1970, has passed.</>}
    </Setting>
  );
}

export function Settings({ table }: { table: TableInfo }): JSX.Element {
  const protect = async () => {
    if (table.isProtected && !(await confirm({ title: "Turn protection off?", body: "The table can be deleted then.", act: "Turn off" }))) return;
    await apply("UpdateTable", { TableName: table.name, DeletionProtectionEnabled: !table.isProtected }, table.isProtected ? "Protection is off." : "The table is protected.");
  };
  const recover = async () => {
    if (table.recovery && !(await confirm({ title: "Turn recovery off?", body: "What could be restored until now cannot any more.", act: "Turn off" }))) return;
    await apply("UpdateContinuousBackups", { TableName: table.name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !table.recovery } }, table.recovery ? "Recovery is off." : "Recovery is on.");
  };
  const [empties, setEmpties] = useState(false);
  return (
    <div class="scroll padded blocks" tabIndex={0} role="region" aria-label="Settings">
      <ReadOnlyNote />
      <Setting title="Name" action={<button class="button small" type="button" onClick={() => void copy(table.arn, "the ARN")}><Icon name="copy" />Copy the ARN</button>}><span class="mono wrap">{table.arn}</span></Setting>
      <fieldset class="plain" disabled={isReadOnly.value}>
      <Stream table={table} />
      <Expiry table={table} />
      <Setting title="Recovery to any second" action={<button class="button small" type="button" onClick={() => void recover()}>{table.recovery ? "Turn off" : "Turn on"}</button>}>{table.recovery ? "On." : "Off."}</Setting>
      <Setting title="Protection" action={<button class="button small" type="button" onClick={() => void protect()}>{table.isProtected ? "Turn off" : "Turn on"}</button>}>{table.isProtected ? "The table cannot be deleted." : "The table can be deleted."}</Setting>
      <Tags table={table} />
      <Setting title="Delete all items" action={<button class="button danger small" type="button" disabled={table.items === 0} onClick={() => setEmpties(true)}>Delete all items</button>}>{table.items === 0 ? "There are none." : `${count(table.items, "item")}; the table stays.`}</Setting>
      <Setting title="Delete" action={<button class="button danger small" type="button" disabled={table.isProtected} onClick={() => void deleteTable(table)}>Delete the table</button>}>{table.isProtected ? "Protected: turn that off first." : "With all items and indexes."}</Setting>
      </fieldset>
      {empties && <EmptyTable table={table} onClose={() => setEmpties(false)} />}
    </div>
  );
}
