import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { fault } from "../../src/shared/fault.ts";
import { createStore } from "../../src/store/store.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { damage } from "../harness/raw-documents.ts";
import { repetitions } from "../harness/repetitions.ts";
import { openScheduleAccount, type ScheduleAccount } from "../harness/schedule-account.ts";
import { testSealing } from "../harness/sealing.ts";

/** A Wednesday, and winter in Berlin. */
const START = new Date("2030-01-02T12:00:00Z");

let identity: Identity;
let account: ScheduleAccount;

beforeEach(async () => {
  identity = await openIdentity({ startAt: START });
  account = await openScheduleAccount(identity);
  return () => identity.close();
});

const run = () => identity.runSchedules();
const recipients = async () => (await account.mails()).map(({ recipient }) => recipient).sort();
const lastRun = async (id: string) => (await account.find(id))?.lastRun;
const timeOf = (at: { readonly seconds: bigint } | undefined) =>
  at && new Date(Number(at.seconds) * 1_000).toISOString();

describe("a report that is due", () => {
  it("covers the previous week, and is mailed to each contact of the client separately", async () => {
    const id = await account.create();
    expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-01-07T07:00:00.000Z");
    identity.time.pass(Date.parse("2030-01-07T06:59:59Z") - START.getTime());
    await run();
    expect(await recipients()).toEqual([]);
    account.reach("2030-01-07T07:00:00Z");
    await run();
    expect(await recipients()).toEqual(["boss@client.example", "it@client.example"]);
    const [mail] = await account.mails();
    expect(mail).toMatchObject({
      from: "reports@example.com",
      operation: "report.schedule",
      policy: "sandbox",
      state: "queued",
      subject: "Weekly report: 31 Dec 2029 – 6 Jan 2030",
      tags: ["report"],
    });
    const [report] = await account.reports();
    expect(mail?.metadata).toEqual({ schedule_id: id, report_id: report?._id });
    expect(report).toMatchObject({
      scope: { type: "client", name: "Nordwind AG" },
      period: { from: new Date("2029-12-30T23:00:00Z"), to: new Date("2030-01-06T23:00:00Z") },
    });
    const after = await account.find(id);
    expect(after?.lastRun).toMatchObject({ trigger: "due", status: "sent", reportId: report?._id });
    expect(after?.lastRun?.messageIds.toSorted()).toEqual((await account.mails()).map(({ _id }) => _id));
    expect([after?.underWay, timeOf(after?.nextRunAt)]).toEqual([undefined, "2030-01-14T07:00:00.000Z"]);
    await run();
    expect(await account.mails()).toHaveLength(2);
  });

  it("has its content in text and html, with the document attached", async () => {
    await account.create({ recipients: ["ada@client.example"] });
    account.reach("2030-01-07T07:00:00Z");
    await run();
    const [mail] = await account.mails();
    const { text = "", html = "", attachments, headers, from } = await account.bodyOf(mail as never);
    expect(from).toEqual({ displayName: "Acme Agency", address: "reports@example.com" });
    expect(text).toContain("Nordwind AG, 31 Dec 2029 – 6 Jan 2030 (Europe/Berlin)");
    expect(text).toContain("Score: no check has a result yet");
    expect(html).toContain("<li>Findings: 0 critical, 0 warnings, 0 notes</li>");
    expect(attachments).toMatchObject([
      { filename: "deliverability-nordwind-ag-2029-12-31-2030-01-06.html", contentType: "text/html" },
    ]);
    expect(text).toContain(attachments[0]?.filename);
    expect(Buffer.from(attachments[0]?.content ?? []).toString()).toMatch(/^<!doctype html>/i);
    expect(headers).toContainEqual({ name: "Auto-Submitted", value: "auto-generated" });
  });

  it("is a PDF by default, monthly, of a workspace or of a domain", async () => {
    const { workspaceId, domainId, name } = account;
    const monthly = { cadence: "monthly", weekday: undefined, recipients: ["ada@client.example"] };
    const ofDomain = await account.create({
      ...monthly,
      format: "",
      day: 3,
      hour: 0,
      scope: { type: "domain", id: domainId },
    });
    const ofWorkspace = await account.create({
      ...monthly,
      hour: 23,
      scope: { type: "workspace" },
      locale: "en-US",
    });
    account.reach("2030-01-02T23:00:00Z");
    await run();
    account.reach("2030-02-01T23:00:00Z");
    await run();
    const mails = await account.mails();
    const mailOf = (id: string) => mails.find(({ metadata }) => metadata.schedule_id === id);
    const { attachments } = await account.bodyOf(mailOf(ofDomain) as never);
    const filename = `deliverability-${name}-2029-12-01-2029-12-31.pdf`;
    expect(attachments).toMatchObject([{ filename, contentType: "application/pdf" }]);
    expect(Buffer.from(attachments[0]?.content ?? []).toString("latin1")).toMatch(/^%PDF-/);
    expect(mailOf(ofWorkspace)?.subject).toBe("Weekly report: Jan 1, 2030 – Jan 31, 2030");
    expect((await account.reports()).map(({ scope }) => scope.id)).toEqual([domainId, workspaceId]);
  });

  it("is in English, with the locale shown as `en`, if an earlier release stored the locale of another language", async () => {
    const { accountId, clientId } = account;
    const id = await account.create({ recipients: ["ada@client.example"], locale: "en-GB" });
    const german = { $set: { locale: "de-DE" } };
    await identity.db.collection<{ _id: string }>("reportSchedules").updateOne({ _id: id }, german);
    await identity.db.collection<{ _id: string }>("intelClients").updateOne({ _id: clientId }, german);
    expect((await account.find(id))?.locale).toBe("en");
    const { client } = await identity.operator.workspaces.getClient({ accountId, id: clientId });
    expect(client?.locale).toBe("en");
    account.reach("2030-01-07T07:00:00Z");
    await run();
    const [mail] = await account.mails();
    expect(mail?.subject).toBe("Weekly report: Dec 31, 2029 – Jan 6, 2030");
    const { attachments } = await account.bodyOf(mail as never);
    expect(Buffer.from(attachments[0]?.content ?? []).toString()).not.toMatch(/\d\d\.\d\d\.20\d\d/);
  });

  it("keeps its hour when clocks change", async () => {
    const id = await account.create();
    account.reach("2030-03-25T07:00:00Z");
    await run();
    // Summer time begins on the 31st.
    expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-04-01T06:00:00.000Z");
    account.reach("2030-04-01T06:00:00Z");
    await run();
    const periods = (await account.reports()).map(({ period }) => period.to.toISOString());
    expect(periods).toEqual(["2030-03-24T23:00:00.000Z", "2030-03-31T22:00:00.000Z"]);
  });

  it("is only the latest one if several were missed", async () => {
    const id = await account.create({ recipients: ["ada@client.example"] });
    account.reach("2030-02-06T12:00:00Z");
    await run();
    await run();
    expect((await account.mails()).map(({ subject }) => subject)).toEqual([
      "Weekly report: 28 Jan 2030 – 3 Feb 2030",
    ]);
    expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-02-11T07:00:00.000Z");
  });

  it("is generated once per week, even if its day is moved within the week", async () => {
    const id = await account.create({ recipients: ["ada@client.example"] });
    account.reach("2030-01-07T07:00:00Z");
    await run();
    await account.update(id, { weekday: 4, recipients: ["ada@client.example"] });
    expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-01-17T07:00:00.000Z");
  });

  it("is not generated during a pause, and missed reports are skipped", async () => {
    const id = await account.create({ paused: true });
    expect((await account.find(id))?.nextRunAt).toBeUndefined();
    account.reach("2030-01-09T07:00:00Z");
    await run();
    await account.update(id, { paused: false });
    await run();
    expect(await account.mails()).toEqual([]);
    expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-01-14T07:00:00.000Z");
  });
});

