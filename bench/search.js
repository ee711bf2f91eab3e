import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../dist/src/engine/start-embedded-engine.js";
import { readAddressFilter } from "../dist/src/message/search/filter.js";
import { readQuery } from "../dist/src/message/search/query.js";
import { subjectWords } from "../dist/src/message/search/words.js";
import { createIndexes } from "../dist/src/store/indexes.js";
import { createSealing } from "../dist/src/store/sealing/sealing.js";
import { createStore } from "../dist/src/store/store.js";
import { counterReads, fillCounters } from "./lib/account-counters.js";
import { machine } from "./lib/machine.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { sampleMessage } from "./lib/sample-message.js";
import { percentile } from "./lib/statistics.js";
import { figure, table } from "./lib/table.js";

const DAYS = 30;
const DAY_MS = 86_400_000;
const BATCH = 64;
const PAGE = 50;
const ACCEPT_ROUNDS = 5;
/** Ten users with one search per second. */
const SEARCHES_PER_SECOND = 10;
const ACCOUNT = "acc_01k9z4c3r8h2v6y0n5t7w1x3q9";

/** @typedef {import("../dist/src/message/search/filter.js").MessageFilter} Filter */

/** @param {number} number @param {Date} at */
function message(number, at) {
  const rare = number % 1_000;
  const state = rare < 30 ? "bounced" : rare < 40 ? "deferred" : rare === 40 ? "complained" : "delivered";
  return {
    ...sampleMessage(number, at, state),
    accountId: ACCOUNT,
    keyId: `key_${number % 10}`,
    attempts: 1,
    expireAt: new Date(Date.now() + 60 * DAY_MS),
  };
}

/** @param {number} count @param {Date} end @returns {[string, Filter][]} */
function searches(count, end) {
  const some = () => Math.floor(Math.random() * count);
  const number = some();
  const day = new Date(end.getTime() - Math.random() * DAYS * DAY_MS);
  return [
    ["nothing", {}],
    ["recipient", { recipient: readAddressFilter(message(number, end).recipient) }],
    ["domain of the recipient", { recipient: readAddressFilter(`@mail${number % 2_003}.example`) }],
    ["words of the recipient", { recipient: readAddressFilter(`person${(number * 7_919) % 500_009}`) }],
    ["nobody's address", { recipient: readAddressFilter("nobody@nowhere.example") }],
    ["sender", { sender: readAddressFilter("order@shop1.example") }],
    ["two words of the subject", { subject: subjectWords("shipped receipt") }],
    ["a rare word of the subject", { subject: subjectWords(String(number % 100_000)) }],
    ["tag", { tags: [`tag${number % 20}`] }],
    ["metadata", { metadata: { order: String(number) } }],
    ["state delivered", { states: ["delivered"] }],
    ["state bounced", { states: ["bounced"] }],
    ["state complained, of a tag", { states: ["complained"], tags: ["tag0"] }],
    ["state queued: none is", { states: ["queued"] }],
    ["category", { category: "spam" }],
    ["policy of most", { policy: "default" }],
    ["policy of few", { policy: "rare" }],
    ["key and source", { keyId: "key_3", source: "smtp" }],
    ["query: a frequent word", { query: readQuery("order").conditions }],
    ["query: three words", { query: readQuery("order shipped receipt").conditions }],
    ["query: a rare word", { query: readQuery(`person${(number * 7_919) % 500_009}`).conditions }],
    ["query: an address", { query: readQuery(message(number, end).recipient).conditions }],
    ["query: domain, state, tag", { query: readQuery("@shop1.example state:bounced tag:all").conditions }],
    ["query: words that never meet", { query: readQuery("shop1 shop2").conditions }],
    ["query: a Message-ID", { query: readQuery(message(number, end).headerMessageId).conditions }],
    ["provider", { provider: `mail${number % 2_003}.example` }],
    ["opened by nobody", { opened: false }],
    ["opened: none is", { opened: true }],
    ["two tags that never meet", { tags: ["tag3", "tag4"] }],
    ["tag of one day", { tags: [`tag${number % 20}`], from: day, until: new Date(day.getTime() + DAY_MS) }],
    [
      "word, tag, state, policy, month",
      { subject: ["order"], tags: ["all"], states: ["delivered"], policy: "default" },
    ],
  ];
}

