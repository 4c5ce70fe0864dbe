// One item beside the grid: as attributes, as JSON, as DynamoDB JSON; edited, saved, deleted.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { storeOf } from "../../api/stores.ts";
import type { TableInfo } from "../../api/tables.ts";
import { isField } from "../../keys.ts";
import { complain, copy, say } from "../../messages.ts";
import { confirm } from "../../parts/dialog.tsx";
import { DiffList } from "../../parts/diff.tsx";
import { Editor } from "../../parts/editor.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { ask, pathOf, place } from "../../router.ts";
import { home, isReadOnly } from "../../state.ts";
import { type Item, equalItems, faultOf, ordered, typeOf } from "../../value/attribute.ts";
import { changesOf, sizeOf } from "../../value/change.ts";
import { fromPlainJson, toPlainJson } from "../../value/plain_json.ts";
import { count, showBytes, showValue } from "../../value/show.ts";
import { Conflict } from "./conflict.tsx";
import { ItemHistory } from "./item_history.tsx";
import { type Saved, deleteItem, keyNames, keyOf, moveItem, putNew, readItem, rebase, updateItem } from "./saving.ts";
import { Tree } from "./tree.tsx";

const DOUBLE_CLICK_MS = 1_000;

type Face = "form" | "json" | "ddb" | "history";
const FACES = [{ id: "form", name: "Attributes" }, { id: "json", name: "JSON" }, { id: "ddb", name: "DynamoDB JSON" }, { id: "history", name: "History" }] as const;

function faceIn(asked: string | null, isNew: boolean): Face {
  const face = FACES.find((other) => other.id === asked && !(isNew && other.id === "history"))?.id;
  return face ?? (isNew ? "json" : "form");
}

export interface DrawerProps {
  table: TableInfo;
  itemKey: Item | null; // null: a new item
  first: Item | null; // what is known of it already
  asOf: string | null; // the moment that is shown, which nothing can change
  onClose: () => void;
  onChanged: (key: Item, item: Item | null) => void; // for the grid; null: it is gone
  onPartition: (key: Item) => void;
  onMade: (item: Item) => void;
}

function template(table: TableInfo): Item {
  return Object.fromEntries([table.pk, ...(table.sk === null ? [] : [table.sk])].map((key) => [key.name, { [key.type]: key.type === "N" ? "0" : "" }])) as Item;
}

function textOf(face: Face, item: Item): string {
  return face === "json" ? toPlainJson(item) : JSON.stringify(item, null, 2);
}