describe("an on-demand report", () => {
  it("covers the last period, also during a pause, and in addition to the scheduled one", async () => {
    const id = await account.create({ paused: true, recipients: ["ada@client.example"] });
    const asked = await account.ask(id);
    expect(asked.schedule?.underWay).toMatchObject({ trigger: "asked", attempts: 0 });
    await account.ask(id);
    await run();
    expect((await account.mails()).map(({ subject }) => subject)).toEqual([
      "Weekly report: 24 Dec 2029 – 30 Dec 2029",
    ]);
    expect(await lastRun(id)).toMatchObject({ trigger: "asked", status: "sent" });
    account.pass(1);
    await account.ask(id);
    await run();
    expect(await account.mails()).toHaveLength(2);
    await account.update(id, { recipients: ["ada@client.example"] });
    account.reach("2030-01-07T07:00:00Z");
    await run();
    expect(await account.mails()).toHaveLength(3);
  });
});

describe("a report that cannot be sent", () => {
  const due = async (changes = {}) => {
    const id = await account.create(changes);
    account.reach("2030-01-07T07:00:00Z");
    return id;
  };

  async function replaceClient(changes: object, archived: boolean) {
    const { accountId, clientId: id, settings } = account;
    const asked = { accountId, id, settings: { ...settings, ...changes }, archived, force: true };
    await identity.operator.workspaces.updateClient(asked);
  }

  it.each([
    [
      "sender.unverified",
      () =>
        identity.operator.senders.removeSender({
          accountId: account.accountId,
          value: "example.com",
          force: true,
        }),
      /reports@example\.com is not a verified sender/,
    ],
    ["client.archived", () => replaceClient({}, true), /"Nordwind AG" is archived/],
    [
      "schedule.no_recipients",
      () => replaceClient({ contactEmails: [] }, false),
      /the client has no contacts/,
    ],
    [
      "report.empty",
      () =>
        identity.operator.watches.removeWatchedDomain({ accountId: account.accountId, id: account.domainId }),
      /has no watched domain/,
    ],
  ])(
    "has the reason %s immediately, and the next period's report is generated again",
    async (code, spoil, reason) => {
      const id = await due();
      await spoil();
      await run();
      expect(await lastRun(id)).toMatchObject({ status: "failed", code, messageIds: [] });
      expect((await lastRun(id))?.reason).toMatch(reason);
      expect([await account.mails(), await account.reports()]).toEqual([[], []]);
      expect(timeOf((await account.find(id))?.nextRunAt)).toBe("2030-01-14T07:00:00.000Z");
    },
  );

  it("triggers alert rules, and is resolved with the next report that is sent", async () => {
    const id = await due();
    await replaceClient({}, true);
    await run();
    await replaceClient({}, false);
    account.pass(5);
    await account.ask(id);
    await run();
    account.pass(5);
    await account.ask(id);
    await run();
    const { alerts } = await identity.operator.alerts.listAlerts({ accountId: account.accountId });
    expect(alerts.map(({ alert }) => [alert?.eventType, alert?.status]).toSorted()).toEqual([
      ["report.failed", "firing"],
      ["report.failed", "resolved"],
    ]);
    const fired = alerts.find(({ alert }) => alert?.status === "firing")?.alert;
    expect(fired).toMatchObject({ source: "deliverability", entityId: id });
    expect(fired?.message).toContain(
      'The report "Weekly report" was not sent: The client "Nordwind AG" is archived',
    );
  });

  it("has the reason if its domain is no longer watched", async () => {
    const id = await due({ scope: { type: "domain", id: account.domainId } });
    const { accountId, domainId } = account;
    await identity.operator.watches.removeWatchedDomain({ accountId, id: domainId, force: true });
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "failed", code: "watched_domain.unknown" });
    // It can still be paused, but not resumed.
    const gone = { scope: { type: "domain", id: domainId } };
    await account.update(id, { ...gone, paused: true });
    await expect(account.update(id, gone)).rejects.toMatchObject({ code: "watched_domain.unknown" });
  });

  it("has the reason if its mail is too large or its policy was removed; the report stays", async () => {
    const id = await due({ recipients: ["ada@client.example"], routingPolicy: "default" });
    const few = {
      to: 1,
      headers: 10,
      attachments: 1,
      sendAtDays: 1,
      recipients: 1,
      hops: 10,
      showsClient: false,
    };
    await identity.runSchedules({ limits: { ...few, messageBytes: 10_000, bodyBytes: 10_000 } });
    expect(await lastRun(id)).toMatchObject({ status: "failed", code: "message.too_large" });
    expect((await lastRun(id))?.reportId).toBe((await account.reports())[0]?._id);
    account.pass(1);
    await account.ask(id);
    await identity.operator.policies.deletePolicy({
      accountId: account.accountId,
      name: "default",
      force: true,
    });
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "failed", code: "policy.unknown" });
  });

  it("is retried for a day, with increasing waits, if a retry can help", async () => {
    const id = await due();
    const reports = {
      render: async () => ({ kind: "failed", reason: "rendering takes more than 512 MB" }) as const,
      close: async () => undefined,
    };
    const { intel } = identity;
    const failing = () => identity.runSchedules({ intel: { ...intel, reports } });
    const waits: number[] = [];
    for (;;) {
      await failing();
      const work = (await account.find(id))?.underWay;
      if (!work) break;
      expect(work.reason).not.toBe("");
      const dueAt = (await account.document(id))?.dueAt ?? START;
      const waitMs = dueAt.getTime() - identity.time.clock.now().getTime();
      waits.push(waitMs / 60_000);
      identity.time.pass(waitMs);
    }
    expect(waits.slice(0, 6)).toEqual([1, 5, 15, 60, 120, 120]);
    expect(waits.length).toBeLessThan(20);
    expect(await lastRun(id)).toMatchObject({ status: "failed", code: "internal.error" });
    account.reach("2030-01-14T07:00:00Z");
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "sent" });
  });

  it("is mailed as it was generated, even if its schedule is changed before the retry", async () => {
    const id = await due();
    const store = async () => {
      throw fault("store.full");
    };
    await identity.runSchedules({ intake: { store, storeTogether: store, idle: async () => undefined } });
    const trouble = (await account.find(id))?.underWay?.reason;
    expect(trouble).toMatch(/full|space/);
    await account.update(id, { format: "pdf", recipients: ["other@client.example"] });
    await run();
    expect(await recipients()).toEqual(["boss@client.example", "it@client.example"]);
    const [mail] = await account.mails();
    expect((await account.bodyOf(mail as never)).attachments).toMatchObject([{ contentType: "text/html" }]);
    expect(await account.reports()).toHaveLength(1);
  });

  it("is retried immediately on request, and not during a pause", async () => {
    const id = await due();
    const busy = { render: async () => ({ kind: "busy" }) as const, close: async () => undefined };
    const failing = () => identity.runSchedules({ intel: { ...identity.intel, reports: busy } });
    await failing();
    await run();
    expect(await account.mails()).toEqual([]);
    await account.ask(id);
    await run();
    expect(await lastRun(id)).toMatchObject({ trigger: "due", status: "sent" });
    account.reach("2030-01-14T07:00:00Z");
    await failing();
    await account.update(id, { paused: true });
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "cancelled" });
    expect(await account.mails()).toHaveLength(2);
  });

  it("does not delay others, and neither does a damaged or invalid schedule", async () => {
    const [bad = "", spoilt = "", good = ""] = [
      await account.create(),
      await account.create(),
      await account.create(),
    ];
    await identity.db
      .collection<{ _id: string }>("reportSchedules")
      .updateOne({ _id: bad }, { $set: { timezone: "Nowhere/At_All", note: "damaged!" } });
    await identity.db
      .collection<{ _id: string }>("reportSchedules")
      .updateOne({ _id: spoilt }, { $set: { note: "damaged!" } });
    await damage(identity.db, "reportSchedules", spoilt, (bytes) => {
      const edited = Buffer.from(bytes);
      edited[edited.indexOf("damaged!")] = 0xff;
      return edited;
    });
    account.reach("2030-01-07T07:00:00Z");
    await run();
    expect(await lastRun(good)).toMatchObject({ status: "sent" });
    const due = identity.store.acrossAccounts.schedules.listDue(identity.time.clock.now(), 10);
    expect(await due).toEqual({ documents: [], unreadable: [] });
  });
});

