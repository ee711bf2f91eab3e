import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "./lib/children.js";
import { fillLists, SECRET_KEY } from "./lib/fill-lists.js";
import { startHermod } from "./lib/hermod.js";
import { inTurn } from "./lib/in-turn.js";
import { listRoutes, questionsOf } from "./lib/list-samples.js";
import { loadAverage, machine } from "./lib/machine.js";
import { messageBodies } from "./lib/message.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { cpuSeconds } from "./lib/process-usage.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { percentile, spread } from "./lib/statistics.js";
import { figure, range, table } from "./lib/table.js";

const MOST_MS = 100;
const READERS = 20;
/** As far as a list is followed for its deep page: 20,000 entries. */
const DEEP_PAGES = 200;
const PAGE_MAX = 100;
const SETTINGS = { HERMOD_SECRET_KEYS: SECRET_KEY };
const PACED_MS = 1_000;

/** How the lists are read while messages are sent. */
const READINGS = /** @type {const} */ ([
  { name: "no lists", readers: 0, pauseMs: 0 },
  { name: `${READERS} lists a second`, readers: READERS, pauseMs: PACED_MS },
  { name: `${READERS} lists at any time`, readers: READERS, pauseMs: 0 },
]);

/**
 * @typedef {object} Row
 * @property {string} route
 * @property {string} question
 * @property {number} p50
 * @property {number} p95
 * @property {number} p99
 * @property {number | undefined} cpuMs CPU time of Hermod's process for one page: it says something on a busy machine, too
 * @property {number} found entries of the page
 */

/**
 * How long pages of every list of the session API take, and what sending loses while lists are read.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 */
export async function lists(values, cleanUp) {
  const messages = readCount(values, "messages", 300_000);
  const entries = readCount(values, "entries", 5_000);
  const runs = readCount(values, "runs", 40);
  const rounds = readCount(values, "rounds", 3);
  const seconds = readCount(values, "seconds", 5);
  const kept = readText(values, "data");
  if (kept) mkdirSync(kept, { recursive: true });
  const directory = kept ?? makeRunDirectory(readText(values, "dir"), cleanUp);
  const data = path.join(path.resolve(directory), "data");
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const start = () => startHermod({ roles: "edge,core", directory: data, settings: SETTINGS, cleanUp });

  if (!existsSync(path.join(data, "first-run.json"))) await (await start()).stop();
  const { filled, session } = await fillLists(data, { messages, entries });
  const loadBefore = loadAverage();
  const hermod = await start();
  const origin = new URL(hermod.sendUrl).origin;
  const headers = { cookie: `hermod=${session}`, "sec-fetch-site": "same-origin" };
  const ask = async (/** @type {string} */ url) => {
    const response = await fetch(`${origin}${url}`, { headers });
    const body = await response.json();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
    return body;
  };

  /** @type {Row[]} */
  const rows = [];
  const firstPages = [];
  for (const route of listRoutes()) {
    const questions = questionsOf(route, filled);
    firstPages.push(questions[0]?.url ?? "");
    if (route.isPaged) {
      const deep = await deepPage(questions[0]?.url ?? "", ask);
      if (deep) questions.push(deep);
    }
    for (const { name, url } of questions) {
      const row = {
        route: route.path,
        question: name,
        ...(await timesOf(url, { ask, runs, pid: hermod.pid })),
      };
      rows.push(row);
      process.stderr.write(`${route.path} ${name}: p95 ${figure(row.p95)} ms, CPU ${figure(row.cpuMs)} ms\n`);
    }
  }
  const shares = await sharesOf({ hermod, firstPages, ask, rounds, seconds, cleanUp });
  const loadAverages = { before: loadBefore, after: loadAverage() };
  const result = { ...about, loadAverages, messages, entries, runs, rows, shares };
  print(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  await hermod.stop();
  return true;
}

/**
 * @param {string} url
 * @param {{ ask: (url: string) => Promise<any>, runs: number, pid: number }} options
 */
async function timesOf(url, { ask, runs, pid }) {
  const times = new Float64Array(runs);
  let found = 0;
  await ask(url);
  const before = cpuSeconds(pid);
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    found = (await ask(url)).data.length;
    times[run] = performance.now() - began;
  }
  const after = cpuSeconds(pid);
  times.sort();
  const [p50, p95, p99] = [percentile(times, 0.5), percentile(times, 0.95), percentile(times, 0.99)];
  const cpuMs = before && after && ((after.process - before.process) * 1_000) / runs;
  return { p50, p95, p99, cpuMs, found };
}

