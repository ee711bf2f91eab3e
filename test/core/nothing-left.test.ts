import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAccountDeletions } from "../../src/core/accounts/delete-account.ts";
import { createErasures } from "../../src/core/erasures/run-erasures.ts";
import { noticeIdOf } from "../../src/message/dsn/notice-id.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { jobStepId } from "../../src/store/job-documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createRunBlacklists } from "../../src/watches/run-blacklists.ts";
import { testAudit } from "../harness/audit.ts";
import { collectionsWith, everythingStored, indexedIds } from "../harness/everything-stored.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { answered } from "../harness/logged-requests.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { plantWatched } from "../harness/watched-domain.ts";

const ADA = "ada.lovelace@example.net";
const LARGE = 1_500_000;
const MINUTE_MS = 60_000;
const log = createLogger("silent");

let identity: Identity;
let first: string;
beforeEach(async () => {
  identity = await openIdentity();
  first = await identity.openAccount("The operator's");
  identity.time.pass(1_000);
});
afterEach(() => identity.close());

const stored = (name: string) => identity.db.collection(name);

/** Messages of an account to Ada and to Bob, in all final states, with all related data. */
async function mail(accountId: string, domain: string): Promise<readonly MessageDocument[]> {
  const { store, time } = identity;
  const now = time.clock.now();
  const from = `shop@${domain}`;
  const expireAt = new Date(now.getTime() + 86_400_000);
  const one = (recipient: string, changes: Partial<MessageDocument> = {}): MessageDocument => {
    const _id = changes._id ?? newIdInBucket("msg", now, 3);
    const common = { _id, bucket: 3, accountId, recipient, from, state: "delivered" } as const;
    const subject = `News of ${domain}`;
    const { nextAttemptAt: _, ...message } = queuedMessage(now, {
      ...common,
      subject,
      policy: "relay",
      ...changes,
    });
    return message;
  };
  const [toAda, toBob] = [one("Ada.Lovelace@Example.net"), one("bob@example.net")];
  const bounced = one(ADA, { state: "bounced", category: "recipient" });
  const notice = one(from, {
    _id: noticeIdOf(bounced._id, "failed"),
    noticeOf: bounced._id,
    from: "mailer-daemon@x",
  });
  const keyed = one(ADA, { idempotencyKey: `once for ${ADA}`, fingerprint: "f" });
  const naming = one("carl@example.net", { notDelivered: [ADA] });
  const unreadable = one(ADA, { state: "queued" });
  const messages = [toAda, toBob, bounced, notice, keyed, naming, unreadable];
  await store.acrossAccounts.messages.insertMany(messages);
  const bodyOf = (message: MessageDocument) => {
    const about = message === notice ? ADA : message.recipient;
    return Buffer.from(`To: ${about}\r\n\r\nof ${domain}${message === bounced ? "x".repeat(LARGE) : ""}`);
  };
  await store.acrossAccounts.contents.insertMany(
    messages.map((message) => {
      const source = bodyOf(message);
      const body = { kind: "raw" as const, source };
      return { id: message.contentId, accountId, body, sizeBytes: source.length, createdAt: now, expireAt };
    }),
  );
  await store.acrossAccounts.events.insertMissing(
    messages.map(({ _id, traceId, recipient }) => ({
      _id: `${_id}.1.delivered`,
      messageId: _id,
      accountId,
      traceId,
      kind: "delivered" as const,
      attempt: 1,
      at: now,
      expireAt,
      detail: `550 <${recipient}> of ${domain}`,
    })),
  );
  await store.acrossAccounts.sandbox.insertMissing(
    [toAda, toBob, notice, { ...toAda, _id: newIdInBucket("msg", now, 3) }].map((message, n) => ({
      id: message._id,
      accountId,
      traceId: message.traceId,
      envelopeFrom: message.from,
      envelopeTo: [message.recipient],
      from: message.from,
      subject: message.subject,
      source: n === 0 ? Buffer.alloc(LARGE, ADA) : bodyOf(message),
      capturedAt: now,
      expireAt,
    })),
  );
  await stored("quarantine").insertOne({
    _id: unreadable._id as never,
    bucket: 3,
    accountId,
    reason: "subject",
    at: now,
    recipient: ADA,
    from,
  });
  return messages;
}

