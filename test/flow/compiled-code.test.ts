import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
let program: string;

// A copy of the build, to be damaged.
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-program-"));
  program = path.join(folder, "dist/program");
  for (const name of ["bin", "package.json", "dist/program"])
    cpSync(name, path.join(folder, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const version = () =>
  execFileSync(process.execPath, [path.join(folder, "bin/hermod.js"), "--version"], { encoding: "utf8" });

function change(suffix: string, edit: (bytes: Buffer) => Buffer): void {
  const names = readdirSync(program).filter((name) => name.endsWith(suffix));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const file = path.join(program, name);
    writeFileSync(file, edit(readFileSync(file)));
  }
}

describe("V8's code cache of the build", () => {
  it("exists for the command, and for the engine's thread", () => {
    expect(readdirSync(program)).toEqual(expect.arrayContaining(["main.cjs.cache", "thread.cjs.cache"]));
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["is missing", () => Buffer.alloc(0)],
    ["was cut off", (bytes) => bytes.subarray(0, bytes.length / 2)],
    // V8 itself would end the process.
    [
      "is damaged",
      (bytes) => bytes.map((byte, at) => (at > 1_000 && at % 997 === 0 ? byte ^ 90 : byte)) as Buffer,
    ],
  ])("is not required: it %s", (_name, edit) => {
    change(".cache", edit);
    expect(version()).toMatch(/^0\.1\.0(?:\+\S+)?\n$/);
  });

  // V8 itself would run it, because it compares only lengths.
  it("is not used for another source of the same length", () => {
    change(".cjs", (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("0.1.0", "9.8.7"), "latin1"));
    expect(version()).toMatch(/^9\.8\.7(?:\+\S+)?\n$/);
  });
});