/**
 * The last page of a list, or one that is far behind the first.
 * @param {string} url of its first page
 * @param {(url: string) => Promise<any>} ask
 */
async function deepPage(url, ask) {
  const pageAt = (/** @type {number} */ limit, /** @type {string} */ cursor) => {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
    return `${url}${url.includes("?") ? "&" : "?"}${query}`;
  };
  let [cursor, pages] = ["", 0];
  while (pages < DEEP_PAGES) {
    const body = await ask(pageAt(PAGE_MAX, cursor));
    if (!body.has_more) break;
    cursor = body.next_cursor;
    pages++;
  }
  return pages === 0 ? undefined : { name: `page ${2 * pages + 1}`, url: pageAt(PAGE_MAX / 2, cursor) };
}

/**
 * Messages accepted in a second, without lists and beside them, in turn.
 * @param {{
 *   hermod: import("./lib/hermod.js").Hermod,
 *   firstPages: readonly string[],
 *   ask: (url: string) => Promise<any>,
 *   rounds: number,
 *   seconds: number,
 *   cleanUp: import("./lib/clean-up.js").CleanUp,
 * }} parts
 */
async function sharesOf({ hermod, firstPages, ask, rounds, seconds, cleanUp }) {
  const load = startChild("http-load", cleanUp);
  const { sendUrl: url, apiKey, sender, pid } = hermod;
  const bodies = messageBodies(sender);
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    for (const { name, readers, pauseMs } of inTurn(READINGS, round)) {
      let [answers, isOver] = [0, false];
      const read = async (/** @type {number} */ reader) => {
        // They do not all begin at one moment.
        await sleep((reader * pauseMs) / READERS);
        for (let turn = reader; !isOver; turn++) {
          const began = performance.now();
          await ask(firstPages[turn % firstPages.length] ?? "");
          answers++;
          await sleep(Math.max(0, pauseMs - (performance.now() - began)));
        }
      };
      const reading = Array.from({ length: readers }, (_, reader) => read(reader));
      const warmUp = { warmUpSeconds: 1 };
      const answer = await load.ask({ url, apiKey, bodies, connections: 32, seconds, pid, ...warmUp });
      isOver = true;
      await Promise.all(reading);
      const cpu = answer.cpu && (answer.cpu.process * 1_000) / answer.accepted;
      const { acceptedPerSecond: perSecond, failed } = answer;
      measured.push({ name, round, perSecond, failed, cpuMs: cpu, listsPerSecond: answers / (seconds + 1) });
      process.stderr.write(`round ${round}, ${name}: ${figure(perSecond)} messages/s\n`);
    }
  }
  return measured;
}

/** @param {any} result */
function print({ machine: on, command, loadAverages, messages, entries, runs, rows, shares }) {
  const { before, after } = loadAverages;
  const over = (/** @type {Row} */ { p95 }) => (p95 > MOST_MS ? `> ${MOST_MS}` : "");
  const head = `${messages} messages, ${entries} of anything else (or its limit), ${runs} of each; load average before ${figure(before)}, after ${figure(after)}`;
  const cells = rows.map((/** @type {Row} */ row) => [
    ...[
      `${row.route}  ${row.question}`,
      figure(row.p50),
      figure(row.p95),
      figure(row.p99),
      figure(row.cpuMs),
    ],
    ...[String(row.found), over(row)],
  ]);
  const late = rows.filter((/** @type {Row} */ { p95 }) => p95 > MOST_MS).length;
  const lines = READINGS.map(({ name }) => {
    const own = shares.filter((/** @type {any} */ one) => one.name === name);
    const ratios = own.map((/** @type {any} */ one) => {
      const alone = shares.find(
        (/** @type {any} */ other) => other.round === one.round && other.name === READINGS[0].name,
      );
      return one.perSecond / alone.perSecond;
    });
    const of = (/** @type {string} */ key) => spread(own.map((/** @type {any} */ one) => one[key]));
    return [
      name,
      range(of("perSecond")),
      range(spread(ratios)),
      figure(of("cpuMs").median),
      figure(of("listsPerSecond").median),
    ];
  });
  process.stdout.write(
    `${[
      ...["", on, head, command, ""],
      table(["list", "p50 ms", "p95 ms", "p99 ms", "CPU ms", "found", "over"], cells),
      ...["", `${late} of ${rows.length} pages have a p95 over ${MOST_MS} ms`, ""],
      table(["sending beside", "accepted/s", "of no lists", "CPU ms/message", "lists/s"], lines),
    ].join("\n")}\n`,
  );
}
