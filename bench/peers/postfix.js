import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess } from "../lib/children.js";
import { freePort, untilListening } from "../lib/ports.js";
import { startOpenDkim } from "./opendkim.js";

const POSTFIX = "/usr/sbin/postfix";
const DAEMONS = "/usr/lib/postfix/sbin";

/**
 * @typedef {object} Postfix
 * @property {() => readonly number[]} pids
 * @property {number} port
 * @property {number} holdPort what comes in here waits
 * @property {{ port: number, pids: () => readonly number[] } | undefined} signing what comes in there is signed;
 *   undefined: there is no OpenDKIM
 * @property {() => void} release lets go what waits
 * @property {() => Promise<void>} stop
 */

/** @throws Error saying what is missing */
export function requirePostfix() {
  if (!existsSync(POSTFIX)) throw new Error("Debian's package postfix is not installed");
  if (process.getuid?.() !== 0) throw new Error("Postfix needs root");
}

/**
 * A Postfix of Debian's with its defaults, but for folders, ports and a next host for all mail.
 * @param {{
 *   directory: string,
 *   sinkPort: number,
 *   signs: boolean,
 *   cleanUp: import("../lib/clean-up.js").CleanUp,
 * }} options signs: with OpenDKIM on a port of its own
 * @returns {Promise<Postfix>}
 * @throws Error saying what is missing
 */
export async function startPostfix({ directory, sinkPort, signs, cleanUp }) {
  requirePostfix();
  const inside = (/** @type {string} */ name) => path.join(directory, name);
  for (const name of ["etc", "queue", "data"]) mkdirSync(inside(name), { recursive: true });
  chmodSync(directory, 0o755);
  execFileSync("chown", ["postfix:", inside("data")]);
  const startSigner = () =>
    startOpenDkim({ directory: inside("opendkim"), cleanUp }).catch((error) => {
      console.error(`without OpenDKIM: ${error.message}`);
      return undefined;
    });
  const signer = signs ? await startSigner() : undefined;
  const ports = { plain: await freePort(), hold: await freePort(), dkim: await freePort() };
  const settings = {
    compatibility_level: "3.6",
    queue_directory: inside("queue"),
    data_directory: inside("data"),
    command_directory: path.dirname(POSTFIX),
    daemon_directory: DAEMONS,
    maillog_file: inside("mail.log"),
    maillog_file_prefixes: directory,
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    myhostname: "relay.test",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    relayhost: `[127.0.0.1]:${sinkPort}`,
    smtp_dns_support_level: "disabled",
    smtpd_peername_lookup: "no",
    alias_maps: "",
    alias_database: "",
  };
  const held = "-o smtpd_recipient_restrictions=check_recipient_access,static:HOLD";
  const signed = `-o smtpd_milters=inet:127.0.0.1:${signer?.port}`;
  const services = [
    `127.0.0.1:${ports.plain} inet n - n - - smtpd`,
    `127.0.0.1:${ports.hold} inet n - n - - smtpd ${held}`,
    ...(signer ? [`127.0.0.1:${ports.dkim} inet n - n - - smtpd ${signed}`] : []),
    "pickup unix n - n 60 1 pickup",
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "tlsmgr unix - - n 1000? 1 tlsmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "verify unix - - n - 1 verify",
    "flush unix n - n 1000? 0 flush",
    "proxymap unix - - n - - proxymap",
    "smtp unix - - n - - smtp",
    "relay unix - - n - - smtp",
    "error unix - - n - - error",
    "retry unix - - n - - error",
    "anvil unix - - n - 1 anvil",
    "scache unix - - n - 1 scache",
    "postlog unix-dgram n - n - 1 postlogd",
  ];
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(inside("etc/main.cf"), lines.join(""));
  writeFileSync(inside("etc/master.cf"), `${services.join("\n")}\n`);
  // Makes the folders of the queue.
  execFileSync(POSTFIX, ["-c", inside("etc"), "check"]);
  const master = spawn(path.join(DAEMONS, "master"), ["-s", "-c", inside("etc")], { stdio: "ignore" });
  const stop = cleanUp.defer(() => endProcess(master, "SIGTERM"));
  await untilListening(ports.plain);
  const pids = () => [master.pid ?? 0];
  return {
    pids,
    port: ports.plain,
    holdPort: ports.hold,
    signing: signer && { port: ports.dkim, pids: () => [...pids(), signer.pid] },
    release: () => {
      execFileSync("/usr/sbin/postsuper", ["-c", inside("etc"), "-H", "ALL"], { stdio: "ignore" });
      execFileSync("/usr/sbin/postqueue", ["-c", inside("etc"), "-f"]);
    },
    stop,
  };
}
