import { newId, newIdInBucket } from "../../src/shared/ids.ts";
import { phrase } from "../../src/shared/phrase.ts";
import type { WalkPosition } from "../../src/store/account-export-store.ts";
import type { WalkedCollection } from "../../src/store/collections/collections.ts";
import { newDomain } from "../../src/store/domain-store.ts";
import type { AccountStore, AcrossAccounts, Store } from "../../src/store/store.ts";
import { emptyTally } from "../../src/store/tally.ts";
import type { WebhookDeliveryFilter } from "../../src/store/webhook-delivery-store.ts";
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
} from "./alert-documents.ts";
import { testAudit } from "./audit.ts";
import { deliveryDocument, endpointDocument, targetDelivery, targetDocument } from "./expected-deliveries.ts";
import { heartbeatDocument, heartbeatPing } from "./heartbeat-documents.ts";
import { createIntelCalls } from "./intel-store-calls.ts";
import { anyParticipants, newOverride, onCallSettings } from "./on-call.ts";
import { queuedMessage } from "./queued-message.ts";

const now = new Date();
/** After the end of the slowest run: the store removes expired documents itself. */
const later = new Date(now.getTime() + 60 * 60_000);
export const accountId = "acc_test";
const message = queuedMessage(now);
const id = message._id;

export { id as messageId };

const page = { limit: 50 };
const held = [1, 2, 3];
const expiring = { accountId, createdAt: now, expireAt: later };
const content = {
  ...expiring,
  id: "cnt_1",
  body: { kind: "raw", source: Buffer.from("hello") },
  sizeBytes: 5,
};
const address = "bob@example.net";
const happened = { messageId: id, accountId, kind: "queued", attempt: 1, at: now, expireAt: later };
const suppression = { addressKey: address, address, reason: "manual", createdAt: now } as const;
const policy = {
  _id: "pol_1",
  accountId,
  name: "default",
  default: true,
  transports: [],
  createdAt: now,
  updatedAt: now,
};
const key = { _id: "key_1", accountId, name: "first run", hash: "h1", prefix: "p1", createdAt: now };
const domainKey = (selector: string) => ({
  domain: "example.com",
  selector,
  algorithm: "ed25519-sha256" as const,
  privateKey: "secret",
  signsFrom: now,
  createdAt: now,
});
const user = { _id: "usr_1", email: "ada@example.com", passwordHash: "p1", createdAt: now };
const keyUses = {
  _id: "key_1.2026-11-22.process",
  accountId,
  keyId: "key_1",
  day: "2026-11-22",
  http: 1,
  smtp: 0,
  grpc: 0,
  expireAt: later,
};
const journalSpan = { fromMs: now.getTime(), throughMs: later.getTime(), limit: 50 };
const requestsDocument = {
  _id: "req_1",
  accountId,
  entries: [{ at: now, keyId: "key_1", method: "POST", route: "/v1/email/send", status: 202 }] as never,
  marks: ["key key_1"],
  expireAt: later,
};
const delivery = deliveryDocument({ accountId, messageId: id });
const endpoint = endpointDocument({ _id: "wep_1", accountId });
const posted = deliveryDocument({ _id: "atg_1.ntc_1", accountId, endpointId: "atg_1", eventId: "ntc_1" });
const tried = { at: now, durationMs: 5, url: "https://chat.example", status: 404, detail: "it answered 404" };
let added = 0;
const session = {
  _id: "ses_1",
  hash: "h1",
  userId: user._id,
  email: user.email,
  accountId,
  createdAt: now,
  seenAt: now,
  authenticatedAt: now,
  clientAddress: "192.0.2.1",
  clientAgent: "",
  endsAt: later,
  expireAt: later,
};
const linked = {
  _id: "id_1",
  issuer: "https://login.example.com",
  subject: "1",
  email: user.email,
  userId: user._id,
  createdAt: now,
};
const holder = { userId: user._id, email: user.email, accountId };
const totp = { _id: user._id, secret: "JBSWY3DPEHPK3PXP", createdAt: now, expireAt: later };
const link = {
  _id: "sign_up:1",
  purpose: "sign_up",
  hash: "l1",
  email: "emil@example.com",
  createdAt: now,
  expireAt: later,
} as const;
const invitation = {
  _id: "inv_1",
  email: "carl@example.com",
  role: "viewer",
  hash: "i1",
  invitedBy: { userId: user._id, email: user.email },
  createdAt: now,
  expireAt: later,
} as const;
const domain = newDomain("example.com", now);
const domainEvent = {
  accountId,
  domain: "example.com",
  kind: "domain.status_changed",
  from: "unverified",
  to: "verified",
  reasons: [],
  at: now,
  expireAt: later,
} as const;
const firstAccount = {
  account: { _id: accountId, name: "one", createdAt: now },
  user,
  member: { _id: `${accountId}.usr_1`, accountId, userId: "usr_1", role: "owner", createdAt: now },
  keys: [key],
  sender: { _id: "snd_1", accountId, value: "ada@example.com", verifiedAt: now },
  policy: { ...policy, _id: "pol_0", name: "sandbox", default: false },
  workspace: {
    _id: "ws_0",
    accountId,
    name: "Default",
    createdAt: now,
    first: true,
    tally: emptyTally,
    activeClients: 0,
  },
};
const captured = { ...expiring, id: "msg_1", source: Buffer.from("hello") } as never;
const aside = { _id: id, bucket: message.bucket, accountId, reason: "subject", at: now } as never;
const ownProcess = { _id: "host:1", schema: 2, program: "0.2.0", roles: ["core"] };
const change = { version: 2, name: "messages get a bucket", background: false };
const transition = {
  messageId: id,
  bucket: message.bucket as number,
  to: "delivered",
  attempts: 1,
  at: now,
  epoch: 1,
  expireAt: later,
} as const;

const job = {
  _id: "job_5",
  kind: "test.count",
  params: {},
  about: {},
  permission: "messages.write",
  startedBy: testAudit.actor,
  createdAt: now,
};
const jobSlice = { _id: job._id, accountId, epoch: 1 };
const jobEnd = { finishedAt: now, cancelRequestedAt: now, expireAt: later };
const erased = "erased@example.net";
const to = { accountId, recipient: erased, createdAt: now };
const erasure = {
  _id: "era_1",
  accountId,
  address: erased,
  salt: "salt",
  addressHash: "hash",
  keepSuppressed: false,
  requestedAt: later,
  requestedBy: testAudit.actor,
  removed: {},
  waiting: 0,
  heldUntil: now,
};

const readAct = { target: { kind: "message", id, name: "" }, outcome: "read" } as const;

/** Every combination of filters of the audit log. */
async function listAudit({ list }: AccountStore["audit"]): Promise<void> {
  const bounds = { from: now, until: later, beforeId: "aud_1" };
  const filters = { actorId: "usr_1", targetId: id, actions: ["key.create", "key.rename"], outcome: "read" };
  const names = Object.keys(filters) as (keyof typeof filters)[];
  for (let subset = 0; subset < 2 ** names.length; subset++) {
    const chosen = names
      .filter((_, bit) => subset & (1 << bit))
      .map((name) => [name, filters[name]] as const);
    for (const within of [{}, bounds]) await list({ ...page, ...within, ...Object.fromEntries(chosen) });
  }
}

const ofUser = { accountId, audit: testAudit };
const ended = { userId: user._id, email: user.email, accountId };

/** By function name, as `keys.list`. */
export type Calls<Scope> = Readonly<Record<string, (scope: Scope) => Promise<unknown>>>;

const intelCalls = createIntelCalls({ accountId, now, later });

/** Functions of both scopes. */
const sharedCalls: Calls<AccountStore | AcrossAccounts> = {
  "messages.findById": ({ messages }) => messages.findById(id),
  "messages.findByIds": ({ messages }) => messages.findByIds([id, "msg_2"]),
  "messages.findByTraceId": ({ messages }) => messages.findByTraceId("sx_1"),
  "quarantine.list": async ({ quarantine }) => {
    for (const afterId of [undefined, "msg_2"]) await quarantine.list({ afterId, limit: 50 });
  },
  "quarantine.find": ({ quarantine }) => quarantine.find(id),
  "quarantine.release": ({ quarantine }) => quarantine.release(aside, now, testAudit),
  "quarantine.drop": ({ quarantine }) => quarantine.drop(aside, now, later, testAudit),
  "events.insertMissing": ({ events }) =>
    events.insertMissing([{ ...happened, _id: `${id}.1.queued` } as never]),
  "events.listOfMessage": ({ events }) => events.listOfMessage(id),
  "events.listOf": ({ events }) => events.listOf(message),
  "events.lastReplies": ({ events }) => events.lastReplies([{ _id: id, state: "delivered", attempts: 1 }]),
  "sandbox.list": async ({ sandbox }) => {
    for (const beforeId of [undefined, "msg_2"]) await sandbox.list({ beforeId, limit: 50 });
  },
  "sandbox.find": ({ sandbox }) => sandbox.find("msg_1"),
};

const due = { _id: "inc_1", accountId, dueAt: now };

/** Stores a message and the failure of an attempt, and records both. */
async function recordEvents({ journal, messages, events }: AcrossAccounts): Promise<void> {
  await messages.insertMissing([queuedMessage(now)]);
  const failed = { ...happened, _id: `${id}.${calls++}.failed`, kind: "failed" };
  // From a domain with its own counters.
  await events.insertMissing([{ ...failed, about: { sender: `d${calls}.example` } } as never]);
  const doubtful = messages.announce([message]);
  await doubtful.written;
  doubtful.settle("doubt");
  await journal.fold(now);
}

