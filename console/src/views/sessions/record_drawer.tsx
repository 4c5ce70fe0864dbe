// One record of a session: its items, and what it holds.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { serverNow } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { Code } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { addressOf, ask } from "../../router.ts";
import { keyText } from "../../value/address.ts";
import type { Item } from "../../value/attribute.ts";
import { toPlainJson } from "../../value/plain_json.ts";
import { type SessionHead, type SessionRecord, itemsOf } from "../../value/session.ts";
import { ago, showDeep, showLines, showText } from "../../value/show.ts";

const ITEMS_SHOWN = 200;
const TONES = { done: "good", failed: "bad", pending: "now" } as const;

function leaseWords(record: SessionRecord, now: number): string {
  if (record.worker === null) return "nobody holds it";
  if (record.until === null) return `held by ${record.worker}`;
  return record.until < now ? `the lease of ${record.worker} lapsed ${ago((now - record.until) / 1000)}` : `held by ${record.worker} until ${new Date(record.until).toLocaleTimeString("en-GB")}`;
}

export function RecordDrawer({ table, head, record, items }: { table: TableInfo; head: SessionHead; record: SessionRecord; items: readonly Item[] }): JSX.Element {
  const own = itemsOf(record, items);
  const [face, setFace] = useState<"items" | "record">(own.length > 0 ? "items" : "record");
  const failed = own.filter((item) => item.state === "failed");
  // What went wrong and what is open first.
  const shown = [...failed, ...own.filter((item) => item.state === "pending"), ...own.filter((item) => item.state === "done")];
  const tabs = [...(own.length > 0 ? [{ id: "items" as const, name: "Items", count: own.length }] : []), { id: "record" as const, name: "Record" }];
  return (
    <aside class="drawer" aria-label="Record">
      <header>
        <div>
          <h2 class="clip">{showText(`${record.kind.name} ${record.id}`, 80)}</h2>
          <p class="clip">epoch {record.epoch}, {showText(record.why ?? leaseWords(record, serverNow()), 120)}</p>
        </div>
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={() => ask({ r: null })}><Icon name="close" /></button>
      </header>
      <Tabs label="Record as" tabs={tabs} chosen={face} onChoose={setFace} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Record">
        {record.error !== null && record.error !== "" && <section><p class="bad wrap">{showLines(record.error, 1_000)}</p></section>}
        {face === "items" && (
          <>
            {record.items !== null && <section><p>{record.items.done} of {record.items.all}{record.items.failed > 0 && `, ${record.items.failed} failed`}</p><meter class="meter" aria-label="Done" min={0} max={record.items.all} value={record.items.done}>{record.items.done} of {record.items.all}</meter></section>}
            <section>
              <ol class="steps">
                {shown.slice(0, ITEMS_SHOWN).map((item) => <li key={item.id} class={TONES[item.state]}><b class="op wrap">{showText(item.id, 120)}</b><time>{item.state}</time>{item.detail !== null && <p class="mono wrap">{showDeep({ M: item.detail }, 300)}</p>}</li>)}
              </ol>
              {shown.length > ITEMS_SHOWN && <p class="faint">{(shown.length - ITEMS_SHOWN).toLocaleString("en")} more</p>}
            </section>
          </>
        )}
        {face === "record" && <section><Code text={showLines(toPlainJson(record.item), 400_000)} what="the record" /></section>}
      </div>
      <footer>
        <p>{record.isStale ? "Nobody sees it; it expires by itself" : ""}</p>
        <a class="button" href={addressOf(["tables", table.name, "items"], new URLSearchParams({ i: keyText({ PK: { S: head.partition }, SK: { S: record.key } }, ["PK", "SK"]) }))}>Open item</a>
      </footer>
    </aside>
  );
}
