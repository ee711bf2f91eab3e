/** Entry of the thread that folds the log of a copy into the copy and checks it, so that no other work waits. */
import { parentPort, workerData } from "node:worker_threads";
import Database from "libsql";
import { checkCopy } from "./storage/check-integrity.ts";

const database = new Database((workerData as { file: string }).file);
try {
  database.prepare("PRAGMA journal_mode=DELETE").all();
  checkCopy(database);
} finally {
  database.close();
}
parentPort?.postMessage("folded");
