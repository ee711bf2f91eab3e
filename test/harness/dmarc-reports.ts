import { gzipSync } from "node:zlib";
import type { DmarcReport, DmarcRow } from "../../src/intel/aggregate-reports/dmarc-report.ts";
import { zipOf } from "./zip-archive.ts";

/** Formatting style of a reporter. */
export interface ReportStyle {
  readonly declaration: string;
  /** Attributes of the root. */
  readonly attributes: string;
  readonly prefix: string;
  /** Text before each element; empty: all elements are on one line. */
  readonly indent: string;
  readonly hasVersion: boolean;
  /** Whether SPF results have a scope. */
  readonly hasScope: boolean;
  /** Text between the published policy and the records. */
  readonly extension: string;
}

const PLAIN: ReportStyle = {
  declaration: '<?xml version="1.0" encoding="UTF-8" ?>',
  attributes: "",
  prefix: "",
  indent: "  ",
  hasVersion: false,
  hasScope: false,
  extension: "",
};

type Packing = (xml: string) => Buffer;
export const bare: Packing = (xml) => Buffer.from(xml);
export const gzip: Packing = (xml) => gzipSync(xml);
export const zip: Packing = (xml) => zipOf([{ name: "report.xml", contents: Buffer.from(xml) }]);

export interface ProviderReport {
  readonly report: DmarcReport;
  readonly style: ReportStyle;
  readonly pack: Packing;
}

/** Writes the report as XML. Missing fields are omitted. */
export function writeDmarc(report: DmarcReport, style: Partial<ReportStyle> = {}): string {
  const { declaration, attributes, prefix, indent, hasVersion, hasScope, extension } = { ...PLAIN, ...style };
  const line = indent === "" ? "" : "\n";
  const element = (depth: number, name: string, contents: string) =>
    `${line}${indent.repeat(depth)}<${prefix}${name}>${contents}${contents.startsWith(line || "<") && line !== "" ? `${line}${indent.repeat(depth)}` : ""}</${prefix}${name}>`;
  const leaf = (depth: number, name: string, value: string | number | undefined) =>
    value === undefined ? "" : element(depth, name, escapeXml(String(value)));

  const row = (one: DmarcRow) => {
    const reasons = one.overrides.map(({ type, comment }) =>
      element(4, "reason", leaf(5, "type", type) + leaf(5, "comment", comment)),
    );
    const dkim = one.dkim.map(({ domain, selector, result, humanResult }) =>
      element(
        3,
        "dkim",
        leaf(4, "domain", domain) +
          leaf(4, "selector", selector) +
          leaf(4, "result", result) +
          leaf(4, "human_result", humanResult),
      ),
    );
    const spf = one.spf.map(({ domain, scope, result, humanResult }) =>
      element(
        3,
        "spf",
        leaf(4, "domain", domain) +
          leaf(4, "scope", hasScope ? scope : undefined) +
          leaf(4, "result", result) +
          leaf(4, "human_result", humanResult),
      ),
    );
    const evaluated =
      leaf(4, "disposition", one.disposition) +
      leaf(4, "dkim", one.dkimAligned ? "pass" : "fail") +
      leaf(4, "spf", one.spfAligned ? "pass" : "fail") +
      reasons.join("");
    return element(
      1,
      "record",
      element(
        2,
        "row",
        leaf(3, "source_ip", one.sourceIp) +
          leaf(3, "count", one.count) +
          element(3, "policy_evaluated", evaluated),
      ) +
        element(
          2,
          "identifiers",
          leaf(3, "envelope_to", one.envelopeTo) +
            leaf(3, "envelope_from", one.envelopeFrom) +
            leaf(3, "header_from", one.headerFrom),
        ) +
        element(2, "auth_results", dkim.join("") + spf.join("")),
    );
  };

  const { policy } = report;
  const metadata =
    leaf(2, "org_name", report.orgName) +
    leaf(2, "email", report.email) +
    leaf(2, "extra_contact_info", report.extraContact) +
    leaf(2, "report_id", report.reportId) +
    element(
      2,
      "date_range",
      leaf(3, "begin", report.begin.getTime() / 1_000) + leaf(3, "end", report.end.getTime() / 1_000),
    ) +
    report.errors.map((error) => leaf(2, "error", error)).join("") +
    leaf(2, "generator", report.generator);
  const published =
    leaf(2, "domain", policy.domain) +
    leaf(2, "discovery_method", policy.discoveryMethod) +
    leaf(2, "adkim", policy.adkim) +
    leaf(2, "aspf", policy.aspf) +
    leaf(2, "p", policy.p) +
    leaf(2, "sp", policy.sp) +
    leaf(2, "np", policy.np) +
    leaf(2, "pct", policy.pct) +
    leaf(2, "fo", policy.fo) +
    leaf(2, "testing", policy.testing);
  const body =
    (hasVersion ? leaf(1, "version", "1.0") : "") +
    element(1, "report_metadata", metadata) +
    element(1, "policy_published", published) +
    extension +
    report.rows.map(row).join("");
  return `${declaration}${line}<${prefix}feedback${attributes}>${body}${line}</${prefix}feedback>${line}`;
}

