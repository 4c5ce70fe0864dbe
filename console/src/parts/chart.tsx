// A chart over time (uPlot), with the same figures as a table for who cannot see it.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";

export interface Series {
  name: string;
  colour: "accent" | "copper" | "text-3" | "bad";
  values: readonly (number | null)[];
}

export interface ChartProps {
  title: string;
  value: string;
  unit: string;
  at: readonly number[]; // seconds on any clock; the last is now
  series: readonly Series[];
  tall?: boolean;
  show?: (value: number) => string;
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300]; // between two marks

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function timeLabel(second: number): string {
  return second === 0 ? "now" : second > -60 ? `−${Math.round(-second)} s` : `−${Math.round(-second / 6) / 10} min`;
}

export function Chart(props: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [from, setFrom] = useState<number | null>(null); // the moment that is read, counted from the last one; null: now
  const height = props.tall === true ? 140 : 56;
  const end = props.at.at(-1) ?? 0;
  const data: uPlot.AlignedData = [props.at.map((at) => at - end), ...props.series.map((series) => [...series.values])];
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const axis = (shown: boolean): uPlot.Axis => ({ show: shown, stroke: token("text-3"), font: "11px sans-serif", grid: { stroke: token("line"), width: 1 }, ticks: { show: false }, size: shown ? 56 : 0 });
    const made = new uPlot({
      width: Math.max(80, element.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: false } },
      hooks: { setCursor: [(drawn) => {
        const index = drawn.cursor.idx;
        setFrom(index === null || index === undefined ? null : drawn.data[0].length - 1 - index);
      }] },
      padding: props.tall === true ? [8, 16, 2, 0] : [2, 0, 2, 0],
      scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [
        { ...axis(props.tall === true), size: props.tall === true ? 22 : 0, incrs: [...SECONDS], values: (_plot, splits) => splits.map(timeLabel) },
        { ...axis(props.tall === true), values: (_plot, splits) => splits.map((value) => (props.show ?? String)(value)) },
      ],
      series: [{}, ...props.series.map((series, index): uPlot.Series => ({
        stroke: token(series.colour),
        width: 1.5,
        points: { show: false },
        ...(index === 0 && props.series.length === 1 ? { fill: `${token(series.colour)}22` } : {}),
      }))],
    }, data, element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: Math.max(80, element.clientWidth), height }));
    watch.observe(element);
    const repaint = new MutationObserver(() => {
      props.series.forEach((series, index) => { const line = made.series[index + 1]; if (line !== undefined) line.stroke = () => token(series.colour); });
      made.redraw();
    });
    repaint.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => { watch.disconnect(); repaint.disconnect(); made.destroy(); };
  }, []);
  useEffect(() => plot.current?.setData(data), [props.at]);
  const show = props.show ?? ((value: number) => value.toFixed(1));
  const last = props.at.length - 1;
  const read = from === null ? null : Math.max(0, last - from);
  const reading = read === null ? null : `${timeLabel((props.at[read] ?? end) - end)}: ${props.series.map((series) => { const value = series.values[read]; return `${value === null || value === undefined ? "—" : show(value)} ${series.name}`; }).join(", ")}`;
  const onKey = (event: KeyboardEvent) => {
    const steps: { [key: string]: number } = { ArrowLeft: 1, ArrowRight: -1, Home: last, End: -last };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, (from ?? 0) + step));
    plot.current?.setCursor({ left: plot.current.valToPos((props.at[last - next] ?? end) - end, "x"), top: 0 }, false);
    setFrom(next);
  };
  const slider = props.tall === true && last > 0 ? { role: "slider" as const, tabIndex: 0, "aria-label": `${props.title}, at a moment`, "aria-valuemin": -last, "aria-valuemax": 0, "aria-valuenow": -(from ?? 0), "aria-valuetext": reading ?? props.value, onKeyDown: onKey } : { "aria-hidden": true as const };
  return (
    <section class={props.tall === true ? "chart tall" : "chart"} aria-label={props.title}>
      <h2>{props.title}</h2>
      <p class="value">{reading === null ? <>{props.value} <small>{props.unit}</small></> : <small>{reading}</small>}</p>
      <div ref={place} class="plot" {...slider} />
      {props.tall === true && (
        <details>
          <summary>As a table</summary>
          <table>
            <thead><tr><th scope="col">Seconds ago</th>{props.series.map((series) => <th key={series.name} scope="col" class="num">{series.name}</th>)}</tr></thead>
            <tbody>{props.at.slice(-20).map((at, index) => {
              const place = Math.max(0, props.at.length - 20) + index;
              return <tr key={at}><td>{Math.round(end - at)}</td>{props.series.map((series) => { const value = series.values[place]; return <td key={series.name} class="num">{value === null || value === undefined ? "—" : show(value)}</td>; })}</tr>;
            })}</tbody>
          </table>
        </details>
      )}
    </section>
  );
}
