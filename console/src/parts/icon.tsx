// The few pictures that there are, each of them beside a word.

import type { JSX } from "preact";

const SHAPES = {
  search: <><circle cx="7" cy="7" r="4.5" /><path d="M10.5 10.5L14 14" /></>,
  table: <><rect x="2" y="2.5" width="12" height="11" rx="1.5" /><path d="M2 6.5h12M6.5 6.5v7" /></>,
  changes: <path d="M1.5 8h3l2-5 3 10 2-5h3" />,
  requests: <path d="M2 5h10M9 2l3 3-3 3M14 11H4M7 8l-3 3 3 3" />,
  metrics: <path d="M2 13.5h12M4 11V8M8 11V3M12 11V6" />,
  tasks: <><rect x="2" y="2" width="12" height="12" rx="2.5" /><path d="M5 8l2.2 2.2L11 6" /></>,
  sessions: <><circle cx="4" cy="4" r="2" /><circle cx="12" cy="8" r="2" /><circle cx="4" cy="12" r="2" /><path d="M6 4.5l4 2.6M6 11.5l4-2.6" /></>,
  events: <><path d="M3 2v12" /><circle cx="3" cy="4.5" r="1.5" /><circle cx="3" cy="11" r="1.5" /><path d="M7 4.5h7M7 11h5" /></>,
  entities: <><path d="M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8z" /><path d="M2.7 4.9L8 7.9l5.3-3M8 8v6" /></>,
  sun: <><circle cx="8" cy="8" r="3" /><path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" /></>,
  plus: <path d="M8 3v10M3 8h10" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  more: <><circle cx="3.5" cy="8" r=".8" /><circle cx="8" cy="8" r=".8" /><circle cx="12.5" cy="8" r=".8" /></>,
  columns: <><rect x="2" y="2.5" width="12" height="11" rx="1.5" /><path d="M6 2.5v11M10 2.5v11" /></>,
  code: <path d="M5 4.5L1.5 8 5 11.5M11 4.5L14.5 8 11 11.5" />,
  move: <path d="M8 2v8M5 5l3-3 3 3M2.5 10v2.5a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V10" />,
  copy: <><rect x="5" y="5" width="8.5" height="8.5" rx="1.5" /><path d="M11 5V3.5A1.5 1.5 0 0 0 9.5 2h-6A1.5 1.5 0 0 0 2 3.5v6A1.5 1.5 0 0 0 3.5 11H5" /></>,
  again: <path d="M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.5 2v3h3" />,
  moment: <><circle cx="8" cy="8" r="6" /><path d="M8 4.5V8l2.5 1.8" /></>,
  index: <path d="M2 3.5h12M4.5 8h7M6.5 12.5h3" />,
  key: <><circle cx="5" cy="8" r="2.5" /><path d="M7.5 8H14M12 8v2.5" /></>,
  menu: <path d="M2 4h12M2 8h12M2 12h12" />,
  pause: <path d="M5.5 3v10M10.5 3v10" />,
  play: <path d="M5 3l8 5-8 5z" />,
  filter: <path d="M2 4h12M4.5 8h7M6.5 12h3" />,
  remove: <path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5" />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{SHAPES[name]}</svg>;
}

export function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
      <circle cx="12" cy="12" r="10" />
      <circle cx="12" cy="12" r="3.2" />
      <path
        d="M12 2v4M12 18v4M2 12h4M18 12h4M4.9 4.9l2.8 2.8M16.3 16.3l2.8 2.8M19.1 4.9l-2.8 2.8M7.7 16.3l-2.8 2.8"
        stroke-linecap="round"
      />
    </svg>
  );
}
