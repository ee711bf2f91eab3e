import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess } from "../lib/children.js";
import { freePort, untilListening } from "../lib/ports.js";

const VERSION = "3.3.4";
/** Newer ones need a newer Node than the oldest that Hermod runs on. */
const LIBMIME_VERSION = "5.3.7";
const INSTALL_TIMEOUT_MS = 180_000;

/**
 * Haraka from npm with its default configuration, but for its port and a next host for all mail.
 * @param {{ directory: string, sinkPort: number, cleanUp: import("../lib/clean-up.js").CleanUp }} options
 * @returns {Promise<{ pids: () => readonly number[], port: number }>}
 * @throws Error when it cannot be installed
 */
export async function startHaraka({ directory, sinkPort, cleanUp }) {
  const installed = path.join(directory, "package");
  const home = path.join(directory, "home");
  mkdirSync(installed, { recursive: true });
  const manifest = { name: "peer", private: true, overrides: { libmime: LIBMIME_VERSION } };
  writeFileSync(path.join(installed, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", `Haraka@${VERSION}`, "--no-audit", "--no-fund", "--silent"], {
    cwd: installed,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_TIMEOUT_MS,
  });
  const haraka = path.join(installed, "node_modules/Haraka/bin/haraka");
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
  cleanUp.defer(() => endProcess(server, "SIGTERM"));
  await untilListening(port);
  return { pids: () => [server.pid ?? 0], port };
}
