import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { AlertCounterDocument } from "../../src/store/alert-counters.ts";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import { type AlertAccount, conditions, openAlertAccount } from "../harness/alert-account.ts";
import { alertDocument, NO_CHANGES } from "../harness/alert-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR = 3_600_000;
const NONE = { info: 0, warning: 0, critical: 0 };

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  // From the beginning of an hour.
  const { time } = identity;
  time.pass(HOUR - (time.clock.now().getTime() % HOUR));
  account = await openAlertAccount(identity);
});

const now = () => identity.time.clock.now();
const statistics = (asked: object = {}) =>
  identity.operator.alerts.getAlertStatistics({ accountId: account.accountId, ...asked });
const lastHours = (hours: number) => ({
  from: timestampFromDate(new Date(now().getTime() - (hours - 1) * HOUR)),
  until: timestampFromDate(new Date(now().getTime() + 1)),
});

it("count active alerts by point, severity and rule, and those that no rule matched", async () => {
  await account.putRule({}, { match: conditions(["severity", "gte", "warning"]) });
  await account.putRule({}, { name: "db", order: 200, match: conditions(["source", "eq", "db"]) });
  await account.ingest({ severity: "critical" });
  await account.ingest({ severity: "critical" });
  await account.ingest({ severity: "warning", source: "db" });
  await account.ingest({ severity: "info" });
  identity.time.pass(HOUR);
  await account.ingest({ severity: "info", source: "db" });
  // No further report of an active alert.
  await account.ingest({ severity: "critical", status: "resolved" });
  const { step, all, unmatched, points, rules, measuredSince } = await statistics(lastHours(2));
  expect([step, measuredSince]).toEqual(["hour", undefined]);
  expect(all).toMatchObject({ info: 2, warning: 1, critical: 2 });
  expect(unmatched).toMatchObject({ info: 1, warning: 0, critical: 0 });
  expect(points.map(({ counts }) => counts)).toMatchObject([
    { info: 1, warning: 1, critical: 2 },
    { info: 1, warning: 0, critical: 0 },
  ]);
  expect(points.map(({ unmatched: left }) => left?.info)).toEqual([1, 0]);
  expect(rules).toMatchObject([
    { rule: "pager", all: { ...NONE, warning: 1, critical: 2 }, counts: [3, 0] },
    { rule: "db", all: { ...NONE, info: 1, warning: 1 }, counts: [1, 1] },
  ]);
  const ofRule = await statistics({ ...lastHours(2), rule: "db" });
  expect([ofRule.all, ofRule.rules.map(({ rule }) => rule)]).toMatchObject([{ info: 1, warning: 1 }, ["db"]]);
  const byDay = await statistics({ step: "day", ...lastHours(48) });
  expect(byDay.all).toMatchObject({ info: 2, warning: 1, critical: 2 });
});

it("count an alert once that is repeated with its idempotency key, and those of several processes together", async () => {
  await account.putRule();
  const { secret: apiKey } = await identity.operator.keys.createKey({
    accountId: account.accountId,
    name: "again",
  });
  const alert = { eventType: "e", severity: "warning", source: "s", message: "m" };
  for (let n = 0; n < 3; n++)
    await identity.frontEnd.alerts.ingestAlert({ apiKey, idempotencyKey: "once", alert });
  const counters = identity.db.collection<AlertCounterDocument>("alertCounters");
  const [own] = await counters.find({ accountId: account.accountId, step: "hour" }).toArray();
  if (!own) throw new Error("nothing was counted");
  await counters.insertOne({ ...own, _id: `${own._id}.other` });
  expect((await statistics(lastHours(1))).all).toMatchObject({ info: 0, warning: 2, critical: 0 });
});

it("have the 20 rules with the most alerts, and the sum of the others", async () => {
  for (let n = 0; n < 25; n++)
    await account.putRule({}, { name: `rule-${n}`, order: n, match: conditions(["source", "eq", `s${n}`]) });
  for (let n = 0; n < 25; n++) {
    await account.ingest({ source: `s${n}`, severity: "info" });
    if (n >= 5) await account.ingest({ source: `s${n}`, severity: "info" });
  }
  const { rules } = await statistics(lastHours(1));
  expect(rules).toHaveLength(21);
  expect(rules.slice(0, 20).every(({ counts }) => counts[0] === 2)).toBe(true);
  expect(rules.at(-1)).toMatchObject({ rule: "", all: { info: 5 }, counts: [5] });
});

it("have one counter for further rules of an hour than 200", async () => {
  const { accountId } = account;
  const names = Array.from({ length: 205 }, (_, n) => `rule.${n}`);
  const outcome = { status: "routed" as const, incidentIds: [], messageIds: [], reasons: [] };
  const document = (n: number) =>
    alertDocument({
      _id: `alr_${accountId}_${n}`,
      accountId,
      at: now(),
      outcome: { ...outcome, matchedRules: [names[n] ?? ""] },
    });
  const { incidents } = identity.store.forAccount(accountId);
  for (let from = 0; from < 205; from += 100) {
    const some: AlertDocument[] = names.slice(from, from + 100).map((_, index) => document(from + index));
    await incidents.work((work) => work.write(NO_CHANGES, some, now()));
  }
  const [counted] = await identity.store
    .forAccount(accountId)
    .alertCounters.read({ step: "hour", from: new Date(now().getTime() - HOUR), until: now() });
  expect(Object.keys(counted?.rules ?? {})).toHaveLength(201);
  expect(counted?.counts).toEqual({ critical: 205 });
  const { rules } = await statistics({ ...lastHours(1), rule: "rule.7" });
  expect(rules).toMatchObject([{ rule: "rule.7", all: { critical: 1 } }]);
});

it("begin again after a counter was damaged, which blocks no alert", async () => {
  await account.putRule();
  await account.ingest();
  const counters = identity.db.collection<AlertCounterDocument>("alertCounters");
  const { accountId } = account;
  await counters.updateMany({ accountId }, { $set: { counts: "x" as never } });
  expect((await statistics(lastHours(1))).all).toMatchObject(NONE);
  const { outcome } = await account.ingest({ entityId: "another" });
  expect(outcome?.status).toBe("routed");
  const { all, rules } = await statistics(lastHours(1));
  expect([all?.critical, rules.map(({ counts }) => counts)]).toEqual([1, [[1]]]);
});

it("report since when alerts are counted, after an update of Hermod", async () => {
  const { accountId } = account;
  const before = new Date(now().getTime() - 5 * HOUR);
  await identity.db
    .collection<AlertDocument>("alerts")
    .insertOne(alertDocument({ _id: `alr_0000000000${accountId.slice(-16)}`, accountId, at: before }));
  await account.ingest();
  const { measuredSince } = await statistics(lastHours(10));
  const hour = new Date(now().getTime() - (now().getTime() % HOUR));
  expect(measuredSince && timestampDate(measuredSince)).toEqual(hour);
});

it.each([
  [{ step: "minute" }, ["/step"]],
  [{ from: timestampFromDate(new Date(2_000)), until: timestampFromDate(new Date(1_000)) }, ["/until"]],
  [{ from: timestampFromDate(new Date(0)), step: "hour" }, ["/step"]],
])("refuse an invalid request (%#)", async (asked, pointers) => {
  const { errors } = await statistics(asked).catch((error) => error);
  expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
});
