import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepPrivate, makePrivate, writePrivateFile } from "./private-files.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-private-"));
  chmodSync(folder, 0o777);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

it("only the owner can read a private file, regardless of the file that it replaces", async () => {
  const file = path.join(folder, "token");
  writeFileSync(file, "former", { mode: 0o644 });
  // A link that an interrupted attempt has left, or that another user has placed to redirect the write.
  const elsewhere = path.join(folder, "elsewhere");
  writeFileSync(elsewhere, "untouched", { mode: 0o666 });
  symlinkSync(elsewhere, `${file}.new`);
  await writePrivateFile(file, "secret");
  expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["secret", "600"]);
  expect(readFileSync(elsewhere, "utf8")).toBe("untouched");
  expect(existsSync(`${file}.new`)).toBe(false);
});

it("a private file that cannot be written leaves the former one unchanged", async () => {
  const file = path.join(folder, "missing", "token");
  await expect(writePrivateFile(file, "secret")).rejects.toMatchObject({ code: "ENOENT" });
  expect(existsSync(file)).toBe(false);
});

it("removes the rights of others to a file, and keeps the owner's", () => {
  const file = path.join(folder, "key");
  writeFileSync(file, "secret");
  for (const [given, kept] of [
    [0o644, "600"],
    [0o440, "400"],
    [0o600, "600"],
  ] as const) {
    chmodSync(file, given);
    keepPrivate(file);
    expect(modeOf(file)).toBe(kept);
  }
  keepPrivate(path.join(folder, "there is none"));
});

it("a file that becomes private keeps its content", () => {
  const file = path.join(folder, "database");
  makePrivate(file);
  expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["", "600"]);
  writeFileSync(file, "content");
  chmodSync(file, 0o666);
  makePrivate(file);
  expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["content", "600"]);
});
