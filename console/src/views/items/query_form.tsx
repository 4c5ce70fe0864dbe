// The question: mode, table or index, keys and filters, without any syntax to know.

import { Fragment, type JSX } from "preact";
import type { TableInfo } from "../../api/tables.ts";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { type Condition, FILTER_OPERATORS, KEY_OPERATORS, type Mode, type Operator, type Question, type ScalarType, WORDS, groupsOf, joined, pathOf, valuesOf, withoutFilter } from "../../value/query.ts";
import { count } from "../../value/show.ts";
import { shapeOf, statementName, statementText } from "../../value/statement.ts";
import type { Column } from "./columns.ts";
import { StatementField } from "./statement_field.tsx";

const SCALARS: readonly ScalarType[] = ["S", "N", "BOOL", "B", "NULL"];

export function keysOf(table: TableInfo, index: string | null): Pick<TableInfo, "pk" | "sk"> {
  return table.indexes.find((other) => other.name === index) ?? table;
}

export function emptyQuestion(table: TableInfo, mode: Mode, index: string | null): Question {
  const keys = keysOf(table, index);
  return { mode, index, pk: mode === "query" ? { path: keys.pk.name, op: "eq", type: keys.pk.type, values: [""] } : null, sk: null, filters: [], descending: false, statement: "" };
}

// What a statement begins with: the partition that was asked for.
function firstStatement(table: TableInfo, question: Question): string {
  const from = `SELECT * FROM ${[table.name, ...(question.index === null ? [] : [question.index])].map(statementName).join(".")}`;
  const text = question.pk?.values[0] ?? "";
  if (question.pk === null || text === "" || question.pk.type === "B") return from;
  return `${from}\nWHERE ${statementName(question.pk.path)} = ${question.pk.type === "N" ? text : statementText(text)}`;
}

// The same question in another mode or on another index. What was asked of its keys by filters becomes a condition of
// a query, which takes no filters on them.
function carried(table: TableInfo, question: Question, mode: Mode, index: string | null): Question {
  const next = { ...emptyQuestion(table, mode, index), filters: question.filters, descending: question.descending };
  if (mode !== "query") return next;
  const keys = keysOf(table, index);
  const alone = groupsOf(question.filters).flatMap((group) => (group.length === 1 ? group : []));
  const pk = alone.find((filter) => filter.path === pathOf(keys.pk.name) && filter.op === "eq" && filter.type === keys.pk.type);
  const sk = alone.find((filter) => keys.sk !== null && filter.path === pathOf(keys.sk.name) && KEY_OPERATORS.includes(filter.op) && filter.type === keys.sk.type);
  const former = index === question.index && question.pk !== null ? question.pk : next.pk;
  return { ...next, pk: pk ?? former, sk: sk ?? null, filters: question.filters.filter((filter) => filter !== pk && filter !== sk) };
}

interface FieldProps {
  condition: Condition;
  label: string;
  kind: "pk" | "sk" | "filter";
  columns: readonly Column[];
  onChange: (condition: Condition) => void;
  onRemove: (() => void) | null;
  onOr?: () => void; // of a filter behind another one
}

function typeFor(columns: readonly Column[], path: string): ScalarType | null {
  const type = columns.find((column) => column.path.map(pathOf).join(".") === path)?.type;
  return type !== undefined && type !== null && (SCALARS as readonly string[]).includes(type) ? (type as ScalarType) : null;
}

