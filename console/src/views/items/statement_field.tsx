// Where a statement is written: completed, and marked where the server could not read it.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { tables } from "../../api/tables.ts";
import { Editor } from "../../parts/editor.tsx";
import { faultPlace, statementWords } from "../../value/statement.ts";

export interface StatementFieldProps {
  statement: string;
  attributes: readonly string[]; // seen in what is shown
  refused: { statement: string; message: string } | null; // the last one, and why
  onChange: (statement: string) => void;
  onRun: () => void;
}

export function StatementField(props: StatementFieldProps): JSX.Element {
  const words = useMemo(() => statementWords(tables.value ?? [], props.attributes), [tables.value, props.attributes.join("\n")]);
  const { refused } = props;
  const fault = useMemo(() => (refused === null || refused.statement !== props.statement ? null : faultPlace(refused.statement, refused.message)), [refused?.statement, refused?.message, props.statement]);
  return (
    <div class="statement">
      <Editor label="Statement" language="sql" text={props.statement} words={words} fault={fault} onChange={props.onChange} onSubmit={props.onRun} />
      {fault !== null && <p class="bad" role="alert">It is about line {fault.line}, column {fault.column}.</p>}
    </div>
  );
}
