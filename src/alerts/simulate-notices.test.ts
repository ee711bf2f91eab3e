import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";
import { type Severity, severities } from "./alert.ts";
import { fingerprintOf } from "./group-key.ts";
import { isTargetId } from "./notify/target.ts";
import { DEFAULT_NOTIFY, type NotifySettings } from "./rule.ts";
import { createNoticeSimulation, type PastAlert, type SimulatedNotice } from "./simulate-notices.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULE_ID = `rul_${"0".repeat(26)}`;

interface Step {
  readonly afterMs: number;
  readonly status: PastAlert["status"];
  readonly name: string;
  readonly severity: Severity;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.constantFrom(1, 10_000, MINUTE, 7 * MINUTE, 40 * MINUTE, 5 * HOUR),
  status: fc.constantFrom("firing", "firing", "firing", "resolved"),
  name: fc.constantFrom("a", "b", "c", "d"),
  severity: fc.constantFrom(...severities),
});
/** The order of incidents that are due at one moment decides which of them uses up a low limit. */
const limits = fc.oneof(
  fc.record({
    ceiling: fc.constantFrom(1, 2),
    repeatMs: fc.constant(0),
    autoResolveMs: fc.constant(0),
  }),
  fc.record({
    ceiling: fc.constant(100_000),
    repeatMs: fc.constantFrom(0, HOUR),
    autoResolveMs: fc.constantFrom(0, 3 * HOUR),
  }),
);
const settings = fc
  .record({
    groupBy: fc.constantFrom(undefined, ["source"], []),
    waitMs: fc.constantFrom(0, 2 * MINUTE),
    resolvedMail: fc.boolean(),
    recipients: fc.constantFrom([], ["ops@example.com"], ["ops@example.com", "dev@example.com"]),
    targets: fc.constantFrom([], ["atg_1"], ["atg_1", "atg_2"]),
    limits,
  })
  .map(({ groupBy, limits: own, ...rest }) => ({ ...rest, ...own, ...(groupBy && { groupBy }) }));

/** Numbers and notices of the simulation. Alerts are as those of the world. */
function simulate(given: Partial<NotifySettings>, steps: readonly Step[], begin: Date, endMs: number) {
  const notify = { ...DEFAULT_NOTIFY, ...given };
  const notices: SimulatedNotice[] = [];
  const simulation = createNoticeSimulation(
    () => ["eve@example.com"],
    (notice) => notices.push(notice),
  );
  const run = (to: Date) => {
    while (!simulation.advance(to, 3));
  };
  let at = begin;
  for (const { afterMs, status, name: entityId, severity } of steps) {
    at = new Date(at.getTime() + afterMs);
    run(at);
    const alert = {
      eventType: "disk.full",
      severity,
      source: "node",
      message: "full",
      entityId,
      context: {},
    };
    const fingerprint = fingerprintOf({ alert });
    const past = { id: "alr_1", accountId: "acc_1", at, alert, links: [], fingerprint, status };
    simulation.take(past, status === "firing" ? [{ id: RULE_ID, version: 1, name: "pager", notify }] : []);
  }
  run(new Date(at.getTime() + endMs));
  const none = { incidents: 0, notices: 0, mails: 0, posts: 0, digests: 0 };
  return { counts: simulation.counts().get(RULE_ID) ?? none, notices };
}

const mailLine = (at: number, reason: string, recipient: string) =>
  `${new Date(at).toISOString()} ${reason} ${recipient}`;

describe("the estimate of notices", () => {
  it("is what the engine sends for the same alerts, settings and times", () => {
    fc.assert(
      fc.property(settings, fc.array(step, { maxLength: 30 }), (given, steps) => {
        const world = createAlertWorld(given);
        const begin = world.now();
        for (const { afterMs, status, name: entityId, severity } of steps) {
          world.pass(afterMs);
          if (status === "firing") world.fire({ entityId, severity });
          else world.end({ entityId });
        }
        world.pass(6 * HOUR);
        const incidents = world.incidents();
        const all = [...world.mails.map(({ to }) => to), ...world.digests.map(({ to }) => to)];
        const { counts, notices } = simulate(given, steps, begin, 6 * HOUR);
        expect(counts).toEqual({
          incidents: incidents.length,
          notices: incidents.reduce((sum, { notices }) => sum + notices, 0),
          mails: all.filter((receiver) => !isTargetId(receiver)).length,
          posts: all.filter(isTargetId).length,
          digests: world.digests.length,
        });
        const sent = [
          ...world.mails.map(({ atMs, notice, to }) => ({
            at: begin.getTime() + atMs,
            to,
            why: notice.reason,
          })),
          ...world.digests.map(({ at, to }) => ({ at: at.getTime(), to, why: "digest" })),
        ];
        const mailed = sent
          .filter(({ to }) => !isTargetId(to))
          .map(({ at, why, to }) => mailLine(at, why, to));
        const simulated = notices.flatMap(({ at, reason, recipients }) =>
          recipients.map((to) => mailLine(at.getTime(), reason, to)),
        );
        expect(simulated.toSorted()).toEqual(mailed.toSorted());
        expect(notices.reduce((sum, { targets }) => sum + targets, 0)).toBe(counts.posts);
      }),
      { numRuns: 300 },
    );
  });

  it("counts an alert that is not resolved once, and then its repeats until the end", () => {
    const fired = { afterMs: 0, status: "firing", name: "a", severity: "warning" } as const;
    const given = { recipients: ["ops@example.com", "dev@example.com"], repeatMs: 4 * HOUR };
    const { counts, notices } = simulate(given, [fired], new Date("2030-01-01T00:00:00Z"), 13 * HOUR);
    expect(counts).toEqual({
      incidents: 1,
      notices: 4,
      mails: 8,
      posts: 0,
      digests: 0,
    });
    expect(notices.map(({ at, reason }) => [at.getUTCHours(), reason])).toEqual([
      [0, "first"],
      [4, "repeat"],
      [8, "repeat"],
      [12, "repeat"],
    ]);
  });
});