const acrossCalls: Calls<AcrossAccounts> = {
  "incidents.listDue": ({ incidents }) => incidents.listDue(now, 10),
  "incidents.listDueLimits": ({ incidents }) => incidents.listDueLimits(now, 10),
  "incidents.claim": ({ incidents }) => incidents.claim(due, later),
  "incidents.claimLimit": ({ incidents }) => incidents.claimLimit({ ...due, _id: "rul_1.o" }, later),
  "members.ofUser": ({ members }) => members.ofUser(user._id),
  "invitations.findByHash": ({ invitations }) => invitations.findByHash("i1"),
  "invitations.accept": async ({ invitations }) => {
    const joiner = { kind: "new", user: { ...user, _id: "usr_9", email: "carl@example.com" } } as const;
    await invitations.accept("i1", { now, joiner, mayStand: () => true }, testAudit);
  },
  "keys.findByHash": ({ keys }) => keys.findByHash("h1"),
  "keys.markUsed": ({ keys }) => keys.markUsed([{ keyId: "key_1", at: now, from: "192.0.2.1", by: "http" }]),
  "journalTail.list": ({ journalTail }) => journalTail.list(journalSpan),
  "journalTail.latest": ({ journalTail }) => journalTail.latest(journalSpan),
  "journalTail.listIds": ({ journalTail }) => journalTail.listIds(journalSpan),
  "journalTail.findMany": ({ journalTail }) => journalTail.findMany(["jnl_1"]),
  "eventLog.place": ({ eventLog }) => eventLog.place(),
  "eventLog.placeIfFree": ({ eventLog }) => eventLog.placeIfFree(),
  "eventLog.list": ({ eventLog }) => eventLog.list(0, 10),
  "eventLog.positionAt": ({ eventLog }) => eventLog.positionAt(now),
  "eventLog.bounds": ({ eventLog }) => eventLog.bounds(),
  "webhooks.findByIds": ({ webhooks }) => webhooks.findByIds([endpoint._id]),
  "webhooks.disable": ({ webhooks }) =>
    webhooks.disable(endpoint._id, 1, { at: now, reason: "gone", detail: "410" }, testAudit),
  "undeliveredAlerts.addUnmade": async ({ undeliveredAlerts }) => {
    const notice = { key: "inc_1.1", ruleName: "pager", detail: "There is no routing policy." };
    await undeliveredAlerts.addUnmade("acc_1", [notice], now);
    await undeliveredAlerts.addUnmade("acc_1", [notice], now);
  },
  "undeliveredAlerts.claim": ({ undeliveredAlerts }) => undeliveredAlerts.claim(now, later),
  "undeliveredAlerts.settle": ({ undeliveredAlerts }) =>
    undeliveredAlerts.settle(
      {
        _id: accountId,
        accountId,
        count: 1,
        since: now,
        messageIds: [],
        tellAt: now,
        waiting: true,
        expireAt: later,
      },
      now,
    ),
  "webhooks.takeUntold": ({ webhooks }) => webhooks.takeUntold(),
  "heartbeats.findByToken": ({ heartbeats }) => heartbeats.findByToken("h1"),
  "heartbeats.listDue": ({ heartbeats }) => heartbeats.listDue(now, 10),
  "heartbeats.claim": ({ heartbeats }) =>
    heartbeats.claim(heartbeatDocument({ accountId, dueAt: now }), later),
  "heartbeats.putOff": ({ heartbeats }) => heartbeats.putOff("hbt_1", later),
  "schedules.wakeStrays": ({ schedules }) => schedules.wakeStrays(now),
  "webhookDeliveries.findStrays": ({ webhookDeliveries }) => webhookDeliveries.findStrays("wep_1"),
  "webhookDeliveries.endDamaged": ({ webhookDeliveries }) =>
    webhookDeliveries.endDamaged([{ id: delivery._id, reason: "body: it is null" }], now, now),
  "webhookDeliveries.dueQueues": ({ webhookDeliveries }) => webhookDeliveries.dueQueues(held, now, 10),
  "webhookDeliveries.findQueue": ({ webhookDeliveries }) => webhookDeliveries.findQueue("wep_1"),
  "webhookDeliveries.due": ({ webhookDeliveries }) =>
    webhookDeliveries.due("wep_1", now, { except: [delivery._id], limit: 10 }),
  "webhookDeliveries.waitingOf": ({ webhookDeliveries }) =>
    webhookDeliveries.waitingOf({ accountId: delivery.accountId, endpointId: "wep_1", messageIds: [id] }),
  "webhookDeliveries.postpone": ({ webhookDeliveries }) =>
    webhookDeliveries.postpone(delivery.endpointId, [delivery._id], later),
  "webhookDeliveries.requeue": ({ webhookDeliveries }) => webhookDeliveries.requeue("wep_1", now),
  "webhookDeliveries.rest": ({ webhookDeliveries }) => webhookDeliveries.rest({ _id: "wep_1", additions: 1 }),
  "webhookDeliveries.setFailing": async ({ webhookDeliveries }) => {
    for (const failing of [{ since: now, at: now }, undefined])
      await webhookDeliveries.setFailing(endpoint, failing, now);
  },
  "webhookDeliveries.publishFailing": ({ webhookDeliveries }) =>
    webhookDeliveries.publishFailing(endpoint, { since: now, detail: "it answered 503" }, now),
  "webhookDeliveries.record": ({ webhookDeliveries }) =>
    webhookDeliveries.record([
      { delivery, state: "pending", at: now, dueAt: later, body: "{}" },
      { delivery, state: "dropped", at: now, endReason: phrase("webhook.removed") },
    ]),
  "webhookDeliveries.endAll": ({ webhookDeliveries }) =>
    webhookDeliveries.endAll(
      { _id: "wep_1", accountId },
      { state: "failed", at: now, endReason: phrase("webhook.removed") },
    ),
  "webhookDeliveries.hold": ({ webhookDeliveries }) => webhookDeliveries.hold("wep_1", now),
  "webhookDeliveries.removeQueue": ({ webhookDeliveries }) => webhookDeliveries.removeQueue("wep_1"),
  "targets.findByIds": ({ targets }) => targets.findByIds(["atg_1"]),
  "targetDeliveries.findStrays": ({ targetDeliveries }) => targetDeliveries.findStrays("atg_1"),
  "targetDeliveries.endDamaged": ({ targetDeliveries }) =>
    targetDeliveries.endDamaged([{ id: posted._id, reason: "body: it is null" }], now, now),
  "targetDeliveries.dueQueues": ({ targetDeliveries }) => targetDeliveries.dueQueues(held, now, 10),
  "targetDeliveries.findQueue": ({ targetDeliveries }) => targetDeliveries.findQueue("atg_1"),
  "targetDeliveries.due": ({ targetDeliveries }) =>
    targetDeliveries.due("atg_1", now, { except: [posted._id], limit: 10 }),
  "targetDeliveries.waitingOf": ({ targetDeliveries }) =>
    targetDeliveries.waitingOf({ accountId, endpointId: "atg_1", messageIds: [id] }),
  "targetDeliveries.postpone": ({ targetDeliveries }) =>
    targetDeliveries.postpone(posted.endpointId, [posted._id], later),
  "targetDeliveries.requeue": ({ targetDeliveries }) => targetDeliveries.requeue("atg_1", now),
  "targetDeliveries.rest": ({ targetDeliveries }) => targetDeliveries.rest({ _id: "atg_1", additions: 1 }),
  "targetDeliveries.hold": ({ targetDeliveries }) => targetDeliveries.hold("atg_1", now),
  "targetDeliveries.setFailing": async ({ targetDeliveries }) => {
    for (const failing of [{ since: now, at: now }, undefined])
      await targetDeliveries.setFailing({ _id: "atg_1", accountId }, failing, now);
  },
  "targetDeliveries.publishFailing": ({ targetDeliveries }) => targetDeliveries.publishFailing(),
  "targetDeliveries.record": ({ targetDeliveries }) =>
    targetDeliveries.record([
      { delivery: posted, state: "failed", at: now, tried, exhaustedAt: "https://a" },
    ]),
  "targetDeliveries.endAll": ({ targetDeliveries }) =>
    targetDeliveries.endAll(
      { _id: "atg_1", accountId },
      { state: "dropped", at: now, endReason: phrase("target.removed") },
    ),
  "targetDeliveries.removeQueue": ({ targetDeliveries }) => targetDeliveries.removeQueue("atg_1"),
  "requests.insertMissing": async ({ requests }) => {
    for (const _ of [1, 2]) await requests.insertMissing([requestsDocument]);
  },
  "jobs.take": async ({ jobs }) => {
    await jobs.take({ kinds: [job.kind], holder: "process", leaseMs: 10_000, now: later });
  },
  "jobs.prolong": ({ jobs }) => jobs.prolong(jobSlice, 10_000),
  "jobs.save": async ({ jobs }) => {
    const results = { _id: "job_5.1", accountId, jobId: job._id, entries: [], outcomes: [], expireAt: later };
    const items = { _id: "job_5.1", accountId, items: [id], expireAt: later };
    await jobs.save(jobSlice, { set: { place: 1 }, counts: { done: 1 }, results, items });
    await jobs.save({ ...jobSlice, _id: "job_9" }, { set: { state: "succeeded" }, isOver: true });
  },
  "jobs.itemsOf": ({ jobs }) => jobs.itemsOf(jobSlice, 1),
  "jobs.release": async ({ jobs }) => {
    for (const isUncounted of [true, false]) await jobs.release(jobSlice, now, later, isUncounted);
  },
  "keys.countUses": ({ keys }) => keys.countUses([keyUses]),
  "senders.findByLink": ({ senders }) => senders.findByLink("l1"),
  "senders.confirm": async (all) => {
    // Prepared for the account's function, which is called later.
    await all.senders.confirm("l1", now, testAudit);
  },
  "domains.listDue": ({ domains }) => domains.listDue(now, 20),
  "domains.claim": ({ domains }) =>
    domains.claim({ ...domain, _id: `${accountId}.example.com`, accountId }, later),
  "contents.insertMany": ({ contents }) => contents.insertMany([content as never]),
  "contents.upload": async ({ contents }) => {
    const upload = contents.upload("cnt_2", later);
    await upload.write(Buffer.alloc(300_000));
    await upload.abort();
  },
  "contents.loadMany": ({ contents }) => contents.loadMany(["cnt_1"]),
  "contents.remove": async ({ contents }) => {
    const source = Buffer.alloc(2_000_000);
    const large = {
      ...content,
      id: "cnt_3",
      body: { kind: "raw", source },
      sizeBytes: source.length,
    } as never;
    await contents.insertMany([large]);
    await contents.loadMany(["cnt_3"]);
    await contents.remove([large]);
  },
  "search.add": ({ search }) => search.add([message]),
  "events.announce": async ({ events }) => {
    const announced = events.announce([{ ...happened, _id: `${id}.2.queued` } as never]);
    await announced.written;
    announced.settle(() => false);
  },
  "journal.fold": recordEvents,
  "eventLog.countSome": async (store) => {
    await recordEvents(store);
    await store.eventLog.place();
    await store.eventLog.countSome();
  },
  "eventLog.firstUncounted": async (store) => {
    await recordEvents(store);
    await store.eventLog.place();
    await store.eventLog.firstUncounted();
  },
  "journal.recover": async ({ journal, events }) => {
    const left = events.announce([{ ...happened, _id: `${id}.${calls++}.queued` } as never]);
    await left.written;
    await journal.recover(later, () => later);
    await journal.recover(later);
  },
  "journal.noteDeliveries": ({ journal }) => journal.noteDeliveries(now),
  "journal.close": async ({ journal, messages }) => {
    await messages.announce([message]).written;
    await journal.close(now);
  },
  "search.compact": async ({ search, messages }) => {
    const signal = new AbortController().signal;
    const early = {
      ...queuedMessage(now),
      _id: newIdInBucket("msg", new Date(now.getTime() - 86_400_000), 1),
    };
    for (const _id of [early._id, newIdInBucket("msg", now, 1)]) {
      await messages.insertMany([{ ...early, _id }]);
      await search.compact(later, signal);
    }
    await search.compact(new Date(later.getTime() + 7 * 86_400_000), signal);
  },
  "messages.announce": async ({ messages }) => {
    const announced = messages.announce([message]);
    await announced.written;
    announced.settle(() => false);
  },
  "messages.insertMany": ({ messages }) => messages.insertMany([message]),
  "messages.insertWithBodies": async ({ messages }) => {
    const other = queuedMessage(now);
    await messages.insertWithBodies(
      [{ content: { ...content, id: "cnt_4" } as never, message: other }],
      messages.announce([other]),
    );
  },
  "messages.insertMissing": ({ messages }) => messages.insertMissing([queuedMessage(now)]),
  "messages.insertTogether": ({ messages }) => messages.insertTogether([queuedMessage(now)]),
  "queue.findDue": async ({ queue }) => {
    const query = { partitions: held, priority: "bulk", now, limit: 10 } as const;
    await queue.findDue({ ...query, from: undefined });
    await queue.findDue({ ...query, from: now });
  },
  "queue.oldestDueAt": ({ queue }) => queue.oldestDueAt(held, now),
  "queue.countWaiting": ({ queue }) => queue.countWaiting(held, 1_000),
  "queue.claim": ({ queue }) =>
    queue.claim(
      [message, queuedMessage(now)].map((one) => ({ ...one, epoch: 2 })),
      later,
    ),
  "queue.findStrays": ({ queue }) =>
    queue.findStrays({ partitions: [0, 1, 2], partitionCount: 64, latest: later, limit: 10 }),
  "queue.hold": ({ queue }) => queue.hold([{ ...message, epoch: 1 }], later),
  "queue.unhide": ({ queue }) => queue.unhide([{ ...message, epoch: 1 }], now),
  "queue.findCancelRequests": ({ queue }) => queue.findCancelRequests(held, 10),
  "queue.withdraw": ({ queue }) => queue.withdraw([message], 2),
  "queue.cancel": ({ queue }) => queue.cancel([message], { at: now, expireAt: later }, 1),
  "queue.applyWithEvents": async ({ queue, events }) => {
    const failed = { ...happened, _id: `${id}.${calls++}.failed`, kind: "failed" } as never;
    const delivered = { ...happened, _id: `${id}.${calls++}.delivered`, kind: "delivered" } as never;
    // The first write, and its repetition after a crash.
    for (const event of [failed, failed, delivered, delivered])
      await queue.applyWithEvents([transition], [event], events.announce([event]));
  },
  "quarantine.add": ({ quarantine }) => quarantine.add(aside),
  "quarantine.count": ({ quarantine }) => quarantine.count(),
  "quarantine.markNoted": ({ quarantine }) => quarantine.markNoted(id),
  "suppressions.findAmong": ({ suppressions }) =>
    suppressions.findAmong([{ accountId, addressKey: address }], now),
  "suppressions.readListed": ({ suppressions }) => suppressions.readListed(new AbortController().signal),
  "suppressions.renameFormer": ({ suppressions }) => suppressions.renameFormer(),
  "erasures.claim": ({ erasures }) => erasures.claim(now, later),
  "retentions.claim": ({ retentions }) => retentions.claim(now, later),
  "retentions.removeMessages": async ({ retentions, messages }) => {
    const { nextAttemptAt: _, ...finished } = queuedMessage(now, { accountId, expireAt: later });
    await messages.insertMany([finished]);
    await retentions.removeMessages(accountId, later, undefined);
    await retentions.removeMessages(accountId, later, message._id);
  },
  "retentions.removeBodies": async ({ retentions, messages }) => {
    const { nextAttemptAt: _, ...finished } = queuedMessage(now, { accountId, expireAt: later });
    await messages.insertMany([finished]);
    await retentions.removeBodies(accountId, later, undefined);
    await retentions.removeBodies(accountId, later, message._id);
  },
  "retentions.removeCaptured": async ({ retentions, sandbox }) => {
    await sandbox.insertMissing([
      { ...(captured as object), id: queuedMessage(now)._id, capturedAt: now } as never,
    ]);
    await retentions.removeCaptured(accountId, later, undefined);
    await retentions.removeCaptured(accountId, later, message._id);
  },
  "retentions.removeRequests": async ({ retentions, requests }) => {
    await requests.insertMissing([{ ...requestsDocument, _id: "req_0" }]);
    await retentions.removeRequests(accountId, later);
  },
  "retentions.noteBodies": ({ retentions }) => retentions.noteBodies({ _id: accountId }, message._id),
  "retentions.finish": ({ retentions }) => retentions.finish({ _id: accountId, dueAt: now }, now, later),
  "erasures.hold": async ({ erasures }) => {
    await erasures.hold(erasure, now);
    await erasures.hold(erasure, later, 1);
  },
  "erasures.removeFound": async ({ erasures, messages }) => {
    await erasures.removeFound(erasure, undefined, { now, reachable: now });
    const [waiting, { nextAttemptAt: _, ...finished }] = [queuedMessage(now, to), queuedMessage(now, to)];
    await messages.insertMany([waiting, finished]);
    await erasures.removeFound(erasure, undefined, { now: later, reachable: now });
  },
  "erasures.readMessages": async ({ erasures, messages }) => {
    const { nextAttemptAt: _, ...finished } = queuedMessage(now, { ...to, contentId: "cnt_large" });
    await messages.insertMany([finished, queuedMessage(now, { accountId, notDelivered: [erased] })]);
    await erasures.readMessages(erasure, undefined, { now: later, reachable: now });
    await erasures.readMessages(erasure, message._id, { now: later, reachable: now });
  },
  "erasures.removeCaptured": async ({ erasures, sandbox }) => {
    await sandbox.insertMissing([
      { ...(captured as object), id: "msg_e", envelopeTo: [erased], capturedAt: now } as never,
    ]);
    await erasures.removeCaptured(erasure, undefined);
    await erasures.removeCaptured(erasure, "msg_z");
  },
  "erasures.removeNotes": async ({ erasures, quarantine }) => {
    await quarantine.add({ ...(aside as object), recipient: erased } as never);
    await erasures.removeNotes(erasure);
  },
  "erasures.removeEvents": ({ erasures }) => erasures.removeEvents(erasure),
  "erasures.removeSuppressions": async ({ erasures }) => {
    await erasures.removeSuppressions({ ...erasure, keepSuppressed: true });
    await erasures.removeSuppressions(erasure);
  },
  "erasures.eraseFromLog": async ({ erasures }) => {
    await erasures.eraseFromLog(erasure, undefined);
    await erasures.eraseFromLog(erasure, "aud_1");
  },
  "erasures.eraseFromRequests": async ({ erasures, requests }) => {
    const [entry] = requestsDocument.entries as object[];
    const entries = [{ ...entry, messageId: "msg_gone" }] as never;
    await requests.insertMissing([{ ...requestsDocument, _id: "req_2", entries }]);
    await erasures.eraseFromRequests(erasure, undefined);
    await erasures.eraseFromRequests(erasure, "req_3");
  },
  "erasures.forgetInIndex": async ({ erasures, search }) => {
    const gone = queuedMessage(now, to);
    await search.add([gone]);
    await erasures.forgetInIndex(erasure, now);
    await search.add([gone]);
    await erasures.forgetInIndex(erasure, now);
  },
  "erasures.finish": ({ erasures }) =>
    erasures.finish(
      erasure,
      {
        finishedAt: now,
        expireAt: later,
        look: { at: now, messages: 0, captured: 0, auditEntries: 0 },
        left: { mentions: 0, suppressions: 0 },
      },
      testAudit,
    ),
  "sandbox.insertMissing": ({ sandbox }) => sandbox.insertMissing([captured]),
  "sandbox.remove": async ({ sandbox }) => {
    await sandbox.remove("msg_none", testAudit);
    await sandbox.insertMissing([captured]);
    await sandbox.remove("msg_1", testAudit);
  },
  "sandbox.clear": async ({ sandbox }) => {
    await sandbox.clear(testAudit);
    // Data for the account to clear.
    await sandbox.insertMissing([captured]);
  },
};