describe("a schedule with a damaged field", () => {
  const fields = [
    ...[
      "name",
      "scope",
      "branding",
      "recipients",
      "from",
      "policy",
      "paused",
      "nextRunAt",
      "dueAt",
      "lastKey",
    ],
    ...[
      "work",
      "revision",
      "cadence",
      "weekday",
      "hour",
      "timeZone",
      "format",
      "sections",
      "locale",
      "workspaceId",
    ],
  ];
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, "", "x", 0, -1, 9e15, Number.NaN, true, [], {}, [1], { a: 1 }),
    fc.constantFrom<unknown>(new Date(0), { key: 1 }, { key: "k", attempts: "x" }),
  );

  it("mails a report at most once, and does not delay others", { timeout: 110_000 }, async () => {
    const own = { recipients: ["ada@client.example"] };
    const [spoilt, good] = [
      await account.create(own),
      await account.create({ recipients: ["bob@client.example"] }),
    ];
    const schedules = identity.db.collection<{ _id: string }>("reportSchedules");
    account.reach("2030-01-07T07:00:00Z");
    const before = await schedules.find({}).toArray();
    let damaged = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), value, async (field, to) => {
        await identity.db.collection("messages").deleteMany({});
        for (const document of before) await schedules.replaceOne({ _id: document._id }, document);
        await schedules.updateOne({ _id: spoilt }, { $set: { [field]: to } });
        // The wait ends within a day; no other report is due by then.
        for (let hour = 0; hour < 3; hour++) {
          await identity.runSchedules({ onDamaged: () => damaged++ });
          identity.time.pass(61 * 60_000);
        }
        const mailed = await recipients();
        expect(mailed.filter((one) => one === "bob@client.example")).toHaveLength(1);
        expect(mailed.length).toBeLessThanOrEqual(3);
        expect(mailed.filter((one) => one === "ada@client.example").length).toBeLessThanOrEqual(1);
        expect(await lastRun(good)).toMatchObject({ status: "sent" });
      }),
      { numRuns: repetitions(12, 30) },
    );
    expect(damaged).toBeGreaterThan(0);
  });

  it("is generated again if its time was invalid", async () => {
    const id = await account.create();
    const due = identity.db.collection<{ _id: string }>("reportSchedules");
    await due.updateOne({ _id: id }, { $set: { dueAt: "soon" } });
    account.reach("2030-01-07T07:00:00Z");
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "sent" });
  });
});

