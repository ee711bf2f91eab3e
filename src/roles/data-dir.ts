import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { FirstRun } from "../core/first-run.ts";
import type { CallerRole } from "../rpc/callers.ts";
import {
  isNoSpace,
  keepPrivate,
  writeMissingPrivateFile,
  writePrivateFile,
} from "../shared/private-files.ts";
import { randomWord } from "../shared/secrets.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Addresses } from "./addresses.ts";
import { type FirstRunFile, firstRunFile, firstRunOf, refreshedFile } from "./first-run-file.ts";

/** Access to the core for callers on this machine. */
export interface CoreAccess {
  readonly address: string;
  readonly token: string;
}

export interface SendingKey {
  readonly username: string;
  readonly password: string;
}

export interface DataDir {
  readonly path: string;
  /** File of the keys that encrypt the secrets of the embedded database: one per line, the first encrypts. */
  readonly secretKeysFile: string;
  /** undefined: the file does not exist yet. */
  secretKeys(): Promise<readonly string[] | undefined>;
  saveSecretKeys(keys: readonly string[]): Promise<void>;
  /** The token that the core accepts for this role: created once, stored in the folder. */
  callerToken(role: CallerRole): Promise<string>;
  /** Stores the address of the core for the command line. */
  saveCoreAccess(access: CoreAccess): Promise<void>;
  /** Files of first runs: first-run.json, and the files of interrupted ones. */
  keptFirstRuns(): Promise<FirstRun[]>;
  saveFirstRun(secrets: FirstRun, addresses: Addresses, token: string): Promise<void>;
  /** Stores secrets before anything is created that needs them, in a separate file, because another process may do the same. */
  savePendingFirstRun(secrets: FirstRun, addresses: Addresses, token: string): Promise<void>;
  /** Removes the files of failed first runs, and of those with secrets that are now in first-run.json. */
  removePendingFirstRuns(): Promise<void>;
  /** The sending key of the first run; undefined: first-run.json does not exist. */
  sendingKey(): Promise<SendingKey | undefined>;
  /** Addresses may differ between starts: updates first-run.json if it exists. */
  refreshFirstRun(addresses: Addresses, token: string): Promise<void>;
}

const CORE_ACCESS = "core-access.json";
const FIRST_RUN = "first-run.json";
const PENDING_FIRST_RUN = /^first-run\.[0-9a-f]{8}\.json$/;
const TOKENS: Readonly<Record<CallerRole, string>> = {
  operator: "grpc-token",
  front_end: "grpc-token-front-end",
  worker: "grpc-token-worker",
};
const SECRET_KEYS = "secret-keys";

const isSecret = (name: string) =>
  [CORE_ACCESS, FIRST_RUN, SECRET_KEYS, ...Object.values(TOKENS)].includes(name) ||
  PENDING_FIRST_RUN.test(name);

/** @throws StartupError when the folder cannot be used */
export async function openDataDir(directory: string): Promise<DataDir> {
  const root = path.resolve(directory);
  const file = (name: string) => path.join(root, name);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    for (const name of await readdir(root)) if (isSecret(name)) keepPrivate(file(name));
  } catch (error) {
    throw new StartupError(`HERMOD_DATA_DIR: ${root} cannot be used: ${describe(error)}`, error);
  }

  /** Writes all or nothing, readable only by its owner. */
  const save = (name: string, content: string) => writeWith(writePrivateFile, name, content);

  async function writeWith(write: typeof writePrivateFile, name: string, content: string): Promise<void> {
    try {
      await write(file(name), content);
    } catch (error) {
      throw new StartupError(`HERMOD_DATA_DIR: cannot write ${file(name)}: ${describe(error)}`, error);
    }
  }
  const saveJson = (name: string, value: unknown) => save(name, `${JSON.stringify(value, null, 2)}\n`);
  const pending = async () => (await readdir(root)).filter((name) => PENDING_FIRST_RUN.test(name));

  /** @throws StartupError when it is not valid JSON */
  async function readJson(name: string): Promise<FirstRunFile | undefined> {
    const text = await read(file(name));
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new StartupError(`HERMOD_DATA_DIR: ${file(name)} is not valid JSON: repair or remove it.`, error);
    }
  }

  return {
    path: root,
    secretKeysFile: file(SECRET_KEYS),
    secretKeys: async () => (await read(file(SECRET_KEYS)))?.split(/[\s,]+/).filter(Boolean),
    saveSecretKeys: (keys) => save(SECRET_KEYS, `${keys.join("\n")}\n`),
    callerToken: async (role) => {
      const name = TOKENS[role];
      const known = await read(file(name));
      if (known) return known.trim();
      // If another process has created it at the same time, both use that token.
      await writeWith(known === undefined ? writeMissingPrivateFile : writePrivateFile, name, randomWord(32));
      return (await read(file(name)))?.trim() ?? "";
    },
    saveCoreAccess: (access) => saveJson(CORE_ACCESS, access),
    keptFirstRuns: async () => {
      const files = await Promise.all([FIRST_RUN, ...(await pending())].map(readJson));
      return files.filter((saved) => saved !== undefined).map(firstRunOf);
    },
    savePendingFirstRun: (secrets, addresses, token) =>
      saveJson(`first-run.${randomBytes(4).toString("hex")}.json`, firstRunFile(secrets, addresses, token)),
    removePendingFirstRuns: async () => {
      for (const name of await pending()) await rm(file(name), { force: true });
    },
    saveFirstRun: (secrets, addresses, token) => saveJson(FIRST_RUN, firstRunFile(secrets, addresses, token)),
    sendingKey: async () => {
      const { username, password } = (await readJson(FIRST_RUN))?.smtp ?? {};
      return username === undefined || password === undefined ? undefined : { username, password };
    },
    refreshFirstRun: async (addresses, token) => {
      const saved = await readJson(FIRST_RUN);
      if (!saved) return;
      await saveJson(FIRST_RUN, refreshedFile(saved, addresses, token));
    },
  };
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new StartupError(`HERMOD_DATA_DIR: cannot read ${file}: ${describe(error)}`, error);
  }
}

function describe(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST" || code === "ENOTDIR") return "a file with the name of the folder exists.";
  if (code === "EACCES" || code === "EPERM") return "permission denied.";
  if (code === "EROFS") return "the file system is read-only.";
  if (isNoSpace(error)) return "the disk is full: free space on it.";
  return error instanceof Error ? error.message : String(error);
}

/** Last address of the core that uses this data folder; undefined: none has used it. */
export async function readCoreAccess(directory: string): Promise<CoreAccess | undefined> {
  const saved = await read(path.join(path.resolve(directory), CORE_ACCESS));
  return saved === undefined ? undefined : (JSON.parse(saved) as CoreAccess);
}
