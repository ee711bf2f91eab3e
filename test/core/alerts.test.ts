import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import type {
  AlertRuleSettingsSchema,
  RuleNotificationSchema,
} from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import { createAlertEngine } from "../../src/core/alerts/create-alert-engine.ts";
import { createNotifyUndelivered } from "../../src/core/alerts/notify-undelivered.ts";
import type { MailOnce } from "../../src/core/send/mail-once.ts";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { allowSending } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let accountId: string;
let apiKey: string;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
  await allowSending(identity, accountId);
  const { secret } = await identity.operator.keys.createKey({ accountId, name: "monitor" });
  apiKey = secret;
});

type Settings = MessageInitShape<typeof AlertRuleSettingsSchema>;
type Notify = MessageInitShape<typeof RuleNotificationSchema>;
type Given = MessageInitShape<typeof AlertSchema>;

const NOTIFY = { recipients: ["ops@example.net"], from: "Alerts <alerts@example.com>" };
const put = (notify: object = {}, settings: object = {}) => {
  const told: Notify = { ...NOTIFY, ...notify };
  const whole: Settings = { name: "pager", ...settings, notify: told };
  return identity.operator.rules.putRule({ accountId, settings: whole });
};
const alertOf = (given: Given = {}): Given => ({
  eventType: "disk.full",
  severity: "critical",
  source: "node",
  message: "/var is full",
  ...given,
});
const ingest = (given: Given = {}, idempotencyKey = "") =>
  identity.frontEnd.alerts.ingestAlert({ apiKey, idempotencyKey, alert: alertOf(given) });
const mails = () =>
  identity.db
    .collection<MessageDocument>("messages")
    .find({ accountId, source: "alert" })
    .sort({ _id: 1 })
    .toArray();
const check = () => identity.alertEngine.check();
const later = (ms: number) => timestampFromDate(new Date(identity.time.clock.now().getTime() + ms));

describe("an alert", () => {
  it("is a message of the account when the call returns", async () => {
    await put();
    const { outcome, alertId } = await ingest({ entityType: "host", entityId: "web-1" });
    expect(outcome).toMatchObject({ status: "routed", matchedRules: ["pager"], reasons: [] });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(outcome?.messageIds).toEqual([mail?._id]);
    expect(mail).toMatchObject({
      recipient: "ops@example.net",
      from: "alerts@example.com",
      operation: "alert.notice",
      subject: "[critical] node: /var is full (host web-1)",
      headerMessageId: `<${mail?._id}@example.com>`,
      incidentId: outcome?.incidentIds[0],
    });
    const { message } = await identity.operator.messages.getMessage({ accountId, id: mail?._id ?? "" });
    expect(message?.incidentId).toBe(outcome?.incidentIds[0]);
    const shown = await identity.operator.alerts.getAlert({ accountId, id: alertId });
    expect(shown.rules).toMatchObject([{ rule: "pager", version: 1, reason: "notifies" }]);
    expect(shown.alert?.outcome).toEqual(outcome);
  });

  it("that no rule matches is stored, too", async () => {
    const { outcome, alertId } = await ingest();
    expect(outcome).toMatchObject({ status: "unmatched", matchedRules: [], incidentIds: [], messageIds: [] });
    const { alerts } = await identity.operator.alerts.listAlerts({ accountId });
    expect(alerts.map(({ id }) => id)).toEqual([alertId]);
  });

  it("with an idempotency key is accepted once, also when it is repeated together with others", async () => {
    await put();
    const first = await ingest({}, "once");
    const [again, other] = await Promise.all([ingest({}, "once"), ingest({ entityId: "b" }, "other")]);
    expect([again.replayed, again.alertId, again.outcome]).toEqual([true, first.alertId, first.outcome]);
    expect(other.replayed).toBe(false);
    expect(await mails()).toHaveLength(2);
    await expect(ingest({ message: "another" }, "once")).rejects.toMatchObject({
      code: "idempotency.key_reused",
    });
    identity.time.pass(61_000);
    expect((await ingest({ message: "another" }, "once")).replayed).toBe(false);
  });

  it("that arrives several times at once opens one incident, and is mailed once", async () => {
    await put();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => ingest({ entityId: "a" })));
    const incidents = new Set(outcomes.flatMap(({ outcome }) => outcome?.incidentIds ?? []));
    expect([incidents.size, (await mails()).length]).toEqual([1, 1]);
    const [id = ""] = incidents;
    const { incident } = await identity.operator.incidents.getIncident({ accountId, id });
    expect(incident).toMatchObject({ alerts: 100, firing: 1, state: "open" });
  });

  it("has the reason in its answer if it is not mailed immediately", async () => {
    await put();
    await ingest();
    const repeated = await ingest();
    expect(repeated.outcome).toMatchObject({
      status: "suppressed",
      reasons: [{ rule: "pager", reason: "deduplicated", nextNotificationAt: later(4 * 3_600_000) }],
    });
    await identity.operator.silences.createSilence({
      accountId,
      comment: "maintenance",
      endsAt: later(60_000),
      confirm: true,
    });
    const silenced = await ingest({ entityId: "b" });
    expect(silenced.outcome).toMatchObject({
      status: "suppressed",
      reasons: [{ reason: "silenced", nextNotificationAt: later(60_000) }],
    });
    identity.time.pass(60_000);
    await check();
    expect((await mails()).map(({ subject }) => subject)).toHaveLength(2);
  });

  it.each([
    [{ severity: "fatal" }, "/severity"],
    [{ eventType: "" }, "/event_type"],
    [{ source: "" }, "/source"],
    [{ message: "" }, "/message"],
    [{ message: "x".repeat(10_001) }, "/message"],
    [{ entityId: "x".repeat(256) }, "/entity_id"],
    [{ status: "open" }, "/status"],
    [{ links: [{ href: "javascript:alert(1)" }] }, "/links/0/href"],
  ])("that is invalid is refused: %o", async (given, pointer) => {
    await put();
    await expect(ingest(given)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer }],
    });
    expect(await mails()).toEqual([]);
  });

  it("requires a key that may send alerts, of any scope mode", async () => {
    const keyOf = async (scopeMode: string) =>
      (await identity.operator.keys.createKey({ accountId, name: scopeMode, scopeMode })).secret;
    apiKey = await keyOf("send_only");
    await expect(ingest()).rejects.toMatchObject({ code: "auth.scope_missing" });
    apiKey = await keyOf("alerts_only");
    expect((await ingest()).outcome?.status).toBe("unmatched");
    apiKey = "hm_live_nothing";
    await expect(ingest()).rejects.toMatchObject({ code: "auth.key_invalid" });
  });
});

