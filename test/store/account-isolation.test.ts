import { inspect } from "node:util";
import type { CommandStartedEvent, Document } from "mongodb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EventDocument, MessageDocument, QuarantineDocument } from "../../src/store/documents.ts";
import type { MemberChange } from "../../src/store/member-store.ts";
import { type AccountStore, createStore, type Store } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { accountId, functionsIn, storeCalls } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const [OWNER, STRANGER] = ["acc_owner", "acc_stranger"];
const now = new Date();
const later = new Date(now.getTime() + 3_600_000);
const far = new Date(now.getTime() + 24 * 3_600_000);
const page = { limit: 100 };

let opened: TestStore;
let store: Store;
let sent: CommandStartedEvent[] = [];
beforeAll(async () => {
  opened = await openTestStore();
  opened.db.client.on("commandStarted", (event) => sent.push(event));
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

/** What the owner has, as far as others could name it. */
const message = (n: number, changes: Partial<MessageDocument>) =>
  queuedMessage(now, { _id: `msg_${n}`, traceId: `sx_${n}`, accountId: OWNER, ...changes });
const waiting = message(1, { nextAttemptAt: far, idempotencyKey: "once", fingerprint: "f" });
const delivered = message(2, { state: "delivered" });
const withdrawn = message(3, { cancelRequestedAt: now });
const damaged = message(4, {});
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
} as const;
const sender = { _id: "snd_1", kind: "address", value: "ada@example.com", verifiedAt: now } as const;
const domainKey = {
  domain: "example.com",
  selector: "hm1r",
  algorithm: "rsa-sha256",
  privateKey: "secret",
  signsFrom: now,
  createdAt: now,
} as const;
const policy = { name: "relay", default: true, transports: [{ kind: "sandbox" }], updatedAt: now } as const;
const template = {
  name: "welcome",
  definition: { name: "welcome", subject: "Hi", variables: [] },
  createdAt: now,
};
const user = { _id: "usr_1", email: "ada@example.com", passwordHash: "p", createdAt: now };
const member = { role: "owner", createdAt: now } as const;
const suppression = {
  addressKey: "bob@example.net",
  address: "bob@example.net",
  reason: "manual",
  createdAt: now,
} as const;

async function plant(): Promise<void> {
  const { acrossAccounts: all } = store;
  const owner = store.forAccount(OWNER);
  await owner.members.add(user, member);
  await owner.members.add({ ...user, _id: "usr_2", email: "bob@example.com" }, member);
  await owner.keys.insert(key);
  await owner.senders.add(sender);
  await owner.domainKeys.insertMany([domainKey]);
  await owner.policies.replace(policy.name, () => policy);
  await owner.templates.publish(template);
  const { nextAttemptAt: _, ...outOfQueue } = withdrawn;
  await all.messages.insertMany([waiting, delivered, damaged, outOfQueue]);
  await all.events.insertMissing([event]);
  await all.quarantine.add(aside);
  await owner.suppressions.add(suppression);
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

/** All documents, by collection. */
async function everything(): Promise<Contents> {
  const names = (await opened.db.listCollections().toArray()).map(({ name }) => name).sort();
  const found = names.map(async (name) => {
    const documents = await opened.db.collection(name).find().sort({ _id: 1 }).toArray();
    return [name, documents] as const;
  });
  return new Map(await Promise.all(found));
}

/** Those of the documents that are the owner's. */
function possessions(contents: Contents): Document[] {
  return [...contents.values()].flat().filter((one) => one.accountId === OWNER || !("accountId" in one));
}

const textOf = (value: unknown) => inspect(value, { depth: 10 });

/** Puts back what was there, where something has changed. */
async function restore(contents: Contents): Promise<void> {
  for (const [name, documents] of await everything()) {
    const former = contents.get(name) ?? [];
    if (textOf(documents) === textOf(former)) continue;
    await opened.db.collection(name).deleteMany({});
    if (former.length > 0) await opened.db.collection(name).insertMany(former);
  }
}

/** Each function of an account, called with the ids and names of what the owner has. */
const calls: Readonly<Record<string, (account: AccountStore) => Promise<unknown>>> = {
  "members.add": async ({ members }) => {
    const { joined } = await members.add(user, member);
    return [joined, await members.find(user._id)];
  },
  "members.find": ({ members }) => members.find(user._id),
  "members.list": ({ members }) => members.list(page),
  "members.changeRole": async ({ members }) => changed(await members.changeRole("usr_2", "viewer")),
  "members.remove": async ({ members }) => changed(await members.remove("usr_2")),
  "keys.insert": ({ keys }) => keys.insert({ ...key, _id: "key_2", hash: "another" }),
  "keys.list": ({ keys }) => keys.list(page),
  "keys.rename": async ({ keys }) => [
    await keys.rename(key._id, "new name"),
    await keys.rename(key.prefix, "newer name"),
  ],
  "keys.supersede": async ({ keys }) => {
    const make = (former: { readonly hash: string }) => ({
      key: { ...key, _id: `${former.hash}.s`, hash: `${former.hash}.s` },
      expiresAt: later,
    });
    return (await keys.supersede(key._id, make)) ?? null;
  },
  "keys.revoke": async ({ keys }) => [await keys.revoke(key._id, now), await keys.revoke(key.prefix, now)],
  "senders.add": ({ senders }) => senders.add({ ...sender, _id: "snd_2" }),
  "senders.list": ({ senders }) => senders.list(page),
  "senders.hasAny": ({ senders }) => senders.hasAny([sender.value]),
  "domainKeys.insertFirst": ({ domainKeys }) =>
    domainKeys.insertFirst("example.com", [{ ...domainKey, selector: "hm2r" }]),
  "domainKeys.insertMany": ({ domainKeys }) => domainKeys.insertMany([{ ...domainKey, selector: "hm2r" }]),
  "domainKeys.list": ({ domainKeys }) => domainKeys.list("example.com"),
  "policies.replace": async ({ policies }) => {
    const formers: unknown[] = [];
    const stored = await policies.replace(policy.name, (former) => {
      formers.push(former());
      return { ...policy, updatedAt: later };
    });
    return [stored, ...formers.filter(Boolean)];
  },
  "policies.find": ({ policies }) => policies.find(policy.name),
  "policies.findDefault": ({ policies }) => policies.findDefault(),
  "policies.list": ({ policies }) => policies.list(page),
  "templates.findPublished": ({ templates }) => templates.findPublished(template.name),
  "templates.listPublished": ({ templates }) => templates.listPublished(page),
  "templates.publish": ({ templates }) => templates.publish(template),
  "messages.findById": ({ messages }) => messages.findById(waiting._id),
  "messages.findByTraceId": ({ messages }) => messages.findByTraceId(waiting.traceId),
  "messages.findByIdempotencyKey": ({ messages }) => messages.findByIdempotencyKey(waiting.operation, "once"),
  "messages.forgetIdempotencyKey": ({ messages }) => messages.forgetIdempotencyKey(waiting, "once"),
  "messages.findSubmitted": ({ messages }) => messages.findSubmitted(waiting._id),
  "messages.listByTraceId": ({ messages }) => messages.listByTraceId(waiting.traceId),
  "messages.list": async ({ messages }) => (await messages.list(page)).messages,
  "messages.applyLateOutcome": ({ messages }) => messages.applyLateOutcome(delivered, "bounced", now, far),
  "queue.requestCancel": ({ queue }) => queue.requestCancel(waiting, now),
  "queue.withdrawBeforeDue": ({ queue }) => queue.withdrawBeforeDue(waiting, now, later),
  "queue.cancel": ({ queue }) => queue.cancel(withdrawn, { at: now, expireAt: far }),
  "quarantine.list": ({ quarantine }) => quarantine.list({ afterId: undefined, ...page }),
  "quarantine.find": ({ quarantine }) => quarantine.find(aside._id),
  "quarantine.release": ({ quarantine }) => quarantine.release(aside, now),
  "quarantine.drop": ({ quarantine }) => quarantine.drop(aside, now, far),
  "events.insertMissing": ({ events }) => events.insertMissing([event, { ...event, _id: `${event._id}2` }]),
  "events.listOfMessage": ({ events }) => events.listOfMessage(waiting._id),
  "suppressions.add": ({ suppressions }) => suppressions.add({ ...suppression, reason: "complaint" }),
  "suppressions.list": ({ suppressions }) => suppressions.list({ ...page, now }),
  "suppressions.remove": ({ suppressions }) => suppressions.remove(suppression, now),
  "sandbox.list": ({ sandbox }) => sandbox.list({ beforeId: undefined, ...page }),
  "sandbox.find": ({ sandbox }) => sandbox.find(delivered._id),
  "sandbox.clear": ({ sandbox }) => sandbox.clear(),
};

/** Undefined: there is no such member. */
const changed = (change: MemberChange) => (change === "unknown" ? undefined : change);

/** Nothing was found. */
function isNothing(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.every(isNothing);
  return answer === undefined || answer === null || answer === false || answer === 0;
}

describe("what belongs to an account", () => {
  let planted: Contents;
  beforeAll(async () => {
    await plant();
    planted = await everything();
  });
  afterEach(() => restore(planted));

  it("has a call for every function", () => {
    expect(Object.keys(calls).toSorted()).toEqual(functionsIn(store.forAccount(OWNER)).toSorted());
  });

  it.each(Object.entries(calls))("is not found and not changed by another one (%s)", async (_name, call) => {
    const answer = await call(store.forAccount(STRANGER)).catch(() => undefined);
    // What it may be told of is what it has made itself just now.
    expect(isNothing(answer) || textOf(answer).includes(STRANGER)).toBe(true);
    expect(textOf(answer)).not.toContain(OWNER);
    expect(possessions(await everything())).toEqual(possessions(planted));
  });

  it.each(Object.entries(calls))("is found or changed by itself (%s)", async (_name, call) => {
    const answer = await call(store.forAccount(OWNER)).catch(() => undefined);
    const isChanged = textOf(possessions(await everything())) !== textOf(possessions(planted));
    expect(isChanged || answer === true || textOf(answer).includes(OWNER)).toBe(true);
  });

  it("is nobody's who names no account", () => {
    for (const nobody of ["", undefined as never])
      expect(() => store.forAccount(nobody)).toThrow("the store was asked for no account");
  });
});

/** An update that takes the place of what was there. */
const isWhole = (update: Document) => !Object.keys(update).some((name) => name.startsWith("$"));

/** Filters, and documents that are stored, that name another account than the one of the calls, or none. */
function unbound(): string[] {
  return sent.flatMap(({ commandName, command }) => {
    const collection = String(command[commandName]);
    // Pieces have their owner's id, which was found before; users are of no account.
    if (collection === "chunks" || collection === "users") return [];
    const { filter, query, pipeline = [], documents = [], updates = [], deletes = [] } = command;
    const named: Document[] = [
      ...documents,
      ...[filter, query, pipeline[0]?.$match].filter(Boolean),
      ...[...updates, ...deletes].map(({ q }) => q),
      ...updates.map(({ u }: Document) => u).filter(isWhole),
    ];
    return named
      .filter(({ _id, accountId: whose }) => {
        // The ids of suppressions begin with their account's.
        const isPrefixed = collection === "suppressions" && String(_id).startsWith(`${accountId}:`);
        const isItself = collection === "accounts" && _id === accountId;
        return whose !== accountId && !isPrefixed && !isItself;
      })
      .map((one) => `${commandName} ${collection}: ${Object.keys(one)}`);
  });
}

describe("a function of an account", () => {
  const own = Object.entries(storeCalls).filter(([name]) => name.startsWith("forAccount."));

  it.each(own)("names it in all that it asks for and all that it stores (%s)", async (_name, run) => {
    sent = [];
    await run(store);
    expect(sent.length).toBeGreaterThan(0);
    expect(unbound()).toEqual([]);
  });

  it("is found out when it does not", async () => {
    sent = [];
    await opened.db.collection<{ _id: string }>("messages").findOne({ _id: "msg_1" });
    await store.forAccount("acc_other").senders.hasAny(["ada@example.com"]);
    expect(unbound()).toHaveLength(2);
  });
});
