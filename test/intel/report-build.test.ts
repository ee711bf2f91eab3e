import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { intelReport } from "../../contracts/common/intel-report-schemas.ts";
import { reportSections } from "../../contracts/common/report-section-names.ts";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import type { ReportInputs } from "../../src/intel/reports/report-inputs.ts";
import { reportInputs, reportTime } from "../harness/report-inputs.ts";

const DAY_MS = 86_400_000;
const inputs = reportInputs();
const report = buildReport(inputs);

/** The same inputs with a changed first domain. */
function withFirst(
  change: Partial<ReportInputs["domains"][number]>,
  of: ReportInputs = inputs,
): ReportInputs {
  const [first, ...others] = of.domains;
  if (!first) throw new Error("no domain");
  return { ...of, domains: [{ ...first, ...change }, ...others] };
}

const reversed = (facts: ReportInputs): ReportInputs => ({
  ...facts,
  domains: facts.domains.toReversed().map((domain) => ({
    ...domain,
    results: domain.results.toReversed(),
    history: domain.history.toReversed(),
    findings: domain.findings.toReversed(),
  })),
  lists: facts.lists.toReversed(),
  standings: facts.standings.toReversed(),
  listingEvents: facts.listingEvents.toReversed(),
  sending: facts.sending.toReversed(),
  dmarc: facts.dmarc.toReversed(),
});

describe("a report", () => {
  it("equals the golden file", () => {
    const golden = readFileSync("test/fixtures/intel/report-1.json", "utf8");
    expect(JSON.stringify(report)).toBe(JSON.stringify(JSON.parse(golden)));
  });

  it("has exactly the shape of its schema", () => {
    expect(intelReport.parse(report)).toEqual(report);
  });

  it("has the same bytes for the same inputs, in any order", () => {
    const other = reportInputs({ domains: 7 });
    expect(JSON.stringify(buildReport(reversed(other)))).toBe(JSON.stringify(buildReport(other)));
  });

  it("has a hash of its facts, without its id and time", () => {
    const hashOf = (facts: ReportInputs) => buildReport(facts).inputs_hash;
    expect(hashOf({ ...inputs, id: "rpt_other", generatedAt: new Date(reportTime.getTime() + 1) })).toBe(
      report.inputs_hash,
    );
    expect(hashOf(withFirst({ isPaused: true }))).not.toBe(report.inputs_hash);
  });

  it("omits sections that were not requested, and lists them", () => {
    const short = buildReport({ ...inputs, sections: ["findings", "history"] });
    expect(short.sections).toEqual(["history", "findings"]);
    expect(reportSections.filter((name) => short[name] !== null)).toEqual(["history", "findings"]);
    expect(short.summary).toEqual(report.summary);
    expect(short.top_fixes).toEqual(report.top_fixes);
  });

  it("reports the number of omitted entries", () => {
    const at = new Date("2026-11-01T12:00:00Z");
    const statusChanges = Array.from(
      { length: 1_200 },
      () => ({ at, from: "healthy", to: "warning" }) as const,
    );
    const { changes, left_out: leftOut } = buildReport(withFirst({ statusChanges }));
    expect(changes).toHaveLength(1_000);
    expect(leftOut.changes).toBe(1_200 + (report.changes?.length ?? 0) - 1_000);
    expect(Object.values(report.left_out).every((count) => count === 0)).toBe(true);
  });

  it("without domains has no score and only valid numbers", () => {
    const none = buildReport({
      ...inputs,
      domains: [],
      standings: [],
      sending: [],
      dmarc: [],
      listingEvents: [],
    });
    expect(none.summary).toMatchObject({ domains: 0, score: null, coverage: null, score_delta: null });
    expect(none.history).toEqual([{ domain_id: null, domain: null, points: [] }]);
    expect(intelReport.parse(none)).toEqual(none);
    expect(JSON.stringify(none)).not.toMatch(/NaN|Infinity/);
  });
});

describe("findings of a report", () => {
  it("are ordered by the value of their repair", () => {
    const gains = report.findings?.map(({ gain }) => gain) ?? [];
    expect(gains).toEqual(gains.toSorted((one, other) => other - one));
    expect(report.top_fixes).toEqual(report.fixes?.slice(0, 3));
  });

  it("that are muted are marked, do not count, and propose no fix", () => {
    const [top] = report.top_fixes;
    const mutedUntil = new Date(reportTime.getTime() + DAY_MS);
    const domains = inputs.domains.map((domain) => ({
      ...domain,
      findings: domain.findings.map((finding) =>
        domain.id === top?.domain_id && finding.checkId === top.check_id
          ? { ...finding, mutedUntil }
          : finding,
      ),
    }));
    const muted = buildReport({ ...inputs, domains });
    const finding = muted.findings?.find(
      ({ check_id: id, domain_id: domain }) => id === top?.check_id && domain === top?.domain_id,
    );
    expect(finding?.muted_until).toBe(mutedUntil.toISOString());
    expect(muted.fixes).toEqual(report.fixes?.slice(1));
    expect(muted.summary.findings.critical).toBe(report.summary.findings.critical - 1);
    expect(muted.summary.score).toBe(report.summary.score);
  });

  it("exclude inconclusive checks, which are listed as not measured with a reason", () => {
    const [unmeasured] = report.not_measured?.filter(({ status }) => status === "error") ?? [];
    expect(unmeasured).toMatchObject({
      check_id: "transport.starttls",
      why: "mx1.nordwind.example: no answer at port 25 within 20 seconds.",
    });
    const isSame = ({ check_id: id, domain }: { check_id: string; domain: string }) =>
      id === unmeasured?.check_id && domain === unmeasured.domain;
    expect(report.findings?.filter(isSame)).toEqual([]);
  });
});

