// A grid of items that holds a hundred thousand rows: only those in sight exist, and they are moved,
// not made anew. The grid itself has the focus; the cell that keys act on is marked.

import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type AttributeValue, type Item, cellOf, elementsOf, typeOf } from "../value/attribute.ts";
import { countdown, showText, showValue, styleOf } from "../value/show.ts";

export interface GridColumn {
  name: string;
  path: readonly string[]; // what it shows of an item; a part of a map is not edited here
  isKey: boolean;
  type: string | null;
  width: number;
}

export interface Cell {
  row: number;
  column: number;
}

export interface GridProps {
  label: string;
  rows: readonly Item[];
  version: number; // rows may have changed when it has
  columns: GridColumn[];
  expiry: string | null;
  open: number | null; // the row that is shown elsewhere
  isFixed: boolean; // rows are no whole items: they are neither marked nor edited here
  editsCells: boolean; // otherwise who wants to edit one opens its item
  marks: ReadonlySet<Item>;
  sort: { name: string; down: boolean } | null;
  onSort: (name: string) => void;
  onOpen: (row: number) => void;
  onMark: (rows: readonly Item[], on: boolean) => void;
  onEdit: (cell: Cell, text: string, type: string) => void;
  onPartition: (row: number) => void;
  onCopy: (cell: Cell, whole: boolean) => void;
  onDelete: () => void;
}

const OVERSCAN = 8;
const SETTLED_MS = 150;
const HEIGHT_MAX = 12_000_000; // of an element, for browsers; beyond, rows are found by share

function useRowHeight(): number {
  const [height, setHeight] = useState(36);
  useLayoutEffect(() => {
    const small = matchMedia("(max-width: 720px)");
    const update = () => setHeight(small.matches ? 60 : Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10) || 36);
    update();
    small.addEventListener("change", update);
    return () => small.removeEventListener("change", update);
  }, []);
  return height;
}

function CellContent({ value, isExpiry, now }: { value: AttributeValue | undefined; isExpiry: boolean; now: number }): JSX.Element | string {
  if (isExpiry) {
    const left = countdown(value, now);
    if (left !== null) return <span class={left.startsWith("in") ? "warn" : "bad"} title={showValue(value)}>{left}</span>;
  }
  if (value !== undefined && ("SS" in value || "NS" in value)) {
    const elements = elementsOf(value);
    return (
      <>
        {elements.slice(0, 3).map((element, index) => <span key={index} class="chip">{showText(element, 24)}</span>)}
        {elements.length > 3 && <span class="chip tag">+{elements.length - 3}</span>}
      </>
    );
  }
  return showValue(value);
}

function Editor({ value, onDone }: { value: AttributeValue | undefined; onDone: (text: string | null) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const first = value === undefined ? "" : "S" in value ? value.S : "N" in value ? value.N : "BOOL" in value ? String(value.BOOL) : "";
  const over = useRef(false);
  const finish = (text: string | null) => {
    if (over.current) return;
    over.current = true;
    onDone(text === first ? null : text);
  };
  useLayoutEffect(() => { field.current?.focus(); field.current?.select(); }, []);
  return (
    <input
      ref={field}
      class="cell-editor"
      aria-label="New value"
      defaultValue={first}
      spellcheck={false}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") { event.preventDefault(); finish(event.currentTarget.value); }
        if (event.key === "Escape") { event.preventDefault(); finish(null); }
      }}
      onBlur={() => finish(null)}
    />
  );
}

export function canEdit(value: AttributeValue | undefined): boolean {
  return value !== undefined && ["S", "N", "BOOL"].includes(typeOf(value));
}

// What rows ask the grid to do; the same object for all time, so that a row is drawn again only when
// something of its own has changed.
interface RowActions {
  choose: (cell: Cell) => void;
  edit: (cell: Cell) => void;
  endEdit: (text: string | null) => void;
  mark: (item: Item, on: boolean) => void;
}

