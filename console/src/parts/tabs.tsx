// A row of choices of which one is shown.

import type { JSX } from "preact";

export interface Tab<T extends string> {
  id: T;
  name: string;
  count?: number;
}

export function Tabs<T extends string>(props: { label: string; tabs: readonly Tab<T>[]; chosen: T; onChoose: (id: T) => void; kind?: "tabs" | "segmented" }): JSX.Element {
  const choose = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex((tab) => tab.id === props.chosen);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = props.tabs[at + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    props.onChoose(next.id);
    const buttons = (event.currentTarget as HTMLElement).querySelectorAll("button");
    buttons[at + step]?.focus();
  };
  return (
    <div class={props.kind ?? "tabs"} role="tablist" aria-label={props.label} onKeyDown={choose}>
      {props.tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === props.chosen}
          tabIndex={tab.id === props.chosen ? 0 : -1}
          onClick={() => props.onChoose(tab.id)}
        >
          {tab.name}
          {tab.count !== undefined && <span class="count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
