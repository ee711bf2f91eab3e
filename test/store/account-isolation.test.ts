import { inspect } from "node:util";
import type { CommandStartedEvent, Document } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phrase } from "../../src/shared/phrase.ts";
import type { WalkedCollection } from "../../src/store/collections/collections.ts";
import {
  type CounterDocument,
  counterId,
  countersOf,
  startOf,
} from "../../src/store/counters/counter-documents.ts";
import type { SendingDayDocument } from "../../src/store/counters/sending-days.ts";
import { newDomain } from "../../src/store/domain-store.ts";
import type { MemberChange } from "../../src/store/member-store.ts";
import type {
  EventDocument,
  MessageDocument,
  QuarantineDocument,
} from "../../src/store/message-documents.ts";
import { type AccountStore, createStore, type Store } from "../../src/store/store.ts";
import type { TemplateState } from "../../src/store/template-store.ts";
import type { WebhookCounterDocument } from "../../src/store/webhook-counters.ts";
import {
  alertDocument,
  ceilingDocument,
  endDocument,
  firingDocument,
  incidentDocument,
  inhibitionToPut,
  NO_CHANGES,
  ruleSettings,
  silenceToAdd,
  sourceDocument,
} from "../harness/alert-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { bulkOperations } from "../harness/bulk-writes.ts";
import {
  deliveryDocument,
  endpointDocument,
  targetDelivery,
  targetDocument,
} from "../harness/expected-deliveries.ts";
import { heartbeatDocument, heartbeatPing } from "../harness/heartbeat-documents.ts";
import { anyParticipants, newOverride, onCallSettings } from "../harness/on-call.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { askedWork, scheduleSettings } from "../harness/schedules.ts";
import { testSealing } from "../harness/sealing.ts";
import { functionsIn, walked } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import {
  believedReports,
  clientSettings,
  newWatch,
  plantWatched,
  refusalAt,
  reportOf,
  SUBJECT,
} from "../harness/watched-domain.ts";

const [OWNER, STRANGER] = ["acc_owner", "acc_stranger"];
const now = new Date();
const later = new Date(now.getTime() + 3_600_000);
const far = new Date(now.getTime() + 24 * 3_600_000);
const page = { limit: 100 };

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

/** The owner's resources, as far as others could name them. */
const message = (n: number, changes: Partial<MessageDocument>) =>
  queuedMessage(now, { _id: `msg_${n}`, traceId: `sx_${n}`, accountId: OWNER, ...changes });
const waiting = message(1, { nextAttemptAt: far, idempotencyKey: "once", fingerprint: "f" });
const delivered = message(2, { state: "delivered" });
const withdrawn = message(3, { cancelRequestedAt: now });
const damaged = message(4, {});
const deferred = message(5, { state: "deferred", attempts: 1, nextAttemptAt: far });
const event: EventDocument = {
  _id: `${waiting._id}.1.deferred`,
  messageId: waiting._id,
  accountId: OWNER,
  traceId: waiting.traceId,
  kind: "deferred",
  attempt: 1,
  at: now,
  expireAt: far,
};
const aside: QuarantineDocument = {
  _id: damaged._id,
  bucket: damaged.bucket,
  accountId: OWNER,
  reason: "subject",
  at: now,
};
const key = {
  _id: "key_1",
  name: "shop",
  kind: "account",
  prefix: "hm_live_1",
  hash: "hash",
  scopeMode: "full",
  scopes: [],
  senders: [],
  allowedAddresses: [],
  createdAt: now,
  expiresAt: far,
} as const;
const readKey = { id: key._id, name: key.name };
const sender = { _id: "snd_1", kind: "address", value: "ada@example.com", verifiedAt: now } as const;
const domainKey = {
  domain: "example.com",
  selector: "hm1r",
  algorithm: "rsa-sha256",
  privateKey: "secret",
  signsFrom: now,
  createdAt: now,
} as const;
const domain = newDomain("example.com", now);
const policy = { name: "relay", default: true, transports: [{ kind: "sandbox" }], updatedAt: now } as const;
const named = (content: typeof policy) => ({ ...content, _id: "", accountId: "" });
/** A rule and an inhibition of the owner, as far as their versions need them. */
const dated = { _id: "", accountId: "", createdAt: now, updatedAt: now };
const namedRule = { ...dated, name: ruleSettings.name, version: 1, settings: ruleSettings };
const namedInhibition = { ...dated, ...inhibitionToPut };
const namedOnCall = { ...dated, name: onCallSettings.name, settings: onCallSettings, edits: 1 };
const template = {
  name: "welcome",
  definition: { name: "welcome", subject: "Hi", variables: [] },
  createdAt: now,
};
const domainEvent = {
  _id: "dev_1",
  accountId: OWNER,
  domain: "example.com",
  kind: "domain.status_changed",
  from: "unverified",
  to: "verified",
  reasons: [],
  at: now,
  expireAt: far,
} as const;
const requests = {
  _id: "req_1",
  accountId: OWNER,
  entries: [{ at: now, keyId: key._id, method: "POST", route: "/v1/email/send", status: 202 }] as never,
  marks: [`key ${key._id}`],
  expireAt: far,
};
const endpoint = endpointDocument({ _id: "wep_1", accountId: OWNER });
const target = targetDocument({ _id: "atg_1", accountId: OWNER });
const delivery = deliveryDocument({ accountId: OWNER, messageId: "msg_told" });
const waitingDelivery = {
  ...delivery,
  _id: "wep_1.msg_told.1.waits",
  state: "pending",
  dueAt: later,
} as const;
const job = {
  _id: "job_1",
  kind: "test.count",
  params: {},
  about: {},
  permission: "messages.write",
  startedBy: testAudit.actor,
  createdAt: now,
};
const jobEnd = { finishedAt: now, cancelRequestedAt: now, expireAt: far };
const erasure = {
  _id: "era_1",
  address: "bob@example.net",
  salt: "salt",
  addressHash: "hash",
  keepSuppressed: false,
  requestedAt: now,
  requestedBy: testAudit.actor,
  removed: {},
  waiting: 0,
  heldUntil: now,
};
const user = { _id: "usr_1", email: "ada@example.com", passwordHash: "p", createdAt: now };
const openSession = {
  _id: "ses_1",
  hash: "h1",
  userId: user._id,
  email: user.email,
  accountId: OWNER,
  createdAt: now,
  seenAt: now,
  authenticatedAt: now,
  clientAddress: "192.0.2.1",
  clientAgent: "",
  endsAt: far,
  expireAt: far,
};
const member = { role: "owner", createdAt: now } as const;
const invitation = {
  _id: "inv_1",
  email: "carl@example.com",
  role: "viewer",
  hash: "hash",
  createdAt: now,
  expireAt: far,
} as const;
const suppression = {
  addressKey: "bob@example.net",
  address: "bob@example.net",
  reason: "manual",
  createdAt: now,
} as const;

const hour = startOf("hour", now);
const counted: CounterDocument = {
  _id: counterId(OWNER, "hour", hour),
  accountId: OWNER,
  step: "hour",
  at: hour,
  expireAt: far,
  total: { v: { delivered: 1 } },
  latency_total: { v: { 12: 1 } },
};

const sendingDay: SendingDayDocument = {
  _id: "sending_1",
  accountId: OWNER,
  domain: "example.com",
  day: "2026-11-22",
  expireAt: far,
  counts: { gmail: { delivered: 1 } },
};

