// From the address to the view.

import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { tables, tablesFault } from "../api/tables.ts";
import { pathOf, place } from "../router.ts";
import { homeFault } from "../state.ts";
import { ChangesView } from "./changes.tsx";
import { EntitiesView } from "./entities/entities.tsx";
import { EventsView } from "./events/events.tsx";
import { MetricsView } from "./metrics.tsx";
import { RequestsView } from "./requests.tsx";
import { SessionsView } from "./sessions/sessions.tsx";
import { FaultState } from "./states.tsx";
import { TablePage } from "./table_page.tsx";
import { TablesView } from "./tables.tsx";
import { TasksView } from "./tasks/tasks.tsx";

export function View(): JSX.Element {
  const where = useComputed(() => place.value.parts.join("\n"));
  const [view = "tables", name] = where.value.split("\n");
  document.title = `${name ?? view} · Stator`;
  const fault = homeFault.value ?? tablesFault.value;
  if (fault !== null && tables.value === null) return <FaultState fault={fault} />;
  if (view === "tables" && name !== undefined && name !== "") return <TablePage name={name} />;
  if (view === "tables" || view === "") return <TablesView gone={null} />;
  if (view === "changes") return <ChangesView />;
  if (view === "requests") return <RequestsView />;
  if (view === "metrics") return <MetricsView />;
  if (view === "events") return <EventsView />;
  if (view === "tasks") return <TasksView />;
  if (view === "sessions") return <SessionsView />;
  if (view === "entities") return <EntitiesView />;
  return (
    <div class="state padded">
      <h1>There is no view here</h1>
      <p class="quiet">Addresses begin with <span class="mono">{pathOf("tables")}</span>.</p>
    </div>
  );
}
