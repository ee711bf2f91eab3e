import { describe, expect, it } from "vitest";
import { type StandingCase, standingChecks } from "../../test/harness/standing.ts";
import { blacklists } from "../intel/blacklists/blacklists.ts";
import { openLists } from "../intel/blacklists/open-lists.ts";
import type { WatchedDomainDocument } from "../store/intel-documents.ts";
import { stateKey } from "../store/subject-watches.ts";
import { evaluateRun, type OpenListing } from "./evaluate-run.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = new Date("2030-01-01T00:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const SPF = "auth.spf.exists";
const KEY = stateKey({ listId: "spamcop", subject: "192.0.2.25" });
const listing: OpenListing = { key: KEY, listId: "spamcop", subject: "192.0.2.25", meaning: "spam" };

const domain: WatchedDomainDocument = {
  _id: "dom_1",
  accountId: "acc_1",
  workspaceId: "ws_1",
  clientId: "cl_1",
  name: "example.com",
  role: "sending",
  dkimSelectors: [],
  sendingIps: ["192.0.2.25"],
  paused: false,
  subjects: [KEY],
  status: "healthy",
  score: 100,
  grade: "A",
  coverage: 1,
  scoreModel: "1",
  listings: 0,
  lastError: null,
  findings: { critical: 0, warning: 0, info: 0 },
  findingIds: [],
  topFindings: [],
  searchKeys: [],
  createdAt: ago(DAY_MS),
  updatedAt: ago(DAY_MS),
  checkedRank: ago(HOUR_MS),
  scoreRank: 100,
  mutes: [],
  failures: 0,
  revision: 1,
};

type Known = Omit<StandingCase, "at">;
interface Case {
  /** Undefined if the domain was not checked yet. */
  readonly before?: Known | undefined;
  readonly after?: Known;
  readonly beforeAt?: Date;
  readonly afterAt?: Date;
  readonly changes?: Partial<WatchedDomainDocument>;
  readonly listings?: readonly OpenListing[];
  readonly formerListings?: readonly string[];
}

function run({ before, after = {}, beforeAt = ago(HOUR_MS), afterAt = now, changes, ...listed }: Case) {
  return evaluateRun({
    domain: { ...domain, ...changes },
    lists: openLists(blacklists, {}),
    now,
    keptMs: DAY_MS,
    former: before ? standingChecks({ ...before, at: beforeAt }) : [],
    checks: standingChecks({ ...after, at: afterAt }),
    listings: [],
    formerListings: [],
    ...listed,
  });
}

/** Changes in a short form. */
const reported = (one: Case) =>
  run(one).changes.map(({ kind, checkId, list, from, to }) =>
    [kind, checkId ?? list, from, to].filter((part) => part !== undefined).join(" "),
  );

const fails = { but: { [SPF]: "fail" } } as const;
const critical = { status: "critical", score: 40 } as const;
const [toCritical, toHealthy] = ["healthy critical", "critical healthy"].map(
  (change) => `watched_domain.status_changed ${change}`,
);
const mutes = (until: Date) => [{ checkId: SPF, until }];

