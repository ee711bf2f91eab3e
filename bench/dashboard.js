import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { startHermod } from "./lib/hermod.js";
import { loadAverage, machine } from "./lib/machine.js";
import { messageBodies } from "./lib/message.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { spread } from "./lib/statistics.js";
import { figure, range, table } from "./lib/table.js";

const PASSWORD = "violet harbour tantrum 83";
const SLOWED = 4;
const LONG_FRAME_MS = 50;
const CHANGES_PER_SECOND = 50;
const IDLE_MS = 1_000;
const PAGE = 100;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").CDPSession} Devtools */

/**
 * Pages of the dashboard in Chromium: bytes of the first one, time until it is of use on a slow processor, frames of a long
 * list that is scrolled through, and processor time of a list that changes.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>} whether all was measured
 */
export async function dashboard(values, cleanUp) {
  const rounds = readCount(values, "rounds", 5);
  const messages = readCount(values, "messages", 100_000);
  const seconds = readCount(values, "seconds", 10);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const hermod = await startHermod({ roles: "all", directory: path.join(directory, "data"), cleanUp });
  const cookie = await signIn(hermod);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  cleanUp.defer(() => browser.close());
  await send(hermod, 1);

  /** A browser that has loaded nothing yet. @returns {Promise<{ page: Page, devtools: Devtools }>} */
  async function visit() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    await context.addCookies([{ ...cookie, url: hermod.baseUrl }]);
    const page = await context.newPage();
    return { page, devtools: await context.newCDPSession(page) };
  }
  const address = `${hermod.baseUrl}/dashboard/messages`;

  const bytes = await bytesOfFirstPage(await visit(), address);
  /** @type {number[]} */
  const shownMs = [];
  /** @type {number[]} */
  const usableMs = [];
  for (let round = 0; round < rounds; round++) {
    const times = await timesOfFirstPage(await visit(), address);
    shownMs.push(times.shownMs);
    usableMs.push(times.usableMs);
  }
  const scrolled = await scrollThrough(await visit(), address, messages);
  const changed = await watchChanges(await visit(), address, hermod, seconds);

  const kilobytes = (/** @type {number} */ count) => `${(count / 1_000).toFixed(1)} kB`;
  process.stdout.write(`${machine(directory)}\nload ${loadAverage()}\n${commandLine()}\n\n`);
  process.stdout.write(
    `${table(
      ["first page, compressed", "requests", "bytes"],
      Object.entries(bytes).map(([kind, { requests, size }]) => [kind, String(requests), kilobytes(size)]),
    )}\n\n`,
  );
  process.stdout.write(
    `${table(
      ["", "min / median / max"],
      [
        [`shown, ms, processor slowed ${SLOWED} times`, range(spread(shownMs))],
        ["the same until it answers input", range(spread(usableMs))],
        [`rows scrolled through`, String(scrolled.rows)],
        [`frames`, String(scrolled.frames)],
        [`frames over ${LONG_FRAME_MS} ms`, String(scrolled.longFrames)],
        ["longest frame, ms", figure(scrolled.longestMs)],
        ["tasks of the page over 50 ms", String(scrolled.longTasks)],
        ["processor of the page, ms for a page of 100 rows", figure(scrolled.taskMsPerPage)],
        ["messages sent a second, each accepted and captured", figure(changed.perSecond)],
        ["processor of the page, % of one", figure(changed.percent)],
      ],
    )}\n`,
  );
  const file = readText(values, "json");
  if (file) writeFileSync(file, JSON.stringify({ bytes, shownMs, usableMs, scrolled, changed }, null, 2));
  await browser.close();
  await hermod.stop();
  return scrolled.rows >= messages;
}

/** @param {{ page: Page, devtools: Devtools }} visit @param {string} address */
async function bytesOfFirstPage({ page, devtools }, address) {
  /** @type {Map<string, string>} */
  const kinds = new Map();
  /** @type {Record<string, { requests: number, size: number }>} */
  const bytes = { all: { requests: 0, size: 0 } };
  await devtools.send("Network.enable");
  devtools.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    for (const kind of ["all", kinds.get(requestId) ?? "other"]) {
      const { requests, size } = bytes[kind] ?? { requests: 0, size: 0 };
      bytes[kind] = { requests: requests + 1, size: size + encodedDataLength };
    }
  });
  await page.goto(address);
  await page.locator("tbody tr").first().waitFor();
  await sleep(IDLE_MS);
  await page.context().close();
  return bytes;
}

