import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fault } from "../../src/shared/fault.ts";
import { type AlertAccount, type GivenAlert, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEND_MS = 15_000;
const NOTICE = /^X-Hermod-Notice: (\d+); (\w+);/m;

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

const inAccount = <T extends object>(request: T) => ({ accountId: account.accountId, ...request });
const later = (ms: number) => timestampFromDate(new Date(identity.time.clock.now().getTime() + ms));
const incidents = () => identity.operator.incidents;
/** An incident of a new alert. */
async function opened(given: GivenAlert = {}): Promise<string> {
  const { outcome } = await account.ingest(given);
  return outcome?.incidentIds[0] ?? "";
}
const shown = async (id: string) => incidents().getIncident(inAccount({ id }));
/** Reasons of all notices that were mailed, in the order of their numbers. */
async function reasons(): Promise<(string | undefined)[]> {
  const sources = await Promise.all((await account.mails()).map(account.sourceOf));
  const notices = sources.map((source) => NOTICE.exec(source));
  return notices.sort((a, b) => Number(a?.[1]) - Number(b?.[1])).map((notice) => notice?.[2]);
}
async function pass(ms: number): Promise<void> {
  identity.time.pass(ms);
  await account.check();
}
/** A process that ends before it stores any mail. */
const dying = () =>
  account.engine(async () => {
    throw fault("store.unavailable");
  });

describe("a snoozed incident", () => {
  it("sends nothing until its time, which new alerts have as a reason, and then sends one notice", async () => {
    await account.putRule({ groupBy: ["source"], repeatSeconds: 3_600 });
    const id = await opened({ entityId: "a", severity: "warning" });
    const until = later(5 * HOUR);
    const { incident } = await incidents().snoozeIncident(inAccount({ id, until }));
    expect(incident).toMatchObject({ state: "open", snoozedUntil: until, nextNoticeAt: until });
    identity.time.pass(1);
    const { outcome } = await account.ingest({ entityId: "b", severity: "warning" });
    expect(outcome).toMatchObject({
      status: "suppressed",
      reasons: [{ reason: "snoozed", nextNotificationAt: until }],
    });
    await pass(4 * HOUR);
    expect(await reasons()).toEqual(["first"]);
    await pass(HOUR);
    expect(await reasons()).toEqual(["first", "snooze_ended"]);
    const after = await shown(id);
    expect(after.incident?.snoozedUntil).toBeUndefined();
    expect(after.history.map(({ kind }) => kind)).toEqual([
      "opened",
      "notice",
      "snoozed",
      "snooze_ended",
      "notice",
    ]);
  });

  it("ends exactly once if the process that ends it dies before it sends the notice", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().snoozeIncident(inAccount({ id, until: later(HOUR) }));
    identity.time.pass(HOUR);
    await dying().check();
    await account.check();
    expect(await reasons()).toEqual(["first"]);
    await pass(SEND_MS);
    await pass(SEND_MS);
    expect(await reasons()).toEqual(["first", "snooze_ended"]);
  });

  it("is notified at once when its severity rises", async () => {
    await account.putRule();
    const id = await opened({ severity: "warning" });
    await incidents().snoozeIncident(inAccount({ id, until: later(HOUR) }));
    await account.ingest({ severity: "critical" });
    expect(await reasons()).toEqual(["first", "severity"]);
    expect((await shown(id)).incident?.snoozedUntil).toBeUndefined();
  });

  it("can be snoozed for another time, and the snooze can be ended", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().snoozeIncident(inAccount({ id, until: later(HOUR) }));
    const until = later(2 * HOUR);
    const again = await incidents().snoozeIncident(inAccount({ id, until }));
    expect(again.incident?.snoozedUntil).toEqual(until);
    const { incident } = await incidents().endIncidentSnooze(inAccount({ id }));
    expect([incident?.snoozedUntil, incident?.snoozedBy]).toEqual([undefined, ""]);
    await pass(2 * HOUR);
    expect(await reasons()).toEqual(["first"]);
  });

  it.each([0, -1, 367 * 24 * HOUR])("is refused with an end %i ms ahead", async (ms) => {
    await account.putRule();
    const id = await opened();
    const asked = incidents().snoozeIncident(inAccount({ id, until: later(ms) }));
    await expect(asked).rejects.toMatchObject({ errors: [{ pointer: "/until" }] });
    expect((await shown(id)).incident?.snoozedUntil).toBeUndefined();
  });

  it("is refused once it is resolved, and unknown without an id of the account", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    const until = later(HOUR);
    const asked = incidents().snoozeIncident(inAccount({ id, until }));
    await expect(asked).rejects.toMatchObject({ code: "incident.resolved" });
    const other = incidents().snoozeIncident(inAccount({ id: "inc_nothing", until }));
    await expect(other).rejects.toMatchObject({ code: "incident.unknown" });
  });
});

