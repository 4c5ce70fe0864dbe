// The frame: where we are at the side, what is shown beside it, one line of messages below.

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { isAway, signer, signOut } from "../api/client.ts";
import { hasEntities } from "../api/entities.ts";
import { tableNamed, tables } from "../api/tables.ts";
import { complain, copy, message, unsay } from "../messages.ts";
import { Dialog } from "../parts/dialog.tsx";
import { VIEWS, type ViewPlace } from "../page_keys.ts";
import { Icon, Mark } from "../parts/icon.tsx";
import { pins } from "../pins.ts";
import { pathOf, place } from "../router.ts";
import { home, isReadOnly, paletteIsOpen } from "../state.ts";
import { toggleTheme } from "../theme.ts";
import { eventTables } from "../value/event.ts";
import { isTaskTable } from "../value/task.ts";
import { sessionTables } from "./sessions/sessions.tsx";

const LIVE = VIEWS.filter((view) => view.group === "Live");

// Those that are there.
function stores(): readonly ViewPlace[] {
  const all = tables.value ?? [];
  const isThere: { [path: string]: boolean } = { tasks: all.some((table) => isTaskTable(table)), sessions: sessionTables(all).length > 0, events: eventTables(all).length > 0, entities: hasEntities.value };
  return VIEWS.filter((view) => view.group === "Stores" && isThere[view.path] === true);
}

function current(path: string): "page" | undefined {
  return (place.value.parts[0] ?? "tables") === path ? "page" : undefined;
}

function Side({ onHome }: { onHome: () => void }): JSX.Element {
  const { value } = home;
  const table = place.value.parts[0] === "tables" ? place.value.parts[1] : undefined;
  const beside = [...new Set([...pins.value.filter((name) => tableNamed(name) !== undefined), ...(table === undefined ? [] : [table])])];
  return (
    <aside class="side" aria-label="Stator">
      <a class="mark" href={pathOf("tables")}><Mark />Stator</a>
      <button class="home" type="button" onClick={onHome} title="Where this is">
        <span class={isAway.value ? "dot bad" : value?.kind === "remote" ? "dot warn" : "dot"} />
        <span class="mono clip">{value?.location ?? "…"}</span>
        <span class="faint">{isReadOnly.value ? "read only" : value?.durability ?? ""}</span>
      </button>
      <button class="jump" type="button" onClick={() => { paletteIsOpen.value = true; }}>
        <Icon name="search" />Search or jump<kbd>Ctrl K</kbd>
      </button>
      <nav class="nav" aria-label="Views">
        <h2>Data</h2>
        <a href={pathOf("tables")} aria-current={current("tables")}>
          <Icon name="table" /><span>Tables</span><span class="tally">{tables.value?.length ?? ""}</span>
        </a>
        {beside.length > 0 && <div class="sub">{beside.map((name) => <a key={name} class="clip" href={pathOf("tables", name, "items")} aria-current={name === table ? "true" : undefined}>{name}</a>)}</div>}
        {LIVE.length > 0 && <h2>Live</h2>}
        {LIVE.map((view) => (
          <a key={view.path} href={pathOf(view.path)} aria-current={current(view.path)}><Icon name={view.icon} /><span>{view.name}</span></a>
        ))}
        {stores().length > 0 && <h2>Stores</h2>}
        {stores().map((view) => (
          <a key={view.path} href={pathOf(view.path)} aria-current={current(view.path)}><Icon name={view.icon} /><span>{view.name}</span></a>
        ))}
      </nav>
      <footer>
        <span>{value?.version ?? ""} · {location.host}</span>
        <button class="button plain small square" type="button" aria-label="Dark or light" onClick={toggleTheme}><Icon name="sun" /></button>
      </footer>
    </aside>
  );
}

function HomeDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const { value } = home;
  const variables = `AWS_ENDPOINT_URL_DYNAMODB=${location.origin}\nAWS_REGION=${value?.region ?? "us-east-1"}`;
  return (
    <Dialog title="Where this is" onClose={onClose}>
      <dl class="facts">
        <dt>Location</dt><dd class="mono">{value?.location}</dd>
        <dt>Writes</dt><dd>{value?.durability === "relaxed" ? "acknowledged before they are synced" : value?.kind === "files" ? "synced before they are acknowledged" : "kept where the data are"}</dd>
        {isReadOnly.value && <><dt>Changes</dt><dd>refused: it was started with --read-only</dd></>}
        <dt>Region</dt><dd class="mono">{value?.region}</dd>
        <dt>Signed in</dt><dd class="mono">{signer.value?.accessKeyId ?? "nobody is asked"}</dd>
      </dl>
      <pre class="code" tabIndex={0} role="region" aria-label="Environment">{variables}</pre>
      <div class="line end">
        {signer.value !== null && <button class="button danger" type="button" onClick={() => { signOut(); window.location.reload(); }}>Sign out</button>}
        <button class="button" type="button" onClick={() => void copy(variables, "the environment")}><Icon name="copy" />Copy</button>
        <button class="button primary" type="button" onClick={onClose}>Close</button>
      </div>
    </Dialog>
  );
}

function MessageLine(): JSX.Element {
  const { value } = message;
  const undo = async () => {
    const back = value?.undo;
    unsay();
    try {
      await back?.();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div class="message" role="status" aria-live="polite" data-shown={value !== null}>
      {value !== null && <span class={value.isBad ? "bad" : ""}>{value.text}</span>}
      {value?.undo != null && <button class="button small" type="button" onClick={() => void undo()}>Undo</button>}
      {value !== null && <button class="button plain small square" type="button" aria-label="Dismiss" onClick={unsay}><Icon name="close" /></button>}
    </div>
  );
}

function Bottom(): JSX.Element {
  return (
    <nav class="bottom" aria-label="Views, below">
      <a href={pathOf("tables")} aria-current={current("tables")}><Icon name="table" />Tables</a>
      {LIVE.map((view) => <a key={view.path} href={pathOf(view.path)} aria-current={current(view.path)}><Icon name={view.icon} />{view.name}</a>)}
      <button type="button" onClick={() => { paletteIsOpen.value = true; }}><Icon name="menu" />More</button>
    </nav>
  );
}

export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const [showsHome, setShowsHome] = useState(false);
  const skip = (event: Event) => { event.preventDefault(); document.getElementById("main")?.focus(); };
  return (
    <div class={home.value?.kind === "remote" ? "shell remote" : "shell"}>
      <a class="skip" href="#main" onClick={skip}>Skip to content</a>
      <Side onHome={() => setShowsHome(true)} />
      <main class="main" id="main" tabIndex={-1}>
        {isAway.value && <p class="away" role="alert">The server does not answer. What is shown stays readable.</p>}
        {children}
      </main>
      <Bottom />
      <MessageLine />
      {showsHome && <HomeDialog onClose={() => setShowsHome(false)} />}
    </div>
  );
}