describe("changes of a domain", () => {
  it("are empty, without a score point, if nothing has changed", () => {
    const { score, coverage, scoreModel } = run({ before: {} }).standing;
    const changes = { score, coverage, scoreModel };
    expect(reported({ before: {}, changes })).toEqual([]);
    expect(run({ before: {}, changes }).point).toBeUndefined();
    expect(reported({ before: fails, after: fails, changes: critical })).toEqual([]);
  });

  it("have the new status and the opened finding", () => {
    expect(reported({ before: {}, after: fails })).toEqual([toCritical, `finding.opened ${SPF}`]);
    expect(run({ before: {}, after: fails }).point).toMatchObject({ status: "critical", at: now });
  });

  it("have a resolved finding", () => {
    expect(reported({ before: fails, changes: critical })).toEqual([toHealthy, `finding.resolved ${SPF}`]);
  });

  it("have only the status after the first check, without the findings that already existed", () => {
    expect(reported({ after: fails, changes: { status: "pending", score: null } })).toEqual([
      "watched_domain.status_changed pending critical",
    ]);
  });

  it("have no status while the domain is paused", () => {
    const changes = { paused: true, status: "paused" } as const;
    expect(reported({ before: {}, changes })).toEqual([]);
  });

  it("have a finding again when its severity has increased", () => {
    const [warn, fail] = [{ but: { [SPF]: "warn" } }, fails] as const;
    expect(reported({ before: warn, after: fail, changes: critical })).toEqual([`finding.opened ${SPF}`]);
  });

  it("have nothing about a check that cannot be measured", () => {
    const silent = { failing: [SPF] } as const;
    expect(reported({ before: {}, after: silent, afterAt: ago(HOUR_MS) })).toEqual([]);
    const failing = { ...fails, ...silent };
    const former = { before: fails, changes: critical };
    expect(reported({ ...former, after: failing, afterAt: ago(HOUR_MS) })).toEqual([]);
    expect(reported({ ...former, after: failing, afterAt: ago(3 * DAY_MS) })).not.toContain(
      `finding.resolved ${SPF}`,
    );
  });
});

describe("changes of a muted finding", () => {
  it("are empty when it opens", () => {
    expect(
      reported({ before: {}, after: fails, changes: { mutes: mutes(new Date(now.getTime() + 1)) } }),
    ).toEqual([]);
  });

  it("have it as opened when the mute has ended", () => {
    const changes = { mutes: mutes(now) };
    expect(reported({ before: fails, after: fails, changes })).toEqual([toCritical, `finding.opened ${SPF}`]);
  });

  it("have it as resolved, because it may have been reported before the mute", () => {
    const changes = { mutes: mutes(new Date(now.getTime() + 1)) };
    expect(reported({ before: fails, changes })).toEqual([`finding.resolved ${SPF}`]);
  });
});

describe("changes of blacklists", () => {
  it("have a new listing once", () => {
    expect(reported({ before: {}, listings: [listing] })).toEqual(["blacklist.listed spamcop"]);
    expect(reported({ before: {}, listings: [listing], formerListings: [KEY] })).toEqual([]);
  });

  it("have a removed listing, unless the domain no longer sends from the address", () => {
    expect(reported({ before: {}, formerListings: [KEY] })).toEqual(["blacklist.delisted spamcop"]);
    expect(reported({ before: {}, formerListings: [KEY], changes: { subjects: [] } })).toEqual([]);
  });

  it("describe the affected domain", () => {
    expect(run({ before: {}, listings: [listing] }).changes[0]?.text).toBe(
      "SpamCop lists 192.0.2.25 (spam). Affected domain: example.com.",
    );
  });
});

describe("results of a check", () => {
  it("are reported to endpoints and alert rules under the same id, without the account id", () => {
    const { changes, events } = run({ before: {}, after: fails });
    expect(events.map(({ eventId, type }) => [eventId, type])).toEqual(
      changes.map(({ _id, kind }) => [_id, kind]),
    );
    expect(changes.every(({ unalerted, accountId }) => unalerted && accountId === "acc_1")).toBe(true);
    expect(JSON.stringify(events)).not.toContain("acc_1");
  });

  it("have the same retention as score points", () => {
    const { changes, point } = run({ before: {}, after: fails });
    for (const one of [...changes, point]) expect(one?.expireAt).toEqual(new Date(now.getTime() + DAY_MS));
  });

  it("include the reason why the check was incomplete", () => {
    const after = { failing: [SPF, "auth.dmarc.exists"] } as const;
    const { standing, failures } = run({ before: {}, after, changes: { failures: 2 } });
    expect(standing.lastError).toBe(`${SPF} is silent 1 more check failed to run.`);
    expect(standing.lastErrorParts).toEqual([]);
    expect(failures).toBe(3);
  });
});
