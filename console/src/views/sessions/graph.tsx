// The steps of a session from left to right, each with its state in a word.

import type { JSX } from "preact";
import { type SessionRecord, stateOfStep, wordsOfStep } from "../../value/session.ts";
import { showText } from "../../value/show.ts";
import { type Workflow, layOut } from "../../value/workflow.ts";

const [WIDTH, HEIGHT, GAP, LINE] = [132, 50, 36, 62];
const GRAPH_MAX = 40; // steps; more are a list

interface Props {
  workflow: Workflow;
  records: readonly SessionRecord[];
  epochs: ReadonlyMap<string, number>;
  chosen: string | null;
  onChoose: (step: string) => void;
}

export function StepGraph({ workflow, records, epochs, chosen, onChoose }: Props): JSX.Element | null {
  if (workflow.steps.length === 0) return null;
  const label = (name: string) => `${showText(name, 60)} ${wordsOfStep(records, name)}${(epochs.get(name) ?? 0) > 0 ? ` epoch ${epochs.get(name)}` : ""}`;
  if (workflow.steps.length > GRAPH_MAX) {
    return (
      <div class="graph-box step-list" role="group" aria-label="Steps" tabIndex={0}>
        {workflow.steps.map((step) => <button key={step.name} class="button small" type="button" aria-pressed={step.name === chosen} onClick={() => onChoose(step.name)}>{label(step.name)}</button>)}
      </div>
    );
  }
  const places = layOut(workflow);
  const rows = Math.max(...places.map((place) => place.rows));
  const layers = Math.max(...places.map((place) => place.layer)) + 1;
  const height = rows * LINE + 12;
  const at = (name: string) => {
    const place = places.find((other) => other.step.name === name);
    return place === undefined ? null : { x: 1 + place.layer * (WIDTH + GAP), y: height / 2 + (place.row - (place.rows - 1) / 2) * LINE };
  };
  const press = (event: KeyboardEvent, name: string) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(name);
  };
  return (
    <div class="graph-box" tabIndex={0} role="region" aria-label="Steps of the session">
      <svg class="graph" viewBox={`0 0 ${layers * (WIDTH + GAP) - GAP + 2} ${height}`} role="group" aria-label="Steps" style={{ width: `${layers * (WIDTH + GAP) - GAP + 2}px`, height: `${height}px` }}>
        {places.flatMap(({ step }) => step.after.map((before) => {
          const [from, to] = [at(before), at(step.name)];
          if (from === null || to === null) return null;
          const [x1, x2] = [from.x + WIDTH, to.x];
          const middle = (x1 + x2) / 2;
          return <path key={`${before} ${step.name}`} class="edge" d={`M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${x2} ${to.y}`} />;
        }))}
        {places.map(({ step }) => {
          const spot = at(step.name) ?? { x: 0, y: 0 };
          const state = stateOfStep(records, step.name);
          const epoch = epochs.get(step.name) ?? 0;
          const top = spot.y - HEIGHT / 2;
          return (
            <g key={step.name} class={`node ${state}${step.name === chosen ? " chosen" : ""}`} role="button" tabindex={0} aria-pressed={step.name === chosen} onClick={() => onChoose(step.name)} onKeyDown={(event) => press(event, step.name)}>
              <rect x={spot.x} y={top} width={WIDTH} height={HEIGHT} rx="6" />
              <circle cx={spot.x + 14} cy={top + 19} r="3.5" />
              <text class="n1" x={spot.x + 25} y={top + 23}>{showText(step.name, 15)}</text>{" "}
              <text class="n2" x={spot.x + 14} y={top + 41}>{showText(wordsOfStep(records, step.name), 14)}</text>{" "}
              {epoch > 0 && <text class="n3" x={spot.x + WIDTH - 12} y={top + 41} text-anchor="end">epoch {epoch}</text>}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
