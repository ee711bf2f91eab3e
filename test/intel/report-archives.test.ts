import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpack } from "../../src/intel/aggregate-reports/unpack.ts";
import { type ZipFile, type ZipOptions, zipOf } from "../harness/zip-archive.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);
const MB = 1024 * 1024;

/** The text of each document, or the reason why there is none. */
const unpacked = (bytes: Buffer) =>
  [...unpack(bytes)].map((contents) => ("reason" in contents ? contents : contents.bytes.toString()));

const file = (text: string, rest: Omit<Partial<ZipFile>, "contents"> = {}): ZipFile => ({
  name: "a.xml",
  contents: Buffer.from(text),
  ...rest,
});
const zip = (text: string, rest: Partial<ZipFile> = {}, options: ZipOptions = {}) =>
  zipOf([file(text, rest)], options);

describe("documents are recognized by their contents", () => {
  const text = "<feedback/>".repeat(20);
  it.each<[string, Buffer, string[]]>([
    ["as they are", Buffer.from(text), [text]],
    ["in gzip", gzipSync(text), [text]],
    [
      "in gzip of several members",
      Buffer.concat([gzipSync("<feed"), gzipSync(""), gzipSync("back/>")]),
      ["<feedback/>"],
    ],
    ["in gzip with zeros behind it", Buffer.concat([gzipSync(text), Buffer.alloc(512)]), [text]],
    ["in zip, deflated", zip(text), [text]],
    ["in zip, stored", zip(text, { isStored: true }), [text]],
    ["in zip, with sizes behind the contents", zip(text, { hasDescriptor: true }), [text]],
    [
      "in zip, stored with sizes behind the contents",
      zip(text, { hasDescriptor: true, isStored: true }),
      [text],
    ],
    [
      "in zip with a comment that looks like its end",
      zip(text, {}, { comment: `PK\x05\x06${"\xff".repeat(40)}` }),
      [text],
    ],
    ["in zip whose size is too small", zip(text, { lies: { size: 3 } }), [text]],
    ["in zip whose size is too large", zip(text, { lies: { size: 0xfffffff0 } }), [text]],
    ["in zip whose packed size is too small", zip(text, { lies: { packedSize: 1 } }), [text]],
    ["in zip whose packed size is too large", zip(text, { lies: { packedSize: 0x7fffffff } }), [text]],
    [
      "in zip of several files",
      zipOf([file("<a/>"), file("{}", { isStored: true }), file("")]),
      ["<a/>", "{}", ""],
    ],
    [
      "in zip with folders and what macOS adds",
      zipOf([file("", { name: "x/" }), file("<a/>"), file("\x00\x05\x16\x07\x00")]),
      ["<a/>"],
    ],
    [
      "in zip of gzip and zip",
      zipOf([file("<a/>"), { name: "b", contents: gzipSync("<b/>") }, { name: "c", contents: zip("<c/>") }]),
      ["<a/>", "<b/>", "<c/>"],
    ],
    ["in gzip that holds zip", gzipSync(zip(text)), [text]],
  ])("%s", (_, bytes, documents) => {
    expect(unpacked(bytes)).toEqual(documents);
  });

  it("whatever their names are", () => {
    const files = fc.array(
      fc.record({
        name: fc.stringMatching(/^[a-z]{1,9}\.xml$/),
        contents: fc.string().map((contents) => Buffer.from(`<${contents}`)),
        isStored: fc.boolean(),
        hasDescriptor: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(files, fc.string({ maxLength: 20 }), (list, comment) => {
        expect(unpacked(zipOf(list, { comment }))).toEqual(list.map(({ contents }) => contents.toString()));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("contents that cannot be unpacked yield a reason", () => {
  const text = "<feedback/>".repeat(20);
  const gzip = gzipSync(text);
  it.each<[string, Buffer, RegExp]>([
    ["gzip that is cut off", gzip.subarray(0, -3), /cut off/],
    ["gzip that is cut off in a second member", Buffer.concat([gzip, gzip.subarray(0, 12)]), /cut off/],
    ["gzip of which only the magic is there", gzip.subarray(0, 2), /cut off/],
    ["gzip with a wrong sum", Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8)]), /damaged/],
    ["gzip of noise", Buffer.concat([gzip.subarray(0, 10), Buffer.alloc(40, 0xff)]), /damaged/],
    ["zip that is cut off", zip(text).subarray(0, -30), /cut off/],
    ["zip of which only the magic is there", Buffer.from("PK\x03\x04"), /cut off/],
    ["zip with a wrong sum", zip(text, { lies: { crc: 1 } }), /damaged/],
    ["zip, stored with a wrong size", zip(text, { isStored: true, lies: { packedSize: 3 } }), /damaged/],
    ["zip with a file that is encrypted", zip(text, { isEncrypted: true }), /encrypted/],
    ["zip with an unusual method", zip(text, { lies: { method: 14 } }), /method 14/],
    ["zip with a file that is nowhere", zip(text, { lies: { offset: 7 } }), /names a missing file/],
    ["zip with a file beyond its end", zip(text, { lies: { offset: 0xfffffff } }), /names a missing file/],
    ["zip64", zip(text, {}, { isZip64: true }), /zip64/],
    ["a part of a zip", zip(text, {}, { disk: 2 }), /one part of a split zip/],
    ["zip without files", zipOf([]), /contains no files/],
    ["zip with folders alone", zipOf([file("", { name: "x/" })]), /contains no files/],
    ["archives in each other", gzipSync(gzipSync(gzipSync(gzipSync(text)))), /nested too deeply/],
    ["more than 25 MB", Buffer.alloc(25 * MB + 1, "<"), /more than 25 MB/],
  ])("%s", (_, bytes, reason) => {
    expect(unpacked(bytes)).toEqual([{ reason: expect.stringMatching(reason) }]);
  });

  it("a damaged file of a zip does not affect others", () => {
    const files = [
      file("<a/>"),
      file("<b/>", { lies: { crc: 1 } }),
      file("<c/>", { isEncrypted: true }),
      file("<d/>"),
    ];
    const damaged = { reason: expect.any(String) };
    expect(unpacked(zipOf(files))).toEqual(["<a/>", damaged, damaged, "<d/>"]);
  });

  it("a zip with a damaged file list", () => {
    const bytes = zip(text);
    bytes.write("XX", bytes.indexOf("PK\x01\x02"));
    expect(unpacked(bytes)).toEqual([
      { reason: expect.stringMatching(/file list of the zip archive is damaged/) },
    ]);
  });

  it("random damage never causes another failure", () => {
    const whole = zipOf([file(text), file(text, { isStored: true, hasDescriptor: true })]);
    const bytes = fc.constantFrom(whole, gzip);
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(bytes, damage, fc.nat(), (from, changes, cut) => {
        const copy = Buffer.from(from);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        const some = cut % 2 === 0 ? copy : copy.subarray(0, cut % copy.length);
        for (const contents of unpack(some))
          expect("reason" in contents || contents.bytes.length >= 0).toBe(true);
      }),
      { numRuns: RUNS * 5 },
    );
  });
});

describe("unpacking has limits", () => {
  it("of 100 MB, for gzip", () => {
    const bomb = gzipSync(Buffer.alloc(101 * MB));
    expect(bomb.length).toBeLessThan(MB);
    expect(unpacked(bomb)).toEqual([{ reason: expect.stringMatching(/more than 100 MB/) }]);
  });

  it("of 100 MB, for all files of a zip, regardless of their declared sizes", () => {
    const half = { name: "x", contents: Buffer.alloc(40 * MB, "x"), lies: { size: 10 } };
    const found = [...unpack(zipOf([half, half, half, file("<a/>")]))];
    const tooLarge = { reason: expect.stringMatching(/more than 100 MB/) };
    expect(found.map((contents) => ("reason" in contents ? contents : contents.bytes.length))).toEqual([
      40 * MB,
      40 * MB,
      tooLarge,
      tooLarge,
    ]);
  });

  it("of 100 MB, also if many entries share one file", () => {
    const bytes = zipOf([
      { name: "x", contents: Buffer.alloc(30 * MB) },
      ...Array.from({ length: 20 }, () => ({
        ...file(""),
        lies: { offset: 0, crc: zipCrc(Buffer.alloc(30 * MB)), packedSize: MB },
      })),
    ]);
    const sizes = [...unpack(bytes)].map((contents) => ("reason" in contents ? 0 : contents.bytes.length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(90 * MB);
  });

  it("of 1,000 files", () => {
    const found = unpacked(zipOf(Array.from({ length: 1_001 }, () => file("<a/>", { isStored: true }))));
    expect(found.length).toBe(1_001);
    expect(found.at(-1)).toEqual({ reason: expect.stringMatching(/more than 1000 files/) });
  });
});

/** The checksum in its zip. */
function zipCrc(contents: Buffer): number {
  return zipOf([{ name: "x", contents }]).readUInt32LE(14);
}
