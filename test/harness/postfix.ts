import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { eventually } from "./start-hermod.ts";

const run = promisify(execFile);
const POSTFIX = "/usr/sbin/postfix";
const DAEMONS = "/usr/lib/postfix/sbin";
const TLS = path.resolve(import.meta.dirname, "../fixtures/tls");

export interface Postfix {
  readonly address: string;
  readonly port: number;
  /** The messages in the mailboxes, without the lines that Postfix adds before them. */
  received(): Promise<{ readonly trace: string; readonly source: string }[]>;
  /** Lines of the log that contain this text. */
  logged(text: string): Promise<string[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

export interface PostfixOptions {
  readonly address: string;
  readonly port: number;
  readonly domain: string;
  /** Regular expression for the local parts that have mailboxes. */
  readonly mailboxes: string;
  /** Settings of `main.cf` that replace the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Services of master: `smtpd` starts with it, the others on demand; none in a chroot. */
const services = (address: string, port: number) => [
  `${address}:${port} inet n - n - - smtpd`,
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
  "error unix - - n - - error",
  "retry unix - - n - - error",
  "virtual unix - n n - - virtual",
  "anvil unix - - n - 1 anvil",
  "postlog unix-dgram n - n - 1 postlogd",
];

/** Debian's `nobody`: the owner of the mailboxes. */
const MAIL_USER = 65534;

/** Starts a Postfix with its own queue that accepts mail for one domain into mailboxes. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const { address, port, domain, mailboxes } = options;
  const directory = await mkdtemp(path.join(tmpdir(), "hermod-postfix-"));
  const inside = (name: string) => path.join(directory, name);
  // Its daemons drop privileges and still need access to this folder.
  await chmod(directory, 0o755);
  for (const name of ["etc", "queue", "data", "mail"]) await mkdir(inside(name));
  await chown(inside("mail"), MAIL_USER, MAIL_USER);
  await run("chown", ["postfix:", inside("data")]);
  const settings = {
    compatibility_level: "3.6",
    queue_directory: inside("queue"),
    data_directory: inside("data"),
    command_directory: path.dirname(POSTFIX),
    daemon_directory: DAEMONS,
    maillog_file: inside("mail.log"),
    maillog_file_prefixes: directory,
    // Other loopback addresses are not interfaces to Postfix, but the service can name its own.
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    myhostname: `mx.${domain}`,
    mydestination: "",
    mynetworks: "",
    alias_maps: "",
    smtpd_peername_lookup: "no",
    smtpd_relay_restrictions: "reject_unauth_destination",
    smtpd_tls_security_level: "may",
    smtpd_tls_cert_file: path.join(TLS, "relay.crt"),
    smtpd_tls_key_file: path.join(TLS, "relay.key"),
    smtpd_tls_received_header: "yes",
    virtual_mailbox_domains: domain,
    virtual_mailbox_base: inside("mail"),
    virtual_mailbox_maps: `regexp:${inside("etc/mailboxes")}`,
    virtual_uid_maps: `static:${MAIL_USER}`,
    virtual_gid_maps: `static:${MAIL_USER}`,
    ...options.settings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(inside("etc/main.cf"), lines.join(""));
  await writeFile(inside("etc/master.cf"), `${services(address, port).join("\n")}\n`);
  await writeFile(inside("etc/mailboxes"), `/^${mailboxes}@/ inbox/\n`);
  // Creates the folders of the queue.
  await run(POSTFIX, ["-c", inside("etc"), "check"]);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    // Not by `postfix start`, so that it stays a child of this process and ends with a signal.
    child = spawn(path.join(DAEMONS, "master"), ["-s", "-c", inside("etc")], { stdio: "ignore" });
    await eventually(() => isReady(address, port));
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }

  await start();
  return {
    address,
    port,
    start,
    stop,
    received: async () => {
      const folder = inside("mail/inbox/new");
      const names = existsSync(folder) ? await readdir(folder) : [];
      return Promise.all(
        names.map(async (name) => parted(await readFile(path.join(folder, name), "latin1"))),
      );
    },
    logged: async (text) => {
      const log = await readFile(inside("mail.log"), "utf8");
      return log.split("\n").filter((line) => line.includes(text));
    },
    dispose: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Trace fields come first (RFC 5321 section 4.4); a mailbox has bare line feeds. */
function parted(text: string): { trace: string; source: string } {
  const trace =
    /^(?:(?:Return-Path|X-Original-To|Delivered-To|Received):.*\n(?:[ \t].*\n)*)*/.exec(text)?.[0] ?? "";
  return { trace, source: text.slice(trace.length).replaceAll("\n", "\r\n") };
}

/** Whether it sends its greeting. */
function isReady(address: string, port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, address);
    socket.once("data", () => {
      socket.end("QUIT\r\n");
      resolve(true);
    });
    socket.once("error", () => resolve(undefined));
    socket.setTimeout(1_000, () => {
      socket.destroy();
      resolve(undefined);
    });
  });
}
