import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Silence } from "../../src/alerts/mutes.ts";
import { fault } from "../../src/shared/fault.ts";
import { type AlertAccount, conditions, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

const now = () => identity.time.clock.now();
const pass = (ms: number) => identity.time.pass(ms);
const inAccount = <T extends object>(request: T) => ({ accountId: account.accountId, ...request });
const silences = () => identity.operator.silences;
const told = async () => (await account.mails()).length;
const match = conditions(["entity_id", "eq", "backup-1"]);
const backup = { entityId: "backup-1" };

/** A window of today and of all days, from and to so many minutes ahead, in UTC. */
function windowIn(fromMs: number, toMs: number) {
  const clock = (ms: number) => new Date(now().getTime() + ms).toISOString().slice(11, 16);
  return { timeZone: "UTC", windows: [{ days: [], from: clock(fromMs), to: clock(toMs) }] };
}

const create = async (changes: object = {}) => {
  const asked = { comment: "backup", match, endsAt: account.later(DAY), ...changes };
  const { silence } = await silences().createSilence(inAccount(asked));
  if (!silence) throw new Error("no silence was created");
  return silence;
};
const weekly = (windows: ReturnType<typeof windowIn>) => create({ weekly: windows, endsAt: undefined });
const change = (id: string, changes: object) =>
  silences().changeSilence(inAccount({ id, comment: "backup", match, ...changes }));

/** Seconds 0 of a minute, in the middle of an hour, so that windows of minutes are exact. */
const toWholeHour = () => pass(HOUR + 30 * MINUTE - (now().getTime() % HOUR));

describe("a weekly silence", () => {
  beforeEach(() => toWholeHour());

  it("suppresses alerts in its windows only, each time until the end of the window", async () => {
    await account.putRule({ repeatSeconds: 0 });
    await weekly(windowIn(10 * MINUTE, 40 * MINUTE));
    expect((await account.ingest(backup)).outcome?.status).toBe("routed");
    await account.ingest({ ...backup, status: "resolved" });
    expect(await told()).toBe(2);
    for (let week = 0; week < 2; week++) {
      const before = await told();
      pass(20 * MINUTE);
      const { outcome } = await account.ingest(backup);
      expect(outcome?.reasons).toMatchObject([{ reason: "silenced" }]);
      const next = outcome?.reasons[0]?.nextNotificationAt;
      expect(next && timestampDate(next)).toEqual(new Date(now().getTime() + 20 * MINUTE));
      pass(19 * MINUTE);
      await account.check();
      expect(await told()).toBe(before);
      pass(MINUTE);
      await account.check();
      expect(await told()).toBe(before + 1);
      await account.ingest({ ...backup, status: "resolved" });
      pass(7 * DAY - 40 * MINUTE);
    }
  });

  it("needs no end, shows its next window, and never expires", async () => {
    const created = await weekly(windowIn(10 * MINUTE, 40 * MINUTE));
    expect(created).toMatchObject({ state: "pending", comment: "backup" });
    expect([created.endsAt, created.activeUntil]).toEqual([undefined, undefined]);
    const begin = new Date(now().getTime() + 10 * MINUTE);
    expect(created.nextStartAt && timestampDate(created.nextStartAt)).toEqual(begin);
    pass(15 * MINUTE);
    const { silence } = await silences().getSilence(inAccount({ id: created.id }));
    expect([silence?.state, silence?.nextStartAt]).toEqual(["active", undefined]);
    expect(silence?.activeUntil && timestampDate(silence.activeUntil)).toEqual(
      new Date(begin.getTime() + 30 * MINUTE),
    );
    const stored = await identity.db.collection<Silence>("silences").findOne({ _id: created.id });
    expect(stored).not.toHaveProperty("expireAt");
    // An earlier release, which knows no windows, finds no silence that has not ended.
    expect(stored).not.toHaveProperty("endsAt");
    await silences().endSilence(inAccount({ id: created.id }));
    const ended = await identity.db.collection<Silence>("silences").findOne({ _id: created.id });
    expect(ended?.expireAt).toEqual(new Date(now().getTime() + 90 * DAY));
    const { silences: listed } = await silences().listSilences(inAccount({}));
    expect(listed.map(({ id, state }) => [id, state])).toEqual([[created.id, "expired"]]);
  });

  it("ends at its end, in the middle of a window", async () => {
    await account.putRule();
    await create({ weekly: windowIn(-10 * MINUTE, 40 * MINUTE), endsAt: account.later(20 * MINUTE) });
    await account.ingest(backup);
    pass(20 * MINUTE);
    await account.check();
    expect(await told()).toBe(1);
  });

  it("counts for the maximum number of silences", async () => {
    const limit = { code: "silence.too_many" };
    const some = { ...inAccount({ comment: "backup", match }), endsAt: account.later(DAY) };
    const own = identity.store.forAccount(account.accountId).alertRules;
    const { silence } = await silences().createSilence(some);
    const [one] = await own.listSilences({ limit: 1 });
    if (!one) throw new Error("no silence is stored");
    const copies = Array.from({ length: 999 }, (_, n) => {
      const { endsAt = now(), ...rest } = one;
      const _id = `${one._id}-${n}`;
      return n % 2 === 0 ? { ...rest, _id, endsAt } : { ...rest, _id, recursUntil: endsAt };
    });
    await identity.db.collection<Silence>("silences").insertMany(copies);
    await expect(silences().createSilence(some)).rejects.toMatchObject(limit);
    await silences().endSilence(inAccount({ id: silence?.id ?? "" }));
    await expect(silences().createSilence(some)).resolves.toBeDefined();
  });

  const sunday = { days: [7], from: "02:00", to: "04:00" };
  it.each([
    ["an unknown time zone", { timeZone: "Europe/Atlantis", windows: [sunday] }, "/weekly/time_zone"],
    ["no windows", { timeZone: "UTC", windows: [] }, "/weekly/windows"],
    ["21 windows", { timeZone: "UTC", windows: Array.from({ length: 21 }, () => sunday) }, "/weekly/windows"],
    ["a day 8", { timeZone: "UTC", windows: [{ ...sunday, days: [8] }] }, "/weekly/windows/0/days"],
    ["no time", { timeZone: "UTC", windows: [{ ...sunday, from: "2:00" }] }, "/weekly/windows/0/from"],
    [
      "windows of the whole week",
      { timeZone: "UTC", windows: [{ days: [], from: "00:00", to: "00:00" }] },
      "/weekly/windows",
    ],
  ])("with %s is refused, with the field", async (_, windows, pointer) => {
    await expect(create({ weekly: windows })).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer })],
    });
    expect((await silences().listSilences(inAccount({}))).silences).toEqual([]);
  });

  it("that is never in effect is refused", async () => {
    const endsAt = account.later(5 * MINUTE);
    await expect(create({ weekly: windowIn(10 * MINUTE, 40 * MINUTE), endsAt })).rejects.toMatchObject({
      errors: [expect.objectContaining({ pointer: "/weekly" })],
    });
  });
});