describe("an incident", () => {
  it("is resolved by a resolution, even if its rules have changed", async () => {
    await put();
    await ingest({ entityId: "a" });
    await identity.operator.rules.putRule({
      accountId,
      settings: { name: "pager", match: [], effect: "drop" },
    });
    identity.time.pass(60_000);
    const { outcome } = await ingest({ entityId: "a", severity: "info", status: "resolved" });
    expect(outcome).toMatchObject({ status: "routed", matchedRules: ["pager"] });
    const [first, last] = await mails();
    expect(last?.subject).toBe(`Re: ${first?.subject}`);
  });

  it("is acknowledged with a link in its mail; opening the page changes nothing", async () => {
    await put();
    const { outcome } = await ingest();
    const [incidentId = ""] = outcome?.incidentIds ?? [];
    const expiresAt = new Date(identity.time.clock.now().getTime() + 60_000);
    const link = { accountId, incidentId, recipient: "ops@example.net", expiresAt };
    const token = identity.incidentTokens.encode(link);
    const { incidents } = identity.frontEnd;
    expect((await incidents.findIncidentLink({ token })).incident?.state).toBe("open");
    expect((await incidents.findIncidentLink({ token })).incident?.state).toBe("open");
    const { incident } = await incidents.followIncidentLink({ token, action: "acknowledge" });
    expect(incident).toMatchObject({ state: "acknowledged", acknowledgedBy: "ops@example.net" });
    const { audit } = identity.store.forAccount(accountId);
    const [entry] = await audit.list({ actions: ["incident.follow_link"], limit: 1 });
    expect(entry).toMatchObject({
      actor: { kind: "recipient", name: "ops@example.net" },
      target: { kind: "incident", id: incidentId },
    });
    identity.time.pass(60_000);
    await expect(incidents.findIncidentLink({ token })).rejects.toMatchObject({
      code: "incident.link_invalid",
    });
    const forged = `${token.slice(0, -4)}AAAA`;
    await expect(incidents.followIncidentLink({ token: forged, action: "resolve" })).rejects.toMatchObject({
      code: "incident.link_invalid",
    });
  });

  it("of a removed rule is closed with the reason, without a mail about the resolution", async () => {
    await put({ repeatSeconds: 300 });
    await ingest({ entityId: "a" });
    await identity.operator.rules.deleteRule({ accountId, name: "pager" });
    await check();
    const [incident] = (await identity.operator.incidents.listIncidents({ accountId })).incidents;
    expect(incident).toMatchObject({ state: "resolved", firing: 0 });
    expect(incident?.resolvedBy).toBe("its rule was removed, its alerts may still be active");
    identity.time.pass(3_600_000);
    await check();
    await ingest({ entityId: "a", status: "resolved" });
    expect(await mails()).toHaveLength(1);
  });

  it("of a disabled rule stays open until its alerts are resolved, and only the resolution is mailed", async () => {
    await put({ repeatSeconds: 300 });
    await ingest({ entityId: "a" });
    await put({ repeatSeconds: 300 }, { enabled: false });
    identity.time.pass(3_600_000);
    await check();
    expect(await mails()).toHaveLength(1);
    await ingest({ entityId: "a", status: "resolved" });
    expect(await mails()).toHaveLength(2);
  });

  it("that stays open has no next notification for a resolved alert", async () => {
    await put({ groupBy: ["source"] });
    await ingest({ entityId: "a" });
    await ingest({ entityId: "b" });
    const { outcome } = await ingest({ entityId: "b", status: "resolved" });
    const [reason] = outcome?.reasons ?? [];
    expect([reason?.reason, reason?.nextNotificationAt]).toEqual(["not_mailed", undefined]);
  });
});

