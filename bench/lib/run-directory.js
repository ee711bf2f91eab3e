import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A folder for the data of this run, removed at its end.
 * @param {string | undefined} parent
 * @param {import("./clean-up.js").CleanUp} cleanUp
 */
export function makeRunDirectory(parent, cleanUp) {
  const place = path.resolve(parent ?? tmpdir());
  mkdirSync(place, { recursive: true });
  const directory = mkdtempSync(path.join(place, "hermod-bench-"));
  cleanUp.defer(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
