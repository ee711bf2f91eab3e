import { describe, expect, it } from "vitest";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import { reportLetter } from "../../src/intel/reports/report-letter.ts";
import { checkSubject } from "../../src/message/header/header-fields.ts";
import { checkAttachments } from "../../src/message/mime/attachments.ts";
import { hostileName, type ReportCase, reportInputs } from "../harness/report-inputs.ts";

const letterOf = (of?: ReportCase, changes: object = {}) => {
  const report = { ...buildReport(reportInputs(of)), ...changes };
  return { report, ...reportLetter(report, { name: "Weekly report", format: "pdf" }) };
};

describe("the mail of a report", () => {
  it("contains status, top fixes and changes in text and HTML", () => {
    const { report, text, html } = letterOf();
    const { summary, top_fixes: fixes, changes } = report;
    expect(text).toContain(`Score: ${summary.score} of 100`);
    expect(text).toContain(`${summary.findings.critical} critical`);
    expect(fixes.length).toBeGreaterThan(0);
    for (const { domain, title } of fixes) expect(text).toContain(`- ${domain}, goal: ${title}`);
    expect(text).toContain(changes?.[0]?.text);
    expect(text).toMatch(/The complete report is attached: deliverability-.+\.pdf\n$/);
    const plain = html.replace(/<[^>]+>/g, "").replaceAll("&amp;", "&");
    for (const line of text
      .split("\n")
      .filter((one) => one.startsWith("- Score") || one.startsWith("- Findings")))
      expect(plain).toContain(line.slice(2));
  });

  it("lists a few of many changes, and the number of the others", () => {
    const { report } = letterOf();
    const [change] = report.changes ?? [];
    const many = Array.from({ length: 40 }, () => change);
    const { text } = letterOf(undefined, { changes: many, left_out: { ...report.left_out, changes: 960 } });
    expect(text).toContain("- and 995 other changes\n");
  });

  it("omits what the report omits", () => {
    const { text } = letterOf(undefined, { changes: null, top_fixes: [] });
    expect(text).not.toContain("Changes");
    expect(text).not.toContain("Top fixes");
  });

  it("formats dates and numbers in the report's locale", () => {
    expect(letterOf(undefined, { locale: "en-GB" }).subject).toMatch(/^Weekly report: \d+ \w{3} \d{4} – /);
    expect(letterOf(undefined, { locale: "en-US" }).subject).toMatch(/^Weekly report: \w{3} \d+, \d{4} – /);
  });

  it.each([
    ["Müller & Söhne GmbH", "muller-sohne-gmbh"],
    ["株式会社", "client"],
    ["../../etc/passwd", "etc-passwd"],
    ["x".repeat(300), "x".repeat(60)],
    [hostileName, "script-alert-1-script-img-src-x-onerror-alert-1-gnp"],
  ])("of %j has a file name with letters that every system supports", (name, expected) => {
    const { report } = letterOf();
    const named = letterOf(undefined, { scope: { ...report.scope, type: "client", name } });
    const [, part] = /^deliverability-(.+)-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.pdf$/.exec(named.fileName) ?? [];
    expect(part).toBe(expected);
    const attachment = {
      filename: named.fileName,
      contentType: "application/pdf",
      content: new Uint8Array(1),
    };
    expect(checkAttachments([{ ...attachment, disposition: "attachment" }])).toEqual([]);
  });

  it("escapes third-party words in its markup and its header", () => {
    const { report } = letterOf();
    const named = reportLetter(
      { ...report, scope: { ...report.scope, name: hostileName } },
      { name: hostileName, format: "html" },
    );
    expect(named.html).not.toContain("<script>");
    expect(named.html).not.toContain("<img");
    expect(`${named.subject}${named.text}${named.html}`).not.toContain("\u202e");
    expect(checkSubject(named.subject)).toBeUndefined();
  });
});
