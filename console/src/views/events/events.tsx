// Events of a service: the log, what was appended under a tag or a type, and who projects it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type Store, type Tables, openStore, readServices } from "../../api/events.ts";
import { tables } from "../../api/tables.ts";
import { ask, go, pathOf, place } from "../../router.ts";
import { eventTables } from "../../value/event.ts";
import { showText } from "../../value/show.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { EventLog } from "./event_log.tsx";
import { NamesList } from "./names_list.tsx";
import { ProjectionList } from "./projection_list.tsx";

const PAGES = [["log", "Log"], ["tags", "Tags"], ["types", "Types"], ["projections", "Projections"]] as const;

export function EventsView(): JSX.Element {
  const stores = eventTables(tables.value ?? []);
  const chosen = stores.find((store) => store.events.name === place.value.asked.get("in")) ?? stores[0];
  if (tables.value === null) return <Loading />;
  if (chosen === undefined) {
    return (
      <>
        <header class="head"><h1>Events</h1></header>
        <Empty><p>There are no tables of events.</p><p class="quiet"><span class="mono">stator tables create --for events</span> makes them.</p></Empty>
      </>
    );
  }
  return <Services key={chosen.events.name} stores={stores} chosen={chosen} />;
}

function Services({ stores, chosen }: { stores: Tables[]; chosen: Tables }): JSX.Element {
  const [services, setServices] = useState<string[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = () => readServices(chosen).then((names) => { setServices(names); setFault(null); }, (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  useEffect(() => { void read(); }, []);
  const named = place.value.parts[1];
  const service = named ?? services?.[0];
  const page = PAGES.find(([id]) => id === place.value.parts[2])?.[0] ?? "log";
  if (fault !== null && named === undefined) return <><header class="head"><h1>Events</h1></header><FaultState fault={fault} onRetry={() => void read()} /></>;
  if (service === undefined) return <><header class="head"><h1>Events</h1></header>{services === null ? <Loading /> : <Empty><p>No events yet.</p></Empty>}</>;
  const others = [...new Set([service, ...(services ?? [])])].sort();
  return (
    <>
      <header class="head">
        <h1>Events</h1>
        {stores.length > 1 && <select class="field" aria-label="Table" value={chosen.events.name} onChange={(event) => ask({ in: event.currentTarget.value, at: null }, true)}>{stores.map((store) => <option key={store.events.name} value={store.events.name}>{store.events.name}</option>)}</select>}
        <select class="field" aria-label="Service" value={service} onChange={(event) => go(["events", event.currentTarget.value])}>{others.map((name) => <option key={name} value={name}>{showText(name, 60)}</option>)}</select>
        <span class="grow" />
        <span id="head-actions" class="line" />
      </header>
      <nav class="tabs" aria-label="Events">
        {PAGES.map(([id, title]) => <a key={id} href={pathOf("events", service, ...(id === "log" ? [] : [id]))} aria-current={page === id ? "page" : undefined}>{title}</a>)}
      </nav>
      <Opened key={service} chosen={chosen} service={service} page={page} />
    </>
  );
}

function Opened({ chosen, service, page }: { chosen: Tables; service: string; page: (typeof PAGES)[number][0] }): JSX.Element {
  const [store, setStore] = useState<Store | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = () => openStore(chosen, service).then((opened) => { setStore(opened); setFault(null); }, (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  useEffect(() => { void read(); }, []);
  if (fault !== null) return <FaultState fault={fault} onRetry={() => void read()} />;
  if (store === null) return <Loading />;
  if (page === "projections") return <ProjectionList store={store} />;
  if (page !== "log") return <NamesList key={page} store={store} kind={page} />;
  const asked = place.value.asked.get("q") ?? "";
  return <EventLog key={asked} store={store} asked={asked} />;
}
