/** A stored incident with a damaged field, together with undamaged ones. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetrics } from "../../src/admin/metrics.ts";
import type { Incident } from "../../src/alerts/incident.ts";
import { reportDamagedIncident } from "../../src/roles/store.ts";
import { createStore } from "../../src/store/store.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";

const MINUTE = 60_000;
const INCIDENT_FIELDS =
  "ruleId ruleVersion ruleName groupKey open state title severity latest openedAt updatedAt alerts firing untold notices lastNoticeAt threads reopenings quietestAt entries dueAt revision pending escalation heldUntil risenAt stopped".split(
    " ",
  );

let identity: Identity;
let account: AlertAccount;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
  account = await openAlertAccount(identity);
  await account.putRule({ mailsPerHour: 1_000, repeatSeconds: 300 });
});
afterAll(() => identity.close());

const VALUES = fc.constantFrom<unknown>(null, true, -1, 9e15, Number.NaN, "x", "", [], [null], {}, { at: 1 });
const damage = fc.record({ field: fc.constantFrom(...INCIDENT_FIELDS), value: VALUES });

/** Collections and fields related to incidents: their state restarts when it is damaged. */
const BESIDE = [
  [
    "alertCeilings",
    "ruleId ruleVersion recipient mailed held more counts heldSince digests pending dueAt revision",
  ],
  ["firings", "incidentId fingerprint alertId alert links firstAt lastAt occurredAt count rank told untold"],
  ["alertEnds", "fingerprint occurredAt"],
] as const;
const damageBeside = fc.constantFrom(...BESIDE).chain(([collection, fields]) =>
  fc.record({
    collection: fc.constant(collection),
    field: fc.constantFrom(...fields.split(" ")),
    value: VALUES,
  }),
);

it("does not stop other alerts of the account from being accepted and notified", async () => {
  let things = 0;
  await fc.assert(
    fc.asyncProperty(damage, async ({ field, value }) => {
      const run = things++;
      const entityId = `damaged-${run}`;
      const { outcome } = await account.ingest({ entityId });
      const [_id = ""] = outcome?.incidentIds ?? [];
      const incidents = identity.db.collection<Incident>("incidents");
      await incidents.updateOne({ _id }, { $set: { [field]: value } } as never);
      const sound = ["a", "b", "c"].map((name) => `sound-${run}-${name}`);
      // They arrive together, so that one transaction processes them.
      const [own, ...others] = await Promise.allSettled(
        [entityId, ...sound].map((one) => account.ingest({ entityId: one, severity: "critical" })),
      );
      expect([own, ...others].map((one) => one?.status)).toEqual([entityId, ...sound].map(() => "fulfilled"));
      const mailed = async () =>
        (await account.mails()).filter(({ subject }) => subject.includes(`sound-${run}-`));
      expect(await mailed()).toHaveLength(sound.length);
      identity.time.pass(6 * MINUTE);
      await account.check();
      // The repeat of each is due, and does not wait for the damaged one.
      expect(await mailed()).toHaveLength(2 * sound.length);
      const fingerprints = await identity.db
        .collection("firings")
        .find({ accountId: account.accountId })
        .project({ _id: 1 })
        .toArray();
      await incidents.deleteMany({ accountId: account.accountId });
      await incidents.deleteOne({ _id });
      await identity.db
        .collection("firings")
        .deleteMany({ _id: { $in: fingerprints.map((one) => one._id) } });
    }),
    { numRuns: repetitions(20, 60), endOnFailure: true },
  );
});

