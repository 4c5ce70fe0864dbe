// A form for a table, with its definition beside it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api/client.ts";
import { refreshTables } from "../api/tables.ts";
import { say } from "../messages.ts";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { go } from "../router.ts";
import { newTableIsOpen } from "../state.ts";
import { FORMATS, type Format, type IndexSpec, type KeySpec, type KeyType, type TableSpec, createInput, definitionOf } from "../value/definition.ts";

export function KeyFields(props: { label: string; value: KeySpec; required?: boolean; onChange: (key: KeySpec) => void }): JSX.Element {
  return (
    <div class="key-fields">
      <label class="stack"><span class="quiet">{props.label}</span>
        <span class="field"><input class="mono" required={props.required} spellcheck={false} autocomplete="off" value={props.value.name} onInput={(event) => props.onChange({ ...props.value, name: event.currentTarget.value })} /></span>
      </label>
      <label class="stack"><span class="quiet">Type</span>
        <select class="field" aria-label={`Type of the ${props.label.toLowerCase()}`} value={props.value.type} onChange={(event) => props.onChange({ ...props.value, type: event.currentTarget.value as KeyType })}>
          <option value="S">S, text</option><option value="N">N, number</option><option value="B">B, binary</option>
        </select>
      </label>
    </div>
  );
}

export const NEW_INDEX: IndexSpec = { name: "", isLocal: false, pk: { name: "", type: "S" }, sk: { name: "", type: "S" }, projection: "ALL", included: [] };

export function IndexFields(props: { index: IndexSpec; onChange: (index: IndexSpec) => void; onRemove: (() => void) | null; mayBeLocal: boolean }): JSX.Element {
  const { index, onChange } = props;
  return (
    <fieldset class="index-fields">
      <legend>Index {index.name}</legend>
      <div class="line">
        <label class="stack grow"><span class="quiet">Name</span><span class="field"><input class="mono" required spellcheck={false} value={index.name} onInput={(event) => onChange({ ...index, name: event.currentTarget.value })} /></span></label>
        <label class="stack"><span class="quiet">Holds</span>
          <select class="field" value={index.projection} onChange={(event) => onChange({ ...index, projection: event.currentTarget.value })}>
            <option value="ALL">all attributes</option><option value="KEYS_ONLY">keys</option><option value="INCLUDE">keys and some</option>
          </select>
        </label>
        {props.onRemove !== null && <button class="button plain small" type="button" onClick={props.onRemove}><Icon name="close" />Remove</button>}
      </div>
      {!index.isLocal && <KeyFields label="Partition key" required value={index.pk} onChange={(pk) => onChange({ ...index, pk })} />}
      <KeyFields label={index.isLocal ? "Sort key" : "Sort key, or nothing"} required={index.isLocal} value={index.sk ?? { name: "", type: "S" }} onChange={(sk) => onChange({ ...index, sk })} />
      {index.projection === "INCLUDE" && (
        <label class="stack"><span class="quiet">Attributes, with commas</span>
          <span class="field"><input class="mono" required value={index.included.join(", ")} onChange={(event) => onChange({ ...index, included: event.currentTarget.value.split(",").map((name) => name.trim()).filter((name) => name !== "") })} /></span>
        </label>
      )}
      {props.mayBeLocal && (
        <label class="line"><input class="box" type="checkbox" checked={index.isLocal} onChange={(event) => onChange({ ...index, isLocal: event.currentTarget.checked })} />Local: shares the partition key of the table</label>
      )}
    </fieldset>
  );
}

// What was left empty is not there.
function cleaned(table: TableSpec): TableSpec {
  const key = (part: KeySpec | null) => (part === null || part.name === "" ? null : part);
  return {
    ...table,
    sk: key(table.sk),
    ttl: table.ttl === "" ? null : table.ttl,
    indexes: table.indexes.map((index) => ({ ...index, pk: index.isLocal ? table.pk : index.pk, sk: key(index.sk) })),
  };
}

