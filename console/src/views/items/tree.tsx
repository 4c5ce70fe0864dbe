// The attributes of an item, nested ones below their own, edited in place.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type AttributeValue, type Item, type TypeName, attributeOf, elementsOf, equal, itemOf, parseScalar, scalarText, typeOf, withAttribute } from "../../value/attribute.ts";
import { count, countdown, showLines, showText, showValue, styleOf } from "../../value/show.ts";
import { Icon } from "../../parts/icon.tsx";

type Path = readonly (string | number)[];
interface Row {
  path: Path;
  name: string;
  value: AttributeValue;
  depth: number;
}

const ROWS_MAX = 400; // then the rest on request
const EDITABLE: readonly TypeName[] = ["S", "N", "BOOL", "NULL", "B"];

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
  if ("M" in value) return <span class="v-doc">{count(Object.keys(value.M).length, "attribute")}</span>;
  if ("L" in value) return <span class="v-doc">{count(value.L.length, "element")}</span>;
  const left = expiry ? countdown(value, Date.now() / 1000) : null;
  const text = "S" in value && value.S !== "" ? showLines(value.S) : showValue(value);
  return <span class={`${styleOf(value)} value`}>{text}{left !== null && <span class="warn"> {left}</span>}</span>;
}

export function ScalarEditor(props: { value: AttributeValue; label: string; onDone: (value: AttributeValue | null) => void }): JSX.Element {
  const [type, setType] = useState<TypeName>(typeOf(props.value));
  const [text, setText] = useState(scalarText(props.value));
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => { field.current?.focus(); field.current?.select(); }, []);
  const finish = () => {
    const value = parseScalar(type, text);
    if (typeof value === "string") setFault(value);
    else props.onDone(value);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); finish(); }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); props.onDone(null); }
  };
  return (
    <span class="scalar-editor">
      <select class="field" aria-label={`Type of ${props.label}`} value={type} onChange={(event) => setType(event.currentTarget.value as TypeName)}>
        {EDITABLE.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      {type !== "NULL" && <textarea ref={field} class="field mono" rows={Math.min(8, text.split("\n").length)} aria-label={`Value of ${props.label}`} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKey} />}
      <button class="button small" type="button" onClick={finish}>Set</button>
      {fault !== null && <span class="bad" role="alert">{fault}</span>}
    </span>
  );
}

export interface TreeProps {
  was: Item | null;
  item: Item;
  keys: readonly string[];
  expiry: string | null;
  readOnly: boolean;
  onChange: (item: Item) => void;
  onPartition: () => void;
}

export function Tree(props: TreeProps): JSX.Element {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const [most, setMost] = useState(ROWS_MAX);
  const [newName, setNewName] = useState("");
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
  const add = (event: Event) => {
    event.preventDefault();
    if (newName === "" || Object.hasOwn(props.item, newName)) return;
    props.onChange(itemOf([...Object.entries(props.item), [newName, { S: "" }]]));
    setEditing(idOf([newName]));
    setNewName("");
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
          const mayEdit = !props.readOnly && EDITABLE.includes(type);
          return (
            <li key={id} class={`${edited && !isDocument ? "edited" : ""}${row.depth > 0 ? " deep" : ""}`} data-depth={Math.min(row.depth, 6)} data-path={id}>
              <span class={isKey ? "key" : ""} title={row.name}>{showText(row.name, 80)}</span>
              <span class="type">{type}</span>
              {editing === id
                ? <ScalarEditor value={row.value} label={row.name} onDone={(value) => edit(row, value)} />
                : (
                  <span class="tree-value">
                    {isDocument
                      ? <button class="link" type="button" aria-expanded={isOpen(row.path, row.value)} onClick={() => toggle(row.path)}><ValueText value={row.value} expiry={false} /></button>
                      : isKey && !props.readOnly && props.was !== null
                        ? <button class="link" type="button" title="The items of this partition" onClick={props.onPartition}><ValueText value={row.value} expiry={false} /></button>
                        : mayEdit
                          ? <button class="link" type="button" title="Edit" onClick={() => setEditing(id)}>{edited && old !== undefined && <span class="was">{showValue(old, 60)}</span>} <ValueText value={row.value} expiry={row.name === props.expiry} /></button>
                          : <ValueText value={row.value} expiry={row.name === props.expiry} />}
                    {!props.readOnly && !isKey && <button class="button plain tiny remove" type="button" aria-label={`Remove ${row.name}`} onClick={() => props.onChange(setAt(props.item, row.path, undefined))}><Icon name="close" /></button>}
                  </span>
                )}
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
          <label class="field"><span class="hidden">Name of a new attribute</span><input class="mono" placeholder="New attribute" value={newName} spellcheck={false} onInput={(event) => setNewName(event.currentTarget.value)} /></label>
          <button class="button small" type="submit" disabled={newName === "" || Object.hasOwn(props.item, newName)}><Icon name="plus" />Add</button>
        </form>
      )}
    </>
  );
}
