import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AreaClients } from "../../src/rpc/client.ts";
import { fault } from "../../src/shared/fault.ts";
import { MAX_OVERRIDES } from "../../src/store/oncall-store.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPS = "ops@example.net";

let identity: Identity;
let account: AlertAccount;
let accountId: string;
let owner: AreaClients;
let start: Date;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  account = await openAlertAccount(identity);
  ({ accountId } = account);
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
  // Handovers are at whole minutes.
  identity.time.pass(60_000 - (identity.time.clock.now().getTime() % 60_000));
  start = identity.time.clock.now();
});

const code = (name: string) => expect.objectContaining({ code: name });
const at = (ms: number) => timestampFromDate(new Date(start.getTime() + ms));
const address = (name: string) => ({ address: `${name}@example.net` });
type Participant = { readonly address: string } | { readonly userId: string };

/** Stores a schedule with shifts of one hour, from now on. */
const put = (participants: readonly Participant[], settings: object = {}) => {
  const layer = {
    name: "Hourly",
    participants: [...participants],
    startsAt: at(0),
    timeZone: "UTC",
    shift: { length: 1, unit: "hour" },
  };
  const whole = { name: "primary", layers: [layer], fallbackRecipients: [OPS], ...settings };
  return owner.oncalls.putOnCallSchedule({ settings: whole });
};
const putRule = (notify: object = {}, settings: object = {}) =>
  account.putRule({ recipients: [], onCallSchedules: ["primary"], ...notify }, settings);
/** Changes the zone of a stored schedule to one that the program does not know. */
async function moveToUnknownZone(name: string): Promise<void> {
  const schedules = identity.db.collection("onCallSchedules");
  const stored = await schedules.findOne({ accountId, name });
  const [layer] = stored?.settings.layers ?? [];
  const $set = { "settings.layers": [{ ...layer, zone: "Europe/Atlantis" }] };
  await schedules.updateOne({ accountId, name }, { $set });
}
/** Recipients of all mail. Mail of the same moment has no particular order. */
const recipients = async () => (await account.mails()).map(({ recipient }) => recipient);
/** Each alert has its own moment. */
const ingest = (entityId: string) => {
  identity.time.pass(1);
  return account.ingest({ entityId });
};
const named = (...names: string[]) => names.map((name) => `${name}@example.net`);

describe("the participants on call", () => {
  const seconds = (ms: number) => at(ms).seconds;
  const on = async (request: {
    readonly name?: string;
    readonly userId?: string;
    readonly pageSize?: number;
  }) => owner.oncalls.listOnCall(request);

  it("are listed with the next ones by the name of their schedule", async () => {
    await put([address("ada"), address("bob")]);
    await put([address("tom")], { name: "secondary" });
    // Bob takes over ada's second half hour, which his own shift follows.
    const override = { name: "primary", participant: address("bob"), from: at(HOUR / 2), until: at(HOUR) };
    await owner.oncalls.addOnCallOverride(override);
    const { states } = await on({});
    expect(states).toMatchObject([
      {
        name: "primary",
        timeZone: "UTC",
        now: {
          person: address("ada"),
          from: { seconds: seconds(0) },
          until: { seconds: seconds(HOUR / 2) },
        },
        next: {
          person: address("bob"),
          from: { seconds: seconds(HOUR / 2) },
          until: { seconds: seconds(2 * HOUR) },
        },
        recipients: named("ada"),
        own: [],
      },
      { name: "secondary", now: { person: address("tom") }, recipients: named("tom") },
    ]);
    expect(states[1]?.now?.until).toBeUndefined();
    expect(states[1]?.next).toBeUndefined();
  });

  it("are listed in pages, or for one schedule", async () => {
    for (const name of ["c", "a", "b"]) await put([address("ada")], { name });
    const first = await on({ pageSize: 2 });
    expect(first.states.map(({ name }) => name)).toEqual(["a", "b"]);
    const rest = await owner.oncalls.listOnCall({ pageSize: 2, pageToken: first.nextPageToken });
    expect([rest.states.map(({ name }) => name), rest.nextPageToken]).toEqual([["c"], ""]);
    const alone = await on({ name: "b", pageSize: 1 });
    expect([alone.states.map(({ name }) => name), alone.nextPageToken]).toEqual([["b"], ""]);
  });

  it("have their own next times, by id and by address, at most five", async () => {
    const ada = await identity.memberOf(accountId, "viewer");
    await put([{ userId: ada.userId }, address("bob"), { address: ada.email.toUpperCase() }]);
    const [state] = (await on({ userId: ada.userId })).states;
    // Every third shift is bob's. The two others are one time, as they follow each other.
    const times = state?.own.map(({ from, until }) => [from?.seconds, until?.seconds]);
    expect(times).toEqual([
      [seconds(0), seconds(HOUR)],
      ...[2, 5, 8, 11].map((hour) => [seconds(hour * HOUR), seconds((hour + 2) * HOUR)]),
    ]);
    const stranger = await identity.memberOf(await identity.openAccount());
    expect((await on({ userId: stranger.userId })).states).toMatchObject([{ own: [] }]);
  });

  it("are missing without a participant, and the fallback is notified", async () => {
    const ada = await identity.memberOf(accountId, "viewer");
    await put([{ userId: ada.userId }]);
    await owner.members.removeMember({ user: ada.userId });
    const [state] = (await on({})).states;
    expect(state).toMatchObject({ recipients: [OPS] });
    expect(state?.now?.person).toBeUndefined();
    expect(state?.next).toBeUndefined();
  });

  it("are missing for a stored schedule that cannot be evaluated, and listed for the others", async () => {
    await put([address("ada")]);
    await put([address("tom")], { name: "secondary" });
    await moveToUnknownZone("primary");
    const { states } = await on({});
    expect(states[0]?.now).toBeUndefined();
    expect(states).toMatchObject([
      { name: "primary", recipients: [OPS] },
      { name: "secondary", now: { person: address("tom") } },
    ]);
  });
});

