import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkIds } from "../../test/harness/domain-results.ts";
import { type StandingCase, standingChecks } from "../../test/harness/standing.ts";
import { assessDomain } from "./assess-domain.ts";
import { blacklists } from "./blacklists/blacklists.ts";
import { openLists } from "./blacklists/open-lists.ts";
import type { CheckId } from "./catalogue.ts";
import type { HeldStatus } from "./standing-check.ts";

const HOUR_MS = 3_600_000;
const now = new Date("2030-01-01T00:00:00Z");
const later = new Date(now.getTime() + HOUR_MS);

function assess(known: Omit<StandingCase, "at">, muted: readonly CheckId[] = [], until = later, at = now) {
  return assessDomain({
    role: "sending",
    isPaused: false,
    lists: [],
    now,
    checks: standingChecks({ ...known, at }),
    mutes: muted.map((checkId) => ({ checkId, until })),
  });
}

const withoutSpf = { but: { "auth.spf.exists": "fail" } } as const;

describe("a domain", () => {
  it("is healthy, scores 100 and has no findings if all checks pass", () => {
    const { status, score, findings, topFindings } = assess({});
    expect({ status, findings, topFindings }).toEqual({ status: "healthy", findings: [], topFindings: [] });
    expect(score.score).toBe(100);
  });

  it("has the status of its worst finding", () => {
    const { status, findings, topFindings } = assess(withoutSpf);
    expect(status).toBe("critical");
    expect(findings).toEqual([{ checkId: "auth.spf.exists", severity: "critical" }]);
    expect(topFindings[0]).toMatchObject({ checkId: "auth.spf.exists", title: expect.stringMatching(/SPF/) });
  });

  it("is paused regardless of its results", () => {
    const checks = standingChecks({ ...withoutSpf, at: now });
    const { status } = assessDomain({
      role: "sending",
      isPaused: true,
      checks,
      lists: [],
      mutes: [],
      now,
    });
    expect(status).toBe("paused");
  });

  it("keeps the last result of an unmeasurable check for 48 hours", () => {
    const failing: readonly CheckId[] = ["auth.spf.exists"];
    const measured = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
    const recent = assess({ ...withoutSpf, failing }, [], later, measured(47));
    expect(recent.findings.map(({ checkId }) => checkId)).toEqual(["auth.spf.exists"]);
    const old = assess({ ...withoutSpf, failing }, [], later, measured(49));
    expect(old.findings).toEqual([]);
    expect(old.score.coverage).toBeLessThan(1);
  });

  it("has checks for queried blacklists only", () => {
    const lists = openLists(blacklists, { spamcop: { isOn: false } });
    const { outcomes } = assessDomain({
      role: "sending",
      isPaused: false,
      checks: [],
      lists,
      mutes: [],
      now,
    });
    const ids = outcomes.map(({ id }) => id);
    expect(ids).toContain("bl.psbl");
    expect(ids).not.toContain("bl.spamcop");
  });
});

describe("a check that is muted", () => {
  it("affects neither status nor findings, and keeps its points", () => {
    const loud = assess(withoutSpf);
    const muted = assess(withoutSpf, ["auth.spf.exists"]);
    expect([muted.status, muted.findings, muted.topFindings]).toEqual(["healthy", [], []]);
    expect(muted.score).toEqual(loud.score);
    expect(muted.outcomes).toEqual(loud.outcomes);
  });

  it("is muted until the mute ends, exclusive", () => {
    expect(assess(withoutSpf, ["auth.spf.exists"], now).status).toBe("critical");
    expect(assess(withoutSpf, ["auth.spf.exists"], new Date(now.getTime() + 1)).status).toBe("healthy");
  });

  it("leaves all other findings and the score unchanged", () => {
    const statuses = fc.constantFrom<HeldStatus>("pass", "warn", "fail");
    const ids = fc.subarray(checkIds as CheckId[]);
    const known = fc.dictionary(fc.constantFrom(...checkIds), statuses, { maxKeys: 12 });
    fc.assert(
      fc.property(known, ids, (but, muted) => {
        const [loud, quiet] = [assess({ but }), assess({ but }, muted)];
        expect(quiet.score).toEqual(loud.score);
        expect(quiet.findings).toEqual(loud.findings.filter(({ checkId }) => !muted.includes(checkId)));
      }),
      { numRuns: 60 },
    );
  });
});
