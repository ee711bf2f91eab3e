import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProxyHeader } from "./proxy-header.ts";

const V2 = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const v2 = (command: number, family: number, payload: Buffer) =>
  Buffer.concat([V2, Buffer.from([command, family, payload.length >> 8, payload.length & 255]), payload]);
const ipv4 = Buffer.from([192, 0, 2, 7, 198, 51, 100, 1, 0x10, 0x01, 0x02, 0x4b]);
const ipv6 = Buffer.concat([
  Buffer.from("20010db8000000000000000000000007", "hex"),
  Buffer.from("20010db8000000000000000000000001", "hex"),
  Buffer.from([0x10, 0x01, 0x02, 0x4b]),
]);
const tlv = Buffer.from([0x04, 0, 2, 0xff, 0xff]);

const headers: readonly (readonly [string, Buffer, unknown])[] = [
  [
    "TCP4",
    Buffer.from("PROXY TCP4 192.0.2.7 198.51.100.1 4097 587\r\n"),
    { address: "192.0.2.7", port: 4097 },
  ],
  [
    "TCP6",
    Buffer.from("PROXY TCP6 2001:db8::7 2001:db8::1 4097 587\r\n"),
    { address: "2001:db8::7", port: 4097 },
  ],
  ["UNKNOWN", Buffer.from("PROXY UNKNOWN\r\n"), undefined],
  ["UNKNOWN with more", Buffer.from("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n"), undefined],
  ["version 2, IPv4", v2(0x21, 0x11, ipv4), { address: "192.0.2.7", port: 4097 }],
  [
    "version 2, IPv4 with values",
    v2(0x21, 0x11, Buffer.concat([ipv4, tlv])),
    { address: "192.0.2.7", port: 4097 },
  ],
  ["version 2, IPv6", v2(0x21, 0x21, ipv6), { address: "2001:db8:0:0:0:0:0:7", port: 4097 }],
  ["version 2, local", v2(0x20, 0x00, Buffer.alloc(0)), undefined],
  ["version 2, local with an address", v2(0x20, 0x11, ipv4), undefined],
  ["version 2, unspecified", v2(0x21, 0x00, tlv), undefined],
  ["version 2, UNIX", v2(0x21, 0x31, Buffer.alloc(216)), undefined],
];

describe("a PROXY header", () => {
  it.each(headers)("of %s is read, and what follows it is left", (_, header, client) => {
    const expected = { kind: "header", octets: header.length, client };
    expect(readProxyHeader(header)).toEqual(expected);
    expect(readProxyHeader(Buffer.concat([header, Buffer.from("EHLO x\r\n")]))).toEqual(expected);
    for (let cut = 0; cut < header.length; cut++) {
      expect(readProxyHeader(header.subarray(0, cut))).toEqual({ kind: "incomplete" });
    }
  });

  it.each([
    ["EHLO client.test\r\n"],
    ["GET / HTTP/1.1\r\n"],
    ["proxy TCP4 192.0.2.7 198.51.100.1 1 2\r\n"],
    ["PROXY TCP4 192.0.2.7 198.51.100.1 1\r\n"],
    ["PROXY TCP4 192.0.2.7  198.51.100.1 1 2\r\n"],
    ["PROXY TCP4 192.0.2.007 198.51.100.1 1 2\r\n"],
    ["PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n"],
    ["PROXY TCP6 192.0.2.7 198.51.100.1 1 2\r\n"],
    ["PROXY TCP4 192.0.2.7 198.51.100.1 65536 2\r\n"],
    ["PROXY TCP4 192.0.2.7 198.51.100.1 01 2\r\n"],
    ["PROXY TCP4 192.0.2.7 198.51.100.1 1 2 3\r\n"],
    ["PROXY TCP4 host.example 198.51.100.1 1 2\r\n"],
    ["PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n"],
    [`PROXY UNKNOWN ${"x".repeat(100)}\r\n`],
    ["PROXY UNKNOWN\nEHLO x\r\n"],
  ])("%j is none", (text) => {
    expect(readProxyHeader(Buffer.from(text))).toEqual({ kind: "invalid" });
  });

  it.each([
    ["another version", v2(0x11, 0x11, ipv4)],
    ["another command", v2(0x22, 0x11, ipv4)],
    ["datagrams", v2(0x21, 0x12, ipv4)],
    ["half an address", v2(0x21, 0x11, ipv4.subarray(0, 8))],
    ["more than it may hold", Buffer.concat([V2, Buffer.from([0x21, 0x11, 0xff, 0xff])])],
  ])("of version 2 with %s is none", (_, bytes) => {
    expect(readProxyHeader(bytes)).toEqual({ kind: "invalid" });
  });

  it("is read from any octets without a fault, and says the same however they were cut", () => {
    const start = fc.constantFrom(
      ...headers.map(([, header]) => header),
      Buffer.alloc(0),
      V2,
      Buffer.from("PROXY "),
    );
    fc.assert(
      fc.property(
        start,
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(),
        fc.nat(255),
        (header, tail, at, octet) => {
          const bytes = Buffer.concat([header, tail]);
          if (bytes.length > 0) bytes[at % bytes.length] = octet;
          const whole = readProxyHeader(bytes);
          if (whole.kind === "header") expect(whole.octets).toBeLessThanOrEqual(bytes.length);
          const before = readProxyHeader(bytes.subarray(0, at % (bytes.length + 1)));
          if (before.kind !== "incomplete") expect(before).toEqual(whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