describe("a notice", () => {
  /** An engine of another process, with mail that fails as the test decides. */
  const engineWith = (mailAlert: MailOnce) =>
    createAlertEngine({
      store: identity.store,
      clock: identity.time.clock,
      log: createLogger("silent"),
      mailAlert,
      linkOf: () => undefined,
      keptMs: 86_400_000,
    });

  async function opened(engine: ReturnType<typeof engineWith>, id: string) {
    const at = identity.time.clock.now();
    const alert = { eventType: "e", severity: "info", source: "s", message: "m", context: {} } as const;
    const common = { accountId, traceId: "sx_1", keyId: "", at, status: "firing", links: [] } as const;
    const expireAt = new Date(at.getTime() + 86_400_000);
    return engine.take(accountId, [{ _id: id, ...common, alert, fingerprint: "f", expireAt }]);
  }

  it("of a process that ends before its mail is stored is sent once by another process", async () => {
    await put();
    const dying = engineWith(async () => {
      throw fault("store.unavailable");
    });
    const [alert] = await opened(dying, "alr_dying");
    expect(alert?.outcome.messageIds).toHaveLength(1);
    expect(await mails()).toEqual([]);
    await check();
    expect(await mails()).toEqual([]);
    identity.time.pass(15_000);
    await check();
    await check();
    expect((await mails()).map(({ _id }) => _id)).toEqual(alert?.outcome.messageIds);
  });

  it("of a process that ends after its mail is stored is not sent twice", async () => {
    await put();
    const real = identity.alertEngine;
    const [alert] = await opened(real, "alr_first");
    const [incidentId = ""] = alert?.outcome.incidentIds ?? [];
    // State before the last of the three writes.
    const incidents = identity.db.collection("incidents");
    const pending = { number: 1, reason: "first", at: identity.time.clock.now(), state: "open" };
    const [mail] = await mails();
    const settled = {
      ...pending,
      severity: "info",
      alerts: [],
      more: 0,
      context: {},
      links: [],
      mails: [{ recipient: "ops@example.net", messageId: mail?._id }],
    };
    await incidents.updateOne(
      { _id: incidentId as never },
      { $set: { pending: settled, dueAt: new Date(0) } },
    );
    await check();
    expect(await mails()).toHaveLength(1);
    expect(await incidents.findOne({ _id: incidentId as never })).not.toHaveProperty("pending");
    const contents = identity.db.collection("contents");
    expect(await contents.countDocuments({ _id: mail?.contentId as never })).toBe(1);
  });

  it("that cannot be mailed has the reason, and is mailed when it is possible", async () => {
    await put({ routingPolicy: "pagers" }).catch(() => undefined);
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await identity.operator.policies.putPolicy({ accountId, policy: { name: "pagers", transports } });
    await put({ routingPolicy: "pagers" });
    await identity.operator.policies.deletePolicy({ accountId, name: "pagers", force: true });
    const { outcome } = await ingest();
    const [id = ""] = outcome?.incidentIds ?? [];
    const shown = await identity.operator.incidents.getIncident({ accountId, id });
    expect(shown.incident?.trouble).toContain("pagers");
    expect(shown.history.map(({ kind }) => kind)).toContain("notice_failed");
    expect(await mails()).toEqual([]);
    await identity.operator.policies.putPolicy({ accountId, policy: { name: "pagers", transports } });
    identity.time.pass(60_000);
    await check();
    expect((await mails()).map(({ _id }) => _id)).toEqual(outcome?.messageIds);
  });
});

