import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { domainToASCII } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSubmittedHeader } from "../../src/message/header/submitted-header.ts";
import { copyJakartaMail, QUICK_JVM } from "../harness/maven-copy.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const FIXTURES = path.resolve("test/fixtures/from");
const hostile: string[] = JSON.parse(readFileSync(path.join(FIXTURES, "hostile.json"), "utf8"));
const ordinary: { from: string; address: string }[] = JSON.parse(
  readFileSync(path.join(FIXTURES, "ordinary.json"), "utf8"),
);

/** Pieces of ambiguous fields. In random combinations, most are refused; readers must agree on all others. */
const PIECES = [
  ...'<>()"\\,;:@[] \t.=?'.split(""),
  "hello@example.com",
  "<hello@example.com>",
  "ceo@bank.example",
  "<ceo@bank.example>",
  " <hello@example.com>",
  "=?utf-8?q?ceo=40bank.example?=",
  "=?utf-8?b?PGNlb0BiYW5rLmV4YW1wbGU+?=",
  "Ada",
  "Ada (x) ",
  '"Ada"',
  '\\"',
  '"\\',
  "\r\n ",
  "ö",
  "\u00a0",
  "(x)",
  " (x)",
];
const made = [
  ...fc.sample(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }).map((parts) => parts.join("")),
    { numRuns: 4_000, seed: 19 },
  ),
  // Names of any kind before a valid address: many of them are accepted.
  ...fc.sample(
    fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
      .map((parts) => `${parts.join("")} <hello@example.com>`),
    { numRuns: 4_000, seed: 20 },
  ),
  ...fc.sample(
    fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
      .map((parts) => `"${parts.join("")}" <hello@example.com>`),
    { numRuns: 4_000, seed: 21 },
  ),
];

const messageOf = (from: string) => Buffer.from(`From: ${from}\r\nSubject: x\r\n\r\n`);
const headerOf = (from: string) => readSubmittedHeader(messageOf(from));

/** Fields that Hermod accepts, with the sender's address. */
const taken = [...new Set([...hostile, ...ordinary.map(({ from }) => from), ...made])].flatMap((from) => {
  const header = headerOf(from);
  return header.ok ? [{ from, address: header.from }] : [];
});

/** An address in Hermod's form, for comparisons; Python leaves brackets if it does not find the end of a name. */
function canonical(given: string): string {
  const address = given.replace(/^ *<|>$/g, "");
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.normalize("NFC");
}

function expectSameReading(readings: readonly (readonly string[])[]): void {
  const others = taken.flatMap(({ from, address }, index) => {
    const read = [...new Set((readings[index] ?? []).map(canonical))];
    return read.every((one) => one === address) ? [] : [{ from, address, read }];
  });
  expect(others).toEqual([]);
  expect(readings.length).toBe(taken.length);
}

/** Asks a program that answers each message, one a line in base64, with a JSON list. */
async function ask(command: string, ...args: string[]): Promise<string[][]> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const answers = text(child.stdout);
  child.stdin.end(taken.map(({ from }) => `${messageOf(from).toString("base64")}\n`).join(""));
  return (await answers)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const [python, go, java] = [tool("python"), tool("go"), tool("java")];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-from-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the sender of a message", () => {
  it.each(hostile)("is refused if readers could differ: %j", (from) => {
    expect(headerOf(from)).toMatchObject({ ok: false });
  });

  it.each(ordinary)("is accepted in the form of ordinary programs: $from", ({ from, address }) => {
    expect(headerOf(from)).toMatchObject({ ok: true, from: address });
  });

  it("is read equally by mailparser, or not at all", async () => {
    const readings: string[][] = [];
    for (const { from } of taken) {
      const mail = await simpleParser(messageOf(from));
      readings.push((mail.from?.value ?? []).flatMap(({ address }) => address || []));
    }
    expectSameReading(readings);
  });

  it.skipIf(python.missing)(`is read equally by Python's email, or not at all${python.note}`, async () => {
    expectSameReading(await ask("python3", path.join(FIXTURES, "read_from.py")));
  });

  it.skipIf(go.missing)(`is read equally by Go's net/mail, or not at all${go.note}`, async () => {
    const program = path.join(folder, "readfrom");
    await run("go", ["build", "-o", program, path.join(FIXTURES, "readfrom.go")]);
    expectSameReading(await ask(program));
  });

  it.skipIf(java.missing)(`is read equally by Jakarta Mail, or not at all${java.note}`, async () => {
    await copyJakartaMail(folder);
    expectSameReading(
      await ask("java", ...QUICK_JVM, "-cp", path.join(folder, "*"), path.join(FIXTURES, "ReadFrom.java")),
    );
  });
});
