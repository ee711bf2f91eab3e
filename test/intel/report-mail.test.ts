import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { digestReports } from "../../src/intel/aggregate-reports/digest-reports.ts";
import { readFile, readMail } from "../../src/intel/aggregate-reports/read-mail.ts";
import { dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { zipOf } from "../harness/zip-archive.ts";

const REPORT = dmarcReport();
const XML = writeDmarc(REPORT);
const GZIP = gzipSync(XML);
const RANGE = { "start-datetime": "2026-03-01T00:00:00Z", "end-datetime": "2026-03-01T23:59:59Z" };
const TLS = JSON.stringify({ "organization-name": "sender.example", "date-range": RANGE, policies: [] });

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64").replace(/.{76}/g, "$&\r\n");
const lines = (...all: readonly string[]) => Buffer.from(all.join("\r\n"), "latin1");
const part = (type: string, encoding: string, body: string) =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
const multipart = (type: string, ...parts: readonly string[]) =>
  `Content-Type: multipart/${type}; boundary="=_b"\r\n\r\n--=_b\r\n${parts.join("\r\n--=_b\r\n")}\r\n--=_b--\r\n`;
const TEXT = part("text/plain", "7bit", "This is a report <about> your domain. {See below.}");

const kindsOf = (source: Buffer, read = readMail) => [...read(source)].map(({ kind }) => kind);

describe("a mail contains a report", () => {
  it.each([
    ["as its only part", part("application/gzip", "base64", base64(GZIP))],
    [
      "in quoted-printable",
      part("text/xml", "quoted-printable", XML.replace(/=/g, "=3D").replace(/\n/g, "\r\n")),
    ],
    ["as it stands", part("text/plain", "8bit", XML)],
    ["beside text", multipart("mixed", TEXT, part("application/zip", "base64", base64(GZIP)))],
    [
      "beside text and its HTML",
      multipart(
        "mixed",
        TEXT,
        part("text/html", "7bit", '<?xml version="1.0"?><html><p>This is a report</p></html>'),
        part(
          "application/octet-stream",
          "base64",
          base64(zipOf([{ name: "r.xml", contents: Buffer.from(XML) }])),
        ),
      ),
    ],
    [
      "in a mail that somebody forwards",
      multipart(
        "mixed",
        TEXT,
        `Content-Type: message/rfc822\r\n\r\nSubject: Report\r\n${multipart("mixed", TEXT, part("application/gzip", "base64", base64(GZIP)))}`,
      ),
    ],
    [
      "without an end",
      multipart("mixed", part("application/gzip", "base64", base64(GZIP))).replace("--=_b--", ""),
    ],
  ])("%s", (_, mail) => {
    const source = lines("From: dmarc@receiver.example", "Subject: Report domain: example.com", mail);
    expect(kindsOf(source)).toEqual(["dmarc"]);
    expect(kindsOf(source, readFile)).toEqual(["dmarc"]);
  });

  it("of TLS, according to RFC 8460 section 5.3", () => {
    const tls = part("application/tlsrpt+gzip", "base64", base64(gzipSync(TLS)));
    expect(
      kindsOf(lines("TLS-Report-Domain: example.com", multipart("report; report-type=tlsrpt", TEXT, tls))),
    ).toEqual(["tls"]);
  });

  it("in each file, and reports a reason for an attachment that is none", () => {
    const files = [GZIP, Buffer.from("%PDF"), gzipSync(TLS), Buffer.from("<feedback>"), Buffer.alloc(0)];
    const parts = files.map((file) => part("application/octet-stream", "base64", base64(file)));
    expect(kindsOf(lines(multipart("mixed", TEXT, ...parts)))).toEqual([
      ...["dmarc", "unreadable", "tls", "unreadable", "unreadable"],
    ]);
  });
});

describe("a mail without a report", () => {
  it.each([
    ["is empty", ""],
    ["is a letter", TEXT],
    ["has HTML alone", part("text/html", "7bit", "<!DOCTYPE html><p>Hello</p>")],
    ["is signed", multipart("signed", TEXT, part("application/pgp-signature", "7bit", "-----BEGIN"))],
  ])("%s", (_, mail) => {
    expect([...readMail(lines("From: ann@example.net", mail))]).toEqual([
      { kind: "unreadable", reason: "the mail contains no report" },
    ]);
  });

  it("is reported once for a hundred files and more", () => {
    const parts = Array.from({ length: 150 }, () => part("application/gzip", "base64", base64(GZIP)));
    const found = [...readMail(lines(multipart("mixed", ...parts)))];
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toEqual({ kind: "unreadable", reason: "the mail has more than 100 files" });
  });
});

it("an upload is read as a report, packed or not, before it is read as a mail", () => {
  for (const file of [Buffer.from(XML), GZIP, Buffer.from(`\ufeff${XML}`)])
    expect(kindsOf(file, readFile)).toEqual(["dmarc"]);
  expect(kindsOf(Buffer.from(TLS), readFile)).toEqual(["tls"]);
  expect(kindsOf(Buffer.from("anything"), readFile)).toEqual(["unreadable"]);
});

describe("an upload that resembles a mail or an archive", () => {
  it("is a report: JSON in one line, with a space after the colon", () => {
    const spaced = TLS.replaceAll('":', '": ');
    expect(spaced).toMatch(/^\{"organization-name": /);
    for (const bytes of [spaced, `\ufeff${spaced}`, ` ${spaced}`])
      expect(kindsOf(Buffer.from(bytes), readFile)).toEqual(["tls"]);
  });

  it("is a report: gzip followed by a line break", () => {
    for (const end of ["\r\n", "\n", " \r\n\r\n"])
      expect(kindsOf(Buffer.concat([GZIP, Buffer.from(end)]), readFile)).toEqual(["dmarc"]);
    expect(kindsOf(Buffer.concat([GZIP, Buffer.from("x\r\n")]), readFile)).toEqual(["unreadable"]);
  });

  it("is a report: an address in angle brackets is no element", () => {
    const xml = XML.replace(/<email>[^<]*<\/email>/, "<email><bad-xml@bad-xml.net></email>");
    expect(xml).not.toBe(XML);
    expect([...readFile(Buffer.from(xml))]).toMatchObject([
      { kind: "dmarc", report: { email: "<bad-xml@bad-xml.net>", rows: REPORT.rows } },
    ]);
  });
});

describe("the counted part of a report", () => {
  it("is mail of its own domain and of names below it, and no other", () => {
    const { domain } = REPORT.policy;
    const row = (sourceIp: string, headerFrom: string) => dmarcRow({ sourceIp, headerFrom, count: 1 });
    const rows = [
      row("192.0.2.1", domain),
      row("192.0.2.2", `mail.${domain}.`),
      row("192.0.2.3", ""),
      row("192.0.2.4", "other.example"),
      row("192.0.2.5", `not${domain}`),
    ];
    const [digest] = [...digestReports(readFile(Buffer.from(writeDmarc({ ...REPORT, rows }))))];
    if (digest?.kind !== "dmarc") throw new Error("it is no report of DMARC");
    expect(digest.rollups.map(({ sourceIp }) => sourceIp).sort()).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
    ]);
    expect(digest.head).toMatchObject({ count: 3, leftOut: 2 });
  });
});
