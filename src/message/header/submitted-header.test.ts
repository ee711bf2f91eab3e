import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findBody, MAX_HEADER_FIELDS, MAX_HEADER_OCTETS } from "./source-headers.ts";
import { readSubmittedHeader } from "./submitted-header.ts";

const FIXTURES = new URL("../../../test/fixtures/submissions/", import.meta.url);
const names = readdirSync(FIXTURES)
  .filter((name) => name.endsWith(".eml"))
  .map((name) => name.slice(0, -4));

function split(source: Buffer): { header: Buffer; body: Buffer } {
  const at = findBody(source);
  const bodyAt = at === -1 ? source.length : at;
  return { header: source.subarray(0, bodyAt), body: source.subarray(bodyAt) };
}

/** Facts about a message, and the hash of the rest of it. */
function read(source: Buffer) {
  const { header, body } = split(source);
  const result = readSubmittedHeader(header);
  if (!result.ok) return { ok: false, message: result.message.text };
  const { kept, policy = null, idempotencyKey = null, messageId = null, ...rest } = result;
  const keptSha256 = createHash("sha256").update(kept).update(body).digest("hex");
  return { ...rest, policy, idempotencyKey, messageId, keptSha256 };
}

describe("the header of a submitted message", () => {
  it.each(names)("is parsed, and stays unchanged except for removed fields: %s", (name) => {
    const source = readFileSync(new URL(`${name}.eml`, FIXTURES));
    expect(read(source)).toEqual(JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), "utf8")));
  });

  it("is limited in size and fields", () => {
    const field = (n: number) => `X-${n}: y\r\n`;
    const most = Array.from({ length: MAX_HEADER_FIELDS - 1 }, (_, n) => field(n)).join("");
    const from = "From: a@example.com\r\n";
    expect(readSubmittedHeader(Buffer.from(from + most))).toMatchObject({ ok: true });
    expect(readSubmittedHeader(Buffer.from(from + most + field(0)))).toMatchObject({ ok: false });
    const lines = Array.from({ length: MAX_HEADER_OCTETS / 512 }, () => ` ${"x".repeat(509)}\r\n`).join("");
    expect(readSubmittedHeader(Buffer.from(`${from}X: y\r\n${lines}`))).toMatchObject({ ok: false });
  });

  it("ends at the first empty line, in any pieces", () => {
    const source = Buffer.from("A: b\r\nC: d\r\n\r\nbody\r\n\r\n");
    for (let cut = 0; cut <= source.length; cut++) {
      const found = findBody(source.subarray(0, cut));
      expect(found).toBe(cut < 14 ? -1 : 14);
      if (found === -1) expect(findBody(source, cut)).toBe(14);
    }
    expect(findBody(Buffer.from("\r\nbody"))).toBe(2);
  });
});
