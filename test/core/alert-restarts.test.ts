/**
 * Failures that users of other programs have reported, each with its guarantee here, if it needs a store, stored
 * rules, or processes that end. `alert-failures.test.ts` lists the other tests of this kind.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fault } from "../../src/shared/fault.ts";
import {
  type AlertAccount,
  conditions,
  type GivenAlert,
  openAlertAccount,
} from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEND_MS = 15_000;

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
const pass = (ms: number) => identity.time.pass(ms);
const subjects = async () => (await account.mails()).map(({ subject }) => subject);
/** A process that ends before it stores any mail. */
const dying = () =>
  account.engine(async () => {
    throw fault("store.unavailable");
  });

describe("what is inhibited", () => {
  const down: GivenAlert = { eventType: "host.down", entityId: "web-1" };
  const full: GivenAlert = { eventType: "disk.full", entityId: "web-1" };

  beforeEach(async () => {
    await account.putRule({ repeatSeconds: 0 });
    await identity.operator.silences.putInhibition(
      inAccount({
        name: "hosts",
        source: { match: conditions(["event_type", "eq", "host.down"]) },
        target: { match: conditions(["event_type", "eq", "disk.full"]) },
        equal: ["entity_id"],
      }),
    );
    await account.ingest(down);
    // Ids are ordered by time.
    pass(1);
    await account.ingest(full);
  });

  it("is not notified on a restart with both incidents open (prometheus/alertmanager#4064, #979)", async () => {
    expect(await subjects()).toHaveLength(1);
    for (let n = 0; n < 3; n++) {
      pass(5 * MINUTE);
      await account.engine(() => Promise.reject(new Error("Something was mailed."))).check();
      expect((await account.incidents()).map(({ trouble }) => trouble)).toEqual(["", ""]);
    }
    await account.check();
    expect(await subjects()).toHaveLength(1);
    await account.ingest({ ...down, status: "resolved" });
    await account.check();
    expect(await subjects()).toHaveLength(3);
  });

  it("stays inhibited while another rule's incident has the source active", async () => {
    await account.putRule({ recipients: [], repeatSeconds: 0 }, { name: "second", order: 101 });
    await account.ingest(down);
    const resolve = async (rule: string) => {
      const open = (await account.incidents()).filter(({ state }) => state === "open");
      const incident = open.find((one) => one.rule === rule && one.latest?.eventType === "host.down");
      await identity.operator.incidents.resolveIncident(inAccount({ id: incident?.id ?? "" }));
      pass(MINUTE);
      await account.check();
    };
    const before = (await subjects()).length;
    await resolve("pager");
    // Only the resolution of the source's incident, without the inhibited alerts.
    expect(await subjects()).toHaveLength(before + 1);
    await resolve("second");
    expect(await subjects()).toHaveLength(before + 2);
  });

  it("stays inhibited when the incident of another rule resolves by its timeout", async () => {
    await account.putRule({ recipients: [], autoResolveSeconds: 60 }, { name: "short", order: 102 });
    await account.ingest(down);
    const before = await subjects();
    for (let n = 0; n < 3; n++) {
      pass(2 * MINUTE);
      await account.check();
    }
    const short = (await account.incidents()).find(({ rule }) => rule === "short");
    expect(short?.state).toBe("resolved");
    expect(await subjects()).toEqual(before);
  });

  it("is notified when a member resolves the inhibiting alert", async () => {
    const [, { id = "" } = {}] = await account.incidents();
    await identity.operator.incidents.resolveIncident(inAccount({ id }));
    pass(1_000);
    await account.check();
    expect((await account.mails()).map(({ subject }) => subject.startsWith("Re: "))).toEqual([
      ...[false, true, false],
    ]);
  });
});

