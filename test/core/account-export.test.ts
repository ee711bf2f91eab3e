import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import { accountCollections, collections } from "../../src/store/collections/collections.ts";
import { startOf } from "../../src/store/counters/counter-documents.ts";
import { jobStepId } from "../../src/store/job-documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { AccountStore } from "../../src/store/store.ts";
import {
  ceilingDocument,
  endDocument,
  inhibitionToPut,
  NO_CHANGES,
  sourceDocument,
} from "../harness/alert-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { collectionsWith } from "../harness/everything-stored.ts";
import { targetDelivery, targetDocument } from "../harness/expected-deliveries.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { answered } from "../harness/logged-requests.ts";
import { anyParticipants, newOverride, onCallSettings } from "../harness/on-call.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { plantWatched } from "../harness/watched-domain.ts";

const LARGE = randomBytes(3_000_000);
const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const SMTP_PASSWORD = "correct horse of the smarthost";

// biome-ignore lint/suspicious/noExplicitAny: each test knows what stands in a line
type Line = any;

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "The operator's" });
  identity.time.pass(1_000);
});
afterAll(() => identity.close());

const stored = (name: string) => identity.db.collection(name);

interface Filled {
  readonly accountId: string;
  readonly token: string;
  readonly messages: readonly MessageDocument[];
  /** Text that no line may contain. */
  readonly secrets: readonly string[];
}

