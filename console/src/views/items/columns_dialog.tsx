// Which columns are shown, and in which order.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { showText } from "../../value/show.ts";
import type { Column } from "./columns.ts";

export function ColumnsDialog(props: { all: Column[]; shown: string[]; onChoose: (names: string[] | null) => void; onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState("");
  const hidden = props.all.map((column) => column.name).filter((name) => !props.shown.includes(name));
  const fitting = [...props.shown, ...hidden].filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
  const toggle = (name: string, on: boolean) => props.onChoose(on ? [...props.shown, name] : props.shown.filter((other) => other !== name));
  const move = (name: string, step: number) => {
    const at = props.shown.indexOf(name);
    const next = [...props.shown];
    next.splice(at, 1);
    next.splice(Math.max(0, at + step), 0, name);
    props.onChoose(next);
  };
  return (
    <Dialog title="Columns" onClose={props.onClose}>
      <label class="field"><span class="hidden">Find a column</span><input placeholder="Find" autofocus value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
      <ul class="column-list" aria-label="Columns">
        {fitting.map((name) => {
          const isShown = props.shown.includes(name);
          const share = props.all.find((column) => column.name === name)?.share ?? 0;
          return (
            <li key={name} class="line">
              <label class="line grow clip"><input class="box" type="checkbox" checked={isShown} onChange={(event) => toggle(name, event.currentTarget.checked)} /><span class="mono clip">{showText(name, 60)}</span></label>
              <span class="faint">{Math.round(share * 100)} %</span>
              {isShown && <><button class="button plain tiny" type="button" aria-label={`Move ${name} left`} onClick={() => move(name, -1)}>←</button><button class="button plain tiny" type="button" aria-label={`Move ${name} right`} onClick={() => move(name, 1)}>→</button></>}
            </li>
          );
        })}
      </ul>
      <div class="line end"><button class="button plain" type="button" onClick={() => props.onChoose(null)}>As at first</button><button class="button primary" type="button" onClick={props.onClose}>Done</button></div>
    </Dialog>
  );
}
