// The keys of a table and its indexes: what can be asked quickly.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api/client.ts";
import { type IndexInfo, type TableInfo, refreshTables } from "../api/tables.ts";
import { complain, say } from "../messages.ts";
import { Dialog, confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { addressOf } from "../router.ts";
import { isReadOnly } from "../state.ts";
import { type IndexSpec, createInput, indexInput } from "../value/definition.ts";
import { count, showBytes } from "../value/show.ts";
import { IndexFields, NEW_INDEX } from "./new_table.tsx";
import { ReadOnlyNote } from "./states.tsx";

function KeyLine({ keys }: { keys: Pick<TableInfo, "pk" | "sk"> }): JSX.Element {
  return (
    <p class="mono key-line">
      <span class="copper">{keys.pk.name}</span> <span class="faint">{keys.pk.type}</span>
      {keys.sk !== null && <> then <span class="copper">{keys.sk.name}</span> <span class="faint">{keys.sk.type}</span></>}
    </p>
  );
}

async function removeIndex(table: TableInfo, index: IndexInfo): Promise<void> {
  const yes = await confirm({
    title: `Delete the index ${index.name}?`,
    body: `${count(index.items, "item")} go from it; the table keeps them. Queries on it fail from then on.`,
    act: "Delete index",
    typed: index.name,
  });
  if (!yes) return;
  try {
    await call("UpdateTable", { TableName: table.name, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: index.name } }] });
    say(`Deleting the index ${index.name}.`);
    await refreshTables();
  } catch (error) {
    complain(error);
  }
}

function IndexBlock({ table, index }: { table: TableInfo; index: IndexInfo }): JSX.Element {
  return (
    <section class="block">
      <h2>
        {index.name} <span class="badge">{index.isLocal ? "local" : "global"}</span>
        {index.status !== "ACTIVE" && <span class="badge warn">{index.status.toLowerCase()}</span>}
      </h2>
      <KeyLine keys={index} />
      <p class="quiet">
        {index.projection === "ALL" ? "Holds all attributes" : index.projection === "KEYS_ONLY" ? "Holds keys" : `Holds keys, ${index.included.join(", ")}`}, {count(index.items, "item")}, {showBytes(index.bytes)}.
      </p>
      <div class="line">
        <a class="button small" href={addressOf(["tables", table.name, "items"], new URLSearchParams({ m: "query", on: index.name }))}>Query it</a>
        {!index.isLocal && <button class="button plain small" type="button" disabled={isReadOnly.value} onClick={() => void removeIndex(table, index)}>Delete</button>}
      </div>
    </section>
  );
}

function NewIndex({ table, onClose }: { table: TableInfo; onClose: () => void }): JSX.Element {
  const [index, setIndex] = useState<IndexSpec>(NEW_INDEX);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const made = { ...index, sk: index.sk?.name === "" ? null : index.sk };
    try {
      const { AttributeDefinitions } = createInput({ ...table, indexes: [...table.indexes, made] });
      await call("UpdateTable", { TableName: table.name, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: indexInput(made) }] });
      await refreshTables();
      say(`Making the index ${made.name}.`);
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog title={`New index of ${table.name}`} onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <IndexFields index={index} mayBeLocal={false} onChange={setIndex} onRemove={null} />
        {fault !== null && <p class="bad" role="alert">{fault}</p>}
        <div class="line end"><button class="button" type="button" onClick={onClose}>Cancel</button><button class="button primary" type="submit">Make index</button></div>
      </form>
    </Dialog>
  );
}

export function Indexes({ table }: { table: TableInfo }): JSX.Element {
  const [makes, setMakes] = useState(false);
  return (
    <div class="scroll padded blocks" tabIndex={0} role="region" aria-label="Keys and indexes">
      <ReadOnlyNote />
      <section class="block">
        <h2>The table</h2>
        <KeyLine keys={table} />
        <p class="quiet">{table.sk === null ? "One item for each partition key." : "Items of one partition key stand together, in the order of the sort key."}</p>
      </section>
      {table.indexes.map((index) => <IndexBlock key={index.name} table={table} index={index} />)}
      <div class="line"><button class="button" type="button" disabled={isReadOnly.value} onClick={() => setMakes(true)}><Icon name="plus" />Index</button></div>
      {makes && <NewIndex table={table} onClose={() => setMakes(false)} />}
    </div>
  );
}