/** An account with data in every collection. */
async function filled(domain: string): Promise<Filled> {
  const { operator, frontEnd, store, time } = identity;
  const now = time.clock.now();
  // MongoDB removes expired documents once a minute.
  const expireAt = new Date(now.getTime() + 86_400_000);
  const { account } = await operator.accounts.createAccount({ name: `Account of ${domain}` });
  const accountId = account?.id ?? "";
  const own = store.forAccount(accountId);
  const { token, userId } = await identity.memberOf(accountId, "owner");
  await store.factors.beginTotp({ _id: userId, secret: TOTP_SECRET, createdAt: now });
  await operator.accounts.changeRetention({ accountId, messageDays: 20 });
  await operator.invitations.createInvitation({ accountId, email: `guest@${domain}`, role: "viewer" });
  const made = await operator.keys.createKey({ accountId, name: `key of ${domain}` });
  const smtp = await operator.keys.createKey({ accountId, name: `relay of ${domain}`, kind: "smtp" });
  const keyId = made.key?.id ?? "";
  for (const process of ["a", "b"]) {
    const uses = { accountId, keyId, day: "2026-11-22", http: 2, smtp: 1, grpc: 0, expireAt };
    await store.acrossAccounts.keys.countUses([{ _id: `${keyId}.2026-11-22.${process}`, ...uses }]);
  }
  await operator.senders.addSender({ accountId, value: domain });
  await own.senders.invite(
    { _id: `snd_${domain}`, kind: "address", value: `ada@${domain}` },
    { linkHash: hashSecret(`link of ${domain}`), linkExpiresAt: now, expireAt },
    testAudit,
  );
  await operator.domains.addDomain({ accountId, domain: `mail.${domain}` });
  for (const n of [1, 2, 3]) {
    await stored("domainEvents").insertOne({
      _id: `dev_${n}_${domain}` as never,
      accountId,
      domain: n === 3 ? `other.${domain}` : `mail.${domain}`,
      kind: "domain.status_changed",
      from: "unverified",
      to: "verified",
      reasons: [],
      at: now,
      expireAt,
    });
  }
  const server = { host: "smtp.example.com", port: 587 };
  const relay = {
    servers: [server],
    tls: "required",
    username: "shop",
    password: SMTP_PASSWORD,
    maxConnections: 5,
  };
  await operator.policies.putPolicy({
    accountId,
    policy: { name: "relay", transports: [{ kind: { case: "smtp", value: relay } }] },
  });
  await operator.policies.holdPolicyQueue({ accountId, name: "relay", reason: "The relay is down" });
  for (const text of ["first", "second"]) {
    const template = { name: "welcome", from: `shop@${domain}`, subject: "Hi", text: `${text} of ${domain}` };
    await operator.templates.putTemplate({ accountId, template });
  }
  await own.templates.edit(
    "welcome",
    () => ({ testData: '{"a":1}', dataSets: [{ name: "b", data: '{"b":2}' }] }),
    now,
    testAudit,
  );
  await operator.suppressions.addSuppression({ accountId, address: "bob@example.net", detail: "asked" });
  const request = {
    ...answered({
      accountId,
      at: timestampFromDate(now),
      keyId,
      method: "POST",
      route: `/${domain}`,
      status: 202,
      count: 1,
    }),
    messageIds: [newIdInBucket("msg", now, 3)],
  };
  await frontEnd.requests.recordRequests({ batchId: `batch ${domain}`, answered: [request, request] });
  const job = { kind: "test.none", params: {}, about: { action: "cancel" }, permission: "messages.write" };
  const jobId = `job_${domain}`;
  await own.jobs.begin({ ...job, _id: jobId, startedBy: testAudit.actor, createdAt: now }, 10, testAudit);
  const step = { _id: jobStepId(jobId, 0) as never, accountId, expireAt };
  const entries = ["msg_1", "msg_2"].map((item) => ({ item, outcome: "done" }));
  await stored("jobResults").insertOne({ ...step, jobId, entries, outcomes: ["done"] });
  await stored("jobItems").insertOne({ ...step, items: ["msg_3"] });
  await operator.erasures.beginErasure({ accountId, recipient: `gone@${domain}` });
  const at = startOf("day", now);
  await stored("counters").insertOne({
    _id: `${accountId}.day.${domain}` as never,
    accountId,
    step: "day",
    at,
    expireAt,
    total: { v: { accepted: 3 } },
    policy: { vrelay: { accepted: 3 }, o: { accepted: 1 } },
  });
  await stored("sendingDays").insertOne({
    _id: `${accountId}.2026-11-22.${domain}` as never,
    accountId,
    domain,
    day: "2026-11-22",
    expireAt,
    counts: { gmail: { delivered: 2 } },
  });
  await stored("webhookCounters").insertOne({
    _id: `wep_${domain}.day` as never,
    accountId,
    endpointId: `wep_${domain}`,
    step: "day",
    at,
    expireAt,
    counts: { "2xx": 1 },
    durations: { "39": 1 },
  });
  const settings = {
    url: `https://${domain}/hook`,
    headers: [{ name: "X-Key", value: `token of ${domain}` }],
  };
  const webhook = await operator.webhooks.createWebhook({ accountId, settings });
  await operator.webhooks.sendTestEvent({ accountId, id: webhook.webhook?.id ?? "" });
  await alerted(accountId, own);
  await plantWatched(store, { accountId, domain: `watched.${domain}`, now });
  const messages = await mail(accountId, domain);
  const user = await store.users.findById(userId);
  const keys = await own.keys.list({ limit: 10 });
  const domainKeys = await own.domainKeys.list(`mail.${domain}`);
  const invitations = await stored("invitations").find({ accountId }).toArray();
  return {
    accountId,
    token,
    messages,
    secrets: [
      ...[token, hashSecret(token), user?.passwordHash, TOTP_SECRET, SMTP_PASSWORD],
      ...[webhook.secret, `token of ${domain}`],
      ...[made.secret, smtp.secret, smtp.password, hashSecret(`link of ${domain}`)],
      ...keys.flatMap(({ hash, passwordHash }) => [hash, passwordHash]),
      ...invitations.map(({ hash }) => hash),
      ...domainKeys.flatMap(({ privateKey }) => privateKey.split("\n").filter((line) => line.length > 20)),
      identity.tokenTo(`guest@${domain}`),
    ].filter((text) => typeof text === "string" && text !== "") as string[],
  };
}

/**
 * Messages with bodies of all kinds: in one document, composed, in chunks, removed, damaged; and a copy in the
 * sandbox.
 */