describe("a notice of a rule with an on-call schedule", () => {
  it("is mailed to the participant on call, also with the schedule alone", async () => {
    await put([address("ada"), address("bob")]);
    await putRule({ repeatSeconds: 3_600 });
    const { outcome } = await account.ingest();
    expect(outcome).toMatchObject({ status: "routed", reasons: [] });
    expect(await recipients()).toEqual(named("ada"));
    identity.time.pass(HOUR);
    await account.check();
    expect(await recipients()).toEqual(named("ada", "bob"));
  });

  it("follows the present address of a member, and passes to the fallback when the member leaves", async () => {
    const ada = await identity.memberOf(accountId, "viewer");
    await put([{ userId: ada.userId }]);
    await putRule();
    await ingest("a");
    const moved = `moved-${ada.email}`;
    await identity.db.collection("users").updateOne({ _id: ada.userId as never }, { $set: { email: moved } });
    await ingest("b");
    await owner.members.removeMember({ user: ada.userId });
    await ingest("c");
    expect(await recipients()).toEqual([ada.email, moved, OPS]);
    const { schedule } = await owner.oncalls.getOnCallSchedule({ name: "primary" });
    expect(schedule?.people).toMatchObject([{ userId: ada.userId, address: "" }]);
    const { shift, recipients: instead } = await owner.oncalls.getOnCall({ name: "primary" });
    expect([shift?.person, instead]).toEqual([undefined, [OPS]]);
  });

  it("passes to the layer below while a participant of the upper one has left", async () => {
    const eve = await identity.memberOf(accountId, "viewer");
    const layer = { startsAt: at(0), timeZone: "UTC", shift: { length: 1, unit: "day" } };
    const layers = [
      { ...layer, name: "low", participants: [address("ada")] },
      { ...layer, name: "high", participants: [{ userId: eve.userId }] },
    ];
    await put([], { layers });
    await putRule();
    await ingest("a");
    await owner.members.removeMember({ user: eve.userId });
    await ingest("b");
    expect(await recipients()).toEqual([eve.email, ...named("ada")]);
  });

  it("is mailed to the participant of an override, until it ends or is removed", async () => {
    await put([address("ada")]);
    await putRule();
    const added = await owner.oncalls.addOnCallOverride({
      name: "primary",
      participant: address("eve"),
      until: at(HOUR),
    });
    await ingest("a");
    identity.time.pass(60_000);
    await owner.oncalls.removeOnCallOverride({ name: "primary", id: added.override?.id ?? "" });
    await ingest("b");
    expect(await recipients()).toEqual(named("eve", "ada"));
    const { overrides } = await owner.oncalls.listOnCallOverrides({ name: "primary" });
    expect(overrides).toMatchObject([{ state: "ended", person: address("eve") }]);
  });

  it("follows a changed schedule, although the incident keeps the version of its rule", async () => {
    await put([address("ada")]);
    await putRule({ repeatSeconds: 3_600 });
    await account.ingest();
    await put([address("bob")]);
    identity.time.pass(HOUR);
    await account.check();
    expect(await recipients()).toEqual(named("ada", "bob"));
  });

  it("is mailed to the recipients of the present rule when its schedule was removed", async () => {
    await put([address("ada")]);
    await put([address("eve")], { name: "second" });
    await putRule({ repeatSeconds: 3_600 });
    await account.ingest();
    await putRule({ recipients: [OPS], onCallSchedules: ["second"] });
    await owner.oncalls.deleteOnCallSchedule({ name: "primary" });
    identity.time.pass(HOUR);
    await account.check();
    const [first, ...others] = await recipients();
    expect([first, others.toSorted()]).toEqual([...named("ada"), [...named("eve"), OPS]]);
  });

  it("is mailed to the fallback when a stored schedule cannot be evaluated", async () => {
    await put([address("ada")]);
    await putRule();
    await moveToUnknownZone("primary");
    await account.ingest();
    expect(await recipients()).toEqual([OPS]);
  });

  it("is mailed once by another process after the first one ended, to the same participant", async () => {
    await put([address("ada"), address("bob")]);
    const dying = account.engine(async () => {
      throw fault("store.unavailable");
    });
    await putRule({ waitSeconds: 60 });
    await account.ingest();
    identity.time.pass(61_000);
    await dying.check();
    expect(await recipients()).toEqual([]);
    identity.time.pass(HOUR);
    await account.check();
    await account.check();
    expect(await recipients()).toEqual(named("ada"));
  });

  it("reaches the participant of an escalation's schedule", async () => {
    await put([address("ada")]);
    await put([address("eve")], { name: "managers" });
    const step = { afterSeconds: 600, recipients: [], onCallSchedules: ["managers"] };
    await putRule({ escalation: [step] });
    await account.ingest();
    identity.time.pass(600_000);
    await account.check();
    expect(await recipients()).toEqual(named("ada", "eve"));
  });
});

