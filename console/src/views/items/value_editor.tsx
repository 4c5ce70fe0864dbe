// One value edited in place: its type, and what it holds. Lists and maps begin empty and are filled below.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type AttributeValue, TYPES, type TypeName, elementsOf, parseScalar, scalarText, typeOf } from "../../value/attribute.ts";
import { Icon } from "../../parts/icon.tsx";
import { showText } from "../../value/show.ts";

const ELEMENT: { readonly [set: string]: TypeName } = { SS: "S", NS: "N", BS: "B" };

// The value, or a sentence.
function valueOf(type: TypeName, text: string, elements: readonly string[], was: AttributeValue): AttributeValue | string {
  if (type in ELEMENT) return elements.length === 0 ? "A set has one element at least." : ({ [type]: [...elements] } as AttributeValue);
  if (type === "L" || type === "M") return typeOf(was) === type ? was : type === "L" ? { L: [] } : { M: {} };
  return parseScalar(type, text);
}

function SetField({ type, elements, onChange }: { type: TypeName; elements: readonly string[]; onChange: (elements: string[]) => void }): JSX.Element {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const add = () => {
    const value = parseScalar(ELEMENT[type] ?? "S", text);
    const problem = typeof value === "string" ? value : elements.includes(scalarText(value)) ? "It is in the set already." : null;
    setFault(problem);
    if (problem !== null || typeof value === "string") return;
    onChange([...elements, scalarText(value)]);
    setText("");
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || text === "") return;
    event.preventDefault();
    event.stopPropagation();
    add();
  };
  return (
    <span class="set-field">
      <span class="chips">{elements.map((element) => <span key={element} class="chip">{showText(element, 60)}<button class="button plain tiny" type="button" aria-label={`Take ${showText(element, 60)} out`} onClick={() => onChange(elements.filter((other) => other !== element))}><Icon name="close" /></button></span>)}</span>
      <span class="line"><input ref={field} class="field mono" aria-label="One more element" placeholder="one more" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKey} /><button class="button small" type="button" disabled={text === ""} onClick={add}>Add</button></span>
      {fault !== null && <span class="bad" role="alert">{fault}</span>}
    </span>
  );
}

export function ValueEditor(props: { value: AttributeValue; label: string; onDone: (value: AttributeValue | null) => void }): JSX.Element {
  const [type, setType] = useState<TypeName>(typeOf(props.value));
  const [text, setText] = useState(scalarText(props.value));
  const [elements, setElements] = useState<readonly string[]>(() => elementsOf(props.value));
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => { field.current?.focus(); field.current?.select(); }, []);
  const isSet = type in ELEMENT;
  const finish = () => {
    const value = valueOf(type, text, elements, props.value);
    if (typeof value === "string") setFault(value);
    else props.onDone(value);
  };
  const onKey = (event: KeyboardEvent) => {
    const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement;
    if (event.key === "Enter" && !event.shiftKey && !isButton) { event.preventDefault(); finish(); }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); props.onDone(null); }
  };
  return (
    <span class="value-editor" onKeyDown={onKey}>
      <select class="field" aria-label={`Type of ${props.label}`} value={type} onChange={(event) => { setType(event.currentTarget.value as TypeName); setFault(null); }}>
        {TYPES.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      {isSet
        ? <SetField key={type} type={type} elements={elements} onChange={(next) => { setElements(next); setFault(null); }} />
        : type !== "NULL" && type !== "L" && type !== "M" && <textarea ref={field} class="field mono" rows={Math.min(8, text.split("\n").length)} aria-label={`Value of ${props.label}`} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />}
      <button class="button small" type="button" onClick={finish}>Set</button>
      {fault !== null && <span class="bad" role="alert">{fault}</span>}
    </span>
  );
}