export function escapeXml(text: string): string {
  const references: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return text.replace(/[&<>"']/g, (character) => references[character] ?? character);
}

/**
 * Builds a report of one row with one passing message. Rows with the default From domain get the domain of the
 * policy.
 */
export function dmarcReport(changes: Partial<DmarcReport> = {}): DmarcReport {
  const rows = changes.rows ?? [dmarcRow()];
  const domain = changes.policy?.domain ?? "example.com";
  return {
    schema: "rfc7489",
    orgName: "receiver.example",
    email: "dmarc@receiver.example",
    errors: [],
    reportId: "2026-03-01.1",
    begin: new Date("2026-03-01T00:00:00Z"),
    end: new Date("2026-03-01T23:59:59Z"),
    policy: { domain: "example.com", adkim: "r", aspf: "r", p: "reject", sp: "reject", pct: 100 },
    leftOut: { count: 0, examples: [] },
    ...changes,
    rows: rows.map((row) => (row.headerFrom === "example.com" ? { ...row, headerFrom: domain } : row)),
  };
}

export function dmarcRow(changes: Partial<DmarcRow> = {}): DmarcRow {
  return {
    sourceIp: "192.0.2.1",
    count: 1,
    disposition: "none",
    dkimAligned: true,
    spfAligned: true,
    overrides: [],
    headerFrom: "example.com",
    dkim: [{ domain: "example.com", selector: "s1", result: "pass" }],
    spf: [{ domain: "bounce.example.com", result: "pass", scope: "mfrom" }],
    ...changes,
  };
}

const FORGED = dmarcRow({
  sourceIp: "2001:db8::25",
  count: 12,
  disposition: "reject",
  dkimAligned: false,
  spfAligned: false,
  dkim: [],
  spf: [{ domain: "example.com", result: "softfail", scope: "mfrom" }],
});

/** Report formats of the large receivers, as known from real reports: fields, typical sizes, and packing. */
export const providers: Readonly<Record<string, ProviderReport>> = {
  Google: {
    report: dmarcReport({
      orgName: "google.com",
      email: "noreply-dmarc-support@google.com",
      extraContact: "https://support.google.com/a/answer/2466580",
      reportId: "04829105837261940573",
      policy: { domain: "example.com", adkim: "r", aspf: "r", p: "reject", sp: "quarantine", pct: 100 },
      rows: [
        dmarcRow({ count: 1432 }),
        FORGED,
        dmarcRow({
          sourceIp: "209.85.220.41",
          count: 3,
          spfAligned: false,
          dkim: [
            { domain: "example.com", selector: "s1", result: "pass" },
            { domain: "list.example", selector: "20230601", result: "fail" },
          ],
          spf: [{ domain: "list.example", result: "pass", scope: "mfrom" }],
        }),
      ],
    }),
    style: PLAIN,
    pack: zip,
  },
  Outlook: {
    report: dmarcReport({
      orgName: "Outlook.com",
      email: "dmarcreport@microsoft.com",
      reportId: "8d2c1f0e6b7a4c55b8f3d9a1e0c47f26",
      end: new Date("2026-03-02T00:00:00Z"),
      policy: { domain: "example.com", adkim: "r", aspf: "r", p: "reject", sp: "reject", pct: 100, fo: "0" },
      rows: [
        dmarcRow({
          envelopeTo: "outlook.com",
          envelopeFrom: "bounce.example.com",
          overrides: [{ type: "local_policy", comment: "arc=pass" }],
        }),
        { ...FORGED, envelopeTo: "hotmail.com", envelopeFrom: "" },
      ],
    }),
    style: {
      ...PLAIN,
      declaration: '<?xml version="1.0"?>',
      attributes:
        ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
      hasVersion: true,
      hasScope: true,
    },
    pack: gzip,
  },
  Yahoo: {
    report: dmarcReport({
      orgName: "Yahoo",
      email: "dmarchelp@yahooinc.com",
      reportId: "1772409600.513829",
      rows: [dmarcRow({ count: 88 }), { ...FORGED, disposition: "quarantine" }],
    }),
    style: { ...PLAIN, declaration: '<?xml version="1.0"?>' },
    pack: gzip,
  },
  "Mail.Ru": {
    report: dmarcReport({
      orgName: "Mail.Ru",
      email: "dmarc_support@corp.mail.ru",
      extraContact: "http://corp.mail.ru/en",
      reportId: "71840296153847261095341772323200",
      rows: [
        dmarcRow({
          envelopeTo: "mail.ru",
          overrides: [{ type: "forwarded" }, { type: "other", comment: 'a list, "weekly" & <monthly>' }],
        }),
      ],
    }),
    style: { ...PLAIN, declaration: '<?xml version="1.0" encoding="utf-8"?>', indent: "", hasScope: true },
    pack: zip,
  },
  Fastmail: {
    report: dmarcReport({
      orgName: "Fastmail Pty Ltd",
      email: "reports@fastmaildmarc.com",
      extraContact: "https://www.fastmail.com/dmarc",
      reportId: "391745206",
      errors: ["the record has a tag that is not known"],
      rows: [dmarcRow({ envelopeFrom: "bounce.example.com" }), { ...FORGED, headerFrom: "news.example.com" }],
    }),
    style: { ...PLAIN, declaration: '<?xml version="1.0"?>', indent: "\t", hasVersion: true, hasScope: true },
    pack: gzip,
  },
  "Amazon SES": {
    report: dmarcReport({
      orgName: "AMAZON-SES",
      email: "postmaster@amazonses.com",
      reportId: "b0a4c3f2-61d7-4e0a-9f7e-1d6f0a52c9e8",
      rows: [dmarcRow({ sourceIp: "54.240.8.1", envelopeFrom: "eu-west-1.amazonses.com" })],
    }),
    style: { ...PLAIN, hasVersion: true },
    pack: bare,
  },
  "RFC 9990": {
    report: dmarcReport({
      schema: "rfc9990",
      orgName: "Größe & Söhne",
      email: "report@groesse.example",
      reportId: "3v98abbp8ya9n3va8yr8oa3ya",
      generator: "Reporter 2.1",
      end: new Date("2026-03-02T00:00:00Z"),
      policy: {
        domain: "example.com",
        discoveryMethod: "treewalk",
        adkim: "s",
        aspf: "r",
        p: "quarantine",
        sp: "none",
        np: "reject",
        fo: "1",
        testing: "y",
      },
      rows: [
        dmarcRow({ disposition: "pass", count: 123, envelopeFrom: "example.com" }),
        { ...FORGED, disposition: "none", overrides: [{ type: "policy_test_mode" }] },
      ],
    }),
    style: {
      ...PLAIN,
      attributes: ' xmlns="urn:ietf:params:xml:ns:dmarc-2.0" xmlns:e="https://e.example/1"',
      hasVersion: true,
      hasScope: true,
      extension: "<extension><e:sum>1</e:sum></extension>",
    },
    pack: gzip,
  },
  "a reporter with a namespace prefix": {
    report: dmarcReport({ schema: "rfc9990", orgName: "prefix.example", rows: [dmarcRow(), FORGED] }),
    style: { ...PLAIN, attributes: ' xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"', prefix: "d:" },
    pack: bare,
  },
};