function ConditionField({ condition, label, kind, columns, onChange, onRemove, onOr }: FieldProps): JSX.Element {
  const operators: readonly Operator[] = kind === "filter" ? FILTER_OPERATORS : KEY_OPERATORS;
  const setValue = (at: number, text: string) => {
    const values = [...condition.values];
    values[at] = text;
    onChange({ ...condition, values });
  };
  const onBackspace = (event: KeyboardEvent) => {
    if (event.key === "Backspace" && onRemove !== null && (event.currentTarget as HTMLInputElement).value === "") {
      event.preventDefault();
      onRemove();
    }
    if (event.key === "|" && kind === "filter" && onOr !== undefined && condition.path === "") {
      event.preventDefault();
      onOr();
    }
  };
  return (
    <span class="field condition mono" data-condition={kind}>
      {kind === "filter"
        ? <input class="attr" aria-label="Attribute" placeholder="attribute" list="attribute-names" spellcheck={false} autocomplete="off" value={condition.path} size={Math.max(7, condition.path.length)} onInput={(event) => { const path = event.currentTarget.value; onChange({ ...condition, path, type: typeFor(columns, path) ?? condition.type }); }} onKeyDown={onBackspace} />
        : <span class="name">{label}</span>}
      {kind === "pk"
        ? <span class="op">=</span>
        : <select class="op" aria-label={`Operator of ${label}`} value={condition.op} onChange={(event) => onChange({ ...condition, op: event.currentTarget.value as Operator })}>{operators.map((op) => <option key={op} value={op}>{WORDS[op]}</option>)}</select>}
      {Array.from({ length: valuesOf(condition.op) }, (_, at) => (
        <>
          {at === 1 && <span class="op">and</span>}
          <input
            key={at}
            class={condition.type === "N" ? "v-n" : ""}
            aria-label={`${at === 1 ? "Upper value" : "Value"} of ${label}`}
            placeholder={condition.op === "in" ? "a, b, c" : condition.op === "type" ? "S, N, M …" : "value"}
            autocomplete="off"
            spellcheck={false}
            list={kind === "pk" ? "partition-values" : undefined}
            value={condition.values[at] ?? ""}
            size={Math.max(6, Math.min(40, (condition.values[at] ?? "").length + 1))}
            onInput={(event) => setValue(at, event.currentTarget.value)}
            onKeyDown={at === 0 ? onBackspace : undefined}
          />
        </>
      ))}
      {kind === "filter" && valuesOf(condition.op) > 0 && condition.op !== "type" && condition.op !== "size"
        ? <select class="type" aria-label={`Type of ${label}`} value={condition.type} onChange={(event) => onChange({ ...condition, type: event.currentTarget.value as ScalarType })}>{SCALARS.map((type) => <option key={type} value={type}>{type}</option>)}</select>
        : kind !== "filter" && <span class="type">{condition.type}</span>}
      {onRemove !== null && <button class="button plain tiny" type="button" aria-label={`Remove the condition on ${label}`} onClick={onRemove}><Icon name="close" /></button>}
    </span>
  );
}

// What it will do, before it does it.
export function forecast(table: TableInfo, question: Question): { text: string; isWarning: boolean } {
  if (question.mode === "partiql") {
    const { isRead, verb } = shapeOf(question.statement);
    if (!isRead && verb !== "") return { text: `${verb} changes an item, and asks first.`, isWarning: true };
    return { text: "A SELECT that names a partition is a query; anything else reads the whole table or index.", isWarning: false };
  }
  if (question.mode === "query") return { text: "Query: reads the items of one partition.", isWarning: false };
  const equals = groupsOf(question.filters).find(([filter, ...others]) => filter?.op === "eq" && others.length === 0)?.[0];
  const index = [{ name: null as string | null, pk: table.pk }, ...table.indexes].find((one) => equals !== undefined && pathOf(one.pk.name) === equals.path);
  const better = index === undefined ? "" : ` A query on ${index.name ?? "the table"} answers this.`;
  const units = Math.max(1, Math.ceil(table.bytes / 8192));
  return { text: `Scan: reads all ${count(table.items, "item")}, about ${count(units, "unit")}.${better}`, isWarning: table.bytes > 10_000_000 || index !== undefined };
}

export interface FormProps {
  table: TableInfo;
  question: Question;
  columns: readonly Column[];
  partitions: readonly string[]; // values of the partition key that were seen
  running: boolean;
  fault: string | null;
  refused: { statement: string; message: string } | null; // by the server
  onChange: (question: Question) => void;
  onRun: () => void;
  onStop: () => void;
}

