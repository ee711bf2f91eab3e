import type { Db, IndexDescription } from "mongodb";
import { inLanes } from "../shared/in-lanes.ts";
import { waitingStates } from "../shared/message-state.ts";
import { intelIndexes } from "./intel-indexes.ts";
import { guarded } from "./store-fault.ts";

/** Which keys encrypt secrets is asked at every start. */
const sealedWith: IndexDescription = {
  key: { sealedWith: 1 },
  name: "sealed_with",
  partialFilterExpression: { sealedWith: { $exists: true } },
};

/** What the audit log may be asked for, besides an outcome and a span of time: every combination. */
const auditPaths = [
  [],
  ["actor.id"],
  ["target.id"],
  ["action"],
  ["actor.id", "target.id"],
  ["actor.id", "action"],
  ["target.id", "action"],
  ["actor.id", "target.id", "action"],
] as const;

/** What the suppression list may be asked for besides its reasons, which are always named beside these. */
const suppressionPaths = [["domain"], ["policy"], ["domain", "policy"]] as const;

/** Every index, by collection. Made at start; making one that exists is a no-op. */
const indexes: Readonly<Record<string, readonly IndexDescription[]>> = {
  apiKeys: [
    { key: { hash: 1 }, unique: true },
    { key: { accountId: 1, prefix: 1 } },
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1, kind: 1, _id: 1 } },
    // Only keys that may send as some addresses alone.
    { key: { accountId: 1, senders: 1 } },
  ],
  keyUses: [{ key: { accountId: 1, keyId: 1, day: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  users: [{ key: { email: 1 }, unique: true }],
  members: [
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1, role: 1 } },
    { key: { userId: 1, _id: 1 } },
  ],
  sessions: [
    { key: { hash: 1 }, unique: true },
    { key: { userId: 1, _id: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  invitations: [
    { key: { hash: 1 }, unique: true },
    { key: { accountId: 1, email: 1 }, unique: true },
    { key: { accountId: 1, _id: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  totpSecrets: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }, sealedWith],
  recoveryCodes: [{ key: { userId: 1, _id: 1 } }],
  passkeys: [{ key: { userId: 1, _id: 1 } }],
  passkeyChallenges: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  identities: [{ key: { userId: 1, _id: 1 } }],
  oidcRequests: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  mailLinks: [
    { key: { hash: 1 }, unique: true },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  signInFailures: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  senders: [
    { key: { accountId: 1, value: 1 }, unique: true },
    {
      key: { linkHash: 1 },
      name: "link",
      unique: true,
      partialFilterExpression: { linkHash: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  domains: [{ key: { accountId: 1, name: 1 } }, { key: { nextCheckAt: 1 } }],
  domainEvents: [
    { key: { accountId: 1, domain: 1, _id: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  domainKeys: [{ key: { accountId: 1, domain: 1, selector: 1 }, unique: true }, sealedWith],
  policies: [
    { key: { accountId: 1, name: 1 }, unique: true },
    { key: { accountId: 1 }, name: "one_default", unique: true, partialFilterExpression: { default: true } },
    // Of those that were deleted.
    { key: { expireAt: 1 }, expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
    sealedWith,
  ],
  templates: [
    { key: { accountId: 1, name: 1, version: 1 }, unique: true },
    {
      key: { accountId: 1, name: 1 },
      name: "published",
      unique: true,
      partialFilterExpression: { published: true },
    },
  ],
  // What was deleted stays, and is in no list.
  templateHeads: [
    { key: { accountId: 1, name: 1 }, unique: true },
    { key: { accountId: 1, present: 1, name: 1 } },
  ],
  contents: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  chunks: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  sealedBodies: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }, sealedWith],
  messages: [
    { key: { accountId: 1, _id: -1 } },
    { key: { traceId: 1 } },
    // "Is it new?" and "store it" are one atomic write: no lock that can expire.
    // The bucket follows from the others; where a database is sharded by it, a unique index has to begin with it.
    {
      key: { bucket: 1, accountId: 1, operation: 1, idempotencyKey: 1 },
      name: "idempotency_in_bucket",
      unique: true,
      partialFilterExpression: { idempotencyKey: { $exists: true } },
    },
    // The queue: a message is in it only while it waits. By either sign of that, so that a message with one of them damaged is found.
    {
      key: { partition: 1, priority: 1, nextAttemptAt: 1, recipientDomain: 1 },
      name: "waiting",
      partialFilterExpression: {
        $or: [{ nextAttemptAt: { $exists: true } }, { state: { $in: [...waitingStates] } }],
      },
    },
    {
      key: { partition: 1, cancelRequestedAt: 1 },
      name: "cancel_requests",
      partialFilterExpression: { cancelRequestedAt: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
  ],
  eventLog: [
    { key: { at: 1, _id: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
    // Changes to what an account has besides messages, which are few.
    {
      key: { accountId: 1, "change.addressKey": 1 },
      name: "changes",
      partialFilterExpression: { accountId: { $exists: true } },
    },
  ],
  unplacedChanges: [
    { key: { accountId: 1 } },
    {
      key: { accountId: 1, "change.addressKey": 1 },
      name: "about_address",
      partialFilterExpression: { "change.addressKey": { $exists: true } },
    },
  ],
  events: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  quarantine: [{ key: { accountId: 1, _id: 1 } }],
  suppressions: [
    { key: { accountId: 1, addressKey: 1, policy: 1 }, unique: true },
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1, reason: 1, _id: 1 } },
    ...suppressionPaths.map((paths) => ({
      key: Object.fromEntries(["accountId", ...paths, "reason", "_id"].map((path) => [path, 1])),
    })),
    {
      key: { accountId: 1, messageId: 1, _id: 1 },
      name: "of_message",
      partialFilterExpression: { messageId: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  sandboxMessages: [{ key: { accountId: 1, _id: -1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  // A search names one mark at most: the others are few enough to be looked at.
  requests: [
    { key: { accountId: 1, _id: -1 } },
    { key: { accountId: 1, marks: 1, _id: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  jobs: [
    { key: { accountId: 1, _id: -1 } },
    { key: { accountId: 1, state: 1, _id: -1 } },
    // No account has more open jobs than it has slots, however many are begun at once.
    {
      key: { accountId: 1, slot: 1 },
      name: "open",
      unique: true,
      partialFilterExpression: { slot: { $exists: true } },
    },
    { key: { turnAt: 1, ranAt: 1 }, name: "turns", partialFilterExpression: { turnAt: { $exists: true } } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  jobItems: [{ key: { accountId: 1, _id: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  jobResults: [
    { key: { accountId: 1, jobId: 1, _id: 1 } },
    { key: { accountId: 1, jobId: 1, outcomes: 1, _id: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  // Newest first, for each combination of what may be asked for; the outcome is always named.
  auditEntries: [
    ...auditPaths.map((paths) => ({
      key: Object.fromEntries([...["accountId", ...paths, "outcome"].map((path) => [path, 1]), ["_id", -1]]),
    })),
    {
      key: { userId: 1, _id: -1 },
      name: "of_user",
      partialFilterExpression: { userId: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  // Made here, for collections that come into being by writes made together conflict over it.
  partitions: [{ key: { owner: 1 } }],
  // MongoDB's own index of them, named to have the collections, for the same reason.
  accounts: [{ key: { _id: 1 }, name: "_id_" }],
  deletedAccounts: [{ key: { finishedAt: 1, _id: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  retentions: [{ key: { accountId: 1 } }, { key: { dueAt: 1 } }],
  erasures: [
    { key: { accountId: 1, _id: -1 } },
    { key: { heldUntil: 1 }, name: "open", partialFilterExpression: { heldUntil: { $exists: true } } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  installation: [{ key: { _id: 1 }, name: "_id_" }],
  schema: [{ key: { _id: 1 }, name: "_id_" }],
  counters: [{ key: { accountId: 1, step: 1, at: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  journal: [
    { key: { writer: 1, _id: 1 } },
    { key: { lookAt: 1 }, name: "to_look_at", partialFilterExpression: { lookAt: { $exists: true } } },
  ],
  journalWriters: [{ key: { _id: 1 }, name: "_id_" }],
  webhookEndpoints: [
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1, place: 1 }, unique: true },
    { key: { untold: 1 }, name: "untold", partialFilterExpression: { untold: { $exists: true } } },
    sealedWith,
  ],
  webhookDeliveries: [
    { key: { accountId: 1, endpointId: 1, at: -1, _id: -1 } },
    { key: { accountId: 1, endpointId: 1, state: 1, at: -1, _id: -1 } },
    { key: { accountId: 1, messageId: 1, at: 1, _id: 1 } },
    {
      key: { endpointId: 1, dueAt: 1 },
      name: "due",
      partialFilterExpression: { dueAt: { $exists: true } },
    },
    {
      key: { accountId: 1, addressKey: 1 },
      name: "about_address",
      partialFilterExpression: { addressKey: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  webhookLanes: [
    { key: { accountId: 1, _id: 1 } },
    { key: { slot: 1, wakeAt: 1 }, name: "awake", partialFilterExpression: { wakeAt: { $exists: true } } },
  ],
  alerts: [
    { key: { accountId: 1, _id: -1 } },
    {
      key: { accountId: 1, idempotencyKey: 1 },
      name: "idempotency",
      unique: true,
      partialFilterExpression: { idempotencyKey: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  alertBooks: [{ key: { accountId: 1 } }],
  alertRules: [{ key: { accountId: 1, name: 1 }, unique: true }],
  alertRuleVersions: [{ key: { accountId: 1, to: 1 } }],
  silences: [
    { key: { accountId: 1, endsAt: 1 } },
    { key: { accountId: 1, _id: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  inhibitions: [{ key: { accountId: 1, name: 1 }, unique: true }],
  incidents: [
    // Of one rule and group one is open: whoever comes second finds the first one's.
    {
      key: { accountId: 1, ruleId: 1, groupKey: 1 },
      name: "open",
      unique: true,
      partialFilterExpression: { open: true },
    },
    { key: { accountId: 1, ruleId: 1, groupKey: 1, openedAt: -1 } },
    { key: { accountId: 1, _id: -1 } },
    { key: { accountId: 1, state: 1, _id: -1 } },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { dueAt: { $exists: true } } },
    {
      key: { accountId: 1, heldBy: 1 },
      name: "held",
      partialFilterExpression: { heldBy: { $exists: true } },
    },
    // Set once it is over: one that is open never goes.
    { key: { expireAt: 1 }, expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
  ],
  firings: [
    { key: { incidentId: 1, rank: -1, _id: 1 } },
    { key: { incidentId: 1, lastAt: 1 } },
    {
      key: { incidentId: 1, rank: -1, _id: 1 },
      name: "untold",
      partialFilterExpression: { untold: true },
    },
    { key: { accountId: 1, fingerprint: 1 } },
  ],
  incidentHistory: [
    { key: { accountId: 1, incidentId: 1, _id: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  alertCeilings: [
    { key: { accountId: 1, _id: 1 } },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  undeliveredAlerts: [
    { key: { accountId: 1 } },
    { key: { tellAt: 1 }, name: "to_tell", partialFilterExpression: { waiting: { $exists: true } } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  alertEnds: [{ key: { accountId: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  inhibitionSources: [
    { key: { accountId: 1, name: 1 } },
    { key: { accountId: 1, fingerprint: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  ...intelIndexes,
  searchBatches: [{ key: { _id: 1 }, name: "_id_" }],
  searchDays: [{ key: { _id: 1 }, name: "_id_" }],
  searchChunks: [{ key: { _id: 1 }, name: "_id_" }],
  queueHolds: [{ key: { _id: 1 }, name: "_id_" }],
  secrets: [{ key: { _id: 1 }, name: "_id_" }, sealedWith],
  workers: [{ key: { expiresAt: 1 }, expireAfterSeconds: 3600 }],
  processes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 3600 }],
  registrations: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  mailHostProbes: [{ key: { at: -1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  mtaStsPolicies: [{ key: { expireAt: 1 }, expireAfterSeconds: 0 }],
};

/** A start waits for these, each for a round trip and a commit; a connection is as dear as some of them. */
const AT_ONCE = 4;

/** @throws Fault store.unavailable */
export async function createIndexes(db: Db): Promise<void> {
  await inLanes(Object.entries(indexes), AT_ONCE, async ([collection, descriptions]) => {
    await guarded(db.collection(collection).createIndexes([...descriptions]));
  });
}