describe("the history of a report", () => {
  const point = (day: string, score: number, scoreModel = "1") => ({
    at: new Date(`2026-11-${day}T12:00:00Z`),
    score,
    coverage: 1,
    scoreModel,
  });
  const twoDomains = reportInputs({ domains: 2 });
  const historyOf = (...histories: ReturnType<typeof point>[][]) => {
    const domains = twoDomains.domains.map((domain, index) => ({
      ...domain,
      history: histories[index] ?? [],
    }));
    return buildReport({ ...twoDomains, domains }).history?.[0]?.points;
  };

  it("keeps the last state of a domain on a day without a check", () => {
    expect(historyOf([point("01", 40), point("03", 60)], [point("01", 80)])).toMatchObject([
      { date: "2026-11-01", score: 60, domains: 2 },
      { date: "2026-11-03", score: 70, domains: 2 },
    ]);
  });

  it("computes no mean of scores of different models", () => {
    expect(historyOf([point("01", 40), point("03", 60, "2")], [point("01", 80)])).toMatchObject([
      { score: 60, score_model: "1", domains: 2 },
      { score: 60, score_model: "2", domains: 1 },
    ]);
  });

  it("uses days in the report's time zone", () => {
    const late = { ...point("01", 40), at: new Date("2026-11-01T23:30:00Z") };
    expect(historyOf([late])?.[0]?.date).toBe("2026-11-02");
  });

  it("has no comparison for a domain that was added within the period", () => {
    const added = buildReport(withFirst({ history: [point("20", 40), point("21", 60)] }));
    const [first] = inputs.domains;
    expect(added.domains?.find(({ id }) => id === first?.id)?.score_delta).toBeNull();
  });

  it("lists the state of the first check run as no change, and later states as changes", () => {
    const [first] = inputs.domains;
    const found = (checkId: "auth.spf.exists" | "auth.dmarc.exists", day: string) => ({
      checkId,
      severity: "critical" as const,
      openedAt: point(day, 0).at,
    });
    const { changes } = buildReport(
      withFirst({
        history: [point("20", 40), point("21", 40)],
        findings: [found("auth.spf.exists", "20"), found("auth.dmarc.exists", "21")],
        statusChanges: [{ at: point("20", 0).at, from: "pending", to: "critical" }],
      }),
    );
    const own = changes?.filter(({ domain_id: id }) => id === first?.id).map(({ kind }) => kind);
    expect(own).toEqual(["finding_opened"]);
  });

  it("does not show a change of the model as a change of the domain", () => {
    const other = buildReport(withFirst({ history: [point("01", 20, "0"), point("20", 30, "0")] }));
    const [first] = inputs.domains;
    expect(other.domains?.find(({ id }) => id === first?.id)?.score_delta).toBeNull();
  });
});

describe("blacklists in a report", () => {
  it("are named without brackets if the list has returned no code", () => {
    const listingEvents = inputs.listingEvents.map((event) => ({
      ...event,
      listing: { ...event.listing, codes: [] },
    }));
    const texts = buildReport({ ...inputs, listingEvents }).changes?.map(({ text }) => text) ?? [];
    expect(texts.filter((text) => / lists /.test(text)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes("()"))).toEqual([]);
  });

  it("count a listing as open, and an outage not as clean", () => {
    const states = report.blacklists?.map(({ state, list: { id } }) => `${id} ${state}`);
    expect(states?.slice(0, 2)).toEqual(["spamcop listed", "psbl error"]);
    expect(report.summary.listings_open).toBe(1);
    expect(report.method?.lists.find(({ id }) => id === "psbl")).toMatchObject({
      subjects: 5,
      listed: 0,
      clean: 4,
      unknown: 1,
    });
  });
});

describe("mail counts in a report", () => {
  it("have consistent denominators", () => {
    const [total, ...others] = report.sending ?? [];
    const byProvider = others.filter(({ domain_id: id }) => id === null);
    const byDomain = others.filter(({ domain_id: id }) => id !== null);
    for (const part of [byProvider, byDomain]) {
      expect(part.reduce((sum, { sent }) => sum + sent, 0)).toBe(total?.sent);
      expect(part.reduce((sum, { delivered }) => sum + delivered.count, 0)).toBe(total?.delivered.count);
    }
    expect(byProvider.find(({ provider }) => provider === "other")?.complained).toEqual({
      count: 0,
      of: 0,
      rate: null,
    });
  });

  it("name known senders, and others by their address range", () => {
    const sources = report.dmarc?.map(({ source, known, addresses }) => ({ source, known, addresses }));
    expect(sources?.[0]).toMatchObject({ source: null });
    expect(sources).toContainEqual({ source: "Amazon SES", known: true, addresses: 1 });
    expect(sources).toContainEqual({ source: "203.0.113.0/24", known: false, addresses: 2 });
  });
});