/** Runs in the page: notes when its heading is there, and when its last long task of the start has ended. */
function noteStart() {
  const noted = { shownMs: 0, longTaskEndMs: 0, longTasks: 0 };
  Object.assign(globalThis, { noted });
  const { document, MutationObserver, PerformanceObserver } = /** @type {any} */ (globalThis);
  new MutationObserver(() => {
    if (noted.shownMs === 0 && document.querySelector("main tbody tr")) noted.shownMs = performance.now();
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((/** @type {any} */ list) => {
    for (const { startTime, duration } of list.getEntries()) {
      noted.longTasks++;
      noted.longTaskEndMs = startTime + duration;
    }
  }).observe({ type: "longtask", buffered: true });
}

/** @param {{ page: Page, devtools: Devtools }} visit @param {string} address */
async function timesOfFirstPage({ page, devtools }, address) {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.addInitScript(noteStart);
  await page.goto(address);
  await page.locator("tbody tr").first().waitFor();
  await sleep(2 * IDLE_MS);
  const { shownMs, longTaskEndMs } = await page.evaluate(() => /** @type {any} */ (globalThis).noted);
  await page.context().close();
  return { shownMs, usableMs: Math.max(shownMs, longTaskEndMs) };
}

/**
 * Runs in the page: answers each page of the list but the first with copies of its first row. The page, not the server, is measured.
 * @param {{ pages: number, size: number }} wanted
 */
function answerPages({ pages, size }) {
  const ask = globalThis.fetch;
  /** @type {any} */
  let first;
  const answer = (/** @type {number} */ number) => {
    const data = Array.from({ length: size }, (_, index) => ({
      ...first,
      id: `${first.id.slice(0, -8)}${String(number * size + index).padStart(8, "0")}`,
    }));
    const rest =
      number + 1 < pages ? { has_more: true, next_cursor: String(number + 1) } : { has_more: false };
    return new Response(JSON.stringify({ data, ...rest }), {
      headers: { "content-type": "application/json" },
    });
  };
  globalThis.fetch = async (input, options) => {
    const url = new URL(input instanceof Request ? input.url : String(input), "http://localhost");
    if (url.pathname !== "/api/messages") return ask(input, options);
    const cursor = url.searchParams.get("cursor");
    if (cursor !== null) return answer(Number(cursor));
    const { data } = await (await ask(input, options)).json();
    first = data[0];
    return answer(0);
  };
}

/** Runs in the page: scrolls a screen in each frame until all rows are there. */
async function scrollToEnd(/** @type {number} */ rows) {
  const { document, window, requestAnimationFrame, noted } = /** @type {any} */ (globalThis);
  const result = { rows: 0, frames: 0, longFrames: 0, longestMs: 0, longTasks: 0 };
  const tasksBefore = noted.longTasks;
  const isEnd = () => /\b(?:all|All)\b/.test(document.querySelector(".foot")?.textContent ?? "");
  let last = performance.now();
  while (!isEnd()) {
    window.scrollBy(0, window.innerHeight);
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    result.frames++;
    if (now - last > 50) result.longFrames++;
    result.longestMs = Math.max(result.longestMs, now - last);
    last = now;
  }
  result.longTasks = noted.longTasks - tasksBefore;
  result.rows = rows;
  return result;
}

/** @param {{ page: Page, devtools: Devtools }} visit @param {string} address @param {number} rows */
async function scrollThrough({ page, devtools }, address, rows) {
  const pages = Math.ceil(rows / PAGE);
  await page.addInitScript(noteStart);
  await page.addInitScript(answerPages, { pages, size: PAGE });
  await page.goto(address);
  await page.locator("tbody tr").nth(5).waitFor();
  await devtools.send("Performance.enable");
  const before = await taskSeconds(devtools);
  const scrolled = await page.evaluate(scrollToEnd, rows);
  const taskMsPerPage = ((await taskSeconds(devtools)) - before) * (1_000 / pages);
  await page.context().close();
  return { ...scrolled, taskMsPerPage };
}

/**
 * @param {{ page: Page, devtools: Devtools }} visit @param {string} address
 * @param {import("./lib/hermod.js").Hermod} hermod @param {number} seconds
 */
async function watchChanges({ page, devtools }, address, hermod, seconds) {
  await page.goto(address);
  await page.locator("tbody tr").first().waitFor();
  await devtools.send("Performance.enable");
  await sleep(IDLE_MS);
  const [before, beganMs] = [await taskSeconds(devtools), performance.now()];
  let sent = 0;
  while (performance.now() - beganMs < seconds * 1_000) {
    // Each message is accepted and captured: two changes.
    const due = Math.ceil(((performance.now() - beganMs) / 1_000) * (CHANGES_PER_SECOND / 2)) - sent;
    if (due > 0) await send(hermod, due);
    sent += Math.max(0, due);
    await sleep(20);
  }
  const wallS = (performance.now() - beganMs) / 1_000;
  const percent = (((await taskSeconds(devtools)) - before) / wallS) * 100;
  await page.context().close();
  return { sent, perSecond: sent / wallS, percent };
}

/** Seconds of the processor that tasks of the page have taken. @param {Devtools} devtools */
async function taskSeconds(devtools) {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

/** @param {import("./lib/hermod.js").Hermod} hermod @param {number} count */
async function send({ sendUrl, apiKey, sender }, count) {
  const [body = ""] = messageBodies(sender);
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  const ask = () => fetch(sendUrl, { method: "POST", headers, body });
  for (const answer of await Promise.all(Array.from({ length: count }, ask)))
    if (!answer.ok) throw new Error(`A message was refused: ${await answer.text()}`);
}

/**
 * Signs in as the first user, and replaces the initial password.
 * @param {import("./lib/hermod.js").Hermod} hermod
 * @returns {Promise<{ name: string, value: string }>} the cookie
 */
async function signIn({ baseUrl, dashboard: { email, password } }) {
  let cookie = "";
  const post = async (/** @type {string} */ route, /** @type {object} */ body) => {
    const headers = { "content-type": "application/json", origin: baseUrl, cookie };
    const answer = await fetch(baseUrl + route, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${route} answered ${answer.status}.`);
    cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
  };
  await post("/api/session", { email, password });
  await post("/api/session/password", { current_password: password, new_password: PASSWORD });
  const [name = "", value = ""] = cookie.split("=", 2);
  return { name, value };
}
