import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const run = promisify(execFile);
const SCRIPT = path.resolve(import.meta.dirname, "../scripts/install-missing.js");

let project: string;
const file = (name: string) => path.join(project, name);
beforeEach(async () => {
  project = await mkdtemp(path.join(tmpdir(), "hermod-install-"));
  await mkdir(file("scripts"));
  await mkdir(file("packed"));
  await cp(SCRIPT, file("scripts/install-missing.js"));
  await writeJson("packed/package.json", { name: "given", version: "1.0.0" });
  await run("npm", ["pack", "./packed"], { cwd: project });
  await writeJson("package.json", {
    name: "project",
    version: "1.0.0",
    type: "module",
    dependencies: { given: "file:given-1.0.0.tgz" },
  });
  await run("npm", ["install", "--package-lock-only", "--offline"], { cwd: project });
});
afterEach(() => rm(project, { recursive: true, force: true }));

const writeJson = (name: string, value: object) => writeFile(file(name), JSON.stringify(value));
const installMissing = () => run(process.execPath, ["scripts/install-missing.js"], { cwd: project });
const installedVersion = async () =>
  JSON.parse(await readFile(file("node_modules/given/package.json"), "utf8")).version;

it("installs what the lock file names in a fresh clone, and then has nothing to do", async () => {
  const first = await installMissing();
  expect(first.stderr).toContain("Installing the packages that package-lock.json names: there are none yet.");
  expect(await installedVersion()).toBe("1.0.0");
  expect(await installMissing()).toEqual({ stdout: "", stderr: "" });
});

it("installs again when the lock file names another version", async () => {
  await installMissing();
  await writeJson("packed/package.json", { name: "given", version: "2.0.0" });
  await run("npm", ["pack", "./packed"], { cwd: project });
  // As a pull changes it: npm itself would note in node_modules that it is installed.
  await rename(file("node_modules"), file("aside"));
  const given = "given@file:given-2.0.0.tgz";
  await run("npm", ["install", "--package-lock-only", "--offline", given], { cwd: project });
  await rename(file("aside"), file("node_modules"));
  expect(await installedVersion()).toBe("1.0.0");
  expect((await installMissing()).stderr).toContain("1 of them are missing or another version");
  expect(await installedVersion()).toBe("2.0.0");
});

it("fails with what npm says when a package is not the one that the lock file names", async () => {
  const lock = await readFile(file("package-lock.json"), "utf8");
  const other = createHash("sha512").update("another package").digest("base64");
  await writeFile(file("package-lock.json"), lock.replace(/sha512-[^"]+/, `sha512-${other}`));
  await expect(installMissing()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The packages are not installed: npm ci failed."),
  });
});
