import { isAscii } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { describe, expect, it } from "vitest";
import { countTurns } from "../../../../test/harness/count-turns.ts";
import { splitSource } from "../../dkim/header-block.ts";
import { toSevenBit } from "./to-seven-bit.ts";

const FIXTURES = new URL("../../../../test/fixtures/seven-bit/", import.meta.url);
const names = readdirSync(FIXTURES).flatMap((name) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []);
const file = (name: string) => new URL(name, FIXTURES);
const isRefused = (name: string) => existsSync(file(`${name}.json`));

/** Content for a reader, regardless of the encodings. */
async function read(source: Buffer) {
  const { text, html, attachments, headers } = await simpleParser(source);
  headers.delete("content-transfer-encoding");
  const plain = (part: string | false | undefined) => (part || "").trimEnd();
  return {
    subject: headers.get("subject"),
    text: plain(text),
    html: plain(html),
    attachments: attachments.map(({ content, contentType }) => [contentType, content.toString("latin1")]),
  };
}

async function converted(source: Buffer): Promise<Buffer> {
  const result = await toSevenBit(source);
  if (!result.ok) throw new Error(result.reason);
  return result.source;
}

describe("a message for a server that accepts only ASCII bodies", () => {
  it.each(names.filter((name) => !isRefused(name)))("is converted: %s", async (name) => {
    const out = await converted(readFileSync(file(`${name}.eml`)));
    expect(out.toString("latin1")).toBe(readFileSync(file(`${name}.7bit`)).toString("latin1"));
    expect(isAscii(splitSource(out).body)).toBe(true);
    const longest = Math.max(
      ...splitSource(out)
        .body.toString("latin1")
        .split("\r\n")
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(998);
  });

  it.each(names.filter(isRefused))("is left unchanged: %s", async (name) => {
    const { reason, cause } = JSON.parse(readFileSync(file(`${name}.json`), "utf8"));
    expect(await toSevenBit(readFileSync(file(`${name}.eml`)))).toEqual({ ok: false, reason, cause });
  });

  it.each(["latin-1", "not-latin", "multipart", "delimiter-laid-open", "no-end"])(
    "has the same content as before: %s",
    async (name) => {
      const source = readFileSync(file(`${name}.eml`));
      expect(await read(await converted(source))).toEqual(await read(source));
    },
  );

  it("stays identical if its body is ASCII, including signatures", async () => {
    const source = Buffer.from("DomainKey: x\r\nSubject: Pl\u00e4ne\r\n\r\nHello = \r\n");
    expect(await converted(source)).toBe(source);
  });

  it("keeps every octet of every part, of any size", async () => {
    const line = fc
      .uint8Array({ max: 255, maxLength: 200 })
      .map((octets) => Buffer.from(octets.filter((octet) => ![0, 10, 13].includes(octet))));
    const lines = fc.array(line, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom("text/plain", "image/x"),
        fc.nat(3),
        async (parts, type, times) => {
          const crlf = Buffer.from("\r\n");
          const once = Buffer.concat(parts.flatMap((part) => [part, crlf]));
          const repeats = times === 0 ? Math.ceil(1_500_000 / (once.length + 1)) : 1;
          const content = Buffer.concat(Array.from({ length: repeats }, () => once));
          fc.pre(!isAscii(content));
          const out = await converted(
            Buffer.concat([
              Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n--b0\r\n`),
              Buffer.from(`Content-Type: ${type}\r\n\r\n`),
              content,
              Buffer.from("\r\n--b0--\r\n"),
            ]),
          );
          const text = out.toString("latin1");
          const [, encoding, body = ""] =
            /Content-Transfer-Encoding: ([\w-]+)\r\n\r\n(.*)\r\n--b0--\r\n$/s.exec(
              text.slice(text.indexOf("--b0")),
            ) ?? [];
          expect(decode(encoding, body).equals(content)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});

/** The rules of RFC 2045 in their simplest form. */
function decode(encoding: string | undefined, body: string): Buffer {
  if (encoding === "base64") return Buffer.from(body, "base64");
  const octets = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, "latin1");
}

describe("work on a message of many parts", () => {
  const multipart = (part: string, parts: number) =>
    Buffer.from(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}\r\n`.repeat(parts)}--b--\r\n`,
    );

  it("lets other work run after every part", async () => {
    expect(await countTurns(() => converted(multipart("\r\né", 900)))).toBeGreaterThanOrEqual(900);
  });

  it("ends at a part with a header of more than 262,144 octets", async () => {
    const reason = "has a part whose header has more than 262144 octets";
    expect(await toSevenBit(multipart(`${"X-A: b\r\n".repeat(40_000)}\r\né`, 1))).toEqual({
      ok: false,
      reason,
      cause: "long_header",
    });
    expect(await toSevenBit(multipart("X-A: é\r\n".repeat(40_000), 1))).toMatchObject({ ok: false, reason });
  });
});
