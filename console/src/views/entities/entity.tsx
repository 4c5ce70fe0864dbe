// One entity: its fields, keys and indexes, the versions its items have, and what migrates them.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type FoundEntity, countAll } from "../../api/entities.ts";
import { Code } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { addressOf, pathOf } from "../../router.ts";
import { toFragment } from "../../value/address.ts";
import { type Counted, pendingOf, versionAttribute } from "../../value/entity.ts";
import { count, showText, showUnits } from "../../value/show.ts";
import { FaultState } from "../states.tsx";
import { VersionsBar } from "./versions_bar.tsx";

// For a program of the entity's own: stator does not know its types.
function backfillText(name: string): string {
  return `// In a program that knows the entity, with Verbs::kMaintain:\nconst auto report = stator::entities::Backfill(${name.replace(/[^A-Za-z0-9_]/g, "_")}s, {.scan = {.units_per_second = 100}});\nstd::puts(report->Text().c_str());`;
}

export function EntityView({ found }: { found: FoundEntity }): JSX.Element {
  const { entity, table } = found;
  const [counted, setCounted] = useState<Counted>(found.counted);
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const run = async () => {
    const mine = new AbortController();
    abort.current = mine;
    setRunning(true);
    setFault(null);
    try {
      await countAll(found, mine.signal, setCounted);
    } catch (error) {
      if (!mine.signal.aborted) setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
    if (abort.current === mine) setRunning(false);
  };
  const pending = pendingOf(entity, counted);
  const old = [...counted.stored].filter(([version]) => version < entity.version).sort(([one], [other]) => one - other);
  const future = [...counted.stored].filter(([version]) => version > entity.version);
  const missing = entity.isRecorded ? old.filter(([version]) => version < entity.oldest || Array.from({ length: entity.version - version }, (_, at) => version + at).some((step) => !entity.steps.includes(step))) : [];
  const itemsOf = (version: number): string => addressOf(["tables", table?.name ?? "", "items"], toFragment({ mode: "scan", index: null, pk: null, sk: null, filters: [{ path: versionAttribute(entity), op: "eq", type: "N", values: [String(version)] }], descending: false, statement: "" }));
  return (
    <>
      <header class="head">
        <span class="crumb only-wide"><a href={pathOf("entities")}>Entities</a>&ensp;/</span>
        <h1 class="clip">{showText(entity.name, 60)}</h1>
        <span class="badge">version {entity.version}</span>
        {!entity.isRecorded && <span class="badge warn only-wide">not recorded</span>}
        <span class="grow" />
        {table !== null && <a class="button" href={pathOf("tables", table.name, "items")}><Icon name="table" />{showText(table.name, 40)}</a>}
      </header>
      <div class="scroll padded blocks" tabIndex={0} role="region" aria-label="Entity">
        <section class="block">
          <h2>Stored versions</h2>
          <VersionsBar entity={entity} counted={counted} />
          <p class="quiet" role="status">{table === null ? "There is no table of it here." : counted.isAll ? `All ${count(counted.looked, "item")} of the table were looked at.` : `${running ? "So far " : "The first "}${count(counted.looked, "item")} of ${count(table.items, "item")} were looked at, ${showUnits(counted.units)} read units.`}</p>
          <p class={pending > 0 ? "warn" : "quiet"}>{pending > 0 ? `${counted.isAll ? "" : "At least "}${count(pending, "item")} of older versions: each is migrated when it is read, and stored anew when it is written.` : counted.stored.size > 0 ? "Nothing is to be migrated, as far as was looked." : ""}</p>
          {missing.length > 0 && <p class="bad" role="alert">No step leads from {missing.map(([version]) => `version ${version}`).join(", ")} to {entity.version}: a program of today does not read these.</p>}
          {future.length > 0 && <p class="bad" role="alert">{future.map(([version, items]) => `${count(items, "item")} of version ${version}`).join(", ")}: a newer program wrote them than the one that was recorded.</p>}
          <div class="line">
            {table !== null && !counted.isAll && !running && <button class="button small" type="button" onClick={() => void run()}>Count all</button>}
            {running && <button class="button small" type="button" onClick={() => { abort.current?.abort(); setRunning(false); }}>Stop</button>}
            {table !== null && old.map(([version]) => <a key={version} class="button small" href={itemsOf(version)}>Items of version {version}</a>)}
          </div>
          {fault !== null && <FaultState fault={fault} onRetry={() => void run()} />}
          {pending > 0 && <Code text={backfillText(entity.name)} what="the backfill" />}
        </section>
        <section class="block">
          <h2>Fields</h2>
          {entity.fields.length === 0 ? <p class="quiet">No field was seen.</p> : (
            <table class="list">
              <thead><tr><th scope="col">Field</th><th scope="col">{entity.isRecorded ? "Type" : "Seen as"}</th><th scope="col" class="only-wide">Stored</th><th scope="col">Needed</th><th scope="col" class="num">Since</th></tr></thead>
              <tbody>{entity.fields.map((field) => <tr key={field.name}><td class="mono wrap">{showText(field.name, 80)}</td><td class="wrap">{showText(field.type || field.stored, 120)}</td><td class="mono only-wide">{field.stored}</td><td>{field.isOptional ? <span class="faint">optional</span> : "always"}</td><td class="num faint">{field.since === null ? "—" : `v${field.since}`}</td></tr>)}</tbody>
            </table>
          )}
          {entity.retired.length > 0 && <p class="faint">Retired names: <span class="mono">{entity.retired.map((name) => showText(name, 40)).join(", ")}</span></p>}
        </section>
        {entity.isRecorded && (
          <section class="block">
            <h2>Keys and indexes</h2>
            <dl class="facts">
              {entity.keys.map((key) => <><dt class="mono copper">{showText(key.attribute, 60)}</dt><dd class="mono wrap">{showText(key.template, 120)}</dd></>)}
              {entity.ttl !== null && <><dt>Expires by</dt><dd class="mono">{showText(entity.ttl, 60)}</dd></>}
              {entity.indexes.map((index) => <><dt>{showText(index.name, 60)}</dt><dd><span class="mono wrap">{showText(index.keys, 160)}</span> <span class="faint">{index.projection}</span></dd></>)}
              <dt>Migrations</dt><dd>{entity.steps.length === 0 ? "none" : entity.steps.map((step) => `${step} to ${step + 1}`).join(", ")}</dd>
            </dl>
          </section>
        )}
      </div>
    </>
  );
}
