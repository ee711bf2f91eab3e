import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { parseReport } from "./parse-report.ts";
import { MAX_REPORTED_RECIPIENTS, type Report } from "./report.ts";

const FIXTURES = new URL("../../../test/fixtures/bounces/", import.meta.url);
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const MEGABYTE = 1_000_000;

function parse(text: string): Report {
  return parseReport(Buffer.from(text));
}

function expectSafe(value: unknown): void {
  if (typeof value === "string") {
    expect(value).not.toMatch(UNSAFE);
    expect(value.length).toBeLessThanOrEqual(1_000);
  } else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) expectSafe(each);
  }
}

function fixtures(): string[] {
  return readdirSync(FIXTURES).filter((name) => name.endsWith(".eml"));
}

function readFixture(name: string): Buffer {
  return readFileSync(new URL(name, FIXTURES));
}

describe("the golden reports", () => {
  it.each(fixtures())("%s", (name) => {
    const expected = readFixture(name.replace(/eml$/, "json")).toString();
    const report = parseReport(readFixture(name));
    expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(expected));
    expectSafe(report);
  });

  it.each(fixtures())("%s is parsed equally with other line ends", (name) => {
    const text = readFixture(name).toString("latin1").replaceAll("\r\n", "\n");
    const expected = parseReport(readFixture(name));
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      expect(parseReport(Buffer.from(text.replaceAll("\n", lineEnd), "latin1"))).toEqual(expected);
    }
  });
});

describe("a hostile report", () => {
  const header = "From: mailer-daemon@example.net\nContent-Type: multipart/report; boundary=B\n\n";
  const status = `${header}--B\nContent-Type: message/delivery-status\n\n`;
  const fill = (piece: string, before = "") => before + piece.repeat(Math.ceil(MEGABYTE / piece.length));

  it("never makes it throw, wherever it is damaged", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "\n\n",
        "\n ",
        "--B1\n",
        "--B1--\n",
        "<",
        ">",
        '"',
        ";",
        ":",
        "\0",
        "=\n",
        "\\x{",
        "\ud800",
      ),
    );
    const name = fc.constantFrom(...fixtures());
    fc.assert(
      fc.property(
        name,
        fc.array(fc.tuple(fc.nat(3_000), fc.nat(40), piece), { maxLength: 8 }),
        (file, damage) => {
          let text = readFixture(file).toString();
          for (const [at, removed, inserted] of damage) {
            text = text.slice(0, at) + inserted + text.slice(at + removed);
          }
          expectSafe(parse(text));
        },
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => expectSafe(parseReport(Buffer.from(bytes)))),
    );
  });

  it.each([
    ["of binary", fill("\0\u0080ÿ")],
    ["of blank lines", fill("\n")],
    ["of carriage returns", fill("\r", status)],
    ["of one header field", fill("a", "Subject: ")],
    ["of folds", fill(" a\n", "Subject: a\n")],
    ["of short fields", fill("a:\n")],
    ["of thousands of parts", fill("--B\n\nx\n", header)],
    [
      "of thousands of reports",
      fill("--B\nContent-Type: message/delivery-status\n\nAction: failed\n\n", header),
    ],
    ["of delimiters that are none", fill("--\n", header)],
    ["of thousands of recipients", fill("Final-Recipient: rfc822;a@example.com\n\n", status)],
    ["of recipients without blank lines", fill("Final-Recipient: a@example.com\n", status)],
    ["of continuation lines", fill("a\n", `${status}Final-Recipient: a@example.com\nDiagnostic-Code: smtp;`)],
    ["of nested multiparts", fill('Content-Type: multipart/mixed; boundary="B"\n\n--B\n')],
    ["of nested messages", fill("Content-Type: message/rfc822\n\n")],
    ["of parameters", fill(';a="', "Content-Type: multipart/mixed")],
    ["of failed recipients", fill("a@example.com,", "X-Failed-Recipients: ")],
    ["of brackets", fill("<", "From: postmaster@example.net\n\nHi. This is the qmail-send program at x.\n<")],
    [
      "of addresses",
      fill("<a@example.com>:\n", "From: postmaster\n\nHi. This is the qmail-send program at x.\n"),
    ],
    [
      "of at signs",
      fill(`${"@".repeat(999)}\n`, "From: postmaster\n\nDelivery has failed to these recipients\n"),
    ],
    [
      "of spaces",
      fill(
        `  ${" a".repeat(499)}\n`,
        "From: postmaster\n\nThis message was created automatically by mail delivery software\n",
      ),
    ],
    [
      "of transfer encoding",
      fill("=", "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"),
    ],
  ])("of a megabyte %s is parsed in bounded time", (_, text) => {
    const reports: ReturnType<typeof parse>[] = [];
    expect(cpuSecondsOf(() => reports.push(parse(text)))).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
    const report = reports[0] as ReturnType<typeof parse>;
    expectSafe(report);
    if (report.kind === "dsn")
      expect(report.perRecipient.length).toBeLessThanOrEqual(MAX_REPORTED_RECIPIENTS);
  });
});
