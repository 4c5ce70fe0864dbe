// Entities: which there are, in which versions their items are stored, and what is still to be migrated.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type FoundEntity, entities, refreshEntities } from "../../api/entities.ts";
import { tables } from "../../api/tables.ts";
import { Icon } from "../../parts/icon.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { ask, pathOf, place } from "../../router.ts";
import { home } from "../../state.ts";
import { pendingOf } from "../../value/entity.ts";
import { count, showText } from "../../value/show.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { EntityView } from "./entity.tsx";
import { VersionsBar } from "./versions_bar.tsx";

function Row({ found }: { found: FoundEntity }): JSX.Element {
  const { entity, table, counted } = found;
  const pending = pendingOf(entity, counted);
  return (
    <tr>
      <td><a href={pathOf("entities", entity.name)}><b>{showText(entity.name, 60)}</b></a>{!entity.isRecorded && <> <span class="faint">not recorded</span></>}</td>
      <td class="only-wide">{table === null ? <span class="warn">no table here</span> : <a class="mono" href={pathOf("tables", table.name, "items")}>{showText(table.name, 60)}</a>}</td>
      <td class="num">{entity.version}</td>
      <td class="num only-wide">{entity.fields.length}</td>
      <td><VersionsBar entity={entity} counted={counted} /></td>
      <td class="num">{pending === 0 ? <span class="faint">none</span> : <span class="warn">{counted.isAll ? "" : "at least "}{pending.toLocaleString("en")}</span>}</td>
    </tr>
  );
}

export function EntitiesView(): JSX.Element {
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const wanted = isAsked || (home.value !== null && home.value.kind !== "remote"); // elsewhere somebody pays
  const typed = place.value.asked.get("q") ?? "";
  const [, name] = place.value.parts;
  const read = () => refreshEntities().then(() => setFault(null), (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  const isReady = tables.value !== null && wanted;
  useEffect(() => { if (isReady) void read(); }, [isReady]);
  useKeys([{ keys: "u", does: "Read again", run: () => void read() }]);
  const all = entities.value;
  const chosen = name === undefined ? undefined : all?.find((found) => found.entity.name === name);
  if (chosen !== undefined) return <EntityView key={name} found={chosen} />;
  const shown = (all ?? []).filter((found) => [found.entity.name, found.table?.name ?? ""].some((text) => text.toLowerCase().includes(typed.toLowerCase())));
  return (
    <>
      <header class="head">
        <h1>Entities</h1>
        <span class="grow" />
        <label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="Entity or table" aria-label="Filter entities" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} /><kbd class="only-wide">/</kbd></label>
        <button class="button" type="button" onClick={() => void read()}><Icon name="again" />Read again</button>
      </header>
      {name !== undefined && all !== null && <p class="padded quiet" role="status">{showText(name, 60)} is not there.</p>}
      {fault !== null && <FaultState fault={fault} onRetry={() => void read()} />}
      {!wanted && home.value !== null && all === null && <Empty><p>Entities are found by a look into each table.</p><p class="quiet">That reads at most 200 items of each, about 25 units a table.</p><div class="line"><button class="button primary" type="button" onClick={() => setIsAsked(true)}>Look</button></div></Empty>}
      {wanted && fault === null && all === null && <Loading />}
      {all !== null && all.length === 0 && <Empty><p>There are no entities.</p><p class="quiet"><span class="mono">stator serve --schemas FOLDER</span> shows those whose shape is recorded; others are known by their items.</p></Empty>}
      {all !== null && all.length > 0 && (
        <div class="scroll padded" tabIndex={0} role="region" aria-label="Entities">
          <table class="list entities">
            <thead><tr><th scope="col">Entity</th><th scope="col" class="only-wide">Table</th><th scope="col" class="num">Version</th><th scope="col" class="num only-wide">Fields</th><th scope="col">Stored as</th><th scope="col" class="num">To migrate</th></tr></thead>
            <tbody>{shown.map((found) => <Row key={`${found.entity.name} ${found.table?.name ?? ""}`} found={found} />)}</tbody>
          </table>
        </div>
      )}
      {all !== null && all.length > 0 && <footer class="status only-wide"><span role="status">{count(shown.length, "entity", "entities")}</span><span class="grow" /><span>of the first {count(200, "item")} of each table</span></footer>}
    </>
  );
}
