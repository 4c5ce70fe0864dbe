// Who projects the events, how far they are, and what stopped them.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, serverNow } from "../../api/client.ts";
import { type Projection, type Store, readProjections } from "../../api/events.ts";
import { Icon } from "../../parts/icon.tsx";
import { ago, count, showLines, showText } from "../../value/show.ts";
import { Empty, FaultState, Loading } from "../states.tsx";

const FRESH_MS = 120_000;
const TONES: { [phase: string]: string } = { caughtUp: "good", active: "good", catchingUp: "info", starting: "info", faulted: "bad" };
const WORDS: { [phase: string]: string } = { caughtUp: "caught up", catchingUp: "catching up" };
const wordOf = (words: { [phase: string]: string }, phase: string) => (Object.hasOwn(words, phase) ? words[phase] : undefined);

export function ProjectionList({ store }: { store: Store }): JSX.Element {
  const [rows, setRows] = useState<Projection[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = () => readProjections(store).then((found) => { setRows(found); setFault(null); }, (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  useEffect(() => { void read(); }, []);
  if (fault !== null) return <FaultState fault={fault} onRetry={() => void read()} />;
  if (rows === null) return <Loading />;
  if (rows.length === 0) return <Empty><p>No projection has said anything.</p><p class="quiet">Those that follow the store tell here how far they are.</p></Empty>;
  const now = serverNow();
  return (
    <div class="scroll padded" tabIndex={0} role="region" aria-label="Projections">
      <div class="line"><button class="button small" type="button" onClick={() => void read()}><Icon name="again" />Read again</button></div>
      <table class="list">
        <thead><tr><th scope="col">Projection</th><th scope="col">Instance</th><th scope="col">Phase</th><th scope="col" class="num">Applied</th><th scope="col" class="num">Behind</th><th scope="col" class="num">Said</th></tr></thead>
        <tbody>
          {rows.map((row) => {
            const age = row.recorded === null ? null : now - row.recorded;
            return (
              <tr key={JSON.stringify([row.name, row.version, row.instance])}>
                <td class="wrap"><b>{showText(row.name, 80)}</b> <span class="faint">{showText(row.version, 40)}</span>{row.message !== "" && <p class={row.phase === "faulted" ? "bad wrap" : "quiet wrap"}>{showLines(row.message, 1_000)}</p>}</td>
                <td class="mono wrap">{showText(row.instance, 60)}</td>
                <td><span class={`badge ${wordOf(TONES, row.phase) ?? ""}`}>{showText(wordOf(WORDS, row.phase) ?? row.phase, 24)}</span></td>
                <td class="num">{row.applied.toLocaleString("en")}</td>
                <td class="num">{row.isAtLeast && "at least "}{count(row.remaining, "event")}</td>
                <td class={age !== null && age > FRESH_MS ? "num warn" : "num faint"}>{age === null ? "—" : ago(age / 1000)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