describe("a suppressed recipient", () => {
  const suppress = (address: string, policy = "") =>
    identity.operator.suppressions.addSuppression({ accountId, address, policy });

  it("is named when a rule is stored and tested, for all mail, the rule's policy or the domain", async () => {
    await suppress("ops@example.net");
    await suppress("lead@example.net", "sandbox");
    await suppress("@closed.example");
    const recipients = ["OPS@example.net", "night@example.net", "x@closed.example"];
    const escalation = [{ afterSeconds: 60, recipients: ["lead@example.net"] }];
    const suppressed = ["OPS@example.net", "x@closed.example", "lead@example.net"];
    expect((await put({ recipients, escalation })).suppressedRecipients).toEqual(suppressed);
    const alert = { eventType: "x", severity: "critical", source: "cron", message: "m" };
    const tested = await identity.operator.rules.testRules({ accountId, alert });
    expect(tested.suppressedRecipients).toEqual(suppressed.slice(0, 2));
    expect((await put({ recipients: ["night@example.net"] })).suppressedRecipients).toEqual([]);
  });

  it("is returned with the rules that mail to it, for one address and for many", async () => {
    await put({ recipients: ["Ops@example.net"] });
    await put({ recipients: ["ops@example.net"] }, { name: "off", enabled: false });
    const rules = { alertRules: ["pager"], alertRulesCount: 1 };
    expect(await suppress("ops@example.net")).toMatchObject(rules);
    expect(await suppress("@example.net")).toMatchObject(rules);
    expect(await suppress("ops@example.net", "sandbox")).toMatchObject(rules);
    expect(await suppress("other@example.net")).toMatchObject({ alertRules: [], alertRulesCount: 0 });
    const { suppressions } = identity.operator;
    const addresses = ["other@example.net", "no address", "ops@example.net"];
    expect(await suppressions.addSuppressions({ accountId, addresses })).toMatchObject(rules);
  });

  it("is returned by an import and its preview with the first ten rules and the number of all", async () => {
    const { suppressions, policies } = identity.operator;
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await policies.putPolicy({ accountId, policy: { name: "bulk", transports } });
    const names = Array.from({ length: 12 }, (_, at) => `rule-${String(at).padStart(2, "0")}`);
    for (const name of names) await put({ recipients: ["Ops@example.net"] }, { name });
    await put({ recipients: ["lead@example.net"] }, { name: "lead" });
    const first = { alertRules: names.slice(0, 10), alertRulesCount: 12 };
    const csv = "email,policy\nno address,\nops@example.net,\nlead@example.net,bulk\n";
    const preview = await suppressions.importSuppressions({ accountId, csv, preview: true });
    expect(preview).toMatchObject({ counts: { added: 2, refused: 1 }, ...first });
    expect(await suppressions.importSuppressions({ accountId, csv })).toMatchObject(first);
    expect(await suppressions.importSuppressions({ accountId, csv })).toMatchObject(first);
    const all = { accountId, csv: "@example.net\n" };
    expect((await suppressions.importSuppressions(all)).alertRulesCount).toBe(13);
    const others = { accountId, csv: "other@example.net\n" };
    expect(await suppressions.importSuppressions(others)).toMatchObject({
      alertRules: [],
      alertRulesCount: 0,
    });
    const bulk = { accountId, csv: "lead@example.net\n", policy: "bulk" };
    expect((await suppressions.importSuppressions(bulk)).alertRulesCount).toBe(0);
  });

  it("is returned without rules of another policy or account", async () => {
    await put({ recipients: ["ops@example.net"] });
    const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
    await identity.operator.policies.putPolicy({ accountId, policy: { name: "bulk", transports } });
    expect((await suppress("ops@example.net", "bulk")).alertRulesCount).toBe(0);
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const foreign = { accountId: account?.id ?? "", address: "ops@example.net" };
    expect((await identity.operator.suppressions.addSuppression(foreign)).alertRulesCount).toBe(0);
  });
});