describe("several processes", () => {
  it("send a report once when they run at the same time", async () => {
    for (let n = 0; n < 3; n++) await account.create();
    account.reach("2030-01-07T07:00:00Z");
    await Promise.all([run(), run(), run()]);
    expect(await account.reports()).toHaveLength(3);
    expect(await account.mails()).toHaveLength(6);
  });

  it("process one schedule of each account before the next one of the same account", async () => {
    for (let n = 0; n < 3; n++) await account.create();
    const other = await openScheduleAccount(identity);
    await other.create();
    account.reach("2030-01-07T07:00:00Z");
    const order: string[] = [];
    const { forAccount } = identity.store;
    const asked = (id: string) => {
      if (order.at(-1) !== id) order.push(id);
      return forAccount(id);
    };
    await identity.runSchedules({ store: { ...identity.store, forAccount: asked } });
    expect(order.slice(0, 2).toSorted()).toEqual([account.accountId, other.accountId].toSorted());
  });

  it("that must end start no further report, and leave the running one to others immediately", async () => {
    const id = await account.create();
    account.reach("2030-01-07T07:00:00Z");
    const ending = new AbortController();
    const render = async () => {
      ending.abort();
      throw fault("internal.error");
    };
    const reports = { render, close: async () => undefined };
    await identity.runSchedules({ intel: { ...identity.intel, reports }, signal: ending.signal });
    await identity.runSchedules({ signal: ending.signal });
    expect(await lastRun(id)).toBeUndefined();
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "sent" });
  });

  it("that end five times during a report skip it, and continue with the next period", async () => {
    const id = await account.create();
    account.reach("2030-01-07T07:00:00Z");
    for (let n = 0; n < 5; n++) {
      // The second write would be the report's.
      const { db } = failingDb(identity.db, 2, "before", true);
      await identity.runSchedules({ store: createStore(db, testSealing) }).catch(() => undefined);
      expect((await account.find(id))?.underWay?.attempts).toBe(n + 1);
      account.pass(11);
    }
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "failed", code: "schedule.interrupted" });
    account.reach("2030-01-14T07:00:00Z");
    await run();
    expect(await lastRun(id)).toMatchObject({ status: "sent" });
  });

  it("that are late change nothing", async () => {
    const id = await account.create();
    account.reach("2030-01-07T07:00:00Z");
    let isLate = true;
    const render: typeof identity.intel.reports.render = async (request) => {
      // The first one is suspended for longer than its claim on the schedule.
      if (isLate) {
        isLate = false;
        account.pass(11);
        await run();
        return { kind: "failed", reason: "it stood still" };
      }
      return identity.intel.reports.render(request);
    };
    const reports = { ...identity.intel.reports, render };
    await identity.runSchedules({ intel: { ...identity.intel, reports } });
    expect(await lastRun(id)).toMatchObject({ status: "sent" });
    expect((await account.find(id))?.underWay).toBeUndefined();
    expect(await account.mails()).toHaveLength(2);
  });

  it.each(["before", "after"] as const)(
    "neither lose nor duplicate a mail when one ends %s any of its writes",
    async (when) => {
      let ends = 0;
      for (let nth = 1, isReached = true; isReached; nth++) {
        const own = await openScheduleAccount(identity);
        const id = await own.create();
        await own.ask(id);
        const failing = failingDb(identity.db, nth, when, true);
        await identity.runSchedules({ store: createStore(failing.db, testSealing) }).catch(() => undefined);
        isReached = failing.failed();
        if (isReached) ends++;
        own.pass(11);
        await run();
        expect([nth, (await own.find(id))?.lastRun?.status]).toEqual([nth, "sent"]);
        const mails = await own.mails();
        expect([nth, mails.map(({ recipient }) => recipient).sort()]).toEqual([
          ...[nth, ["boss@client.example", "it@client.example"]],
        ]);
        for (const mail of mails) expect((await own.bodyOf(mail)).attachments).toHaveLength(1);
        expect([nth, (await own.reports()).length]).toEqual([nth, 1]);
        expect((await own.find(id))?.lastRun?.messageIds.toSorted()).toEqual(mails.map(({ _id }) => _id));
      }
      expect(ends).toBeGreaterThan(10);
    },
  );
});
