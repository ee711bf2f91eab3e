import * as wire from "dns-packet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readExtendedErrors } from "./extended-errors.ts";

const EDE = 15;
const message = (options: readonly { code: number; data: Buffer }[]) =>
  wire.encode({
    type: "response",
    questions: [{ name: "a.test", type: "A" }],
    authorities: [{ name: "test", type: "SOA", ttl: 1, data: { mname: "ns.test", rname: "x.test" } }],
    additionals: [
      { name: "ns.test", type: "A", ttl: 1, data: "192.0.2.1" },
      { name: ".", type: "OPT", udpPayloadSize: 1232, options },
    ],
  });
const error = (code: number, text = "") => ({
  code: EDE,
  data: Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(text)]),
});

describe("extended errors (RFC 8914)", () => {
  it("are read among other options and records", () => {
    const cookie = { code: 10, data: Buffer.alloc(8) };
    expect(readExtendedErrors(message([cookie, error(7, "expired"), error(258)]))).toEqual([
      { code: 7, text: "expired" },
      { code: 258, text: "" },
    ]);
  });

  it("are limited in number and length, and are plain text for any input", () => {
    const hostile = `a\u0000\r\n\u001b[2J\u202e${"x".repeat(500)}`;
    const errors = readExtendedErrors(message(Array.from({ length: 30 }, () => error(6, hostile))));
    expect(errors).toHaveLength(8);
    expect(errors[0]?.text).toMatch(/^a \[2J x{1,200}$/);
  });

  it("are ignored when an option is too short or too long", () => {
    expect(readExtendedErrors(message([{ code: EDE, data: Buffer.from([1]) }]))).toEqual([]);
    const cut = message([error(6, "text")]);
    cut.writeUInt16BE(0xffff, cut.length - 8);
    expect(readExtendedErrors(cut)).toEqual([]);
  });

  it("never prevent reading the rest: malformed options are ignored", () => {
    const bytes = fc.uint8Array({ minLength: 12, maxLength: 200 });
    fc.assert(
      fc.property(bytes, (array) => {
        expect(Array.isArray(readExtendedErrors(Buffer.from(array)))).toBe(true);
      }),
    );
    const whole = message([error(6, "text")]);
    for (let length = 12; length < whole.length; length++) readExtendedErrors(whole.subarray(0, length));
  });
});