describe("a changed silence", () => {
  beforeEach(async () => {
    await account.putRule({ repeatSeconds: 0 });
  });

  it("that ends earlier is followed by notifications at its new end, also by another worker", async () => {
    const { id } = await create();
    await account.ingest(backup);
    expect(await told()).toBe(0);
    await change(id, { endsAt: account.later(MINUTE) });
    pass(MINUTE - 1);
    await account.check();
    expect(await told()).toBe(0);
    pass(1);
    const other = account.engine(async () => {
      throw fault("store.unavailable");
    });
    // It has settled the notice, and ended before the mail was stored.
    await other.check();
    pass(15_000);
    await account.check();
    expect(await told()).toBe(1);
  });

  it("that matches other alerts is followed by notifications within seconds", async () => {
    const { id } = await create();
    await account.ingest(backup);
    await account.ingest({ entityId: "backup-2" });
    expect(await told()).toBe(1);
    await change(id, { match: conditions(["entity_id", "eq", "backup-2"]), endsAt: account.later(DAY) });
    pass(1_000);
    await account.check();
    expect(await told()).toBe(2);
  });

  it("that becomes weekly, and later lasts again, notifies at each change what it no longer suppresses", async () => {
    toWholeHour();
    const { id } = await create();
    await account.ingest(backup);
    await change(id, { weekly: windowIn(-10 * MINUTE, 10 * MINUTE) });
    pass(1_000);
    await account.check();
    expect(await told()).toBe(0);
    await change(id, { weekly: windowIn(10 * MINUTE, 40 * MINUTE) });
    pass(1_000);
    await account.check();
    expect(await told()).toBe(1);
    const { silence } = await change(id, { endsAt: account.later(HOUR) });
    expect(silence).toMatchObject({ state: "active" });
    expect(silence?.weekly).toBeUndefined();
    const { outcome } = await account.ingest({ ...backup, eventType: "other" });
    expect(outcome?.reasons).toMatchObject([{ reason: "silenced" }]);
  });

  it("notifies news that it held while quiet hours held repeats of the same incident", async () => {
    toWholeHour();
    const hour = (ms: number) => new Date(now().getTime() + ms).toISOString().slice(11, 16);
    const quietHours = { timeZone: "UTC", windows: [{ days: [], from: hour(HOUR), to: hour(3 * HOUR) }] };
    await account.putRule({ oneIncident: true, repeatSeconds: 3_600, quietHours });
    const { id } = await create();
    await account.ingest({ entityId: "other", severity: "warning" });
    await account.ingest({ ...backup, severity: "warning" });
    for (let minutes = 0; minutes < 4 * 60; minutes += 10) {
      pass(10 * MINUTE);
      await account.check();
    }
    const subjects = await told();
    await silences().endSilence(inAccount({ id }));
    // News follows the repeat that was just mailed after the interval of the rule.
    pass(5 * MINUTE);
    await account.check();
    expect(await told()).toBe(subjects + 1);
  });

  it("keeps its start and its creator, and has another revision", async () => {
    const created = await create();
    pass(HOUR);
    const { silence } = await change(created.id, { comment: "longer", endsAt: account.later(2 * DAY) });
    expect(silence).toMatchObject({
      comment: "longer",
      startsAt: created.startsAt,
      createdAt: created.createdAt,
      createdBy: created.createdBy,
    });
    expect(silence?.revision).not.toBe(created.revision);
  });

  it("is stored only if it has the expected revision", async () => {
    const { id, revision } = await create();
    const asked = { endsAt: account.later(2 * DAY), ifRevision: revision };
    const { silence } = await change(id, asked);
    await expect(change(id, { ...asked, endsAt: account.later(3 * DAY) })).rejects.toMatchObject({
      code: "resource.stale",
    });
    const { silence: present } = await silences().getSilence(inAccount({ id }));
    expect(present).toEqual(silence);
  });

  it("needs a confirmation if it matches nearly every alert", async () => {
    const { id } = await create();
    const asked = { match: conditions(["severity", "lte", "critical"]), endsAt: account.later(DAY) };
    await expect(change(id, asked)).rejects.toMatchObject({ code: "silence.unconfirmed" });
    await expect(change(id, { ...asked, confirm: true })).resolves.toBeDefined();
  });

  it("is refused if it has ended, does not exist or belongs to another account", async () => {
    const { id } = await create();
    const asked = { endsAt: account.later(2 * DAY) };
    const other = await openAlertAccount(identity);
    const unknown = { code: "silence.unknown" };
    await expect(
      silences().changeSilence({ ...asked, accountId: other.accountId, id, comment: "mine", match }),
    ).rejects.toMatchObject(unknown);
    await expect(silences().getSilence({ accountId: other.accountId, id })).rejects.toMatchObject(unknown);
    await expect(change("sil_none", asked)).rejects.toMatchObject(unknown);
    await silences().endSilence(inAccount({ id }));
    await expect(change(id, asked)).rejects.toMatchObject({ code: "silence.ended" });
  });

  it.each([
    ["an end in the past", () => ({ endsAt: account.later(-1) }), "/ends_at"],
    ["no end", () => ({}), "/ends_at"],
    ["an end in more than a year", () => ({ endsAt: account.later(367 * DAY) }), "/ends_at"],
    [
      "a start in more than a year",
      () => ({ startsAt: account.later(367 * DAY), weekly: windowIn(0, HOUR) }),
      "/starts_at",
    ],
    [
      "a time beyond all dates",
      () => ({ endsAt: { ...timestampFromDate(now()), seconds: 1n << 62n } }),
      "/ends_at",
    ],
  ])("with %s is refused, with the field", async (_, changes, pointer) => {
    const created = await create();
    await expect(change(created.id, changes())).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [expect.objectContaining({ pointer })],
    });
    const { silence } = await silences().getSilence(inAccount({ id: created.id }));
    expect(silence?.revision).toBe(created.revision);
  });
});

