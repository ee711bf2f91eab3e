// Loaded in every thread of a process (NODE_OPTIONS=--import): that of the front ends fails once the file is there, or
// stands still, as the file's text says.
import { existsSync, readFileSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

const { HERMOD_TEST_TROUBLE: file = "" } = process.env;

function look() {
  if (!existsSync(file)) return;
  // A file that was just made is still empty.
  const trouble = readFileSync(file, "utf8");
  if (trouble === "stall") for (;;);
  if (trouble === "fail") throw new Error("The thread of the front ends has failed.");
}

if (!isMainThread && workerData?.roles) setInterval(look, 20).unref();