describe("a withdrawn acknowledgement", () => {
  it("begins the escalation with its first step, and repeats again", async () => {
    const escalation = [{ afterSeconds: 600, recipients: ["lead@example.net"] }];
    await account.putRule({ escalation, repeatSeconds: 3_600 });
    const id = await opened();
    await incidents().acknowledgeIncident(inAccount({ id }));
    await pass(20 * MINUTE);
    const { incident } = await incidents().unacknowledgeIncident(inAccount({ id }));
    expect(incident).toMatchObject({ state: "open", acknowledgedBy: "" });
    expect(await reasons()).toEqual(["first"]);
    await pass(10 * MINUTE);
    expect(await reasons()).toEqual(["first", "escalation"]);
    await pass(HOUR);
    // To both recipients.
    expect(await reasons()).toEqual(["first", "escalation", "repeat", "repeat"]);
    const again = await incidents().unacknowledgeIncident(inAccount({ id }));
    expect(again.incident?.state).toBe("open");
  });
});

describe("a reopened incident", () => {
  it("has the alerts that no source has resolved since, notifies once, and ends with them", async () => {
    await account.putRule({ groupBy: ["source"] });
    const id = await opened({ entityId: "a", severity: "warning", context: { mount: "/var" } });
    await account.ingest({ entityId: "b" });
    await incidents().resolveIncident(inAccount({ id }));
    await pass(MINUTE);
    await account.ingest({ entityId: "a", status: "resolved" });
    const { incident } = await incidents().reopenIncident(inAccount({ id }));
    expect(incident).toMatchObject({ state: "open", firing: 1, resolvedBy: "" });
    const { firing, history } = await shown(id);
    expect(firing.map(({ latest }) => latest?.entityId)).toEqual(["b"]);
    expect(history.map(({ kind }) => kind).slice(-2)).toEqual(["reopened", "notice"]);
    expect((await reasons()).slice(-2)).toEqual(["resolved", "reopened"]);
    identity.time.pass(1);
    await account.ingest({ entityId: "b", status: "resolved" });
    expect((await shown(id)).incident?.state).toBe("resolved");
    await pass(24 * HOUR);
    expect((await reasons()).slice(-3)).toEqual(["resolved", "reopened", "resolved"]);
  });

  it("takes the next alert of its problem", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    await incidents().reopenIncident(inAccount({ id }));
    identity.time.pass(1);
    expect(await opened()).toBe(id);
    expect(await account.incidents()).toHaveLength(1);
  });

  it("is refused while a later incident of its problem is open, and without its rule", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    identity.time.pass(1);
    const next = await opened();
    const early = incidents().reopenIncident(inAccount({ id }));
    await expect(early).rejects.toMatchObject({ code: "incident.group_open" });
    await incidents().resolveIncident(inAccount({ id: next }));
    await identity.operator.rules.deleteRule(inAccount({ name: "pager" }));
    const late = incidents().reopenIncident(inAccount({ id }));
    await expect(late).rejects.toMatchObject({ code: "incident.rule_removed" });
    expect((await shown(id)).incident?.state).toBe("resolved");
  });

  it("of a disabled rule notifies only its end", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    await account.putRule({}, { enabled: false });
    await incidents().reopenIncident(inAccount({ id }));
    await pass(24 * HOUR);
    expect(await reasons()).toEqual(["first", "resolved"]);
  });

  it("is changed by one of two processes that reopen at the same time", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    identity.time.pass(1);
    const both = await Promise.all([1, 2].map(() => incidents().reopenIncident(inAccount({ id }))));
    expect(both.map(({ incident }) => incident?.state)).toEqual(["open", "open"]);
    const { history } = await shown(id);
    expect(history.filter(({ kind }) => kind === "reopened")).toHaveLength(1);
    expect((await reasons()).filter((reason) => reason === "reopened")).toHaveLength(1);
  });
});

