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

/** How callers on this machine reach the core. */
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
  /** Where the keys lie that encrypt what is secret in the embedded database: one to a line, the first encrypts. */
  readonly secretKeysFile: string;
  /** undefined: there is no such file yet. */
  secretKeys(): Promise<readonly string[] | undefined>;
  saveSecretKeys(keys: readonly string[]): Promise<void>;
  /** The token that the core takes for this role: made once, kept in the folder. */
  callerToken(role: CallerRole): Promise<string>;
  /** Tells the command line where the core is. */
  saveCoreAccess(access: CoreAccess): Promise<void>;
  /** What first runs have left: first-run.json, and the file of one that was interrupted. */
  keptFirstRuns(): Promise<FirstRun[]>;
  saveFirstRun(secrets: FirstRun, addresses: Addresses, token: string): Promise<void>;
  /** Keeps secrets before anything is made that needs them, in a file of their own: another process may do the same. */
  savePendingFirstRun(secrets: FirstRun, addresses: Addresses, token: string): Promise<void>;
  /** Removes the files of first runs that came to nothing, or whose secrets are in first-run.json by now. */
  removePendingFirstRuns(): Promise<void>;
  /** The sending key of the first run; undefined: first-run.json is not there. */
  sendingKey(): Promise<SendingKey | undefined>;
  /** Addresses may differ from start to start: keeps first-run.json true while it is there. */
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

  /** All of it or nothing, for its owner alone. */
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

  /** @throws StartupError when it is no JSON */
  async function readJson(name: string): Promise<FirstRunFile | undefined> {
    const text = await read(file(name));
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new StartupError(`HERMOD_DATA_DIR: ${file(name)} is no JSON: mend or remove it.`, error);
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
      // What another process has made meanwhile is the token of both.
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
  if (code === "EEXIST" || code === "ENOTDIR") return "there is a file where the folder should be.";
  if (code === "EACCES" || code === "EPERM") return "this user has no right to.";
  if (code === "EROFS") return "the file system is read-only.";
  if (isNoSpace(error)) return "the disk is full: free space on it.";
  return error instanceof Error ? error.message : String(error);
}

/** Where the core that uses this data folder was last; undefined: none has run with it. */
export async function readCoreAccess(directory: string): Promise<CoreAccess | undefined> {
  const saved = await read(path.join(path.resolve(directory), CORE_ACCESS));
  return saved === undefined ? undefined : (JSON.parse(saved) as CoreAccess);
}
