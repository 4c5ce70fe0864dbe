// How fluent the console is with 100,000 rows and with thousands of changes a second; for bench/console.py.
// "Frames" are the times between two calls of requestAnimationFrame, 16.7 ms when nothing is late; whatever else
// the machine does makes them longer. What the main thread does in them is processor time, so it does not.

import { call, closeBrowser, makeTable, openPage, putAll, startServer } from "./fixtures.mjs";

const ROWS = Number(process.env.STATOR_ROWS ?? 100_000);
const SECONDS = Number(process.env.STATOR_SECONDS ?? 20);
const RATE = Number(process.env.STATOR_CHANGES ?? 5_000);
const FRAMES = Number(process.env.STATOR_FRAMES ?? 180);
const BATCH = 25;
const server = await startServer("--memory");
const page = await openPage(server.endpoint);
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });
const metrics = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((one) => [one.name, one.value]));
const say = (name, value) => console.log(`${name.padEnd(44)} ${value}`);

// The frames while something happens, and what the main thread did.
async function measure(name, during) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.longest = 0;
    window.tasks = new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration); });
    window.tasks.observe({ entryTypes: ["longtask"] });
    let last = null;
    const tick = (now) => { if (last !== null) window.frames_.push(now - last); last = now; window.ticking = requestAnimationFrame(tick); };
    window.ticking = requestAnimationFrame(tick);
  });
  const before = await metrics();
  const start = performance.now();
  await during();
  const seconds = (performance.now() - start) / 1000;
  const after = await metrics();
  const { frames, longest } = await page.evaluate(() => { cancelAnimationFrame(window.ticking); window.tasks.disconnect(); return { frames: window.frames_, longest: window.longest }; });
  frames.sort((one, other) => one - other);
  const share = (part) => (frames[Math.min(frames.length - 1, Math.floor(frames.length * part))] ?? 0).toFixed(1);
  const each = (metric) => (((after[metric] - before[metric]) * 1000) / frames.length).toFixed(2);
  say(name, `frames ${share(0.5)} median, ${share(0.95)} p95, ${share(0.99)} p99, ${share(1)} longest ms (${(frames.length / seconds).toFixed(0)}/s)`);
  say("", `script ${each("ScriptDuration")}, style ${each("RecalcStyleDuration")}, layout ${each("LayoutDuration")} ms a frame; longest task ${longest === 0 ? "below 50" : Math.round(longest)} ms`);
}

async function fill() {
  await makeTable(server.endpoint, "rows", { stream: false });
  const columns = Array.from({ length: 10 }, (_, index) => `column_${index}`);
  for (let at = 0; at < ROWS; at += 10_000) {
    await putAll(server.endpoint, "rows", Array.from({ length: Math.min(10_000, ROWS - at) }, (_, offset) => ({
      pk: { S: "one" }, sk: { S: String(at + offset).padStart(7, "0") }, ...Object.fromEntries(columns.map((name, index) => [name, index % 2 ? { N: String(offset * index) } : { S: `value ${offset}` }])),
    })));
  }
}

async function readAll() {
  await page.evaluate(() => { location.hash = "#m=query&pk=S:one"; });
  await page.locator(".cost").getByText("pk = one").waitFor();
  for (;;) {
    await page.waitForFunction(() => document.querySelector(".cost .accent") === null, null, { timeout: 600_000 });
    if (new RegExp(`^\\D*one\\s*${ROWS.toLocaleString("en")}`).test((await page.locator(".cost").innerText()).replace(/\n/g, " "))) return;
    await page.getByRole("button", { name: "Go on" }).click();
  }
}

const scroll = (step) => page.evaluate(([by, count]) => new Promise((resolve) => {
  const grid = document.querySelector(".vgrid");
  grid.scrollTop = 0;
  let left = count;
  const next = () => { grid.scrollTop += by; left -= 1; if (left > 0) requestAnimationFrame(next); else resolve(); };
  requestAnimationFrame(next);
}), [step, FRAMES]);

// So many changes a second, evenly; the answer is how many there were.
async function change() {
  const start = performance.now();
  let written = 0;
  const write = async (worker) => {
    for (;;) {
      const seconds = (performance.now() - start) / 1000;
      if (seconds >= SECONDS) return;
      if (written >= seconds * RATE) {
        await new Promise((resolve) => { setTimeout(resolve, 5); });
        continue;
      }
      const from = written;
      written += BATCH;
      await call(server.endpoint, "BatchWriteItem", { RequestItems: { busy: Array.from({ length: BATCH }, (_, index) => ({ PutRequest: { Item: { pk: { S: `p${worker}` }, sk: { S: String(index) }, n: { N: String(from + index) }, state: { S: from % 2 ? "new" : "done" } } } })) } });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)));
  return Math.round(written / SECONDS);
}

const heap = async () => {
  await session.send("HeapProfiler.collectGarbage");
  return `${((await metrics()).JSHeapUsedSize / 1e6).toFixed(0)} MB`;
};

await fill();
await page.goto(`${server.endpoint}/_stator/tables/rows/items#m=query`);
await page.getByText("Nothing was asked yet.").waitFor();
await measure(`reading ${ROWS.toLocaleString("en")} rows`, readAll);
for (const step of [90, 900, 40_000]) await measure(`scrolling by ${step} px a frame`, () => scroll(step));
say("elements in the grid; heap", `${await page.locator(".vgrid *").count()}; ${await heap()}`);
await measure("sorting them", async () => {
  await page.getByRole("columnheader", { name: "column_1", exact: false }).first().click();
  await page.getByText("sorted what is loaded").waitFor();
});
await makeTable(server.endpoint, "busy");
await page.goto(`${server.endpoint}/_stator/changes#in=busy`);
await page.getByText("Nothing has changed").waitFor();
const heapBefore = await heap();
let rate = 0;
await measure(`${SECONDS} s of changes`, async () => { rate = await change(); });
say("changes a second; heap", `${rate}; ${heapBefore} to ${await heap()}`);
await page.getByRole("listbox", { name: "Changes" }).getByRole("option").first().waitFor();
await page.context().close();
await closeBrowser();
await server.end();
