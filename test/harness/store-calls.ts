import type { AccountStore, AcrossAccounts, Store } from "../../src/store/store.ts";
import { queuedMessage } from "./queued-message.ts";

const now = new Date();
const later = new Date(now.getTime() + 60_000);
export const accountId = "acc_test";
const message = queuedMessage(now);
const id = message._id;
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
const suppression = { addressKey: address, address, reason: "manual", createdAt: now } as const;
const policy = { _id: "pol_1", accountId, name: "default", default: true, transports: [], createdAt: now };
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
const firstAccount = {
  account: { _id: accountId, name: "one", createdAt: now },
  user,
  member: { _id: `${accountId}.usr_1`, accountId, userId: "usr_1", role: "owner", createdAt: now },
  keys: [key],
  sender: { _id: "snd_1", accountId, value: "ada@example.com", verifiedAt: now },
  policy: { ...policy, _id: "pol_0", name: "sandbox", default: false },
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

type Calls<Scope> = Readonly<Record<string, (scope: Scope) => Promise<unknown>>>;

/** What both doors have. */
const sharedCalls: Calls<AccountStore | AcrossAccounts> = {
  "messages.findById": ({ messages }) => messages.findById(id),
  "messages.findByTraceId": ({ messages }) => messages.findByTraceId("sx_1"),
  "quarantine.list": async ({ quarantine }) => {
    for (const afterId of [undefined, "msg_2"]) await quarantine.list({ afterId, limit: 50 });
  },
  "quarantine.find": ({ quarantine }) => quarantine.find(id),
  "quarantine.release": ({ quarantine }) => quarantine.release(aside, now),
  "quarantine.drop": ({ quarantine }) => quarantine.drop(aside, now, later),
  "events.insertMissing": ({ events }) =>
    events.insertMissing([{ _id: `${id}.1.queued`, messageId: id, at: now } as never]),
  "events.listOfMessage": ({ events }) => events.listOfMessage(id),
  "sandbox.list": async ({ sandbox }) => {
    for (const beforeId of [undefined, "msg_2"]) await sandbox.list({ beforeId, limit: 50 });
  },
  "sandbox.find": ({ sandbox }) => sandbox.find("msg_1"),
};

const acrossCalls: Calls<AcrossAccounts> = {
  "members.ofUser": ({ members }) => members.ofUser(user._id),
  "keys.findByHash": ({ keys }) => keys.findByHash("h1"),
  "keys.markUsed": ({ keys }) => keys.markUsed(new Map([["key_1", now]])),
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
  "messages.insertMany": ({ messages }) => messages.insertMany([message]),
  "messages.insertMissing": ({ messages }) => messages.insertMissing([queuedMessage(now)]),
  "messages.insertTogether": ({ messages }) => messages.insertTogether([queuedMessage(now)]),
  "messages.findByIds": ({ messages }) => messages.findByIds([id]),
  "queue.findDue": async ({ queue }) => {
    const query = { partitions: held, priority: "bulk", now, limit: 10 } as const;
    await queue.findDue({ ...query, from: undefined });
    await queue.findDue({ ...query, from: now });
  },
  "queue.countWaiting": ({ queue }) => queue.countWaiting(held, 1_000),
  "queue.claim": ({ queue }) => queue.claim([message, queuedMessage(now)], 2),
  "queue.hold": ({ queue }) => queue.hold([message], later),
  "queue.unhide": ({ queue }) => queue.unhide([message], now),
  "queue.findCancelRequests": ({ queue }) => queue.findCancelRequests(held, 10),
  "queue.withdraw": ({ queue }) => queue.withdraw(message, 2),
  "queue.cancel": ({ queue }) => queue.cancel([message], { at: now, expireAt: later }, 1),
  "queue.applyTransitions": ({ queue }) => queue.applyTransitions([transition]),
  "quarantine.add": ({ quarantine }) => quarantine.add(aside),
  "quarantine.count": ({ quarantine }) => quarantine.count(),
  "suppressions.findAmong": ({ suppressions }) =>
    suppressions.findAmong([{ accountId, addressKey: address }], now),
  "suppressions.renameFormer": ({ suppressions }) => suppressions.renameFormer(),
  "sandbox.insertMissing": ({ sandbox }) => sandbox.insertMissing([captured]),
  "sandbox.clear": async ({ sandbox }) => {
    await sandbox.clear();
    // For the account to clear.
    await sandbox.insertMissing([captured]);
  },
};

const accountCalls: Calls<AccountStore> = {
  "members.add": async ({ members }) => {
    const owner = { role: "owner", createdAt: now } as const;
    await members.add({ ...user, _id: "usr_2", email: "bob@example.com" }, owner);
    await members.add({ ...user, _id: "usr_3", email: "bob@example.com" }, owner);
  },
  "members.find": ({ members }) => members.find(user._id),
  "members.list": async ({ members }) => {
    await members.list(page);
    await members.list({ ...page, after: user._id });
  },
  "members.changeRole": ({ members }) => members.changeRole(user._id, "viewer"),
  "members.remove": async ({ members }) => {
    await members.remove("usr_2");
    await members.remove("usr_2");
  },
  "keys.insert": ({ keys }) => keys.insert({ ...key, _id: "key_2", hash: "h2", prefix: "p2" } as never),
  "keys.list": async ({ keys }) => {
    await keys.list(page);
    await keys.list({ ...page, after: "a" });
  },
  "keys.rename": ({ keys }) => keys.rename("p2", "two"),
  "keys.supersede": ({ keys }) =>
    keys.supersede("p2", (former) => ({
      key: { ...former, _id: `${former._id}s`, hash: `${former.hash}s`, prefix: "p3" },
      expiresAt: later,
    })),
  "keys.revoke": ({ keys }) => keys.revoke("p2", now),
  "senders.add": async ({ senders }) => {
    await senders.add({ ...firstAccount.sender, _id: "snd_2" } as never);
  },
  "senders.list": async ({ senders }) => {
    await senders.list(page);
    await senders.list({ ...page, after: "a" });
  },
  "senders.hasAny": ({ senders }) => senders.hasAny(["ada@example.com", "example.com"]),
  "domainKeys.insertFirst": ({ domainKeys }) => domainKeys.insertFirst("example.com", [domainKey("k1")]),
  "domainKeys.insertMany": ({ domainKeys }) => domainKeys.insertMany([domainKey("k2")]),
  "domainKeys.list": ({ domainKeys }) => domainKeys.list("example.com"),
  "policies.replace": ({ policies }) => policies.replace("default", () => policy as never),
  "policies.find": ({ policies }) => policies.find("default"),
  "policies.findDefault": ({ policies }) => policies.findDefault(),
  "policies.list": async ({ policies }) => {
    await policies.list(page);
    await policies.list({ ...page, after: "a" });
  },
  "templates.publish": ({ templates }) =>
    templates.publish({ name: "welcome", definition: { subject: "Hi" } as never, createdAt: now }),
  "templates.findPublished": ({ templates }) => templates.findPublished("welcome"),
  "templates.listPublished": async ({ templates }) => {
    await templates.listPublished(page);
    await templates.listPublished({ ...page, after: "a" });
  },
  "messages.findByIdempotencyKey": ({ messages }) => messages.findByIdempotencyKey("email.send", "k"),
  "messages.forgetIdempotencyKey": ({ messages }) => messages.forgetIdempotencyKey(message, "k"),
  "messages.findSubmitted": ({ messages }) => messages.findSubmitted(id.slice(0, -4)),
  "messages.listByTraceId": ({ messages }) => messages.listByTraceId("sx_1"),
  "messages.list": async ({ messages }) => {
    for (const state of [undefined, "bounced"] as const)
      for (const beforeId of [undefined, "msg_2"]) {
        await messages.list({ ...page, ...(state && { state }), ...(beforeId && { beforeId }) });
      }
  },
  "messages.applyLateOutcome": ({ messages }) => messages.applyLateOutcome(message, "bounced", now, later),
  "queue.withdrawBeforeDue": ({ queue }) => queue.withdrawBeforeDue(message, now, later),
  "queue.requestCancel": ({ queue }) => queue.requestCancel(message, now),
  "queue.cancel": ({ queue }) => queue.cancel(message, { at: now, expireAt: later }),
  "suppressions.add": async ({ suppressions }) => {
    await suppressions.add(suppression);
    await suppressions.add(suppression);
  },
  "suppressions.list": async ({ suppressions }) => {
    await suppressions.list({ ...page, now });
    await suppressions.list({ ...page, now, after: "a" });
    await suppressions.list({ ...page, now, addressKey: address });
    await suppressions.list({ ...page, now, reason: "complaint" });
    await suppressions.list({ ...page, now, reason: "complaint", after: "a" });
  },
  "suppressions.remove": ({ suppressions }) => suppressions.remove({ addressKey: address }, now),
  "sandbox.clear": ({ sandbox }) => sandbox.clear(),
};

const ownCalls: Calls<Store> = {
  "firstAccount.isWanted": ({ firstAccount }) => firstAccount.isWanted(now),
  "firstAccount.make": async (store) => {
    const build = () => firstAccount as never;
    await store.firstAccount.make({ build, abandonedBefore: now });
    await store.firstAccount.make({ build, abandonedBefore: later });
  },
  "firstAccount.markShown": ({ firstAccount }) => firstAccount.markShown(now, later),
  "accounts.resolve": async ({ accounts }) => [await accounts.resolve(""), await accounts.resolve(accountId)],
  "accounts.first": ({ accounts }) => accounts.first(),
  "accounts.insert": ({ accounts }) => accounts.insert({ _id: "acc_2", name: "two", createdAt: now }),
  "accounts.find": ({ accounts }) => accounts.find(accountId),
  "accounts.rename": ({ accounts }) => accounts.rename(accountId, "one"),
  "accounts.namesOf": ({ accounts }) => accounts.namesOf([accountId]),
  "accounts.list": async ({ accounts }) => {
    await accounts.list({ limit: 50 });
    await accounts.list({ limit: 50, after: accountId });
  },
  "users.settleFormer": ({ users }) => users.settleFormer({ ...user, accountId }),
  "users.findByEmail": ({ users }) => users.findByEmail(user.email),
  "users.findById": ({ users }) => users.findById(user._id),
  "users.findByIds": ({ users }) => users.findByIds([user._id]),
  "users.list": async ({ users }) => {
    await users.list({ limit: 50 });
    await users.list({ limit: 50, after: "a" });
  },
  "users.setPassword": async ({ users }) => {
    await users.setPassword(user, { passwordHash: "p2", mustChangePassword: true });
    await users.setPassword(user, { passwordHash: "p2", mustChangePassword: false });
  },
  "sessions.insert": ({ sessions }) => sessions.insert(session),
  "sessions.findByHash": ({ sessions }) => sessions.findByHash(session.hash),
  "sessions.listOfUser": ({ sessions }) => sessions.listOfUser(user._id),
  "sessions.touch": ({ sessions }) => sessions.touch(session._id, { seenAt: now, expireAt: later }),
  "sessions.renew": ({ sessions }) => sessions.renew(session, { hash: "h2", mustChangePassword: false }),
  "sessions.endOne": ({ sessions }) => sessions.endOne(user._id, session._id),
  "sessions.endAll": async ({ sessions }) => {
    await sessions.endAll(user._id, session._id);
    await sessions.endAll(user._id);
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
  "secrets.getOrCreate": ({ secrets }) => secrets.getOrCreate("one"),
  "secretRotation.total": ({ secretRotation }) => secretRotation.total(),
  "secretRotation.step": async ({ secretRotation }) => {
    for (let collection = 0; collection < 3; collection++) {
      await secretRotation.step({ collection, afterId: "" });
    }
  },
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

/** All functions of the store, with every form of their queries; documents only have what indexes look at. */
export const storeCalls: Calls<Store> = {
  ...ownCalls,
  ...through("acrossAccounts", (store) => store.acrossAccounts, { ...sharedCalls, ...acrossCalls }),
  ...through("forAccount", (store) => store.forAccount(accountId), { ...sharedCalls, ...accountCalls }),
};

/** The names of all functions of a store, or of a part of one, as `keys.list`. */
export function functionsIn(part: object): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (typeof value === "function") return [name];
    return typeof value === "object" ? functionsIn(value).map((inner) => `${name}.${inner}`) : [];
  });
}
