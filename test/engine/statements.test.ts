import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteFile, type SqliteFile } from "../../src/engine/storage/database.ts";

let directory: string;
let file: SqliteFile;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "hermod-statements-"));
  file = openSqliteFile(directory);
  file.exec("CREATE TABLE numbers (n INTEGER PRIMARY KEY)");
  file.exec("INSERT INTO numbers VALUES (1), (2), (3)");
});
afterEach(() => {
  file.close();
  rmSync(directory, { recursive: true, force: true });
});

const from = (n: number) => ({
  get: () => file.prepare("SELECT n FROM numbers WHERE n >= ?").get([n]),
  all: () => file.prepare("SELECT n FROM numbers WHERE n >= ?").all([n]),
});

it("returns the cells of its own query, regardless of the earlier access", () => {
  expect(from(1).all()).toEqual([[1], [2], [3]]);
  expect(from(2).get()).toEqual([2]);
  expect(from(4).get()).toBeUndefined();
  expect(from(3).all()).toEqual([[3]]);
  expect(from(1).get()).toEqual([1]);
  expect(from(2).get()).toEqual([2]);
  expect(from(2).all()).toEqual([[2], [3]]);
});
