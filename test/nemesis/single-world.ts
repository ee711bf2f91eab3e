import { execFile } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { MailNetwork } from "../harness/mail-network.ts";
import { connectCore, type FirstRunFile, newSettings } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { makeDueIn, routeDirectly } from "./queue.ts";
import { supervise } from "./supervised.ts";
import type { Undo, World } from "./world.ts";

const run = promisify(execFile);
const DISK_MB = 512;

/** Every role in one process on the embedded engine, on a small disk of its own where this user may mount one. */
export async function startSingleWorld(
  network: MailNetwork,
  settings: Readonly<Record<string, string>>,
): Promise<World> {
  const disk = await mountDisk();
  const directory = disk ?? (await mkdtemp(path.join(tmpdir(), "hermod-nemesis-")));
  const env: NodeJS.ProcessEnv = {
    ...(await newSettings()),
    ...network.settings,
    ...settings,
    HERMOD_DATA_DIR: path.join(directory, "data"),
    HERMOD_HTTP_PORT: String(await freePort()),
    HERMOD_SMTP_PORT: String(await freePort()),
    HERMOD_GRPC_PORT: String(await freePort()),
  };
  const hermod = await supervise({ name: "hermod", env, roles: "all" });
  const firstRun = JSON.parse(
    await readFile(path.join(directory, "data/first-run.json"), "utf8"),
  ) as FirstRunFile;
  const core = connectCore(env, firstRun.grpc);
  await routeDirectly(core);
  core.close();
  return {
    name: "one process, embedded engine",
    frontEnds: [
      {
        name: hermod.name,
        sendUrl: `${firstRun.base_url}/v1/email/send`,
        smtpPort: firstRun.smtp.port,
      },
    ],
    apiKey: firstRun.api_key,
    smtp: firstRun.smtp,
    processes: [hermod],
    coreLinks: [],
    storeLinks: [],
    network,
    database: undefined,
    fillDisk: disk === undefined ? undefined : () => fill(disk),
    slowStore: async (ms) => {
      await hermod.disturb({ stallMs: ms });
      return () => hermod.disturb({ stallMs: 0 });
    },
    makeDue: () => withStore({ env, dataDir: env.HERMOD_DATA_DIR ?? "" }, makeDueIn),
    dispose: async () => {
      await hermod.dispose();
      if (disk !== undefined) await run("umount", [disk]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The name has the process whose disk it is. */
const DISK = "hermod-nemesis-disk-";
const ABANDONED = /^hermod-nemesis-disk-(\d+)-/;

/** undefined: this user may not mount anything. */
async function mountDisk(): Promise<string | undefined> {
  await removeAbandoned();
  const directory = await mkdtemp(path.join(tmpdir(), `${DISK}${process.pid}-`));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0700`, "tmpfs", directory]);
    return directory;
  } catch {
    await rm(directory, { recursive: true, force: true });
    return undefined;
  }
}

/** The disks of runs that were killed: they are in memory. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = ABANDONED.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const directory = path.join(tmpdir(), name);
    await run("umount", ["--lazy", directory]).catch(() => undefined);
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** First in large pieces, then to the last octet but a few. */
const PIECES = [4 * 1024 * 1024, 4 * 1024].map((bytes) => Buffer.alloc(bytes));

async function fill(directory: string): Promise<Undo> {
  const name = path.join(directory, "filler");
  const file = await open(name, "w");
  for (const piece of PIECES) {
    try {
      for (;;) await file.writeFile(piece);
    } catch {
      // No space is left: that is what it is for.
    }
  }
  await file.close();
  return () => rm(name);
}