describe("a notice that cannot be created", () => {
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];

  async function letters() {
    const told: Letter[] = [];
    const systemMail = { notify: async (_: string, letter: Letter) => void told.push(letter) } as never;
    const { store, time } = identity;
    await createNotifyUndelivered({ store, systemMail, clock: time.clock, log: createLogger("silent") })();
    return told;
  }

  beforeEach(async () => {
    await identity.memberOf(accountId, "owner");
    await identity.operator.policies.putPolicy({ accountId, policy: { name: "pagers", transports } });
    await put({ routingPolicy: "pagers" });
    await identity.operator.policies.deletePolicy({ accountId, name: "pagers", force: true });
  });

  it("is reported to the owners with its rule and its cause, once a day while it lasts", async () => {
    await ingest();
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter?.paragraphs.join(" ")).toContain("cannot create mail");
    expect(letter?.paragraphs.join(" ")).toContain(
      'Alert rule "pager": The routing policy "pagers" does not exist',
    );
    identity.time.pass(3_600_000);
    await check();
    expect(await letters()).toEqual([]);
    identity.time.pass(86_400_000);
    await check();
    expect(await letters()).toHaveLength(1);
  });

  it("is created with the present version of its rule after a member has corrected it", async () => {
    const { outcome } = await ingest();
    expect(await mails()).toEqual([]);
    await put();
    identity.time.pass(60_000);
    await check();
    expect((await mails()).map(({ _id }) => _id)).toEqual(outcome?.messageIds);
  });
});

describe("a rule", () => {
  it("requires existing resources: a policy, a template, a verified sender", async () => {
    const refused = (settings: object) =>
      put(settings).catch((failed) => [failed.code, failed.errors[0]?.pointer]);
    expect(await refused({ routingPolicy: "none" })).toEqual(["policy.unknown", "/notify/routing_policy"]);
    expect(await refused({ template: "none" })).toEqual(["template.unknown", "/notify/template"]);
    expect(await refused({ from: "x@elsewhere.example" })).toEqual(["sender.unverified", "/from"]);
    expect(await refused({ from: undefined, recipients: ["no address"] })).toEqual([
      "request.validation_failed",
      "/notify/recipients/0",
    ]);
  });

  it("that is stored again unchanged keeps its version, and names the rule that shadows it", async () => {
    const { rule, created } = await put({}, { order: 1, stop: true });
    expect([rule?.version, created]).toEqual([1, true]);
    const again = await put({}, { order: 1, stop: true });
    expect([again.rule?.version, again.created]).toEqual([1, false]);
    const shadowed = await put({}, { name: "late", order: 2 });
    expect(shadowed.shadowedBy).toBe("pager");
  });

  it("is tested without storing or sending", async () => {
    await put();
    const tested = await identity.operator.rules.testRules({ accountId, alert: alertOf() });
    expect([tested.notifying, tested.mutedBy]).toEqual([["pager"], ""]);
    const { alerts } = await identity.operator.alerts.listAlerts({ accountId });
    expect([alerts, await mails()]).toEqual([[], []]);
  });

  it("can use a template of the account, with the subject of the incident", async () => {
    await identity.operator.templates.putTemplate({
      accountId,
      template: {
        name: "page",
        subject: "{{ title }}",
        text: "{{ state_line }} {{ message | upcase }}",
        variables: [],
      },
    });
    await put({ template: "page" });
    await ingest({ message: "hot" });
    const [mail] = await mails();
    const body = await identity.store.forAccount(accountId).contents.load(mail?.contentId ?? "");
    expect(body).toMatchObject({
      content: { text: expect.stringMatching(/^FIRING \(critical\) since .* HOT$/) },
    });
    expect(mail?.template).toEqual({ name: "page", version: 1 });
  });
});

it("a silence that matches every alert requires a confirmation", async () => {
  const asked = { accountId, comment: "everything", endsAt: later(60_000) };
  await expect(identity.operator.silences.createSilence(asked)).rejects.toMatchObject({
    code: "silence.unconfirmed",
  });
  const { silence } = await identity.operator.silences.createSilence({ ...asked, confirm: true });
  const ended = await identity.operator.silences.endSilence({ accountId, id: silence?.id ?? "" });
  expect([silence?.state, ended.silence?.state]).toEqual(["active", "expired"]);
});
