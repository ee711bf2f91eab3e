/** Incidents with more alerts than fit into one notice, one read or one transaction: none of them may be lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/alerts/group-key.ts";
import type { Firing, Incident } from "../../src/alerts/incident.ts";
import {
  type AlertAccount,
  conditions,
  type GivenAlert,
  openAlertAccount,
} from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const MANY = 1_020;

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

const host = (n: number): GivenAlert => ({ entityId: `host-${n}`, severity: "warning" });
const hosts = (count: number, from = 0) => Array.from({ length: count }, (_, n) => host(from + n));
const texts = async () => (await account.parsed()).map(({ text = "" }) => text);
const incident = async () => {
  const [found] = await account.incidents();
  if (!found) throw new Error("There is no incident.");
  return found;
};

async function ingestAll(all: readonly GivenAlert[]): Promise<void> {
  // Ids of messages are ordered by the millisecond.
  identity.time.pass(1);
  await Promise.all(all.map((one) => account.ingest(one)));
}

async function passAndLook(ms: number): Promise<void> {
  identity.time.pass(ms);
  await account.check();
}

describe("an incident of more than a thousand alerts", () => {
  beforeEach(async () => {
    await account.putRule({ groupBy: ["source"], repeatSeconds: 0 });
    await ingestAll(hosts(MANY));
    await passAndLook(2 * MINUTE);
  });

  it("counts each of them, and shows the rest as a number", async () => {
    expect(await incident()).toMatchObject({ firing: MANY, alerts: MANY });
    const [, second = ""] = await texts();
    const named = second.match(/\(host-\d+\)/g) ?? [];
    const [, more = ""] = /and (\d+) more/.exec(second) ?? [];
    expect(named.length + Number(more)).toBe(MANY - 1);
    await passAndLook(60 * MINUTE);
    expect(await account.mails()).toHaveLength(2);
  });

  it("notifies the critical alert that arrives after all of them", async () => {
    await ingestAll([{ entityId: "host-last", severity: "critical" }]);
    const [, , last = ""] = await texts();
    expect(last).toContain("host-last");
    expect(await incident()).toMatchObject({ severity: "critical", firing: MANY + 1 });
  });

  it("notifies each critical alert of thousands that arrive together", async () => {
    const critical = Array.from({ length: MANY }, (_, n) => ({ entityId: `core-${n}` }));
    await ingestAll([...hosts(MANY, MANY), ...critical]);
    await passAndLook(10 * MINUTE);
    await passAndLook(10 * MINUTE);
    expect(await incident()).toMatchObject({ severity: "critical", firing: 3 * MANY });
    const stored = await identity.db.collection("firings").countDocuments({ untold: true });
    expect(stored).toBe(0);
  });

  it("is resolved with the last of them, and not before", async () => {
    for (let n = 0; n < MANY; n += 340)
      await ingestAll(
        hosts(340, n)
          .map((one) => ({ ...one, status: "resolved" }))
          .slice(n === 0 ? 1 : 0),
      );
    expect(await incident()).toMatchObject({ state: "open", firing: 1 });
    expect(await account.mails()).toHaveLength(2);
    identity.time.pass(1);
    await account.ingest({ ...host(0), status: "resolved" });
    expect(await incident()).toMatchObject({ state: "resolved", firing: 0 });
    expect((await texts()).at(-1)).toContain("RESOLVED");
  });

  it("has no active alert after a member resolves it", async () => {
    await identity.operator.incidents.resolveIncident({
      accountId: account.accountId,
      id: (await incident()).id,
    });
    const left = await identity.db.collection("firings").countDocuments({ accountId: account.accountId });
    expect(left).toBe(0);
  });
});

describe("alerts that a silence mutes", () => {
  it("do not hide others, for any number of them", async () => {
    await account.putRule({ groupBy: ["source"], repeatSeconds: 0 });
    await identity.operator.silences.createSilence({
      accountId: account.accountId,
      comment: "maintenance",
      endsAt: account.later(60 * MINUTE),
      match: conditions(["event_type", "eq", "known"]),
    });
    await ingestAll(hosts(MANY).map((one) => ({ ...one, eventType: "known" })));
    expect(await account.mails()).toEqual([]);
    await account.ingest({ entityId: "unknown", severity: "info" });
    expect((await texts())[0]).toContain("unknown");
    await passAndLook(61 * MINUTE);
    await passAndLook(MINUTE);
    const [, second = ""] = await texts();
    expect(second).toContain(`and ${MANY - 25} more`);
  });
});

describe("auto-resolve", () => {
  it("resolves each of many alerts without an update, and none with an update", async () => {
    await account.putRule({ groupBy: ["source"], autoResolveSeconds: 600, repeatSeconds: 0 });
    await ingestAll(hosts(2_600));
    identity.time.pass(8 * MINUTE);
    await ingestAll(hosts(3));
    for (let n = 0; n < 4; n++) await passAndLook(MINUTE);
    expect(await incident()).toMatchObject({ state: "open", firing: 3 });
    await passAndLook(10 * MINUTE);
    expect(await incident()).toMatchObject({ state: "resolved", firing: 0 });
  });
});

describe("an incident that an earlier version stored", () => {
  it("with alerts that were not stored stays open until a member resolves it", async () => {
    await account.putRule({ groupBy: ["source"] });
    await account.ingest(host(1));
    await identity.db
      .collection<Incident>("incidents")
      .updateOne({ accountId: account.accountId }, { $set: { uncounted: 7 } });
    await account.ingest({ ...host(1), status: "resolved" });
    expect(await incident()).toMatchObject({ state: "open", firing: 0 });
    await passAndLook(5 * 60 * MINUTE);
    expect((await texts()).map((text) => text.split(" ")[0])).toEqual(["FIRING", "FIRING"]);
    const { id } = await incident();
    const inAccount = { accountId: account.accountId, id };
    const { history } = await identity.operator.incidents.getIncident(inAccount);
    expect(history.map(({ detail }) => detail).join()).toContain("7 alerts");
    identity.time.pass(1);
    await identity.operator.incidents.resolveIncident(inAccount);
    expect((await texts()).at(-1)).toContain("RESOLVED");
  });
});

describe("a critical alert beyond the limit of mails", () => {
  it("is mailed immediately; the others wait for a digest, and the answer has its time", async () => {
    await account.putRule({ mailsPerHour: 3, digestSeconds: 900 });
    const start = identity.time.clock.now().getTime();
    for (let n = 0; n < 10; n++) await account.ingest(host(n));
    const { outcome } = await account.ingest({ ...host(10), severity: "info" });
    expect(outcome?.reasons).toMatchObject([{ reason: "rate_ceiling" }]);
    const next = outcome?.reasons[0]?.nextNotificationAt;
    expect(Number(next?.seconds)).toBe(Math.floor((start + 15 * MINUTE) / 1_000));
    identity.time.pass(1);
    await account.ingest({ entityId: "primary", severity: "critical" });
    for (let n = 20; n < 60; n++) await account.ingest(host(n));
    const before = await texts();
    expect([before.length, before.at(-1)]).toEqual([4, expect.stringContaining("primary")]);
    await passAndLook(15 * MINUTE);
    const { subject, text = "" } = (await account.parsed()).at(-1) ?? {};
    expect(subject).toMatch(/^\[digest\] pager: 47 warning, 1 info: \[warning\] /);
    expect(text).toContain("48 notices were collected");
  });
});

it("a silence suppresses an alert with a large context if `test` matches it, at its arrival and at each later evaluation", async () => {
  await account.putRule({ groupBy: ["source"], repeatSeconds: 3_600 });
  const names = Array.from({ length: 150 }, (_, n) => [`name_${n}`, `${n}`]);
  const context = { ...Object.fromEntries(names), env: "staging" };
  const { silences, rules } = identity.operator;
  const { silence } = await silences.createSilence({
    accountId: account.accountId,
    comment: "staging",
    endsAt: account.later(24 * 60 * MINUTE),
    match: conditions(["context.env", "eq", "staging"]),
  });
  const alert = { eventType: "e", severity: "critical", source: "node", message: "m", context };
  const tested = await rules.testRules({ accountId: account.accountId, alert });
  expect(tested.mutedBy).toBe("silenced");
  await account.ingest(alert);
  // Another alert of the group results in an evaluation of both, and so does a repeat.
  identity.time.pass(1);
  await account.ingest({ ...alert, entityId: "other", context: {} });
  await passAndLook(2 * 60 * MINUTE);
  // The first run defers the new alerts. The notice behind it needs other alerts, which the next run reads.
  await account.check();
  const named = (await texts()).map((text) => [text.includes("other"), text.includes("name_0")]);
  expect(named).toEqual([
    [true, false],
    [true, false],
  ]);
  await silences.endSilence({ accountId: account.accountId, id: silence?.id ?? "" });
  await passAndLook(5 * MINUTE);
  expect((await texts()).at(-1)).toContain("name_0");
});

it("two API keys with the same `dedup_key` have one incident each, and do not resolve the other's", async () => {
  await account.putRule();
  const { accountId } = account;
  const { secret: apiKey } = await identity.operator.keys.createKey({ accountId, name: "other" });
  const trigger = { eventType: "e", severity: "critical", source: "pd", message: "m", dedupKey: "srv/down" };
  const other = (alert: GivenAlert) =>
    identity.frontEnd.alerts.ingestAlert({ apiKey, idempotencyKey: "", alert: { ...trigger, ...alert } });
  await account.ingest(trigger);
  await other({});
  // Two integrations of one key are two sources, too.
  await other({ dedupScope: "pagerduty/a" });
  expect(await account.incidents()).toHaveLength(3);
  await other({ status: "resolved" });
  const states = (await account.incidents()).map(({ state }) => state);
  expect(states.toSorted()).toEqual(["open", "open", "resolved"]);
});

it("an active alert that an earlier version stored is resolved by the API key that sent it, and by no other", async () => {
  await account.putRule();
  const { accountId } = account;
  const { secret: apiKey } = await identity.operator.keys.createKey({ accountId, name: "other" });
  const alert = { eventType: "e", severity: "critical", source: "pd", message: "m", dedupKey: "srv/down" };
  await account.ingest(alert);
  const firings = identity.db.collection<Firing>("firings");
  const stored = await firings.findOne({ accountId });
  if (!stored) throw new Error("Nothing is active.");
  const { incidentId } = stored;
  const fingerprint = fingerprintOf({ alert: stored.alert, dedupKey: alert.dedupKey });
  await firings.deleteOne({ _id: stored._id });
  await firings.insertOne({ ...stored, _id: `${incidentId}.${fingerprint}`, fingerprint });
  await identity.db
    .collection<Incident>("incidents")
    .updateOne({ _id: incidentId }, { $set: { groupKey: fingerprint } });
  const resolved = { ...alert, status: "resolved" };
  await identity.frontEnd.alerts.ingestAlert({ apiKey, idempotencyKey: "", alert: resolved });
  expect(await incident()).toMatchObject({ state: "open" });
  await account.ingest(alert);
  expect(await account.incidents()).toHaveLength(1);
  await account.ingest(resolved);
  expect(await incident()).toMatchObject({ state: "resolved" });
});