async function mail(accountId: string, domain: string): Promise<readonly MessageDocument[]> {
  const { store, time } = identity;
  const now = time.clock.now();
  const expireAt = new Date(now.getTime() + 86_400_000);
  const one = (n: number, changes: Partial<MessageDocument> = {}): MessageDocument => {
    const _id = newIdInBucket("msg", new Date(now.getTime() - n * 1_000), 3);
    const contentId = `cnt_${n}_${domain}`;
    const common = { _id, bucket: 3, accountId, contentId, from: `shop@${domain}` };
    const { nextAttemptAt: _, ...message } = queuedMessage(now, {
      ...common,
      state: "delivered",
      subject: `Nr ${n} of ${domain} \u{1F600}`,
      ...changes,
    });
    return message;
  };
  const messages = [
    one(0, {
      metadata: { order: "1" },
      notDelivered: ["carl@example.net"],
      envelopeFrom: `bounce@${domain}`,
    }),
    ...Array.from({ length: 250 }, (_, n) => one(n + 1)),
  ];
  await store.acrossAccounts.messages.insertMany(messages);
  const body = (n: number, source: Buffer) => ({
    id: `cnt_${n}_${domain}`,
    accountId,
    body: { kind: "raw" as const, source },
    sizeBytes: source.length,
    createdAt: now,
    expireAt,
  });
  const content = {
    from: { address: `shop@${domain}` },
    to: [{ address: "bob@example.net" }],
    replyTo: [],
    subject: "Hi",
    text: `composed for ${domain}`,
    headers: [],
    attachments: [],
  };
  await store.acrossAccounts.contents.insertMany([
    body(0, Buffer.from(`To: bob@example.net\r\n\r\nof ${domain}`)),
    { ...body(1, Buffer.from("")), body: { kind: "composed", content } },
    body(2, LARGE),
    body(4, Buffer.concat([LARGE, LARGE])),
  ]);
  await stored("chunks").deleteMany({ _id: `cnt_4_${domain}.1` as never });
  await store.acrossAccounts.events.insertMissing(
    messages.map(({ _id, traceId }) => ({
      _id: `${_id}.1.delivered`,
      messageId: _id,
      accountId,
      traceId,
      kind: "delivered" as const,
      attempt: 1,
      at: now,
      expireAt,
      detail: `250 taken of ${domain}`,
    })),
  );
  const [first] = messages;
  await store.acrossAccounts.sandbox.insertMissing([
    {
      id: first?._id ?? "",
      accountId,
      traceId: "sx_1",
      envelopeFrom: `shop@${domain}`,
      envelopeTo: ["bob@example.net"],
      from: `shop@${domain}`,
      subject: "Hi",
      source: LARGE,
      capturedAt: now,
      expireAt,
    },
  ]);
  const aside = { _id: messages[1]?._id as never, bucket: 3, accountId, reason: "subject", at: now };
  await stored("quarantine").insertOne(aside);
  return messages;
}

