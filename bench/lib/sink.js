import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { endProcess } from "./children.js";
import { freePort, untilListening } from "./ports.js";

const SMTP_SINK = "/usr/sbin/smtp-sink";
const TAIL_BYTES = 512;

/**
 * @typedef {object} Sink Postfix's smtp-sink: takes everything and keeps nothing
 * @property {number} port
 * @property {() => number} count messages so far
 */

/**
 * @param {string} directory
 * @param {import("./clean-up.js").CleanUp} cleanUp
 * @returns {Promise<Sink>}
 */
export async function startSink(directory, cleanUp) {
  const port = await freePort();
  // Its running count goes to a file: reading the end of it now and then costs next to nothing.
  const file = openSync(path.join(directory, "sink.out"), "a+");
  cleanUp.defer(() => closeSync(file));
  const { username } = userInfo();
  const user = username === "root" ? ["-u", "root"] : [];
  const sink = spawn(SMTP_SINK, [...user, "-c", "-m", "1000", `127.0.0.1:${port}`, "1000"], {
    stdio: ["ignore", file, "inherit"],
  });
  cleanUp.defer(() => endProcess(sink, "SIGTERM"));
  await untilListening(port);
  const tail = Buffer.alloc(TAIL_BYTES);
  return {
    port,
    count: () => {
      const { size } = fstatSync(file);
      const length = readSync(file, tail, 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
      return Number([...tail.toString("latin1", 0, length).matchAll(/mesg=\s*(\d+)/g)].at(-1)?.[1] ?? 0);
    },
  };
}
