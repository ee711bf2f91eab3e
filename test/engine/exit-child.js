// Ends by process.exit() while a thread does nothing but prepare statements.
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { callsThrough, createExitGate } from "../../dist/src/engine/orderly-exit.js";
import { openSqliteFile } from "../../dist/src/engine/storage/database.js";

if (isMainThread) {
  const [, , directory, round] = process.argv;
  const gate = createExitGate();
  const worker = new Worker(new URL(import.meta.url), { workerData: { directory, exitGate: gate.buffer } });
  process.once("exit", gate.close);
  await new Promise((resolve) => worker.once("message", resolve));
  await sleep(10 * Number(round));
  process.exit(7);
} else {
  const file = openSqliteFile(workerData.directory, { native: callsThrough(workerData.exitGate) });
  parentPort?.postMessage("ready");
  for (let n = 0; ; n++) file.prepare(`SELECT ${n}`);
}
