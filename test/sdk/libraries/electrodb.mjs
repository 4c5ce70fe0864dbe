// ElectroDB: entities of one table, their indexes and collections, updates of every kind, batches,
// transactions, cursors.

import assert from "node:assert/strict";
import { createConversions } from "electrodb";
import { makeTable, open } from "./electrodb_entities.mjs";

const conditionFailed = /The conditional request failed/;
const cursorOf = ({ cursor }) => cursor;
const isbns = (result) => result.data.map(({ isbn }) => isbn);

export const programs = {
  "makes its table": makeTable,

  async "entities are created, read, patched and removed"(world) {
    const { book } = open(world);
    const { data } = await book.create({ isbn: "1", title: "Emma", copies: 2 }).go();
    assert.deepEqual(data, { isbn: "1", shelf: "new", title: "Emma", copies: 2 });
    assert.deepEqual((await book.get({ isbn: "1" }).go()).data, data);
    assert.equal((await book.get({ isbn: "none" }).go()).data, null);
    await assert.rejects(book.create({ isbn: "1" }).go(), conditionFailed);
    await assert.rejects(book.patch({ isbn: "2" }).set({ title: "-" }).go(), conditionFailed);
    const { data: patched } = await book
      .patch({ isbn: "1" })
      .set({ title: "Emma, again" })
      .go({ response: "all_new" });
    assert.equal(patched.title, "Emma, again");
    await book.remove({ isbn: "1" }).go();
    await assert.rejects(book.remove({ isbn: "1" }).go(), conditionFailed);
    assert.deepEqual((await book.delete({ isbn: "1" }).go({ response: "all_old" })).data, null);
  },

  async "updates of every kind"(world) {
    const { book } = open(world);
    const key = { isbn: "10" };
    await book.put({ ...key, pages: 100, genres: ["novel"], notes: ["a"], copies: 5 }).go();
    const { data } = await book
      .update(key)
      .set({ title: "Persuasion" })
      .add({ pages: 11, genres: ["satire", "classic"] })
      .subtract({ copies: 2 })
      .append({ notes: ["b", "c"] })
      .go({ response: "all_new" });
    assert.deepEqual(
      { ...data, genres: data.genres.sort() },
      {
        ...key,
        shelf: "new",
        title: "Persuasion",
        pages: 111,
        copies: 3,
        genres: ["classic", "novel", "satire"],
        notes: ["a", "b", "c"],
      },
    );
    await book
      .update(key)
      .delete({ genres: ["novel"] })
      .remove(["pages"])
      .data(({ notes, print, expires }, { set, ifNotExists }) => {
        set(notes[1], "B");
        set(print, { format: "paper", weight: 1 });
        ifNotExists(expires, 5);
      })
      .go();
    const { data: after } = await book
      .update(key)
      .data(({ print, notes }, { add, remove }) => {
        add(print.weight, 2);
        remove(notes[2]);
      })
      .go({ response: "all_new" });
    assert.deepEqual(after.print, { format: "paper", weight: 3 });
    assert.deepEqual(after.notes, ["a", "B"]);
    assert.deepEqual(after.genres.sort(), ["classic", "satire"]);
    assert.deepEqual([after.pages, after.expires], [undefined, 5]);
    const { data: changed } = await book
      .update(key)
      .add({ copies: 1 })
      .go({ response: "updated_new" });
    assert.equal(changed.copies, 4);
    const { data: upserted } = await book
      .upsert({ isbn: "11", title: "New", copies: 1 })
      .go({ response: "all_new" });
    assert.equal(upserted.title, "New");
  },

  async "conditions decide, and show what was in their way"(world) {
    const { book } = open(world);
    const key = { isbn: "20" };
    await book.put({ ...key, title: "Old", copies: 1 }).go();
    const write = (title, wanted) =>
      book
        .update(key)
        .set({ title })
        .where(({ copies, title: old }, op) => `${op.eq(copies, wanted)} AND ${op.exists(old)}`)
        .go({ returnOnConditionCheckFailure: "all_old", response: "all_new" });
    const refused = await write("Wrong", 2);
    assert.deepEqual([refused.rejected, refused.data.title], [true, "Old"]);
    const done = await write("Right", 1);
    assert.deepEqual([done.rejected, done.data.title], [false, "Right"]);
    const missing = await book
      .patch({ isbn: "21" })
      .set({ title: "-" })
      .go({ returnOnConditionCheckFailure: "all_old" });
    assert.deepEqual([missing.rejected, missing.data], [true, null]);
  },

  async "queries, filters, cursors and pages"(world) {
    const { book } = open(world);
    const titles = ["Amelia", "Cecilia", "Clarissa", "Evelina", "Pamela", "Shamela"];
    await book
      .put(titles.map((title, at) => ({ isbn: `3${at}`, shelf: "novels", title, pages: 100 * at })))
      .go();
    const shelf = () => book.query.shelf({ shelf: "novels" });
    assert.deepEqual(isbns(await shelf().go()), ["30", "31", "32", "33", "34", "35"]);
    assert.deepEqual(isbns(await shelf().go({ order: "desc", limit: 2 })), ["35", "34"]);
    assert.deepEqual(isbns(await shelf().begins({ title: "C" }).go()), ["31", "32"]);
    assert.deepEqual(isbns(await shelf().gt({ title: "Evelina" }).go()), ["33", "34", "35"]);
    assert.deepEqual(isbns(await shelf().lte({ title: "Cecilia" }).go()), ["30"]);
    const between = shelf().between({ title: "Cecilia" }, { title: "Evelina" });
    assert.deepEqual(isbns(await between.go()), ["31", "32"]);
    const filtered = shelf().where(
      ({ pages, title }, op) => `${op.between(pages, 100, 400)} AND ${op.contains(title, "el")}`,
    );
    assert.deepEqual(isbns(await filtered.go()), ["33", "34"]);
    assert.deepEqual((await shelf().go({ attributes: ["title"], limit: 1 })).data, [
      { title: "Amelia" },
    ]);
    const seen = [];
    let cursor = null;
    do {
      const page = await shelf().go({ cursor, limit: 4 });
      seen.push(...isbns(page));
      cursor = page.cursor;
    } while (cursor !== null && seen.length < 20);
    assert.deepEqual(seen, ["30", "31", "32", "33", "34", "35"]);
    assert.equal((await shelf().go({ count: 3 })).data.length, 3);
    assert.equal((await shelf().go({ pages: "all", limit: 1 })).data.length, 6);
    const found = await book.scan
      .where(({ shelf: name }, { eq }) => eq(name, "novels"))
      .go({ pages: "all" });
    assert.deepEqual(isbns(found).sort(), ["30", "31", "32", "33", "34", "35"]);
    const matched = await book.match({ shelf: "novels", title: "Pamela" }).go();
    assert.deepEqual(isbns(matched), ["34"]);
    const { fromComposite, byAccessPattern } = createConversions(book);
    assert.equal(fromComposite.toKeys({ isbn: "30" }).pk, "$library#isbn_30");
    assert.ok(
      byAccessPattern.shelf.fromCursor.toKeys(cursorOf(await shelf().go({ limit: 1 }))).gsi1pk,
    );
  },

  async "an index of several attributes"(world) {
    const { book } = open(world);
    await book
      .put(
        [1811, 1813, 1815].map((year) => ({
          isbn: `4${year}`,
          author: "Austen",
          city: "London",
          year,
        })),
      )
      .go();
    const of = (facts) => book.query.places(facts);
    const place = { author: "Austen", city: "London" };
    assert.deepEqual(isbns(await of(place).go()), ["41811", "41813", "41815"]);
    assert.deepEqual(isbns(await of(place).gt({ year: 1811 }).go({ limit: 1 })), ["41813"]);
    assert.deepEqual(isbns(await of({ ...place, year: 1815 }).go()), ["41815"]);
  },

  async "collections and local indexes"(world) {
    const { book, loan, library } = open(world);
    await book.put({ isbn: "50", shelf: "lent", title: "Lent" }).go();
    for (const [reader, due] of [
      ["ann", "2026-12-03"],
      ["bob", "2026-12-01"],
    ]) {
      await loan.create({ isbn: "50", shelf: "lent", reader, due }).go();
    }
    const { data } = await library.collections.shelved({ shelf: "lent" }).go();
    assert.deepEqual(
      data.book.map(({ title }) => title),
      ["Lent"],
    );
    assert.deepEqual(
      data.loan.map(({ reader }) => reader),
      ["ann", "bob"],
    );
    const { data: byDue } = await loan.query.due({ isbn: "50" }).go();
    assert.deepEqual(
      byDue.map(({ reader }) => reader),
      ["bob", "ann"],
    );
    const { data: late } = await loan.query.due({ isbn: "50" }).lt({ due: "2026-12-02" }).go();
    assert.deepEqual(
      late.map(({ reader }) => reader),
      ["bob"],
    );
  },

  async "batches beyond what one request holds"(world) {
    const { book } = open(world);
    const keys = Array.from({ length: 120 }, (_, at) => ({
      isbn: `6-${String(at).padStart(3, "0")}`,
    }));
    assert.deepEqual((await book.put(keys.slice(0, 60)).go()).unprocessed, []);
    const { data, unprocessed } = await book.get(keys).go({ concurrency: 2 });
    assert.deepEqual([data.length, unprocessed.length], [60, 0]);
    const ordered = await book.get(keys.slice(58, 62)).go({ preserveBatchOrder: true });
    assert.deepEqual(
      ordered.data.map((one) => one?.isbn ?? null),
      ["6-058", "6-059", null, null],
    );
    await book.delete(keys).go();
    assert.deepEqual((await book.get(keys).go()).data, []);
  },

  async transactions(world) {
    const { book, library } = open(world);
    await book
      .put([
        { isbn: "70", copies: 1 },
        { isbn: "71", copies: 0 },
      ])
      .go();
    const lend = (isbn, reader, token) =>
      library.transaction
        .write((entities) => [
          entities.loan.create({ isbn, reader, due: "2027-01-01" }).commit({ response: "all_old" }),
          entities.book
            .check({ isbn })
            .where(({ copies }, { gt }) => gt(copies, 0))
            .commit(),
        ])
        .go({ token });
    const good = await lend("70", "ann", "token-of-ann-70");
    assert.deepEqual(
      [good.canceled, good.data.map(({ rejected }) => rejected)],
      [false, [false, false]],
    );
    assert.deepEqual(await lend("70", "ann", "token-of-ann-70"), good, "told again, done once");
    const twice = await lend("70", "ann");
    assert.equal(twice.canceled, true);
    assert.deepEqual(
      [twice.data[0].code, twice.data[0].message, twice.data[0].item.reader],
      ["ConditionalCheckFailed", "The conditional request failed", "ann"],
    );
    const none = await lend("71", "bob");
    assert.deepEqual(
      none.data.map(({ code, message }) => [code, message]),
      [
        ["None", undefined],
        ["ConditionalCheckFailed", world.words.checkFailed],
      ],
    );
    const { data } = await library.transaction
      .get((entities) => [
        entities.loan.get({ isbn: "70", reader: "ann" }).commit(),
        entities.loan.get({ isbn: "71", reader: "bob" }).commit(),
      ])
      .go();
    assert.deepEqual(
      data.map(({ item }) => item?.reader ?? null),
      ["ann", null],
    );
  },

  async "what is refused"(world) {
    const { book } = open(world);
    const refused = (operation, options, message) =>
      assert.rejects(operation.go({ ...options, originalErr: true }), { message });
    const shelf = book.query.shelf({ shelf: "novels" });
    await refused(shelf, { params: { Limit: 0 } }, world.words.limitBelowOne);
    await refused(book.scan, { params: { Limit: -1 } }, world.words.limitBelowOne);
    await refused(book.get({ isbn: "1" }), { table: "nowhere" }, world.words.noTable);
    const large = book.put({ isbn: "80", print: { format: "x".repeat(409_600) } });
    await refused(large, {}, /^Item size has exceeded the maximum allowed size/);
  },
};
