// How fluent the console is with 100,000 rows and with thousands of changes a second; for
// bench/console.py. Times are the main thread's own, as Chromium counts them, not those of the clock.

import { call, closeBrowser, makeTable, openPage, putAll, startServer } from "./fixtures.mjs";

const ROWS = Number(process.env.STATOR_ROWS ?? 100_000);
const SECONDS = Number(process.env.STATOR_SECONDS ?? 20);
const server = await startServer("--memory");
const page = await openPage(server.endpoint);
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");
const metrics = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map((one) => [one.name, one.value]));
const say = (name, value) => console.log(`${name.padEnd(52)} ${value}`);

await makeTable(server.endpoint, "rows", { stream: false });
const columns = Array.from({ length: 10 }, (_, index) => `column_${index}`);
for (let at = 0; at < ROWS; at += 10_000) {
  await putAll(server.endpoint, "rows", Array.from({ length: Math.min(10_000, ROWS - at) }, (_, offset) => ({
    pk: { S: "one" }, sk: { S: String(at + offset).padStart(7, "0") }, ...Object.fromEntries(columns.map((name, index) => [name, index % 2 ? { N: String(offset * index) } : { S: `value ${offset}` }])),
  })));
}
await page.goto(`${server.endpoint}/_stator/tables/rows/items#m=query&pk=S:one`);
for (;;) {
  const state = page.locator(".cost");
  await page.waitForFunction(() => document.querySelector(".cost .accent") === null, null, { timeout: 600_000 });
  if (new RegExp(`^\\D*one\\s*${ROWS.toLocaleString("en")}`).test((await state.innerText()).replace(/\n/g, " "))) break;
  await page.getByRole("button", { name: "Go on" }).click();
}
for (const step of [90, 900, 40_000]) {
  await page.evaluate(() => { document.querySelector(".vgrid").scrollTop = 0; });
  const before = await metrics();
  const frames = 60;
  await page.evaluate(([by, count]) => new Promise((resolve) => {
    const grid = document.querySelector(".vgrid");
    let left = count;
    const next = () => { grid.scrollTop += by; left -= 1; if (left > 0) requestAnimationFrame(next); else resolve(); };
    requestAnimationFrame(next);
  }), [step, frames]);
  const after = await metrics();
  const each = (name) => (((after[name] - before[name]) * 1000) / frames).toFixed(2);
  say(`scrolling ${ROWS} rows by ${step} px a frame`, `script ${each("ScriptDuration")} ms, style ${each("RecalcStyleDuration")} ms, layout ${each("LayoutDuration")} ms a frame`);
}
say("elements in the grid", await page.locator(".vgrid *").count());
say("heap", `${((await metrics()).JSHeapUsedSize / 1e6).toFixed(0)} MB`);
const start = await metrics();
await page.getByRole("columnheader", { name: "column_1", exact: false }).first().click();
await page.getByText("sorted what is loaded").waitFor();
say(`sorting ${ROWS} rows`, `${(((await metrics()).TaskDuration - start.TaskDuration) * 1000).toFixed(0)} ms`);

await makeTable(server.endpoint, "busy");
await page.goto(`${server.endpoint}/_stator/changes#in=busy`);
await page.getByText("Nothing has changed").waitFor();
await page.evaluate(() => { window.longest = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration); }).observe({ entryTypes: ["longtask"] }); });
const heap = (await metrics()).JSHeapUsedSize;
const ends = Date.now() + 1000 * SECONDS;
let written = 0;
await Promise.all(Array.from({ length: 8 }, async (_, worker) => {
  while (Date.now() < ends) {
    await call(server.endpoint, "BatchWriteItem", { RequestItems: { busy: Array.from({ length: 25 }, (_, index) => ({ PutRequest: { Item: { pk: { S: `p${worker}` }, sk: { S: String(index) }, n: { N: String(written + index) } } } })) } });
    written += 25;
  }
}));
say("changes a second", Math.round(written / SECONDS));
say("longest task of the page meanwhile", `${Math.round(await page.evaluate(() => window.longest))} ms`);
say("heap", `${(heap / 1e6).toFixed(0)} to ${((await metrics()).JSHeapUsedSize / 1e6).toFixed(0)} MB`);
await page.context().close();
await closeBrowser();
await server.end();
