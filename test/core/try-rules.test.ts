import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Incident } from "../../src/alerts/incident.ts";
import { type AlertAccount, conditions, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
});

const NOTIFY = { recipients: ["ops@example.net", "dev@example.net"], from: "alerts@example.com" };
const inAccount = <T extends object>(request: T) => ({ accountId: account.accountId, ...request });
const tried = (request: object = {}) => identity.operator.rules.tryRules(inAccount(request));
const ofType = (value: string) => conditions(["event_type", "eq", value]);
const ingest = async (eventType: string, given: object = {}) => {
  // Ids are ordered by time.
  identity.time.pass(1_000);
  return (await account.ingest({ eventType, ...given })).alertId;
};
const ruleOf = (answer: Awaited<ReturnType<typeof tried>>, name: string) =>
  answer.rules.find(({ rule }) => rule === name);

/** Time passes, and due work is done at its time. */
async function passDue({ accountId, check }: AlertAccount, ms: number): Promise<void> {
  const { time, db } = identity;
  const end = time.clock.now().getTime() + ms;
  const due = { accountId, dueAt: { $lte: new Date(end) } };
  for (;;) {
    const [next] = await db.collection<Incident>("incidents").find(due).sort({ dueAt: 1 }).limit(1).toArray();
    if (!next?.dueAt) break;
    time.pass(Math.max(0, next.dueAt.getTime() - time.clock.now().getTime()));
    await check();
  }
  time.pass(end - time.clock.now().getTime());
}