interface RowProps {
  item: Item;
  index: number;
  columns: GridColumn[];
  expiry: string | null;
  active: number | null; // its cell that keys act on
  isEditing: boolean;
  isMarked: boolean;
  isFixed: boolean;
  isOpen: boolean;
  top: number;
  height: number;
  actions: RowActions;
}

const Row = memo(function Row(props: RowProps): JSX.Element {
  const { item, index, actions } = props;
  const now = Date.now() / 1000;
  return (
    <div
      class="vrow"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isMarked || props.isOpen}
      data-open={props.isOpen}
      style={{ transform: `translateY(${props.top}px)`, height: `${props.height}px` }}
    >
      <div role="gridcell" class="vbox">
        <input class="box" type="checkbox" tabIndex={-1} aria-label={`Mark row ${index + 1}`} checked={props.isMarked} disabled={props.isFixed} onChange={(event) => actions.mark(item, event.currentTarget.checked)} />
      </div>
      {props.columns.map((column, at) => {
        const value = cellOf(item, column.path);
        const isActive = props.active === at;
        return (
          <div
            key={at}
            id={isActive ? `cell-${index}-${at}` : undefined}
            role="gridcell"
            class={`${styleOf(value)}${value !== undefined && "N" in value ? " num" : ""}${isActive ? " active" : ""}`}
            onClick={() => actions.choose({ row: index, column: at })}
            onDblClick={() => actions.edit({ row: index, column: at })}
          >
            {isActive && props.isEditing
              ? <Editor value={value} onDone={actions.endEdit} />
              : <CellContent value={value} isExpiry={column.name === props.expiry} now={now} />}
          </div>
        );
      })}
    </div>
  );
});

