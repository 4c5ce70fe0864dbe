// The attributes of an item, nested ones below their own, edited in place.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type AttributeValue, type Item, attributeOf, elementsOf, equal, typeOf, withAttribute } from "../../value/attribute.ts";
import { count, countdown, showBinary, showLines, showText, showValue, styleOf } from "../../value/show.ts";
import { Icon } from "../../parts/icon.tsx";
import { BinaryView } from "./binary_view.tsx";
import { ValueEditor } from "./value_editor.tsx";

type Path = readonly (string | number)[];
interface Row {
  path: Path;
  name: string;
  value: AttributeValue;
  depth: number;
}

const ROWS_MAX = 400; // then the rest on request

function childrenOf(value: AttributeValue): (readonly [string | number, AttributeValue])[] {
  if ("M" in value) return Object.entries(value.M);
  if ("L" in value) return value.L.map((inner, index) => [index, inner] as const);
  return [];
}

function idOf(path: Path): string {
  return JSON.stringify(path);
}

function rowsOf(item: Item, isOpen: (path: Path, value: AttributeValue) => boolean): Row[] {
  const rows: Row[] = [];
  const add = (path: Path, name: string, value: AttributeValue, depth: number) => {
    rows.push({ path, name, value, depth });
    if (isOpen(path, value)) {
      for (const [part, inner] of childrenOf(value)) add([...path, part], typeof part === "number" ? `[${part}]` : part, inner, depth + 1);
    }
  };
  for (const [name, value] of Object.entries(item)) add([name], name, value, 0);
  return rows;
}

function valueAt(item: Item | null, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = item === null ? undefined : { M: item };
  for (const part of path) {
    if (value === undefined) return undefined;
    const inside: AttributeValue = value;
    if ("M" in inside && typeof part === "string") value = attributeOf(inside.M, part);
    else value = "L" in inside && typeof part === "number" ? inside.L[part] : undefined;
  }
  return value;
}

function setIn(value: AttributeValue, path: Path, next: AttributeValue | undefined): AttributeValue {
  const [part, ...rest] = path;
  if (part === undefined) return next ?? value;
  if ("M" in value && typeof part === "string") {
    const inner = attributeOf(value.M, part);
    const set = rest.length === 0 ? next : inner === undefined ? next : setIn(inner, rest, next);
    return { M: withAttribute(value.M, part, set) };
  }
  if ("L" in value && typeof part === "number") {
    const list = [...value.L];
    const inner = list[part];
    if (rest.length === 0 && next === undefined) list.splice(part, 1);
    else if (rest.length === 0 && part === list.length && next !== undefined) list.push(next);
    else if (inner !== undefined) list[part] = rest.length === 0 ? (next as AttributeValue) : setIn(inner, rest, next);
    return { L: list };
  }
  return value;
}

export function setAt(item: Item, path: Path, next: AttributeValue | undefined): Item {
  const changed = setIn({ M: item }, path, next);
  return "M" in changed ? changed.M : item;
}

function ValueText({ value, expiry }: { value: AttributeValue; expiry: boolean }): JSX.Element {
  if ("SS" in value || "NS" in value) {
    return <span class="chips">{[...elementsOf(value)].sort().slice(0, 100).map((element) => <span key={element} class="chip">{showText(element, 60)}</span>)}</span>;
  }
  if ("BS" in value) return <span class="chips">{value.BS.slice(0, 100).map((element) => <span key={element} class="chip">{showBinary(element)}</span>)}</span>;
  if ("M" in value) return <span class="v-doc">{count(Object.keys(value.M).length, "attribute")}</span>;
  if ("L" in value) return <span class="v-doc">{count(value.L.length, "element")}</span>;
  const left = expiry ? countdown(value, Date.now() / 1000) : null;
  const text = "S" in value && value.S !== "" ? showLines(value.S) : showValue(value);
  return <span class={`${styleOf(value)} value`}>{text}{left !== null && <span class="warn"> {left}</span>}</span>;
}

export interface TreeProps {
  was: Item | null;
  item: Item;
  keys: readonly string[];
  expiry: string | null;
  readOnly: boolean;
  isComing: boolean; // what can be changed is shown where it will be, and cannot be yet
  onChange: (item: Item) => void;
  onPartition: () => void;
}

