import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DmarcReport, DmarcRow } from "../../src/intel/aggregate-reports/dmarc-report.ts";
import { readReports } from "../../src/intel/aggregate-reports/read-reports.ts";
import { withoutUndefined } from "../../src/shared/without-undefined.ts";
import {
  bare,
  dmarcReport,
  dmarcRow,
  gzip,
  providers,
  type ReportStyle,
  writeDmarc,
  zip,
} from "../harness/dmarc-reports.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);

const readings = (bytes: Buffer | string) => [...readReports(Buffer.from(bytes))];

function reportIn(bytes: Buffer | string): DmarcReport {
  const [reading] = readings(bytes);
  if (reading?.kind !== "dmarc") throw new Error(JSON.stringify(reading));
  return reading.report;
}

function reasonIn(bytes: Buffer | string): string {
  const [reading] = readings(bytes);
  if (reading?.kind !== "unreadable") throw new Error(JSON.stringify(reading).slice(0, 1_000));
  return reading.reason;
}

/** The report of one row, with a part of its text replaced. */
function changed(from: string | RegExp, to: string, report = dmarcReport()): string {
  const xml = writeDmarc(report);
  const other = xml.replace(from, to);
  if (other === xml) throw new Error(`${from} is not in it`);
  return other;
}

describe("a report is read unchanged", () => {
  const packings = { bare, gzip, zip };
  for (const [name, { report, style, pack }] of Object.entries(providers)) {
    it(`by ${name}`, () => {
      expect(readings(pack(writeDmarc(report, style)))).toEqual([{ kind: "dmarc", report }]);
      for (const other of Object.values(packings)) {
        expect(readings(other(writeDmarc(report, style)))).toEqual([{ kind: "dmarc", report }]);
      }
    });
  }

  it("with any contents", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((value) => value.trim());
    const words = text.filter((value) => value !== "" && value.isWellFormed());
    const lower = words.map((value) => value.toLowerCase());
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const ip = fc.oneof(
      fc.ipV4(),
      fc.integer({ min: 1, max: 0xffff }).map((part) => `2001:db8::${part.toString(16)}`),
    );
    const row: fc.Arbitrary<DmarcRow> = fc
      .record({
        sourceIp: ip,
        count: fc.nat(),
        disposition: fc.oneof(fc.constantFrom("none", "quarantine", "reject", "pass"), lower),
        dkimAligned: fc.boolean(),
        spfAligned: fc.boolean(),
        overrides: fc.array(fc.record({ type: lower, comment: maybe(words) }).map(withoutUndefined), {
          maxLength: 3,
        }),
        headerFrom: lower,
        envelopeFrom: maybe(fc.oneof(fc.constant(""), lower)),
        envelopeTo: maybe(lower),
        dkim: fc.array(
          fc
            .record({ domain: lower, selector: maybe(words), result: lower, humanResult: maybe(words) })
            .map(withoutUndefined),
          { maxLength: 3 },
        ),
        spf: fc.array(
          fc
            .record({ domain: lower, scope: lower, result: lower, humanResult: maybe(words) })
            .map(withoutUndefined),
          { maxLength: 2 },
        ),
      })
      .map(withoutUndefined);
    const report = fc
      .record({
        orgName: words,
        email: words,
        extraContact: maybe(words),
        generator: words,
        errors: fc.array(words, { maxLength: 3 }),
        reportId: words,
        range: fc.tuple(fc.nat(), fc.nat()).map((times) => times.sort((a, b) => a - b)),
        domain: fc.domain(),
        policy: lower,
        pct: maybe(fc.integer({ min: 0, max: 100 })),
        rows: fc.array(row, { maxLength: 4 }),
      })
      .map(({ range: [begin = 0, end = 0], domain, policy, pct, ...rest }) =>
        dmarcReport(
          withoutUndefined({
            ...rest,
            schema: "rfc9990" as const,
            begin: new Date(begin * 1_000),
            end: new Date(end * 1_000),
            policy: withoutUndefined({ domain, adkim: policy, aspf: "r", p: policy, np: policy, pct }),
          }),
        ),
      );
    const style: fc.Arbitrary<Partial<ReportStyle>> = fc.record({
      prefix: fc.constantFrom("", "d:"),
      indent: fc.constantFrom("", " ", "\t"),
      hasVersion: fc.boolean(),
      hasScope: fc.constant(true),
      declaration: fc.constantFrom("", '<?xml version="1.0"?>'),
    });
    fc.assert(
      fc.property(report, style, fc.constantFrom(bare, gzip, zip), (written, how, pack) => {
        expect(readings(pack(writeDmarc(written, how)))).toEqual([{ kind: "dmarc", report: written }]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a report is decoded from", () => {
  const report = dmarcReport({ orgName: "Größe – Müller" });
  const swapped = (xml: string) => Buffer.from(xml, "utf16le").swap16();
  const inWindows = (xml: string) =>
    Buffer.concat([...xml].map((one) => (one === "–" ? Buffer.from([0x96]) : Buffer.from(one, "latin1"))));
  const xml = (encoding: string) =>
    writeDmarc(report, { declaration: `<?xml version="1.0" encoding="${encoding}"?>` });
  it.each<[string, Buffer]>([
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${xml("utf-8")}`)],
    ["UTF-16, little end first, with a mark", Buffer.from(`\ufeff${xml("utf-16")}`, "utf16le")],
    ["UTF-16, big end first, with a mark", swapped(`\ufeff${xml("utf-16")}`)],
    ["UTF-16, little end first", Buffer.from(xml("UTF-16LE"), "utf16le")],
    ["UTF-16, big end first", swapped(xml("UTF-16BE"))],
    ["windows-1252", inWindows(xml("windows-1252"))],
    ["windows-1252, though it says UTF-8", inWindows(xml("utf-8"))],
    ["UTF-8, though it says UTF-16", Buffer.from(xml("utf-16"))],
    ["UTF-8, though it says what nobody knows", Buffer.from(xml("x-none"))],
    [
      "UTF-8 behind white space and zeros",
      Buffer.concat([Buffer.from("\r\n \r\n"), Buffer.from(xml("utf-8")), Buffer.alloc(9)]),
    ],
  ])("%s", (_, bytes) => {
    expect(reportIn(bytes)).toEqual(report);
  });

  it("text with references and sections, decoded once", () => {
    const name = "A &amp;amp; B &#66;&#x43; &nbsp; <![CDATA[<D> &amp;]]> &#0;&#xd800;";
    expect(reportIn(changed("receiver.example", name)).orgName).toBe(
      "A &amp; B BC &nbsp;&#0;&#xd800;<D> &amp;",
    );
  });
});

describe("accepted deviations from the RFCs", () => {
  it.each<[string, string | RegExp, string, Partial<DmarcReport>]>([
    ["an ampersand by itself", "receiver.example<", "AT&T & Sons<", { orgName: "AT&T & Sons" }],
    ["no name", "<org_name>receiver.example</org_name>", "<org_name/>", { orgName: "receiver.example" }],
    ["a declaration within", "<report_metadata>", '<?xml version="1.0"?><report_metadata>', {}],
    [
      "a pasted schema without its end",
      "<report_metadata>",
      '<xs:schema xmlns:xs="x">\n<report_metadata>',
      {},
    ],
    ["a commented record", "<record>", "<!-- <record><row/></record> --><record>", {}],
    ["attributes", "<org_name>", "<org_name lang=\"en\" x='>'>", {}],
    ["times in fractions", /<begin>(\d+)/, "<begin>$1.000", {}],
    ["times in milliseconds", /<begin>(\d+)/, "<begin>$1000", {}],
    ["text behind its end", "</feedback>", "</feedback> \n-- \nsent by a program", {}],
    [
      "two policies",
      "</policy_published>",
      "</policy_published><policy_published><domain>b</domain></policy_published>",
      {},
    ],
    [
      "a share that is none",
      "<pct>100<",
      "<pct>all<",
      { policy: { domain: "example.com", adkim: "r", aspf: "r", p: "reject", sp: "reject" } },
    ],
    ["capitals", "<p>reject<", "<p> Reject <", {}],
  ])("%s", (_, from, to, difference) => {
    expect(reportIn(changed(from, to))).toEqual(dmarcReport(difference));
  });

  it.each<[string, string | RegExp, string, Partial<DmarcRow>]>([
    ["an odd disposition", ">none<", ">Hold<", { disposition: "hold" }],
    ["no disposition", "<disposition>none</disposition>", "", {}],
    ["no result of SPF", "<spf>pass</spf>", "", { spfAligned: false }],
    ["an IPv4 address in IPv6", ">192.0.2.1<", ">::FFFF:192.0.2.1<", {}],
    [
      "an address that is not in its short form",
      ">192.0.2.1<",
      ">2001:DB8:0:0:0:0:0:1<",
      { sourceIp: "2001:db8::1" },
    ],
    ["identities for identifiers", /identifiers>/g, "identities>", {}],
    ["no identifiers", /<identifiers>[\s\S]*<\/identifiers>/, "", { headerFrom: "" }],
    ["no results", /<auth_results>[\s\S]*<\/auth_results>/, "<auth_results/>", { dkim: [], spf: [] }],
    [
      "an odd result",
      "<result>pass<",
      "<result>BestGuessPass<",
      { dkim: [{ domain: "example.com", selector: "s1", result: "bestguesspass" }] },
    ],
    [
      "a result without a domain",
      "<domain>example.com</domain>\n        <selector>",
      "<selector>",
      { dkim: [{ domain: "", selector: "s1", result: "pass" }] },
    ],
  ])("%s", (_, from, to, difference) => {
    expect(reportIn(changed(from, to)).rows).toEqual([dmarcRow(difference)]);
  });

  it("a week in one report", () => {
    const week = dmarcReport({ end: new Date("2026-03-08T00:00:00Z") });
    expect(reportIn(writeDmarc(week))).toEqual(week);
  });

  it("an end before its beginning", () => {
    const { begin, end } = dmarcReport();
    expect(reportIn(writeDmarc(dmarcReport({ begin: end, end: begin })))).toMatchObject({ begin, end });
  });

  it("no rows", () => {
    const empty = dmarcReport({ rows: [] });
    expect(reportIn(writeDmarc(empty))).toEqual(empty);
  });
});

describe("an unreadable row", () => {
  const rows = [dmarcRow({ count: 1 }), dmarcRow({ count: 77 }), dmarcRow({ count: 3 })];
  it.each<[string, string | RegExp, string, RegExp]>([
    ["has no address", ">192.0.2.7<", ">mail.example<", /source_ip is not an IP address: "mail.example"/],
    ["has a short address", ">192.0.2.7<", ">192.2<", /source_ip is not an IP address/],
    ["has no count", "<count>77</count>", "", /count is not a valid number of messages: ""/],
    ["has a negative count", ">77<", ">-1<", /count is not a valid number of messages: "-1"/],
    ["has a count beyond all mail", ">77<", ">99999999999999<", /count is not a valid number/],
    [
      "was not evaluated",
      /(<count>77<\/count>\s*)<policy_evaluated>[\s\S]*?<\/policy_evaluated>/,
      "$1",
      /does not contain the evaluated policy/,
    ],
    ["is not well-formed", "<count>77</count>", "<count>77", /XML is invalid/],
    [
      "has names of prototypes",
      "<count>77",
      "<__proto__><x>1</x></__proto__><count>77",
      /XML is refused: .*__proto__/,
    ],
    ["is very long", "<count>77", `${"<a/>".repeat(70_000)}<count>77`, /the row is too long/],
    ["is deep", "<count>77", `${"<a>".repeat(40)}${"</a>".repeat(40)}<count>77`, /XML is refused: .*nested/],
  ])("is left out with its reason, and the others are read: it %s", (_, from, to, reason) => {
    const [first, second = dmarcRow(), third] = rows;
    const report = dmarcReport({
      rows: [first ?? second, { ...second, sourceIp: "192.0.2.7" }, third ?? second],
    });
    const { rows: found, leftOut } = reportIn(changed(from, to, report));
    expect(found).toEqual([first, third]);
    expect(leftOut).toEqual({ count: 1, examples: [{ number: 2, reason: expect.stringMatching(reason) }] });
  });

  it("is counted beyond the first hundred, too", () => {
    const xml = writeDmarc(dmarcReport({ rows: Array.from({ length: 150 }, () => dmarcRow()) }));
    const { rows: found, leftOut } = reportIn(xml.replaceAll("192.0.2.1", "nowhere"));
    expect([found.length, leftOut.count, leftOut.examples.length]).toEqual([0, 150, 100]);
  });
});

describe("a document that is no report is unreadable, with a reason", () => {
  const xml = writeDmarc(dmarcReport());
  const bomb = `<!DOCTYPE f [<!ENTITY a "aaaaaaaaaa">${"bcdefghij".replace(/./g, (name, at) => `<!ENTITY ${name} "${`&${"abcdefghi"[at]};`.repeat(10)}">`)}]>`;
  it.each<[string, string | Buffer, RegExp]>([
    ["nothing", "", /document is empty/],
    ["white space", " \r\n", /not gzip, zip, XML or JSON/],
    ["a text", "Please find the report attached.", /not gzip, zip, XML or JSON/],
    ["a PDF", "%PDF-1.7\n", /not gzip, zip, XML or JSON/],
    ["HTML", "<!doctype html><html><body><p>Sign in<br></body></html>", /document type/],
    ["HTML without a document type", "<html><body><p>Sign in<br></body></html>", /its root is html/],
    ["another XML", "<report><feedback/></report>", /its root is report/],
    ["a root alone", "<", /its root is missing/],
    ["entities", bomb + xml.replace("receiver.example", "&j;"), /document type, which may define entities/],
    ["external entities", `<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`, /document type/],
    [
      "a document type behind its beginning",
      changed("<record>", "<!doctype x [<!ENTITY a 'b'>]><record>"),
      /document type/,
    ],
    ["no metadata", changed(/<report_metadata>[\s\S]*<\/report_metadata>/, ""), /its period/],
    ["no time", changed(/<begin>\d+/, "<begin>yesterday"), /its period/],
    ["no policy", changed(/<policy_published>[\s\S]*<\/policy_published>/, ""), /domain of the policy/],
    [
      "prototypes in its metadata",
      changed("<org_name>", "<constructor>x</constructor><org_name>"),
      /XML is refused: .*constructor/,
    ],
    ["a comment without an end", changed("<record>", "<!-- <record>"), /XML is invalid/],
    [
      "much besides its rows",
      changed("<record>", `${"<a/>".repeat(300_000)}<record>`),
      /too long outside of its rows/,
    ],
    ["elements in the wrong order", changed("</date_range>", "</report_metadata>"), /XML is invalid/],
  ])("%s", (_, bytes, reason) => {
    expect(reasonIn(bytes)).toMatch(reason);
  });

  it("a report that is cut off anywhere", () => {
    const long = writeDmarc(dmarcReport({ rows: [dmarcRow(), dmarcRow()] })).trimEnd();
    for (let length = 1; length < long.length; length += 7) {
      expect(reasonIn(long.slice(0, length))).toMatch(
        /XML is invalid|its root is|its period|domain of the policy/,
      );
    }
  });

  it("one row more than 200,000", () => {
    const row = "<record><row/></record>";
    const many = (count: number) => gzipSync(changed(/<record>[\s\S]*<\/record>/, row.repeat(count)));
    expect(reasonIn(many(200_001))).toMatch(/more than 200000 rows/);
  });

  it("reasons that are short, whatever the report says", () => {
    expect(reasonIn(`<${"x".repeat(60)} a="${"y".repeat(10_000)}"/>`).length).toBeLessThan(310);
    const { leftOut } = reportIn(changed(">192.0.2.1<", `>${"z".repeat(100_000)}<`));
    expect(leftOut.examples[0]?.reason.length).toBeLessThan(310);
  });

  it("and what is only random never fails otherwise", () => {
    const piece = fc.constantFrom(
      "<feedback>",
      "</feedback>",
      "<record>",
      "</record>",
      "<row>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "&",
      "<",
      ">",
      "<?",
      "?>",
      "<a b=",
      '"',
      "x",
      "<d:record x='1'>",
      "</d:record>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(readings(`<feedback>${pieces.join("")}`).length).toBe(1);
      }),
      { numRuns: RUNS },
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom("", "PK\x03\x04", "\x1f\x8b\x08", "<", "{", "\xff\xfe"),
        (bytes, magic) => {
          expect(readings(Buffer.concat([Buffer.from(magic, "latin1"), bytes])).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("prototypes stay as they were", () => {
    const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
    for (const name of names)
      readings(changed("<org_name>", `<${name}><polluted>1</polluted></${name}><org_name>`));
    readings(`{"policies":[{"__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"date-range":{}}`);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