/** Jobs for one recipient and for all, with the stored data of their steps. */
async function jobs(accountId: string): Promise<void> {
  const now = identity.time.clock.now();
  // MongoDB removes expired documents once a minute.
  const expireAt = new Date(now.getTime() + 86_400_000);
  const own = identity.store.forAccount(accountId);
  for (const filter of [
    { recipient: "Ada.Lovelace@EXAMPLE.net" },
    { recipient: "bob@example.net" },
    { tags: ["a"] },
  ]) {
    const _id = `job_${JSON.stringify(filter).length}_${accountId}`;
    const about = { action: "cancel", messages: Object.values(filter).join() };
    const job = { _id, kind: "test.none", params: { filter }, about, permission: "messages.write" };
    await own.jobs.begin({ ...job, startedBy: testAudit.actor, createdAt: now }, 10, testAudit);
    const step = { _id: jobStepId(_id, 0) as never, accountId, expireAt };
    const entries = [{ item: about.messages, outcome: "done" }];
    await stored("jobResults").insertOne({ ...step, jobId: _id, entries, outcomes: ["done"] });
    await stored("jobItems").insertOne({ ...step, items: [about.messages] });
  }
}

/** Data of an account other than mail, created through its members' calls. */
async function settings(accountId: string, domain: string): Promise<void> {
  const { operator, frontEnd, time } = identity;
  await identity.memberOf(accountId, "owner");
  await operator.invitations.createInvitation({
    accountId,
    email: `guest.of.${domain.split(".")[0]}@people.example`,
    role: "viewer",
  });
  const { key } = await operator.keys.createKey({ accountId, name: `key of ${domain}` });
  await operator.senders.addSender({ accountId, value: domain });
  await operator.domains.addDomain({ accountId, domain: `mail.${domain}` });
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await operator.policies.putPolicy({ accountId, policy: { name: "relay", transports } });
  const template = { name: "welcome", from: `shop@${domain}`, subject: "Hi", text: `of ${domain}` };
  await operator.templates.putTemplate({ accountId, template });
  for (const address of ["ADA.lovelace@example.net", "bob@example.net"]) {
    await operator.suppressions.addSuppression({ accountId, address, detail: `asked ${domain}` });
    await operator.suppressions.addSuppression({ accountId, address, policy: "relay" });
  }
  await operator.suppressions.removeSuppression({ accountId, address: ADA, policy: "relay" });
  const layer = {
    name: "Daily",
    participants: [{ address: `ada@${domain}` }],
    startsAt: timestampFromDate(time.clock.now()),
    timeZone: "UTC",
    shift: { length: 1, unit: "day" },
  };
  const onCall = { name: "primary", layers: [layer], fallbackRecipients: [`ops@${domain}`] };
  await operator.oncalls.putOnCallSchedule({ accountId, settings: onCall });
  const until = timestampFromDate(new Date(time.clock.now().getTime() + 3_600_000));
  const participant = { address: `eve@${domain}` };
  await operator.oncalls.addOnCallOverride({ accountId, name: "primary", participant, until });
  const at = timestampFromDate(time.clock.now());
  const one = {
    accountId,
    at,
    keyId: key?.id ?? "",
    method: "POST",
    route: `/${domain}`,
    status: 202,
    count: 1,
  };
  const request = { ...answered(one), messageIds: [newIdInBucket("msg", time.clock.now(), 3)] };
  await frontEnd.requests.recordRequests({ batchId: `batch ${domain}`, answered: [request] });
}

async function compact(): Promise<void> {
  await identity.store.acrossAccounts.search.compact(identity.time.clock.now(), new AbortController().signal);
}