describe("tests of a rule with an on-call schedule", () => {
  it("preview and send the mail to the participant on call now", async () => {
    await put([address("ada"), address("bob")]);
    await putRule({ recipients: [OPS] });
    identity.time.pass(HOUR);
    const test = { accountId, name: "pager" };
    const preview = await identity.operator.rules.previewRuleMail(test);
    expect(preview.recipients).toEqual([OPS, ...named("bob")]);
    const sent = await identity.operator.rules.sendRuleTest({ ...test, to: "recipients" });
    expect(sent.messages.map(({ recipient }) => recipient)).toEqual(preview.recipients);
    const notify = { from: "alerts@example.com", onCallSchedules: ["other"] };
    const unknown = identity.operator.rules.previewRuleMail({ accountId, rule: { name: "new", notify } });
    await expect(unknown).rejects.toMatchObject({
      errors: [{ pointer: "/rule/notify/on_call_schedules/0", code: "on_call_schedule.unknown" }],
    });
  });

  it("count the mail of past alerts to the participants of their time", async () => {
    await put([address("ada"), address("bob")]);
    await putRule({ repeatSeconds: 3_600 });
    await account.ingest();
    identity.time.pass(HOUR);
    await account.check();
    expect(await recipients()).toEqual(named("ada", "bob"));
    const { estimate } = await identity.operator.rules.tryRules({ accountId });
    expect(estimate).toMatchObject({ incidents: 1, notices: 2, mails: 2 });
  });
});

