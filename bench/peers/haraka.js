import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess } from "../lib/children.js";
import { installPackage } from "../lib/install-package.js";
import { freePort, untilListening } from "../lib/ports.js";

const VERSION = "3.3.4";
/** Newer ones need a newer Node than the oldest that Hermod runs on. */
const LIBMIME_VERSION = "5.3.7";

/**
 * Haraka from npm.
 * @param {string} directory
 * @returns {string} its program
 * @throws Error when it cannot be installed
 */
export function installHaraka(directory) {
  const overrides = { libmime: LIBMIME_VERSION };
  return path.join(installPackage({ name: "Haraka", version: VERSION, overrides, directory }), "bin/haraka");
}

/**
 * Haraka with its default configuration, but for its port and a next host for all mail.
 * @param {{
 *   haraka: string,
 *   directory: string,
 *   sinkPort: number,
 *   cleanUp: import("../lib/clean-up.js").CleanUp,
 * }} options haraka: the program; directory: of its configuration and queue
 * @returns {Promise<import("../lib/relay-subjects.js").Relay>}
 */
export async function startHaraka({ haraka, directory: home, sinkPort, cleanUp }) {
  execFileSync(process.execPath, [haraka, "-i", home], { stdio: "ignore" });
  const port = await freePort();
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(path.join(home, name), text);
  write("config/smtp.ini", `listen=127.0.0.1:${port}\n`);
  write("config/plugins", "to_sink\n");
  write("config/me", "relay.test\n");
  write(
    "plugins/to_sink.js",
    `exports.hook_connect = (next, connection) => { connection.relaying = true; next(); };
exports.hook_rcpt = (next) => next(OK);
exports.hook_get_mx = (next) => next(OK, { priority: 0, exchange: "127.0.0.1", port: ${sinkPort} });
`,
  );
  const server = spawn(process.execPath, [haraka, "-c", home], { stdio: "ignore" });
  const stop = cleanUp.defer(() => endProcess(server, "SIGTERM"));
  await untilListening(port);
  return { pids: () => [server.pid ?? 0], port, stop };
}