/** Positions in each collection: the start, and positions after a document or, in two steps, after its group. */
export const walked: Readonly<Record<WalkedCollection, readonly (WalkPosition | undefined)[]>> = {
  members: [undefined, ["usr_1"]],
  invitations: [undefined, ["inv_1"]],
  apiKeys: [undefined, ["key_1"]],
  senders: [undefined, ["ada@example.com"]],
  domains: [undefined, ["example.com"]],
  domainEvents: [undefined, ["example.com", "dev_1"], ["example.com"]],
  policies: [undefined, ["default"]],
  policyHolds: [undefined, [`${accountId}//default`]],
  templateHeads: [undefined, ["welcome"]],
  templates: [undefined, ["welcome", 1], ["welcome"]],
  suppressions: [undefined, ["sup_1"]],
  messages: [undefined, [id]],
  sandboxMessages: [undefined, [id]],
  quarantine: [undefined, [id]],
  requests: [undefined, ["req_1"]],
  jobs: [undefined, ["job_1"]],
  jobResults: [undefined, ["job_1", "job_1.1"], ["job_1"]],
  erasures: [undefined, ["era_1"]],
  webhookEndpoints: [undefined, ["wep_1"]],
  alertTargets: [undefined, ["atg_1"]],
  alertRules: [undefined, ["pager"]],
  silences: [undefined, ["sil_1"]],
  inhibitions: [undefined, ["down"]],
  onCallSchedules: [undefined, ["primary"]],
  onCallOverrides: [undefined, ["ocs_1", "oco_1"], ["ocs_1"]],
  heartbeats: [undefined, ["hbt_1"]],
  incidents: [undefined, ["inc_1"]],
  alerts: [undefined, ["alr_1"]],
  counters: [undefined, [now]],
  workspaces: [undefined, ["ws_1"]],
  intelClients: [undefined, ["ws_1", "retail"], ["ws_1"]],
  watchedDomains: [undefined, ["ws_1", "example.com"], ["ws_1"]],
  watchChanges: [undefined, ["ws_1", "wch_1"], ["ws_1"]],
  intelReports: [undefined, ["ws_1", "rpt_1"], ["ws_1"]],
  reportLinks: [undefined, ["ws_1", "rpl_1"], ["ws_1"]],
  reportLabels: [undefined, ["ws_1", "cl_1"], ["ws_1"]],
  reportSchedules: [undefined, ["ws_1", "rsc_1"], ["ws_1"]],
  sendingDays: [undefined, [`${accountId}.2026-11-22.example.com`]],
  dmarcRollups: [undefined, ["dom_1.a"]],
  tlsRollups: [undefined, ["dom_1.a"]],
  aggregateReports: [undefined, ["dom_1.a"]],
  reportInboxes: [undefined, ["dom_1"]],
  auditEntries: [undefined, ["aud_1"]],
};

