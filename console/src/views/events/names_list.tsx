// The tags or the types of a service, each with how many events it has.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type Named, type Store, readNames } from "../../api/events.ts";
import { VirtualList } from "../../parts/virtual_list.tsx";
import { go } from "../../router.ts";
import { count, showText } from "../../value/show.ts";
import { Empty, FaultState, Loading } from "../states.tsx";

export function NamesList({ store, kind }: { store: Store; kind: "tags" | "types" }): JSX.Element {
  const [names, setNames] = useState<Named[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = () => readNames(store, kind).then((found) => { setNames(found); setFault(null); }, (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  useEffect(() => { void read(); }, []);
  if (fault !== null) return <FaultState fault={fault} onRetry={() => void read()} />;
  if (names === null) return <Loading />;
  if (names.length === 0) return <Empty><p>No {kind} yet.</p></Empty>;
  return (
    <div class="pane">
      <div class="list-head names-row" aria-hidden="true"><span>{kind === "tags" ? "Tag" : "Type"}</span><span class="num">Events</span></div>
      <VirtualList label={kind === "tags" ? "Tags" : "Types"} rows={names} rowClass="names-row" keyOf={(row) => row.name} chosen={null} onChoose={(row) => go(["events", store.service], new URLSearchParams({ q: row.name }))} render={(row) => <><span class="mono clip">{showText(row.name, 120)}</span><span class="num">{row.events?.toLocaleString("en") ?? "—"}</span></>} />
      <footer class="status"><span>{names.length >= 500 ? "the first 500" : count(names.length, kind === "tags" ? "tag" : "type")}</span></footer>
    </div>
  );
}