it("mails a critical alert although data related to its incident is damaged", async () => {
  let things = 0;
  await fc.assert(
    fc.asyncProperty(damageBeside, async ({ collection, field, value }) => {
      const entityId = `beside-${things++}-end`;
      await account.ingest({ entityId, severity: "warning" });
      await account.ingest({ entityId, status: "resolved" });
      await account.ingest({ entityId, severity: "warning" });
      await identity.db.collection(collection).updateMany({}, { $set: { [field]: value } });
      const { outcome } = await account.ingest({ entityId, severity: "critical" });
      expect(outcome?.incidentIds).toHaveLength(1);
      identity.time.pass(6 * MINUTE);
      await account.check();
      const mails = (await account.mails()).filter(({ subject }) => subject.includes(entityId));
      expect(mails.some(({ subject }) => subject.includes("critical"))).toBe(true);
      for (const [name] of BESIDE) await identity.db.collection(name).deleteMany({});
      await identity.db.collection("incidents").deleteMany({});
    }),
    { numRuns: repetitions(20, 60), endOnFailure: true },
  );
});

it("closes a damaged incident without mail, records it in its history, and opens another one", async () => {
  const { outcome } = await account.ingest({ entityId: "seldom" });
  const [_id = ""] = outcome?.incidentIds ?? [];
  const incidents = identity.db.collection<Incident>("incidents");
  await incidents.updateOne({ _id }, { $set: { threads: true, openedAt: "x", notices: null } } as never);
  const before = (await account.mails()).length;
  identity.time.pass(6 * MINUTE);
  await account.check();
  expect(await account.mails()).toHaveLength(before);
  const { accountId } = account;
  const { incident, history } = await identity.operator.incidents.getIncident({ accountId, id: _id });
  expect(incident).toMatchObject({ id: _id, state: "resolved" });
  expect(history.at(-1)?.detail).toContain("the stored incident is damaged (");
  const { incidents: listed } = await identity.operator.incidents.listIncidents({ accountId });
  expect(listed.map(({ id }) => id)).toContain(_id);
  const again = await account.ingest({ entityId: "seldom" });
  expect(again.outcome?.incidentIds).not.toContain(_id);
  expect(await account.mails()).toHaveLength(before + 1);
});

it("counts in hermod_damaged_documents_total once for all workers, and logs an error", async () => {
  const { outcome } = await account.ingest({ entityId: "counted" });
  const [_id = ""] = outcome?.incidentIds ?? [];
  await identity.db
    .collection<Incident>("incidents")
    .updateOne({ _id }, { $set: { notices: null } } as never);
  const metrics = createMetrics();
  const lines: unknown[] = [];
  const log = { error: (about: object, text: string) => lines.push({ ...about, text }) } as never;
  const onDamagedIncident = reportDamagedIncident({ metrics, log });
  const { incidents } = createStore(identity.db, testSealing, undefined, {
    onDamagedIncident,
  }).forAccount(account.accountId);
  const meet = () => incidents.work((work) => work.incidents([_id]));
  expect(await Promise.all([meet(), meet(), meet()])).toEqual([[], [], []]);
  expect(await metrics.registry.getSingleMetricAsString("hermod_damaged_documents_total")).toContain(
    'hermod_damaged_documents_total{kind="incident"} 1',
  );
  expect(lines).toEqual([
    {
      incident: _id,
      reason: expect.stringContaining("notices"),
      text: "closed a damaged incident without mail",
    },
  ]);
});

it("is closed once when two workers read it at the same time", async () => {
  const { outcome } = await account.ingest({ entityId: "twice" });
  const [_id = ""] = outcome?.incidentIds ?? [];
  await identity.db
    .collection<Incident>("incidents")
    .updateOne({ _id }, { $set: { notices: null } } as never);
  const { accountId } = account;
  const { incidents } = identity.store.forAccount(accountId);
  // All have read it before the first one closes it.
  const meet = () =>
    incidents.work((work) =>
      work.setAside(
        [{ id: _id, reason: "notices: it is null", repairs: { notices: 0 } }],
        identity.time.clock.now(),
      ),
    );
  await Promise.all([meet(), meet(), meet()]);
  const { history } = await identity.operator.incidents.getIncident({ accountId, id: _id });
  expect(history.filter(({ detail }) => detail.includes("is damaged"))).toHaveLength(1);
});
