// Events: the log and its parts, an event among its neighbours, projections.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, openPage, picture, startServer } from "./fixtures.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const HOSTILE = "<img src=x onerror=hit()>";
const KEYS = { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" };
let server;
const stator = (...words) => execFileSync(PROGRAM, [...words, "--data", server.endpoint], { env: KEYS }).toString();
const append = (type, tags, payload, ...more) => stator("events", "append", type, "--service", "school", ...tags.flatMap((tag) => ["--tag", tag]), "--payload", payload, ...more);
const scan = async (table) => (await call(server.endpoint, "Scan", { TableName: table, ConsistentRead: true })).Items;

before(async () => {
  server = await startServer("--memory");
  stator("tables", "create", "--for", "events", "--no-recovery", "--no-deletion-protection");
  append("CourseDefined", ["course:c1"], '{"capacity":9007199254740993}');
  append("StudentCame", ["student:s1"], "{}");
  append("Subscribed", ["course:c1", "student:s1"], '{"seat":1}');
  append(HOSTILE, [`course:${HOSTILE}`], JSON.stringify({ [HOSTILE]: HOSTILE }));
  append("Subscribed", ["course:c1", "student:s2"], '{"seat":2}');
});
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path) => {
  const page = await openPage(server.endpoint);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${server.endpoint}/_stator/${path}`);
  return page;
};
const options = (folder, values) => {
  const file = join(folder, "options.json");
  writeFileSync(file, JSON.stringify(values));
  return file;
};
const drawer = (page) => page.getByRole("complementary", { name: "Event" });
const rows = (page) => page.getByRole("listbox", { name: "Events" }).getByRole("option");

test("the log shows what was appended, newest first, and by tag and type", async () => {
  const page = await open("tables");
  await page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: "Events" }).click();
  await page.getByText(/^5 events of 5/).waitFor();
  assert.match(await rows(page).first().innerText(), /^5\s[\s\S]*Subscribed[\s\S]*student:s2/);
  assert.match(await rows(page).last().innerText(), /^1\s[\s\S]*CourseDefined/);
  await checkAccess(page, "events");
  await picture(page, "events");
  await page.getByLabel("Tag or type").fill("course:c1");
  await page.keyboard.press("Enter");
  await page.getByText(/^3 events of 3/).waitFor();
  assert.match(page.url(), /q=course%3Ac1/);
  await page.reload();
  await page.getByText(/^3 events of 3/).waitFor();
  await page.getByLabel("Tag or type").fill("Subscribed");
  await page.keyboard.press("Enter");
  await page.getByText(/^2 events of 2/).waitFor();
  await page.goBack();
  await page.getByText(/^3 events of 3/).waitFor();
  await page.getByLabel("Tag or type").fill("course:none");
  await page.keyboard.press("Enter");
  await page.getByText("No event has this.").waitFor();
  await page.done();
});

test("an event has its payload, its tags, and its neighbours one step away", async () => {
  const page = await open("events/school");
  await page.getByText(/^5 events of 5/).waitFor();
  await page.getByRole("listbox", { name: "Events" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await drawer(page).getByText("9007199254740993").waitFor();
  await drawer(page).getByText("the first").first().waitFor();
  await drawer(page).getByRole("row", { name: /the log/ }).getByText("StudentCame 2").waitFor();
  await checkAccess(page, "an event");
  await picture(page, "event");
  await drawer(page).getByRole("row", { name: /^course:c1/ }).getByRole("button", { name: "Subscribed" }).click();
  await drawer(page).getByText('"seat": 1').waitFor();
  await drawer(page).getByRole("row", { name: /^student:s1/ }).getByText("StudentCame").waitFor();
  await drawer(page).getByRole("row", { name: /the log/ }).getByRole("button", { name: "StudentCame 2" }).click();
  await drawer(page).getByRole("row", { name: /the log/ }).getByRole("button", { name: "Subscribed 3" }).waitFor();
  await drawer(page).getByRole("region", { name: "Event" }).focus();
  await page.keyboard.press("ArrowRight");
  await drawer(page).getByText('"seat": 1').waitFor();
  await drawer(page).getByRole("button", { name: "student:s1" }).click();
  await page.getByText(/^2 events of 2/).waitFor();
  await page.goto(`${server.endpoint}/_stator/events/school#at=00000000-0000-4000-8000-000000000001`);
  await drawer(page).getByText("There is no such event.").waitFor();
  await page.done();
});

test("tags and types are listed with how many events they have", async () => {
  const page = await open("events/school/tags");
  await page.getByRole("option", { name: /course:c1\s*3/ }).waitFor();
  await checkAccess(page, "tags");
  await page.getByRole("link", { name: "Types" }).click();
  await page.getByRole("option", { name: /Subscribed\s*2/ }).click();
  await page.getByText(/^2 events of 2/).waitFor();
  await page.done();
});

