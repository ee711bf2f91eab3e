import { execFileSync } from "node:child_process";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { IntelReport } from "../../contracts/common/intel-report-schemas.ts";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import { writeDocument } from "../../src/intel/reports/document/write-document.ts";
import { writeHtml } from "../../src/intel/reports/html/write-html.ts";
import { type Paper, writePdf } from "../../src/intel/reports/pdf/write-pdf.ts";
import { hostileName, type ReportCase, reportInputs } from "../harness/report-inputs.ts";
import { tool } from "../harness/tools.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const { missing: noPdfText, note: pdfTextNote } = tool("pdftotext");
const { missing: noChromium, note: chromiumNote } = tool("chromium");

const reportOf = (of?: ReportCase) => buildReport(reportInputs(of));
const htmlOf = (report: IntelReport) => writeHtml(writeDocument(report));
const pdfOf = (report: IntelReport, paper: Paper = "a4") => writePdf(writeDocument(report), paper);

function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (!("tagName" in node)) continue;
      found.push(node);
      visit(node.childNodes);
    }
  };
  visit(parse(html).childNodes);
  return found;
}

function textOf(node: Node): string {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value;
  const children = "childNodes" in node ? node.childNodes : [];
  // In drawing order: one below the other.
  return children.map(textOf).join(node.nodeName === "td" ? " " : "");
}

/** Rows of the tables, by caption. */
function tablesOf(html: string): Map<string, string[][]> {
  const tables = elementsOf(html).filter(({ tagName }) => tagName === "table");
  const within = (table: Element, name: string) => {
    const found: Element[] = [];
    const visit = (nodes: readonly Node[]) => {
      for (const node of nodes) {
        if (!("tagName" in node)) continue;
        if (node.tagName === name) found.push(node);
        visit(node.childNodes);
      }
    };
    visit(table.childNodes);
    return found;
  };
  return new Map(
    tables.map((table) => {
      const rows = within(table, "tr").map((row) => within(row, "td").map(textOf));
      return [within(table, "caption").map(textOf).join(""), rows.filter((row) => row.length > 0)];
    }),
  );
}

/** The visible text of a PDF, in one line. */
function pdfText(pdf: Buffer): string {
  const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" });
  return text.replaceAll("\u00a0", " ").replace(/\s+/g, " ");
}

const number = (value: number) => new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 }).format(value);
const percent = (value: number) =>
  new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 }).format(value);
const signed = (value: number) => (value > 0 ? `+${number(value)}` : number(value));

/** Each domain's numbers, as in a row of the table. */
function domainRows({ domains }: IntelReport): string[][] {
  return (domains ?? []).map(({ name, score, grade, score_delta: delta, coverage, findings }) => [
    name,
    score === null ? "–" : number(score),
    grade ?? "–",
    delta === null ? "–" : signed(delta),
    percent(coverage),
    number(findings.critical),
    number(findings.warning),
    number(findings.info),
  ]);
}

/** All counts with denominators in the documents of a report. */
function ratiosOf({ sending, dmarc }: IntelReport): string[] {
  const ratios = [
    ...(sending ?? []).flatMap(({ delivered, bounced, complained }) => [delivered, bounced, complained]),
    ...(dmarc ?? []).map(({ passed }) => passed),
  ];
  return ratios.map(({ count, of }) => `${number(count)} of ${number(of)}`);
}

