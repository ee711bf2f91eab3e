import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTurns } from "../../../test/harness/count-turns.ts";
import { Fault } from "../../shared/fault.ts";
import { readCsv } from "./read-csv.ts";

const MAX_BYTES = 2 * 1024 * 1024;

/** As many rows as the import accepts. */
const filled = (heading: string, row: string) =>
  heading + row.repeat(Math.floor((MAX_BYTES - heading.length) / row.length));

const refusalOf = async (csv: string) => {
  const thrown = await readCsv(csv).catch((error: unknown) => error);
  return Fault.from(thrown).errors?.map(({ message }) => message);
};

describe("reading a CSV file of 2 MB", () => {
  it.each([
    ["one row of commas", filled("email\n", ",")],
    ["a heading of 63,000 columns", filled(`email${",".repeat(63_000)}\n`, `${",".repeat(63_000)}\n`)],
    ["10,000 rows of 200 columns", `email${",".repeat(200)}\n${`${",".repeat(200)}\n`.repeat(10_000)}`],
    ["empty lines", filled("email\n", "\n")],
    ["quotes", filled("email\n", `"${'""'.repeat(30_000)}"\n`)],
  ])("lets other work run after every 64 KB (%s)", async (_, csv) => {
    expect(await countTurns(() => readCsv(csv).catch(() => undefined))).toBeGreaterThan(
      Math.floor(csv.length / 65_536) - 1,
    );
  });

  it("reads the same result for every position of the slices", async () => {
    const tail = 'ann@example.net,"é said ""no"",\r\n🙂"\r\n\r\n,\rbob@example.net,☃\n';
    await fc.assert(
      fc.asyncProperty(fc.nat(80), fc.constantFrom("", "\ufeff"), async (shift, bom) => {
        const padding = `${bom}email,note\r\nzoe@example.net,`;
        const long = "x".repeat(50_000);
        const filler = "y".repeat(65_536 - Buffer.byteLength(padding) - 50_002 - shift);
        const { rows } = await readCsv(`${padding}${long}\r\n${filler}${tail}`);
        expect(rows.map(({ row, cells }) => [row, cells.address, cells.detail])).toEqual([
          [2, "zoe@example.net", long],
          [3, `${filler}ann@example.net`, 'é said "no",\r\n🙂'],
          [5, "", ""],
          [6, "bob@example.net", "☃"],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it("reports the line of an error after the first 64 KB", async () => {
    const rows = "ann@example.net\n".repeat(5_000);
    expect(await refusalOf(`email\n${rows}"bob@example.net" x\n${rows}`)).toEqual([
      "Text follows a closing quote (line 5002). Nothing was imported.",
    ]);
    expect(await refusalOf(`email\n${rows}"bob@example.net\n`)).toEqual([
      expect.stringMatching(/^A quote is not closed \(line \d+\)\. Nothing was imported\.$/),
    ]);
  });

  it("refuses 10,001 rows because of their number, with any following content", async () => {
    const rows = "a@b.c\n".repeat(10_001);
    const refusal = ["The CSV has more than 10000 rows. Import it in parts."];
    expect(await refusalOf(`email\n${rows}`)).toEqual(refusal);
    expect(await refusalOf(`email\n${rows}a@b.c\n"open`)).toEqual(refusal);
    expect(await refusalOf(filled(`email\n${rows}`, "a\n"))).toEqual(refusal);
    expect((await readCsv(`email\n${rows.slice(6)}`)).rows).toHaveLength(10_000);
  });
});
