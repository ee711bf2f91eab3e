import { execFile } from "node:child_process";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A separate disk in memory. */
export interface SmallDisk {
  readonly directory: string;
  /**
   * Fills the remaining space; the returned function frees it.
   * @param name of the file
   */
  fill(name?: string): Promise<() => Promise<void>>;
  unmount(): Promise<void>;
}

/** The name contains the id of the owning process. */
const DISK = "hermod-test-disk-";
const ABANDONED = /^hermod-test-disk-(\d+)-/;

/** @returns undefined: this user may not mount */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  await removeAbandoned();
  const directory = await mkdtemp(path.join(tmpdir(), `${DISK}${process.pid}-`));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", directory]);
  } catch {
    await rm(directory, { recursive: true, force: true });
    return undefined;
  }
  return {
    directory,
    fill: (name = "filler") => fill(directory, name),
    unmount: async () => {
      await run("umount", [directory]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Removes the disks of killed runs, which occupy memory. */
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

/** Large pieces first, then small ones up to the last octets. */
const PIECES = [4 * 1024 * 1024, 4 * 1024].map((bytes) => Buffer.alloc(bytes));

async function fill(directory: string, filler: string): Promise<() => Promise<void>> {
  const name = path.join(directory, filler);
  const file = await open(name, "w");
  for (const piece of PIECES) {
    try {
      for (;;) await file.writeFile(piece);
    } catch {
      // The disk is full, as intended.
    }
  }
  await file.close();
  return () => rm(name);
}
