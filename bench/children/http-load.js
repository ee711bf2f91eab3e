import { appendFileSync } from "node:fs";
import { connect } from "node:net";
import { cpuSeconds } from "../lib/process-usage.js";
import { serveParent } from "../lib/serve-parent.js";
import { percentile } from "../lib/statistics.js";

/**
 * The load generator: a process of its own with nothing but sockets, as it takes its CPU time from the same machine.
 * Each connection has one request under way; the next leaves when its answer is there.
 *
 * @typedef {object} Load
 * @property {string} url
 * @property {string} apiKey
 * @property {string[]} bodies sent in turn
 * @property {number} connections
 * @property {number} [warmUpSeconds]
 * @property {number} [seconds] how long to measure, at most
 * @property {number} [requests] how many requests to make, at most
 * @property {boolean} [toTheEnd] measures until the last answer is there: where many requests are answered together, a cut between them
 *   would count all of them or none
 * @property {number} [status] of the answers that count as accepted (202)
 * @property {number} [pid] the server; its CPU time is read at both ends of the measurement
 * @property {string} [idsFile] gets the message ids of all answers, a line each
 *
 * @typedef {object} LoadResult
 * @property {number} acceptedPerSecond within the measurement
 * @property {number} accepted within the measurement
 * @property {number} acceptedInAll from first to last, warm-up included
 * @property {number} failed other answers and lost connections, from first to last
 * @property {Record<string, number>} failures their kinds
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {import("../lib/process-usage.js").CpuSeconds} [cpu] of the server, within the measurement
 * @property {number} loadCpuSeconds of this process, within the measurement
 */

const HEAD_END = Buffer.from("\r\n\r\n");
const ID = /"message_id":"([^"]+)"/;

serveParent(run);

/**
 * @param {Load} load
 * @returns {Promise<LoadResult>}
 */
async function run(load) {
  const { warmUpSeconds = 0, seconds, requests = Number.POSITIVE_INFINITY, pid, idsFile } = load;
  const { status: accepting = 202, toTheEnd = false } = load;
  const target = new URL(load.url);
  const messages = load.bodies.map((body) => request(target, load.apiKey, body));
  /** @type {number[]} */
  let latencies = [];
  /** @type {string[]} */
  const ids = [];
  /** @type {Record<string, number>} */
  const failures = {};
  let sent = 0;
  let acceptedInAll = 0;
  let measuring = false;
  let stopping = false;

  const next = () => {
    if (stopping || sent >= requests) return undefined;
    return messages[sent++ % messages.length];
  };
  const fail = (/** @type {string} */ kind) => {
    failures[kind] = (failures[kind] ?? 0) + 1;
  };
  const done = (/** @type {number} */ status, /** @type {string} */ body, /** @type {number} */ ms) => {
    if (status !== accepting) return fail(`HTTP ${status}`);
    acceptedInAll++;
    if (measuring) latencies.push(ms);
    if (idsFile) ids.push(ID.exec(body)?.[1] ?? "");
  };

  const clients = Promise.all(
    Array.from({ length: load.connections }, () => client(target, { next, done, fail })),
  );
  await sleep(warmUpSeconds);
  measuring = true;
  const cpuBefore = pid === undefined ? undefined : cpuSeconds(pid);
  const ownBefore = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.race([clients, ...(seconds === undefined ? [] : [sleep(seconds)])]);
  if (toTheEnd) {
    stopping = true;
    await clients;
  }
  const elapsedMs = performance.now() - startedMs;
  const own = process.cpuUsage(ownBefore);
  const cpuAfter = pid === undefined ? undefined : cpuSeconds(pid);
  const measured = latencies;
  latencies = [];
  measuring = false;
  stopping = true;
  await clients;
  if (idsFile) appendFileSync(idsFile, ids.map((id) => `${id}\n`).join(""));

  const sorted = Float64Array.from(measured).sort();
  return {
    acceptedPerSecond: (sorted.length / elapsedMs) * 1000,
    accepted: sorted.length,
    acceptedInAll,
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    failures,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    ...(cpuBefore &&
      cpuAfter && {
        cpu: {
          process: cpuAfter.process - cpuBefore.process,
          mainThread: cpuAfter.mainThread - cpuBefore.mainThread,
        },
      }),
    loadCpuSeconds: (own.user + own.system) / 1e6,
  };
}

/**
 * One connection, until there is no next request. One that is lost is not opened again: it would hide the failure.
 * @param {URL} target
 * @param {{
 *   next: () => Buffer | undefined,
 *   done: (status: number, body: string, ms: number) => unknown,
 *   fail: (kind: string) => void,
 * }} handlers
 * @returns {Promise<void>}
 */
function client(target, { next, done, fail }) {
  return new Promise((resolve) => {
    const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    /** @type {Buffer | undefined} */
    let partial;
    let waiting = false;
    let sentMs = 0;

    const send = () => {
      const bytes = next();
      waiting = bytes !== undefined;
      if (bytes === undefined) return socket.end();
      sentMs = performance.now();
      socket.write(bytes);
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      const bytes = partial ? Buffer.concat([partial, chunk]) : chunk;
      const answer = readAnswer(bytes);
      if (answer === undefined) {
        partial = bytes;
        return;
      }
      partial = undefined;
      done(answer.status, answer.body, performance.now() - sentMs);
      send();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (waiting) fail("connection lost");
      resolve();
    });
  });
}

/**
 * The answer that the bytes hold, or undefined while it is not whole. Fastify sends JSON with its length, never in
 * chunks, and without pipelining nothing follows it.
 * @param {Buffer} bytes
 */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.latin1Slice(0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without its length:\n${head}`);
  const start = headEnd + HEAD_END.length;
  const end = start + Number(length);
  if (bytes.length < end) return undefined;
  // HTTP/1.1 202
  return { status: Number(head.slice(9, 12)), body: bytes.latin1Slice(start, end) };
}

/**
 * @param {URL} target
 * @param {string} apiKey
 * @param {string} body
 */
function request(target, apiKey, body) {
  const head = [
    `POST ${target.pathname} HTTP/1.1`,
    `Host: ${target.host}`,
    `X-API-Key: ${apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** @param {number} seconds */
function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
