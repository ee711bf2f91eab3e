// Loaded before Hermod, in every thread of a process that the nemesis disturbs (NODE_OPTIONS=--import). The program
// under test is the built one, unchanged: this gives it another wall clock, other ways to the store's nodes, and a disk
// that is slow for the embedded engine's thread.
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread, workerData } from "node:worker_threads";

/**
 * @typedef {object} Disturbance contents of the file that the nemesis rewrites
 * @property {number} clockMs lead of the wall clock
 * @property {number} stallMs duration of the repeated hangs of the engine's thread, which simulate slow disk writes
 */

const { HERMOD_TEST_DISTURBANCE: file = "", HERMOD_TEST_REDIRECTS: redirects = "{}" } = process.env;
const LOOK_MS = 100;
/** @type {Disturbance} */
let disturbance = { clockMs: 0, stallMs: 0 };

const parent = process.ppid;

function look() {
  // A run that was killed leaves nothing behind.
  if (isMainThread && process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  disturbance = JSON.parse(readFileSync(file, "utf8"));
  // The engine writes in the thread that answers: to everybody else a slow disk and a halted thread are one.
  if (workerData?.socketPath !== undefined && disturbance.stallMs > 0) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, disturbance.stallMs);
  }
}

const RealDate = Date;
const now = () => RealDate.now() + disturbance.clockMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});

/** @type {Record<string, number>} the port of the link that leads to an address */
const portOf = JSON.parse(redirects);
const connect = Socket.prototype.connect;
/** @this {Socket} */
Socket.prototype.connect = function (...args) {
  // net.connect() passes a list with the options first.
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const port = portOf[`${options?.host}:${options?.port}`];
  if (port !== undefined) options.port = port;
  return connect.apply(this, args);
};

look();
setInterval(look, LOOK_MS).unref();
