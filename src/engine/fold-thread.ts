/** Entry of the thread that folds the log of a copy into the copy, and checks it, so that nothing else waits. */
import { parentPort, workerData } from "node:worker_threads";
import Database from "libsql";

const database = new Database((workerData as { file: string }).file);
try {
  database.prepare("PRAGMA journal_mode=DELETE").all();
  const faults = database.prepare("PRAGMA quick_check").raw().all().map(String);
  if (faults.length !== 1 || faults[0] !== "ok") throw new Error(`the copy is damaged: ${faults[0]}`);
} finally {
  database.close();
}
parentPort?.postMessage("folded");