describe("a silence", () => {
  it.each([
    [[]],
    [conditions(["event_type", "exists", true])],
    [conditions(["message", "glob", "*"], ["source", "glob", "***"])],
    [conditions(["severity", "gte", "info"])],
    [conditions(["severity", "lte", "critical"])],
    [conditions(["severity", "in", ["critical", "info", "warning"]])],
    [conditions(["source", "ne", ""])],
    [conditions(["entity_id", "ne", ""])],
    [conditions(["source", "ne", "never"])],
    [conditions(["context.env", "ne", "never"], ["message", "ne", "never"])],
    [conditions(["entity_id", "exists", true])],
    [conditions(["context.env", "exists", false])],
    [conditions(["severity", "eq", "critical"])],
    [conditions(["severity", "gte", "warning"])],
  ])("that matches everything requires a confirmation: %# (prometheus/alertmanager#3279)", async (match) => {
    const asked = inAccount({ comment: "all", endsAt: account.later(MINUTE), match });
    const { silences } = identity.operator;
    await expect(silences.createSilence(asked)).rejects.toMatchObject({ code: "silence.unconfirmed" });
    await expect(silences.createSilence({ ...asked, confirm: true })).resolves.toBeDefined();
  });

  it.each([
    [conditions(["severity", "lte", "warning"], ["severity", "eq", "critical"])],
    [conditions(["severity", "eq", "info"], ["severity", "in", ["warning", "critical"]])],
    [conditions(["entity_id", "exists", true], ["entity_id", "exists", false])],
  ])("with alternatives that match everything requires a confirmation, too: %#", async (any) => {
    const asked = inAccount({ comment: "all", endsAt: account.later(MINUTE), any });
    const refused = identity.operator.silences.createSilence(asked);
    await expect(refused).rejects.toMatchObject({ code: "silence.unconfirmed" });
  });

  it.each([
    [conditions(["source", "eq", "node"], ["entity_id", "ne", "web-1"])],
    [conditions(["severity", "eq", "info"])],
    [conditions(["source", "glob", "*a*"])],
    [conditions(["context.a", "glob", "*"])],
  ])("that matches some alerts requires no confirmation: %#", async (match) => {
    const asked = inAccount({ comment: "some", endsAt: account.later(MINUTE), match });
    await expect(identity.operator.silences.createSilence(asked)).resolves.toBeDefined();
  });

  it("of nine of ten recent alerts requires confirmation, too", async () => {
    await account.putRule();
    for (let n = 0; n < 18; n++) await account.ingest({ entityId: `${n}` });
    for (let n = 0; n < 2; n++) await account.ingest({ source: "cron", entityId: `${n}` });
    const create = (value: string, confirm = false) =>
      identity.operator.silences.createSilence(
        inAccount({
          comment: "node",
          endsAt: account.later(MINUTE),
          confirm,
          match: conditions(["source", "eq", value]),
        }),
      );
    await expect(create("node")).rejects.toMatchObject({ code: "silence.unconfirmed" });
    await expect(create("node", true)).resolves.toBeDefined();
    await expect(create("cron")).resolves.toBeDefined();
    await account.ingest({ source: "cron", entityId: "2" });
    await expect(create("node")).resolves.toBeDefined();
  });

  it("that is ended early is followed within seconds by notifications of active alerts (prometheus/alertmanager#3367)", async () => {
    await account.putRule();
    const match = conditions(["entity_id", "eq", 'a"b']);
    const asked = inAccount({ comment: "work", endsAt: account.later(24 * HOUR), match });
    const { silence } = await identity.operator.silences.createSilence(asked);
    await account.ingest({ entityId: 'a"b' });
    await account.ingest({ entityId: "another" });
    expect(await subjects()).toHaveLength(1);
    await identity.operator.silences.endSilence(inAccount({ id: silence?.id ?? "" }));
    pass(1_000);
    await account.check();
    expect(await subjects()).toHaveLength(2);
  });
});

describe("a rule", () => {
  it("is returned as it was stored, with any settings, and keeps its version (keephq/keep#4776)", async () => {
    const match = conditions(
      ["event_type", "eq", 'a"b\\c'],
      ["source", "ne", ""],
      ["entity_type", "in", ["host", "{{ x }}", "ä"]],
      ["entity_id", "prefix", "web-"],
      ["message", "glob", "*.(a|b)*"],
      ["message", "contains", "\u202e'"],
      ["context.a", "exists", false],
      ["severity", "gte", "warning"],
      ["severity", "lte", "critical"],
      ["severity", "in", ["info"]],
    );
    const any = conditions(
      ["context.n.m", "gte", -1.5],
      ["context.n", "lte", 1e21],
      ["context.b", "eq", false],
      ["context.c", "in", [1, "1", true]],
      ["context.d", "ne", 0],
    );
    const settings = { order: -5, match, any, stop: true, description: "all of it" };
    const { rule } = await account.putRule({ groupBy: ["context.a.b"], autoResolveSeconds: 60 }, settings);
    const read = await identity.operator.rules.getRule(inAccount({ name: "pager" }));
    expect(read.rule).toEqual(rule);
    expect(read.rule?.settings).toMatchObject({ ...settings, match, any });
    const again = await identity.operator.rules.putRule(
      inAccount({ ...(read.rule?.settings && { settings: read.rule.settings }) }),
    );
    expect([again.created, again.rule]).toEqual([false, rule]);
  });

  it("together with another rule for the same recipient sends one mail, which names the rule (getsentry/sentry#5375)", async () => {
    await account.putRule({ repeatSeconds: 0 });
    await account.putRule(
      { repeatSeconds: 0, recipients: ["OPS@example.net"] },
      { name: "second", order: 101 },
    );
    const { outcome } = await account.ingest();
    expect(outcome?.matchedRules).toEqual(["pager", "second"]);
    for (let n = 0; n < 5; n++) {
      await account.ingest();
      pass(HOUR);
      await account.check();
    }
    const texts = (await account.parsed()).map(({ text = "" }) => /by the alert rule "(.*)"/.exec(text)?.[1]);
    expect(texts.sort()).toEqual(["pager", "second"]);
    await account.putRule({}, { name: "first", order: 1, stop: true });
    await account.ingest({ entityId: "stopped" });
    expect((await account.mails()).filter(({ subject }) => subject.includes("stopped"))).toHaveLength(1);
  });
});