describe("a rule on past alerts", () => {
  it("that is new shows the unmatched alerts that it would match, and the mail that it would send", async () => {
    const first = await ingest("backup.failed");
    await ingest("disk.full");
    identity.time.pass(10 * MINUTE);
    const second = await ingest("backup.failed", { entityId: "db-2" });
    await ingest("backup.failed", { status: "resolved" });
    const answer = await tried({ rule: { name: "backups", match: ofType("backup.failed"), notify: NOTIFY } });
    expect(answer).toMatchObject({
      tested: 3,
      updates: 1,
      read: 4,
      allTested: true,
      matched: 2,
      matchedBefore: 0,
      newlyMatched: 2,
      noLongerMatched: 0,
      moved: 0,
      rulesCount: 1,
      allNoticesCounted: true,
      // Two alerts, and the end of the first one, each to two recipients.
      estimate: { incidents: 2, notices: 3, mails: 6, digests: 0 },
    });
    expect(answer.rules).toMatchObject([
      { rule: "backups", matchedBefore: 0, matched: 2, newlyMatched: 2, noLongerMatched: 0, takenBy: [] },
    ]);
    expect(answer.notices.map(({ reason, recipients, targets }) => [reason, recipients, targets])).toEqual([
      ["first", NOTIFY.recipients, 0],
      ["first", NOTIFY.recipients, 0],
      ["resolved", NOTIFY.recipients, 0],
    ]);
    const [earliest, next] = answer.notices.map(({ at }) => Number(at?.seconds));
    expect((next ?? 0) - (earliest ?? 0)).toBeGreaterThanOrEqual(600);
    expect(answer.alerts.map(({ id, change, before, after }) => ({ id, change, before, after }))).toEqual([
      { id: second, change: "newly_matched", before: [], after: ["backups"] },
      { id: first, change: "newly_matched", before: [], after: ["backups"] },
    ]);
  });

  it("that is narrower shows the alerts that it would no longer match", async () => {
    await account.putRule({}, { match: conditions(["event_type", "prefix", "disk."]) });
    const kept = await ingest("disk.full");
    const lost = await ingest("disk.slow", { entityId: "web-1" });
    const answer = await tried({ rule: { name: "pager", match: ofType("disk.full"), notify: NOTIFY } });
    expect(answer).toMatchObject({ matched: 1, matchedBefore: 2, noLongerMatched: 1, newlyMatched: 0 });
    expect(ruleOf(answer, "pager")).toMatchObject({ noLongerMatched: 1, takenBy: [] });
    expect(answer.matches).toMatchObject([
      { id: kept, change: "unchanged", before: ["pager"], after: ["pager"] },
    ]);
    expect(answer.alerts).toMatchObject([
      { id: lost, change: "no_longer_matched", before: ["pager"], after: [], entityId: "web-1" },
    ]);
  });

  it("that stops or drops shows which rule takes which alerts", async () => {
    await account.putRule({}, { match: conditions(["source", "eq", "node"]) });
    await ingest("disk.full");
    await ingest("noise", { entityId: "a" });
    const drop = { name: "noise", order: 1, effect: "drop", match: ofType("noise") };
    const answer = await tried({ rule: drop });
    expect(answer).toMatchObject({ moved: 1, newlyMatched: 0, noLongerMatched: 0 });
    expect(answer.rules).toMatchObject([
      { rule: "noise", matched: 1, newlyMatched: 1 },
      { rule: "pager", matchedBefore: 2, matched: 1, takenBy: [{ rule: "noise", alerts: 1 }] },
    ]);
    expect(answer.alerts).toMatchObject([{ before: ["pager"], after: ["noise"], droppedBy: "noise" }]);
    // A new rule behind the stored ones that takes no alert, because one of them stops.
    await account.putRule({}, { match: conditions(["source", "eq", "node"]), stop: true });
    const late = await tried({ rule: { name: "late", match: ofType("noise"), notify: NOTIFY } });
    expect(late.rules[0]).toMatchObject({
      rule: "late",
      matched: 0,
      takenBy: [{ rule: "pager", alerts: 1 }],
    });
    const unmatched = { name: "others", order: 1_000, onlyUnmatched: true, match: ofType("noise") };
    expect((await tried({ rule: unmatched })).rules[0]?.takenBy).toMatchObject([
      { rule: "pager", alerts: 1 },
    ]);
  });

  it("that is stored shows what its present version changes for alerts of earlier versions", async () => {
    await account.putRule({}, { match: ofType("disk.full") });
    await ingest("disk.full");
    await ingest("disk.slow");
    await account.putRule({}, { match: ofType("disk.slow") });
    const answer = await tried({ name: "pager" });
    expect(ruleOf(answer, "pager")).toMatchObject({
      matchedBefore: 1,
      matched: 1,
      newlyMatched: 1,
      noLongerMatched: 1,
    });
  });

  it("is evaluated as the engine evaluates it for the same alerts", async () => {
    const settings = { match: conditions(["severity", "gte", "warning"]) };
    const notify = { groupBy: ["context.site"], waitSeconds: 60, intervalSeconds: 120, repeatSeconds: 3_600 };
    const whole = { ...NOTIFY, ...notify, mailsPerHour: 1_000 };
    const alerts = Array.from({ length: 30 }, (_, n) => ({
      eventType: "disk.full",
      entityId: `e${n % 5}`,
      severity: ["info", "warning", "critical"][n % 3] ?? "info",
      context: { site: n % 4 === 0 ? { name: "north" } : `s${n % 2}` },
      status: n % 7 === 6 ? "resolved" : "firing",
    }));
    for (const alert of alerts) {
      await account.ingest(alert);
      identity.time.pass(MINUTE);
    }
    identity.time.pass(3 * HOUR);
    const { estimate } = await tried({ rule: { name: "pager", ...settings, notify: whole } });
    // Another account has the rule from the beginning.
    const other = await openAlertAccount(identity);
    await other.putRule(whole, settings);
    for (const alert of alerts) {
      await other.ingest(alert);
      await passDue(other, MINUTE);
    }
    await passDue(other, 3 * HOUR);
    const incidents = await other.incidents();
    expect(estimate).toMatchObject({
      incidents: incidents.length,
      notices: incidents.reduce((sum, { notices }) => sum + notices, 0),
      mails: (await other.mails()).length,
    });
  });

  it("stores nothing and sends nothing", async () => {
    await ingest("disk.full");
    const before = [await account.mails(), await account.incidents()];
    const { alerts } = await identity.operator.alerts.listAlerts(inAccount({}));
    await tried({ rule: { name: "all", notify: NOTIFY } });
    await account.check();
    expect([await account.mails(), await account.incidents()]).toEqual(before);
    expect((await identity.operator.alerts.listAlerts(inAccount({}))).alerts).toEqual(alerts);
    const { rules } = await identity.operator.rules.listRules(inAccount({}));
    expect(rules).toEqual([]);
  });
});