const incidentKey = { ruleId: "rul_1", groupKey: "g" };
const dated = { accountId, createdAt: now, updatedAt: now };
const rule = { ...dated, _id: "rul_1", name: "pager", version: 1, settings: ruleSettings };
const inhibition = { ...dated, _id: "inh_1", ...inhibitionToPut };
const onCall = { ...dated, _id: "ocs_1", name: "primary", settings: onCallSettings, edits: 1 };
const target = targetDocument({ _id: "atg_1", accountId });

let heartbeats = 0;
const addHeartbeat = ({ heartbeats: ofAccount }: Pick<AccountStore, "heartbeats">) => {
  const names = { _id: `hbt_${heartbeats}`, tokenHash: `h${heartbeats++}` };
  return ofAccount.add(heartbeatDocument(names), testAudit);
};

const accountCalls: Calls<AccountStore> = {
  "alertRules.revision": ({ alertRules }) => alertRules.revision(),
  "alertRules.ruleSet": ({ alertRules }) => alertRules.ruleSet(now),
  "alertRules.put": async ({ alertRules }) => {
    await alertRules.put(ruleSettings, testAudit);
    await alertRules.put({ ...ruleSettings, enabled: false }, testAudit);
  },
  "alertRules.find": ({ alertRules }) => alertRules.find("pager"),
  "alertRules.list": async ({ alertRules }) => {
    await alertRules.list(page);
    await alertRules.list({ ...page, after: "a" });
  },
  "alertRules.ruleVersions": ({ alertRules }) =>
    alertRules.ruleVersions([{ ruleId: "rul_1", ruleVersion: 1 }]),
  "alertRules.versionsAt": ({ alertRules }) => alertRules.versionsAt(1),
  "alertRules.remove": ({ alertRules }) => alertRules.remove("pager", testAudit),
  "alertRules.addSilence": ({ alertRules }) => alertRules.addSilence(silenceToAdd, testAudit),
  "alertRules.listSilences": async ({ alertRules }) => {
    await alertRules.listSilences(page);
    await alertRules.listSilences({ ...page, after: "sil_9" });
  },
  "alertRules.findSilence": ({ alertRules }) => alertRules.findSilence(silenceToAdd._id),
  "alertRules.changeSilence": ({ alertRules }) =>
    alertRules.changeSilence(silenceToAdd._id, (before) => ({ ...before, comment: "longer" }), testAudit),
  "alertRules.endSilence": ({ alertRules }) => alertRules.endSilence(silenceToAdd._id, testAudit),
  "heartbeats.find": ({ heartbeats }) => heartbeats.find("hbt_1"),
  "heartbeats.list": async ({ heartbeats }) => {
    await heartbeats.list(page);
    await heartbeats.list({ ...page, after: "hbt_9" });
  },
  "heartbeats.add": async (account) => void (await addHeartbeat(account)),
  "heartbeats.change": async (account) => {
    const { _id } = await addHeartbeat(account);
    await account.heartbeats.change(_id, testAudit, (before) => ({ ...before, paused: true }));
  },
  "heartbeats.remove": async (account) => account.heartbeats.remove(await addHeartbeat(account), testAudit),
  "heartbeats.advance": async (account) => {
    const heartbeat = await addHeartbeat(account);
    await account.heartbeats.advance(heartbeat, { ...heartbeat, lastSuccessAt: now });
  },
  "heartbeats.notePing": async ({ heartbeats }) => {
    for (const number of [1, 201, 1]) await heartbeats.notePing(heartbeatPing({ number, expireAt: later }));
  },
  "heartbeats.listPings": async ({ heartbeats }) => {
    await heartbeats.listPings("hbt_1", { limit: 10 });
    await heartbeats.listPings("hbt_1", { before: 9, limit: 10 });
  },
  "alertRules.putInhibition": ({ alertRules }) => alertRules.putInhibition(inhibitionToPut, testAudit),
  "alertRules.listInhibitions": ({ alertRules }) => alertRules.listInhibitions(),
  "alertRules.removeInhibition": ({ alertRules }) => alertRules.removeInhibition("down", testAudit),
  "alertRules.findInhibition": ({ alertRules }) => alertRules.findInhibition("down"),
  "alertRuleVersions.list": async ({ alertRuleVersions }) => {
    await alertRuleVersions.list(rule, { limit: 10 });
    await alertRuleVersions.list(rule, { before: 2, limit: 10 });
  },
  "alertRuleVersions.find": async ({ alertRuleVersions }) => {
    await alertRuleVersions.find(rule);
    await alertRuleVersions.find(rule, 1);
  },
  "inhibitionVersions.list": async ({ inhibitionVersions }) => {
    await inhibitionVersions.list(inhibition, { limit: 10 });
    await inhibitionVersions.list(inhibition, { before: 2, limit: 10 });
  },
  "inhibitionVersions.find": async ({ inhibitionVersions }) => {
    await inhibitionVersions.find(inhibition);
    await inhibitionVersions.find(inhibition, 1);
  },
  "oncalls.put": async ({ oncalls }) => {
    await oncalls.put(onCallSettings, testAudit, anyParticipants);
    const participants = [{ userId: "usr_1" }];
    const layers = onCallSettings.layers.map((layer) => ({ ...layer, participants }));
    await oncalls.put({ ...onCallSettings, layers }, testAudit, anyParticipants);
  },
  "oncalls.find": ({ oncalls }) => oncalls.find("primary"),
  "oncalls.findNamed": ({ oncalls }) => oncalls.findNamed(["primary", "other"]),
  "oncalls.list": async ({ oncalls }) => {
    await oncalls.list(page);
    await oncalls.list({ ...page, after: "a" });
  },
  "oncalls.addresses": ({ oncalls }) => oncalls.addresses(["usr_1", "usr_2"]),
  "oncalls.addOverrides": async ({ oncalls }) => {
    const { schedule } = await oncalls.put(onCallSettings, testAudit, anyParticipants);
    const override = { ...newOverride(now), participant: { userId: "usr_1" } };
    await oncalls.addOverrides(schedule._id, [newOverride(now)], testAudit);
    await oncalls.addOverrides(schedule._id, [override], testAudit, schedule.edits).catch(() => undefined);
  },
  "oncalls.listOverrides": async ({ oncalls }) => {
    await oncalls.listOverrides("ocs_1", page);
    await oncalls.listOverrides("ocs_1", { ...page, after: "oco_9" });
  },
  "oncalls.overridesIn": ({ oncalls }) => oncalls.overridesIn(["ocs_1", "ocs_2"], now, now),
  "oncalls.endOverride": async ({ oncalls }) => {
    const { schedule } = await oncalls.put(onCallSettings, testAudit, anyParticipants);
    const [override] = (await oncalls.addOverrides(schedule._id, [newOverride(now)], testAudit)) ?? [];
    await oncalls.endOverride(schedule._id, override?._id ?? "", testAudit);
  },
  "oncalls.remove": ({ oncalls }) => oncalls.remove("primary", testAudit, () => undefined),
  "oncallVersions.list": async ({ oncallVersions }) => {
    await oncallVersions.list(onCall, { limit: 10 });
    await oncallVersions.list(onCall, { before: 2, limit: 10 });
  },
  "oncallVersions.find": async ({ oncallVersions }) => {
    await oncallVersions.find(onCall);
    await oncallVersions.find(onCall, 1);
  },
  "targets.add": ({ targets }) => targets.add({ ...target, _id: "atg_2", name: "second" }, testAudit),
  "targets.find": ({ targets }) => targets.find(target._id),
  "targets.findByIds": ({ targets }) => targets.findByIds([target._id]),
  "targets.list": async ({ targets }) => {
    await targets.list(page);
    await targets.list({ ...page, after: "atg_0" });
  },
  "targets.change": ({ targets }) =>
    targets.change("atg_2", (former) => ({ ...former, name: "third" }), testAudit),
  "targets.remove": ({ targets }) => targets.remove("atg_2", testAudit, () => undefined),
  "targetDeliveries.add": ({ targetDeliveries }) => targetDeliveries.add([targetDelivery()]),
  "targetDeliveries.queuesOf": ({ targetDeliveries }) => targetDeliveries.queuesOf([target._id]),
  "targetDeliveries.list": async ({ targetDeliveries }) => {
    await targetDeliveries.list(target._id, page);
    await targetDeliveries.list(target._id, { ...page, after: "atg_1.ntc_9" });
  },
  "targetDeliveries.listOfIncident": ({ targetDeliveries }) => targetDeliveries.listOfIncident("inc_1"),
  "incidents.work": ({ incidents }) =>
    incidents.work(async (work) => {
      await work.revision();
      await work.openIncidents([incidentKey]);
      await work.openIncidents([incidentKey, { ...incidentKey, groupKey: "h" }]);
      await work.incidentsSince([incidentKey], now);
      await work.incidents(["inc_1"]);
      await work.firings(["inc_1.f"]);
      for (const reading of ["untold", "all", "quietest"] as const)
        for await (const page of work.firingsOf("inc_1", reading)) void page;
      await work.firingsWith(["f"]);
      await work.alerts(["alr_1"]);
      for await (const page of work.alertsOf("inc_1", 10)) void page;
      await work.latestReport("f");
      await work.sources(["n"]);
      await work.ceilings(["rul_1.o"]);
      await work.ends(["f"]);
      await work.ruleVersions([{ ruleId: "rul_1", ruleVersion: 1 }]);
      const keyed = { idempotencyKey: `k ${added}`, requestFingerprint: "f" };
      await work.write(
        {
          ...NO_CHANGES,
          incidents: [{ before: undefined, after: incidentDocument({ accountId }) }],
          firings: [firingDocument(accountId)],
          removedFirings: ["inc_1.g"],
          notifiedFirings: [{ severity: "info", ids: ["inc_1.h"] }],
          emptied: ["inc_2"],
          ceilings: [ceilingDocument({ accountId })],
          sources: [sourceDocument(accountId)],
          ends: [endDocument(accountId)],
          endedSources: ["f"],
          releasedSources: ["h"],
          keptSources: [{ fingerprint: "g", ids: ["n.g"] }],
        },
        [alertDocument({ _id: `alr_${added++}`, accountId, ...keyed })],
        now,
      );
    }),
  "incidents.findByIdempotencyKey": ({ incidents }) => incidents.findByIdempotencyKey("k"),
  "incidents.forgetIdempotencyKey": ({ incidents }) => incidents.forgetIdempotencyKey("alr_1"),
  "incidents.findAlert": ({ incidents }) => incidents.findAlert("alr_1"),
  "incidents.readFirings": ({ incidents }) => incidents.readFirings(["inc_1", "inc_2"], async () => true),
  "incidents.listAlerts": async ({ incidents }) => {
    await incidents.listAlerts(page);
    await incidents.listAlerts({ ...page, after: "alr_9" });
  },
  "incidents.find": ({ incidents }) => incidents.find("inc_1"),
  "incidents.scanAlerts": async ({ incidents }) => {
    for (const of of [{}, { incidentId: "inc_1" }, { rule: "pager" }, { isUnmatched: true } as const])
      for (const isOldestFirst of [false, true])
        for (const after of [undefined, "alr_9"])
          await incidents.scanAlerts({ of, isOldestFirst, after, limit: 10 });
  },
  "incidents.findAlerts": ({ incidents }) => incidents.findAlerts(["alr_1"]),
  "incidents.findMany": ({ incidents }) => incidents.findMany(["inc_1"]),
  "incidents.scan": async ({ incidents }) => {
    const place = { _id: "inc_9", updatedAt: now, severity: "critical" } as const;
    const some = [{}, { states: ["open", "acknowledged"] as const }, { severities: ["critical"] as const }];
    for (const sort of ["newest", "oldest", "updated", "severity"] as const)
      for (const filter of some)
        for (const after of [undefined, place]) await incidents.scan({ sort, ...filter, after, limit: 10 });
    for (const sort of ["newest", "oldest"] as const)
      for (const after of [undefined, place]) await incidents.scan({ sort, rule: "pager", after, limit: 10 });
  },
  "incidents.listFirings": ({ incidents }) => incidents.listFirings("inc_1", 100),
  "incidents.listHistory": ({ incidents }) => incidents.listHistory("inc_1"),
  "contents.load": ({ contents }) => contents.load("cnt_1"),
  "exports.page": async ({ exports }) => {
    for (const [name, places] of Object.entries(walked) as [WalkedCollection, (WalkPosition | undefined)[]][])
      for (const place of places) await exports.page(name, place);
  },
  "exports.listEvents": ({ exports }) => exports.listEvents(message as never),
  "retentions.find": ({ retentions }) => retentions.find(),
  "retentions.change": ({ retentions }) => retentions.change({ contentDays: 1 }, now, testAudit),
  "erasures.begin": async ({ erasures }) => {
    await erasures.begin({ ...erasure, _id: "era_9" }, testAudit);
    await erasures.begin({ ...erasure, _id: "era_9" }, testAudit);
  },
  "erasures.isOpenFor": ({ erasures }) => erasures.isOpenFor(erased),
  "erasures.find": ({ erasures }) => erasures.find("era_1"),
  "erasures.list": async ({ erasures }) => {
    await erasures.list(page);
    await erasures.list({ ...page, after: "era_2" });
  },
  "erasures.count": ({ erasures }) => erasures.count(message.recipient, now),
  "audit.add": ({ audit }) => audit.add(testAudit, readAct),
  "audit.list": ({ audit }) => listAudit(audit),
  "members.add": async ({ members }) => {
    const owner = { role: "owner", createdAt: now } as const;
    await members.add({ ...user, _id: "usr_2", email: "bob@example.com" }, owner, testAudit);
    await members.add({ ...user, _id: "usr_3", email: "bob@example.com" }, owner, testAudit);
  },
  "members.find": ({ members }) => members.find(user._id),
  "members.findAmong": ({ members }) => members.findAmong([user._id]),
  "members.list": async ({ members }) => {
    await members.list(page);
    await members.list({ ...page, after: user._id });
    await members.list({ ...page, role: "owner" });
    await members.list({ ...page, role: "owner", after: user._id });
  },
  "members.countOwners": ({ members }) => members.countOwners(),
  "members.touch": ({ members }) => members.touch(user._id, now),
  "members.openSessions": ({ members }) => members.openSessions([user._id, "usr_2"], now),
  "members.signOut": ({ members }) => members.signOut("usr_2", testAudit),
  "members.changeRole": ({ members }) => members.changeRole(user._id, "viewer", testAudit),
  "members.remove": async ({ members }) => {
    await members.remove("usr_2", testAudit);
    await members.remove("usr_2", testAudit);
  },
  "invitations.insert": async ({ invitations }) => {
    await invitations.insert(invitation, now, testAudit);
    await invitations.insert({ ...invitation, _id: "inv_2", hash: "i2" }, now, testAudit);
  },
  "invitations.list": async ({ invitations }) => {
    await invitations.list(page, now);
    await invitations.list({ ...page, after: "a" }, now);
  },
  "invitations.hasMany": ({ invitations }) => invitations.hasMany(500),
  "invitations.find": ({ invitations }) => invitations.find("inv_1"),
  "invitations.renew": ({ invitations }) =>
    invitations.renew("inv_1", { hash: "i3", expireAt: later }, testAudit),
  "invitations.remove": ({ invitations }) => invitations.remove("inv_1", testAudit),
  "keys.insert": ({ keys }) =>
    keys.insert({ ...key, _id: "key_2", hash: "h2", prefix: "p2" } as never, testAudit),
  "keys.list": async ({ keys }) => {
    await keys.list(page);
    await keys.list({ ...page, after: "a" });
    await keys.list(page, "account");
  },
  "keys.find": ({ keys }) => keys.find("p2"),
  "keys.usesSince": ({ keys }) => keys.usesSince("key_1", "2026-11-22"),
  "start.read": ({ start }) => start.read(),
  "attention.failingEndpoints": ({ attention }) => attention.failingEndpoints(),
  "attention.expiringKeys": ({ attention }) => attention.expiringKeys(now, later, 5),
  "counters.read": ({ counters }) =>
    counters.read({ step: "hour", from: now, until: later, dimension: "tag" }),
  "counters.readLatencies": ({ counters }) =>
    counters.readLatencies({ step: "hour", from: now, until: later, dimension: "tag" }),
  "waiting.count": ({ waiting }) => waiting.count(),
  "waiting.countByDestination": ({ waiting }) => waiting.countByDestination(() => false),
  "waiting.countOfPolicy": ({ waiting }) => waiting.countOfPolicy("default"),
  "waiting.countOfPolicyByDestination": ({ waiting }) =>
    waiting.countOfPolicyByDestination("default", () => false),
  "sendingDays.read": ({ sendingDays }) => sendingDays.read("example.com", "2026-11-22"),
  "requests.list": async ({ requests }) => {
    for (const mark of [undefined, "key key_1"]) {
      await requests.list({ ...page, mark });
      await requests.list({ ...page, mark, from: now, until: later, before: "req_1" });
      await requests.list({ ...page, mark, upTo: "req_1" });
    }
  },
  "requests.find": ({ requests }) => requests.find("req_1"),
  "requestCounters.read": ({ requestCounters }) =>
    requestCounters.read({ step: "hour", from: now, until: later }),
  "alertCounters.read": ({ alertCounters }) => alertCounters.read({ step: "hour", from: now, until: later }),
  "alertCounters.since": ({ alertCounters }) => alertCounters.since("hour"),
  "webhooks.add": ({ webhooks }) => webhooks.add({ ...endpoint, _id: "wep_2" }, testAudit),
  "webhooks.find": ({ webhooks }) => webhooks.find(endpoint._id),
  "webhooks.list": async ({ webhooks }) => {
    await webhooks.list(page);
    await webhooks.list({ ...page, after: "wep_0" });
  },
  "webhooks.change": ({ webhooks }) =>
    webhooks.change(endpoint._id, (former) => ({ ...former, description: "changed" }), testAudit),
  "webhooks.remove": ({ webhooks }) => webhooks.remove("wep_2", testAudit),
  "webhookVersions.list": async ({ webhookVersions }) => {
    await webhookVersions.list(endpoint, { limit: 10 });
    await webhookVersions.list(endpoint, { before: 2, limit: 10 });
  },
  "webhookVersions.find": async ({ webhookVersions }) => {
    await webhookVersions.find(endpoint);
    await webhookVersions.find(endpoint, 1);
  },
  "webhookDeliveries.add": ({ webhookDeliveries }) =>
    webhookDeliveries.add({ ...delivery, endpointId: "wep_9", _id: `wep_9.wte_${added++}` }),
  "webhookDeliveries.findQueue": ({ webhookDeliveries }) => webhookDeliveries.findQueue("wep_1"),
  "webhookDeliveries.forgetFailures": ({ webhookDeliveries }) => webhookDeliveries.forgetFailures("wep_1"),
  "webhookDeliveries.find": ({ webhookDeliveries }) => webhookDeliveries.find(delivery._id),
  "webhookDeliveries.list": async ({ webhookDeliveries }) => {
    for (const after of [undefined, delivery]) {
      const asked = { endpointId: "wep_1", limit: 10, ...(after && { after }) };
      await webhookDeliveries.list(asked);
      await webhookDeliveries.list({ ...asked, states: ["failed"], from: now, until: later });
      await webhookDeliveries.list({ ...asked, states: ["failed", "delivered"], until: later });
    }
    const { messageId = "", eventId, type } = delivery;
    const filters: readonly Partial<WebhookDeliveryFilter>[] = [
      ...[{}, { type }, { messageId }, { eventId }],
      { states: ["failed"] },
      { answered: "5xx" },
    ];
    for (const filter of filters) {
      for (const after of [undefined, delivery]) {
        const asked = { ...filter, limit: 10, ...(after && { after }) };
        await webhookDeliveries.list(asked);
        await webhookDeliveries.list({ ...asked, from: now, until: later });
      }
    }
  },
  "webhookDeliveries.failingSince": ({ webhookDeliveries }) => webhookDeliveries.failingSince(),
  "webhookCounters.read": ({ webhookCounters }) =>
    webhookCounters.read({ endpointId: "wep_1", step: "hour", from: now, until: later }),
  "webhookDeliveries.count": ({ webhookDeliveries }) =>
    webhookDeliveries.count({ endpointId: "wep_1", states: ["failed", "delivered"], until: later }, 10),
  "webhookDeliveries.replayMany": ({ webhookDeliveries }) =>
    webhookDeliveries.replayMany({ ids: [delivery._id], endpointId: "wep_1" }, later, now),
  "webhookDeliveries.listOfMessage": ({ webhookDeliveries }) => webhookDeliveries.listOfMessage(id, 10),
  "webhookDeliveries.replay": ({ webhookDeliveries }) =>
    webhookDeliveries.replay(delivery._id, now, testAudit),
  "webhookDeliveries.retry": async ({ webhookDeliveries }) => {
    for (const isOrdered of [true, false])
      await webhookDeliveries.retry(delivery._id, { now: new Date(0), isOrdered }, testAudit);
  },
  "webhookDeliveries.retryAll": ({ webhookDeliveries }) =>
    webhookDeliveries.retryAll(endpoint, { now: new Date(0), limit: 10 }, testAudit),
  "webhookDeliveries.endWaiting": ({ webhookDeliveries }) =>
    webhookDeliveries.endWaiting(
      "wep_1",
      { state: "failed", at: now, endReason: phrase("webhook.removed") },
      1,
    ),
  "jobs.begin": async ({ jobs }) => {
    for (const _id of ["job_5", "job_5", "job_6"]) await jobs.begin({ ...job, _id }, 10, testAudit);
  },
  "jobs.find": ({ jobs }) => jobs.find(job._id),
  "jobs.list": async ({ jobs }) => {
    for (const state of [undefined, "queued"] as const)
      for (const kind of [undefined, job.kind])
        for (const before of [undefined, "job_9"]) await jobs.list({ state, kind, before, limit: 50 });
  },
  "jobs.requestCancel": async ({ jobs }) => {
    for (const _id of ["job_5", "job_6", "job_9"]) await jobs.requestCancel(_id, jobEnd, testAudit);
  },
  "jobs.listResults": async ({ jobs }) => {
    for (const outcome of [undefined, "done"] as const)
      for (const from of [undefined, "job_5.0"])
        await jobs.listResults(job._id, { outcome, from, limit: 50 });
  },
  "keys.rename": ({ keys }) => keys.rename("p2", "two", testAudit),
  "keys.change": ({ keys }) => keys.change("p2", (one) => ({ ...one, senders: [] }), testAudit),
  "keys.supersede": ({ keys }) =>
    keys.supersede(
      "p2",
      (former) => ({
        key: { ...former, _id: `${former._id}s`, hash: `${former.hash}s`, prefix: "p3" },
        expiresAt: later,
      }),
      testAudit,
    ),
  "keys.revoke": ({ keys }) => keys.revoke("p2", now, testAudit),
  "senders.add": async ({ senders }) => {
    await senders.add({ ...firstAccount.sender, _id: "snd_2" } as never, testAudit);
  },
  "senders.list": async ({ senders }) => {
    await senders.list(page);
    await senders.list({ ...page, after: "a" });
  },
  "senders.invite": ({ senders }) =>
    senders.invite(
      { _id: "snd_3", kind: "address", value: "carl@example.com", createdAt: now },
      { linkHash: "l1", linkExpiresAt: later, expireAt: later },
      testAudit,
    ),
  "senders.find": ({ senders }) => senders.find("ada@example.com"),
  "senders.count": ({ senders }) => senders.count(1_000),
  "senders.remove": async ({ senders }) => {
    const sender = { _id: "snd_9", value: "dora@example.com", verifiedAt: now };
    await senders.add({ ...firstAccount.sender, ...sender } as never, testAudit);
    await senders.remove("dora@example.com", testAudit);
    await senders.remove("carl@example.com", testAudit);
  },
  "senders.listAmong": ({ senders }) => senders.listAmong(["ada@example.com", "example.com"]),
  "senders.hasAny": ({ senders }) => senders.hasAny(["ada@example.com", "example.com"]),
  "domainKeys.insertFirst": ({ domainKeys }) =>
    domainKeys.insertFirst("example.com", [domainKey("k1")], testAudit),
  "domainKeys.insertMany": ({ domainKeys }) => domainKeys.insertMany([domainKey("k2")], testAudit),
  "domainKeys.listFacts": ({ domainKeys }) => domainKeys.listFacts(["example.com", "example.org"]),
  "domainKeys.remove": ({ domainKeys }) => domainKeys.remove("example.com", ["k2"], testAudit),
  "domains.add": async ({ domains }) => {
    await domains.add(domain, testAudit);
    await domains.add(domain, testAudit);
  },
  "domains.find": ({ domains }) => domains.find("example.com"),
  "domains.findNames": ({ domains }) => domains.findNames(["example.com", "example.org"]),
  "domains.count": ({ domains }) => domains.count(1_000),
  "webhooks.count": ({ webhooks }) => webhooks.count(20),
  "workspaces.count": ({ workspaces }) => workspaces.count(200),
  "alertRules.count": ({ alertRules }) => alertRules.count(2_000),
  "policies.count": ({ policies }) => policies.count(1_000),
  "domains.list": async ({ domains }) => {
    await domains.list(page);
    await domains.list({ ...page, after: "a" });
  },
  "domains.ask": async ({ domains }) => {
    await domains.ask(domain, now);
    await domains.ask({ ...domain, askedAt: now }, later);
  },
  "domains.change": async ({ domains }) => {
    await domains.change("example.com", (known) => ({
      domain: known,
      event: { ...domainEvent, _id: newId("dev", now) },
    }));
    await domains.change("example.com", () => undefined);
  },
  "domains.setLink": async ({ domains }) => {
    await domains.setLink("example.com", { id: "a", expiresAt: later }, testAudit);
    await domains.setLink("example.com", undefined, testAudit);
    await domains.setLink("example.com", undefined, testAudit);
  },
  "domains.listEvents": ({ domains }) => domains.listEvents("example.com"),
  "domains.remove": ({ domains }) => domains.remove("example.net", testAudit),
  "domainKeys.list": ({ domainKeys }) => domainKeys.list("example.com"),
  "policies.replace": ({ policies }) => policies.replace("default", () => policy as never, testAudit),
  "policies.makeDefault": async ({ policies }) => {
    await policies.makeDefault("default", () => undefined, testAudit);
    await policies.makeDefault("none", () => undefined, testAudit);
  },
  "policies.retire": async ({ policies }) => {
    await policies.replace("gone", () => ({ ...policy, name: "gone", default: false }) as never, testAudit);
    const retirement = { at: now, expireAt: later, check: () => undefined };
    await policies.retire("gone", retirement, testAudit);
  },
  "policies.findOfMessage": ({ policies }) => policies.findOfMessage("default"),
  "policies.find": ({ policies }) => policies.find("default"),
  "policies.findDefault": ({ policies }) => policies.findDefault(),
  "policies.list": async ({ policies }) => {
    await policies.list(page);
    await policies.list({ ...page, after: "a" });
  },
  "policyVersions.list": async ({ policyVersions }) => {
    await policyVersions.list(policy as never, { limit: 10 });
    await policyVersions.list(policy as never, { before: 2, limit: 10 });
  },
  "policyVersions.find": async ({ policyVersions }) => {
    await policyVersions.find(policy as never);
    await policyVersions.find(policy as never, 1);
  },
  "policyVersions.findRevision": ({ policyVersions }) =>
    policyVersions.findRevision(policy as never, "rev_1"),
  "policyHolds.add": ({ policyHolds }) => policyHolds.add({ policy: "default", reason: "down" }, testAudit),
  "policyHolds.ofPolicy": ({ policyHolds }) => policyHolds.ofPolicy("default"),
  "policyHolds.ofMessage": ({ policyHolds }) => policyHolds.ofMessage("default", "example.org"),
  "policyHolds.oldest": ({ policyHolds }) => policyHolds.oldest(5),
  "policyHolds.remove": ({ policyHolds }) => policyHolds.remove({ policy: "default" }, testAudit),
  "templates.publish": ({ templates }) =>
    templates.publish({ name: "welcome", definition: { subject: "Hi" } as never, createdAt: now }, testAudit),
  "templates.edit": ({ templates }) =>
    templates.edit("welcome", () => ({ draft: { subject: "Hi" } as never }), now, testAudit),
  "templates.find": ({ templates }) => templates.find("welcome"),
  "templates.findVersion": ({ templates }) => templates.findVersion("welcome", 1),
  "templates.listVersions": async ({ templates }) => {
    for (const before of [undefined, 2]) await templates.listVersions("welcome", { before, limit: 50 });
  },
  "templates.listStates": async ({ templates }) => {
    for (const after of [undefined, "a"]) await templates.listStates({ ...page, after });
  },
  "templates.listSubjects": ({ templates }) =>
    templates.listSubjects({ published: ["welcome"], drafts: ["welcome", "news"] }),
  "templates.listUses": ({ templates }) => templates.listUses(),
  "templates.remove": ({ templates }) => templates.remove("welcome", testAudit),
  "templates.findPublished": ({ templates }) => templates.findPublished("welcome"),
  "templates.listPublished": async ({ templates }) => {
    await templates.listPublished(page);
    await templates.listPublished({ ...page, after: "a" });
  },
  "messages.findByIdempotencyKey": ({ messages }) => messages.findByIdempotencyKey("email.send", "k"),
  "messages.forgetIdempotencyKey": ({ messages }) => messages.forgetIdempotencyKey(message, "k"),
  "messages.countEngagement": ({ messages }) =>
    messages.countEngagement(message, "clicked", { at: now, isMachine: true, link: "l" }),
  "messages.claimFirstEngagement": ({ messages }) =>
    messages.claimFirstEngagement(message, "opened", { hitId: "h", at: now }),
  "messages.findSubmitted": ({ messages }) => messages.findSubmitted(id.slice(0, -4)),
  "messages.listByTraceId": ({ messages }) => messages.listByTraceId("sx_1"),
  "search.add": ({ search }) => search.add([message]),
  "messages.countSpan": async ({ messages }) => {
    for (const filter of [{}, { from: now, until: later }]) await messages.countSpan(filter, 10);
  },
  "messages.list": async ({ messages }) => {
    for (const filter of [
      { tags: ["a"] },
      { traceId: "sx_1" },
      { messageId: id },
      { from: now, until: later },
    ])
      await messages.list({ ...page, filter });
    for (const state of [undefined, "bounced"] as const)
      for (const beforeId of [undefined, "msg_2"]) {
        await messages.list({
          ...page,
          ...(state && { filter: { states: [state] } }),
          ...(beforeId && { beforeId }),
        });
      }
  },
  "messages.all": async ({ messages }) => {
    const filters = [
      {},
      { tags: ["a"] },
      { states: ["bounced"] as const },
      { traceId: "sx_1" },
      { from: now },
    ];
    for (const filter of filters) for await (const _ of messages.all(filter));
  },
  "messages.applyLateOutcome": ({ messages }) =>
    messages.applyLateOutcome(message, "bounced", { at: now, expireAt: later }),
  "queue.withdrawBeforeDue": ({ queue }) =>
    queue.withdrawBeforeDue(message, later, { at: now, audit: testAudit }),
  "queue.requestCancel": ({ queue }) => queue.requestCancel(message, { at: now, audit: testAudit }),
  "queue.cancel": ({ queue }) => queue.cancel(message, { at: now, expireAt: later }),
  "queue.withdrawMany": ({ queue }) =>
    queue.withdrawMany([message], { at: now, dueAfter: later, jobId: job._id }),
  "queue.retryNow": ({ queue }) => queue.retryNow(message, { at: now, dueAfter: later }, testAudit),
  "queue.retryMany": ({ queue }) => queue.retryMany([message], { at: now, dueAfter: later, jobId: job._id }),
  "queue.cancelMany": ({ queue }) => queue.cancelMany([message], { at: now, expireAt: later }),
  "suppressions.add": async ({ suppressions }) => {
    await suppressions.add(suppression, testAudit);
    await suppressions.add(suppression, testAudit);
  },
  "suppressions.findAmong": ({ suppressions }) =>
    suppressions.findAmong([{ addressKey: address }, { addressKey: address, policy: "default" }], now),
  "suppressions.list": async ({ suppressions }) => {
    await suppressions.list({ ...page, now });
    await suppressions.list({ ...page, now, after: "a" });
    await suppressions.list({ ...page, now, addressKey: address });
    await suppressions.list({ ...page, now, reason: "complaint" });
    await suppressions.list({ ...page, now, reason: "complaint", after: "a" });
    // Every combination of filters, from the start and from the middle.
    for (const start of [{}, { after: "a" }])
      for (const whom of [{}, { addressKey: address }])
        for (const where of [{}, { domain: "example.net" }])
          for (const why of [{}, { reason: "manual" as const }])
            for (const scope of [{}, { policy: null }, { policy: "default" }])
              for (const cause of [{}, { messageId: id }])
                await suppressions.list({
                  ...page,
                  now,
                  ...start,
                  ...whom,
                  ...where,
                  ...why,
                  ...scope,
                  ...cause,
                });
  },
  "suppressions.listByTime": async ({ suppressions }) => {
    for (const reason of [undefined, "complaint" as const])
      for (const after of [undefined, { createdAt: now, id: "a" }])
        for (const until of [undefined, later])
          await suppressions.listByTime({ ...page, now, reason, after, from: now, until });
  },
  "suppressions.count": async ({ suppressions }) => {
    const most = { limit: 10, now };
    for (const from of [undefined, now])
      for (const domain of [undefined, "example.net"])
        for (const policy of [undefined, null, "default"])
          await suppressions.count({ reason: "complaint", domain, policy, from }, most);
    await suppressions.count({ reason: "complaint", addressKey: address }, most);
    await suppressions.count({ reason: "complaint", messageId: id }, most);
  },
  "suppressions.removeMeant": ({ suppressions }) =>
    suppressions.removeMeant([{ addressKey: address }], () => true, now, testAudit),
  "suppressions.find": ({ suppressions }) => suppressions.find({ addressKey: address }, now),
  "suppressions.addMany": ({ suppressions }) => suppressions.addMany([suppression], now, testAudit),
  "suppressions.preview": ({ suppressions }) => suppressions.preview([suppression], now),
  "suppressions.removeMany": ({ suppressions }) =>
    suppressions.removeMany([{ addressKey: address }], now, testAudit),
  "suppressions.remove": ({ suppressions }) => suppressions.remove({ addressKey: address }, now, testAudit),
  "sandbox.remove": ({ sandbox }) => sandbox.remove("msg_1", testAudit),
  "sandbox.clear": ({ sandbox }) => sandbox.clear(testAudit),
};

