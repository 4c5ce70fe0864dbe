// Search or jump: views, tables, indexes, what this view can do, queries that ran, and a key typed
// out ("shop CUSTOMER#4711" offers that partition).

import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { type TableInfo, tables } from "../api/tables.ts";
import { recallList, remember, rememberFirst } from "../memory.ts";
import { say } from "../messages.ts";
import { VIEWS } from "../page_keys.ts";
import { addressOf, go } from "../router.ts";
import { home, keysAreOpen, newTableIsOpen, paletteIsOpen } from "../state.ts";
import { toggleTheme } from "../theme.ts";
import { toFragment } from "../value/address.ts";
import { fit } from "../value/fuzzy.ts";
import type { Question, ScalarType } from "../value/query.ts";
import { count, showText } from "../value/show.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { viewActions } from "./actions.ts";

interface Entry {
  icon: IconName;
  text: string;
  hint: string;
  run: () => void;
}

const SHOWN_MAX = 50;
const RECENT = "stator.palette";
export const RECENT_QUERIES = "stator.queries";

function partition(table: TableInfo, index: string | null, key: string): Question {
  const keys = table.indexes.find((other) => other.name === index) ?? table;
  const type: ScalarType = keys.pk.type;
  return { mode: "query", index, pk: { path: keys.pk.name, op: "eq", type, values: [key] }, sk: null, filters: [], descending: false, statement: "" };
}

// "shop CUSTOMER#4711": the partition of a table whose name is typed first.
function typedKeys(typed: string): Entry[] {
  const space = typed.indexOf(" ");
  if (space < 0) return [];
  const table = tables.value?.find((other) => other.name.toLowerCase() === typed.slice(0, space).toLowerCase());
  const key = typed.slice(space + 1).trim();
  if (table === undefined || key === "") return [];
  return [{
    icon: "key",
    text: `Partition ${showText(key, 60)}`,
    hint: `of ${table.name}`,
    run: () => go(["tables", table.name, "items"], toFragment(partition(table, null, key))),
  }];
}

function entries(): Entry[] {
  const list: Entry[] = VIEWS.map((view) => ({ icon: view.icon, text: view.name, hint: `g ${view.letter}`, run: () => go([view.path]) }));
  for (const action of viewActions.value) list.push({ icon: "play", text: action.text, hint: action.hint, run: action.run });
  for (const table of tables.value ?? []) {
    list.push({ icon: "table", text: table.name, hint: `table, ${count(table.items, "item")}`, run: () => go(["tables", table.name, "items"]) });
    for (const index of table.indexes) {
      list.push({ icon: "index", text: `Query ${index.name} of ${table.name}`, hint: "index", run: () => go(["tables", table.name, "items"], new URLSearchParams({ m: "query", on: index.name })) });
    }
  }
  list.push(
    { icon: "plus", text: "New table", hint: "action", run: () => { go(["tables"]); newTableIsOpen.value = true; } },
    { icon: "sun", text: "Dark or light", hint: "action", run: toggleTheme },
    { icon: "menu", text: "Keys of this view", hint: "?", run: () => { keysAreOpen.value = true; } },
    { icon: "remove", text: "Forget queries that ran", hint: "action", run: () => { remember(RECENT_QUERIES, "[]"); remember(RECENT, "[]"); say("Forgotten."); } },
  );
  if (home.value?.kind !== "remote") {
    for (const address of recallList(RECENT_QUERIES)) {
      const url = new URL(address, location.origin);
      if (url.origin !== location.origin) continue;
      list.push({ icon: "again", text: describeAddress(url), hint: "ran before", run: () => { history.pushState(null, "", url); dispatchEvent(new PopStateEvent("popstate")); } });
    }
  }
  return list;
}

function describeAddress(url: URL): string {
  const asked = new URLSearchParams(url.hash.slice(1));
  const parts = [asked.get("s"), asked.get("pk"), asked.get("sk"), ...asked.getAll("f")].filter((part) => part !== null);
  const table = decodeURIComponent(url.pathname.split("/")[3] ?? "");
  return showText(`${table}: ${parts.join(", ") || asked.get("m")}`, 90);
}

export function noteQuery(table: string, fragment: URLSearchParams): void {
  if (home.value?.kind !== "remote") rememberFirst(RECENT_QUERIES, addressOf(["tables", table, "items"], fragment), 30);
}

export function Palette(): JSX.Element {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(entries, []);
  const recent = useMemo(() => recallList(RECENT), []);
  const shown = useMemo(() => {
    const rank = (entry: Entry) => { const at = recent.indexOf(entry.text); return at < 0 ? 0 : 20 - at; };
    const fitting = all
      .map((entry) => ({ entry, score: fit(`${entry.text} ${entry.hint}`, typed) }))
      .filter((one): one is { entry: Entry; score: number } => one.score !== null)
      .sort((one, other) => other.score + rank(other.entry) - one.score - rank(one.entry))
      .map((one) => one.entry);
    return [...typedKeys(typed), ...fitting].slice(0, SHOWN_MAX);
  }, [typed]);
  const close = () => { paletteIsOpen.value = false; };
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    rememberFirst(RECENT, entry.text, 20);
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      const next = Math.max(0, Math.min(shown.length - 1, chosen + step));
      setChosen(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") run(shown[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search or jump" onClose={close}>
      <div class="palette">
        <div class="ask">
          <Icon name="search" />
          <input
            autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={shown.length > 0 ? `palette-${chosen}` : undefined}
            aria-label="Search or jump"
            placeholder="A view, a table, an action, or a table and a key"
            value={typed}
            onInput={(event) => { setTyped(event.currentTarget.value); setChosen(0); }}
            onKeyDown={onKey}
          />
        </div>
        <ul id="palette-list" role="listbox" aria-label="Places and actions" ref={list}>
          {shown.map((entry, index) => (
            <li key={index} id={`palette-${index}`} role="option" aria-selected={index === chosen} onClick={() => run(entry)}>
              <Icon name={entry.icon} /><span class="clip">{entry.text}</span><span class="faint">{entry.hint}</span>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p class="empty-line faint">Nothing fits.</p>}
      </div>
    </Dialog>
  );
}
