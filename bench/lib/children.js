import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const CHILDREN = path.resolve(import.meta.dirname, "../children");

/**
 * @typedef {object} Child a process that answers each message with one message
 * @property {number} pid
 * @property {(message: object) => Promise<any>} ask
 * @property {() => Promise<void>} end ends it before the run does
 */

/**
 * Starts one of the programs in `children/`. It ends with the run, or by itself when this process is gone.
 * @param {"http-load" | "edge-reference" | "driver-reference" | "webhook-receiver" | "dns-server" | "report-maker"} name
 * @param {import("./clean-up.js").CleanUp} cleanUp
 * @returns {Child}
 */
export function startChild(name, cleanUp) {
  const child = fork(path.join(CHILDREN, `${name}.js`), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const end = cleanUp.defer(() => endProcess(child, "SIGTERM"));
  return {
    end,
    pid: child.pid ?? 0,
    ask: (message) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error(`${name} ended unexpectedly.`));
        child.once("exit", gone);
        child.once("message", (/** @type {any} */ answer) => {
          child.off("exit", gone);
          if (answer.failed) reject(new Error(`${name}: ${answer.failed}`));
          else resolve(answer);
        });
        child.send(message);
      }),
  };
}

/**
 * Ends a process by its own handle, by force if it takes longer than ten seconds.
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function endProcess(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(force);
}