describe("an on-call schedule", () => {
  it("must exist and be named correctly in a rule", async () => {
    const missing = await putRule().catch((error) => error);
    expect(missing).toMatchObject({ code: "on_call_schedule.unknown" });
    expect(missing.errors).toMatchObject([
      { pointer: "/notify/on_call_schedules/0", code: "on_call_schedule.unknown" },
    ]);
    await put([address("ada")]);
    const withoutSender = owner.rules.putRule({
      settings: { name: "pager", notify: { onCallSchedules: ["primary"] } },
    });
    await expect(withoutSender).rejects.toMatchObject({
      errors: [{ pointer: "/notify/from", code: "field.required" }],
    });
    const step = { afterSeconds: 600, recipients: [], onCallSchedules: ["other"] };
    const late = await putRule({ escalation: [step] }).catch((error) => error);
    expect(late.errors).toMatchObject([{ pointer: "/notify/escalation/0/on_call_schedules/0" }]);
    const many = Array.from({ length: 11 }, (_, index) => `s-${index}`);
    await expect(putRule({ onCallSchedules: many })).rejects.toMatchObject({
      errors: [{ pointer: "/notify/on_call_schedules", code: "field.too_many" }],
    });
  });

  it("is searched for suppressed participants when a rule is stored, and when an address is suppressed", async () => {
    await put([address("ada"), address("bob")]);
    await putRule();
    const suppress = (name: string) =>
      identity.operator.suppressions.addSuppression({ accountId, address: `${name}@example.net` });
    expect((await suppress("bob")).alertRules).toEqual(["pager"]);
    expect((await suppress("eve")).alertRules).toEqual([]);
    const stored = await putRule({ repeatSeconds: 600 });
    expect(stored.suppressedRecipients).toEqual(named("bob"));
  });

  it("names every participant that is not a member of the account", async () => {
    const stranger = await identity.memberOf(await identity.openAccount());
    const refused = await put([address("ada"), { userId: stranger.userId }, { userId: "usr_x" }]).catch(
      (error) => error,
    );
    expect(refused.errors).toMatchObject([
      { pointer: "/layers/0/participants/1/user_id", code: "member.unknown" },
      { pointer: "/layers/0/participants/2/user_id", code: "member.unknown" },
    ]);
    await expect(owner.oncalls.getOnCallSchedule({ name: "primary" })).rejects.toEqual(
      code("on_call_schedule.unknown"),
    );
  });

  it("is unknown to another account, with all of its operations", async () => {
    await put([address("ada")]);
    const added = await owner.oncalls.addOnCallOverride({
      name: "primary",
      participant: address("eve"),
      until: at(HOUR),
    });
    const other = identity.as({ session: (await identity.memberOf(await identity.openAccount())).token });
    const { oncalls } = other;
    const name = "primary";
    const time = { from: at(0), until: at(HOUR) };
    for (const call of [
      () => oncalls.getOnCallSchedule({ name }),
      () => oncalls.deleteOnCallSchedule({ name }),
      () => oncalls.getOnCall({ name }),
      () => oncalls.listOnCall({ name }),
      () => oncalls.listOnCallShifts({ name, ...time }),
      () => oncalls.listOnCallOverrides({ name }),
      () => oncalls.addOnCallOverride({ name, participant: address("eve"), ...time }),
      () => oncalls.removeOnCallOverride({ name, id: added.override?.id ?? "" }),
      () => oncalls.swapOnCallShifts({ name, first: time, second: { from: at(HOUR), until: at(2 * HOUR) } }),
      () => oncalls.restoreOnCallSchedule({ name, version: 1 }),
    ])
      await expect(call()).rejects.toEqual(code("on_call_schedule.unknown"));
    expect((await owner.oncalls.listOnCallOverrides({ name })).overrides).toMatchObject([
      { state: "active" },
    ]);
  });

  it("keeps its overrides when it changes, and loses them when it is removed", async () => {
    await put([address("ada")]);
    const override = { name: "primary", participant: address("eve"), until: at(HOUR) };
    await owner.oncalls.addOnCallOverride(override);
    await put([address("bob")]);
    expect((await owner.oncalls.getOnCall({ name: "primary" })).recipients).toEqual(named("eve"));
    await owner.oncalls.deleteOnCallSchedule({ name: "primary" });
    expect(await identity.db.collection("onCallOverrides").countDocuments({ accountId })).toBe(0);
    await put([address("bob")]);
    expect((await owner.oncalls.getOnCall({ name: "primary" })).recipients).toEqual(named("bob"));
  });
});