export function QueryForm(props: FormProps): JSX.Element {
  const { table, question, onChange } = props;
  const keys = keysOf(table, question.index);
  const said = forecast(table, question);
  const isStatement = question.mode === "partiql";
  const choose = (mode: Mode, index: string | null) => onChange(mode === "partiql" ? { ...emptyQuestion(table, mode, null), statement: firstStatement(table, question) } : carried(table, question, mode, index));
  const setFilter = (at: number, filter: Condition) => onChange({ ...question, filters: question.filters.map((other, place) => (place === at ? filter : other)) });
  const joinFilter = (at: number) => {
    const filter = question.filters[at];
    if (filter !== undefined) setFilter(at, joined(filter, filter.or !== true));
  };
  const removeFilter = (at: number) => onChange({ ...question, filters: withoutFilter(question.filters, at) });
  const addFilter = () => onChange({ ...question, filters: [...question.filters, { path: "", op: "eq", type: "S", values: [""] }] });
  return (
    <form class="query" aria-label="Query" onSubmit={(event) => { event.preventDefault(); props.onRun(); }}>
      <datalist id="attribute-names">{props.columns.map((column) => <option key={column.name} value={column.path.map(pathOf).join(".")} />)}</datalist>
      <datalist id="partition-values">{props.partitions.map((value) => <option key={value} value={value} />)}</datalist>
      <div class="line">
        <Tabs label="Mode" kind="segmented" tabs={[{ id: "query", name: "Query" }, { id: "scan", name: "Scan" }, { id: "partiql", name: "PartiQL" }]} chosen={question.mode} onChoose={(mode) => { if (mode !== question.mode) choose(mode, question.index); }} />
        {!isStatement && <select class="field" aria-label="Table or index" value={question.index ?? ""} onChange={(event) => choose(question.mode, event.currentTarget.value || null)}>
          <option value="">on the table</option>
          {table.indexes.map((index) => <option key={index.name} value={index.name}>on {index.name}</option>)}
        </select>}
        {question.mode === "query" && keys.sk !== null && (
          <select class="field only-wide" aria-label="Order" value={question.descending ? "desc" : "asc"} onChange={(event) => onChange({ ...question, descending: event.currentTarget.value === "desc" })}>
            <option value="asc">first to last</option><option value="desc">last to first</option>
          </select>
        )}
        <span class="grow" />
        {props.running
          ? <button class="button" type="button" onClick={props.onStop}>Stop</button>
          : <button class="button primary" type="submit">Run <span class="key only-wide">Ctrl Enter</span></button>}
      </div>
      {isStatement && <StatementField statement={question.statement} attributes={props.columns.filter((column) => column.path.length === 1).map((column) => column.name)} refused={props.refused} onChange={(statement) => onChange({ ...question, statement })} onRun={props.onRun} />}
      {!isStatement && <div class="line">
        {question.mode === "query" && question.pk !== null && (
          <ConditionField condition={question.pk} label={keys.pk.name} kind="pk" columns={props.columns} onChange={(pk) => onChange({ ...question, pk })} onRemove={null} />
        )}
        {question.mode === "query" && keys.sk !== null && (question.sk !== null
          ? <ConditionField condition={question.sk} label={keys.sk.name} kind="sk" columns={props.columns} onChange={(sk) => onChange({ ...question, sk })} onRemove={() => onChange({ ...question, sk: null })} />
          : <button class="button plain" type="button" onClick={() => onChange({ ...question, sk: { path: pathOf(keys.sk?.name ?? ""), op: keys.sk?.type === "S" ? "begins" : "eq", type: keys.sk?.type ?? "S", values: [""] } })}><Icon name="plus" /><span class="mono copper">{keys.sk.name}</span></button>)}
        {question.filters.map((filter, at) => {
          const label = filter.path === "" ? "attribute" : filter.path;
          return (
            <Fragment key={at}>
              {at > 0 && <button class="button plain small joint" type="button" title="and: both must hold; or: one suffices" aria-label={`${filter.or === true ? "or" : "and"}, before ${label}`} onClick={() => joinFilter(at)}>{filter.or === true ? "or" : "and"}</button>}
              <ConditionField condition={filter} label={label} kind="filter" columns={props.columns} onChange={(changed) => setFilter(at, changed)} onRemove={() => removeFilter(at)} {...(at === 0 ? {} : { onOr: () => joinFilter(at) })} />
            </Fragment>
          );
        })}
        <button class="button plain" type="button" onClick={addFilter}><Icon name="plus" />Filter</button>
      </div>}
      <p class={props.fault !== null ? "bad" : said.isWarning ? "warn" : "faint"} role={props.fault !== null ? "alert" : undefined}>{props.fault ?? said.text}</p>
    </form>
  );
}