const ownCalls: Calls<Store> = {
  "audit.installation.add": ({ audit }) => audit.installation.add(testAudit, readAct),
  "audit.installation.list": ({ audit }) => listAudit(audit.installation),
  "audit.listOfUser": async ({ audit }) => {
    await audit.listOfUser(user._id, page);
    await audit.listOfUser(user._id, { ...page, from: now, until: later, beforeId: "aud_1" });
  },
  "firstAccount.isWanted": ({ firstAccount }) => firstAccount.isWanted(now),
  "firstAccount.make": async (store) => {
    const build = () => firstAccount as never;
    await store.firstAccount.make({ build, abandonedBefore: now });
    await store.firstAccount.make({ build, abandonedBefore: later });
  },
  "firstAccount.markShown": ({ firstAccount }) => firstAccount.markShown(now, later),
  "accounts.resolve": async ({ accounts }) => [await accounts.resolve(""), await accounts.resolve(accountId)],
  "accounts.first": ({ accounts }) => accounts.first(),
  "accounts.insert": ({ accounts }) =>
    accounts.insert({ _id: "acc_2", name: "two", createdAt: now }, testAudit),
  "accounts.find": ({ accounts }) => accounts.find(accountId),
  "accounts.demandsOf": ({ accounts }) => accounts.demandsOf(accountId),
  "accounts.requireSecondFactor": async ({ accounts }) => {
    for (const isRequired of [true, false])
      await accounts.requireSecondFactor(accountId, isRequired, testAudit);
  },
  "accounts.open": ({ accounts }) =>
    accounts.open(
      {
        account: { _id: "acc_6", name: "six", createdAt: now },
        member: { ...firstAccount.member, _id: `acc_6.${user._id}`, accountId: "acc_6", userId: user._id },
        policy: { ...firstAccount.policy, _id: "acc_6.sandbox", accountId: "acc_6" },
      } as never,
      20,
      testAudit,
    ),
  "accounts.rename": ({ accounts }) => accounts.rename(accountId, "one", testAudit),
  "accounts.namesOf": ({ accounts }) => accounts.namesOf([accountId]),
  "accounts.list": async ({ accounts }) => {
    await accounts.list({ limit: 50 });
    await accounts.list({ limit: 50, after: accountId });
  },
  "accounts.existing": ({ accounts }) => accounts.existing([accountId]),
  "users.settleFormer": ({ users }) => users.settleFormer({ ...user, accountId }),
  "users.findByEmail": ({ users }) => users.findByEmail(user.email),
  "users.findById": ({ users }) => users.findById(user._id),
  "users.findByIds": ({ users }) => users.findByIds([user._id]),
  "users.list": async ({ users }) => {
    await users.list({ limit: 50 });
    await users.list({ limit: 50, after: "a" });
  },
  "users.setPassword": async ({ users }) => {
    await users.setPassword(user, { passwordHash: "p2", mustChangePassword: true }, ofUser);
    await users.setPassword(user, { passwordHash: "p2", mustChangePassword: false }, ofUser);
  },
  "sessions.insert": ({ sessions }) => sessions.insert(session, testAudit),
  "sessions.find": ({ sessions }) => sessions.find(session._id),
  "sessions.findByHash": ({ sessions }) => sessions.findByHash(session.hash),
  "sessions.listOfUser": ({ sessions }) => sessions.listOfUser(user._id),
  "sessions.touch": ({ sessions }) => sessions.touch(session._id, { seenAt: now, expireAt: later }),
  "sessions.renew": ({ sessions }) =>
    sessions.renew(session, { hash: "h2", mustChangePassword: false, secondFactorPending: false }, testAudit),
  "sessions.endOne": ({ sessions }) => sessions.endOne(user._id, session._id, testAudit),
  "sessions.endAll": async ({ sessions }) => {
    await sessions.endAll({ ...ended, exceptId: session._id }, testAudit);
    await sessions.endAll(ended, testAudit);
  },
  "accountDeletions.begin": async ({ accounts, accountDeletions }) => {
    await accounts.insert({ _id: "acc_zz", name: "last", createdAt: now }, testAudit);
    await accountDeletions.begin("acc_zz", { deletedAt: now, deletedBy: "" }, testAudit);
  },
  "accountDeletions.next": ({ accountDeletions }) => accountDeletions.next(),
  "accountDeletions.removeAccess": async ({ accountDeletions, forAccount }) => {
    await forAccount("acc_zz").keys.insert({ ...key, _id: "key_zz", hash: "hzz" } as never, testAudit);
    await accountDeletions.removeAccess("acc_zz");
  },
  "accountDeletions.removeMessages": async ({ accountDeletions, acrossAccounts }) => {
    const waiting = [
      queuedMessage(now, { accountId: "acc_zz" }),
      queuedMessage(later, { accountId: "acc_zz" }),
    ];
    const { nextAttemptAt: _, ...finished } = queuedMessage(now, { accountId: "acc_zz" });
    await acrossAccounts.messages.insertMany([...waiting, finished]);
    await accountDeletions.removeMessages("acc_zz", undefined, now, now);
    await accountDeletions.removeMessages("acc_zz", "msg_z", now, now);
  },
  "accountDeletions.removeSettings": async ({ accountDeletions, forAccount }) => {
    await forAccount("acc_zz").senders.add({ ...firstAccount.sender, _id: "snd_zz" } as never, testAudit);
    await accountDeletions.removeSettings("acc_zz");
  },
  "accountDeletions.forgetInIndex": ({ accountDeletions }) => accountDeletions.forgetInIndex("acc_zz", now),
  "accountDeletions.list": async ({ accountDeletions }) => {
    await accountDeletions.list(page);
    await accountDeletions.list({ ...page, after: "acc_a" });
  },
  "accountDeletions.find": ({ accountDeletions }) => accountDeletions.find("acc_zz"),
  "accountDeletions.finish": ({ accountDeletions }) => accountDeletions.finish("acc_zz", now, later),
  "factors.findTotp": ({ factors }) => factors.findTotp(user._id),
  "factors.hasTotp": ({ factors }) => factors.hasTotp(user._id),
  "factors.usersWithTotp": ({ factors }) => factors.usersWithTotp([user._id, "usr_2"]),
  "factors.beginTotp": ({ factors }) => factors.beginTotp(totp),
  "factors.confirmTotp": ({ factors }) => factors.confirmTotp(totp, 1, holder, testAudit),
  "factors.useStep": ({ factors }) => factors.useStep(totp, 2),
  "factors.removeTotp": ({ factors }) => factors.removeTotp(holder, testAudit),
  "factors.putRecoveryCodes": ({ factors }) => factors.putRecoveryCodes(holder, ["c1", "c2"], now, testAudit),
  "factors.countRecoveryCodes": ({ factors }) => factors.countRecoveryCodes(user._id),
  "factors.useRecoveryCode": ({ factors }) => factors.useRecoveryCode(user._id, "c1"),
  "passkeys.insert": async ({ passkeys }) => {
    const passkey = { id: "pk_1", publicKey: Buffer.from("k"), counter: 0, transports: [], backedUp: false };
    for (const _ of [1, 2])
      await passkeys.insert({ ...passkey, userId: user._id, name: "key", createdAt: now }, holder, testAudit);
  },
  "passkeys.find": ({ passkeys }) => passkeys.find("pk_1"),
  "passkeys.listOfUser": ({ passkeys }) => passkeys.listOfUser(user._id),
  "passkeys.has": ({ passkeys }) => passkeys.has(user._id),
  "passkeys.usersWithPasskey": ({ passkeys }) => passkeys.usersWithPasskey([user._id, "usr_2"]),
  "passkeys.rename": ({ passkeys }) => passkeys.rename(holder, "pk_1", "other", testAudit),
  "passkeys.use": ({ passkeys }) =>
    passkeys.use({ _id: "pk_1", counter: 0 }, { counter: 1, backedUp: false, lastUsedAt: now }),
  "passkeys.remove": ({ passkeys }) => passkeys.remove(holder, "pk_1", testAudit),
  "passkeys.removeAll": ({ passkeys }) => passkeys.removeAll(holder, testAudit),
  "passkeys.putChallenge": ({ passkeys }) =>
    passkeys.putChallenge({ _id: "ch_1", purpose: "sign_in", userId: "", expireAt: later }),
  "passkeys.takeChallenge": ({ passkeys }) => passkeys.takeChallenge("ch_1", now),
  "identities.find": ({ identities }) => identities.find("id_1"),
  "identities.listOfUser": ({ identities }) => identities.listOfUser(user._id),
  "identities.link": async ({ identities }) => {
    for (const _ of [1, 2]) await identities.link(linked, holder, testAudit);
  },
  "identities.provision": ({ identities }) =>
    identities.provision(
      {
        identity: { ...linked, _id: "id_2", userId: "usr_7" },
        user: { ...user, _id: "usr_7", email: "seven@example.com" },
        member: { ...firstAccount.member, _id: `${accountId}.usr_7`, userId: "usr_7", role: "viewer" },
      },
      testAudit,
    ),
  "identities.unlink": ({ identities }) => identities.unlink(holder, "id_1", testAudit),
  "identities.putRequest": ({ identities }) =>
    identities.putRequest({ _id: "st_1", browser: "b1", userId: "", expireAt: later }),
  "identities.takeRequest": ({ identities }) => identities.takeRequest("st_1", now),
  "mailLinks.put": ({ mailLinks }) => mailLinks.put(link),
  "mailLinks.find": ({ mailLinks }) => mailLinks.find("sign_up", "l1", now),
  "mailLinks.remove": ({ mailLinks }) => mailLinks.remove(link._id),
  "mailLinks.resetPassword": async ({ mailLinks }) => {
    const reset = { ...link, _id: "password_reset:1", purpose: "password_reset", hash: "l2" } as const;
    await mailLinks.put({ ...reset, email: user.email });
    await mailLinks.resetPassword("l2", "p3", now, testAudit);
  },
  "mailLinks.changeEmail": async ({ mailLinks, sessions }) => {
    await sessions.insert({ ...session, _id: "ses_8", hash: "h8" }, testAudit);
    const change = { ...link, _id: "email_change:1", purpose: "email_change", hash: "l3" } as const;
    await mailLinks.put({ ...change, email: "other@example.com", sessionId: "ses_8" });
    await mailLinks.changeEmail("l3", now, testAudit);
  },
  "mailLinks.signUp": async ({ mailLinks }) => {
    await mailLinks.put(link);
    const signedUp = {
      user: { ...user, _id: "usr_8", email: link.email },
      account: { _id: "acc_8", name: "eight", createdAt: now },
      member: { ...firstAccount.member, _id: "acc_8.usr_8", accountId: "acc_8", userId: "usr_8" },
      policy: { ...firstAccount.policy, _id: "acc_8.sandbox", accountId: "acc_8" },
    };
    await mailLinks.signUp("l1", () => signedUp as never, now, testAudit);
  },
  "signInFailures.find": ({ signInFailures }) => signInFailures.find("network:a"),
  "signInFailures.count": async ({ signInFailures }) => {
    const failures = { _id: "network:a", count: 1, lastAt: now, expireAt: later };
    await signInFailures.count(null, failures);
    await signInFailures.count(failures, { ...failures, count: 2 });
  },
  "signInFailures.forget": ({ signInFailures }) => signInFailures.forget("network:a"),
  "signInFailures.takeBack": ({ signInFailures }) => signInFailures.takeBack("network:a"),
  "partitions.announceWorker": ({ partitions }) => partitions.announceWorker("wrk_1", 10_000),
  "partitions.liveWorkers": ({ partitions }) => partitions.liveWorkers(10_000),
  "partitions.removeWorker": ({ partitions }) => partitions.removeWorker("wrk_1"),
  "partitions.take": ({ partitions }) => partitions.take(1, "wrk_1", 10_000),
  "partitions.list": ({ partitions }) => partitions.list(10_000),
  "partitions.renew": ({ partitions }) => partitions.renew("wrk_1", [1], 10_000),
  "partitions.count": ({ partitions }) => partitions.count(),
  "partitions.leasedCount": ({ partitions }) => partitions.leasedCount(),
  "partitions.raiseCount": ({ partitions }) => partitions.raiseCount(3),
  "partitions.release": ({ partitions }) => partitions.release("wrk_1", [1]),
  "schema.read": ({ schema }) => schema.read(),
  "schema.isUsed": ({ schema }) => schema.isUsed(),
  "schema.note": ({ schema }) => schema.note(1, "0.1.0"),
  "schema.raise": ({ schema }) => schema.raise(2, "0.2.0"),
  "schema.raiseOldest": ({ schema }) => schema.raiseOldest(2),
  "schema.announce": ({ schema }) => schema.announce(ownProcess),
  "schema.listProcesses": ({ schema }) => schema.listProcesses(),
  "schema.listUnannounced": ({ schema }) => schema.listUnannounced(),
  "schema.withdraw": ({ schema }) => schema.withdraw("host:1"),
  "schema.take": ({ schema }) => schema.take("host:1", 10_000),
  "schema.release": ({ schema }) => schema.release("host:1"),
  "schema.listMigrations": ({ schema }) => schema.listMigrations(),
  "schema.addMigration": ({ schema }) => schema.addMigration(change),
  "schema.beginMigration": async ({ schema }) => {
    await schema.addMigration(change);
    await schema.beginMigration(2, "host:1", now);
  },
  "schema.changeMigration": ({ schema }) => schema.changeMigration(2, "host:1", { done: 1 }),
  "holds.list": ({ holds }) => holds.list(),
  "holds.add": ({ holds }) => holds.add({ _id: "//", reason: "", heldAt: now }, testAudit),
  "holds.addBySetting": ({ holds }) => holds.addBySetting({ _id: "//", reason: "", heldAt: now }),
  "holds.remove": ({ holds }) => holds.remove("//", testAudit),
  "secrets.getOrCreate": ({ secrets }) => secrets.getOrCreate("one"),
  "secretRotation.total": ({ secretRotation }) => secretRotation.total(),
  "secretRotation.step": async ({ secretRotation }) => {
    for (let collection = 0; collection < 4; collection++) {
      await secretRotation.step({ collection, afterId: "" });
    }
  },
  "liveness.announce": async ({ liveness }) => {
    for (const [at, own] of [
      [now, undefined],
      [later, undefined],
      [later, now],
    ] as const)
      await liveness.announce(at, own);
    await liveness.announce(later, later, true);
  },
  "liveness.findOutage": ({ liveness }) => liveness.findOutage({ from: now, to: later }),
  "mtaStsPolicies.put": ({ mtaStsPolicies }) =>
    mtaStsPolicies.put({
      _id: "example.net",
      policyId: "1",
      mode: "none",
      mx: [],
      maxAgeSeconds: 60,
      fetchedAt: now,
      expireAt: later,
    }),
  "mtaStsPolicies.find": ({ mtaStsPolicies }) => mtaStsPolicies.find("example.net"),
};