describe("the preview of a silence", () => {
  const preview = (changes: object = {}) => silences().previewSilence(inAccount({ match, ...changes }));

  it("counts open incidents whole and in part, past alerts, and stores nothing", async () => {
    await account.putRule({ groupBy: ["source"] });
    await account.putRule({}, { name: "single", order: 101 });
    await account.ingest({ ...backup, eventType: "other", source: "a" });
    await account.ingest({ ...backup, source: "b" });
    await account.ingest({ entityId: "web-1", source: "b" });
    await account.ingest({ entityId: "web-1", source: "c" });
    await account.ingest({ ...backup, eventType: "other", source: "a", status: "resolved" });
    const before = await identity.everything();
    const answer = await preview();
    expect(answer).toMatchObject({
      needsConfirmation: false,
      // The group of source b has another alert; the single incident has only this one.
      incidents: 1,
      partialIncidents: 1,
      allIncidentsRead: true,
      alerts: 2,
      alertsRead: 5,
      allAlertsRead: true,
    });
    const rules = answer.listed.map(({ rule, firing, matching, state }) => ({
      rule,
      firing,
      matching,
      state,
    }));
    expect(rules).toEqual(
      expect.arrayContaining([
        { rule: "pager", firing: 2, matching: 1, state: "open" },
        { rule: "single", firing: 1, matching: 1, state: "open" },
      ]),
    );
    expect(rules).toHaveLength(2);
    expect(await identity.everything()).toBe(before);
  });

  it("is what the silence then suppresses", async () => {
    await account.putRule({ repeatSeconds: 300 });
    for (let n = 0; n < 3; n++) await account.ingest({ entityId: "backup-1", eventType: `e${n}` });
    await account.ingest({ entityId: "web-1" });
    const { incidents } = await preview();
    await create();
    pass(5 * MINUTE);
    await account.check();
    const held = (await account.incidents()).filter(({ heldBy }) => heldBy === "silenced");
    expect(held).toHaveLength(incidents);
    expect(incidents).toBe(3);
  });

  it("counts only alerts in the windows, and of the last seven days", async () => {
    toWholeHour();
    await account.ingest(backup);
    pass(7 * DAY + 1);
    await account.ingest(backup);
    pass(20 * MINUTE);
    await account.ingest(backup);
    expect((await preview()).alerts).toBe(2);
    expect((await preview({ weekly: windowIn(-5 * MINUTE, 5 * MINUTE) })).alerts).toBe(1);
    expect((await preview({ weekly: windowIn(-30 * MINUTE, 5 * MINUTE) })).alerts).toBe(2);
  });

  it("reads the whole context of alerts", async () => {
    await account.putRule();
    const context = {
      ...Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`n${n}`, "x"])),
      zone: "b",
    };
    await account.ingest({ entityId: "long", context });
    const asked = { match: conditions(["context.zone", "eq", "b"]) };
    expect(await preview(asked)).toMatchObject({ incidents: 1, alerts: 1 });
  });

  it("says that a confirmation is needed, whatever it counts", async () => {
    expect(await preview({ match: [] })).toMatchObject({ needsConfirmation: true, incidents: 0, alerts: 0 });
    await expect(preview({ match: conditions(["host", "eq", "a"]) })).rejects.toMatchObject({
      errors: [expect.objectContaining({ pointer: "/match/0/field" })],
    });
  });

  it("knows only the alerts of its account", async () => {
    await account.putRule();
    await account.ingest(backup);
    const other = await openAlertAccount(identity);
    expect(await silences().previewSilence({ accountId: other.accountId, match })).toMatchObject({
      incidents: 0,
      alerts: 0,
      alertsRead: 0,
    });
  });
});