// Throws with a sentence.
function parseText(face: Face, text: string, was: Item): { item: Item; notes: string[] } {
  if (face === "json") return fromPlainJson(text, was);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : ""}`);
  }
  const fault = faultOf({ M: value });
  if (fault !== null) throw new Error(`${fault[0]?.toUpperCase()}${fault.slice(1)}.`);
  return { item: value as Item, notes: [] };
}

export function Drawer(props: DrawerProps): JSX.Element {
  const { table } = props;
  const isNew = props.itemKey === null;
  const face = faceIn(place.value.asked.get("t"), isNew);
  const setFace = (next: Face) => ask({ t: next === faceIn(null, isNew) ? null : next }, true);
  const isPast = props.asOf !== null;
  const store = useMemo(() => storeOf(table), [table]);
  const [isUnlocked, setIsUnlocked] = useState(false);
  const mayChange = !isPast && !isReadOnly.value && (store === null || isUnlocked);
  const [was, setWas] = useState<Item | null>(isNew ? null : props.first);
  const [draft, setDraft] = useState<Item>(props.first ?? (isNew ? template(table) : {}));
  const [text, setText] = useState<string | null>(null); // what is typed, while it is no item
  const [fault, setFault] = useState<string | null>(null);
  const [notes, setNotes] = useState<string[]>([]);
  const [theirs, setTheirs] = useState<{ item: Item | null } | null>(null);
  const [gone, setGone] = useState(false);
  const openedAt = useRef(performance.now());
  const former = useRef<Item[]>([]); // drafts, the last one last
  const [isRead, setIsRead] = useState(isNew); // before, a change would be lost when the item comes
  const keyText = props.itemKey === null ? "" : JSON.stringify(props.itemKey);
  const changes = useMemo(() => (was === null ? [] : changesOf(was, draft)), [was, draft]);
  const isDirty = isNew || changes.length > 0 || text !== null;

  useEffect(() => {
    let over = false;
    if (props.itemKey === null) return undefined;
    readItem(table, props.itemKey, props.asOf).then((item) => {
      if (over) return;
      setGone(item === null);
      if (item === null) return;
      setWas(item);
      setDraft(item);
      setIsRead(true);
    }).catch((error: unknown) => { if (!over) setFault(error instanceof Error ? error.message : String(error)); });
    return () => { over = true; };
  }, [keyText, props.asOf]);

  const type = (typed: string) => {
    setText(typed);
    try {
      const parsed = parseText(face, typed, was ?? {});
      setDraft(parsed.item);
      setNotes(parsed.notes);
      setFault(null);
      setText(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const settle = (saved: Saved, old: Item | null) => {
    if (saved.kind === "conflict") {
      setTheirs({ item: saved.theirs });
      return;
    }
    const item = saved.item ?? {};
    setTheirs(null);
    setWas(item);
    setDraft(item);
    former.current = [];
    setNotes([]);
    if (old === null) {
      say("Saved the new item.", async () => { await deleteItem(table, keyOf(table, item)); props.onChanged(keyOf(table, item), null); });
      props.onMade(item);
      return;
    }
    props.onChanged(keyOf(table, old), item);
    say("Saved.", async () => {
      const back = await updateItem(table, item, old);
      if (back.kind === "conflict") throw new Error("The item was changed again; nothing was undone.");
      props.onChanged(keyOf(table, old), back.item);
      setWas(back.item);
      setDraft(back.item ?? {});
    });
  };
  const saveFrom = async (base: Item | null, next: Item) => {
    try {
      if (base === null) settle(await putNew(table, next), null);
      else if (!equalItems(keyOf(table, base), keyOf(table, next))) await move(base, next);
      else if (changesOf(base, next).length > 0) settle(await updateItem(table, base, next), base);
    } catch (error) {
      setFault(error instanceof ApiError && error.reasons.length > 0 ? `${error.message} ${error.reasons.map((reason) => reason.Message ?? "").join(" ")}` : error instanceof Error ? error.message : String(error));
    }
  };
  // On top of what they made of it.
  const keep = (base: Item | null, next: Item) => {
    setTheirs(null);
    setWas(base);
    setDraft(next);
    void saveFrom(base, next);
  };
  const move = async (base: Item, next: Item) => {
    const yes = await confirm({ title: "Change the key?", body: "The item goes to its new key and from the old one, both or neither. Whoever knows the old key does not find it any more.", act: "Change the key" });
    if (!yes) return;
    const saved = await moveItem(table, base, next);
    props.onChanged(keyOf(table, base), null);
    settle(saved, null);
  };
  const save = async () => {
    if (!isDirty || text !== null) return;
    setFault(null);
    const typeChanged = changes.some((change) => change.was !== undefined && change.now !== undefined && typeOf(change.was) !== typeOf(change.now));
    if (was !== null && (changes.length > 1 || typeChanged)) {
      const yes = await confirm({ title: "Save these changes?", body: <><DiffList changes={changes} />{notes.length > 0 && <p class="warn">{notes.join(", ")}</p>}</>, act: "Save", keep: "Go on editing", isHarmless: true });
      if (!yes) return;
    }
    await saveFrom(was, draft);
  };
  const remove = async () => {
    if (props.itemKey === null) return;
    const key = props.itemKey;
    if (home.value?.kind === "remote" && !(await confirm({ title: "Delete this item?", body: <span class="mono wrap">{Object.values(key).map((value) => showValue(value)).join(" ")}</span>, act: "Delete item" }))) return;
    try {
      const old = await deleteItem(table, key);
      props.onChanged(key, null);
      props.onClose();
      say("Deleted the item.", old === null ? null : async () => {
        const back = await putNew(table, old);
        if (back.kind === "conflict") throw new Error("There is another item with this key now; nothing was undone.");
        props.onChanged(key, old);
      });
    } catch (error) {
      complain(error);
    }
  };
  const restored = (item: Item | null) => {
    setGone(item === null);
    if (item !== null) {
      setWas(item);
      setDraft(item);
      setIsRead(true);
    }
    if (props.itemKey !== null) props.onChanged(props.itemKey, item);
  };
  const unlock = async () => {
    const yes = await confirm({ title: `Edit what belongs to ${store ?? ""}?`, body: `The store of ${store ?? ""} keeps several items in step with each other, and its programs rely on that. What is changed here by hand it does not know.`, act: "Edit anyway" });
    if (yes) setIsUnlocked(true);
  };
  const edit = (item: Item) => {
    former.current = [...former.current.slice(-99), draft];
    setDraft(item);
    setFault(null);
  };
  const undo = () => {
    const last = former.current.pop();
    if (last !== undefined) setDraft(last);
  };
  const discard = () => { former.current = []; setDraft(was ?? template(table)); setText(null); setFault(null); setNotes([]); setTheirs(null); };
  useKeys([
    { keys: "Ctrl+s", does: "Save the item", run: () => void save() },
    { keys: "Ctrl+z", does: "Undo in the draft", when: (event) => face === "form" && !isField(event.target), run: undo },
    { keys: "e", does: "Edit the item", run: () => { if (mayChange) document.querySelector<HTMLElement>('.drawer .tree [title="Edit"]')?.click(); else if (store !== null && !isPast && !isReadOnly.value) void unlock(); } },
  ]);
  // The second click of a double click was meant for the grid, which the drawer came to lie over.
  const ignoreSecond = (event: MouseEvent) => {
    if (event.detail < 2 || performance.now() - openedAt.current > DOUBLE_CLICK_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shownKey = props.itemKey ?? keyOf(table, draft);
  const [pk, sk] = keyNames(table).map((name) => showValue(shownKey[name]));
  return (
    <aside class="drawer" aria-label={isNew ? "New item" : "Item"} onClickCapture={ignoreSecond}>
      <header>
        <div>
          <h2>{isNew ? "New item" : <span>{pk}</span>}</h2>
          {!isNew && sk !== undefined && <p class="mono clip">{sk}</p>}
          {store !== null && <p><a class="badge" href={pathOf(store)}>belongs to {store}</a></p>}
        </div>
        {!isNew && <button class="button plain small" type="button" onClick={() => void copy(JSON.stringify(was ?? draft, null, 2), "the item")}><Icon name="copy" />Copy</button>}
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={props.onClose}><Icon name="close" /></button>
      </header>
      <Tabs label="Item as" tabs={isNew || isPast ? FACES.slice(0, 3) : FACES} chosen={face} onChoose={(next) => { if (text === null) setFace(next); }} />
      {gone && <div class="note" role="alert"><strong>{isPast ? "This item was not there" : "This item is not there any more"}</strong>{isPast ? "Not at that moment." : "What is shown is the last that was read."}</div>}
      {theirs !== null && (
        <Conflict
          was={was ?? {}}
          theirs={theirs.item}
          mine={draft}
          onTheirs={() => { if (theirs.item === null) props.onClose(); else { setWas(theirs.item); setDraft(theirs.item); props.onChanged(shownKey, theirs.item); } setTheirs(null); }}
          onMine={() => keep(theirs.item, theirs.item === null || was === null ? draft : rebase(theirs.item, changes))}
          onMerged={(merged) => keep(theirs.item, merged)}
        />
      )}
      <div class="scroll" tabIndex={face === "form" || face === "history" ? 0 : -1} role="region" aria-label="Attributes">
        {face === "history" && props.itemKey !== null && !isPast
          ? <ItemHistory table={table} itemKey={props.itemKey} onRestored={restored} />
          : face === "form" || face === "history"
          ? <Tree was={was} item={ordered(draft, keyNames(table))} keys={keyNames(table)} expiry={table.ttl} readOnly={gone || !mayChange} isComing={!isRead} onChange={edit} onPartition={() => props.onPartition(shownKey)} />
          : <Editor key={isRead ? face : `${face}, not read`} label={face === "json" ? "Item as JSON" : "Item as DynamoDB JSON"} text={text ?? textOf(face, ordered(draft, keyNames(table)))} readOnly={gone || !isRead || !mayChange} onChange={type} onSubmit={() => void save()} />}
      </div>
      {fault !== null && <p class="drawer-fault bad" role="alert">{fault}</p>}
      <footer>
        <p>{isDirty ? <>Writes about <b>{count(Math.max(1, Math.ceil(Math.max(sizeOf(was ?? {}), sizeOf(draft)) / 1024)), "unit")}</b>{changes.length > 0 && <>, {count(changes.length, "change")}</>}</> : <>{showBytes(sizeOf(draft))}, {count(Object.keys(draft).length, "attribute")}</>}</p>
        {isDirty && !isNew && <button class="button plain" type="button" onClick={discard}>Discard</button>}
        {!isDirty && !gone && mayChange && <button class="button plain" type="button" onClick={() => void remove()}>Delete</button>}
        {store !== null && !mayChange && !isPast && !isReadOnly.value && <button class="button plain" type="button" onClick={() => void unlock()}>Edit anyway</button>}
        {mayChange && <button class="button primary" type="button" disabled={!isDirty || text !== null || gone} onClick={() => void save()}>Save</button>}
      </footer>
    </aside>
  );
}