export async function createTable(table: TableSpec): Promise<void> {
  await call("CreateTable", createInput(table));
  if (table.ttl !== null) await call("UpdateTimeToLive", { TableName: table.name, TimeToLiveSpecification: { Enabled: true, AttributeName: table.ttl } });
  if (table.recovery) await call("UpdateContinuousBackups", { TableName: table.name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
}

export function NewTable(): JSX.Element {
  const [form, setForm] = useState<TableSpec>({ name: "", pk: { name: "pk", type: "S" }, sk: { name: "sk", type: "S" }, indexes: [], stream: null, ttl: null, recovery: false, isProtected: false });
  const [format, setFormat] = useState<Format>("AWS CLI");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<TableSpec>) => setForm({ ...form, ...change });
  const table = cleaned(form);
  const close = () => { newTableIsOpen.value = false; };
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await createTable(table);
      await refreshTables();
      close();
      say(`Made ${table.name}.`);
      go(["tables", table.name, "items"]);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      void refreshTables();
    }
    setBusy(false);
  };
  return (
    <Dialog title="New table" wide onClose={close}>
      <form class="two-columns" onSubmit={(event) => void submit(event)}>
        <div class="stack-all">
          <label class="stack"><span class="quiet">Name</span><span class="field"><input class="mono" required autofocus minLength={3} maxLength={255} pattern="[A-Za-z0-9_.\-]+" title="3 to 255 of a-z, A-Z, 0-9, _ . -" spellcheck={false} value={form.name} onInput={(event) => set({ name: event.currentTarget.value })} /></span></label>
          <KeyFields label="Partition key" required value={form.pk} onChange={(pk) => set({ pk })} />
          <KeyFields label="Sort key, or nothing" value={form.sk ?? { name: "", type: "S" }} onChange={(sk) => set({ sk })} />
          {form.indexes.map((index, at) => (
            <IndexFields key={at} index={index} mayBeLocal={form.sk !== null && form.sk.name !== ""} onChange={(changed) => set({ indexes: form.indexes.map((other, place) => (place === at ? changed : other)) })} onRemove={() => set({ indexes: form.indexes.filter((_, place) => place !== at) })} />
          ))}
          <div class="line"><button class="button small" type="button" onClick={() => set({ indexes: [...form.indexes, NEW_INDEX] })}><Icon name="plus" />Index</button></div>
          <label class="stack"><span class="quiet">Stream of changes</span>
            <select class="field" value={form.stream ?? ""} onChange={(event) => set({ stream: event.currentTarget.value || null })}>
              <option value="">off</option><option value="NEW_AND_OLD_IMAGES">new and old items</option><option value="NEW_IMAGE">new items</option><option value="OLD_IMAGE">old items</option><option value="KEYS_ONLY">keys</option>
            </select>
          </label>
          <label class="stack"><span class="quiet">Attribute with the time of expiry, or nothing</span><span class="field"><input class="mono" spellcheck={false} value={form.ttl ?? ""} onInput={(event) => set({ ttl: event.currentTarget.value })} /></span></label>
          <label class="line"><input class="box" type="checkbox" checked={form.recovery} onChange={(event) => set({ recovery: event.currentTarget.checked })} />Recovery to any second</label>
          <label class="line"><input class="box" type="checkbox" checked={form.isProtected} onChange={(event) => set({ isProtected: event.currentTarget.checked })} />Protected from deletion</label>
        </div>
        <div class="stack-all">
          <Tabs label="Definition" kind="segmented" tabs={FORMATS.map((name) => ({ id: name, name }))} chosen={format} onChoose={setFormat} />
          <Code text={definitionOf(format, table)} what="the definition" />
        </div>
        {fault !== null && <p class="bad" role="alert">{fault}</p>}
        <div class="line end full">
          <button class="button" type="button" onClick={close}>Cancel</button>
          <button class="button primary" type="submit" disabled={busy}>Make table</button>
        </div>
      </form>
    </Dialog>
  );
}
