import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast } from "../../src/intel/reports/brand-colors.ts";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import { writeDocument } from "../../src/intel/reports/document/write-document.ts";
import { writeHtml } from "../../src/intel/reports/html/write-html.ts";
import { cleanPng, MAX_SIDE, sizeOfPng } from "../../src/intel/reports/labels/clean-png.ts";
import { exampleInputs } from "../../src/intel/reports/labels/example-inputs.ts";
import { labelColors } from "../../src/intel/reports/labels/label-colors.ts";
import { writePdf } from "../../src/intel/reports/pdf/write-pdf.ts";
import { type PngCase, pngOf, whitePixel } from "../harness/png.ts";
import { reportInputs } from "../harness/report-inputs.ts";

/** Types and data of the chunks of a PNG. */
function chunksOf(png: Buffer): (readonly [type: string, data: Buffer])[] {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, end - 4)] as const);
    at = end;
  }
  return chunks;
}

const rowsOf = (png: Buffer) =>
  inflateSync(Buffer.concat(chunksOf(png).flatMap(([type, data]) => (type === "IDAT" ? [data] : []))));

async function cleaned(png: Buffer) {
  const result = await cleanPng(png);
  if (!result.ok) throw new Error(result.problem);
  return result;
}

const problemOf = async (png: Buffer) => {
  const result = await cleanPng(png);
  return result.ok ? "none" : result.problem;
};

describe("a logo", () => {
  it("keeps its pixels, palette and transparency, and nothing else", async () => {
    const texts = [
      ["tEXt", Buffer.from("Comment\0<script>alert(1)</script>")],
      ["iCCP", Buffer.alloc(900)],
      ["acTL", Buffer.alloc(8)],
    ] as const;
    const kinds: readonly PngCase[] = [
      { width: 3, height: 2 },
      { width: 9, height: 4, colorType: 6 },
      { width: 5, height: 5, colorType: 4 },
      { width: 17, height: 3, colorType: 0, depth: 1, transparency: Buffer.from([0, 1]) },
      {
        width: 7,
        height: 2,
        colorType: 3,
        depth: 4,
        palette: Buffer.alloc(9, 7),
        transparency: Buffer.from([0, 255]),
      },
    ];
    for (const kind of kinds) {
      const given = pngOf({ ...kind, chunks: texts });
      const { png, width, height } = await cleaned(given);
      expect([width, height, sizeOfPng(png)]).toEqual([
        kind.width,
        kind.height,
        { width: kind.width, height: kind.height },
      ]);
      const types = chunksOf(png).map(([type]) => type);
      const colors = [...(kind.palette ? ["PLTE"] : []), ...(kind.transparency ? ["tRNS"] : [])];
      expect(types).toEqual(["IHDR", ...colors, "IDAT", "IEND"]);
      expect(rowsOf(png).equals(rowsOf(given))).toBe(true);
      expect((await cleaned(png)).png.equals(png)).toBe(true);
    }
  });

  it.each<[string, Buffer, string]>([
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "not_png"],
    ["a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "not_png"],
    ["an empty file", Buffer.alloc(0), "not_png"],
    ["an image that is too wide", pngOf({ width: MAX_SIDE + 1 }), "pixels"],
    ["an image without pixels", pngOf({ width: 0, rows: Buffer.alloc(1) }), "pixels"],
    ["an interlaced image", pngOf({ interlace: 1 }), "form"],
    ["16 bits per channel", pngOf({ depth: 16 }), "form"],
    ["an unknown color type", pngOf({ colorType: 5 }), "form"],
    ["a palette image without a palette", pngOf({ colorType: 3 }), "damaged"],
    [
      "a palette with too many colors",
      pngOf({ colorType: 3, depth: 1, palette: Buffer.alloc(9) }),
      "damaged",
    ],
    ["too few rows", pngOf({ height: 3, rows: Buffer.alloc(4) }), "damaged"],
    ["rows that unpack to more than the image", pngOf({ rows: Buffer.alloc(9_000_000) }), "damaged"],
    ["an unknown filter", pngOf({ rows: Buffer.from([5, 0, 0, 0]) }), "damaged"],
    ["a file that is cut off", whitePixel.subarray(0, -13), "damaged"],
  ])("is refused: %s", async (_name, file, problem) => {
    expect(await problemOf(file)).toBe(problem);
  });

  it("is refused with any changed octet, or stays the same image", async () => {
    const given = pngOf({ width: 4, height: 4, colorType: 3, palette: Buffer.alloc(12, 3) });
    const { png } = await cleaned(given);
    await fc.assert(
      fc.asyncProperty(fc.nat(given.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(given);
        changed[at] = (changed[at] ?? 0) ^ change;
        const result = await cleanPng(changed);
        expect(!result.ok || result.png.equals(png)).toBe(true);
      }),
    );
  });

  it("never fails on arbitrary bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const after = Buffer.concat([whitePixel.subarray(0, 33), bytes]);
        expect(["none", "damaged"]).toContain(await problemOf(after));
      }),
    );
  });
});

describe("the color of a label", () => {
  it("is always readable on bands, on paper and on a dark page", () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
    fc.assert(
      fc.property(color, (given) => {
        const { fill, textOnFill, textOnLight, textOnDark, adjusted, contrast: ratio } = labelColors(given);
        expect(fill).toBe(given);
        expect(ratio).toBeGreaterThanOrEqual(4.5);
        expect(contrast(fill, textOnFill)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(textOnLight, "#ffffff")).toBeGreaterThanOrEqual(4.5);
        expect(contrast(textOnDark, "#14171c")).toBeGreaterThanOrEqual(4.5);
        expect(adjusted).toBe(contrast(fill, "#ffffff") < 4.5);
      }),
      { numRuns: 2_000 },
    );
  });

  it("has black text where neither white nor almost black is readable", () => {
    expect(labelColors("#767676").textOnFill).toBe("#ffffff");
    expect(labelColors("#777777")).toMatchObject({ textOnFill: "#000000", adjusted: true });
  });
});

describe("a report with a logo", () => {
  const report = buildReport(reportInputs({ domains: 1, brandName: 'A"cme <b>' }));

  it("shows it in HTML as part of the page, which its policy permits", () => {
    const html = writeHtml(writeDocument(report, whitePixel));
    const image = `<img class="logo" src="data:image/png;base64,${whitePixel.toString("base64")}"`;
    expect(html).toContain(`${image} width="1" height="1" alt="A&quot;cme &lt;b&gt;">`);
    expect(html).toMatch(/content="default-src &#39;none&#39;;[^"]* img-src data:;|img-src data:;/);
    expect(writeHtml(writeDocument(report))).not.toMatch(/<img|img-src/);
  });

  it("shows it in the PDF, with the same bytes each time", async () => {
    const write = () => writePdf(writeDocument(report, pngOf({ width: 20, height: 10, colorType: 6 })), "a4");
    const pdf = await write();
    expect(pdf.toString("latin1")).toMatch(/\/Subtype \/Image/);
    expect((await write()).equals(pdf)).toBe(true);
    expect((await writePdf(writeDocument(report), "a4")).toString("latin1")).not.toMatch(/\/Subtype \/Image/);
  });

  it("has an example for previews", () => {
    const example = buildReport(exampleInputs(new Date("2030-01-01T00:00:00Z"), { name: "Acme" }));
    expect(example).toMatchObject({
      scope: { name: "example.com" },
      branding: { name: "Acme", color: null },
      findings: [{ check_id: "auth.dmarc.policy" }, { check_id: "transport.tlsrpt" }],
    });
    expect(writeHtml(writeDocument(example))).toContain("example.com");
  });
});