const attempts: WebhookCounterDocument = {
  _id: "wep_1.day.2026-11-22",
  accountId: OWNER,
  endpointId: endpoint._id,
  step: "day",
  at: new Date("2026-11-22"),
  counts: { "2xx": 1 },
  durations: { "39": 1 },
  expireAt: far,
};

const silence = { ...silenceToAdd, _id: "sil_own" };
const heartbeat = heartbeatDocument({ _id: "hbt_own", accountId: OWNER, tokenHash: "own" });
const ping = heartbeatPing({ heartbeatId: heartbeat._id, expireAt: far });
const alert = alertDocument({
  _id: "alr_own",
  accountId: OWNER,
  idempotencyKey: "alerted",
  requestFingerprint: "f",
});
const incident = incidentDocument({ _id: "inc_own", accountId: OWNER });
const firing = { ...firingDocument(OWNER), _id: "inc_own.f", incidentId: incident._id };
const limit = ceilingDocument({ _id: "rul_own.o", accountId: OWNER });
const inhibiting = { ...sourceDocument(OWNER), _id: "n.own" };
const end = endDocument(OWNER);
const incidentKey = { ruleId: incident.ruleId, groupKey: incident.groupKey };

/** Ids of the owner's on-call schedule and of its override. */
let onCall: { readonly scheduleId: string; readonly overrideId: string };
/** The owner's watched domain. */
let watched: Awaited<ReturnType<typeof plantWatched>>;
const days = { first: "2000-01-01", last: "2100-01-01" };
const scheduleOf = (id: string) => ({ ...scheduleSettings, scope: { type: "workspace", id } as const });
const settingsOf = (name: string) => ({ ...clientSettings, name });

async function plant(): Promise<void> {
  const { acrossAccounts: all } = store;
  const owner = store.forAccount(OWNER);
  await owner.alertRules.put(ruleSettings, testAudit);
  await owner.alertRules.addSilence(silence, testAudit);
  await owner.alertRules.putInhibition(inhibitionToPut, testAudit);
  await owner.heartbeats.add(heartbeat, testAudit);
  await owner.heartbeats.notePing(ping);
  const entry = { _id: "inc_own.000001", accountId: OWNER, incidentId: incident._id, at: now, expireAt: far };
  const planted = {
    ...NO_CHANGES,
    firings: [firing],
    ceilings: [limit],
    sources: [inhibiting],
    ends: [end],
    incidents: [{ before: undefined, after: incident }],
    history: [{ ...entry, kind: "opened", detail: "" } as const],
  };
  await owner.incidents.work((work) => work.write(planted, [alert], now));
  watched = await plantWatched(store, { accountId: OWNER, domain: "watched.example", now });
  await owner.watches.mute(watched.domainId, { checkId: "auth.spf.exists", until: far }, testAudit);
  await owner.members.add(user, member, testAudit);
  await owner.members.add({ ...user, _id: "usr_2", email: "bob@example.com" }, member, testAudit);
  const { schedule } = await owner.oncalls.put(onCallSettings, testAudit, anyParticipants);
  const [override] = (await owner.oncalls.addOverrides(schedule._id, [newOverride(now)], testAudit)) ?? [];
  onCall = { scheduleId: schedule._id, overrideId: override?._id ?? "" };
  await store.sessions.insert(openSession, testAudit);
  await owner.invitations.insert(invitation, now, testAudit);
  await owner.keys.insert(key, testAudit);
  const uses = { keyId: key._id, day: "2026-11-22", http: 1, smtp: 0, grpc: 0, expireAt: far };
  await all.keys.countUses([{ _id: "uses_1", accountId: OWNER, ...uses }]);
  await all.requests.insertMissing([requests]);
  await countersOf(opened.db).insertOne(counted);
  await opened.db.collection<SendingDayDocument>("sendingDays").insertOne(sendingDay);
  await owner.webhooks.add(endpoint, testAudit);
  await owner.targets.add(target, testAudit);
  await owner.targetDeliveries.add([targetDelivery({ endpointId: target._id })]);
  await owner.webhookDeliveries.add(delivery);
  await owner.webhookDeliveries.add(waitingDelivery);
  await all.webhookDeliveries.setFailing(endpoint, { since: now, at: now }, now);
  await opened.db.collection<WebhookCounterDocument>("webhookCounters").insertOne(attempts);
  await owner.jobs.begin(job, 10, testAudit);
  const taken = await all.jobs.take({ kinds: [job.kind], holder: "process", leaseMs: 10_000, now });
  const results = { _id: "job_1.0", accountId: OWNER, jobId: job._id, entries: [], expireAt: far };
  if (taken) await all.jobs.save(taken, { set: { place: 1 }, results: { ...results, outcomes: ["done"] } });
  await owner.erasures.begin(erasure, testAudit);
  await owner.retentions.change({ contentDays: 7 }, now, testAudit);
  await owner.senders.add(sender, testAudit);
  await owner.domainKeys.insertMany([domainKey], testAudit);
  await owner.domains.add(domain, testAudit);
  await owner.domains.change(domain.name, (known) => ({ domain: known, event: domainEvent }));
  await owner.policies.replace(policy.name, () => policy, testAudit);
  await owner.policyHolds.add({ policy: policy.name, reason: "down" }, testAudit);
  await owner.templates.publish(template, testAudit);
  await owner.templates.edit(template.name, () => ({ draft: template.definition }), now, testAudit);
  const { notify } = ruleSettings;
  await owner.alertRules.put(
    { ...ruleSettings, name: "letters", ...(notify && { notify: { ...notify, template: template.name } }) },
    testAudit,
  );
  const { nextAttemptAt: _, ...outOfQueue } = withdrawn;
  await all.messages.insertMany([waiting, delivered, damaged, deferred, outOfQueue]);
  await all.events.insertMissing([event]);
  await all.quarantine.add(aside);
  await all.contents.insertMany([
    {
      id: delivered.contentId,
      accountId: OWNER,
      body: { kind: "raw", source: Buffer.from(OWNER) },
      sizeBytes: OWNER.length,
      createdAt: now,
      expireAt: far,
    },
  ]);
  await owner.suppressions.add(suppression, testAudit);
  const { _id: id, traceId, from, subject } = delivered;
  const envelope = { envelopeFrom: "", envelopeTo: [], source: Buffer.from("") };
  await all.sandbox.insertMissing([
    { ...envelope, id, accountId: OWNER, traceId, from, subject, capturedAt: now, expireAt: far },
  ]);
  const large = { $set: { chunkCount: 1 }, $unset: { source: "" } };
  await opened.db.collection("sandboxMessages").updateOne({ accountId: OWNER }, large);
  await opened.db
    .collection("chunks")
    .insertOne({ _id: `${id}.0` as never, data: Buffer.from("x"), expireAt: far });
}

type Contents = ReadonlyMap<string, Document[]>;

