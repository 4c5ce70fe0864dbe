// What a query cost, always: what was read against what is shown, units, time.

import type { JSX } from "preact";
import { Icon } from "../../parts/icon.tsx";
import { showMillis, showText, showUnits } from "../../value/show.ts";
import type { Outcome } from "./runner.ts";

export function CostLine(props: { outcome: Outcome | null; units: "read units" | "write units"; shown: number; partition: string | null; onGoOn: () => void; onColumns: () => void; onCode: () => void; onMoment: (() => void) | null }): JSX.Element {
  const { outcome } = props;
  const wasteful = outcome !== null && outcome.scanned !== null && outcome.scanned > 20 && props.shown * 10 < outcome.scanned;
  return (
    <div class="cost">
      {outcome === null
        ? <span>Nothing was asked yet.</span>
        : (
          <span class="cost-parts" role="status">
            {props.partition !== null && <span class="mono copper clip">{showText(props.partition, 60)}</span>}
            {outcome.scanned === null
              ? <span><b>{props.shown.toLocaleString("en")}</b> {outcome.done || outcome.running ? "" : "or more "}items</span>
              : <span class={wasteful ? "warn" : ""}><b>{props.shown.toLocaleString("en")}</b> of {outcome.done ? "" : "at least "}{outcome.scanned.toLocaleString("en")} items read</span>}
            <span><b>{showUnits(outcome.units)}</b> {props.units}</span>
            <span><b>{showMillis(outcome.ms)}</b> ms{outcome.pages > 1 && `, ${outcome.pages} pages`}</span>
            {outcome.running && <span class="accent">reading</span>}
          </span>
        )}
      {outcome !== null && !outcome.done && !outcome.running && <button class="button small" type="button" onClick={props.onGoOn}>Go on</button>}
      <span class="grow" />
      {props.onMoment !== null && <button class="button plain small" type="button" onClick={props.onMoment}><Icon name="moment" />As of</button>}
      <button class="button plain small" type="button" onClick={props.onColumns}><Icon name="columns" />Columns</button>
      <button class="button plain small" type="button" onClick={props.onCode}><Icon name="code" />Code</button>
    </div>
  );
}