describe("escalation steps without an acknowledgement", () => {
  const escalation = [
    { afterSeconds: 600, recipients: ["lead@example.net"] },
    { afterSeconds: 1_200, recipients: ["boss@example.net"] },
  ];
  const told = async () => (await account.mails()).map(({ recipient }) => recipient.split("@")[0]);

  it("are continued by another process when one ends at each of them (grafana/oncall#1206)", async () => {
    await account.putRule({ escalation, escalationRounds: 2, repeatSeconds: 0 });
    await account.ingest();
    for (const [index, waitMs] of [600_000, 1_200_000, 600_000, 1_200_000].entries()) {
      pass(waitMs);
      await dying().check();
      expect(await told()).toHaveLength(index + 1);
      // The mail is settled; other processes do not change it before its time.
      await account.check();
      expect(await told()).toHaveLength(index + 1);
      pass(SEND_MS);
      await account.check();
      await account.check();
      expect(await told()).toHaveLength(index + 2);
      // The next step is timed from the settled time.
      pass(-SEND_MS);
    }
    expect(await told()).toEqual(["ops", "lead", "boss", "lead", "boss"]);
    pass(24 * HOUR);
    await account.check();
    expect(await told()).toHaveLength(5);
  });

  it("stop with an acknowledgement, in any process (grafana/oncall#4760)", async () => {
    await account.putRule({ escalation, escalationRounds: 5, repeatSeconds: 0 });
    await account.ingest();
    pass(601_000);
    await account.check();
    const [{ id = "" } = {}] = await account.incidents();
    const { accountId } = account;
    await dying().change({ accountId, id, action: "acknowledge", by: "ada" });
    await account.ingest();
    pass(24 * HOUR);
    await account.check();
    expect(await told()).toEqual(["ops", "lead"]);
    const [incident] = await account.incidents();
    expect(incident).toMatchObject({ state: "acknowledged", acknowledgedBy: "ada", alerts: 2 });
  });
});

it("10,000 alerts at once are one incident, and its mail names 25 and counts the rest (prometheus/alertmanager#2274)", async () => {
  await account.putRule({ oneIncident: true });
  const { accountId } = account;
  const at = identity.time.clock.now();
  const common = { accountId, traceId: "sx_1", keyId: "", at, status: "firing" as const, links: [] };
  const storm = Array.from({ length: 10_000 }, (_, n) => {
    const alert = { eventType: "e", severity: "info", source: "s", message: `m${n}`, context: {} } as const;
    const expireAt = new Date(at.getTime() + 24 * HOUR);
    return { _id: `alr_${accountId}_${n}`, ...common, alert, fingerprint: `f${n}`, expireAt };
  });
  // In batches of the size that is evaluated together.
  for (let from = 0; from < storm.length; from += 64)
    await identity.alertEngine.take(accountId, storm.slice(from, from + 64));
  pass(MINUTE);
  await account.check();
  const [first, second, ...others] = await account.parsed();
  expect([first?.text, others]).toEqual([expect.stringContaining("m0"), []]);
  const lines = (second?.text ?? "").split("\n").filter((line) => line.startsWith("- "));
  // The first mail contains one of them.
  expect([lines.length, lines.at(-1)]).toEqual([26, "- and 9974 more"]);
  expect(await account.incidents()).toMatchObject([{ alerts: 10_000, firing: 10_000 }]);
});

it("a link in a mail stays valid like other links, for any duration of the incident", async () => {
  await account.putRule({ repeatSeconds: 30 * 86_400 });
  await account.ingest();
  pass(30 * 24 * HOUR);
  await account.check();
  const [, repeat] = await account.parsed();
  const [, token = ""] = /\/incident\/(\S+)/.exec(repeat?.text ?? "") ?? [];
  const { incident } = await identity.frontEnd.incidents.findIncidentLink({ token });
  expect(incident?.state).toBe("open");
});