/** All documents of these collections; undefined: of all collections. */
async function documentsOf(collections?: ReadonlySet<string>): Promise<Contents> {
  const present = (await opened.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const names = present.filter((name) => !collections || collections.has(name)).sort();
  const found = names.map(async (name) => {
    const documents = await opened.db.collection(name).find().sort({ _id: 1 }).toArray();
    return [name, documents] as const;
  });
  return new Map(await Promise.all(found));
}

/** The owner's documents. */
function possessions(contents: Contents): Document[] {
  // No account can query the journal, or the number of its entries.
  const owned = [...contents].filter(([name]) => !name.startsWith("journal") && name !== "installation");
  return owned
    .flatMap(([, documents]) => documents)
    .filter((one) => one.accountId === OWNER || !("accountId" in one));
}

const textOf = (value: unknown) => inspect(value, { depth: 10 });

/** Restores the former documents of these collections. */
async function restore(contents: Contents, collections: ReadonlySet<string>): Promise<void> {
  for (const [name] of await documentsOf(collections)) {
    const former = contents.get(name) ?? [];
    await opened.db.collection(name).deleteMany({});
    if (former.length > 0) await opened.db.collection(name).insertMany(former);
  }
}

const READS = new Set(["find", "getMore", "aggregate", "count", "distinct", "killCursors", "endSessions"]);
const OF_TRANSACTIONS = new Set(["commitTransaction", "abortTransaction"]);
const WRITES = new Set(["insert", "update", "delete", "findAndModify"]);

/** The collections that commands write to. @throws for an unknown command */
function writtenBy(commands: readonly CommandStartedEvent[]): ReadonlySet<string> {
  const names = commands.flatMap((event) => {
    const { commandName, command } = event;
    if (READS.has(commandName) || OF_TRANSACTIONS.has(commandName)) return [];
    if (WRITES.has(commandName)) return [String(command[commandName])];
    const operations = bulkOperations(event);
    if (operations.length === 0)
      throw new Error(`Does ${commandName} write, and where? Say so in this test.`);
    return operations.map(({ collection }) => collection);
  });
  return new Set(names);
}

/** Each function of an account, called with the ids and names of the owner's resources. */
const calls: Readonly<Record<string, (account: AccountStore) => Promise<unknown>>> = {
  "audit.add": ({ audit }) => audit.add(testAudit, { target: { kind: "key", ...readKey }, outcome: "read" }),
  "audit.list": ({ audit }) => audit.list({ ...page, targetId: key._id }),
  "members.add": async ({ members }) => {
    const { joined } = await members.add(user, member, testAudit);
    return [joined, await members.find(user._id)];
  },
  "members.find": ({ members }) => members.find(user._id),
  "members.findAmong": ({ members }) => members.findAmong([user._id]),
  "members.list": ({ members }) => members.list(page),
  "members.countOwners": async ({ members }) => (await members.countOwners()) > 0,
  "members.touch": ({ members }) => members.touch("usr_2", now),
  "members.openSessions": async ({ members }) => (await members.openSessions([user._id], now)).size > 0,
  "members.signOut": ({ members }) => members.signOut("usr_2", testAudit),
  "members.changeRole": async ({ members }) =>
    changed(await members.changeRole("usr_2", "viewer", testAudit)),
  "members.remove": async ({ members }) => changed(await members.remove("usr_2", testAudit)),
  "invitations.insert": ({ invitations }) =>
    invitations.insert(
      { ...invitation, _id: "inv_2", email: "dora@example.com", hash: "another" },
      now,
      testAudit,
    ),
  "invitations.list": ({ invitations }) => invitations.list(page, now),
  "invitations.hasMany": ({ invitations }) => invitations.hasMany(1),
  "invitations.find": ({ invitations }) => invitations.find(invitation._id),
  "invitations.renew": ({ invitations }) =>
    invitations.renew(invitation._id, { hash: "renewed", expireAt: later }, testAudit),
  "invitations.remove": ({ invitations }) => invitations.remove(invitation._id, testAudit),
  "keys.insert": ({ keys }) => keys.insert({ ...key, _id: "key_2", hash: "another" }, testAudit),
  "keys.list": ({ keys }) => keys.list(page),
  "keys.find": async ({ keys }) => (await keys.find(key._id)) ?? (await keys.find(key.prefix)),
  "keys.usesSince": ({ keys }) => keys.usesSince(key._id, "2000-01-01"),
  "attention.failingEndpoints": async ({ attention }) => (await attention.failingEndpoints()).length > 0,
  "attention.expiringKeys": async ({ attention }) => (await attention.expiringKeys(now, far, 5)).count > 0,
  "start.read": async ({ start }) => Object.values(await start.read()).some((at) => at !== undefined),
  "counters.read": async ({ counters }) =>
    (await counters.read({ step: "hour", from: counted.at, until: later, dimension: "total" })).length > 0,
  "counters.readLatencies": async ({ counters }) =>
    (await counters.readLatencies({ step: "hour", from: counted.at, until: later, dimension: "total" }))
      .length > 0,
  "waiting.count": async ({ waiting }) => (await waiting.count()).waiting > 0,
  "waiting.countByDestination": async ({ waiting }) =>
    (await waiting.countByDestination(() => false)).destinations.length > 0,
  "waiting.countOfPolicy": async ({ waiting: counts }) =>
    (await counts.countOfPolicy(waiting.policy)).waiting > 0,
  "waiting.countOfPolicyByDestination": async ({ waiting: counts }) =>
    (await counts.countOfPolicyByDestination(waiting.policy, () => false)).destinations.length > 0,
  "sendingDays.read": ({ sendingDays }) => sendingDays.read(sendingDay.domain, sendingDay.day),
  "requests.list": async ({ requests: log }) => [
    await log.list(page),
    await log.list({ ...page, mark: `key ${key._id}`, upTo: requests._id }),
  ],
  "requests.find": ({ requests: log }) => log.find(requests._id),
  "requestCounters.read": ({ requestCounters }) =>
    requestCounters.read({ step: "day", from: new Date(0), until: far }),
  "alertCounters.read": ({ alertCounters }) =>
    alertCounters.read({ step: "day", from: new Date(0), until: far }),
  "alertCounters.since": async ({ alertCounters }) => (await alertCounters.since("day")) !== undefined,
  "alertRules.revision": async ({ alertRules }) => (await alertRules.revision()) > 0,
  "alertRules.ruleSet": async ({ alertRules }) =>
    Object.values(await alertRules.ruleSet(now))
      .flat()
      .slice(1),
  "alertRules.put": ({ alertRules }) =>
    alertRules.put({ ...ruleSettings, description: "mine" }, testAudit).then(() => undefined),
  "alertRules.find": ({ alertRules }) => alertRules.find(ruleSettings.name),
  "alertRules.list": ({ alertRules }) => alertRules.list(page),
  "alertRules.ruleVersions": async ({ alertRules }) => {
    const versions = await opened.db.collection("alertRuleVersions").find({ accountId: OWNER }).toArray();
    return alertRules.ruleVersions(
      versions.map(({ ruleId, version }) => ({ ruleId: String(ruleId), ruleVersion: Number(version) })),
    );
  },
  "alertRules.versionsAt": ({ alertRules }) => alertRules.versionsAt(1),
  "alertRules.remove": ({ alertRules }) => alertRules.remove(ruleSettings.name, testAudit),
  "alertRules.addSilence": ({ alertRules }) =>
    alertRules.addSilence({ ...silenceToAdd, _id: "sil_2" }, testAudit).then(() => undefined),
  "alertRules.listSilences": ({ alertRules }) => alertRules.listSilences(page),
  "alertRules.findSilence": ({ alertRules }) => alertRules.findSilence(silence._id),
  "alertRules.changeSilence": ({ alertRules }) =>
    alertRules.changeSilence(silence._id, (before) => ({ ...before, comment: "mine" }), testAudit),
  "alertRules.endSilence": ({ alertRules }) => alertRules.endSilence(silence._id, testAudit),
  "heartbeats.find": ({ heartbeats }) => heartbeats.find(heartbeat._id),
  "heartbeats.list": ({ heartbeats }) => heartbeats.list(page),
  "heartbeats.add": ({ heartbeats }) =>
    heartbeats
      .add(heartbeatDocument({ _id: "hbt_2", tokenHash: "another" }), testAudit)
      .then(() => undefined),
  "heartbeats.change": ({ heartbeats }) =>
    heartbeats.change(heartbeat._id, testAudit, (before) => ({ ...before, paused: true })),
  "heartbeats.remove": ({ heartbeats }) => heartbeats.remove(heartbeat, testAudit),
  "heartbeats.advance": ({ heartbeats }) => heartbeats.advance(heartbeat, { ...heartbeat, pings: 1 }),
  "heartbeats.notePing": ({ heartbeats }) =>
    heartbeats.notePing({ ...ping, heartbeatId: "hbt_2" }).then(() => undefined),
  "heartbeats.listPings": ({ heartbeats }) => heartbeats.listPings(heartbeat._id, page),
  "alertRules.putInhibition": ({ alertRules }) =>
    alertRules.putInhibition({ ...inhibitionToPut, name: "up" }, testAudit).then(() => undefined),
  "alertRules.listInhibitions": ({ alertRules }) => alertRules.listInhibitions(),
  "alertRules.removeInhibition": ({ alertRules }) => alertRules.removeInhibition("down", testAudit),
  "alertRules.findInhibition": ({ alertRules }) => alertRules.findInhibition(inhibitionToPut.name),
  "alertRuleVersions.list": async ({ alertRuleVersions }) =>
    (await alertRuleVersions.list(namedRule, page)).some(({ isUnrecorded }) => !isUnrecorded),
  "alertRuleVersions.find": async ({ alertRuleVersions }) =>
    (await alertRuleVersions.find(namedRule, 1))?.isUnrecorded === false,
  "inhibitionVersions.list": async ({ inhibitionVersions }) =>
    (await inhibitionVersions.list(namedInhibition, page)).some(({ isUnrecorded }) => !isUnrecorded),
  "inhibitionVersions.find": async ({ inhibitionVersions }) =>
    (await inhibitionVersions.find(namedInhibition, 1))?.isUnrecorded === false,
  "oncalls.put": ({ oncalls }) =>
    oncalls.put({ ...onCallSettings, description: "mine" }, testAudit, anyParticipants).then(() => undefined),
  "oncalls.find": ({ oncalls }) => oncalls.find(onCallSettings.name),
  "oncalls.findNamed": ({ oncalls }) => oncalls.findNamed([onCallSettings.name]),
  "oncalls.list": ({ oncalls }) => oncalls.list(page),
  "oncalls.addresses": async ({ oncalls }) => (await oncalls.addresses([user._id])).size > 0,
  "oncalls.addOverrides": ({ oncalls }) =>
    oncalls.addOverrides(onCall.scheduleId, [newOverride(now)], testAudit).then(() => undefined),
  "oncalls.listOverrides": ({ oncalls }) => oncalls.listOverrides(onCall.scheduleId, page),
  "oncalls.overridesIn": ({ oncalls }) => oncalls.overridesIn([onCall.scheduleId], now, far),
  "oncalls.endOverride": ({ oncalls }) =>
    oncalls.endOverride(onCall.scheduleId, onCall.overrideId, testAudit),
  "oncalls.remove": ({ oncalls }) => oncalls.remove(onCallSettings.name, testAudit, () => undefined),
  "oncallVersions.list": async ({ oncallVersions }) =>
    (await oncallVersions.list(namedOnCall, page)).some(({ isUnrecorded }) => !isUnrecorded),
  "oncallVersions.find": async ({ oncallVersions }) =>
    (await oncallVersions.find(namedOnCall, 1))?.isUnrecorded === false,
  "incidents.work": ({ incidents }) =>
    incidents.work(async (work) => [
      ...(await work.openIncidents([incidentKey])),
      ...(await work.incidentsSince([incidentKey], new Date(0))),
      ...(await work.incidents([incident._id])),
      ...(await work.firings([firing._id])),
      ...(await gathered(work.firingsOf(incident._id, "all"))),
      ...(await gathered(work.firingsOf(incident._id, "quietest"))),
      ...(await work.firingsWith([firing.fingerprint])),
      ...(await work.alerts([alert._id])),
      ...[await work.latestReport(alert.fingerprint)].flatMap((one) => one ?? []),
      ...(await work.sources([inhibiting.name])),
      ...(await work.ends([end.fingerprint])),
      ...(await work.ceilings([limit._id])),
    ]),
  "incidents.findByIdempotencyKey": ({ incidents }) => incidents.findByIdempotencyKey("alerted"),
  "incidents.forgetIdempotencyKey": ({ incidents }) => incidents.forgetIdempotencyKey(alert._id),
  "incidents.findAlert": ({ incidents }) => incidents.findAlert(alert._id),
  "incidents.readFirings": async ({ incidents }) => {
    const found: unknown[] = [];
    await incidents.readFirings([incident._id], async (page) => found.push(...page) > 0);
    return found;
  },
  "incidents.listAlerts": ({ incidents }) => incidents.listAlerts(page),
  "incidents.find": ({ incidents }) => incidents.find(incident._id),
  "incidents.scanAlerts": ({ incidents }) => incidents.scanAlerts({ of: {}, ...page }),
  "incidents.findAlerts": ({ incidents }) => incidents.findAlerts([alert._id]),
  "incidents.findMany": ({ incidents }) => incidents.findMany([incident._id]),
  "incidents.scan": ({ incidents }) => incidents.scan({ sort: "newest", limit: 10 }),
  "incidents.listFirings": ({ incidents }) => incidents.listFirings(incident._id, 100),
  "incidents.listHistory": ({ incidents }) => incidents.listHistory(incident._id),
  "targets.add": ({ targets }) =>
    targets.add({ ...target, _id: "atg_2", name: "second" }, testAudit).then(() => undefined),
  "targets.find": ({ targets }) => targets.find(target._id),
  "targets.findByIds": ({ targets }) => targets.findByIds([target._id]),
  "targets.list": ({ targets }) => targets.list(page),
  "targets.change": ({ targets }) =>
    targets.change(target._id, (former) => ({ ...former, description: "changed" }), testAudit),
  "targets.remove": ({ targets }) => targets.remove(target._id, testAudit, () => undefined),
  "targetDeliveries.add": ({ targetDeliveries }) =>
    targetDeliveries.add([targetDelivery({ endpointId: "atg_3" })]),
  "targetDeliveries.queuesOf": async ({ targetDeliveries }) =>
    (await targetDeliveries.queuesOf([target._id])).size > 0,
  "targetDeliveries.list": ({ targetDeliveries }) => targetDeliveries.list(target._id, page),
  "targetDeliveries.listOfIncident": ({ targetDeliveries }) => targetDeliveries.listOfIncident("inc_1"),
  "webhooks.add": ({ webhooks }) => webhooks.add({ ...endpoint, _id: "wep_2" }, testAudit),
  "webhooks.find": ({ webhooks }) => webhooks.find(endpoint._id),
  "webhooks.list": ({ webhooks }) => webhooks.list(page),
  "webhooks.change": ({ webhooks }) =>
    webhooks.change(endpoint._id, (former) => ({ ...former, description: "changed" }), testAudit),
  "webhooks.remove": ({ webhooks }) => webhooks.remove(endpoint._id, testAudit),
  "webhookVersions.list": async ({ webhookVersions }) =>
    (await webhookVersions.list(endpoint, page)).some(({ isUnrecorded }) => !isUnrecorded),
  "webhookVersions.find": async ({ webhookVersions }) =>
    (await webhookVersions.find(endpoint, 1))?.isUnrecorded === false,
  "webhookDeliveries.add": ({ webhookDeliveries }) =>
    webhookDeliveries.add({ ...delivery, _id: "wep_3.wte_1", endpointId: "wep_3" }),
  "webhookDeliveries.findQueue": ({ webhookDeliveries }) => webhookDeliveries.findQueue(endpoint._id),
  "webhookDeliveries.forgetFailures": ({ webhookDeliveries }) =>
    webhookDeliveries.forgetFailures(endpoint._id),
  "webhookDeliveries.find": ({ webhookDeliveries }) => webhookDeliveries.find(delivery._id),
  "webhookDeliveries.list": async ({ webhookDeliveries }) => [
    await webhookDeliveries.list({ endpointId: delivery.endpointId, limit: 10 }),
    await webhookDeliveries.list({ endpointId: delivery.endpointId, states: ["delivered"], limit: 10 }),
    await webhookDeliveries.list({ eventId: delivery.eventId, limit: 10 }),
    await webhookDeliveries.list({ limit: 10 }),
  ],
  "webhookDeliveries.failingSince": async ({ webhookDeliveries }) =>
    (await webhookDeliveries.failingSince()).size > 0,
  "webhookCounters.read": ({ webhookCounters }) =>
    webhookCounters.read({ endpointId: endpoint._id, step: "day", from: new Date(0), until: far }),
  "webhookDeliveries.count": ({ webhookDeliveries }) =>
    webhookDeliveries.count({ endpointId: delivery.endpointId }, 10).then((count) => count > 0),
  "webhookDeliveries.replayMany": async ({ webhookDeliveries }) => {
    const { _id, endpointId } = delivery;
    return (await webhookDeliveries.replayMany({ ids: [_id], endpointId }, later, now)).size > 0;
  },
  "webhookDeliveries.listOfMessage": ({ webhookDeliveries }) =>
    webhookDeliveries.listOfMessage("msg_told", 10),
  "webhookDeliveries.replay": async ({ webhookDeliveries }) =>
    (await webhookDeliveries.replay(delivery._id, now, testAudit)) ?? null,
  "webhookDeliveries.retry": async ({ webhookDeliveries }) =>
    (await webhookDeliveries.retry(waitingDelivery._id, { now, isOrdered: true }, testAudit)) ?? null,
  "webhookDeliveries.retryAll": async ({ webhookDeliveries }) =>
    (await webhookDeliveries.retryAll(endpoint, { now: new Date(0), limit: 10 }, testAudit)) > 0,
  "webhookDeliveries.endWaiting": async ({ webhookDeliveries }) =>
    (await webhookDeliveries.endWaiting(
      endpoint._id,
      { state: "failed", at: now, endReason: phrase("webhook.removed") },
      1,
    )) > 0,
  "keys.rename": async ({ keys }) => [
    await keys.rename(key._id, "new name", testAudit),
    await keys.rename(key.prefix, "newer name", testAudit),
  ],
  "keys.change": async ({ keys }) => [
    await keys.change(key._id, (one) => ({ ...one, senders: [] }), testAudit),
    await keys.change(key.prefix, (one) => ({ ...one, senders: ["example.com"] }), testAudit),
  ],
  "keys.supersede": async ({ keys }) => {
    const make = (former: { readonly hash: string }) => ({
      key: { ...key, _id: `${former.hash}.s`, hash: `${former.hash}.s` },
      expiresAt: later,
    });
    return (await keys.supersede(key._id, make, testAudit)) ?? null;
  },
  "keys.revoke": async ({ keys }) => [
    await keys.revoke(key._id, now, testAudit),
    await keys.revoke(key.prefix, now, testAudit),
  ],
  "jobs.begin": ({ jobs }) => jobs.begin({ ...job, _id: "job_2" }, 10, testAudit),
  "jobs.find": ({ jobs }) => jobs.find(job._id),
  "jobs.list": ({ jobs }) => jobs.list(page),
  "jobs.requestCancel": ({ jobs }) => jobs.requestCancel(job._id, jobEnd, testAudit),
  "jobs.listResults": ({ jobs }) => jobs.listResults(job._id, page),
  "senders.add": ({ senders }) => senders.add({ ...sender, _id: "snd_2" }, testAudit),
  "senders.list": ({ senders }) => senders.list(page),
  "senders.invite": ({ senders }) =>
    senders.invite(
      { _id: "snd_3", kind: "address", value: "carl@example.com" },
      { linkHash: "l2", linkExpiresAt: later, expireAt: far },
      testAudit,
    ),
  "senders.find": ({ senders }) => senders.find(sender.value),
  "senders.count": ({ senders }) => senders.count(10).then((count) => count > 0),
  "senders.remove": ({ senders }) => senders.remove(sender.value, testAudit),
  "senders.listAmong": ({ senders }) => senders.listAmong([sender.value]),
  "senders.hasAny": ({ senders }) => senders.hasAny([sender.value]),
  "domainKeys.insertFirst": ({ domainKeys }) =>
    domainKeys.insertFirst("example.com", [{ ...domainKey, selector: "hm2r" }], testAudit),
  "domainKeys.insertMany": ({ domainKeys }) =>
    domainKeys.insertMany([{ ...domainKey, selector: "hm2r" }], testAudit),
  "domainKeys.listFacts": ({ domainKeys }) =>
    domainKeys.listFacts(["example.com"]).then((facts) => facts.length > 0),
  "domainKeys.remove": ({ domainKeys }) => domainKeys.remove("example.com", ["hm1r"], testAudit),
  "domains.add": ({ domains }) => domains.add({ ...domain, token: "another" }, testAudit),
  "domains.find": ({ domains }) => domains.find("example.com"),
  "domains.findNames": async ({ domains }) => (await domains.findNames(["example.com"])).size > 0,
  "domains.count": ({ domains }) => domains.count(10).then((count) => count > 0),
  "webhooks.count": ({ webhooks }) => webhooks.count(10).then((count) => count > 0),
  "workspaces.count": ({ workspaces }) => workspaces.count(10).then((count) => count > 0),
  "alertRules.count": ({ alertRules }) => alertRules.count(10).then((count) => count > 0),
  "policies.count": ({ policies }) => policies.count(10).then((count) => count > 0),
  "domains.list": ({ domains }) => domains.list(page),
  "domains.setLink": ({ domains }) =>
    domains.setLink("example.com", { id: "theirs", expiresAt: later }, testAudit),
  "domains.ask": ({ domains }) => domains.ask(domain, now),
  "domains.change": ({ domains }) =>
    domains.change("example.com", (known) => ({ domain: known, event: { ...domainEvent, _id: "dev_2" } })),
  "domains.listEvents": ({ domains }) => domains.listEvents("example.com"),
  "domains.remove": ({ domains }) => domains.remove("example.com", testAudit),
  "domainKeys.list": ({ domainKeys }) => domainKeys.list("example.com"),
  "policies.replace": async ({ policies }) => {
    const formers: unknown[] = [];
    const stored = await policies.replace(
      policy.name,
      (former) => {
        formers.push(former?.open());
        return { ...policy, updatedAt: later };
      },
      testAudit,
    );
    return [stored, ...formers.filter(Boolean)];
  },
  "policies.makeDefault": ({ policies }) => policies.makeDefault(policy.name, () => undefined, testAudit),
  "policies.retire": ({ policies }) =>
    policies.retire(policy.name, { at: now, expireAt: far, check: () => undefined }, testAudit),
  "policies.findOfMessage": ({ policies }) => policies.findOfMessage(policy.name),
  "policies.find": ({ policies }) => policies.find(policy.name),
  "policies.findDefault": ({ policies }) => policies.findDefault(),
  "policies.list": ({ policies }) => policies.list(page),
  "policyVersions.list": async ({ policyVersions }) =>
    (await policyVersions.list(named(policy), { limit: 10 })).some(({ isUnrecorded }) => !isUnrecorded),
  "policyVersions.find": async ({ policyVersions }) =>
    (await policyVersions.find(named(policy), 1))?.isUnrecorded === false,
  "policyVersions.findRevision": async ({ policyVersions }) =>
    (await policyVersions.findRevision(named(policy), String(Number(now))))?.isUnrecorded === false,
  "policyHolds.add": ({ policyHolds }) =>
    policyHolds.add({ policy: policy.name, reason: "theirs" }, testAudit),
  "policyHolds.ofPolicy": ({ policyHolds }) => policyHolds.ofPolicy(policy.name),
  "policyHolds.ofMessage": ({ policyHolds }) => policyHolds.ofMessage(policy.name, "example.org"),
  "policyHolds.oldest": async ({ policyHolds }) => (await policyHolds.oldest(5)).count > 0,
  "policyHolds.remove": ({ policyHolds }) => policyHolds.remove({ policy: policy.name }, testAudit),
  "templates.findPublished": ({ templates }) => templates.findPublished(template.name),
  "templates.listPublished": ({ templates }) => templates.listPublished(page),
  "templates.find": ({ templates }) => templates.find(template.name),
  "templates.findVersion": ({ templates }) => templates.findVersion(template.name, 1),
  "templates.listVersions": ({ templates }) => templates.listVersions(template.name, page),
  "templates.listStates": ({ templates }) => templates.listStates(page),
  "templates.listSubjects": async ({ templates }) => {
    const names = [template.name];
    const { published, drafts } = await templates.listSubjects({ published: names, drafts: names });
    // Subjects name no account.
    return published.size + drafts.size > 0;
  },
  "templates.listUses": async ({ templates }) => (await templates.listUses()).has(template.name),
  "templates.edit": async ({ templates }) => {
    const states: unknown[] = [];
    const edit = ({ head, published }: TemplateState) => {
      states.push(head, published);
      return { draft: template.definition, draftSavedAt: later, testData: "{}" };
    };
    const changed = await templates.edit(template.name, edit, now, testAudit);
    return [changed, ...states.filter(Boolean)];
  },
  "templates.remove": ({ templates }) => templates.remove(template.name, testAudit),
  "templates.publish": ({ templates }) => templates.publish(template, testAudit),
  "messages.findById": ({ messages }) => messages.findById(waiting._id),
  "messages.findByIds": ({ messages }) => messages.findByIds([waiting._id]),
  "messages.findByTraceId": ({ messages }) => messages.findByTraceId(waiting.traceId),
  "messages.findByIdempotencyKey": ({ messages }) => messages.findByIdempotencyKey(waiting.operation, "once"),
  "messages.forgetIdempotencyKey": ({ messages }) => messages.forgetIdempotencyKey(waiting, "once"),
  "messages.countEngagement": ({ messages }) =>
    messages.countEngagement(delivered, "opened", { at: now, isMachine: false }),
  "messages.claimFirstEngagement": ({ messages }) =>
    messages.claimFirstEngagement(delivered, "opened", { hitId: "h", at: now }),
  "messages.findSubmitted": ({ messages }) => messages.findSubmitted(waiting._id),
  "messages.listByTraceId": ({ messages }) => messages.listByTraceId(waiting.traceId),
  "messages.countSpan": async ({ messages }) => (await messages.countSpan({}, 10)) > 0,
  "messages.list": async ({ messages }) => (await messages.list(page)).messages,
  "messages.all": async ({ messages }) => {
    const found = [];
    for await (const some of messages.all({})) found.push(...some);
    return found;
  },
  "search.add": async ({ search, messages }) => {
    await search.add([{ ...waiting, state: "cancelled" }]);
    return (await messages.list({ ...page, filter: { messageId: waiting._id } })).messages;
  },
  "messages.applyLateOutcome": ({ messages }) =>
    messages.applyLateOutcome(delivered, "bounced", { at: now, expireAt: far }),
  "queue.requestCancel": ({ queue }) => queue.requestCancel(waiting, { at: now, audit: testAudit }),
  "queue.withdrawBeforeDue": ({ queue }) =>
    queue.withdrawBeforeDue(waiting, later, { at: now, audit: testAudit }),
  "queue.withdrawMany": ({ queue }) =>
    queue.withdrawMany([waiting], { at: now, dueAfter: later, jobId: job._id }),
  "queue.retryNow": ({ queue }) => queue.retryNow(deferred, { at: now, dueAfter: later }, testAudit),
  "queue.retryMany": ({ queue }) => queue.retryMany([deferred], { at: now, dueAfter: later, jobId: job._id }),
  "queue.cancelMany": ({ queue }) => queue.cancelMany([withdrawn], { at: now, expireAt: far }),
  "queue.cancel": ({ queue }) => queue.cancel(withdrawn, { at: now, expireAt: far }),
  "quarantine.list": ({ quarantine }) => quarantine.list({ afterId: undefined, ...page }),
  "quarantine.find": ({ quarantine }) => quarantine.find(aside._id),
  "quarantine.release": ({ quarantine }) => quarantine.release(aside, now, testAudit),
  "quarantine.drop": ({ quarantine }) => quarantine.drop(aside, now, far, testAudit),
  "events.insertMissing": ({ events }) => events.insertMissing([event, { ...event, _id: `${event._id}2` }]),
  "events.listOfMessage": ({ events }) => events.listOfMessage(waiting._id),
  "events.listOf": ({ events }) => events.listOf(waiting),
  "events.lastReplies": async ({ events }) =>
    (await events.lastReplies([{ ...waiting, state: "deferred", attempts: 1 }])).size > 0,
  "suppressions.add": ({ suppressions }) =>
    suppressions.add({ ...suppression, reason: "complaint" }, testAudit),
  "suppressions.addMany": ({ suppressions }) =>
    suppressions.addMany([{ ...suppression, reason: "complaint" }], now, testAudit),
  "suppressions.preview": ({ suppressions }) => suppressions.preview([suppression], now),
  "suppressions.find": ({ suppressions }) => suppressions.find(suppression, now),
  "suppressions.removeMany": ({ suppressions }) => suppressions.removeMany([suppression], now, testAudit),
  "suppressions.list": ({ suppressions }) => suppressions.list({ ...page, now }),
  "suppressions.listByTime": ({ suppressions }) => suppressions.listByTime({ limit: 10, now }),
  "suppressions.count": async ({ suppressions }) =>
    (await suppressions.count({ reason: suppression.reason }, { limit: 10, now })) > 0,
  "suppressions.removeMeant": async ({ suppressions }) =>
    (await suppressions.removeMeant([suppression], () => false, now, testAudit)).size > 0,
  "suppressions.findAmong": async ({ suppressions }) => {
    const { addressKey } = suppression;
    return (await suppressions.findAmong([{ addressKey }], now)).documents;
  },
  "suppressions.remove": ({ suppressions }) => suppressions.remove(suppression, now, testAudit),
  "retentions.find": ({ retentions }) => retentions.find(),
  "retentions.change": ({ retentions }) => retentions.change({ messageDays: 3 }, now, testAudit),
  "erasures.begin": ({ erasures }) => erasures.begin(erasure, testAudit),
  "erasures.isOpenFor": ({ erasures }) => erasures.isOpenFor(erasure.address),
  "erasures.find": ({ erasures }) => erasures.find(erasure._id),
  "erasures.list": ({ erasures }) => erasures.list(page),
  "erasures.count": async ({ erasures }) =>
    (await erasures.count(suppression.addressKey, later)).suppressions > 0,
  "contents.load": async ({ contents }) => {
    const body = await contents.load(delivered.contentId);
    return body?.kind === "raw" ? body.source.toString() : null;
  },
  "sandbox.list": ({ sandbox }) => sandbox.list({ beforeId: undefined, ...page }),
  "sandbox.find": ({ sandbox }) => sandbox.find(delivered._id),
  "sandbox.remove": ({ sandbox }) => sandbox.remove(delivered._id, testAudit),
  "sandbox.clear": ({ sandbox }) => sandbox.clear(testAudit),
  "workspaces.first": ({ workspaces }) => workspaces.first(testAudit),
  "workspaces.find": ({ workspaces }) => workspaces.find(watched.workspaceId),
  "workspaces.list": ({ workspaces }) => workspaces.list(),
  "workspaces.create": ({ workspaces }) => workspaces.create("Another", testAudit),
  "workspaces.rename": ({ workspaces }) => workspaces.rename(watched.workspaceId, "Renamed", testAudit),
  "workspaces.findClient": ({ workspaces }) => workspaces.findClient(watched.clientId),
  "workspaces.findClients": async ({ workspaces }) => [
    ...(await workspaces.findClients([watched.clientId])).values(),
  ],
  "workspaces.findClientsNamed": ({ workspaces }) =>
    workspaces.findClientsNamed(watched.workspaceId, { names: ["Client of watched.example"], refs: [] }),
  "workspaces.removeClient": ({ workspaces }) =>
    workspaces
      .removeClient(watched.clientId, testAudit, { withDomains: true })
      .then((outcome) => outcome !== null),
  "workspaces.listClients": async ({ workspaces }) => [
    await workspaces.listClients(watched.workspaceId, {}, page),
    await workspaces.listClients(watched.workspaceId, { tag: "retail" }, page),
  ],
  "workspaces.createClient": async ({ workspaces }) => [
    await workspaces
      .createClient(watched.workspaceId, settingsOf("Another"), testAudit)
      .catch(() => undefined),
    await workspaces.createClient(watched.workspaceId, settingsOf("Client"), testAudit, watched.keyed),
  ],
  "workspaces.updateClient": ({ workspaces }) =>
    workspaces.updateClient(watched.clientId, settingsOf("Renamed"), "archived", testAudit),
  "watches.find": ({ watches }) => watches.find(watched.domainId),
  "watches.list": async ({ watches }) => {
    const { workspaceId, domainId: id, clientId } = watched;
    const lists = [{}, { id }, { clientId }, { name: watched.domain }, { search: "watched" }];
    return Promise.all(lists.map((filter) => watches.list(workspaceId, filter, "-score", page)));
  },
  "watches.findNames": async ({ watches }) =>
    (await watches.findNames(watched.workspaceId, [watched.domain])).size > 0,
  "watches.findOwners": async ({ watches }) =>
    (await watches.findOwners(watched.workspaceId, [watched.domain])).size > 0,
  "watches.findNamesOf": async ({ watches }) =>
    (await watches.findNamesOf(watched.workspaceId, [watched.domainId])).length > 0,
  "watches.count": async ({ watches }) => (await watches.count(watched.workspaceId, {}, 10)) > 0,
  "watches.amend": ({ watches }) => watches.amend(watched.domainId, { paused: true }, testAudit),
  "watches.subjectsOfClient": async ({ watches }) =>
    (await watches.subjectsOfClient(watched.workspaceId, watched.clientId)).length > 0,
  "watches.findChecks": async ({ watches }) => [...(await watches.findChecks([watched.domainId])).values()],
  "watches.findOutcomes": async ({ watches }) => (await watches.findOutcomes([watched.domainId])).size > 0,
  "watches.history": ({ watches }) => watches.history(watched.domainId),
  "watches.pointBefore": ({ watches }) => watches.pointBefore(watched.domainId, later),
  "watches.changesSince": ({ watches }) =>
    watches.changesSince(watched.workspaceId, watched.domainId, new Date(0), 10),
  "watches.listChanges": async ({ watches }) => [
    await watches.listChanges(watched.workspaceId, {}, page),
    await watches.listChanges(watched.workspaceId, { domainId: watched.domainId }, page),
  ],
  "watches.add": ({ watches }) => watches.add(newWatch({ ...watched, name: "another.example" }), testAudit),
  "watches.update": async ({ watches }) => {
    const { role, dkimSelectors, sendingIps, subjects } = newWatch({ ...watched, name: watched.domain });
    const paused = { role, dkimSelectors, sendingIps, subjects, paused: true };
    return watches.update(watched.domainId, paused, watched.clientId, testAudit);
  },
  "watches.mute": ({ watches }) =>
    watches.mute(watched.domainId, { checkId: "auth.spf.single", until: later }, testAudit),
  "watches.scoreDays": async ({ watches }) => [
    ...(await watches.scoreDays(watched.workspaceId, "2000-01-01", "2100-01-01")),
    ...(await watches.scoreDays(watched.clientId, "2000-01-01", "2100-01-01")),
  ],
  "watches.eachOfScope": async ({ watches }) => {
    const found: unknown[] = [];
    await watches.eachOfScope(watched, undefined, async (page) => void found.push(...page));
    return found.length > 0;
  },
  "watches.listMuted": async ({ watches }) => (await watches.listMuted(watched, now)).length > 0,
  "watches.ask": async ({ watches }) => {
    const domain = await store.forAccount(OWNER).watches.find(watched.domainId);
    return domain && watches.ask(domain, later);
  },
  "watches.remove": ({ watches }) => watches.remove(watched.domainId, testAudit),
  "blacklists.list": ({ blacklists }) =>
    blacklists.list(watched.workspaceId, { listIds: ["spamcop"], keys: [SUBJECT] }, page),
  "blacklists.count": async ({ blacklists }) =>
    (await blacklists.count(watched.workspaceId, { listIds: ["spamcop"] })) > 0,
  "blacklists.concerned": async ({ blacklists }) =>
    [...(await blacklists.concerned(watched.workspaceId, [SUBJECT])).values()].flat().length > 0,
  "reports.add": async ({ reports }) => {
    const { report, files } = reportOf({ ...watched, domain: "another.example" }, now);
    await reports.add(report, files, testAudit);
    return reports.find(report._id);
  },
  "reports.findAnswer": async ({ reports }) => {
    const answer = await reports.findAnswer(watched.keyed as never);
    return answer && Buffer.from(answer).toString();
  },
  "reports.reserve": async ({ reports }) => {
    const { report } = reportOf({ ...watched, domain: "reserved.example" }, now);
    return reports.reserve(report, { ...watched.keyed, workspaceId: "ws_another" } as never);
  },
  "reports.writeFile": async ({ reports }) => {
    await reports.writeFile("rpt_another", { format: "json", bytes: Buffer.from("{}") }, later);
    return reports.find("rpt_another");
  },
  "reports.readFile": async ({ reports }) => {
    const bytes = await reports.readFile(watched.reportId, "json");
    return bytes && Buffer.from(bytes).toString();
  },
  "reports.find": ({ reports }) => reports.find(watched.reportId),
  "reports.list": ({ reports }) => reports.list(watched.workspaceId, {}, page),
  "reports.wasRemoved": async ({ reports }) => {
    await reports.remove(watched.reportId, testAudit);
    return reports.wasRemoved(watched.reportId);
  },
  "reports.removeFiles": ({ reports }) => reports.removeFiles(watched.reportId),
  "reports.remove": ({ reports }) => reports.remove(watched.reportId, testAudit),
  "reportLinks.find": ({ reportLinks }) => reportLinks.find(watched.linkId),
  "reportLinks.listOfReport": ({ reportLinks }) => reportLinks.listOfReport(watched.reportId, page),
  "reportLinks.listOfWorkspace": ({ reportLinks }) => reportLinks.listOfWorkspace(watched.workspaceId, page),
  "reportLinks.add": ({ reportLinks }) =>
    reportLinks.add({ _id: "rpl_another", reportId: watched.reportId, endsAt: later }, testAudit),
  "reportLinks.revoke": ({ reportLinks }) => reportLinks.revoke(watched.linkId, testAudit),
  "reportLinks.count": ({ reportLinks }) => reportLinks.count(watched.linkId, "opens", now),
  "labels.find": ({ labels }) => labels.find(watched.clientId),
  "labels.findAll": ({ labels }) => labels.findAll([watched.clientId, watched.workspaceId]),
  "labels.list": ({ labels }) => labels.list(watched.workspaceId, page),
  "labels.put": ({ labels }) => labels.put(watched.clientId, { name: "Other", logo: undefined }, testAudit),
  "labels.remove": ({ labels }) => labels.remove(watched.clientId, testAudit),
  "aggregateReports.take": async ({ aggregateReports }) => {
    const [report] = believedReports("another.example", now);
    return report && aggregateReports.take(watched.domainId, report, { at: now, via: "mail" });
  },
  "aggregateReports.refuse": ({ aggregateReports }) =>
    aggregateReports.refuse(watched.domainId, { ...refusalAt(now), key: "another" }),
  "aggregateReports.inbox": ({ aggregateReports }) => aggregateReports.inbox(watched.domainId),
  "aggregateReports.latest": ({ aggregateReports }) => aggregateReports.latest(watched.domainId, 10),
  "aggregateReports.eachDmarc": async ({ aggregateReports }) => {
    const found: unknown[] = [];
    await aggregateReports.eachDmarc(watched.domainId, days, (sums) => found.push(...sums));
    // Sums name no account.
    return found.length > 0;
  },
  "aggregateReports.eachTls": async ({ aggregateReports }) => {
    const found: unknown[] = [];
    await aggregateReports.eachTls(watched.domainId, days, (sums) => found.push(...sums));
    // Sums name no account.
    return found.length > 0;
  },
  "aggregateReports.forget": ({ aggregateReports }) => aggregateReports.forget(watched.domainId),
  "schedules.find": ({ schedules }) => schedules.find(watched.scheduleId),
  "schedules.list": ({ schedules }) => schedules.list(watched.workspaceId, page),
  "schedules.add": ({ schedules }) =>
    schedules.add(watched.workspaceId, scheduleOf(watched.workspaceId), undefined, testAudit),
  "schedules.update": ({ schedules }) =>
    schedules.update(watched.scheduleId, scheduleOf("ws_another"), () => undefined, testAudit),
  "schedules.ask": ({ schedules }) => schedules.ask(watched.scheduleId, askedWork(now), testAudit),
  "schedules.remove": ({ schedules }) => schedules.remove(watched.scheduleId, testAudit),
  "reports.read": async ({ reports }) => {
    const bytes = await reports.read(watched.reportId, "json");
    return bytes && Buffer.from(bytes).toString();
  },
  "exports.page": async ({ exports }) => {
    const found = [];
    for (const name of Object.keys(walked) as WalkedCollection[])
      found.push(...(await exports.page(name)).documents);
    return found;
  },
  "exports.listEvents": async ({ exports }) => (await exports.listEvents(waiting)).documents,
};

/** Undefined: there is no such member. */
const changed = (change: MemberChange) => (change === "unknown" ? undefined : change);

/** Whether the answer is empty. */
function isNothing(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.every(isNothing);
  return answer === undefined || answer === null || answer === false || answer === 0;
}

describe("data of an account", () => {
  let planted: Contents;
  let sent: CommandStartedEvent[] = [];
  const note = (event: CommandStartedEvent) => sent.push(event);
  beforeAll(async () => {
    await plant();
    planted = await documentsOf();
  });

  /** Answer and changes of a call about the owner's data; the changes are undone. */
  async function outcomeOf(call: (typeof calls)[string], caller: string) {
    sent = [];
    opened.db.client.on("commandStarted", note);
    const answer = await call(store.forAccount(caller)).catch(() => undefined);
    opened.db.client.off("commandStarted", note);
    const written = writtenBy(sent);
    const before = new Map([...planted].filter(([name]) => written.has(name)));
    const after = await documentsOf(written);
    await restore(planted, written);
    return { answer, before: possessions(before), after: possessions(after) };
  }

  it("has a call for every function", () => {
    expect(Object.keys(calls).toSorted()).toEqual(functionsIn(store.forAccount(OWNER)).toSorted());
  });

  it.each(Object.entries(calls))(
    "is neither found nor changed by another account (%s)",
    async (_name, call) => {
      const { answer, before, after } = await outcomeOf(call, STRANGER);
      // It may only return what the caller itself has just created.
      expect(isNothing(answer) || textOf(answer).includes(STRANGER)).toBe(true);
      expect(textOf(answer)).not.toContain(OWNER);
      expect(after).toEqual(before);
    },
  );

  it.each(Object.entries(calls))("is found or changed by its own account (%s)", async (_name, call) => {
    const { answer, before, after } = await outcomeOf(call, OWNER);
    const isChanged = textOf(after) !== textOf(before);
    expect(isChanged || answer === true || textOf(answer).includes(OWNER)).toBe(true);
  });

  it("is not accessible without an account", () => {
    for (const nobody of ["", undefined as never])
      expect(() => store.forAccount(nobody)).toThrow("no account id was given");
  });
});

async function gathered<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