describe("a set of rules on past alerts", () => {
  it("replaces the rules of the account", async () => {
    await account.putRule({}, { match: ofType("disk.full") });
    await ingest("disk.full");
    await ingest("backup.failed");
    const rules = [{ name: "new", match: ofType("backup.failed"), notify: NOTIFY }];
    const answer = await tried({ rules: { rules } });
    expect(answer).toMatchObject({ newlyMatched: 1, noLongerMatched: 1, moved: 0, matched: 1 });
    expect(answer.rules.map(({ rule }) => rule).sort()).toEqual(["new", "pager"]);
    const named = await tried({ rules: { rules }, name: "pager" });
    expect(named.rules[0]?.rule).toBe("pager");
  });
});

describe("the past alerts of a test", () => {
  const everything = { name: "all", notify: { ...NOTIFY, repeatSeconds: 0 } };
  const testedOf = async (filter: object) => (await tried({ rule: everything, filter })).tested;

  it("are those that meet the filter", async () => {
    await account.putRule({}, { match: ofType("disk.full") });
    await ingest("disk.full", { severity: "critical", message: "The disk /var is Full", entityId: "web-1" });
    const { alert } = await identity.operator.alerts.getAlert(inAccount({ id: await ingest("disk.full") }));
    await ingest("backup.failed", { severity: "info", source: "cron", message: "no backup" });
    expect(await testedOf({})).toBe(3);
    expect(await testedOf({ severities: ["info"] })).toBe(1);
    expect(await testedOf({ severities: ["info", "critical"] })).toBe(3);
    expect(await testedOf({ source: "cron" })).toBe(1);
    expect(await testedOf({ eventType: "disk.full" })).toBe(2);
    expect(await testedOf({ rule: "pager" })).toBe(2);
    expect(await testedOf({ outcomes: ["unmatched"] })).toBe(1);
    expect(await testedOf({ text: "/VAR is full" })).toBe(2);
    expect(await testedOf({ text: "web-1" })).toBe(1);
    expect(await testedOf({ incidentId: alert?.outcome?.incidentIds[0] ?? "" })).toBe(1);
    expect(await testedOf({ from: account.later(-1_500) })).toBe(2);
    expect(await testedOf({ until: account.later(-1_000) })).toBe(1);
    expect(await testedOf({ until: account.later(0), from: account.later(-1_000) })).toBe(1);
  });

  it("are the latest ones up to the limit, and the answer says that there are more", async () => {
    for (let n = 0; n < 120; n++) await ingest("disk.full", { entityId: `e${n}` });
    const some = await tried({ rule: everything, limit: 100 });
    expect(some).toMatchObject({ tested: 100, newlyMatched: 100, allTested: false });
    expect(some.estimate).toMatchObject({ incidents: 100 });
    expect(some.alerts).toHaveLength(100);
    expect(await tried({ rule: everything, limit: 120 })).toMatchObject({ tested: 120, allTested: true });
    expect((await tried({ rule: everything, limit: 120 })).alerts).toHaveLength(100);
  });

  it("are those of the account only", async () => {
    await ingest("disk.full");
    const other = await openAlertAccount(identity);
    const { accountId } = other;
    expect(await identity.operator.rules.tryRules({ accountId, rule: everything })).toMatchObject({
      tested: 0,
      read: 0,
      rulesCount: 1,
    });
    await expect(identity.operator.rules.tryRules({ accountId, name: "pager" })).rejects.toMatchObject({
      code: "alert_rule.unknown",
    });
  });

  it.each([
    [{ rule: everything, name: "pager" }, "/name"],
    [{ rule: everything, rules: { rules: [everything] } }, "/rules"],
    [{ limit: 10_001 }, "/limit"],
    [{ filter: { severities: ["info", "fatal"] } }, "/filter/severities/1"],
    [{ filter: { outcomes: ["lost"] } }, "/filter/outcomes/0"],
    [{ filter: { text: "x".repeat(201) } }, "/filter/text"],
    [{ rule: { name: "A" } }, "/rule/name"],
    [{ rules: { rules: [{ name: "a", match: ofType("a"), effect: "mail" }] } }, "/rules/rules/0/effect"],
  ])("are not read for the request %j, and the answer names the field", async (request, pointer) => {
    await expect(tried(request)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer })],
    });
  });

  it("of a hostile rule that groups by names of object properties are counted by their values", async () => {
    for (const value of ["a", "b", "a"])
      await ingest("disk.full", { entityId: `e-${value}`, context: { constructor: { name: value } } });
    const notify = { ...everything.notify, groupBy: ["context.constructor.name"] };
    const { estimate } = await tried({ rule: { ...everything, notify } });
    expect(estimate?.incidents).toBe(2);
  });
});