function through<Scope>(door: string, open: (store: Store) => Scope, calls: Calls<Scope>): Calls<Store> {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [`${door}.${name}`, (store: Store) => call(open(store))]),
  );
}

let calls = 0;

/** All functions of the store with every form of their queries. Documents contain only indexed fields. */
export const storeCalls: Calls<Store> = {
  ...ownCalls,
  ...intelCalls.store,
  ...through("acrossAccounts", (store) => store.acrossAccounts, {
    ...sharedCalls,
    ...acrossCalls,
    ...intelCalls.across,
  }),
  "acrossAccounts.policyHolds.isFull": ({ acrossAccounts }) => acrossAccounts.policyHolds.isFull(),
  "acrossAccounts.policyHolds.ids": ({ acrossAccounts }) => acrossAccounts.policyHolds.ids(),
  "acrossAccounts.retentions.claim": async (store) => {
    await store.forAccount(accountId).retentions.change({ messageDays: 1 }, now, testAudit);
    await store.acrossAccounts.retentions.claim(now, later);
  },
  "acrossAccounts.erasures.claim": async (store) => {
    await store.forAccount(accountId).erasures.begin(erasure, testAudit);
    await store.acrossAccounts.erasures.claim(now, later);
    await store.acrossAccounts.erasures.claim(now, later);
  },
  "acrossAccounts.erasures.removeJobs": async (store) => {
    const another = { ...erasure, _id: "era_2", address: "another@example.net" };
    const own = store.forAccount(accountId);
    await own.erasures.begin(another, testAudit);
    await own.jobs.begin({ ...job, _id: "job_e", params: { recipient: another.address } }, 10, testAudit);
    await store.acrossAccounts.erasures.removeJobs(another);
  },
  ...through("forAccount", (store) => store.forAccount(accountId), {
    ...sharedCalls,
    ...accountCalls,
    ...intelCalls.account,
  }),
};

/** Returns the names of all functions of a store or a part of it, as `keys.list`. */
export function functionsIn(part: object): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (typeof value === "function") return [name];
    return typeof value === "object" ? functionsIn(value).map((inner) => `${name}.${inner}`) : [];
  });
}
