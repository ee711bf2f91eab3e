import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess } from "../lib/children.js";
import { freePort, untilListening } from "../lib/ports.js";

const OPENDKIM = "/usr/sbin/opendkim";
const RSA_BITS = 2048;

/**
 * Debian's OpenDKIM: signs for example.com with RSA, as a milter.
 * @param {{ directory: string, cleanUp: import("../lib/clean-up.js").CleanUp }} options
 * @returns {Promise<{ pid: number, port: number }>}
 */
export async function startOpenDkim({ directory, cleanUp }) {
  if (!existsSync(OPENDKIM)) throw new Error("Debian's package opendkim is not installed");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: RSA_BITS });
  const key = path.join(directory, "key.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const port = await freePort();
  const settings = {
    Socket: `inet:${port}@127.0.0.1`,
    Domain: "example.com",
    Selector: "bench",
    KeyFile: key,
    Mode: "s",
    Canonicalization: "relaxed/relaxed",
    InternalHosts: "127.0.0.0/8",
    // The folder lies in one that everybody may write to.
    RequireSafeKeys: "no",
    Syslog: "no",
    Background: "no",
  };
  const file = path.join(directory, "opendkim.conf");
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(file, lines.join(""));
  const milter = spawn(OPENDKIM, ["-f", "-x", file], { stdio: ["ignore", "ignore", "inherit"] });
  cleanUp.defer(() => endProcess(milter, "SIGTERM"));
  await untilListening(port);
  return { pid: milter.pid ?? 0, port };
}
