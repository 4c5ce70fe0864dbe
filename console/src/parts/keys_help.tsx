// The keys of this view and of the page.

import type { JSX } from "preact";
import { type KeyAction, allKeys, lettersAreOff } from "../keys.ts";
import { keysAreOpen } from "../state.ts";
import { Dialog } from "./dialog.tsx";

function Row({ action }: { action: KeyAction }): JSX.Element {
  return (
    <div class="key-row">
      <dt>{action.keys.split(/[ +]/).map((key) => <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>)}</dt>
      <dd>{action.does}</dd>
    </div>
  );
}

export function KeysHelp(): JSX.Element {
  const { page, view } = allKeys();
  return (
    <Dialog title="Keys" onClose={() => { keysAreOpen.value = false; }}>
      <div class="key-list">
        {view.length > 0 && <dl aria-label="This view">{view.map((action) => <Row key={action.keys} action={action} />)}</dl>}
        <dl aria-label="Everywhere">{page.map((action) => <Row key={action.keys} action={action} />)}</dl>
      </div>
      <label class="line">
        <input class="box" type="checkbox" checked={!lettersAreOff.value} onChange={(event) => { lettersAreOff.value = !event.currentTarget.checked; }} />
        Single letters act
      </label>
      <div class="line end"><button class="button" type="button" onClick={() => { keysAreOpen.value = false; }}>Close</button></div>
    </Dialog>
  );
}