/**
 * Database queries of a search, and the indexes that they use.
 * @param {MongoClient} client @param {import("mongodb").Db} db @param {() => Promise<unknown>} work
 */
async function plansOf(client, db, work) {
  /** @type {import("mongodb").Document[]} */
  const finds = [];
  /** @param {import("mongodb").CommandStartedEvent} event */
  const note = ({ commandName, command }) => {
    if (commandName !== "find") return;
    const { find, filter, sort, limit, projection } = command;
    finds.push({
      find,
      filter,
      ...(sort && { sort }),
      ...(limit && { limit }),
      ...(projection && { projection }),
    });
  };
  client.on("commandStarted", note);
  await work();
  client.off("commandStarted", note);
  const plans = [];
  for (const find of finds) {
    const { queryPlanner, executionStats } = await db.command({ explain: find, verbosity: "executionStats" });
    const { nReturned, totalKeysExamined, totalDocsExamined } = executionStats;
    const index = JSON.stringify(queryPlanner.winningPlan).match(
      /"(?:indexName":"[^"]+|stage":"(?:COLLSCAN|IDHACK|CLUSTERED_IXSCAN))/g,
    );
    const by = (index ?? ["none"]).map((one) => one.split('"').at(-1)).join(", ");
    plans.push({
      collection: find.find,
      by,
      keys: totalKeysExamined,
      documents: totalDocsExamined,
      found: nReturned,
    });
  }
  return plans;
}

/**
 * How long a page of each filter and each question to the counters takes, and what accepting loses while searches run: on
 * the store itself.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 */