async function exportOf({ accountId }: Pick<Filled, "accountId">, bodies = false): Promise<Line[]> {
  const parts: Uint8Array[] = [];
  for await (const { data } of identity.operator.accounts.exportAccount({ accountId, bodies }))
    parts.push(data);
  const text = Buffer.concat(parts).toString();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ofKind = (lines: readonly Line[], kind: string) => lines.filter((line) => line.kind === kind);

/** Data of all kinds that alerts create. */
async function alerted(accountId: string, own: AccountStore): Promise<void> {
  const { operator } = identity;
  await operator.rules.putRule({ accountId, settings: { name: "pager" } });
  const alert = { eventType: "e", severity: "info", source: "s", message: "m" };
  await operator.alerts.sendAlert({ accountId, alert });
  const endsAt = timestampFromDate(new Date(identity.time.clock.now().getTime() + 3_600_000));
  await operator.silences.createSilence({ accountId, comment: "quiet", endsAt, confirm: true });
  const settings = { name: "backup", periodSeconds: 3_600 };
  const { token } = await operator.heartbeats.createHeartbeat({ accountId, settings });
  await operator.heartbeats.pingHeartbeat({ token });
  await own.alertRules.putInhibition(inhibitionToPut, testAudit);
  const { schedule } = await own.oncalls.put(onCallSettings, testAudit, anyParticipants);
  await own.oncalls.addOverrides(schedule._id, [newOverride(identity.time.clock.now())], testAudit);
  await own.targets.add(targetDocument({ _id: `atg_${accountId}`, accountId }), testAudit);
  await own.targetDeliveries.add([targetDelivery({ endpointId: `atg_${accountId}` })]);
  const left = { ...NO_CHANGES, ceilings: [ceilingDocument({ _id: `rul_1.${accountId}`, accountId })] };
  const source = { ...sourceDocument(accountId), _id: `n.${accountId}` };
  const failing = { _id: accountId as never, accountId, count: 1, tellAt: new Date(), waiting: true };
  await identity.db.collection("undeliveredAlerts").insertOne(failing);
  await own.incidents.work((work) =>
    work.write({ ...left, sources: [source], ends: [endDocument(accountId)] }, [], new Date()),
  );
}

describe("the export of an account", () => {
  let own: Filled;
  let other: Filled;
  let lines: Line[];
  beforeAll(async () => {
    own = await filled("own.example");
    other = await filled("other.example");
    // Earlier events are in the event log; later ones are not yet.
    await identity.store.acrossAccounts.eventLog.place();
    for (const { accountId } of [own, other])
      await identity.operator.alerts.sendAlert({
        accountId,
        alert: { eventType: "e", severity: "info", source: "s", message: "m" },
      });
    await identity.store.acrossAccounts.search.compact(
      identity.time.clock.now(),
      new AbortController().signal,
    );
    lines = await exportOf(own, true);
  });

  it("contains documents of every account collection that no manifest excludes", async () => {
    const kinds = new Set(lines.map(({ kind }) => kind));
    for (const name of accountCollections) {
      const manifest = collections[name];
      if ("export" in manifest && "within" in manifest.export)
        expect(kinds, name).toContain(manifest.export.within);
    }
    // Collections of users: identities, sign-in data and invitations.
    const ofPeople = ["users", "sessions", "signInFailures"];
    // Results of blacklists are shared by all accounts that watch a domain.
    const ofNobody = ["blacklistStates"];
    const found = await collectionsWith(identity.db, own.accountId, "own.example");
    const known: readonly string[] = accountCollections;
    expect(found.filter((name) => ![...known, ...ofPeople, ...ofNobody].includes(name))).toEqual([]);
    // A new collection with account data must have data for the account of this test.
    const inChunks = ["chunks", "searchBatches", "searchDays", "searchChunks"];
    expect(known.filter((name) => !found.includes(name) && !inChunks.includes(name))).toEqual([]);
  });

  it("begins with the account and ends with the number of lines of each kind", () => {
    expect(lines[0]).toMatchObject({
      kind: "account",
      format: 1,
      exported_at: identity.time.clock.now().toISOString(),
      id: own.accountId,
      name: "Account of own.example",
      bodies: true,
      retention: { message_days: { kept: 20, most: 60, own: true } },
    });
    const { kind, counts } = lines.at(-1);
    expect(kind).toBe("end");
    expect(counts).toEqual({
      member: 1,
      invitation: 1,
      key: 2,
      sender: 2,
      domain: 1,
      domain_event: 3,
      webhook: 1,
      alert_rule: 1,
      silence: 1,
      heartbeat: 1,
      inhibition: 1,
      on_call_schedule: 1,
      on_call_override: 1,
      alert_target: 1,
      incident: 1,
      alert: 2,
      policy: 2,
      policy_hold: 1,
      template: 1,
      template_version: 2,
      suppression: 1,
      message: 251,
      captured_message: 1,
      quarantined_message: 1,
      request: 2,
      job: 1,
      job_result: 2,
      erasure: 1,
      counter: 1,
      workspace: 1,
      client: 1,
      watched_domain: 1,
      watch_change: 1,
      report: 1,
      report_link: 1,
      report_label: 1,
      sending_day: 1,
      dmarc_source: 1,
      tls_result: 1,
      aggregate_report: 2,
      report_inbox: 1,
      schedule: 1,
      audit_entry: expect.any(Number),
    });
    for (const [name, count] of Object.entries(counts))
      expect([name, ofKind(lines, name).length]).toEqual([name, count]);
  });

  it("contains the fields that sessions see", () => {
    const { accountId } = own;
    const [first] = own.messages;
    expect(lines.find(({ id }) => id === first?._id)).toMatchObject({
      kind: "message",
      account_id: accountId,
      state: "delivered",
      subject: "Nr 0 of own.example \u{1F600}",
      metadata: { order: "1" },
      envelope_from: "bounce@own.example",
      not_delivered: ["carl@example.net"],
      timeline: [{ kind: "accepted" }, { kind: "delivered", detail: "250 taken of own.example" }],
    });
    expect(ofKind(lines, "message").map(({ id }) => id)).toEqual(own.messages.map(({ _id }) => _id));
    const keys = ofKind(lines, "key").toSorted((a, b) => (a.type < b.type ? -1 : 1));
    expect(keys.map(({ type, name }) => [type, name])).toEqual([
      ["account", "key of own.example"],
      ["smtp", "relay of own.example"],
    ]);
    expect(keys[0].uses).toEqual([{ day: "2026-11-22", http: 4, smtp: 2, grpc: 0 }]);
    expect(
      ofKind(lines, "template_version").map(({ version, template }) => [version, template.text]),
    ).toEqual([
      [1, "first of own.example"],
      [2, "second of own.example"],
    ]);
    expect(ofKind(lines, "template")).toMatchObject([
      {
        name: "welcome",
        deleted: false,
        test_data_json: '{"a":1}',
        data_sets: [{ name: "b", data_json: '{"b":2}' }],
      },
    ]);
    const [domain] = ofKind(lines, "domain");
    expect(domain).toMatchObject({ name: "mail.own.example", status: "unverified" });
    expect(domain.keys).toHaveLength(2);
    expect(ofKind(lines, "domain_event").map(({ domain: name }) => name)).toEqual([
      "mail.own.example",
      "mail.own.example",
      "other.own.example",
    ]);
    expect(ofKind(lines, "policy").find(({ name }) => name === "relay")).toMatchObject({
      transports: [{ smtp: { username: "shop", servers: [{ host: "smtp.example.com", port: 587 }] } }],
    });
    expect(ofKind(lines, "counter")[0].counted).toEqual([
      { dimension: "total", value: "", counts: { accepted: 3 } },
      { dimension: "policy", value: "relay", counts: { accepted: 3 } },
      { dimension: "policy", value: null, counts: { accepted: 1 } },
    ]);
    const [watched] = ofKind(lines, "watched_domain");
    expect(ofKind(lines, "workspace")).toMatchObject([{ name: "Default" }]);
    expect(ofKind(lines, "client")).toMatchObject([{ external_ref: "ref of watched.own.example" }]);
    expect(watched).toMatchObject({
      name: "watched.own.example",
      status: "critical",
      score: 40,
      checks: expect.arrayContaining([
        expect.objectContaining({ id: "auth.spf.exists", observed: "nothing at watched.own.example" }),
      ]),
      history: [{ score: 40 }],
    });
    expect(ofKind(lines, "watch_change")).toMatchObject([{ domain_id: watched.id, type: "finding.opened" }]);
    expect(ofKind(lines, "report")).toMatchObject([{ report: { about: "watched.own.example" } }]);
    expect(ofKind(lines, "dmarc_source")).toMatchObject([{ domain_id: watched.id, messages: 3 }]);
    expect(ofKind(lines, "tls_result")).toMatchObject([{ domain_id: watched.id, sessions: 7 }]);
    expect(ofKind(lines, "job_result").map(({ job_id, item }) => [job_id, item])).toEqual([
      ["job_own.example", "msg_1"],
      ["job_own.example", "msg_2"],
    ]);
  });

  it("contains existing, undamaged bodies, if they are requested", async () => {
    const ofNumber = (n: number) =>
      lines.find(({ kind, id }) => kind === "message" && id === own.messages[n]?._id);
    const bodyOf = (line: Line) => Buffer.from(line.body, "base64");
    expect(bodyOf(ofNumber(0)).toString()).toBe("To: bob@example.net\r\n\r\nof own.example");
    expect(bodyOf(ofNumber(1)).toString()).toContain("composed for own.example");
    expect(bodyOf(ofNumber(2)).equals(LARGE)).toBe(true);
    expect(ofNumber(3)).not.toHaveProperty("body");
    expect(ofNumber(4)).toMatchObject({ body_unreadable: "chunk 2 of 6 is missing" });
    expect(bodyOf(ofKind(lines, "captured_message")[0]).equals(LARGE)).toBe(true);
    const without = await exportOf(own);
    expect(without.filter((line) => "body" in line || "body_unreadable" in line)).toEqual([]);
  });

  it("contains nothing of another account", async () => {
    const text = JSON.stringify(lines);
    for (const foreign of [other.accountId, "other.example"].filter((one) => text.includes(one)))
      expect(lines.filter((line) => JSON.stringify(line).includes(foreign))).toEqual([]);
    const others = JSON.stringify(await exportOf(other, true));
    expect(others).toContain("of other.example");
    expect(others).not.toContain("own.example");
  });

  it("contains no secret", () => {
    expect(own.secrets.length).toBeGreaterThan(15);
    const texts = lines.map((line) => ({ line, text: JSON.stringify(line) }));
    for (const secret of own.secrets) {
      const sealed = Buffer.from(secret).toString("base64");
      const shown = texts.filter(({ text }) => text.includes(secret) || text.includes(sealed));
      expect(shown.map(({ line }) => line)).toEqual([]);
    }
    expect(JSON.stringify(lines)).not.toMatch(/PRIVATE KEY|argon2|sealedWith/);
  });

  it("is recorded in the audit log of the account", async () => {
    const { entries } = await identity.operator.audits.listEntries({
      accountId: own.accountId,
      filter: { action: "account.export" },
    });
    expect(entries[0]).toMatchObject({
      outcome: "read",
      target: { kind: "account", id: own.accountId, name: "Account of own.example" },
    });
  });

  it("requires an owner, and a factor that was just verified", async () => {
    const read = async (session: string) => {
      for await (const _ of identity.as({ session }).accounts.exportAccount({})) return "begun";
      return "empty";
    };
    expect(await read(own.token)).toBe("begun");
    for (const role of ["admin", "developer", "support", "viewer"] as const) {
      const { token } = await identity.memberOf(own.accountId, role);
      await expect(read(token)).rejects.toMatchObject({ code: "auth.permission_missing" });
    }
    identity.time.pass(11 * 60_000);
    await expect(read(own.token)).rejects.toMatchObject({ code: "auth.reauthentication_required" });
  });
});

describe("an export of an account that", () => {
  let accountId: string;
  beforeEach(async () => {
    accountId = await identity.openAccount();
    const now = identity.time.clock.now();
    const documents = Array.from({ length: 300 }, (_one, n) => {
      const at = new Date(now.getTime() - n);
      const { nextAttemptAt: _, ...message } = queuedMessage(at, {
        _id: newIdInBucket("msg", at, 1),
        bucket: 1,
        accountId,
        state: "delivered",
        subject: "x".repeat(900),
      });
      return message;
    });
    await identity.store.acrossAccounts.messages.insertMany(documents);
  });

  it("with damaged documents reports them, and contains all others", async () => {
    const [first, second] = await stored("messages").find({ accountId }).sort({ _id: 1 }).limit(2).toArray();
    await stored("messages").updateOne({ _id: first?._id as never }, { $set: { recipient: 7 } });
    await stored("messages").updateOne({ _id: second?._id as never }, { $set: { resentFrom: 7 } });
    const lines = await exportOf({ accountId });
    expect(ofKind(lines, "unreadable")).toEqual([
      {
        kind: "unreadable",
        collection: "messages",
        id: second?._id,
        reason: "it is malformed",
      },
      {
        kind: "unreadable",
        collection: "messages",
        id: first?._id,
        reason: "recipient: it is of the type number",
      },
    ]);
    expect(lines.at(-1).counts).toMatchObject({ message: 298, unreadable: 2 });
  });

  it("that is deleted during the export has no end line", async () => {
    const exporting = async () => {
      let isBegun = false;
      for await (const _ of identity.operator.accounts.exportAccount({ accountId })) {
        if (!isBegun) await identity.operator.accounts.deleteAccount({ accountId });
        isBegun = true;
      }
    };
    await expect(exporting()).rejects.toMatchObject({ code: "account.unknown" });
  });

  it("that already has two exports is asked to wait", async () => {
    const begun = [1, 2].map(() =>
      identity.operator.accounts.exportAccount({ accountId })[Symbol.asyncIterator](),
    );
    for (const one of begun) await one.next();
    const third = identity.operator.accounts.exportAccount({ accountId })[Symbol.asyncIterator]();
    await expect(third.next()).rejects.toMatchObject({ code: "service.busy" });
    for (const one of begun) await one.return?.();
  });

  it("that does not exist is unknown", async () => {
    await expect(exportOf({ accountId: "acc_none" })).rejects.toMatchObject({ code: "account.unknown" });
  });
});