describe("overrides", () => {
  it("have a limit for each schedule, which the two of a swap do not exceed either", async () => {
    const { schedule } = await put([address("ada"), address("bob")]);
    const until = new Date(start.getTime() + HOUR);
    const base = { accountId, scheduleId: schedule?.id, number: 1, participant: address("eve"), comment: "" };
    const times = {
      from: start,
      until,
      createdBy: "ada",
      createdAt: start,
      expireAt: new Date(start.getTime() + DAY),
    };
    await identity.db.collection("onCallOverrides").insertMany(
      Array.from({ length: MAX_OVERRIDES - 1 }, (_, index) => ({
        ...base,
        ...times,
        until: new Date(until.getTime() - 1_000 * (index + 1)),
        from: new Date(start.getTime() - DAY),
        _id: `oco_${String(index).padStart(26, "0")}` as never,
      })),
    );
    const name = "primary";
    const swap = {
      name,
      first: { from: at(2 * HOUR), until: at(3 * HOUR) },
      second: { from: at(3 * HOUR), until: at(4 * HOUR) },
    };
    await expect(owner.oncalls.swapOnCallShifts(swap)).rejects.toEqual(code("on_call_override.too_many"));
    const add = () =>
      owner.oncalls.addOnCallOverride({
        name,
        participant: address("ada"),
        from: at(DAY),
        until: at(2 * DAY),
      });
    await add();
    await expect(add()).rejects.toEqual(code("on_call_override.too_many"));
    expect(await identity.db.collection("onCallOverrides").countDocuments({ accountId })).toBe(MAX_OVERRIDES);
  });

  it("of concurrent swaps of the same shifts apply one after the other", async () => {
    await put([address("ada"), address("bob")]);
    const swap = {
      name: "primary",
      first: { from: at(2 * HOUR), until: at(3 * HOUR) },
      second: { from: at(3 * HOUR), until: at(4 * HOUR) },
    };
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => owner.oncalls.swapOnCallShifts(swap)),
    );
    const swapped = results.filter(({ status }) => status === "fulfilled").length;
    expect(swapped).toBeGreaterThan(0);
    // Each swap takes the result of the one before it.
    const expected = swapped % 2 === 1 ? named("bob", "ada") : named("ada", "bob");
    const found = [2, 3].map(async (hours) => {
      const moment = { name: "primary", at: at(hours * HOUR) };
      return (await owner.oncalls.getOnCall(moment)).recipients[0];
    });
    expect(await Promise.all(found)).toEqual(expected);
  });

  it("added in the same moment apply in the order of their creation", async () => {
    await put([address("ada")]);
    for (const name of ["bob", "eve", "tom"])
      await owner.oncalls.addOnCallOverride({
        name: "primary",
        participant: address(name),
        until: at(HOUR),
      });
    expect((await owner.oncalls.getOnCall({ name: "primary" })).recipients).toEqual(named("tom"));
  });

  it("begin now at the earliest, and those that have not begun are removed without a trace", async () => {
    await put([address("ada")]);
    const name = "primary";
    const past = await owner.oncalls.addOnCallOverride({
      name,
      participant: address("eve"),
      from: at(-DAY),
      until: at(HOUR),
    });
    expect(past.override?.from && timestampDate(past.override.from)).toEqual(start);
    const later = await owner.oncalls.addOnCallOverride({
      name,
      participant: address("bob"),
      from: at(DAY),
      until: at(2 * DAY),
    });
    await owner.oncalls.removeOnCallOverride({ name, id: later.override?.id ?? "" });
    const { overrides } = await owner.oncalls.listOnCallOverrides({ name });
    expect(overrides.map(({ id }) => id)).toEqual([past.override?.id]);
    await expect(owner.oncalls.removeOnCallOverride({ name, id: later.override?.id ?? "" })).rejects.toEqual(
      code("on_call_override.unknown"),
    );
  });

  it("stay in the store for 90 days after their end", async () => {
    const { schedule } = await put([address("ada")]);
    const participant = address("eve");
    const until = new Date(start.getTime() + HOUR);
    const { oncalls } = identity.store.forAccount(accountId);
    const override = { participant, from: start, until, comment: "" };
    const [added] = (await oncalls.addOverrides(schedule?.id ?? "", [override], testAudit)) ?? [];
    expect(added?.expireAt).toEqual(new Date(until.getTime() + 90 * DAY));
  });
});
