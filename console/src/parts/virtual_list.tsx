// A list of any length, of which only what is in sight exists. The list has the focus; keys move.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface ListProps<T> {
  label: string;
  rows: readonly T[];
  rowClass: string;
  chosen: string | null;
  keyOf: (row: T) => string;
  render: (row: T) => JSX.Element;
  onChoose: (row: T) => void;
}

const HEIGHT = 36;
const OVERSCAN = 6;

export function VirtualList<T>(props: ListProps<T>): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(600);
  const [active, setActive] = useState<string | null>(null);
  useLayoutEffect(() => {
    const list = element.current;
    if (list === null) return undefined;
    const watch = new ResizeObserver(() => setView(list.clientHeight));
    watch.observe(list);
    return () => watch.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / HEIGHT) - OVERSCAN);
  const last = Math.min(props.rows.length, Math.ceil((top + view) / HEIGHT) + OVERSCAN);
  const at = props.rows.findIndex((row) => props.keyOf(row) === (active ?? props.chosen));
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.floor(view / HEIGHT) - 1;
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -props.rows.length, End: props.rows.length };
    const step = steps[event.key];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(props.rows.length - 1, at + step));
      const row = props.rows[next];
      if (row === undefined) return;
      setActive(props.keyOf(row));
      const list = element.current;
      if (list !== null && next * HEIGHT < list.scrollTop) list.scrollTop = next * HEIGHT;
      else if (list !== null && (next + 1) * HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = (next + 1) * HEIGHT - list.clientHeight;
    } else if (event.key === "Enter" && props.rows[at] !== undefined) props.onChoose(props.rows[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const seen = at >= first && at < last;
  return (
    <div ref={element} class="scroll vlist" role="listbox" tabIndex={0} aria-label={props.label} aria-activedescendant={seen ? `${props.rowClass}-${at}` : undefined} onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={onKey}>
      <div class="vbody" role="presentation" style={{ height: `${props.rows.length * HEIGHT}px` }}>
        {props.rows.slice(first, last).map((row, offset) => {
          const key = props.keyOf(row);
          const index = first + offset;
          return (
            <div key={key} id={`${props.rowClass}-${index}`} class={`vitem ${props.rowClass}${index === at ? " active" : ""}`} role="option" aria-selected={key === props.chosen} aria-setsize={props.rows.length} aria-posinset={index + 1} style={{ transform: `translateY(${index * HEIGHT}px)` }} onClick={() => { setActive(key); props.onChoose(row); }}>
              {props.render(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