export function Tree(props: TreeProps): JSX.Element {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const [most, setMost] = useState(ROWS_MAX);
  const [newName, setNewName] = useState("");
  const [inside, setInside] = useState<Path>([]); // of which map a new attribute is
  const [bytesOf, setBytesOf] = useState<string | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => { if (inside.length > 0) nameField.current?.focus(); }, [idOf(inside)]);
  const opensItself = (path: Path, value: AttributeValue) => path.length === 1 && "M" in value && Object.keys(value.M).length <= 8;
  const isOpen = (path: Path, value: AttributeValue) => opensItself(path, value) !== toggled.has(idOf(path));
  const rows = rowsOf(props.item, isOpen);
  const gone = props.was === null ? [] : Object.keys(props.was).filter((name) => !Object.hasOwn(props.item, name));
  const toggle = (path: Path) => {
    const next = new Set(toggled);
    if (!next.delete(idOf(path))) next.add(idOf(path));
    setToggled(next);
  };
  const edit = (row: Row, value: AttributeValue | null) => {
    setEditing(null);
    if (value !== null) props.onChange(setAt(props.item, row.path, value));
  };
  const target = valueAt(props.item, inside);
  const home = target !== undefined && "M" in target ? target.M : null;
  const mayAdd = home !== null && newName !== "" && !Object.hasOwn(home, newName);
  const begin = (path: Path) => {
    props.onChange(setAt(props.item, path, { S: "" }));
    setEditing(idOf(path));
  };
  const add = (event: Event) => {
    event.preventDefault();
    if (!mayAdd || props.isComing) return;
    begin([...inside, newName]);
    setNewName("");
    setInside([]);
  };
  // One more in a list; of a map the name is asked for first.
  const addIn = (row: Row) => {
    if (!isOpen(row.path, row.value)) toggle(row.path);
    if ("L" in row.value) begin([...row.path, row.value.L.length]);
    else setInside(row.path);
  };
  return (
    <>
      <ul class="tree">
        {rows.slice(0, most).map((row) => {
          const id = idOf(row.path);
          const old = valueAt(props.was, row.path);
          const edited = props.was !== null && !equal(old, row.value);
          const isKey = row.depth === 0 && props.keys.includes(row.name);
          const type = typeOf(row.value);
          const isDocument = type === "M" || type === "L";
          const mayEdit = !props.readOnly && !isDocument;
          return (
            <li key={id} class={`${edited && !isDocument ? "edited" : ""}${row.depth > 0 ? " deep" : ""}`} data-depth={Math.min(row.depth, 6)} data-path={id}>
              <span class={isKey ? "key" : ""} title={row.name}>{showText(row.name, 80)}</span>
              <span class="type">{type}</span>
              {editing === id
                ? <ValueEditor value={row.value} label={row.name} onDone={(value) => edit(row, value)} />
                : (
                  <span class="tree-value">
                    {isDocument
                      ? <button class="link" type="button" aria-expanded={isOpen(row.path, row.value)} onClick={() => toggle(row.path)}><ValueText value={row.value} expiry={false} /></button>
                      : isKey && props.was !== null
                        ? <button class="link" type="button" title="The items of this partition" onClick={props.onPartition}><ValueText value={row.value} expiry={false} /></button>
                        : mayEdit
                          ? <button class="link" type="button" title="Edit" disabled={props.isComing} onClick={() => setEditing(id)}>{edited && old !== undefined && <span class="was">{showValue(old, 60)}</span>} <ValueText value={row.value} expiry={row.name === props.expiry} /></button>
                          : <ValueText value={row.value} expiry={row.name === props.expiry} />}
                    {"B" in row.value && <button class="button plain tiny" type="button" aria-expanded={bytesOf === id} aria-label={`Bytes of ${row.name}`} onClick={() => setBytesOf(bytesOf === id ? null : id)}><Icon name="code" /></button>}
                    {!props.readOnly && isDocument && <button class="button plain tiny remove" type="button" aria-label={`Add to ${row.name}`} disabled={props.isComing} onClick={() => addIn(row)}><Icon name="plus" /></button>}
                    {!props.readOnly && !isKey && <button class="button plain tiny remove" type="button" aria-label={`Remove ${row.name}`} disabled={props.isComing} onClick={() => props.onChange(setAt(props.item, row.path, undefined))}><Icon name="close" /></button>}
                  </span>
                )}
              {"B" in row.value && bytesOf === id && <BinaryView base64={row.value.B} name={row.name} />}
            </li>
          );
        })}
        {gone.map((name) => (
          <li key={`gone ${name}`} class="edited">
            <span class="was">{showText(name, 80)}</span><span class="type">gone</span>
            <button class="button plain tiny" type="button" onClick={() => props.onChange(withAttribute(props.item, name, attributeOf(props.was ?? {}, name)))}>Keep it</button>
          </li>
        ))}
      </ul>
      {rows.length > most && <button class="button small more-rows" type="button" onClick={() => setMost(most * 4)}>{count(rows.length - most, "attribute")} more</button>}
      {!props.readOnly && (
        <form class="add-attribute" onSubmit={add}>
          {inside.length > 0 && <button class="button plain small" type="button" aria-label={`In the item instead of ${inside.join(".")}`} onClick={() => setInside([])}><span class="mono clip">{showText(inside.join("."), 40)}.</span><Icon name="close" /></button>}
          <label class="field"><span class="hidden">Name of a new attribute</span><input ref={nameField} class="mono" placeholder="New attribute" value={newName} spellcheck={false} onInput={(event) => setNewName(event.currentTarget.value)} /></label>
          <button class="button small" type="submit" disabled={!mayAdd || props.isComing}><Icon name="plus" />Add</button>
        </form>
      )}
    </>
  );
}