export function Grid(props: GridProps): JSX.Element {
  const { rows, columns } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(600);
  const [cell, setCell] = useState<Cell>({ row: 0, column: 0 });
  const [editing, setEditing] = useState(false);
  const [base, setBase] = useState(0); // the first row in the document; it follows when scrolling is over
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const height = useRowHeight();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setView(element.clientHeight));
    watch.observe(element);
    return () => { watch.disconnect(); clearTimeout(settling.current); };
  }, []);
  const full = rows.length * height;
  const scale = full > HEIGHT_MAX ? full / HEIGHT_MAX : 1;
  const first = Math.max(0, Math.floor((top * scale) / height) - OVERSCAN);
  const pool = Math.ceil(view / height) + 2 * OVERSCAN + 1; // so many rows exist; one that leaves becomes one that comes
  const last = Math.min(rows.length, first + pool);
  const template = `44px ${columns.map((column) => `${column.width}px`).join(" ")} minmax(0, 1fr)`;
  const width = 44 + columns.reduce((sum, column) => sum + column.width, 0);

  const atSlot = (slot: number) => first + ((((base + slot - first) % pool) + pool) % pool);
  const onScroll = (position: number) => {
    setTop(position);
    clearTimeout(settling.current);
    settling.current = setTimeout(() => settle.current(), SETTLED_MS);
  };
  const settle = useRef(() => undefined as void);
  settle.current = () => { if (!editing) setBase(first); }; // who moves in the document loses the focus
  const show = (row: number) => {
    const element = scroller.current;
    if (element === null) return;
    const at = (row * height) / scale;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + height + 33 > element.scrollTop + element.clientHeight) element.scrollTop = at + height + 33 - element.clientHeight;
  };
  const move = (row: number, column: number, marking: boolean) => {
    const next = { row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    if (marking && !props.isFixed) props.onMark(rows.slice(Math.min(cell.row, next.row), Math.max(cell.row, next.row) + 1), true);
    setCell(next);
    show(next.row);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor(view / height) - 1);
    const control = event.ctrlKey || event.metaKey;
    const item = rows[cell.row];
    const steps: Record<string, [number, number]> = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], j: [1, 0], k: [-1, 0],
      PageDown: [page, 0], PageUp: [-page, 0], Home: [-rows.length, 0], End: [rows.length, 0],
    };
    const step = steps[event.key];
    if (step !== undefined && !control) move(cell.row + step[0], cell.column + step[1], event.shiftKey);
    else if (event.key === "Enter") props.onOpen(cell.row);
    else if (event.key === "F2" || (event.key === "e" && !control)) startEdit(cell);
    else if (event.key === " " && item !== undefined && !props.isFixed) props.onMark([item], !props.marks.has(item));
    else if (event.key === "x" && !control && !props.isFixed) props.onMark(rows, props.marks.size < rows.length);
    else if (event.key === "p" && !control) props.onPartition(cell.row);
    else if (event.key === "y" && !control) props.onCopy(cell, true);
    else if (event.key === "c" && control) props.onCopy(cell, false);
    else if (event.key === "Delete") props.onDelete();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const startEdit = (at: Cell) => {
    const column = columns[at.column];
    if (!props.isFixed && props.editsCells && column !== undefined && !column.isKey && column.path.length === 1 && canEdit(cellOf(rows[at.row], column.path))) {
      setCell(at);
      setEditing(true);
    } else props.onOpen(at.row);
  };
  const endEdit = (text: string | null) => {
    setEditing(false);
    scroller.current?.focus();
    const value = cellOf(rows[cell.row], columns[cell.column]?.path ?? []);
    if (text !== null && value !== undefined) props.onEdit(cell, text, typeOf(value));
  };
  const latest = useRef<RowActions | null>(null);
  latest.current = {
    choose: (at) => { setCell(at); props.onOpen(at.row); },
    edit: startEdit,
    endEdit,
    mark: (item, on) => props.onMark([item], on),
  };
  const actions = useMemo((): RowActions => ({
    choose: (at) => latest.current?.choose(at),
    edit: (at) => latest.current?.edit(at),
    endEdit: (text) => latest.current?.endEdit(text),
    mark: (item, on) => latest.current?.mark(item, on),
  }), []);
  return (
    <div
      ref={scroller}
      class="vgrid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={cell.row >= first && cell.row < last && columns.length > 0 ? `cell-${cell.row}-${cell.column}` : undefined}
      style={{ "--columns": template, "--width": `${width}px` }}
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
      onKeyDown={onKey}
    >
      <div class="vhead" role="row" aria-rowindex={1}>
        <div role="columnheader" class="vbox">
          <input class="box" type="checkbox" tabIndex={-1} aria-label="Mark all" checked={rows.length > 0 && props.marks.size === rows.length} disabled={props.isFixed} onChange={(event) => props.onMark(rows, event.currentTarget.checked)} />
        </div>
        {columns.map((column) => {
          const sorted = props.sort?.name === column.name;
          return (
            <div
              key={column.name}
              role="columnheader"
              class={`${column.isKey ? "key" : ""}${column.type === "N" ? " num" : ""}`}
              aria-sort={sorted ? (props.sort?.down === true ? "descending" : "ascending") : "none"}
              onClick={() => props.onSort(column.name)}
            >
              <span class="clip">{showText(column.name, 60)}{sorted ? (props.sort?.down === true ? " ↓" : " ↑") : ""}</span>
              <span class="type">{column.type ?? ""}</span>
            </div>
          );
        })}
      </div>
      <div class="vbody" role="rowgroup" style={{ height: `${Math.min(full, HEIGHT_MAX)}px` }}>
        {Array.from({ length: pool }, (_, slot) => {
          const index = atSlot(slot);
          const item = rows[index];
          if (item === undefined) return null;
          const active = cell.row === index ? cell.column : null;
          return (
            <Row
              key={index % pool}
              item={item}
              index={index}
              columns={columns}
              expiry={props.expiry}
              active={active}
              isEditing={editing && active !== null}
              isMarked={props.marks.has(item)}
              isFixed={props.isFixed}
              isOpen={props.open === index}
              top={scale === 1 ? index * height : top + (index * height - top * scale)}
              height={height}
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}