it("nothing of a deleted account is left in any collection, and everything of the others is", async () => {
  const [going, staying] = [await identity.openAccount("Going"), await identity.openAccount("Staying")];
  for (const [id, domain] of [
    [going, "going.example"],
    [staying, "staying.example"],
  ] as const) {
    await settings(id, domain);
    await mail(id, domain);
    await jobs(id);
    await identity.operator.erasures.beginErasure({ accountId: id, recipient: `someone@${domain}` });
    const now = identity.time.clock.now();
    await plantWatched(identity.store, { accountId: id, domain: `watched.${domain}`, now });
  }
  await compact();
  const ofStaying = new Map(
    [...(await everythingStored(identity.db))].map(([name, documents]) => [
      name,
      documents.filter((document) => document.includes(staying) || document.includes("staying.example"))
        .length,
    ]),
  );
  const stayingIds = (await stored("messages").find({ accountId: staying }).toArray()).map(({ _id }) =>
    String(_id),
  );
  const before = await collectionsWith(identity.db, going, "going.example");
  // A new collection with account data must be removed with the account.
  expect(before.length).toBeGreaterThanOrEqual(31);

  await identity.operator.accounts.deleteAccount({ accountId: going });
  const { store, time } = identity;
  const run = createAccountDeletions({ store, clock: time.clock, log, proofMs: MINUTE_MS });
  await run();
  time.pass(6 * MINUTE_MS);
  await run();
  // Blacklist results belong to no account, and are removed when its domains are no longer watched.
  await createRunBlacklists({
    store: store.acrossAccounts,
    lists: [],
    clock: time.clock,
    log,
    checkRound: () => Promise.reject(new Error("no list is asked")),
    signal: new AbortController().signal,
  })();

  // Logs of deleted accounts stay until their entries expire. Users, their sessions and counts of invitations belong
  // to no account, and contain at most its id.
  const left = ["auditEntries", "deletedAccounts", "users", "sessions", "signInFailures"];
  const found = await collectionsWith(identity.db, going, "going.example");
  expect(found.filter((name) => !left.includes(name))).toEqual([]);
  // With Hermod's mail to its members.
  const messageIds = (await stored("messages").find().toArray()).map(({ _id }) => String(_id)).sort();
  expect(messageIds).toEqual(expect.arrayContaining(stayingIds));
  expect(await indexedIds(identity.db)).toEqual(messageIds);
  for (const [name, documents] of await everythingStored(identity.db)) {
    if (name === "sessions") continue;
    const count = documents.filter((one) => one.includes(staying) || one.includes("staying.example")).length;
    expect([name, count]).toEqual([name, ofStaying.get(name)]);
  }
  const { deletion } = await identity.operator.accounts.getDeletion({ accountId: going });
  expect(deletion).toMatchObject({
    state: "done",
    removed: {
      messages: 7,
      contents: 7,
      events: 7,
      sandboxMessages: 4,
      searchIndex: 7,
      quarantine: 1,
      apiKeys: 1,
    },
  });
  expect(await identity.operator.accounts.getAccount({ accountId: first })).toBeDefined();
});

it("nothing of an erased recipient is left in any collection, and everything of the others is", async () => {
  const [own, other] = [await identity.openAccount("Own"), await identity.openAccount("Other")];
  for (const [id, domain] of [
    [own, "own.example"],
    [other, "other.example"],
  ] as const) {
    await settings(id, domain);
    await mail(id, domain);
    await jobs(id);
  }
  await compact();
  await stored("quarantine").updateOne({ accountId: other }, { $unset: { bucket: "" } });
  const textsOf = async (accountId: string) =>
    [...(await everythingStored(identity.db))].flatMap(([name, documents]) =>
      documents.filter((one) => one.includes(accountId)).map((one) => `${name}\n${one}`),
    );
  const [ofOther, ofBob] = [await textsOf(other), (await textsOf(own)).filter((one) => one.includes("bob@"))];

  const begun = await identity.operator.erasures.beginErasure({
    accountId: own,
    recipient: ADA.toUpperCase(),
  });
  const { store, time } = identity;
  const { signal } = new AbortController();
  const run = createErasures({ store, clock: time.clock, log, proofMs: MINUTE_MS, signal });
  await run();
  time.pass(2 * MINUTE_MS);
  await run();
  const { erasure } = await identity.operator.erasures.getErasure({
    accountId: own,
    id: begun.erasure?.id ?? "",
  });
  expect(erasure).toMatchObject({
    state: "done",
    removed: {
      messages: 5,
      contents: 5,
      events: 5,
      sandboxMessages: 3,
      suppressions: 1,
      quarantine: 1,
      jobs: 1,
      searchIndex: 5,
    },
    left: { sharedBodies: 0, mentions: 0, suppressions: 0 },
  });

  // The other account still has all its data, and data in its name contains neither account.
  await store.accountDeletions.begin(other, { deletedAt: time.clock.now(), deletedBy: "" }, testAudit);
  const messagesOfOther = (await stored("messages").find({ accountId: other }).toArray()).map(({ _id }) =>
    String(_id),
  );
  expect((await textsOf(other)).filter((one) => ofOther.includes(one)).length).toBe(ofOther.length - 1);
  const deletions = createAccountDeletions({ store, clock: time.clock, log, proofMs: MINUTE_MS });
  await deletions();
  time.pass(6 * MINUTE_MS);
  await deletions();
  await stored("auditEntries").deleteMany({ accountId: other });
  expect(await collectionsWith(identity.db, ADA)).toEqual([]);
  expect((await indexedIds(identity.db)).filter((id) => messagesOfOther.includes(id))).toEqual([]);
  expect(await indexedIds(identity.db)).toEqual(
    (await stored("messages").find().toArray()).map(({ _id }) => String(_id)).sort(),
  );
  expect((await textsOf(own)).filter((one) => one.includes("bob@")).sort()).toEqual(ofBob.sort());
});
