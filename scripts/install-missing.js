#!/usr/bin/env node
// Installs what package-lock.json names when that is missing or another version, so that `npm start` and `npm test` work
// as the first command in a fresh clone. Where everything is there it does nothing, in a few milliseconds.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
// npm notes here what it has installed.
const installedFile = path.join(root, "node_modules", ".package-lock.json");

const named = packagesIn(path.join(root, "package-lock.json"));
const installed = existsSync(installedFile) ? packagesIn(installedFile) : undefined;
const stale = Object.entries(named).filter(([name, one]) => isStale(one, installed?.[name]));

if (stale.length > 0) {
  const why = installed ? `${stale.length} of them are missing or another version` : "there are none yet";
  console.error(`Installing the packages that package-lock.json names: ${why}.`);
  const { status, error } = spawnSync("npm", ["ci", "--no-progress", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) {
    console.error(
      `The packages are not installed: npm ci ${error ? `did not run (${error.message})` : "failed"}.`,
    );
    process.exit(1);
  }
}

function packagesIn(file) {
  const { "": _, ...packages } = JSON.parse(readFileSync(file, "utf8")).packages;
  return packages;
}

/** npm leaves out optional packages, which are for other systems. */
function isStale({ version, integrity, optional, link }, present) {
  if (!present) return !optional;
  return !link && (present.version !== version || present.integrity !== integrity);
}