describe("documents of a report", () => {
  const report = reportOf();
  const html = htmlOf(report);

  it("contain the numbers of the JSON in the page", () => {
    const tables = tablesOf(html);
    const rows = tables.get("Domains by score, the lowest first") ?? [];
    expect(rows.map(([name = "", , ...numbers]) => [name.split(" ")[0], ...numbers])).toEqual(
      domainRows(report),
    );
    const cells = [...tables.values()].flat(2);
    expect(ratiosOf(report).filter((text) => !cells.some((cell) => cell.endsWith(` ${text}`)))).toEqual([]);
    const page = elementsOf(html)
      .filter(({ tagName }) => tagName === "body")
      .map(textOf)
      .join();
    expect(page).toContain(number(report.summary.score ?? Number.NaN));
    for (const { gain, record } of report.fixes ?? []) {
      if (gain > 0) expect(page).toContain(`${signed(gain)} point`);
      if (record) expect(page).toContain(record.value);
    }
  });

  it.skipIf(noPdfText)(`have the numbers of its JSON in the PDF${pdfTextNote}`, async () => {
    const text = pdfText(await pdfOf(report));
    for (const [name = "", ...numbers] of domainRows(report)) {
      const status = "(?:Healthy|Warning|Critical|Cannot be measured)";
      const rest = numbers.map((value) => value.replace(/[+.]/g, "\\$&")).join(" ");
      expect(text).toMatch(new RegExp(`${name.replaceAll(".", "\\.")} ${status} ${rest} `));
    }
    expect(ratiosOf(report).filter((ratio) => !text.includes(ratio))).toEqual([]);
    expect(text).toMatch(new RegExp(` ${number(report.summary.score ?? Number.NaN)} (?:.*? )?of 100 `));
    for (const { gain, record } of report.fixes ?? []) {
      if (gain > 0) expect(text).toContain(`${signed(gain)} point`);
      if (record) expect(text).toContain(record.value);
    }
  });

  it("name neither Hermod nor the resolver under a brand", async () => {
    const resolver = report.method?.resolver ?? "";
    const pdf = (await pdfOf(report)).toString("latin1");
    expect(report.branding.name).not.toBeNull();
    expect(html).not.toContain(resolver);
    expect(pdf).not.toContain("(Hermod)");
    const own = { ...report, branding: { ...report.branding, name: null } };
    expect(htmlOf(own)).toContain(resolver);
    expect((await pdfOf(own)).toString("latin1")).toContain("(Hermod)");
  });

  it("have the same bytes each time, whatever was written in between", async () => {
    const pdf = await pdfOf(report);
    htmlOf(reportOf({ domains: 2 }));
    await pdfOf(reportOf({ domains: 1 }), "letter");
    expect(htmlOf(report)).toBe(html);
    expect((await pdfOf(report)).equals(pdf)).toBe(true);
  });

  it("omit what the report omits", () => {
    const short = buildReport({ ...reportInputs(), sections: ["domains"] });
    const headings = elementsOf(htmlOf(short)).filter(({ tagName }) => tagName === "h2");
    expect(headings.map(textOf)).toEqual(["Score", "Trend", "Top fixes", "Domains by score"]);
  });

  it("can be written for an empty report", async () => {
    const none = buildReport({
      ...reportInputs(),
      domains: [],
      standings: [],
      sending: [],
      dmarc: [],
      listingEvents: [],
    });
    expect(htmlOf(none)).toContain("No check has a result yet.");
    expect((await pdfOf(none)).subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("use the requested paper", async () => {
    const boxOf = async (paper: Paper) =>
      /\/MediaBox \[([^\]]*)\]/.exec((await pdfOf(report, paper)).toString("latin1"))?.[1];
    expect([await boxOf("a4"), await boxOf("letter")]).toEqual(["0 0 595.28 841.89", "0 0 612 792"]);
  });

  it.skipIf(noPdfText)(
    `have a score, a trend and three repairs on their first page${pdfTextNote}`,
    async () => {
      for (const paper of ["a4", "letter"] as const) {
        const input = await pdfOf(report, paper);
        const first = execFileSync("pdftotext", ["-layout", "-l", "1", "-", "-"], {
          input,
          encoding: "utf8",
        });
        for (const text of ["of 100", "Trend", ...report.top_fixes.map(({ title }) => title)])
          expect(first).toContain(text);
        expect(first).not.toContain("Changes in this period");
      }
    },
  );
});

describe("documents with names from third parties", () => {
  const hostile = reportOf({
    scopeName: hostileName,
    clientName: hostileName,
    brandName: hostileName,
    hostile: hostileName,
  });

  it("contain them as text, without their elements, attributes or addresses", () => {
    const elements = elementsOf(htmlOf(hostile));
    const names = new Set(elements.map(({ tagName }) => tagName));
    for (const name of [
      "script",
      "img",
      "iframe",
      "object",
      "embed",
      "form",
      "link",
      "base",
      "foreignObject",
      "use",
    ])
      expect(names).not.toContain(name);
    const attributes = elements.flatMap(({ attrs }) => attrs);
    expect(attributes.filter(({ name }) => /^on|^style$|^src/.test(name))).toEqual([]);
    const addresses = attributes.filter(({ name }) => name === "href").map(({ value }) => value);
    expect(addresses.filter((address) => !address.startsWith("https://"))).toEqual([]);
    const title = elements.filter(({ tagName }) => tagName === "title").map(textOf);
    expect(title).toEqual([`E-mail deliverability report: ${hostileName.replace("\u202e", " ")}`]);
  });

  it("prevent names from reversing the text around them", () => {
    expect(htmlOf(hostile)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it("shorten a useless record, and name the place of the full one", async () => {
    const whole = reportOf();
    const fixes = whole.top_fixes.map((fix) => ({
      ...fix,
      record: { name: "example.com", type: "TXT", value: "x".repeat(65_000) },
    }));
    const long = { ...whole, top_fixes: fixes, fixes };
    expect(htmlOf(long)).toContain("The JSON of this report contains the whole value.");
    expect(htmlOf(long).length).toBeLessThan(htmlOf(whole).length + 50_000);
    expect((await pdfOf(long)).length).toBeLessThan(500_000);
  });

  it("declare a policy that allows only their own style", () => {
    const [policy] = elementsOf(htmlOf(hostile)).flatMap(({ attrs }) =>
      attrs.some(({ value }) => value === "Content-Security-Policy")
        ? attrs.filter(({ name }) => name === "content").map(({ value }) => value)
        : [],
    );
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/,
    );
  });

  it.skipIf(noPdfText)(`have letters of other scripts and symbols in the PDF${pdfTextNote}`, async () => {
    const names = reportOf({
      domains: 1,
      brandName: "北京示例 サンプル 한국 🚀 ✓ Юг Πλάτων ไทย",
      clientName: "x",
    });
    const text = pdfText(await pdfOf(names));
    for (const word of ["北京示例", "サンプル", "한국", "🚀", "✓", "Юг", "Πλάτων", "ไทย"])
      expect(text).toContain(word);
  });

  it.skipIf(noPdfText)(`name letters that no font has${pdfTextNote}`, async () => {
    expect(pdfText(await pdfOf(reportOf({ domains: 1, brandName: "A\u{13000}B" })))).toContain("A[U+13000]B");
  });

  it.skipIf(noPdfText)(`write names that go to the left as they are read${pdfTextNote}`, async () => {
    const text = pdfText(await pdfOf(reportOf({ scopeName: "شركة المثال (2024)" })));
    // PDF readers return letters by code, and shapes of the same letter are equal after NFKC.
    expect(text.normalize("NFKC")).toMatch(/شركة المثال|المثال شركة/);
  });
});

describe.skipIf(noChromium)(`a report's page in a browser${chromiumNote}`, () => {
  it("violates no rule of its own policy, loads nothing, and fits every screen", async () => {
    const html = htmlOf(reportOf({ brandName: hostileName, hostile: hostileName }));
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const width of [375, 768, 1280]) {
          const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
          const page = await context.newPage();
          const events: string[] = [];
          page.on("console", (message) => events.push(message.text()));
          page.on("pageerror", (error) => events.push(error.message));
          page.on("request", (request) => events.push(request.url()));
          page.on("dialog", (dialog) => void dialog.dismiss().then(() => events.push("dialog")));
          await page.setContent(html);
          const scrolled = await page.evaluate("document.documentElement.scrollWidth");
          expect({ width, colorScheme, scrolled, events }).toEqual({
            width,
            colorScheme,
            scrolled: width,
            events: [],
          });
          await context.close();
        }
      }
    } finally {
      await browser.close();
    }
  }, 120_000);
});