test("projections say how far they are behind, and what stopped them", async () => {
  const log = (await scan("SekibanEvents")).filter((item) => item.eventType !== undefined).sort((one, other) => Number(one.position.N) - Number(other.position.N));
  const status = (instance, phase, at, message) => ({
    pk: { S: "SERVICE#school#PROJECTOR#seats" }, sk: { S: `STATUS#${Buffer.from(`1|${instance}`).toString("base64url")}` }, documentType: { S: "projectionStatus" }, serviceId: { S: "school" }, projectorName: { S: "seats" }, projectorVersion: { S: "1" },
    instance: { S: instance }, sequence: { N: "1" }, phase: { S: phase }, appliedCount: { N: "3" }, lastApplied: log[at].sortableUniqueId, lastTraversed: log[at].sortableUniqueId, statusVersion: { N: "1" }, recordedAtMicroseconds: { N: String(Date.now() * 1000) }, message: { S: message },
  });
  for (const Item of [status("i-1", "caughtUp", 4, ""), status("i-2", "faulted", 2, HOSTILE)]) await call(server.endpoint, "PutItem", { TableName: "SekibanProjectionStates", Item });
  const page = await open("events/school/projections");
  await page.getByRole("row", { name: /i-1.*caught up.*0 events/ }).waitFor();
  await page.getByRole("row", { name: /i-2.*faulted.*2 events/ }).getByText(HOSTILE).waitFor();
  await checkAccess(page, "projections");
  await picture(page, "projections");
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("a payload that is elsewhere says where, and none that is sealed is shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stator-blobs-"));
  const idOf = (line) => JSON.parse(line).id;
  const large = idOf(stator("events", "append", "Large", "--service", "elsewhere", "--payload", `"${"x".repeat(100_000)}"`, "--blobs", folder, "--options", options(folder, { offload_threshold_bytes: 10_000 }), "--json"));
  const sealed = idOf(stator("events", "append", "Sealed", "--service", "elsewhere", "--payload", '"secret"', "--subject", "s7", "--json"));
  const page = await open(`events/elsewhere#at=${large}`);
  await drawer(page).getByText("It is in the blob store, under elsewhere/").waitFor();
  await page.goto(`${server.endpoint}/_stator/events/elsewhere#at=${sealed}`);
  await drawer(page).getByText("It is sealed for subject s7").waitFor();
  assert.equal(await drawer(page).getByText("secret").count(), 0);
  await page.done();
  rmSync(folder, { recursive: true });
});

test("hostile types, tags, payloads and addresses are only words", async () => {
  const page = await open(`events/school#${new URLSearchParams({ q: `course:${HOSTILE}` })}`);
  await page.getByText(/^1 event of 1/).waitFor();
  await rows(page).first().click();
  await drawer(page).getByText(`"${HOSTILE}": "${HOSTILE}"`).waitFor();
  await page.goto(`${server.endpoint}/_stator/events/school#${new URLSearchParams({ q: HOSTILE })}`);
  await page.getByText(/^1 event of 1/).waitFor();
  for (const [path, said] of [[`events/${encodeURIComponent(HOSTILE)}`, "No events yet."], ["events/__proto__/tags", "No tags yet."], ["events/school/%00", /^5 events of/], ["events/none/projections", "No projection has said anything."], ["events/school#at=%3Cscript%3E", "There is no such event."]]) {
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/${path}`);
    await page.getByText(said).waitFor();
  }
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("the log follows what is appended; pages go on", async () => {
  stator("events", "append", "First", "--service", "busy", "--tag", "a:1", "--payload", "{}");
  const page = await open("events/busy");
  await page.getByText(/^1 event of 1/).waitFor();
  stator("events", "append", "Second", "--service", "busy", "--tag", "a:1", "--payload", "{}");
  await rows(page).filter({ hasText: "Second" }).waitFor();
  for (let at = 0; at < 120; at += 1) {
    const [one] = (await call(server.endpoint, "Query", { TableName: "SekibanEvents", IndexName: "GSI1", KeyConditionExpression: "gsi1pk = :p", ExpressionAttributeValues: { ":p": { S: "SERVICE#busy#ALL_EVENTS" } }, Limit: 1 })).Items;
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    await call(server.endpoint, "PutItem", { TableName: "SekibanEvents", Item: { ...one, pk: { S: `SERVICE#busy#EVENT#${id}` }, sk: { S: `EVENT#${id}` }, eventId: { S: id }, eventType: { S: `Old${at}` }, sortableUniqueId: { S: `0${String(at).padStart(one.sortableUniqueId.S.length - 1, "0")}` } } });
  }
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByText(/^100 events of/).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText(/^122 events of/).waitFor();
  await page.done();
});

test("no tables of events is said; on a phone, in light", async () => {
  const other = await startServer("--memory");
  const empty = await openPage(other.endpoint);
  await empty.goto(`${other.endpoint}/_stator/events`);
  await empty.getByText("There are no tables of events.").waitFor();
  await empty.done();
  await other.end();
  const phone = await openPage(server.endpoint, { viewport: { width: 360, height: 760 }, colorScheme: "light" });
  await phone.goto(`${server.endpoint}/_stator/events/school`);
  await phone.getByText(/^5 events of/).waitFor();
  await checkAccess(phone, "events on a phone");
  await rows(phone).first().click();
  await drawer(phone).getByText('"seat": 2').waitFor();
  await drawer(phone).getByText("the last").first().waitFor();
  await checkAccess(phone, "an event on a phone");
  await picture(phone, "event-phone");
  await phone.done();
});