describe("the work on an incident", () => {
  it("has an assignee among the members, until the user leaves the account", async () => {
    await account.putRule();
    const id = await opened();
    const { userId, email } = await identity.memberOf(account.accountId, "developer");
    const { incident } = await incidents().assignIncident(inAccount({ id, user: email }));
    expect(incident?.assignee).toMatchObject({ userId, email });
    const filter = { assignee: userId };
    const found = await incidents().listIncidents(inAccount({ filter }));
    expect(found.incidents.map((one) => one.id)).toEqual([id]);
    await identity.operator.members.removeMember(inAccount({ user: userId }));
    expect((await shown(id)).incident?.assignee).toBeUndefined();
    const late = incidents().assignIncident(inAccount({ id, user: userId }));
    await expect(late).rejects.toMatchObject({ code: "member.unknown" });
    await incidents().assignIncident(inAccount({ id, user: "" }));
    expect((await shown(id)).history.at(-1)).toMatchObject({ kind: "assigned" });
  });

  it("is not assigned to a user of another account", async () => {
    await account.putRule();
    const id = await opened();
    const { userId } = await identity.memberOf(await identity.openAccount("Globex"));
    const asked = incidents().assignIncident(inAccount({ id, user: userId }));
    await expect(asked).rejects.toMatchObject({ code: "member.unknown" });
  });

  it("has notes with their author in the history, which recipients of mail do not see", async () => {
    await account.putRule();
    const id = await opened();
    const { token, email } = await identity.memberOf(account.accountId, "support");
    const member = identity.as({ session: token });
    const { incident } = await member.incidents.addIncidentNote({ id, text: " The disk\nis replaced. " });
    expect(incident?.notes).toBe(1);
    const { history } = await shown(id);
    expect(history.at(-1)).toMatchObject({ kind: "note", detail: "The disk\nis replaced.", by: email });
    const [mail] = await account.parsed();
    const [, linked = ""] = /\/incident\/(\S+)/.exec(mail?.text ?? "") ?? [];
    const page = await identity.frontEnd.incidents.findIncidentLink({ token: linked });
    expect(page.history.map(({ kind }) => kind)).toEqual(["opened", "notice"]);
    expect(page.history.map(({ detail }) => detail).join()).not.toContain("replaced");
    for (const text of ["", "  ", "x".repeat(4_001)]) {
      const refused = incidents().addIncidentNote(inAccount({ id, text }));
      await expect(refused).rejects.toMatchObject({ errors: [{ pointer: "/text" }] });
    }
  });

  it("can have 500 notes, also after its end", async () => {
    await account.putRule();
    const id = await opened();
    await incidents().resolveIncident(inAccount({ id }));
    await identity.db.collection("incidents").updateOne({ _id: id as never }, { $set: { noteCount: 499 } });
    await incidents().addIncidentNote(inAccount({ id, text: "last" }));
    const refused = incidents().addIncidentNote(inAccount({ id, text: "one more" }));
    await expect(refused).rejects.toMatchObject({ code: "incident.too_many_notes" });
  });

  it("is announced to open pages as a change of the incident", async () => {
    await account.putRule();
    const id = await opened();
    const { journal } = identity.store.acrossAccounts;
    await journal.noteDeliveries(identity.time.clock.now());
    await identity.db.collection("journal").deleteMany({ writer: "resources" });
    await incidents().addIncidentNote(inAccount({ id, text: "On it." }));
    await incidents().acknowledgeIncident(inAccount({ id }));
    await journal.noteDeliveries(identity.time.clock.now());
    const notes = await identity.db.collection("journal").find({ writer: "resources" }).toArray();
    const { accountId } = account;
    expect(notes.flatMap(({ resources }) => resources)).toEqual([{ accountId, kind: "incident", id }]);
  });
});
