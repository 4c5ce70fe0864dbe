// One table: its items, keys and indexes, settings, definition, changes.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TableInfo, tableNamed, tables } from "../api/tables.ts";
import { Code } from "../parts/code.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { pin, pins } from "../pins.ts";
import { pathOf, place } from "../router.ts";
import { FORMATS, type Format, definitionOf } from "../value/definition.ts";
import { count } from "../value/show.ts";
import { ChangesView } from "./changes.tsx";
import { Indexes } from "./indexes.tsx";
import { ItemsView } from "./items/items.tsx";
import { Settings } from "./settings.tsx";
import { Loading } from "./states.tsx";
import { TablesView } from "./tables.tsx";

const PAGES = [["items", "Items"], ["indexes", "Keys and indexes"], ["settings", "Settings"], ["definition", "Definition"], ["changes", "Changes"]] as const;

function Definition({ table }: { table: TableInfo }): JSX.Element {
  const [format, setFormat] = useState<Format>("AWS CLI");
  return (
    <div class="scroll padded stack-all" tabIndex={0} role="region" aria-label="Definition">
      <div><Tabs label="Format" kind="segmented" tabs={FORMATS.map((name) => ({ id: name, name }))} chosen={format} onChoose={setFormat} /></div>
      <Code text={definitionOf(format, table)} what="the definition" />
    </div>
  );
}

export function TablePage({ name }: { name: string }): JSX.Element {
  const table = tableNamed(name);
  const page = place.value.parts[2] ?? "items";
  const isPinned = pins.value.includes(name);
  if (tables.value === null) return <Loading />;
  if (table === undefined) return <TablesView gone={name} />;
  return (
    <>
      <header class="head">
        <span class="crumb only-wide"><a href={pathOf("tables")}>Tables</a>&ensp;/</span>
        <h1 class="clip">{name}</h1>
        <span class="badge only-wide">{count(table.items, "item")}</span>
        <button class="button plain small only-wide" type="button" aria-pressed={isPinned} title="Keep it at the side" onClick={() => pin(name, !isPinned)}>{isPinned ? "Unpin" : "Pin"}</button>
        <span class="grow" />
        <span id="head-actions" class="line" />
      </header>
      <nav class="tabs" aria-label="Table">
        {PAGES.map(([id, title]) => <a key={id} href={pathOf("tables", name, id)} aria-current={page === id ? "page" : undefined}>{title}</a>)}
      </nav>
      {page === "indexes" ? <Indexes table={table} /> : page === "settings" ? <Settings table={table} /> : page === "definition" ? <Definition table={table} /> : page === "changes" ? <ChangesView key={name} table={name} /> : <ItemsView key={name} table={table} />}
    </>
  );
}