export async function search(values, cleanUp) {
  const count = readCount(values, "messages", 2_000_000);
  const runs = readCount(values, "rounds", 200);
  const acceptMs = readCount(values, "seconds", 3) * 1_000;
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const engine = process.env.MONGODB_URL ? undefined : await startEmbeddedEngine({ directory });
  const client = new MongoClient(engine?.url ?? process.env.MONGODB_URL ?? "", {
    writeConcern: { w: "majority", journal: true },
    monitorCommands: true,
  });
  const db = client.db(`hermod_search_${process.pid}`);
  try {
    await createIndexes(db);
    const { acrossAccounts, forAccount } = createStore(db, createSealing([randomBytes(32)]));
    const { messages: own } = forAccount(ACCOUNT);
    const end = new Date();
    const stop = new AbortController().signal;
    const compact = () => acrossAccounts.search.compact(new Date(), stop);
    let stored = 0;
    const store = async (/** @type {number} */ size, /** @type {(number: number) => Date} */ at) => {
      const batch = Array.from({ length: size }, () => message(stored, at(stored++)));
      await acrossAccounts.messages.insertMany(/** @type {never} */ (batch));
    };
    const startMs = end.getTime() - DAYS * DAY_MS;
    const filledAt = performance.now();
    while (stored < count) {
      await Promise.all(
        Array.from({ length: 4 }, () =>
          store(BATCH, (number) => new Date(startMs + (number / count) * DAYS * DAY_MS)),
        ),
      );
      if (stored % (BATCH * 512) === 0) {
        await compact();
        const rate = figure(stored / ((performance.now() - filledAt) / 1_000));
        process.stderr.write(`${stored} of ${count} messages stored and indexed, ${rate}/s\n`);
      }
    }
    await compact();
    await fillCounters(db, ACCOUNT, end);

    const rows = [];
    const names = searches(count, end).map(([name]) => name);
    const pageOf = async (/** @type {Filter} */ filter) =>
      (await own.list({ filter, limit: PAGE })).messages.length;
    /** Each run searches for something else. @type {[string, () => Promise<number>][]} */
    const tasks = names.map((name, place) => [
      name,
      () => pageOf(/** @type {[string, Filter]} */ (searches(count, end)[place])[1]),
    ]);
    tasks.push(
      [
        "a page with its last replies",
        async () => {
          const { messages } = await own.list({ limit: PAGE });
          await forAccount(ACCOUNT).events.lastReplies(messages);
          return messages.length;
        },
      ],
      ["count of all, to 10,000", () => own.countSpan({}, 10_001)],
      [
        "count of a tag, 1,000 of it",
        async () => (await own.list({ filter: { tags: ["tag3"] }, limit: 1_000 })).messages.length,
      ],
    );
    const reads = counterReads(db, ACCOUNT, end);
    for (const [name, work] of [...tasks, ...reads]) {
      const times = new Float64Array(runs);
      let found = 0;
      for (let run = 0; run < runs; run++) {
        const began = performance.now();
        found += await work();
        times[run] = performance.now() - began;
      }
      const first = times[0] ?? Number.NaN;
      times.sort();
      const ms = {
        name,
        first,
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        found: found / runs,
      };
      rows.push(ms);
      process.stderr.write(`${name}: p50 ${figure(ms.p50)} ms, p99 ${figure(ms.p99)} ms\n`);
    }

    // The embedded engine reports no plans.
    const plans = [];
    for (const [name, work] of engine ? [] : [...tasks, ...reads]) {
      const ofOne = await plansOf(client, db, work);
      for (const plan of ofOne) plans.push({ name, ...plan });
    }

    /** @param {boolean} isSearched */
    const accept = async (isSearched) => {
      const began = performance.now();
      const before = stored;
      const under = new Set();
      let run = 0;
      const timer = setInterval(() => {
        const [, filter] = /** @type {[string, Filter]} */ (searches(count, end)[run++ % names.length]);
        const searching = own.list({ filter, limit: PAGE }).finally(() => under.delete(searching));
        under.add(searching);
      }, 1_000 / SEARCHES_PER_SECOND);
      if (!isSearched) clearInterval(timer);
      while (performance.now() - began < acceptMs) {
        await Promise.all(Array.from({ length: 4 }, () => store(16, () => new Date())));
      }
      const rate = (stored - before) / ((performance.now() - began) / 1_000);
      clearInterval(timer);
      await Promise.all(under);
      await compact();
      return rate;
    };
    const shares = [];
    for (let round = 0; round < ACCEPT_ROUNDS; round++) {
      const alone = await accept(false);
      const searched = await accept(true);
      shares.push({ alone, searched, share: searched / alone });
    }

    console.log(
      `${about.machine}\n${about.command}\n${count} messages of ${DAYS} days, pages of ${PAGE}, ${runs} of each filter\n`,
    );
    const line = ({ name, first, p50, p99, found }) => [name, ...[first, p50, p99, found].map(figure)];
    console.log(table(["search by", "first ms", "p50 ms", "p99 ms", "found"], rows.map(line)));
    if (plans.length > 0) {
      console.log("\nquery plans of one search by each:");
      const cells = plans.map(({ name, collection, by, keys, documents, found }) => [
        ...[name, collection, by],
        ...[keys, documents, found].map(figure),
      ]);
      console.log(table(["search by", "collection", "index", "keys", "documents", "found"], cells));
    }
    console.log(`\nmessages stored in a second, alone and beside ${SEARCHES_PER_SECOND} searches a second:`);
    for (const { alone, searched, share } of shares)
      console.log(`${figure(alone)}  ${figure(searched)}  ${figure(100 * share)} %`);
    const json = readText(values, "json");
    if (json) writeFileSync(json, `${JSON.stringify({ ...about, count, rows, plans, shares }, null, 2)}\n`);
    return true;
  } finally {
    if (!engine) await db.dropDatabase();
    await client.close();
    await engine?.close();
  }
}
